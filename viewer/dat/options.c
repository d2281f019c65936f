// SPDX-License-Identifier: GPL-2.0
#include "dat/options.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>

#include "trace/file/dat_ids.h"

#define WRITER "annot " ANNOT_VERSION

void dat_add_option(struct dat_bytes *bytes, uint16_t option, const void *data, size_t size)
{
	dat_bytes_add_u16(bytes, option);
	dat_bytes_add_u32(bytes, (uint32_t)size);
	dat_bytes_add(bytes, data, size);
}

void dat_add_text_option(struct dat_bytes *bytes, uint16_t option, const char *text)
{
	dat_add_option(bytes, option, text, strlen(text) + 1);
}

void dat_add_place_option(struct dat_bytes *bytes, uint16_t option, uint64_t place)
{
	dat_add_option(bytes, option, &place, sizeof(place));
}

static void add_text(struct dat_bytes *bytes, const char *text)
{
	dat_bytes_add(bytes, text, strlen(text));
}

/* Each of the clocks in @list, which may have brackets at another one. Returns whether one is @clock. */
static bool add_clocks(struct dat_bytes *bytes, char *list, const char *clock)
{
	bool found = false;
	char *rest = NULL;

	for (char *word = strtok_r(list, " []\n", &rest); word;
	     word = strtok_r(NULL, " []\n", &rest)) {
		bool is_clock = !strcmp(word, clock);

		if (bytes->size)
			add_text(bytes, " ");
		add_text(bytes, is_clock ? "[" : "");
		add_text(bytes, word);
		add_text(bytes, is_clock ? "]" : "");
		found |= is_clock;
	}
	return found;
}

char *dat_clocks(const char *tracing_dir, const char *clock)
{
	struct dat_bytes list = { 0 }, clocks = { 0 };
	char path[PATH_MAX];
	bool found = false;

	snprintf(path, sizeof(path), "%s/trace_clock", tracing_dir);
	if (!dat_bytes_add_file(&list, AT_FDCWD, path)) {
		dat_bytes_add_u8(&list, 0);
		found = add_clocks(&clocks, (char *)list.data, clock);
	}
	if (!found) {
		clocks.size = 0;
		add_text(&clocks, "[");
		add_text(&clocks, clock);
		add_text(&clocks, "]");
	}
	dat_bytes_free(&list);
	dat_bytes_add_string(&clocks, "\n");
	return (char *)clocks.data;
}

static void add_uname(struct dat_bytes *bytes)
{
	struct utsname name;
	char text[sizeof(name)];

	if (uname(&name))
		return;
	snprintf(text, sizeof(text), "%s %s %s %s", name.sysname, name.nodename, name.release,
		 name.machine);
	dat_add_text_option(bytes, OPTION_UNAME, text);
}

/* By which traces of one recording, of a host and its guests, would know each other. */
static void add_trace_id(struct dat_bytes *bytes)
{
	uint64_t id;

	if (getrandom(&id, sizeof(id), 0) == sizeof(id))
		dat_add_option(bytes, OPTION_TRACEID, &id, sizeof(id));
}

static void add_cpu_stat(struct dat_bytes *bytes, int cpu, const char *stats)
{
	struct dat_bytes text = { 0 };
	char number[24];

	snprintf(number, sizeof(number), "CPU: %d\n", cpu);
	add_text(&text, number);
	dat_bytes_add_string(&text, stats);
	dat_add_option(bytes, OPTION_CPUSTAT, text.data, text.size);
	dat_bytes_free(&text);
}

void dat_add_common_options(const struct dat_file *file, const struct dat_cpu *cpus,
			    struct dat_bytes *bytes)
{
	dat_add_text_option(bytes, OPTION_TRACECLOCK, file->clocks);
	add_uname(bytes);
	dat_add_text_option(bytes, OPTION_VERSION, WRITER);
	add_trace_id(bytes);
	for (int cpu = 0; cpu < file->plan.nr_cpus; cpu++)
		if (cpus[cpu].stats)
			add_cpu_stat(bytes, cpu, cpus[cpu].stats);
}
