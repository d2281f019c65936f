// SPDX-License-Identifier: GPL-2.0
/*
 * What a process can make its next switch cost, in a guest of one CPU whose time is the number of
 * instructions that it executes, and that does not have annot.ko loaded yet. Prints TAP.
 *
 *	switch_bound MODULE
 *
 * Two processes yield the CPU to each other; one has filled its ring with the worst that it could
 * think of. ftrace does what it can to make each event dear. Not among its options: those that act
 * when the trace is read (latency-format, sym-*, hex, ...), at fork (function-fork, event-fork), or
 * with tracers.
 */
#include <linux/perf_event.h>
#include <sys/resource.h>

#include "attack.h"

#define TICKS_PER_INSTRUCTION 4 /* of QEMU's -icount shift=2, whose TSC counts nanoseconds */
#define BOUND 40000
#define NR_ROUNDS 5
#define NR_RECORDS 128 /* of a ring of one page, and what it takes at once */
#define NR_CLIENTS 4000
#define STACK_BYTES 4096
#define NR_WAITING 47 /* annotations by call that wait for a switch, with one counted event */
#define OTHER TRACEFS "instances/other/"

/* Shared by the two. */
static struct switches {
	volatile uint64_t came_at;
	volatile int is_wanted; /* the other process: it sleeps else, and lets the kernel work */
	volatile int is_armed;
} * switches;

static uint32_t name_ids[NR_RECORDS];
static struct ring ring;

/* --- what the ring holds */

enum filling {
	NAMES,
	NEXT,
	BAD_OPS,
	BAD_NAMES,
	BAD_TIMES,
	ALL_BAD,
	BAD_HEAD,
	NR_FILLINGS,
	CALLS = NR_FILLINGS, /* instead of a ring: slices are counted */
};

static const char *const filling_texts[] = { "names of 255 bytes, all different",
					     "each two annotations in one",
					     "no such operations",
					     "no such names",
					     "no such times",
					     "nothing is right",
					     "a head that cannot be",
					     "calls that wait" };

static void fill_record(volatile struct annot_record *record, enum filling filling, int i)
{
	record->value = i;
	record->name = name_ids[i];
	record->op = filling == NEXT ? ANNOT_OP_NEXT : ANNOT_OP_MARK;
	record->flags = ANNOT_RECORD_HAS_VALUE;
	record->ticks = read_ticks();
	if (filling == BAD_OPS || (filling == ALL_BAD && i % 3 == 0))
		record->op = 200;
	if (filling == BAD_NAMES || (filling == ALL_BAD && i % 3 == 1))
		record->name = UINT32_MAX - i;
	if (filling == BAD_TIMES || (filling == ALL_BAD && i % 3 == 2))
		record->ticks = i % 2 ? UINT64_MAX : 0;
}

/* After them a page fault, for the slice's own counts. */
static void call_and_fault(void)
{
	static _Alignas(PAGE_BYTES) volatile char page[PAGE_BYTES];

	ioctl(ring.fd, ANNOT_IOC_DRAIN);
	for (int i = 0; i < NR_WAITING; i++) {
		struct annot_record record = { 0 };

		fill_record(&record, NEXT, i);
		record.ticks = 0;
		if (ioctl(ring.fd, ANNOT_IOC_RECORD, &record) != ANNOT_RECORD_TAKEN)
			die("ANNOT_IOC_RECORD");
	}
	if (madvise((void *)page, PAGE_BYTES, MADV_DONTNEED))
		die("madvise");
	page[0] = 1;
}

static void fill(enum filling filling)
{
	uint64_t head;
	int nr;

	/* Closed rings are opened, and names told, in the process's own time. */
	ioctl(ring.fd, ANNOT_IOC_DRAIN);
	head = ring.shared->head;
	nr = (ring.shared->limit - head) / sizeof(struct annot_record);
	for (int i = 0; i < nr; i++)
		fill_record((void *)((char *)ring.records +
				     ((head + i * sizeof(struct annot_record)) &
				      ring.shared->mask)),
			    filling, i % NR_RECORDS);
	__asm__ volatile("" ::: "memory");
	ring.shared->head = ring.shared->limit + (filling == BAD_HEAD ? 8 : 0);
}

/* --- the switch */

static int yield_for_ever(void *unused)
{
	(void)unused;
	for (;;) {
		if (switches->is_armed && !switches->came_at)
			switches->came_at = read_ticks();
		if (switches->is_wanted)
			sched_yield();
		else
			usleep(1000);
	}
	return 0;
}

static int by_size(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* Return: instructions of a switch away from this process (the median). -1: its ring is empty. */
static long measure(int filling)
{
	uint64_t ticks[NR_ROUNDS];

	switches->is_wanted = 1;
	for (int i = 0; i < NR_ROUNDS; i++) {
		uint64_t left_at;

		/* The other one comes to where it waits to be switched to. */
		usleep(2000);
		if (filling == CALLS)
			call_and_fault();
		else if (filling >= 0)
			fill(filling);
		switches->came_at = 0;
		switches->is_armed = 1;
		left_at = read_ticks();
		sched_yield();
		switches->is_armed = 0;
		ticks[i] = switches->came_at - left_at;
	}
	switches->is_wanted = 0;
	qsort(ticks, NR_ROUNDS, sizeof(ticks[0]), by_size);
	return ticks[NR_ROUNDS / 2] / TICKS_PER_INSTRUCTION;
}

/* --- what ftrace does */

static void set_in(const char *instance, const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s%s", instance, file);
	set(path, text);
}

static void add_trigger(const char *text)
{
	int fd = open(TRACEFS "events/annot/annot_batch/trigger", O_WRONLY | O_APPEND);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(text);
	close(fd);
}

static void batches(bool on)
{
	enable("annot/annot_name", on);
	enable("annot/annot_lost", on);
	enable("annot/annot_batch", on);
}

static void nothing_else(bool on)
{
	(void)on;
}

static void stacks(bool on)
{
	set(TRACEFS "options/stacktrace", on ? "1" : "0");
}

static void user_stacks(bool on)
{
	set(TRACEFS "options/userstacktrace", on ? "1" : "0");
	set(TRACEFS "options/sym-userobj", on ? "1" : "0");
}

static void stack_trigger(bool on)
{
	add_trigger(on ? "stacktrace" : "!stacktrace");
}

static void hist_trigger(bool on)
{
	add_trigger(on ? "hist:keys=common_pid,tgid,nr:vals=hitcount:size=4096" :
			 "!hist:keys=common_pid,tgid,nr:vals=hitcount:size=4096");
}

static void hist_of_stacks(bool on)
{
	add_trigger(on ? "hist:keys=stacktrace:vals=hitcount:size=4096" :
			 "!hist:keys=stacktrace:vals=hitcount:size=4096");
}

static void filter(bool on)
{
	set(TRACEFS "events/annot/annot_batch/filter", on ? "nr > 1000 || tgid > 0" : "0");
}

static void record_tgids(bool on)
{
	set(TRACEFS "options/record-tgid", on ? "1" : "0");
}

static void second_in_batches(bool on)
{
	set_in(OTHER, "events/annot/annot_name/enable", on ? "1" : "0");
	set_in(OTHER, "events/annot/annot_batch/enable", on ? "1" : "0");
}

static void second_one_by_one(bool on)
{
	static const char *const events[] = { "begin", "end", "mark", "counter", "lost" };
	char file[64];

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		snprintf(file, sizeof(file), "events/annot/annot_%s/enable", events[i]);
		set_in(OTHER, file, on ? "1" : "0");
	}
}

static void all_in_one(bool on)
{
	enable("annot", on);
	if (!on)
		batches(true);
}

static const struct {
	const char *text;
	void (*turn)(bool on);

} tracings[] = {
	{ "batches", nothing_else },
	{ "options/stacktrace", stacks },
	{ "options/userstacktrace and sym-userobj", user_stacks },
	{ "a stacktrace trigger", stack_trigger },
	{ "a hist trigger", hist_trigger },
	{ "a hist trigger of stacks", hist_of_stacks },
	{ "a filter", filter },
	{ "options/record-tgid", record_tgids },
	{ "two recordings in batches", second_in_batches },
	{ "another recording one by one", second_one_by_one },
	{ "batches and single events in one recording", all_in_one },
};

static void begin(size_t tracing)
{
	batches(true);
	tracings[tracing].turn(true);
	/* The module listens to switches a little later. */
	usleep(100000);
}

static void end(size_t tracing)
{
	tracings[tracing].turn(false);
	enable("annot", false);
}

static void check_tracing(size_t tracing, long base)
{
	long worst = 0;
	int worst_filling = 0;

	begin(tracing);
	for (int filling = 0; filling < NR_FILLINGS; filling++) {
		long cost = measure(filling) - base;

		if (cost > worst) {
			worst = cost;
			worst_filling = filling;
		}
	}
	end(tracing);
	printf("# worst: %ld instructions more, %s\n", worst, filling_texts[worst_filling]);
	check(worst <= BOUND, "%s: at most %d instructions more in a switch",
	      tracings[tracing].text, BOUND);
}

static void count_faults(void)
{
	struct annot_event event = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.flags = ANNOT_EVENT_USER,
		.mode = ANNOT_EVENT_COUNT,
		.name = "faults",
	};
	struct annot_events events = { .events = (uintptr_t)&event, .nr = 1 };
	int ctl = open("/dev/annot/ctl", O_RDONLY | O_CLOEXEC);

	if (ctl < 0 || ioctl(ctl, ANNOT_IOC_EVENTS, &events) || event.error)
		die("ANNOT_IOC_EVENTS");
}

/* While slices are counted, annotations wait for the switch in the kernel. */
static void check_waiting_calls(size_t tracing, long base)
{
	long cost;

	enable("annot/annot_slice_counts", true);
	begin(tracing);
	cost = measure(CALLS) - base;
	end(tracing);
	printf("# %ld instructions more, %s\n", cost, filling_texts[CALLS]);
	check(cost <= BOUND, "%s, counted slices: at most %d instructions more in a switch",
	      tracings[tracing].text, BOUND);
}

/* --- how many processes there are */

static int give_name(void *fd)
{
	struct annot_name name = { .text = (uintptr_t) "name", .length_bytes = 4 };

	ioctl(*(int *)fd, ANNOT_IOC_NAME, &name);
	for (;;)
		pause();
	return 0;
}

/* Processes that share this one's memory cost little. */
static void start_clients(pid_t *clients, int nr)
{
	static int fd;
	char *stacks = mmap(NULL, (size_t)nr * STACK_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stacks == MAP_FAILED)
		die("mmap");
	fd = open_cpu(0);
	for (int i = 0; i < nr; i++) {
		clients[i] = clone(give_name, stacks + (size_t)(i + 1) * STACK_BYTES,
				   CLONE_VM | SIGCHLD, &fd);
		if (clients[i] < 0)
			die("clone");
	}
	/* They come to it while this one sleeps. */
	usleep(1000000);
}

static void check_clients(long base)
{
	static pid_t clients[NR_CLIENTS];
	long few, many;

	/* Without what the ring was filled with last. */
	unmap_ring(&ring);
	map_ring(&ring, 0);
	batches(true);
	usleep(100000);
	few = measure(-1) - base;
	start_clients(clients, NR_CLIENTS);
	many = measure(-1) - base;
	printf("# a switch takes %ld instructions more, with %d processes more %ld\n", few,
	       NR_CLIENTS, many);
	/*
	 * Their clients share the 4096 chains of a hash table, one to a chain in the mean. More than
	 * 8 come before this one's client once in a million runs; each takes 10 instructions at most.
	 */
	check(many <= few + 8 * 10, "a switch costs the same with %d other processes", NR_CLIENTS);
	for (int i = 0; i < NR_CLIENTS; i++)
		kill(clients[i], SIGKILL);
	for (int i = 0; i < NR_CLIENTS; i++)
		waitpid(clients[i], NULL, 0);
	enable("annot", false);
}

static void load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		die(path);
	close(fd);
}

static void name_records(void)
{
	char text[ANNOT_NAME_MAX_BYTES];

	memset(text, 'x', sizeof(text));
	for (int i = 0; i < NR_RECORDS; i++) {
		char number[8];
		long id;

		snprintf(number, sizeof(number), "%05d", i);
		memcpy(text, number, 5);
		id = name_id(ring.fd, text, sizeof(text));
		if (id <= 0)
			die("ANNOT_IOC_NAME");
		name_ids[i] = id;
	}
}

int main(int argc, char **argv)
{
	const struct rlimit processes = { NR_CLIENTS + 100, NR_CLIENTS + 100 };
	pid_t child;
	long base;

	if (argc != 2)
		return 2;
	setrlimit(RLIMIT_NPROC, &processes);
	switches = shared_memory(sizeof(*switches));
	stay_on(0);
	go_first();
	child = fork_task(yield_for_ever, NULL);
	sched_yield();
	base = measure(-1);
	printf("# a switch without annot.ko: %ld instructions\n", base);
	load_module(argv[1]);
	map_ring(&ring, 0);
	name_records();
	set(TRACEFS "tracing_on", "1");
	for (size_t i = 0; i < sizeof(tracings) / sizeof(tracings[0]); i++)
		check_tracing(i, base);
	count_faults();
	for (size_t i = 0; i < sizeof(tracings) / sizeof(tracings[0]); i++)
		check_waiting_calls(i, base);
	check_clients(base);
	kill(child, SIGKILL);
	return all_well ? 0 : 1;
}
