// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "doctor/checks.h"
#include "doctor/machine_files.h"
#include "doctor/paths.h"
#include "record/buffer/tracing.h"
#include "util/diag.h"

/* What a burst of 1 M events/s fills in half a second; and not more of the memory than a sixteenth. */
#define MOST_DEFAULT_KB 16384
#define LEAST_DEFAULT_KB 64
#define SHARE_OF_MEMORY 16

/* Readers are woken when this much of a buffer is full. */
#define WAKE_PERCENT "12"

int tracing_find(void)
{
	/* It mounts tracefs where that is missing and allowed. */
	tracefs_set_loglevel(TEP_LOG_NONE);
	if (!tracefs_tracing_dir())
		return doctor_check_report("record", CHECK_TRACEFS, SEVERITY_OK);
	return doctor_check_report("record", CHECK_ACCESS, SEVERITY_PREVENTS);
}

bool tracing_has_system(const char *system)
{
	/* tracefs_event_file_exists() of Debian 12 knows files of an event only, not of a system. */
	return tracing_has_event(system);
}

bool tracing_has_event(const char *event)
{
	char file[96];

	snprintf(file, sizeof(file), "events/%s/enable", event);
	return tracefs_file_exists(NULL, file);
}

int tracing_event_id(const char *system, const char *name)
{
	char *text = tracefs_event_file_read(NULL, system, name, "id", NULL);
	int id = text ? atoi(text) : -1;

	free(text);
	return id > 0 ? id : -1;
}

/* Takes the brackets, which mark the current clock, out of a list of clocks. */
static void strip_brackets(char *clocks)
{
	char *to = clocks;

	for (const char *from = clocks; *from; from++)
		if (*from != '[' && *from != ']')
			*to++ = *from;
	*to = '\0';
}

bool tracing_has_clock(const char *clock)
{
	char *clocks = tracing_read(NULL, "trace_clock");
	size_t length = strlen(clock);
	bool found = false;

	if (!clocks)
		return false;
	strip_brackets(clocks);
	for (const char *word = clocks; *word && !found; word += strcspn(word, " ")) {
		word += strspn(word, " ");
		found = length && strcspn(word, " ") == length && !strncmp(word, clock, length);
	}
	if (!found)
		diag_error("record: the kernel has no trace clock '%s'; it has: %s", clock, clocks);
	free(clocks);
	return found;
}

int tracing_write(struct tracefs_instance *instance, const char *file, const char *text)
{
	errno = 0;
	if (tracefs_instance_file_write(instance, file, text) >= 0)
		return 0;
	return errno ? errno : EIO;
}

char *tracing_read(struct tracefs_instance *instance, const char *file)
{
	char *text = tracefs_instance_file_read(instance, file, NULL);

	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

bool tracing_is_on(struct tracefs_instance *instance)
{
	return tracefs_trace_is_on(instance) == 1;
}

void tracing_on(struct tracefs_instance *instance)
{
	tracefs_trace_on(instance);
}

void tracing_off(struct tracefs_instance *instance)
{
	tracefs_trace_off(instance);
}

long tracing_parse_buffer_kb(const char *text)
{
	const char *expanded = strstr(text, "expanded: ");

	/* The buffers are small until tracing was first used. Their later size is what counts. */
	return strtol(expanded ? expanded + strlen("expanded: ") : text, NULL, 10);
}

static long read_buffer_kb(struct tracefs_instance *instance, const char *file)
{
	char *text = tracing_read(instance, file);
	long size_kb = text ? tracing_parse_buffer_kb(text) : 0;

	free(text);
	return size_kb;
}

long tracing_buffer_kb(struct tracefs_instance *instance)
{
	return read_buffer_kb(instance, "buffer_size_kb");
}

long tracing_memory_kb(long share)
{
	static const struct machine machine = { .root = "" };
	char available[64];

	if (!machine_file_value(&machine, PATH_MEMINFO, "MemAvailable:", available,
				sizeof(available)))
		return LONG_MAX;
	return strtol(available, NULL, 10) / share / sysconf(_SC_NPROCESSORS_CONF);
}

long tracing_default_buffer_kb(void)
{
	long kb = tracing_memory_kb(SHARE_OF_MEMORY);

	if (kb < LEAST_DEFAULT_KB)
		return LEAST_DEFAULT_KB;
	return kb < MOST_DEFAULT_KB ? kb : MOST_DEFAULT_KB;
}

static int set_size(struct tracefs_instance *instance, long kb)
{
	char text[24];

	snprintf(text, sizeof(text), "%ld", kb);
	return tracing_write(instance, "buffer_size_kb", text);
}

/* Does not try half: nearly all of the memory would leave none to other programs. */
static void size_buffers(struct tracefs_instance *instance, long wanted_kb)
{
	long kb = tracing_default_buffer_kb();
	int error = set_size(instance, wanted_kb ? wanted_kb : kb);

	if (!error)
		return;
	while (set_size(instance, kb) && kb > LEAST_DEFAULT_KB)
		kb /= 2;
	diag_warn("record: no memory for buffers of %ld kB per CPU; recording with %ld kB",
		  wanted_kb ? wanted_kb : tracing_default_buffer_kb(), tracing_buffer_kb(instance));
}

int tracing_set_up(struct tracefs_instance *instance, const char *clock, long buffer_kb)
{
	int error = tracing_write(instance, "trace_clock", clock);

	if (error)
		return diag_error("record: trace_clock '%s': %s", clock, strerror(error));
	size_buffers(instance, buffer_kb);
	/* Kernels before 5.0 have none; and the top buffer's is others'. */
	if (instance)
		(void)tracing_write(instance, "buffer_percent", WAKE_PERCENT);
	return 0;
}

void tracing_end_annotations(struct tracefs_instance *instance)
{
	/* Counters stop while annot_pmu_state, which reports how they ended, is still recorded. */
	if (tracing_has_event("annot/annot_sample")) {
		tracing_write(instance, "events/annot/annot_sample/enable", "0");
		tracing_write(instance, "events/annot/annot_slice_counts/enable", "0");
	}
	if (tracing_has_system("annot"))
		tracing_write(instance, "events/annot/enable", "0");
}

static uint64_t stats_field(const char *text, const char *name)
{
	const char *at = text;
	size_t length = strlen(name);

	for (; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL)
		if (!strncmp(at, name, length))
			return strtoull(at + length, NULL, 10);
	return 0;
}

void tracing_parse_stats(const char *text, struct tracing_cpu_stats *stats)
{
	stats->lost_events = stats_field(text, "overrun: ") +
			     stats_field(text, "commit overrun: ") +
			     stats_field(text, "dropped events: ");
	stats->unread_bytes = stats_field(text, "bytes: ");
}

char *tracing_read_cpu_stats(struct tracefs_instance *instance, int cpu)
{
	char file[64];

	snprintf(file, sizeof(file), "per_cpu/cpu%d/stats", cpu);
	return tracefs_instance_file_read(instance, file, NULL);
}

static int fill_percent(struct tracefs_instance *instance, int cpu,
			const struct tracing_cpu_stats *stats)
{
	char file[64];
	long size_kb;

	snprintf(file, sizeof(file), "per_cpu/cpu%d/buffer_size_kb", cpu);
	size_kb = read_buffer_kb(instance, file);
	if (size_kb <= 0)
		return 0;
	return (int)(stats->unread_bytes * 100 / ((uint64_t)size_kb * 1024));
}

void tracing_read_stats(struct tracefs_instance *instance, struct tracing_stats *stats)
{
	int nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF);

	*stats = (struct tracing_stats){ 0 };
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		char *text = tracing_read_cpu_stats(instance, cpu);
		struct tracing_cpu_stats one;
		int percent;

		if (!text)
			continue;
		tracing_parse_stats(text, &one);
		free(text);
		stats->lost_events += one.lost_events;
		percent = fill_percent(instance, cpu, &one);
		if (percent > stats->fill_percent) {
			stats->fill_percent = percent < 100 ? percent : 100;
			stats->fullest_cpu = cpu;
		}
	}
}
