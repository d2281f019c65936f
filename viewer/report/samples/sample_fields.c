// SPDX-License-Identifier: GPL-2.0
#include "report/samples/sample_fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#include "report/samples/data_source.h"
#include "report/samples/samples.h"
#include "symbols/data/thread_locals.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define ABSENT "-"
#define CUT "..."

typedef void (*field_fn)(const struct sample_printer *printer, size_t sample, char *text);

static void copy_text(char *text, const char *string)
{
	snprintf(text, SAMPLE_FIELD_BYTES, "%s", string);
}

static void put_number(char *text, uint64_t number)
{
	snprintf(text, SAMPLE_FIELD_BYTES, "%" PRIu64, number);
}

static void put_address(char *text, uint64_t address)
{
	snprintf(text, SAMPLE_FIELD_BYTES, "%016" PRIx64, address);
}

/*
 * Names hold any bytes: blanks become '_', what no terminal should get '?'. Returns the bytes put.
 */
static size_t put_name(char *text, const char *name)
{
	size_t at = 0;

	while (*name && at < SAMPLE_FIELD_BYTES - sizeof(CUT) - 4) {
		bool safe;
		int bytes = text_next_column(name, &safe);

		if (safe && *name != ' ') {
			memcpy(text + at, name, (size_t)bytes);
			at += (size_t)bytes;
		} else {
			text[at++] = safe ? '_' : '?';
		}
		name += bytes;
	}
	strcpy(text + at, *name ? CUT : at ? "" : ABSENT);
	return strlen(text);
}

static void put_string(const struct sample_printer *printer, char *text, uint32_t id)
{
	put_name(text, trace_string(printer->model->trace, id));
}

static const struct thread *thread_of(const struct sample_printer *printer, size_t sample)
{
	uint32_t thread = printer->model->samples.thread[sample];

	return thread == MODEL_NO_THREAD ? NULL : &printer->model->threads[thread];
}

static void put_time(const struct sample_printer *printer, size_t sample, char *text)
{
	uint64_t time_ns = printer->model->samples.time_ns[sample];

	snprintf(text, SAMPLE_FIELD_BYTES, "%" PRIu64 ".%09" PRIu64, time_ns / 1000000000,
		 time_ns % 1000000000);
}

static void put_cpu(const struct sample_printer *printer, size_t sample, char *text)
{
	put_number(text, (uint64_t)printer->model->samples.cpu[sample]);
}

static void put_tid(const struct sample_printer *printer, size_t sample, char *text)
{
	const struct thread *thread = thread_of(printer, sample);

	put_number(text, thread ? (uint64_t)thread->tid : 0);
}

static void put_pid(const struct sample_printer *printer, size_t sample, char *text)
{
	const struct thread *thread = thread_of(printer, sample);

	if (thread && thread->tgid > 0)
		put_number(text, (uint64_t)thread->tgid);
	else
		copy_text(text, ABSENT);
}

static void put_comm(const struct sample_printer *printer, size_t sample, char *text)
{
	const struct thread *thread = thread_of(printer, sample);

	if (thread)
		put_string(printer, text, thread->comm);
	else
		copy_text(text, "(idle)");
}

static void put_event(const struct sample_printer *printer, size_t sample, char *text)
{
	const struct model *model = printer->model;

	put_string(printer, text, model->pmu_events[model->samples.event[sample]].name);
}

static void put_mode(const struct sample_printer *printer, size_t sample, char *text)
{
	copy_text(text,
		  printer->model->samples.has[sample] & ANNOT_SAMPLE_USER ? "user" : "kernel");
}

static void put_ip(const struct sample_printer *printer, size_t sample, char *text)
{
	const struct sample_table *samples = &printer->model->samples;

	if (!samples->ip[sample] && samples->has[sample] & ANNOT_SAMPLE_HIDDEN)
		copy_text(text, ABSENT);
	else
		put_address(text, samples->ip[sample]);
}

static void put_place(const struct sample_printer *printer, char *text,
		      struct symbol_location place)
{
	size_t at;

	if (!place.known) {
		copy_text(text, ABSENT);
		return;
	}
	at = put_name(text, trace_string(printer->model->trace, place.symbol));
	snprintf(text + at, SAMPLE_FIELD_BYTES - at, "+0x%" PRIx64, place.offset);
}

/* By its field, where debug information tells it. */
static void put_datum(const struct sample_printer *printer, char *text,
		      struct symbol_location place)
{
	struct trace *trace = printer->model->trace;
	char *name;
	size_t at;

	if (!place.has_field) {
		put_place(printer, text, place);
		return;
	}
	name = xasprintf("%s%s", trace_string(trace, place.symbol),
			 trace_string(trace, place.field));
	at = put_name(text, name);
	free(name);
	if (place.field_offset)
		snprintf(text + at, SAMPLE_FIELD_BYTES - at, "+0x%" PRIx64, place.field_offset);
}

static void put_symbol(const struct sample_printer *printer, size_t sample, char *text)
{
	put_place(printer, text, symbols_of_code(printer->symbols, sample, false));
}

static void put_object(const struct sample_printer *printer, size_t sample, char *text)
{
	struct symbol_location place = symbols_of_code(printer->symbols, sample, false);

	put_string(printer, text, place.object);
	if (!strcmp(text, "[unknown]"))
		copy_text(text, ABSENT);
}

static void put_line(const struct sample_printer *printer, size_t sample, char *text)
{
	put_string(printer, text, symbols_of_code(printer->symbols, sample, true).line);
}

static void put_addr(const struct sample_printer *printer, size_t sample, char *text)
{
	const struct sample_table *samples = &printer->model->samples;

	if (samples->has[sample] & ANNOT_SAMPLE_HAS_ADDR)
		put_address(text, samples->addr[sample]);
	else
		copy_text(text, ABSENT);
}

/* Of a thread-local variable that is not of the thread that accessed it. */
static void put_owner(const struct sample_printer *printer, size_t sample, int32_t owner_tid,
		      char *text)
{
	const struct thread *thread = thread_of(printer, sample);
	size_t at = strlen(text);
	char owner[64];

	if (!owner_tid || (thread && thread->tid == owner_tid))
		return;
	snprintf(owner, sizeof(owner), THREAD_LOCAL_OF, owner_tid);
	if (at + strlen(owner) < SAMPLE_FIELD_BYTES - sizeof(CUT) - 4)
		put_name(text + at, owner);
}

static void put_data(const struct sample_printer *printer, size_t sample, char *text)
{
	const struct model *model = printer->model;
	uint32_t object = printer->objects ? printer->objects[sample] : 0;
	struct symbol_location place;

	if (!(model->samples.has[sample] & ANNOT_SAMPLE_HAS_ADDR)) {
		copy_text(text, ABSENT);
		return;
	}
	if (object && !model->data_objects.owner_tid[object - 1])
		place = symbols_of_object(printer->symbols, object - 1, model->samples.addr[sample],
					  true);
	else
		place = symbols_of_data(printer->symbols, sample, true);
	put_datum(printer, text, place);
	if (place.known)
		put_owner(printer, sample, place.owner_tid, text);
}

static void put_weight(const struct sample_printer *printer, size_t sample, char *text)
{
	const struct sample_table *samples = &printer->model->samples;

	if (samples->has[sample] & ANNOT_SAMPLE_HAS_WEIGHT)
		put_number(text, samples->weight[sample]);
	else
		copy_text(text, ABSENT);
}

static void put_source(const struct sample_printer *printer, size_t sample, char *text)
{
	const struct sample_table *samples = &printer->model->samples;

	if (samples->has[sample] & ANNOT_SAMPLE_HAS_DATA_SRC)
		data_source_text(samples->data_src[sample], text);
	else
		copy_text(text, ABSENT);
}

static void put_period(const struct sample_printer *printer, size_t sample, char *text)
{
	put_number(text, printer->model->samples.period[sample]);
}

static void put_precise(const struct sample_printer *printer, size_t sample, char *text)
{
	put_number(text, printer->model->samples.precise[sample]);
}

static void put_task(const struct sample_printer *printer, size_t sample, char *text)
{
	size_t span = printer->spans[sample];

	if (span == SIZE_MAX)
		copy_text(text, ABSENT);
	else
		put_string(printer, text, thread_of(printer, sample)->spans.name[span]);
}

static const char *const names[NR_SAMPLE_FIELDS + 1] = {
	[SAMPLE_FIELD_TIME] = "time",	    [SAMPLE_FIELD_CPU] = "cpu",
	[SAMPLE_FIELD_TID] = "tid",	    [SAMPLE_FIELD_PID] = "pid",
	[SAMPLE_FIELD_COMM] = "comm",	    [SAMPLE_FIELD_EVENT] = "event",
	[SAMPLE_FIELD_MODE] = "mode",	    [SAMPLE_FIELD_IP] = "ip",
	[SAMPLE_FIELD_SYMBOL] = "symbol",   [SAMPLE_FIELD_OBJECT] = "object",
	[SAMPLE_FIELD_LINE] = "line",	    [SAMPLE_FIELD_ADDR] = "addr",
	[SAMPLE_FIELD_DATA] = "data",	    [SAMPLE_FIELD_WEIGHT] = "weight",
	[SAMPLE_FIELD_SOURCE] = "source",   [SAMPLE_FIELD_PERIOD] = "period",
	[SAMPLE_FIELD_PRECISE] = "precise", [SAMPLE_FIELD_TASK] = "task",
};

static const field_fn fields[NR_SAMPLE_FIELDS] = {
	[SAMPLE_FIELD_TIME] = put_time,	      [SAMPLE_FIELD_CPU] = put_cpu,
	[SAMPLE_FIELD_TID] = put_tid,	      [SAMPLE_FIELD_PID] = put_pid,
	[SAMPLE_FIELD_COMM] = put_comm,	      [SAMPLE_FIELD_EVENT] = put_event,
	[SAMPLE_FIELD_MODE] = put_mode,	      [SAMPLE_FIELD_IP] = put_ip,
	[SAMPLE_FIELD_SYMBOL] = put_symbol,   [SAMPLE_FIELD_OBJECT] = put_object,
	[SAMPLE_FIELD_LINE] = put_line,	      [SAMPLE_FIELD_ADDR] = put_addr,
	[SAMPLE_FIELD_DATA] = put_data,	      [SAMPLE_FIELD_WEIGHT] = put_weight,
	[SAMPLE_FIELD_SOURCE] = put_source,   [SAMPLE_FIELD_PERIOD] = put_period,
	[SAMPLE_FIELD_PRECISE] = put_precise, [SAMPLE_FIELD_TASK] = put_task,
};

const char *const *sample_column_names(void)
{
	return names;
}

void sample_field_text(const struct sample_printer *printer, enum sample_field field, size_t sample,
		       char text[SAMPLE_FIELD_BYTES])
{
	fields[field](printer, sample, text);
}

void sample_register_text(const struct sample_printer *printer, size_t reg, size_t sample,
			  char text[SAMPLE_FIELD_BYTES])
{
	const struct sample_table *samples = &printer->model->samples;
	size_t at = samples->first_reg[sample] + reg;

	if (at < samples->first_reg[sample + 1])
		put_address(text, samples->regs[at]);
	else
		copy_text(text, ABSENT);
}

bool sample_field_is_name(enum sample_field field)
{
	switch (field) {
	case SAMPLE_FIELD_COMM:
	case SAMPLE_FIELD_EVENT:
	case SAMPLE_FIELD_MODE:
	case SAMPLE_FIELD_SYMBOL:
	case SAMPLE_FIELD_OBJECT:
	case SAMPLE_FIELD_LINE:
	case SAMPLE_FIELD_DATA:
	case SAMPLE_FIELD_SOURCE:
	case SAMPLE_FIELD_TASK:
		return true;
	default:
		return false;
	}
}
