// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <tracefs.h>
#include <unistd.h>

#include "record/tracing.h"
#include "trace/atrace.h"
#include "util/diag.h"

static void tracing_path(char *path, size_t size, const char *file)
{
	snprintf(path, size, "%s/%s", tracefs_tracing_dir(), file);
}

/* The group that is let in by @path's mode for what @flags ask, or NULL: its name. */
static const char *privileged_group(const char *path, int flags)
{
	mode_t needed = (flags & O_ACCMODE) == O_RDONLY ? S_IRGRP : S_IWGRP;
	struct stat directory, file;
	struct group *group;

	if (stat(tracefs_tracing_dir(), &directory) || !(directory.st_mode & S_IXGRP))
		return NULL;
	/* Outside that group not even the file's mode is shown: then the directory's must do. */
	if (!stat(path, &file) && !(file.st_mode & needed))
		return NULL;
	group = directory.st_gid ? getgrgid(directory.st_gid) : NULL;
	return group ? group->gr_name : NULL;
}

static int explain_refusal(const char *path, int flags, int error)
{
	const char *group;

	if (error != EACCES && error != EPERM)
		return diag_error("record: %s: %s", path, strerror(error));
	if (!geteuid())
		return diag_error("record: %s: refused even to root: this kernel or container "
				  "keeps tracing locked",
				  path);
	group = privileged_group(path, flags);
	if (group)
		return diag_error("record: %s: only root and the group '%s' may: use sudo, or let "
				  "root run 'adduser USER %s' and log in again",
				  path, group, group);
	return diag_error("record: %s: only root may: use sudo, or let root open tracing to a "
			  "group (see PRIVILEGES in man annot-record)",
			  path);
}

/* Only an open() knows what a security module or a locked-down kernel will say. */
static int check_access(const char *file, int flags)
{
	char path[512];
	int fd;

	tracing_path(path, sizeof(path), file);
	fd = open(path, flags | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return explain_refusal(path, flags, errno);
	close(fd);
	return 0;
}

static int check_directory(void)
{
	/* It mounts tracefs where that is missing and allowed. */
	tracefs_set_loglevel(TEP_LOG_NONE);
	if (tracefs_tracing_dir())
		return 0;
	if (geteuid())
		return diag_error("record: tracefs is not mounted: as root, "
				  "'mount -t tracefs nodev /sys/kernel/tracing'");
	return diag_error("record: tracefs cannot be mounted on /sys/kernel/tracing: "
			  "this kernel has no ftrace, or this is a container");
}

static int check_files(void)
{
	static const struct {
		const char *file;
		int flags;
		bool optional;
	} needed[] = {
		{ "tracing_on", O_RDWR, false },
		{ "trace_clock", O_RDWR, false },
		{ "current_tracer", O_WRONLY, false },
		{ "buffer_size_kb", O_WRONLY, false },
		{ "events/enable", O_WRONLY, false },
		{ "events/sched/sched_switch/enable", O_WRONLY, false },
		{ "per_cpu/cpu0/trace_pipe_raw", O_RDONLY, false },
		/* Not needed for events, but trace-cmd resets them, and dies if it cannot. */
		{ "set_ftrace_filter", O_WRONLY, true },
		{ "set_ftrace_pid", O_RDONLY, true },
	};

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (needed[i].optional && !tracefs_file_exists(NULL, needed[i].file))
			continue;
		if (check_access(needed[i].file, needed[i].flags))
			return -1;
	}
	return 0;
}

/* What stands in @file, without the final newline; freed by the caller. NULL: cannot be read. */
static char *read_file(const char *file)
{
	char *text = tracefs_instance_file_read(NULL, file, NULL);

	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

long tracing_parse_buffer_kb(const char *text)
{
	const char *expanded = strstr(text, "expanded: ");

	/* As long as nobody traced, the buffers are small: what they will be is what counts. */
	return strtol(expanded ? expanded + strlen("expanded: ") : text, NULL, 10);
}

static long read_buffer_kb(const char *file)
{
	char *text = read_file(file);
	long size_kb = text ? tracing_parse_buffer_kb(text) : 0;

	free(text);
	return size_kb;
}

long tracing_buffer_kb(void)
{
	return read_buffer_kb("buffer_size_kb");
}

int tracing_open(struct tracing *tracing)
{
	char path[512];

	tracing->on_fd = -1;
	if (check_directory() || check_files())
		return -1;
	tracing_path(path, sizeof(path), "tracing_on");
	tracing->on_fd = open(path, O_RDWR | O_CLOEXEC);
	if (tracing->on_fd < 0)
		return explain_refusal(path, O_RDWR, errno);
	if (flock(tracing->on_fd, LOCK_EX | LOCK_NB)) {
		close(tracing->on_fd);
		tracing->on_fd = -1;
		return diag_error("record: another annot record is running; "
				  "the kernel has one trace buffer for both");
	}
	tracing->was_on = tracing_is_on(tracing);
	tracing->buffer_kb_before = tracing_buffer_kb();
	tracing->clock_before = tracefs_get_clock(NULL);
	return 0;
}

/* trace-cmd does so, too, if it lives to. To set a clock empties the buffer: only if need be. */
static void restore_clock(const struct tracing *tracing)
{
	char *clock = tracefs_get_clock(NULL);

	if (clock && tracing->clock_before && strcmp(clock, tracing->clock_before))
		tracefs_instance_file_write(NULL, "trace_clock", tracing->clock_before);
	free(clock);
}

static void restore_buffer(const struct tracing *tracing)
{
	char size_kb[24];

	if (tracing->buffer_kb_before <= 0)
		return;
	snprintf(size_kb, sizeof(size_kb), "%ld", tracing->buffer_kb_before);
	tracefs_instance_file_write(NULL, "buffer_size_kb", size_kb);
}

void tracing_close(struct tracing *tracing)
{
	if (tracing->on_fd < 0)
		return;
	restore_clock(tracing);
	restore_buffer(tracing);
	if (tracing->was_on)
		tracefs_trace_on_fd(tracing->on_fd);
	else
		tracefs_trace_off_fd(tracing->on_fd);
	close(tracing->on_fd);
	tracing->on_fd = -1;
	free(tracing->clock_before);
}

bool tracing_is_on(const struct tracing *tracing)
{
	char state = '0';

	return pread(tracing->on_fd, &state, 1, 0) == 1 && state == '1';
}

void tracing_off(const struct tracing *tracing)
{
	tracefs_trace_off_fd(tracing->on_fd);
}

void tracing_end_annotations(void)
{
	/* What is measured ends while annot_pmu_state, which tells how it ended, is still recorded. */
	if (tracing_has_event("annot/annot_sample")) {
		tracefs_instance_file_write(NULL, "events/annot/annot_sample/enable", "0");
		tracefs_instance_file_write(NULL, "events/annot/annot_slice_counts/enable", "0");
	}
	tracefs_instance_file_write(NULL, "events/annot/enable", "0");
}

void tracing_disable_events(void)
{
	tracefs_instance_file_write(NULL, "events/enable", "0");
}

bool tracing_in_use(void)
{
	char *state = read_file("events/enable");
	bool in_use = state && strcmp(state, "0");

	free(state);
	return in_use;
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
	char *clocks = read_file("trace_clock");
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

void tracing_read_stats(struct tracing_stats *stats)
{
	int nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	char file[64];

	*stats = (struct tracing_stats){ 0 };
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		struct tracing_cpu_stats one;
		long size_kb;
		char *text;
		int percent;

		snprintf(file, sizeof(file), "per_cpu/cpu%d/stats", cpu);
		text = tracefs_instance_file_read(NULL, file, NULL);
		if (!text)
			continue;
		tracing_parse_stats(text, &one);
		free(text);
		stats->lost_events += one.lost_events;
		snprintf(file, sizeof(file), "per_cpu/cpu%d/buffer_size_kb", cpu);
		size_kb = read_buffer_kb(file);
		percent = size_kb > 0 ? (int)(one.unread_bytes * 100 / ((uint64_t)size_kb * 1024)) :
					0;
		if (percent > stats->fill_percent) {
			stats->fill_percent = percent < 100 ? percent : 100;
			stats->fullest_cpu = cpu;
		}
	}
}

void tracing_mark(const char *line)
{
	tracefs_instance_file_write(NULL, "trace_marker", line);
}

void tracing_mark_session(void)
{
	tracing_mark(ATRACE_SESSION);
}

void tracing_mark_session_of(pid_t tgid, pid_t tid)
{
	char line[64];

	snprintf(line, sizeof(line), ATRACE_SESSION "|%d|%d", tgid, tid);
	tracing_mark(line);
}
