// SPDX-License-Identifier: GPL-2.0
#include "events/event_list.h"

#include <stdlib.h>
#include <string.h>

#include "events/thread_names.h"
#include "util/text/cpu_list.h"
#include "util/xalloc.h"

#define NR_TYPES 65536

/* A row that waits for its text, or for those before it. */
struct waiting_row {
	struct event_list_row row;
	bool is_hidden; /* it is printed only for what later ones say */
};

struct event_list {
	struct trace *trace;
	const struct event_query *query;
	struct thread_names names;
	bool tells_names[NR_TYPES]; /* without these, annotations are printed without their names */
	struct waiting_row *rows;
	size_t nr;
	size_t capacity;
	size_t nr_done; /* of rows */
	event_row_fn *on_row;
	void *context;
	bool stopped;
};

static void find_types_that_tell_names(struct event_list *list)
{
	for (int type = 0; type < NR_TYPES; type++) {
		const char *name = trace_event_name(list->trace, (uint16_t)type);

		list->tells_names[type] = !strcmp(name, "annot:annot_name") ||
					  !strcmp(name, "ftrace:raw_data");
	}
}

static void hand_out(struct event_list *list, const struct waiting_row *waiting)
{
	if (!waiting->is_hidden && !list->stopped)
		list->stopped = !list->on_row(list->context, &waiting->row);
}

static void hand_out_losses(struct event_list *list)
{
	while (list->nr_done < list->nr && list->rows[list->nr_done].row.is_loss)
		hand_out(list, &list->rows[list->nr_done++]);
}

static void take_text(void *context, enum event_print_result result, const char *text)
{
	struct event_list *list = context;
	struct waiting_row *waiting;

	hand_out_losses(list);
	waiting = &list->rows[list->nr_done++];
	waiting->row.text = result == EVENT_PRINTED ? text : NULL;
	if (result != EVENT_FILTERED)
		hand_out(list, waiting);
}

static void flush_rows(struct event_list *list)
{
	if (list->query->printer)
		event_printer_flush(list->query->printer, take_text, list);
	hand_out_losses(list);
	list->nr = 0;
	list->nr_done = 0;
}

static void add_row(struct event_list *list, const struct event_list_row *row, bool is_hidden)
{
	const struct waiting_row waiting = { *row, is_hidden };
	struct trace_record record;

	if (!list->query->printer) {
		hand_out(list, &waiting);
		return;
	}
	ARRAY_MAKE_ROOM(list->rows, list->nr, list->capacity);
	list->rows[list->nr++] = waiting;
	if (!row->is_loss && trace_record(list->trace, &record) &&
	    event_printer_add(list->query->printer, row->time_ns, row->cpu, &record))
		flush_rows(list);
}

static bool takes_cpu(const struct event_query *query, int cpu)
{
	return !query->cpus || (cpu >= 0 && cpu < CPUS_MAX && query->cpus[cpu]);
}

static bool takes_time(const struct event_query *query, uint64_t time_ns)
{
	return time_ns >= query->from_ns && time_ns <= query->to_ns;
}

static bool takes_row(const struct event_query *query, const struct event_list_row *row)
{
	/* First: it is asked about each. */
	if (query->takes_thread && !query->takes_thread(query->context, row->tid, row->comm))
		return false;
	return takes_time(query, row->time_ns) && takes_cpu(query, row->cpu) &&
	       event_filter_takes(query->filter, row->type);
}

static void take_loss(struct event_list *list, const struct trace_event *event)
{
	const struct event_list_row row = {
		.time_ns = event->time_ns,
		.cpu = event->cpu,
		.is_loss = true,
		.buffer = trace_buffer_name(list->trace),
		.since_ns = event->lost.since_ns,
		.nr_lost = event->lost.nr_events,
	};

	if (takes_time(list->query, row.time_ns) && takes_cpu(list->query, row.cpu))
		add_row(list, &row, false);
}

static void take_event(struct event_list *list, const struct trace_event *event)
{
	struct event_list_row row = {
		.time_ns = event->time_ns,
		.cpu = event->cpu,
		.buffer = trace_buffer_name(list->trace),
		.type = event->other.type,
		.tid = event->tid,
	};
	struct trace_event named;
	bool has_names = trace_decode_comms(list->trace, &named);

	/* A switch says who has run until now, the others how a thread is called from now on. */
	if (has_names && named.kind == TRACE_SWITCH)
		thread_names_note(&list->names, &named);
	row.comm = thread_names_get(&list->names, list->trace, row.tid);
	if (has_names)
		thread_names_note(&list->names, &named);
	if (takes_row(list->query, &row))
		add_row(list, &row, false);
	else if (list->query->printer && list->tells_names[row.type])
		add_row(list, &row, true);
}

/* Returns the last result of trace_next_record(). */
static int read_rows(struct event_list *list)
{
	struct trace_event event;
	int got;

	while ((got = trace_next_record(list->trace, &event)) > 0) {
		if (event.time_ns > list->query->to_ns || list->stopped)
			return 0;
		if (event.kind == TRACE_LOST)
			take_loss(list, &event);
		else
			take_event(list, &event);
	}
	return got;
}

int event_list_read(struct trace *trace, const struct event_query *query, event_row_fn *on_row,
		    void *context)
{
	struct event_list *list = xcalloc(1, sizeof(*list));
	int status;

	list->trace = trace;
	list->query = query;
	list->on_row = on_row;
	list->context = context;
	find_types_that_tell_names(list);
	status = thread_names_read(&list->names, trace);
	if (!status) {
		status = read_rows(list);
		flush_rows(list);
	}
	thread_names_free(&list->names);
	free(list->rows);
	free(list);
	return status;
}
