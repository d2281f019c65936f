// SPDX-License-Identifier: GPL-2.0
#include "record/log/pages_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "record/buffer/marker.h"
#include "trace/lines/pages_line.h"
#include "util/xalloc.h"

#define MS 1000000ull
#define FIRST_WAIT_NS (50 * MS)
#define MOST_WAIT_NS (5000 * MS)
#define PAUSE_FACTOR 100 /* how much longer than a reading the pause behind it is */
#define MOST_END_NS (200 * MS)
#define LEAST_PAGE_BYTES 4096 /* told of what is no more */

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void pages_log_init(struct pages_log *log, pages_log_writer write, void *context)
{
	*log = (struct pages_log){
		.huge_page_bytes = smaps_huge_page_bytes(),
		.write = write,
		.context = context,
	};
}

static void write_line(const struct pages_log *log, pid_t tgid, const struct mapping_pages *pages,
		       uint64_t ago_ns)
{
	char line[MARKER_LINE_MAX_BYTES];
	int length = snprintf(line, sizeof(line),
			      PAGES_LINE "%d|%" PRIx64 "|%" PRIx64 "|%" PRIu64 "|%" PRIu64
					 "|%" PRIu64 "|%" PRIu64 "|%" PRIu64,
			      tgid, pages->start, pages->length, pages->resident_bytes,
			      pages->huge_bytes, pages->page_bytes, pages->huge_page_bytes, ago_ns);

	log->write(log->context, line, (size_t)length);
}

static uint64_t ago_of(uint64_t time_ns)
{
	uint64_t now_ns = clock_ns();

	return now_ns > time_ns ? now_ns - time_ns : 0;
}

/* That it has no memory there; with no length, that this was all. */
static void write_gone(const struct pages_log *log, pid_t tgid, uint64_t start, uint64_t length,
		       uint64_t ago_ns)
{
	const struct mapping_pages gone = {
		.start = start,
		.length = length,
		.page_bytes = LEAST_PAGE_BYTES,
		.huge_page_bytes = LEAST_PAGE_BYTES,
	};

	write_line(log, tgid, &gone, ago_ns);
}

static bool is_same(const struct mapping_pages *a, const struct mapping_pages *b)
{
	return a->length == b->length && a->resident_bytes == b->resident_bytes &&
	       a->huge_bytes == b->huge_bytes && a->page_bytes == b->page_bytes &&
	       a->huge_page_bytes == b->huge_page_bytes;
}

/* Both are in the order of addresses. Returns the mapping of @smaps at @start, from @at on; NULL: there is none. */
static const struct mapping_pages *find_mapping(const struct smaps *smaps, size_t *at,
						uint64_t start)
{
	while (*at < smaps->nr && smaps->mappings[*at].start < start)
		++*at;
	return *at < smaps->nr && smaps->mappings[*at].start == start ? &smaps->mappings[*at] :
									NULL;
}

/* What is no more stands first: something else may be there now. */
void pages_log_tell(const struct pages_log *log, pid_t tgid, const struct smaps *before,
		    const struct smaps *now, bool all, uint64_t read_ns)
{
	size_t at = 0;

	for (size_t i = 0; i < before->nr; i++) {
		const struct mapping_pages *old = &before->mappings[i];

		if (find_mapping(now, &at, old->start))
			continue;
		write_gone(log, tgid, old->start, old->length, ago_of(read_ns));
	}
	at = 0;
	for (size_t i = 0; i < now->nr; i++) {
		const struct mapping_pages *mapping = &now->mappings[i];
		const struct mapping_pages *old = find_mapping(before, &at, mapping->start);

		if (!all && old && is_same(old, mapping))
			continue;
		write_line(log, tgid, mapping, ago_of(read_ns));
	}
	write_gone(log, tgid, 0, 0, ago_of(read_ns));
}

static struct pages_log_process *find_process(const struct pages_log *log, pid_t tgid)
{
	for (size_t i = log->nr; i > 0; i--) {
		if (log->processes[i - 1].tgid == tgid)
			return &log->processes[i - 1];
	}
	return NULL;
}

void pages_log_note(struct pages_log *log, pid_t tgid, uint64_t now_ns)
{
	struct pages_log_process *process = find_process(log, tgid);
	uint64_t due_ns = now_ns + FIRST_WAIT_NS;

	log->has_heard = true;
	if (!process) {
		if (log->nr == PAGES_LOG_MOST_PROCESSES)
			return;
		ARRAY_MAKE_ROOM(log->processes, log->nr, log->capacity);
		process = &log->processes[log->nr++];
		*process = (struct pages_log_process){ .tgid = tgid, .due_ns = due_ns };
	}
	process->may_be_other = true;
	process->wait_ns = FIRST_WAIT_NS;
	if (process->due_ns > due_ns)
		process->due_ns = due_ns;
}

static void remove_process(struct pages_log *log, struct pages_log_process *process)
{
	smaps_free(&process->told);
	*process = log->processes[--log->nr];
}

/* Returns false if the process has ended, is too large, or may not be looked at. */
static bool read_process(struct pages_log *log, struct pages_log_process *process)
{
	uint64_t read_ns = clock_ns();
	struct smaps now = { 0 };

	smaps_of_process(&now, process->tgid, log->huge_page_bytes);
	if (!now.nr)
		return false;
	smaps_keep_largest(&now, PAGES_LOG_MOST_MAPPINGS);
	pages_log_tell(log, process->tgid, &process->told, &now, process->may_be_other, read_ns);
	process->may_be_other = false;
	smaps_free(&process->told);
	process->told = now;
	return true;
}

static struct pages_log_process *find_first_due(const struct pages_log *log)
{
	struct pages_log_process *first = NULL;

	for (size_t i = 0; i < log->nr; i++) {
		if (!first || log->processes[i].due_ns < first->due_ns)
			first = &log->processes[i];
	}
	return first;
}

static void read_one(struct pages_log *log, struct pages_log_process *process)
{
	uint64_t begin_ns = clock_ns(), end_ns;
	bool is_there = read_process(log, process);

	end_ns = clock_ns();
	log->due_ns = end_ns + PAUSE_FACTOR * (end_ns - begin_ns);
	if (!is_there) {
		remove_process(log, process);
		return;
	}
	process->due_ns = end_ns + process->wait_ns;
	process->wait_ns = process->wait_ns < MOST_WAIT_NS / 2 ? 2 * process->wait_ns :
								 MOST_WAIT_NS;
}

void pages_log_read(struct pages_log *log, uint64_t now_ns)
{
	struct pages_log_process *first = find_first_due(log);

	if (first && log->due_ns <= now_ns && first->due_ns <= now_ns)
		read_one(log, first);
}

/* The kernel tells of new programs when many are there: the first is looked for. */
double pages_log_wait_s(const struct pages_log *log, uint64_t now_ns)
{
	const struct pages_log_process *first = find_first_due(log);
	uint64_t due_ns = first ? first->due_ns : now_ns + MOST_WAIT_NS;

	if (!log->has_heard)
		due_ns = now_ns + FIRST_WAIT_NS;
	if (due_ns < log->due_ns)
		due_ns = log->due_ns;
	return due_ns > now_ns ? (double)(due_ns - now_ns) / 1e9 : 0;
}

void pages_log_finish(struct pages_log *log)
{
	uint64_t end_ns = clock_ns() + MOST_END_NS;

	for (size_t i = 0; i < log->nr && clock_ns() < end_ns; i++)
		read_process(log, &log->processes[i]);
}

void pages_log_free(struct pages_log *log)
{
	for (size_t i = 0; i < log->nr; i++)
		smaps_free(&log->processes[i].told);
	free(log->processes);
	*log = (struct pages_log){ 0 };
}
