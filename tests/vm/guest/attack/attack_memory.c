// SPDX-License-Identifier: GPL-2.0
/*
 * The memory of a ring, and all that the kernel does with memory for a user who asks: in a guest
 * with two CPUs that has annot.ko loaded, and a disk that may be written over. Prints TAP.
 *
 * Who can make the kernel hold a page of a ring, or write there on its own, has it when the ring is
 * gone. The attacker is an ordinary user of the devices' group; after each try it annotates, and in
 * the end each of these annotations must be there.
 */
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <linux/userfaultfd.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "attack.h"

#define DISK "/dev/vda"
#define DISK_OFFSET (1l << 30) /* behind what the guest leaves on it */
#define NR_ROUNDS 20
#define NR_READS 60
#define SECTOR_BYTES 512

#ifndef UFFD_FEATURE_WP_ASYNC
#define UFFD_FEATURE_WP_ASYNC (1 << 15)
#endif
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif

static struct ring ring; /* the attacker's, of the CPU that it stays on */
static uint32_t name;
static int disk_fd;
static volatile long *nr_said; /* shared with the one who reads the trace */

static void still_works(void)
{
	put(&ring, ANNOT_OP_COUNTER, name, *nr_said);
	++*nr_said;
}

static void check_refused(long result, const char *what)
{
	int error = errno;

	if (result >= 0)
		printf("# it gives %ld\n", result);
	else
		printf("# %s\n", strerror(error));
	check(result < 0, "%s", what);
	still_works();
}

static void *base(void)
{
	return (void *)ring.shared;
}

/* --- the kernel holds pages (GUP) */

/* When it was not refused: what the kernel writes into a page that it says it has freed. */
static void show_held_page(int fd)
{
	uint64_t words[PAGE_BYTES / sizeof(uint64_t)];
	uint64_t head = ring.shared->head;

	unmap_ring(&ring);
	usleep(300000);
	if (read(fd, words, sizeof(words)) == sizeof(words))
		printf("# the ring is unmapped; its first word, %#llx before, is now %#llx\n",
		       (unsigned long long)head, (unsigned long long)words[0]);
	map_ring(&ring, 0);
	name = name_of(&ring, "alive");
}

static void try_vmsplice(void)
{
	struct iovec page = { .iov_base = base(), .iov_len = PAGE_BYTES };
	int pipes[2];
	long result;

	if (pipe(pipes))
		die("pipe");
	result = vmsplice(pipes[1], &page, 1, 0);
	if (result > 0)
		show_held_page(pipes[0]);
	check_refused(result, "vmsplice() of a ring's header");
	close(pipes[0]);
	close(pipes[1]);

	page.iov_base = (char *)base() + PAGE_BYTES;
	if (pipe(pipes))
		die("pipe");
	check_refused(vmsplice(pipes[1], &page, 1, SPLICE_F_GIFT), "vmsplice() of its records");
	close(pipes[0]);
	close(pipes[1]);
}

static void try_direct(void)
{
	check_refused(pread(disk_fd, base(), SECTOR_BYTES, DISK_OFFSET),
		      "a direct read from the disk into a ring");
	check_refused(pwrite(disk_fd, base(), SECTOR_BYTES, DISK_OFFSET),
		      "a direct write from a ring to the disk");
}

/* Return: how many of the reads into rings were done, or a negative one: could not be asked for. */
static long read_while_unmapped(aio_context_t context, struct ring *rings)
{
	static struct iocb blocks[NR_READS];
	struct iocb *pointers[NR_READS];
	struct io_event event;
	long nr_asked, nr_done = 0;

	for (int i = 0; i < NR_READS; i++) {
		blocks[i] = (struct iocb){
			.aio_fildes = disk_fd,
			.aio_lio_opcode = IOCB_CMD_PREAD,
			.aio_buf = (uintptr_t)rings[i % 2].shared,
			.aio_nbytes = SECTOR_BYTES,
			.aio_offset = DISK_OFFSET,
		};
		pointers[i] = &blocks[i];
	}
	nr_asked = syscall(SYS_io_submit, context, (long)NR_READS, pointers);
	for (int i = 0; i < 2; i++)
		unmap_ring(&rings[i]);
	for (long i = 0; i < nr_asked; i++) {
		if (syscall(SYS_io_getevents, context, 1l, 1l, &event, NULL) != 1)
			die("io_getevents");
		nr_done += event.res > 0;
	}
	return nr_done;
}

/* In a process of its own, for it has other rings. */
static int read_into_rings(void *unused)
{
	aio_context_t context = 0;
	struct ring rings[2];
	long nr_done = 0;

	(void)unused;
	if (syscall(SYS_io_setup, NR_READS, &context))
		die("io_setup");
	/* One that is done is enough: the next ones may write into anybody's memory. */
	for (int round = 0; round < NR_ROUNDS && !nr_done; round++) {
		for (int i = 0; i < 2; i++) {
			map_ring(&rings[i], i);
			rings[i].shared->reserved[0] = 1;
		}
		nr_done = read_while_unmapped(context, rings);
	}
	if (nr_done)
		printf("# %ld reads were done\n", nr_done);
	return nr_done != 0;
}

static void try_aio(void)
{
	check(run_task(read_into_rings, NULL) == 0,
	      "reads on their way into rings while these are unmapped");
	still_works();
}

static void try_io_uring(void)
{
	struct io_uring_params params = { 0 };
	struct iovec page = { .iov_base = base(), .iov_len = PAGE_BYTES };
	int fd = syscall(SYS_io_uring_setup, 4, &params);

	if (fd < 0)
		die("io_uring_setup");
	check_refused(syscall(SYS_io_uring_register, fd, IORING_REGISTER_BUFFERS, &page, 1),
		      "a ring as a fixed buffer of io_uring");
	close(fd);
}

static void try_zerocopy(void)
{
	struct iovec page = { .iov_base = base(), .iov_len = PAGE_BYTES };
	struct msghdr message = { .msg_iov = &page, .msg_iovlen = 1 };
	int fd = socket(AF_INET, SOCK_DGRAM, 0), one = 1;
	struct sockaddr to = { .sa_family = AF_INET, .sa_data = { 0, 9, 127, 0, 0, 1 } };

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &one, sizeof(one)) ||
	    connect(fd, &to, sizeof(to)))
		die("socket");
	check_refused(sendmsg(fd, &message, MSG_ZEROCOPY), "sending a ring without a copy");
	close(fd);
}

static void try_futex(void)
{
	check_refused(syscall(SYS_futex, &ring.records[0], FUTEX_WAKE, 1, NULL, NULL, 0),
		      "a futex between processes in a ring");
}

static void try_move_pages(void)
{
	void *pages[1] = { base() };
	int status[1] = { 0 };
	long result = syscall(SYS_move_pages, 0, 1ul, pages, NULL, status, 0);

	if (result < 0 && errno == ENOSYS) {
		puts("# this kernel knows no nodes");
		return;
	}
	errno = -status[0];
	check_refused(result < 0 ? result : status[0], "asking where a ring's page is");
}

/* --- another process */

/* Run by a child: in what order it says what it could do. */
static int reach_into_parent(void *argument)
{
	char bytes[64] = { 1 };
	struct iovec here = { .iov_base = bytes, .iov_len = sizeof(bytes) };
	struct iovec there = { .iov_base = base(), .iov_len = sizeof(bytes) };
	pid_t parent = *(pid_t *)argument;
	char path[32];
	int fd, nr = 0;

	nr += process_vm_readv(parent, &here, 1, &there, 1, 0) > 0;
	nr += 2 * (process_vm_writev(parent, &here, 1, &there, 1, 0) > 0);
	snprintf(path, sizeof(path), "/proc/%d/mem", parent);
	fd = open(path, O_RDWR);
	if (fd < 0)
		die(path);
	nr += 4 * (pread(fd, bytes, sizeof(bytes), (uintptr_t)base()) > 0);
	nr += 8 * (pwrite(fd, bytes, sizeof(bytes), (uintptr_t)base()) > 0);
	return nr;
}

static void try_from_outside(void)
{
	static char ordinary[64] = "ordinary memory can be reached, or this shows nothing";
	struct iovec here = { .iov_base = (char[64]){ 0 }, .iov_len = 64 };
	struct iovec there = { .iov_base = ordinary, .iov_len = 64 };
	pid_t me = getpid();
	int reached;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	check(process_vm_readv(me, &here, 1, &there, 1, 0) == 64, "ordinary memory can be reached");
	reached = run_task(reach_into_parent, &me);
	check(!(reached & 1), "process_vm_readv() from a ring");
	check(!(reached & 2), "process_vm_writev() into a ring");
	check(!(reached & 4), "reading a ring in /proc/PID/mem");
	check(!(reached & 8), "writing there");
	if (reached & ~15)
		printf("not ok - the other process ends: %d\n", reached);
	still_works();
}

/* A traced process with a ring, which waits to be let go. */
static int be_traced(void *unused)
{
	struct ring own;

	(void)unused;
	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		die("PTRACE_TRACEME");
	map_ring(&own, 1);
	own.shared->reserved[0] = (uintptr_t)own.shared;
	nr_said[1] = (long)(uintptr_t)own.shared;
	raise(SIGSTOP);
	return 0;
}

static void try_ptrace(void)
{
	pid_t child = fork_task(be_traced, NULL);
	int status;
	void *there;
	bool poked;

	if (waitpid(child, &status, WUNTRACED) != child || !WIFSTOPPED(status))
		die("a traced process");
	there = (void *)(uintptr_t)nr_said[1];
	errno = 0;
	ptrace(PTRACE_PEEKDATA, child, there, 0);
	check(errno, "PTRACE_PEEKDATA of a ring");
	poked = !ptrace(PTRACE_POKEDATA, child, there, 1);
	check(!poked, "PTRACE_POKEDATA into a ring");
	ptrace(PTRACE_CONT, child, 0, 0);
	check(wait_for(child) == 0, "the traced process ends well");
	still_works();
}

/* --- what may be advised, and what other system calls do to mappings */

/* None of them may make a difference, whatever it returns. */
static void try_advice(void)
{
	int pidfd = syscall(SYS_pidfd_open, getpid(), 0);
	struct iovec all = { .iov_base = base(), .iov_len = map_bytes() };

	for (int advice = 0; advice < 128; advice++) {
		madvise(base(), map_bytes(), advice);
		still_works();
		madvise((char *)base() + PAGE_BYTES, PAGE_BYTES, advice);
		syscall(SYS_process_madvise, pidfd, &all, 1, advice, 0);
		still_works();
	}
	close(pidfd);
	check(true, "any advice is given");
}

/* Return: whether the byte could be touched. A child of its own dies of it if not. */
static int touch(void *at)
{
	return *(volatile char *)at & 0;
}

static void check_not_inherited(const char *when)
{
	check(run_task(touch, base()) == 128 + SIGSEGV, "%s, no child has a ring", when);
	still_works();
}

static void try_locking(void)
{
	mlock(base(), map_bytes());
	still_works();
	syscall(SYS_mlock2, base(), map_bytes(), 1);
	still_works();
	mlockall(MCL_CURRENT | MCL_FUTURE);
	still_works();
	check_not_inherited("locked");
	munlockall();
	munlock(base(), map_bytes());
	check(true, "locked into memory, and no longer");
	still_works();
}

static void try_mapping_elsewhere(void)
{
	size_t bytes = map_bytes();

	check_refused((long)mremap(base(), bytes, 2 * bytes, MREMAP_MAYMOVE), "mremap() to more");
	check_refused((long)mremap(base(), bytes, PAGE_BYTES, MREMAP_MAYMOVE), "mremap() to less");
	check_refused((long)mremap(base(), 0, bytes, MREMAP_MAYMOVE), "mremap() of a second one");
	check_refused((long)mremap(base(), bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
				   (char *)base() + (1 << 30)),
		      "mremap() to another place");
	check_refused((long)mremap(base(), bytes, bytes, MREMAP_MAYMOVE | 4 /* MREMAP_DONTUNMAP */),
		      "mremap() that leaves one behind");
	check_refused(munmap(base(), PAGE_BYTES), "munmap() of a part");
	check_refused(remap_file_pages(base(), PAGE_BYTES, 0, 1, 0), "remap_file_pages()");
}

static long map_as(int protection, int flags, size_t bytes, off_t offset)
{
	int fd = open_cpu(1);
	void *map = mmap(NULL, bytes, protection, flags, fd, offset);
	int error = errno;

	if (map != MAP_FAILED)
		munmap(map, bytes);
	close(fd);
	errno = error;
	return map == MAP_FAILED ? -1 : 0;
}

static void try_mapping(void)
{
	const int both = PROT_READ | PROT_WRITE;
	size_t bytes = map_bytes();

	check_refused(map_as(both, MAP_PRIVATE, bytes, 0), "a private ring");
	check_refused(map_as(PROT_READ, MAP_SHARED, bytes, 0), "a ring to read only");
	check_refused(map_as(both, MAP_SHARED, PAGE_BYTES, 0), "the header alone");
	check_refused(map_as(both, MAP_SHARED, 2 * bytes, 0), "a ring that is too long");
	check_refused(map_as(both, MAP_SHARED, bytes, PAGE_BYTES), "a ring from its middle");
	check_refused(map_as(both | PROT_EXEC, MAP_SHARED, bytes, 0), "a ring with code");
	check(map_as(both, MAP_SHARED, bytes, 0) == 0, "while an ordinary one can be mapped");
}

static void try_protection(void)
{
	int fd = open("/dev/annot/ctl", O_RDONLY);
	void *control = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, fd, 0);

	long result;

	if (control == MAP_FAILED)
		die("control page");
	check_refused(mprotect(base(), map_bytes(), PROT_READ | PROT_WRITE | PROT_EXEC),
		      "mprotect() of a ring for code");
	result = mprotect(base(), map_bytes(), PROT_READ | PROT_EXEC);
	if (mprotect(base(), map_bytes(), PROT_READ | PROT_WRITE))
		die("mprotect");
	check_refused(result, "mprotect() of a ring for code only");
	check_refused(mprotect(base(), PAGE_BYTES, PROT_READ), "mprotect() of a part");
	check_refused(mprotect(control, PAGE_BYTES, PROT_READ | PROT_EXEC),
		      "mprotect() of the control page for code");
	check_refused(mprotect(control, PAGE_BYTES, PROT_READ | PROT_WRITE), "or for writing");
	check_refused((long)mmap(NULL, PAGE_BYTES, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0),
		      "mmap() of it for code");
	munmap(control, PAGE_BYTES);
	close(fd);
	mprotect(base(), map_bytes(), PROT_NONE);
	mprotect(base(), map_bytes(), PROT_READ | PROT_WRITE);
	check(true, "a ring is hidden from its process and back");
	still_works();
}

/* Return: the result of the registration with this feature and mode. */
static long watch_faults(uint64_t features, uint64_t mode)
{
	struct uffdio_api api = { .api = UFFD_API, .features = features };
	struct uffdio_register range = {
		.range = { .start = (uintptr_t)base(), .len = map_bytes() }, .mode = mode
	};
	struct uffdio_writeprotect protect = { .range = range.range,
					       .mode = UFFDIO_WRITEPROTECT_MODE_WP };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
	long result;

	if (fd < 0)
		die("userfaultfd");
	result = ioctl(fd, UFFDIO_API, &api);
	if (!result)
		result = ioctl(fd, UFFDIO_REGISTER, &range);
	if (!result && ioctl(fd, UFFDIO_WRITEPROTECT, &protect))
		puts("# pages are watched, but cannot be protected");
	still_works();
	close(fd);
	return result;
}

static void try_userfaultfd(void)
{
	check_refused(watch_faults(0, UFFDIO_REGISTER_MODE_MISSING),
		      "userfaultfd of a ring's missing pages");
	check_refused(watch_faults(0, UFFDIO_REGISTER_MODE_WP), "and of writes to them");
	/* Newer kernels have it for any mapping: they then only take note of who wrote. */
	watch_faults(UFFD_FEATURE_WP_ASYNC, UFFDIO_REGISTER_MODE_WP);
	check(true, "taking note of writes to a ring");
	still_works();
}

/* --- a thread unmaps rings while others write there and drain */

static volatile int stop;

static void *write_anywhere(void *argument)
{
	char *page = argument;

	while (!stop)
		*(volatile char *)page = 1;
	return NULL;
}

static int unmap_under_writer(void *unused)
{
	(void)unused;
	for (int round = 0; round < NR_ROUNDS; round++) {
		pthread_t thread;
		struct ring own;
		void *at;

		map_ring(&own, round % 2);
		at = (void *)own.shared;
		stop = 0;
		if (pthread_create(&thread, NULL, write_anywhere, at))
			die("pthread_create");
		usleep(2000);
		/* In its place, at once, is memory that bears it. */
		if (mmap(at, map_bytes(), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			die("mmap");
		close(own.fd);
		stop = 1;
		pthread_join(thread, NULL);
		munmap(at, map_bytes());
	}
	return 0;
}

static int attack(void *unused)
{
	(void)unused;
	disk_fd = open(DISK, O_RDWR | O_DIRECT);
	if (disk_fd < 0)
		die(DISK);
	become_user();
	stay_on(0);
	map_ring(&ring, 0);
	name = name_of(&ring, "alive");
	still_works();
	try_vmsplice();
	try_direct();
	try_aio();
	try_io_uring();
	try_zerocopy();
	try_futex();
	try_move_pages();
	try_from_outside();
	try_ptrace();
	try_mapping();
	try_protection();
	check_not_inherited("as it is");
	try_advice();
	check_not_inherited("after any advice");
	try_locking();
	try_userfaultfd();
	try_mapping_elsewhere();
	check(run_task(unmap_under_writer, NULL) == 0, "unmapped while a thread writes there");
	still_works();
	unmap_ring(&ring);
	return !all_well;
}

static bool all_said(pid_t who)
{
	long right = 0;

	for (size_t i = 0; i < nr_seen; i++) {
		char want[32];

		snprintf(want, sizeof(want), "C alive %ld", right);
		right += seen[i].pid == who && !strcmp(seen[i].line, want);
	}
	printf("# %ld of %ld annotations, in order\n", right, *nr_said);
	return right == *nr_said && right == (long)nr_seen;
}

int main(void)
{
	pid_t child;

	nr_said = shared_memory(PAGE_BYTES);
	set(TRACEFS "tracing_on", "1");
	record_as(true);
	child = fork_task(attack, NULL);
	all_well = wait_for(child) == 0;
	check(all_well, "all of it was tried and refused");
	usleep(100000);
	collect();
	check(all_said(child), "what the process annotated meanwhile is all there");
	enable("annot", false);
	return all_well ? 0 : 1;
}
