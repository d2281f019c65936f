// SPDX-License-Identifier: GPL-2.0
/*
 * Whom the module disturbs who has nothing to do with it: in a guest with two CPUs that has annot.ko
 * loaded. Prints TAP.
 */
#include "attack.h"

#define OTHER TRACEFS "instances/other/"
#define CALLS TRACEFS "instances/calls/"
#define NR_PROGRAMS 50
#define NR_SPARE 5 /* calls for other reasons */
#define SETTLE_S 10 /* while a recorder may be starting, the module asks often */
#define WATCH_S 5
#define NR_RUNS_MAX 5

/* --- interrupts from CPU to CPU */

/* Function calls on other CPUs that processes of this test had done, since the last time. */
static long nr_calls(void)
{
	static char line[4096];
	FILE *file = fopen(CALLS "trace", "r");
	long nr = 0;

	if (!file)
		die(CALLS "trace");
	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#' || !strstr(line, " quiet-"))
			continue;
		nr++;
	}
	fclose(file);
	set(CALLS "trace", "");
	return nr;
}

/* What a program does with the ring of the other CPU, and its own. */
enum program {
	WITHOUT_RINGS,
	UNTOUCHED,
	EMPTIED
};

static int run_program(void *argument)
{
	enum program program = *(enum program *)argument;
	struct ring rings[2];

	stay_on(0);
	if (program == WITHOUT_RINGS)
		return 0;
	for (int i = 0; i < 2; i++)
		map_ring(&rings[i], i);
	if (program == EMPTIED) {
		uint32_t name = name_of(&rings[0], "name");

		rings[1].shared->reserved[0] = 1;
		put(&rings[0], ANNOT_OP_MARK, name, 1);
		ioctl(rings[0].fd, ANNOT_IOC_DRAIN);
		usleep(1000);
	}
	return 0;
}

static long calls_of(enum program program)
{
	nr_calls();
	for (int i = 0; i < NR_PROGRAMS; i++)
		run_task(run_program, &program);
	return nr_calls();
}

static void check_exits(const char *when)
{
	static const char *const texts[] = { "", "never touched", "empty" };
	long without = calls_of(WITHOUT_RINGS);

	for (enum program program = UNTOUCHED; program <= EMPTIED; program++) {
		long with = calls_of(program);

		printf("# %ld calls to the other CPU, without rings %ld\n", with, without);
		check(with <= without + NR_SPARE,
		      "%s: %d programs whose rings were %s end without a word to the other CPU",
		      when, NR_PROGRAMS, texts[program]);
	}
}

/* --- a recording whose buffer stays off */

static long nr_runs(void)
{
	static char line[4096];
	FILE *file = fopen(OTHER "trace", "r");
	long nr = 0;

	if (!file)
		die(OTHER "trace");
	while (fgets(line, sizeof(line), file))
		nr += line[0] != '#' && strstr(line, "[annot]");
	fclose(file);
	return nr;
}

static void check_retries(void)
{
	long nr;
	int fd;

	set(TRACEFS "tracing_on", "0");
	set(TRACEFS "trace", "");
	set(OTHER "events/workqueue/workqueue_execute_start/enable", "1");
	enable("annot", true);
	sleep(1);
	check(nr_runs() > 0, "a recording that begins is to get its annot_config soon");
	sleep(SETTLE_S * slowdown());
	set(OTHER "trace", "");
	sleep(WATCH_S);
	nr = nr_runs();
	printf("# %ld works in %d s\n", nr, WATCH_S);
	check(nr <= NR_RUNS_MAX, "while its buffer stays off, the machine is left in peace");
	set(OTHER "events/workqueue/workqueue_execute_start/enable", "0");
	set(TRACEFS "tracing_on", "1");
	fd = open_cpu(0);
	if (write(fd, "I first", 7) != 7)
		die("write");
	close(fd);
	read_trace();
	check(strstr(trace_text, "annot_config: abi="),
	      "when tracing is on, the first annotation emits annot_config");
	check(strstr(trace_text, "annot_config: abi=") < strstr(trace_text, "annot_mark: "),
	      "the annotation comes after the annot_config");
	enable("annot", false);
}

int main(void)
{
	set(TRACEFS "tracing_on", "1");
	stay_on(0);
	set(CALLS "set_ftrace_filter", "smp_call_function_single");
	set(CALLS "current_tracer", "function");
	check_exits("nobody records");
	record_as(true);
	check_exits("batches are recorded");
	enable("annot", false);
	set(CALLS "current_tracer", "nop");
	check_retries();
	return all_well ? 0 : 1;
}
