// SPDX-License-Identifier: GPL-2.0
/*
 * What was measured, added up from the text of ftrace (/sys/kernel/tracing/trace) or trace-cmd.
 *
 *	pmu_figures FILE [FIRST LAST]
 *
 * prints, where K is a place among the counted events and E an index into the set,
 *
 *	cpu C counter K SUM		slices that ended on the CPU
 *	thread TID counter K SUM	slices of the thread; the idle threads together are 0
 *	cpu C event E samples N
 *	cpu C event E STATE TIMES SUM	of annot_pmu_state, with the sum of its values
 *	event E samples N
 *	event E inside N		those with an address in FIRST..LAST (hexadecimal)
 *
 * and leaves out what is 0.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#define CPUS_MAX 64
#define THREADS_MAX 32768
#define NR_STATES (ANNOT_PMU_LIMIT_REACHED + 1)
#define LINE_MAX_BYTES 4096

static const char *const state_names[NR_STATES] = {
	"started", "stopped", "throttled", "unthrottled", "failed", "lost samples", "limit reached",
};

struct line {
	unsigned long tid;
	unsigned int cpu;
	const char *event;
	const char *text;
};

static uint64_t by_cpu[CPUS_MAX][ANNOT_EVENTS_MAX];
static uint64_t by_thread[THREADS_MAX][ANNOT_EVENTS_MAX];
static uint64_t samples[CPUS_MAX][ANNOT_EVENTS_MAX];
static uint64_t inside[ANNOT_EVENTS_MAX];
static uint64_t state_times[CPUS_MAX][ANNOT_EVENTS_MAX][NR_STATES];
static uint64_t state_sums[CPUS_MAX][ANNOT_EVENTS_MAX][NR_STATES];

static __attribute__((noreturn)) void die(const char *what, const char *line)
{
	fprintf(stderr, "pmu_figures: %s: %s\n", what, line);
	exit(1);
}

/* "  comm-123   [001] d..2.   11.488022: annot_sample: event=0 ..." */
static bool parse_line(char *line, struct line *parsed)
{
	char *event = strstr(line, ": annot_");
	char *cpu = strstr(line, " [0");
	char *text;

	if (!event || !cpu || cpu > event)
		return false;
	parsed->cpu = (unsigned int)strtoul(cpu + 2, NULL, 10);
	while (cpu > line && cpu[-1] == ' ')
		cpu--;
	while (cpu > line && cpu[-1] != '-')
		cpu--;
	parsed->tid = strtoul(cpu, NULL, 10);
	parsed->event = event + 2;
	text = strchr(event + 2, ':');
	if (!text || parsed->cpu >= CPUS_MAX || parsed->tid >= THREADS_MAX)
		die("cannot read", line);
	*text = '\0';
	parsed->text = text + 1;
	return true;
}

static uint64_t value_of(const char *text, const char *key, int base)
{
	const char *found = strstr(text, key);

	if (!found)
		die("lacks a value", text);
	return strtoull(found + strlen(key), NULL, base);
}

static unsigned int event_of(const char *text)
{
	uint64_t event = value_of(text, "event=", 10);

	if (event >= ANNOT_EVENTS_MAX)
		die("no such event", text);
	return (unsigned int)event;
}

/* ftrace prints them as {0x1,0x2}, trace-cmd, where there is only one, as 1. */
static void add_slice(const struct line *line)
{
	const char *at = strstr(line->text, "counts=");
	uint64_t count;
	char *end;

	if (!at)
		die("lacks its counts", line->text);
	at += strlen("counts=");
	at += *at == '{';
	for (unsigned int i = 0; i < ANNOT_EVENTS_MAX && *at != '}' && *at != '\n'; i++) {
		count = strtoull(at, &end, 0);
		if (end == at)
			die("bad counts", line->text);
		by_cpu[line->cpu][i] += count;
		by_thread[line->tid][i] += count;
		at = end + (*end == ',');
	}
}

static void add_sample(const struct line *line, uint64_t first, uint64_t last)
{
	unsigned int event = event_of(line->text);
	uint64_t address = value_of(line->text, "addr=", 16);

	samples[line->cpu][event]++;
	if (strstr(line->text, "addr|") && address >= first && address <= last)
		inside[event]++;
}

static void add_state(const struct line *line)
{
	unsigned int event = event_of(line->text);
	const char *state = strstr(line->text, "state=");

	for (unsigned int i = 0; state && i < NR_STATES; i++) {
		size_t length = strlen(state_names[i]);

		if (strncmp(state + 6, state_names[i], length) || state[6 + length] != ' ')
			continue;
		state_times[line->cpu][event][i]++;
		state_sums[line->cpu][event][i] += value_of(line->text, "value=", 10);
		return;
	}
	die("no such state", line->text);
}

static void add_line(const struct line *line, uint64_t first, uint64_t last)
{
	if (!strcmp(line->event, "annot_slice_counts"))
		add_slice(line);
	else if (!strcmp(line->event, "annot_sample"))
		add_sample(line, first, last);
	else if (!strcmp(line->event, "annot_pmu_state"))
		add_state(line);
}

/* The state in one word. */
static const char *state_word(unsigned int state)
{
	switch (state) {
	case ANNOT_PMU_LOST_SAMPLES:
		return "lost";
	case ANNOT_PMU_LIMIT_REACHED:
		return "limit";
	default:
		return state_names[state];
	}
}

static void print_events(unsigned int cpu, unsigned int event)
{
	if (by_cpu[cpu][event])
		printf("cpu %u counter %u %" PRIu64 "\n", cpu, event, by_cpu[cpu][event]);
	if (samples[cpu][event])
		printf("cpu %u event %u samples %" PRIu64 "\n", cpu, event, samples[cpu][event]);
	for (unsigned int i = 0; i < NR_STATES; i++) {
		if (state_times[cpu][event][i])
			printf("cpu %u event %u %s %" PRIu64 " %" PRIu64 "\n", cpu, event,
			       state_word(i), state_times[cpu][event][i],
			       state_sums[cpu][event][i]);
	}
}

static void print_figures(void)
{
	for (unsigned int cpu = 0; cpu < CPUS_MAX; cpu++)
		for (unsigned int event = 0; event < ANNOT_EVENTS_MAX; event++)
			print_events(cpu, event);
	for (unsigned int tid = 0; tid < THREADS_MAX; tid++)
		for (unsigned int event = 0; event < ANNOT_EVENTS_MAX; event++)
			if (by_thread[tid][event])
				printf("thread %u counter %u %" PRIu64 "\n", tid, event,
				       by_thread[tid][event]);
	for (unsigned int event = 0; event < ANNOT_EVENTS_MAX; event++) {
		uint64_t nr = 0;

		for (unsigned int cpu = 0; cpu < CPUS_MAX; cpu++)
			nr += samples[cpu][event];
		if (nr)
			printf("event %u samples %" PRIu64 "\nevent %u inside %" PRIu64 "\n", event,
			       nr, event, inside[event]);
	}
}

int main(int argc, char **argv)
{
	uint64_t first = argc > 3 ? strtoull(argv[2], NULL, 16) : 0;
	uint64_t last = argc > 3 ? strtoull(argv[3], NULL, 16) : UINT64_MAX;
	FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
	char text[LINE_MAX_BYTES];
	struct line line;

	if (!file)
		die(argc > 1 ? argv[1] : "usage", strerror(errno));
	while (fgets(text, sizeof(text), file)) {
		if (strstr(text, "LOST") && strstr(text, "EVENTS"))
			die("the buffer was too small", text);
		if (parse_line(text, &line))
			add_line(&line, first, last);
	}
	fclose(file);
	print_figures();
	return 0;
}
