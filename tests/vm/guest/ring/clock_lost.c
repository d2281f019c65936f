// SPDX-License-Identifier: GPL-2.0
/*
 * The clock of the records goes back, and then the kernel finds that it is none: in a guest with two
 * CPUs that has annot.ko loaded. No annotation may be missing without being counted, and none may
 * have a wrong time. Prints TAP.
 *
 *	clock_lost MODULE	the test's module (tests/vm/clock_faults)
 */
#include <sys/syscall.h>
#include <time.h>

#include "ring.h"

#define NR 20
#define NR_TURNS 3
#define BACK_TICKS 10000000000ul /* seconds, and less than the TSC has since boot */
#define SPIN_NS 20000000l
#define BACK "/sys/module/clock_faults/parameters/back"

static const char *module_path;
static struct ring ring;
static uint32_t name;

/* --- the test's module */

static void load_module(const char *parameters)
{
	int fd = open(module_path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, parameters, 0))
		die(module_path);
	close(fd);
}

static void unload_module(void)
{
	if (syscall(SYS_delete_module, "clock_faults", 0))
		die("delete_module");
}

/* --- what is recorded */

/* Reads the trace. Return: how many annotations it says were lost for @reason. */
static long nr_lost(const char *reason)
{
	char key[64];
	long nr = 0;

	snprintf(key, sizeof(key), "reason=%s", reason);
	read_trace();
	for (const char *at = trace_text; (at = strstr(at, "annot_lost: ")); at++) {
		char line[128];

		snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
		if (strstr(line, key))
			nr += field(line, "nr=");
	}
	return nr;
}

static double made_at_us(size_t i)
{
	return seen[i].time_us - seen[i].ago_ns / 1e3;
}

static void spin(void)
{
	struct timespec from, now;

	clock_gettime(CLOCK_MONOTONIC, &from);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - from.tv_sec) * 1000000000l + now.tv_nsec - from.tv_nsec < SPIN_NS);
}

/* --- it goes back */

static void put_behind(uint64_t back, int value)
{
	put_at(&ring, read_ticks() - back, ANNOT_OP_COUNTER, name, ANNOT_RECORD_HAS_VALUE, value);
}

static void check_back(void)
{
	long lost, made = 0;
	bool timely = true;
	char text[32];

	load_module("");
	snprintf(text, sizeof(text), "%lu", BACK_TICKS);
	record_as(true);
	for (; made < NR; made++)
		put_behind(0, made);
	be_switched_away(&ring);
	set(BACK, text);
	for (int turn = 0; turn < NR_TURNS; turn++) {
		for (int i = 0; i < NR; i++)
			put_behind(BACK_TICKS, made++);
		be_switched_away(&ring);
	}
	ioctl(ring.fd, ANNOT_IOC_DRAIN);
	lost = nr_lost("dropped") + nr_lost("no clock") + nr_lost("bad head");
	collect();
	for (size_t i = 0; i < nr_seen; i++)
		timely = timely && seen[i].ago_ns < 1000000000;
	printf("# %ld made, %zu recorded, %ld told as lost\n", made, nr_seen, lost);
	check(nr_seen + lost == (size_t)made, "the clock goes back: what is missing is counted");
	check(nr_seen >= (size_t)made / 2, "and it is not all");
	check(timely, "no annotation is recorded a second or more too old");
	record_as(true);
	for (int i = 0; i < NR; i++)
		put_behind(BACK_TICKS, i);
	be_switched_away(&ring);
	collect();
	check(nr_seen == NR, "the next recording has all");
	set(BACK, "0");
	enable("annot", false);
	unload_module();
}

/* --- it is none */

static volatile struct annot_control *map_control(void)
{
	int fd = open("/dev/annot/ctl", O_RDONLY);
	void *control = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, fd, 0);

	if (control == MAP_FAILED)
		die("control page");
	close(fd);
	return control;
}

static volatile int stage;

static void *lose_clock(void *unused)
{
	stay_on(1);
	while (!stage)
		;
	load_module("unstable=1");
	stage = 2;
	return unused;
}

/* Records wait in the ring, of a thread that does not leave its CPU, when the kernel finds out. */
static void lose_clock_amid_records(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, lose_clock, NULL))
		die("pthread_create");
	usleep(100000);
	for (int i = 0; i < NR; i++)
		put(&ring, ANNOT_OP_COUNTER, name, i);
	stage = 1;
	while (stage != 2)
		;
	for (int i = NR; i < 2 * NR; i++)
		put(&ring, ANNOT_OP_COUNTER, name, i);
	pthread_join(thread, NULL);
}

static void check_lost(void)
{
	volatile struct annot_control *control = map_control();
	bool timely = true;
	long lost;

	record_as(true);
	check(control->clock == ANNOT_CLOCK_TSC, "so far there is a clock");
	lose_clock_amid_records();
	usleep(100000);
	ioctl(ring.fd, ANNOT_IOC_DRAIN);
	check(control->clock == ANNOT_CLOCK_NONE, "the control page says that there is no clock");
	lost = nr_lost("no clock");
	collect();
	for (size_t i = 0; i < nr_seen; i++)
		timely = timely && seen[i].ago_ns < 1000000000;
	printf("# %d made, %zu recorded, %ld told as lost for want of a clock\n", 2 * NR, nr_seen,
	       lost);
	check(nr_seen + lost == 2 * NR, "what waited is recorded, or counted");
	check(timely, "and not recorded with a wrong time");
}

/* Two annotations with a time between them, and no switch. */
static void check_times(bool batches)
{
	record_as(batches);
	put(&ring, ANNOT_OP_COUNTER, name, 1);
	spin();
	put(&ring, ANNOT_OP_COUNTER, name, 2);
	be_switched_away(&ring);
	collect();
	if (nr_seen == 2)
		printf("# %.0f us apart\n", made_at_us(1) - made_at_us(0));
	check(nr_seen == 2 && !strcmp(seen[0].line, "C ticked 1") &&
		      !strcmp(seen[1].line, "C ticked 2"),
	      "%s: annotations go on, by write()", batches ? "batches" : "one by one");
	check(nr_seen == 2 && made_at_us(1) - made_at_us(0) >= SPIN_NS * 0.75e-3,
	      "and their times are right");
}

static void check_no_ring(void)
{
	int fd = open_cpu(1);

	check(mmap(NULL, map_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED &&
		      errno == ENODEV,
	      "mapping another ring is ENODEV");
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	module_path = argv[1];
	set(TRACEFS "tracing_on", "1");
	set(TRACEFS "trace_clock", "mono");
	stay_on(0);
	map_ring(&ring, 0);
	name = name_of(&ring, "ticked");
	go_first();
	check_back();
	check_lost();
	check_times(true);
	check_times(false);
	check_no_ring();
	enable("annot", false);
	unload_module();
	return all_well ? 0 : 1;
}
