// SPDX-License-Identifier: GPL-2.0
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include "trace/decode/decoder.h"
#include "trace/file/merge.h"
#include "trace/file/trace_file_open.h"
#include "trace/record_ahead.h"
#include "util/worker.h"
#include "util/xalloc.h"

/* Less than this is read sooner than a thread is started. */
#define AHEAD_LEAST_BYTES (4u << 10)

/* What recordings of switches and wakeups have, to guess by. */
#define USUAL_EVENT_BYTES 56
#define USUAL_COMPRESSION 10

struct trace {
	char *path;
	struct trace_info info;
	struct trace_file file;
	struct string_table *strings;
	struct decoder *decoder;
	struct merge merge; /* of the thread that reads ahead, while there is one */
	struct record_ahead *ahead; /* NULL: none */
	bool is_begun; /* trace_next() was called */
	bool loss_is_taken; /* of the next record of `ahead` */
	trace_name_resolver *resolve_name; /* NULL: names are shown as they are recorded */
	void *resolve_context;
	trace_stack_resolver *resolve_stack;
	void *stack_context;
	bool is_read; /* the head of the merge was returned, and is still there */
	bool buffer_is_needed[TRACE_FILE_MAX_BUFFERS]; /* it had events that no other buffer had */
};

static void fill_info(struct trace *trace)
{
	trace->info.path = trace->path;
	trace->info.clock = trace->file.clock;
	trace->info.machine = trace->file.machine;
	trace->info.next_recording = trace->file.next_recording;
	trace->info.truncated = trace->file.truncated;
	trace->info.cpus_guessed = trace->file.cpus_guessed;
	trace->info.nr_buffers = trace->file.nr_buffers;
	trace->info.nr_buffers_left_out = trace->file.nr_buffers_left_out;
	for (int i = 0; i < trace->file.nr_cpus; i++) {
		if (trace->file.cpus[i].cpu >= trace->info.nr_cpus)
			trace->info.nr_cpus = trace->file.cpus[i].cpu + 1;
	}
}

static char *read_symbols(void *file)
{
	return trace_file_text(file, TRACE_FILE_KALLSYMS);
}

static char *read_printk_formats(void *file)
{
	return trace_file_text(file, TRACE_FILE_PRINTK_FORMATS);
}

int trace_open(const char *path, struct trace **out)
{
	struct trace *trace = xcalloc(1, sizeof(*trace));

	trace->path = xstrndup(path, strlen(path));
	trace->file.fd = -1;
	trace->strings = string_table_new();
	trace->decoder = decoder_new(trace->strings, &trace->info.annotations,
				     trace->info.nr_damaged);
	if (trace_file_open(&trace->file, trace->path, decoder_add_format, trace->decoder))
		goto fail;
	decoder_set_swap(trace->decoder, trace->file.swap);
	decoder_set_clock(trace->decoder, trace->file.clock);
	decoder_set_machine(trace->decoder, trace->file.machine);
	decoder_use_symbols(trace->decoder, read_symbols, &trace->file);
	decoder_use_printk_formats(trace->decoder, read_printk_formats, &trace->file);
	if (trace->file.nr_buffers > 1)
		decoder_set_dedup(trace->decoder);
	fill_info(trace);
	if (merge_open(&trace->merge, &trace->file, readahead_nr_workers(&trace->file)))
		goto fail;
	*out = trace;
	return 0;
fail:
	trace_close(trace);
	return -1;
}

void trace_close(struct trace *trace)
{
	if (!trace)
		return;
	record_ahead_free(trace->ahead);
	merge_close(&trace->merge);
	trace_file_close(&trace->file);
	decoder_free(trace->decoder);
	string_table_free(trace->strings);
	free(trace->path);
	free(trace);
}

void trace_use_name_resolver(struct trace *trace, trace_name_resolver *resolve, void *context)
{
	trace->resolve_name = resolve;
	trace->resolve_context = context;
	decoder_resolve_names(trace->decoder, resolve, context);
}

void trace_use_stack_resolver(struct trace *trace, trace_stack_resolver *resolve, void *context)
{
	trace->resolve_stack = resolve;
	trace->stack_context = context;
	decoder_resolve_stacks(trace->decoder, resolve, context);
}

int trace_reopen(const struct trace *trace, struct trace **out)
{
	if (trace_open(trace->path, out))
		return -1;
	if (trace->resolve_name)
		trace_use_name_resolver(*out, trace->resolve_name, trace->resolve_context);
	if (trace->resolve_stack)
		trace_use_stack_resolver(*out, trace->resolve_stack, trace->stack_context);
	return 0;
}

int trace_time_range(struct trace *trace, uint64_t *first_ns, uint64_t *last_ns)
{
	struct trace_file *file = &trace->file;

	if (!merge_head(&trace->merge))
		return -1;
	*first_ns = trace->merge.first_time_ns;
	*last_ns = *first_ns;
	for (int i = 0; i < file->nr_cpus; i++) {
		uint64_t time_ns = 0;
		int got = page_reader_last_time(file, &file->cpus[i], &time_ns);

		if (got < 0)
			return -1;
		if (got && time_ns > *last_ns)
			*last_ns = time_ns;
	}
	return 0;
}

uint64_t trace_duration_ns(struct trace *trace)
{
	uint64_t first_ns, last_ns;

	return trace_time_range(trace, &first_ns, &last_ns) ? 0 : last_ns - first_ns;
}

bool trace_has_cpu(const struct trace *trace, int cpu)
{
	return merge_has_cpu(&trace->merge, cpu);
}

uint64_t trace_guess_events(const struct trace *trace)
{
	uint64_t nr_bytes = 0;

	for (int i = 0; i < trace->file.nr_cpus; i++) {
		const struct cpu_data *cpu = &trace->file.cpus[i];

		nr_bytes += cpu->compressed ? cpu->size * USUAL_COMPRESSION : cpu->size;
	}
	return nr_bytes / USUAL_EVENT_BYTES;
}

/*
 * Turns the mark of a loss on @record, which is read next on its CPU, into an event of its own. Returns false, for no gap, if
 * there are several buffers and this one had no events that the others lack: for example, an instance that traces functions.
 */
static bool take_loss(struct trace *trace, const struct raw_record *record, uint64_t since_ns,
		      struct trace_event *event)
{
	event->kind = TRACE_LOST;
	event->tid = 0;
	event->lost.since_ns = since_ns;
	event->lost.nr_events = record->nr_missed;
	trace->info.nr_lost_events += record->nr_missed;
	if (trace->file.nr_buffers > 1 && !trace->buffer_is_needed[record->buffer])
		return false;
	trace->info.nr_lost_gaps++;
	return true;
}

static bool take_loss_of(struct trace *trace, struct merge_source *source,
			 struct trace_event *event)
{
	source->record.missed = false;
	return take_loss(trace, &source->record, source->last_time_ns, event);
}

/*
 * The source of the next record, or NULL at the end. The record before it stays in place until it is
 * asked for.
 */
static struct merge_source *next_source(struct trace *trace, int *status)
{
	*status = 0;
	if (trace->is_read) {
		trace->is_read = false;
		*status = merge_advance(&trace->merge);
		if (*status)
			return NULL;
	}
	return merge_head(&trace->merge);
}

/* Returns whether there is an event; it is the record's last one unless the decoder wants it again. */
static bool decode(struct trace *trace, const struct raw_record *record, struct trace_event *event)
{
	bool wanted = decoder_decode(trace->decoder, record, event);

	if (wanted && trace_event_tells_of_threads(event))
		trace->buffer_is_needed[record->buffer] = true;
	if (!decoder_wants_again(trace->decoder)) {
		trace->info.nr_events++;
		trace->is_read = true;
	}
	return wanted;
}

static int next_now(struct trace *trace, struct trace_event *event)
{
	struct merge_source *source;
	int status;

	while ((source = next_source(trace, &status))) {
		event->time_ns = source->record.time_ns;
		event->cpu = source->cpu;
		if (source->record.missed) {
			if (take_loss_of(trace, source, event))
				return 1;
			continue;
		}
		if (decode(trace, &source->record, event))
			return 1;
	}
	return status;
}

/* Like next_source(). */
static const struct ahead_entry *next_entry(struct trace *trace, int *status)
{
	if (trace->is_read) {
		trace->is_read = false;
		trace->loss_is_taken = false;
		record_ahead_advance(trace->ahead);
	}
	return record_ahead_head(trace->ahead, status);
}

static void set_comms(struct trace *trace, const struct ahead_entry *entry,
		      const struct trace_event *event)
{
	bool is_switch = event->kind == TRACE_SWITCH;

	if (entry->slots[0] != AHEAD_NO_SLOT)
		record_ahead_set_comm(trace->ahead, entry->slots[0],
				      is_switch ? event->sw.prev_comm : event->wakeup.comm);
	if (entry->slots[1] != AHEAD_NO_SLOT)
		record_ahead_set_comm(trace->ahead, entry->slots[1], event->sw.next_comm);
}

/* Of a record that comes as it is. */
static bool decode_entry(struct trace *trace, const struct ahead_entry *entry,
			 struct trace_event *event)
{
	struct raw_record record = record_ahead_raw(trace->ahead);

	if (record.missed && !trace->loss_is_taken) {
		trace->loss_is_taken = true;
		return take_loss(trace, &record, record_ahead_lost_since_ns(trace->ahead), event);
	}
	if (!decode(trace, &record, event))
		return false;
	set_comms(trace, entry, event);
	return true;
}

static uint32_t comm_in(const struct trace *trace, uint16_t slot)
{
	return slot == AHEAD_NO_SLOT ? TRACE_NO_STRING : record_ahead_comm(trace->ahead, slot);
}

static int next_of_ahead(struct trace *trace, struct trace_event *event)
{
	const struct ahead_entry *entry;
	int status;

	while ((entry = next_entry(trace, &status))) {
		event->time_ns = entry->time_ns;
		event->cpu = entry->cpu;
		if (entry->plain.kind == PLAIN_NONE) {
			if (decode_entry(trace, entry, event))
				return 1;
			continue;
		}
		decode_sched_plain_event(&entry->plain, comm_in(trace, entry->slots[0]),
					 comm_in(trace, entry->slots[1]), event);
		trace->info.nr_events++;
		trace->is_read = true;
		return 1;
	}
	return status;
}

static uint64_t data_bytes(const struct trace_file *file)
{
	uint64_t nr_bytes = 0;

	for (int i = 0; i < file->nr_cpus; i++)
		nr_bytes += file->cpus[i].size;
	return nr_bytes;
}

/* Where there are several buffers, records that are in more than one are compared: they are all needed as they are. */
static RARE void begin(struct trace *trace)
{
	trace->is_begun = true;
	if (worker_nr_cores() > 1 && trace->file.nr_buffers == 1 &&
	    data_bytes(&trace->file) >= AHEAD_LEAST_BYTES)
		trace->ahead = record_ahead_new(&trace->merge, trace->decoder);
}

int trace_next(struct trace *trace, struct trace_event *event)
{
	if (!trace->is_begun)
		begin(trace);
	return trace->ahead ? next_of_ahead(trace, event) : next_now(trace, event);
}

int trace_next_record(struct trace *trace, struct trace_event *event)
{
	struct merge_source *source;
	int status;

	while ((source = next_source(trace, &status))) {
		event->time_ns = source->record.time_ns;
		event->cpu = source->cpu;
		if (source->record.missed) {
			trace->buffer_is_needed[source->record.buffer] = true;
			take_loss_of(trace, source, event);
			return 1;
		}
		trace->info.nr_events++;
		trace->is_read = true;
		if (decoder_peek(trace->decoder, &source->record, event))
			return 1;
		trace->info.nr_damaged[TRACE_DAMAGED_OTHER]++;
	}
	return status;
}

/* What was returned last is the record. */
static bool is_of_record(const struct trace *trace)
{
	return trace->is_read || decoder_wants_again(trace->decoder);
}

/* The record that is read next, or was returned last. Returns false if there is none, or only what it says. */
static bool head_record(const struct trace *trace, struct raw_record *record)
{
	const struct merge_source *source = trace->ahead ? NULL : merge_head(&trace->merge);
	const struct ahead_entry *entry;
	int status;

	if (source) {
		*record = source->record;
		return true;
	}
	entry = trace->ahead ? record_ahead_head(trace->ahead, &status) : NULL;
	if (!entry || entry->plain.kind != PLAIN_NONE)
		return false;
	*record = record_ahead_raw(trace->ahead);
	return true;
}

bool trace_record(const struct trace *trace, struct trace_record *record)
{
	struct raw_record head;
	struct trace_event event;

	if (!is_of_record(trace) || !head_record(trace, &head) ||
	    !decoder_peek(trace->decoder, &head, &event))
		return false;
	*record = (struct trace_record){
		.type = event.other.type,
		.buffer = trace->file.buffers[head.buffer].name,
		.data = head.data,
		.size = head.size,
	};
	return true;
}

bool trace_decode_comms(struct trace *trace, struct trace_event *event)
{
	const struct merge_source *source = merge_head(&trace->merge);

	return source && trace->is_read &&
	       decoder_decode_comms(trace->decoder, &source->record, event);
}

const char *trace_buffer_name(const struct trace *trace)
{
	const struct merge_source *source = merge_head(&trace->merge);

	return source ? trace->file.buffers[source->record.buffer].name : "";
}

const char *trace_event_name(const struct trace *trace, uint16_t type)
{
	return decoder_event_name(trace->decoder, type);
}

const struct trace_info *trace_info(const struct trace *trace)
{
	return &trace->info;
}

const char *trace_string(const struct trace *trace, uint32_t id)
{
	return string_table_get(trace->strings, id);
}

uint32_t trace_intern(struct trace *trace, const char *string)
{
	return string_table_intern(trace->strings, string, strlen(string));
}

uint32_t trace_find(const struct trace *trace, const char *string)
{
	return string_table_find(trace->strings, string, strlen(string));
}

char *trace_kallsyms(struct trace *trace)
{
	return trace_file_text(&trace->file, TRACE_FILE_KALLSYMS);
}

char *trace_comms(struct trace *trace)
{
	return trace_file_text(&trace->file, TRACE_FILE_COMMS);
}

uint64_t trace_nr_textless(const struct trace *trace)
{
	return decoder_nr_textless(trace->decoder);
}

uint32_t trace_nr_strings(const struct trace *trace)
{
	return string_table_count(trace->strings);
}

struct trace_stack trace_stack(const struct trace *trace, uint32_t id)
{
	return stack_table_get(decoder_stacks(trace->decoder), id);
}

uint32_t trace_nr_stacks(const struct trace *trace)
{
	return stack_table_count(decoder_stacks(trace->decoder));
}
