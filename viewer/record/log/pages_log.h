/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells in which pages recorded processes have their memory, in lines of trace/lines/pages_line.h. It is read now and
 * then, as it changes: soon after a program begins or maps a file, then ever less often. To read it, the kernel walks
 * through the process' page tables, and mmap() and the like of that process wait meanwhile. So it is not read again
 * before a hundred times as long has passed as it took, whatever processes there are: that is 1 % of one CPU.
 */
#ifndef ANNOT_RECORD_LOG_PAGES_LOG_H
#define ANNOT_RECORD_LOG_PAGES_LOG_H

#include <stdbool.h>

#include "record/log/smaps.h"

#define PAGES_LOG_MOST_MAPPINGS 512 /* of a process that are told: those with most memory */
#define PAGES_LOG_MOST_PROCESSES 4096

/* Writes a line, of @length bytes. */
typedef void (*pages_log_writer)(void *context, const char *line, size_t length);

struct pages_log_process {
	pid_t tgid;
	struct smaps told; /* what was told last */
	bool may_be_other; /* it may have become another program since then, of which all is new */
	uint64_t wait_ns; /* between its readings */
	uint64_t due_ns; /* CLOCK_MONOTONIC: when it is to be read next */
};

struct pages_log {
	size_t nr;
	size_t capacity;
	struct pages_log_process *processes;
	uint64_t due_ns; /* not before this */
	uint64_t huge_page_bytes;
	bool has_heard; /* of a process */
	pages_log_writer write;
	void *context;
};

void pages_log_init(struct pages_log *log, pages_log_writer write, void *context);

/* A process is there, and has changed what it maps. */
void pages_log_note(struct pages_log *log, pid_t tgid, uint64_t now_ns);

/* Reads what is due, if anything is. */
void pages_log_read(struct pages_log *log, uint64_t now_ns);

/* In how many seconds pages_log_read() should be called again. */
double pages_log_wait_s(const struct pages_log *log, uint64_t now_ns);

/* At the end: reads all processes that are still there, as far as that takes no longer than a moment. */
void pages_log_finish(struct pages_log *log);
void pages_log_free(struct pages_log *log);

/*
 * Writes the lines for what has changed from @before, which was told last, to @now, which was read at @read_ns. @all: also
 * for what has not.
 */
void pages_log_tell(const struct pages_log *log, pid_t tgid, const struct smaps *before,
		    const struct smaps *now, bool all, uint64_t read_ns);

#endif /* ANNOT_RECORD_LOG_PAGES_LOG_H */
