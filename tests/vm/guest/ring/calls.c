// SPDX-License-Identifier: GPL-2.0
/*
 * ANNOT_IOC_RECORD, in a guest that has annot.ko loaded. Prints TAP. Page faults are what is counted:
 * they need no PMU, and a program knows its own.
 *
 *	calls check		the test
 *	calls next FD NAME	the program that is executed: the number NAME was its predecessor's
 */
#include <linux/perf_event.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "annot/annot.h"
#include "ring.h"
#include "switches.h"

#define NR_PAGES 50
#define MAX_BATCHES 4096
#define OTHER TRACEFS "instances/other/"

/* A record as it stands in the trace, with what was counted until then. */
struct told {
	int tgid;
	unsigned int op;
	long long value;
	unsigned int nr_counts;
	unsigned long long count; /* the first */
};

static struct told told[MAX_BATCHES];
static size_t nr_told;
static int ctl;
static int device; /* of CPU 0, where this process is */
static uint32_t device_name;
static volatile struct annot_control *control;

/* What this process counted in slices that have ended since its last annotation. */
static unsigned long long nr_in_slices;

/* "COMM-PID ..."; whoever leaves the CPU tells what its slice counted. */
static void add_slice(const char *line, const char *text)
{
	const char *counts = strstr(text, "ended_by=switch counts={");
	char own[16];

	snprintf(own, sizeof(own), "-%d ", getpid());
	if (counts && strstr(line, own))
		nr_in_slices += strtoull(strchr(counts, '{') + 1, NULL, 16);
}

static void add_told(const char *text)
{
	const char *records = strstr(text, "records={"), *counts = strstr(text, "counts={");
	unsigned int nr = field(text, " nr="), i;

	for (i = 0; records && i < nr && nr_told < MAX_BATCHES; i++) {
		struct told *one = &told[nr_told++];
		uint64_t words[3];

		for (int j = 0; j < 3; j++) {
			records += strcspn(records, "{,") + 1;
			words[j] = strtoull(records, NULL, 16);
		}
		*one = (struct told){
			.tgid = field(text, "tgid="),
			.op = words[2] >> 8 & 0xff,
			.value = (long long)words[1],
			.nr_counts = field(text, "nr_counts="),
		};
		/* One event is counted. */
		if (counts && one->nr_counts == 1) {
			counts += strcspn(counts, "{,") + 1;
			one->count = strtoull(counts, NULL, 16);
			if (one->tgid == getpid()) {
				one->count += nr_in_slices;
				nr_in_slices = 0;
			}
		}
	}
}

/* The batches of a recording, which forgets them. The last is in the trace when we have left the CPU. */
static void read_batches(const char *trace)
{
	static char line[1 << 16];
	FILE *file;

	leave_cpu();
	file = fopen(trace, "r");
	if (!file)
		die(trace);
	nr_told = 0;
	nr_in_slices = 0;
	while (fgets(line, sizeof(line), file)) {
		if (line[0] != '#' && strstr(line, ": annot_batch:"))
			add_told(strstr(line, ": annot_batch:"));
		else if (strstr(line, ": annot_slice_counts:"))
			add_slice(line, strstr(line, ": annot_slice_counts:"));
	}
	fclose(file);
	set(trace, "");
}

static void show_told(void)
{
	for (size_t i = 0; i < nr_told && i < 20; i++)
		printf("#   %d: op %u value %lld, %u counts: %llu\n", told[i].tgid, told[i].op,
		       told[i].value, told[i].nr_counts, told[i].count);
	printf("#   %zu in all\n", nr_told);
}

/* The values are 1 to @nr, in order. */
static bool are_in_order(size_t nr)
{
	bool same = nr_told == nr;

	for (size_t i = 0; same && i < nr; i++)
		same = told[i].value == (long long)i + 1;
	if (!same)
		show_told();
	return same;
}

static bool await_recording(uint32_t wanted)
{
	for (int i = 0; i < 1000 * slowdown(); i++) {
		if (control->recording == wanted)
			return true;
		usleep(1000);
	}
	printf("# recording is %u, not %u\n", control->recording, wanted);
	return false;
}

static void set_counted_event(void)
{
	struct annot_event event = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.flags = ANNOT_EVENT_USER,
		.mode = ANNOT_EVENT_COUNT,
		.name = "faults",
	};
	struct annot_events events = { .events = (uintptr_t)&event, .nr = 1 };

	if (ioctl(ctl, ANNOT_IOC_EVENTS, &events) || event.error)
		die("ANNOT_IOC_EVENTS");
}

/* Where a counter runs, an annotation waits in its batch. */
static bool counters_run(void)
{
	const struct annot_record mark = { .name = device_name, .op = ANNOT_OP_MARK };
	long nr = nr_events_on(0);

	if (ioctl(device, ANNOT_IOC_RECORD, &mark) != ANNOT_RECORD_TAKEN)
		die("ANNOT_IOC_RECORD");
	return nr_events_on(0) == nr;
}

/* Batches are recorded, and slices are counted; counters are started after that is said. */
static void begin_counting(void)
{
	enable("annot/annot_name", true);
	enable("annot/annot_batch", true);
	enable("annot/annot_slice_counts", true);
	if (!await_recording(ANNOT_RECORDING_CALLS))
		die("counting");
	while (!counters_run())
		usleep(1000);
	/* The mark does not wait any longer. */
	leave_cpu();
	set(TRACEFS "trace", "");
}

static void end_recording(void)
{
	enable("annot", false);
	await_recording(ANNOT_RECORDING_OFF);
	set(TRACEFS "trace", "");
}

/* What the ioctl answers, or -errno. */
static long call(int fd, const struct annot_record *record)
{
	int answer = ioctl(fd, ANNOT_IOC_RECORD, record);

	return answer < 0 ? -errno : answer;
}

static long say(int fd, unsigned int op, uint32_t name, int64_t value)
{
	struct annot_record record = {
		.value = value,
		.name = op == ANNOT_OP_END ? 0 : name,
		.op = op,
		.flags = ANNOT_RECORD_HAS_VALUE,
	};

	return call(fd, &record);
}

static void check_refused(int fd, uint32_t name)
{
	const struct annot_record good = { .name = name, .op = ANNOT_OP_MARK };
	struct annot_record bad;

	bad = good;
	bad.op = ANNOT_OP_NEXT + 1;
	check(call(fd, &bad) == -EINVAL, "an operation that there is not");
	bad = good;
	bad.flags = 0x2;
	check(call(fd, &bad) == -EINVAL, "a flag that there is not");
	bad = good;
	bad.ticks = 1;
	check(call(fd, &bad) == -EINVAL, "a time");
	bad = good;
	bad.reserved = 1;
	check(call(fd, &bad) == -EINVAL, "what is reserved");
	bad = good;
	bad.reserved2 = 1ull << 63;
	check(call(fd, &bad) == -EINVAL, "what is reserved, the other");
	bad = good;
	bad.name = 0;
	check(call(fd, &bad) == -EINVAL, "no name");
	bad.name = name + 1;
	check(call(fd, &bad) == -EINVAL, "a name that was not given");
	bad.name = UINT32_MAX;
	check(call(fd, &bad) == -EINVAL, "a name that cannot be");
	check(call(fd, NULL) == -EFAULT, "no address");
	check(call(fd, (void *)-4096) == -EFAULT, "an address of the kernel");
	check(call(ctl, &good) == -ENOTTY, "on /dev/annot/ctl");
	read_batches(TRACEFS "trace");
	check(!nr_told, "none of them is in the trace");
	check(call(fd, &good) == ANNOT_RECORD_TAKEN, "a good one is taken");
	read_batches(TRACEFS "trace");
	check(nr_told == 1 && told[0].op == ANNOT_OP_MARK && told[0].tgid == getpid(),
	      "and in the trace, of this process");
}

static void check_word(void)
{
	check(control->features & ANNOT_FEATURE_CALLS, "the module says that it can");
	record_as(true);
	check(await_recording(ANNOT_RECORDING_RINGS), "batches go through rings");
	enable("annot/annot_slice_counts", true);
	check(await_recording(ANNOT_RECORDING_CALLS), "while slices are counted, by calls");
	enable("annot/annot_begin", true);
	check(await_recording(ANNOT_RECORDING_WRITES), "single annotations are written");
	enable("annot/annot_begin", false);
	check(await_recording(ANNOT_RECORDING_CALLS), "and no longer");
	enable("annot/annot_slice_counts", false);
	check(await_recording(ANNOT_RECORDING_RINGS), "counting has ended: rings again");
	end_recording();
	enable("annot/annot_slice_counts", true);
	usleep(100000);
	check(control->recording == ANNOT_RECORDING_OFF, "counting alone asks for no annotations");
	end_recording();
}

static void touch(volatile char *pages)
{
	for (int i = 0; i < NR_PAGES; i++)
		pages[i * PAGE_BYTES] = 1;
}

static volatile char *new_pages(void)
{
	volatile char *pages = mmap(NULL, NR_PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || madvise((void *)pages, NR_PAGES * PAGE_BYTES, MADV_NOHUGEPAGE))
		die("pages");
	return pages;
}

/* Each piece has its own faults; a mark ends one, too. */
static void check_counts(int fd, uint32_t name)
{
	static const unsigned int ops[] = { ANNOT_OP_BEGIN, ANNOT_OP_MARK, ANNOT_OP_NEXT,
					    ANNOT_OP_END };
	volatile char *pages[3] = { new_pages(), new_pages(), new_pages() };
	bool well;

	begin_counting();
	say(fd, ANNOT_OP_BEGIN, name, 1);
	touch(pages[0]);
	say(fd, ANNOT_OP_MARK, name, 2);
	touch(pages[1]);
	say(fd, ANNOT_OP_NEXT, name, 3);
	touch(pages[2]);
	say(fd, ANNOT_OP_END, name, 4);
	read_batches(TRACEFS "trace");
	well = nr_told == 4;
	for (int i = 0; well && i < 4; i++)
		well = told[i].op == ops[i] && told[i].nr_counts == 1 &&
		       (!i || told[i].count == NR_PAGES);
	if (!well)
		show_told();
	check(well, "what is counted between two annotations is what happened there");
	for (int i = 0; i < 3; i++)
		munmap((void *)pages[i], NR_PAGES * PAGE_BYTES);
	end_recording();
}

/* But for one record, that may have been under way. The word tells it before it is done. */
static bool await_closed(const struct ring *ring)
{
	for (int i = 0; i < 1000 * slowdown(); i++) {
		if (ring->shared->limit - ring->shared->head <= sizeof(struct annot_record))
			return true;
		usleep(1000);
	}
	return false;
}

/* Of three ways into the trace, as the word changes under the program. */
static void check_order(struct ring *ring, uint32_t name)
{
	bool are_closed = true;
	long long value = 1;

	record_as(true);
	for (int round = 0; round < 20; round++) {
		enable("annot/annot_slice_counts", false);
		await_recording(ANNOT_RECORDING_RINGS);
		for (int i = 0; i < 5; i++)
			put(ring, ANNOT_OP_MARK, name, value++);
		/* What is in the ring came before, though nobody has emptied it. */
		say(ring->fd, ANNOT_OP_MARK, name, value++);
		put(ring, ANNOT_OP_MARK, name, value++);
		enable("annot/annot_slice_counts", true);
		await_recording(ANNOT_RECORDING_CALLS);
		are_closed = are_closed && await_closed(ring);
		say(ring->fd, ANNOT_OP_BEGIN, name, value++);
		write_line(ring, ANNOT_OP_MARK, name, ANNOT_RECORD_HAS_VALUE, value++);
		say(ring->fd, ANNOT_OP_END, name, value++);
		are_closed = are_closed && ioctl(ring->fd, ANNOT_IOC_DRAIN) == ANNOT_DRAIN_CLOSED;
	}
	check(are_closed, "rings are closed while slices are counted");
	read_batches(TRACEFS "trace");
	check(are_in_order(value - 1), "rings, calls and writes come in the order of the program");
	end_recording();
}

/* A child has the file, but not the names; no more has the program that it executes. */
static void check_others(int fd, uint32_t name)
{
	char number[2][16];
	int status = 0;
	pid_t child;

	begin_counting();
	child = fork();
	if (!child) {
		uint32_t own;

		if (say(fd, ANNOT_OP_MARK, name, 1) != -EINVAL)
			_exit(1);
		own = name_id(fd, "own", 3);
		_exit(say(fd, ANNOT_OP_MARK, own, 2) == ANNOT_RECORD_TAKEN ? 0 : 2);
	}
	waitpid(child, &status, 0);
	read_batches(TRACEFS "trace");
	check(!status && nr_told == 1 && told[0].tgid == child && told[0].value == 2,
	      "a child speaks for itself, by its own names");

	child = fork();
	if (!child) {
		name_id(fd, "before", 6);
		snprintf(number[0], sizeof(number[0]), "%d", dup(fd));
		snprintf(number[1], sizeof(number[1]), "%ld", name_id(fd, "before", 6));
		execl("/proc/self/exe", "calls", "next", number[0], number[1], NULL);
		_exit(3);
	}
	waitpid(child, &status, 0);
	read_batches(TRACEFS "trace");
	check(!status && nr_told == 1 && told[0].tgid == child && told[0].op == ANNOT_OP_END,
	      "what a program executes has none of its names");
	end_recording();
}

static int be_next(int fd, uint32_t name)
{
	if (say(fd, ANNOT_OP_MARK, name, 1) != -EINVAL)
		return 1;
	return say(fd, ANNOT_OP_END, 0, 2) == ANNOT_RECORD_TAKEN ? 0 : 2;
}

static void forget_pages(volatile char *pages)
{
	if (madvise((void *)pages, NR_PAGES * PAGE_BYTES, MADV_DONTNEED))
		die("pages");
}

/* A fork lets the pages that are written next fault, those of the stack among them. */
static void touch_once(int fd, uint32_t name, volatile char *pages)
{
	say(fd, ANNOT_OP_BEGIN, name, 0);
	touch(pages);
	say(fd, ANNOT_OP_END, name, 0);
	forget_pages(pages);
	read_batches(OTHER "trace");
	read_batches(TRACEFS "trace");
}

/* Another recording takes batches without counts, and this one counts without batches. */
/* What this process counted from its last begin to its last end, if an event told them apart. */
static unsigned long long counted_apart(const char *trace)
{
	unsigned long long since_begin = 0, at_end = 0;
	char own[16], line[1024];
	FILE *file = fopen(trace, "r");

	if (!file)
		die(trace);
	snprintf(own, sizeof(own), "-%d ", getpid());
	while (fgets(line, sizeof(line), file)) {
		const char *counts = strstr(line, " counts={");

		if (!counts || !strstr(line, ": annot_slice_counts:") || !strstr(line, own))
			continue;
		since_begin += strtoull(strchr(counts, '{') + 1, NULL, 16);
		if (strstr(line, "ended_by=begin"))
			since_begin = 0;
		else if (strstr(line, "ended_by=end"))
			at_end = since_begin;
	}
	fclose(file);
	return at_end;
}

static void check_two_recordings(int fd, uint32_t name)
{
	volatile char *pages = new_pages();
	bool well;

	if (mkdir(TRACEFS "instances/other", 0755) && errno != EEXIST)
		die("instance");
	begin_counting();
	set(OTHER "events/annot/annot_name/enable", "1");
	set(OTHER "events/annot/annot_batch/enable", "1");
	touch_once(fd, name, pages);
	say(fd, ANNOT_OP_BEGIN, name, 1);
	touch(pages);
	say(fd, ANNOT_OP_END, name, 2);
	read_batches(OTHER "trace");
	check(nr_told == 2 && !told[0].nr_counts && !told[1].nr_counts,
	      "an instance without counts has none in its batches");
	read_batches(TRACEFS "trace");
	well = nr_told == 2 && told[1].nr_counts == 1 && told[1].count == NR_PAGES;
	if (!well)
		show_told();
	check(well, "an instance with counts has them in its batches");

	forget_pages(pages);
	enable("annot/annot_batch", false);
	say(fd, ANNOT_OP_BEGIN, name, 1);
	touch(pages);
	say(fd, ANNOT_OP_END, name, 2);
	read_batches(OTHER "trace");
	check(nr_told == 2 && !told[1].nr_counts, "the batches of the other recording are there");
	check(counted_apart(TRACEFS "trace") == NR_PAGES,
	      "an instance with counts but without batches has annot_slice_counts");
	set(OTHER "events/annot/enable", "0");
	end_recording();
	rmdir(TRACEFS "instances/other");
	munmap((void *)pages, NR_PAGES * PAGE_BYTES);
}

/* The library's own descriptors are closed, and files of the program come under their numbers. */
static void check_strangers(void)
{
	for (int fd = 40; fd < 80; fd++)
		close(fd);
	for (int i = 0; i < 40; i++)
		open("/dev/null", O_WRONLY);
	annot_mark_value("closed", 5);
	for (int fd = 40; fd < 80; fd++)
		close(fd);
}

static void check_library(void)
{
	volatile char *pages = new_pages();
	int status = 0;
	pid_t child;
	bool well;

	begin_counting();
	annot_begin_value("first", 1);
	annot_end();
	read_batches(TRACEFS "trace");
	annot_begin_value("second", 1);
	touch(pages);
	annot_next_value("third", 2);
	annot_end();
	child = fork();
	if (!child) {
		annot_begin_value("second", 4);
		_exit(0);
	}
	waitpid(child, &status, 0);
	check_strangers();
	read_batches(TRACEFS "trace");
	well = nr_told == 5 && told[0].nr_counts == 1 && told[1].nr_counts == 1 &&
	       told[1].op == ANNOT_OP_NEXT && told[1].count == NR_PAGES && told[3].tgid == child &&
	       told[3].nr_counts == 1 && told[4].value == 5;
	if (!well)
		show_told();
	check(well, "the library annotates by calls, in children too, and in no stranger's file");
	end_recording();
}

static int check_all(void)
{
	struct ring ring;
	uint32_t name;

	ctl = open("/dev/annot/ctl", O_RDONLY | O_CLOEXEC);
	control = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, ctl, 0);
	if (ctl < 0 || control == MAP_FAILED)
		die("/dev/annot/ctl");
	set_counted_event();
	stay_on(0);
	ring.fd = open_cpu(0);
	device = ring.fd;
	name = name_of(&ring, "some");
	device_name = name;
	check(say(ring.fd, ANNOT_OP_MARK, name, 1) == ANNOT_RECORD_TAKEN,
	      "a call without a recording is accepted");
	begin_counting();
	check_refused(ring.fd, name);
	end_recording();
	check_word();
	check_counts(ring.fd, name);
	check_others(ring.fd, name);
	check_two_recordings(ring.fd, name);
	check_library();
	close(ring.fd);
	map_ring(&ring, 0);
	device = ring.fd;
	check_order(&ring, name);
	unmap_ring(&ring);
	return !all_well;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "check"))
		return check_all();
	if (argc == 4 && !strcmp(argv[1], "next"))
		return be_next(atoi(argv[2]), strtoul(argv[3], NULL, 10));
	return 2;
}
