// SPDX-License-Identifier: GPL-2.0
#include "record/groups/group_rows.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "trace/lines/group_line.h"

/* Of a row: numbers of at most 20 digits, each with what stands before it. */
#define ROW_MAX_BYTES (1 + 21 * (2 + TRACE_GROUP_MOST_COUNTS))

static void append(struct group_rows *rows, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void append(struct group_rows *rows, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	rows->nr_bytes += (size_t)vsnprintf(rows->line + rows->nr_bytes,
					    sizeof(rows->line) - rows->nr_bytes, format, arguments);
	va_end(arguments);
}

void group_rows_flush(struct group_rows *rows)
{
	/* The reader of the trace sees that it is missing. */
	if (rows->nr_bytes && write(rows->marker_fd, rows->line, rows->nr_bytes) < 0)
		rows->nr_lost += rows->nr_rows;
	rows->nr_bytes = 0;
	rows->nr_rows = 0;
}

void group_rows_begin(struct group_rows *rows, size_t group, size_t nr_counts)
{
	group_rows_flush(rows);
	rows->group = group;
	rows->nr_counts = nr_counts;
	rows->is_other = true;
}

static void remember(struct group_rows *rows, const struct counter_reading *reading)
{
	rows->has_last = true;
	rows->is_other = false;
	rows->last_ns = reading->time_ns;
	memcpy(rows->last, reading->counts, rows->nr_counts * sizeof(*rows->last));
}

static void tell_gap(struct group_rows *rows, uint64_t until_ns)
{
	group_rows_flush(rows);
	append(rows, GROUP_GAP_LINE "%zu|%d|%" PRIu64 "|%" PRIu64, rows->group, rows->cpu,
	       rows->last_ns, until_ns);
	group_rows_flush(rows);
}

static void tell_row(struct group_rows *rows, const struct counter_reading *reading)
{
	if (rows->nr_bytes + ROW_MAX_BYTES >= sizeof(rows->line))
		group_rows_flush(rows);
	if (!rows->nr_bytes)
		append(rows, GROUP_COUNTS_LINE "%zu|%d|%" PRIu64, rows->group, rows->cpu,
		       rows->last_ns);
	append(rows, "|%s%" PRIu64 ",", reading->is_tick ? GROUP_TICK : "",
	       reading->time_ns - rows->last_ns);
	if (reading->tid >= 0)
		append(rows, "%d", reading->tid);
	rows->nr_rows++;
	for (size_t i = 0; i < rows->nr_counts && !rows->is_other; i++)
		append(rows, ",%" PRIu64, reading->counts[i] - rows->last[i]);
}

/* Who ran between readings that were lost is not known. */
void group_rows_take(void *context, const struct counter_reading *reading)
{
	struct group_rows *rows = context;
	struct counter_reading own = *reading;

	rows->nr_lost += own.nr_lost;
	if (rows->has_last && own.time_ns < rows->last_ns)
		own.time_ns = rows->last_ns;
	if (rows->has_last && !own.nr_lost && own.is_whole)
		tell_row(rows, &own);
	else if (rows->has_last)
		tell_gap(rows, own.time_ns);
	remember(rows, &own);
}
