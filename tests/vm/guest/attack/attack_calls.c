// SPDX-License-Identifier: GPL-2.0
/*
 * The system calls of the devices as odd programs make them: lines in pieces, from 32-bit code, under
 * a filter of system calls. In a guest with two CPUs that has annot.ko loaded. Prints TAP.
 *
 *	attack_calls			all of these
 *	attack_calls lossless NR	records so many annotations of a program; each must be there
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/uio.h>

#include <annot/annot.h>

#include "attack.h"

#define NR_LINES 500
#define NR_FILTERED 300 /* more than a ring takes */

/* --- writev() */

static long write_pieces(int fd, char *a, char *b, char *c)
{
	struct iovec pieces[3] = { { a, strlen(a) }, { b, strlen(b) }, { c, strlen(c) } };
	ssize_t result = writev(fd, pieces, 3);

	return result < 0 ? -errno : result;
}

static int refused;

static void *write_lines(void *letter)
{
	char name[] = "name of ?\"";
	int fd = open_cpu(0);

	name[8] = *(char *)letter;
	for (int i = 0; i < NR_LINES; i++) {
		if (write_pieces(fd, "C \"", name, " 7\n") != 16)
			refused++;
	}
	close(fd);
	return NULL;
}

static void check_writev(void)
{
	pthread_t threads[2];
	int fd = open_cpu(0);
	size_t nr = 0;

	record_as(false);
	check(write_pieces(fd, "B ", "loop48", " 17\n") == 12, "a line in three pieces is written");
	check(write_pieces(fd, "B loo", "p48 1", "8\nE") == 13, "two, torn within words");
	check(write_pieces(fd, "I good\n", "", "nonsense") == -EINVAL, "a bad piece is refused");
	collect();
	check(nr_seen == 3 && !strcmp(seen[0].line, "B loop48 17") &&
		      !strcmp(seen[1].line, "B loop48 18") && !strcmp(seen[2].line, "E"),
	      "each line is one annotation, and a bad one takes all with it");
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, write_lines, "ab" + i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	collect();
	for (size_t i = 0; i < nr_seen; i++)
		nr += !strcmp(seen[i].line, "C name of a 7") ||
		      !strcmp(seen[i].line, "C name of b 7");
	printf("# %zu of %d lines, %d refused\n", nr, 2 * NR_LINES, refused);
	check(nr == 2 * NR_LINES && nr == nr_seen && !refused,
	      "threads that write lines in pieces do not tear each other's");
	check(pwrite(fd, "E", 1, 0) < 0 && errno == ESPIPE, "there is no position to write at");
	close(fd);
	enable("annot", false);
}

/* --- 32-bit system calls, which 64-bit code can make, too */

#define WRITE_32 4
#define IOCTL_32 54
#define WRITEV_32 146

static long call_32(long nr, uint32_t a, uint32_t b, uint32_t c)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(nr), "b"((unsigned long)a), "c"((unsigned long)b),
			   "d"((unsigned long)c)
			 : "memory", "r8", "r9", "r10", "r11");
	return result;
}

struct iovec_32 {
	uint32_t base;
	uint32_t length;
};

/* Below 4 GiB. */
struct low {
	struct annot_name name;
	struct annot_events events;
	struct iovec_32 pieces[2];
	char text[64];
};

static struct low *low;

static uint32_t address_of(const void *at)
{
	return (uintptr_t)at;
}

static long name_32(int fd, uint64_t text, uint32_t length, uint32_t reserved)
{
	low->name =
		(struct annot_name){ .text = text, .length_bytes = length, .reserved = reserved };
	return call_32(IOCTL_32, fd, ANNOT_IOC_NAME, address_of(&low->name));
}

static void check_hostile_32(int fd)
{
	const uint64_t kernel = 0xffffffff81000000ul;
	int ctl = open("/dev/annot/ctl", O_RDONLY);

	check(name_32(fd, kernel, 5, 0) == -EFAULT, "a name in the kernel is EFAULT");
	check(name_32(fd, 0, 5, 0) == -EFAULT, "a name nowhere is EFAULT");
	check(name_32(fd, address_of(low->text), 0, 0) == -EINVAL &&
		      name_32(fd, address_of(low->text), 256, 0) == -EINVAL &&
		      name_32(fd, address_of(low->text), UINT32_MAX, 0) == -EINVAL &&
		      name_32(fd, address_of(low->text), 5, 1) == -EINVAL,
	      "a length that cannot be, and what is reserved, are EINVAL");
	check(call_32(IOCTL_32, fd, ANNOT_IOC_NAME, 0) == -EFAULT &&
		      call_32(IOCTL_32, fd, ANNOT_IOC_NAME, 0xfffff000) == -EFAULT,
	      "an argument nowhere is EFAULT");
	check(call_32(IOCTL_32, fd, ANNOT_IOC_EVENTS, address_of(&low->events)) == -ENOTTY &&
		      call_32(IOCTL_32, fd, ~0u, 0) == -ENOTTY,
	      "what a CPU's file does not know is ENOTTY");
	low->events = (struct annot_events){ .events = kernel, .nr = 1 };
	check(call_32(IOCTL_32, ctl, ANNOT_IOC_EVENTS, address_of(&low->events)) == -EFAULT,
	      "events in the kernel are EFAULT");
	low->events = (struct annot_events){ .events = kernel, .nr = UINT32_MAX };
	check(call_32(IOCTL_32, ctl, ANNOT_IOC_EVENTS, address_of(&low->events)) == -EINVAL,
	      "so many are EINVAL");
	check(call_32(IOCTL_32, ctl, ANNOT_IOC_EVENTS, 0xfffff000) == -EFAULT,
	      "a set nowhere is EFAULT");
	close(ctl);
}

static void check_32(void)
{
	struct ring ring;
	long id;

	low = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (low == MAP_FAILED)
		die("mmap");
	record_as(true);
	stay_on(0);
	map_ring(&ring, 0);
	strcpy(low->text, "early");
	id = name_32(ring.fd, address_of(low->text), 5, 0);
	check(id > 0 && id == name_id(ring.fd, "early", 5), "32 bits: a name, the same as in 64");
	given_names[id] = "early";
	check(call_32(IOCTL_32, ring.fd, ANNOT_IOC_DRAIN, 0) == ANNOT_DRAIN_OPEN,
	      "a ring is opened");
	put(&ring, ANNOT_OP_COUNTER, id, 1);
	check(call_32(IOCTL_32, ring.fd, ANNOT_IOC_DRAIN, 0) == ANNOT_DRAIN_OPEN, "and drained");
	strcpy(low->text, "C early 2");
	check(call_32(WRITE_32, ring.fd, address_of(low->text), 9) == 9, "a line is written");
	low->text[8] = '3';
	low->pieces[0] = (struct iovec_32){ address_of(low->text), 4 };
	low->pieces[1] = (struct iovec_32){ address_of(low->text) + 4, 5 };
	check(call_32(WRITEV_32, ring.fd, address_of(low->pieces), 2) == 9, "and one in pieces");
	check_hostile_32(ring.fd);
	collect();
	if (nr_seen != 3)
		show_seen();
	check(nr_seen == 3 && !strcmp(seen[0].line, "C early 1") &&
		      !strcmp(seen[1].line, "C early 2") && !strcmp(seen[2].line, "C early 3"),
	      "these, and no others, are recorded");
	unmap_ring(&ring);
	enable("annot", false);
}

/* --- filters of system calls */

static void refuse_calls(unsigned int nr)
{
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { .len = sizeof(lines) / sizeof(lines[0]), .filter = lines };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		die("seccomp");
}

struct filtered {
	unsigned int call;
	int nr_before; /* annotations before the filter is set */
};

static int annotate_filtered(void *argument)
{
	const struct filtered *filtered = argument;

	stay_on(0);
	for (int i = 0; i < NR_FILTERED; i++) {
		if (i == filtered->nr_before)
			refuse_calls(filtered->call);
		annot_counter("filtered", i);
	}
	return 0;
}

static bool all_are_there(const char *text, int nr)
{
	int right = 0;

	collect();
	for (size_t i = 0; i < nr_seen; i++) {
		char want[64];

		snprintf(want, sizeof(want), "C %s %d", text, right);
		right += !strcmp(seen[i].line, want);
	}
	printf("# %d of %d annotations, in order\n", right, nr);
	return right == nr && nr_seen == (size_t)nr;
}

static void check_filters(void)
{
	static const struct {
		struct filtered filtered;
		const char *text;
		bool is_mute; /* it cannot even know that somebody records */
	} cases[] = {
		{ { SYS_ioctl, 0 }, "no ioctl()", false },
		{ { SYS_ioctl, 10 }, "no ioctl() any more", false },
		{ { SYS_write, 10 }, "no write() any more", false },
		{ { SYS_openat, 10 }, "no open() any more", false },
		{ { SYS_mmap, 0 }, "no mmap()", true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct filtered filtered = cases[i].filtered;

		record_as(true);
		check(run_task(annotate_filtered, &filtered) == 0, "%s: the program goes on",
		      cases[i].text);
		if (!cases[i].is_mute)
			check(all_are_there("filtered", NR_FILTERED),
			      "and its annotations are all there");
	}
	enable("annot", false);
}

/* --- for those who attack the module's functions meanwhile */

static int annotate(void *argument)
{
	int nr = *(int *)argument;

	for (int i = 0; i < nr; i++) {
		annot_counter("kept", i);
		if (i % 50 == 0)
			usleep(1000);
	}
	return 0;
}

static void check_lossless(int nr)
{
	for (int batches = 0; batches < 2; batches++) {
		record_as(batches);
		check(run_task(annotate, &nr) == 0, "%s: a program ends well",
		      batches ? "batches" : "one by one");
		check(all_are_there("kept", nr), "nothing is lost");
	}
	enable("annot", false);
}

int main(int argc, char **argv)
{
	set(TRACEFS "tracing_on", "1");
	if (argc == 3) {
		check_lossless(atoi(argv[2]));
		return all_well ? 0 : 1;
	}
	check_writev();
	check_32();
	check_filters();
	return all_well ? 0 : 1;
}
