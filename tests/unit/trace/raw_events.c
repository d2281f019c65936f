// SPDX-License-Identifier: GPL-2.0
#include "raw_events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COMMON                                                                         \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"                     \
	"\n"

int set_up(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){ .strings = string_table_new() };
	fixture.decoder = decoder_new(fixture.strings, &fixture.counts, fixture.nr_damaged);
	decoder_add_format(fixture.decoder, "ftrace",
			   "name: raw_data\nID: 19\n" COMMON
			   "\tfield:unsigned int id;\toffset:8;\tsize:4;\tsigned:0;\n"
			   "\tfield:char buf[];\toffset:12;\tsize:0;\tsigned:0;\n");
	decoder_add_format(fixture.decoder, "sched",
			   "name: sched_process_exit\nID: 20\n" COMMON
			   "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n");
	*state = &fixture;
	return 0;
}

int tear_down(void **state)
{
	struct fixture *fixture = *state;

	decoder_free(fixture->decoder);
	string_table_free(fixture->strings);
	free(fixture->copy);
	return 0;
}

size_t decode_all(struct fixture *fixture, const void *data, size_t bytes,
		  struct trace_event *events, size_t max)
{
	struct raw_record record = { .time_ns = NOW_NS, .size = (uint32_t)bytes };
	size_t nr = 0;

	free(fixture->copy);
	fixture->copy = malloc(bytes);
	assert_non_null(fixture->copy);
	memcpy(fixture->copy, data, bytes);
	record.data = fixture->copy;
	do {
		assert_true(nr < max);
		if (decoder_decode(fixture->decoder, &record, &events[nr]))
			nr++;
	} while (decoder_wants_again(fixture->decoder));
	return nr;
}

struct batch_event batch_event(void)
{
	return (struct batch_event){
		.common = { .type = RAW_ID, .pid = 17 },
		.batch = { .head = { .id = ANNOT_RAW_ID,
				     .version = ANNOT_RAW_VERSION,
				     .kind = ANNOT_RAW_BATCH,
				     .process = PROCESS },
			   .tgid = 16,
			   .tid = 17,
			   .since = { .ticks = 1000, .ns = 100000 },
			   .until = { .ticks = 3000, .ns = 101000 } },
	};
}

void add(struct batch_event *event, uint64_t ticks, int64_t value, uint32_t name, uint8_t op,
	 uint8_t flags)
{
	event->records[event->batch.head.nr++] = (struct annot_raw_record){
		.ticks = ticks, .value = value, .name = name, .op = op, .flags = flags
	};
}

size_t size_of(const struct batch_event *event)
{
	return offsetof(struct batch_event, records) +
	       event->batch.head.nr * sizeof(event->records[0]);
}

size_t decode_batch(struct fixture *fixture, const struct batch_event *event,
		    struct trace_event *events, size_t max)
{
	return decode_all(fixture, event, size_of(event), events, max);
}

size_t put_name(uint8_t *at, uint32_t number, const char *text)
{
	struct annot_raw_name name = { .number = number, .nr_bytes = (uint8_t)strlen(text) };

	memcpy(at, &name, sizeof(name));
	memcpy(at + sizeof(name), text, name.nr_bytes);
	return sizeof(name) + name.nr_bytes;
}

struct pmu_names_event pmu_names_event(uint64_t process)
{
	return (struct pmu_names_event){ .common = { .type = RAW_ID, .pid = 17 },
					 .head = { .id = ANNOT_RAW_ID,
						   .version = ANNOT_RAW_VERSION,
						   .kind = ANNOT_RAW_NAMES,
						   .process = process } };
}

void tell_names(struct fixture *fixture, uint64_t process, const char *one, const char *two)
{
	struct pmu_names_event event = pmu_names_event(process);
	struct trace_event none;
	size_t bytes = 0;

	event.head.nr = 2;
	bytes += put_name(event.names, 1, one);
	bytes += put_name(event.names + bytes, 2, two);
	bytes += offsetof(struct pmu_names_event, names);
	/* The kernel rounds up. */
	assert_int_equal(decode_all(fixture, &event, (bytes + 3) / 4 * 4, &none, 1), 0);
}

void assert_annotation(const struct fixture *fixture, const struct trace_event *event,
		       enum trace_event_kind kind, uint64_t true_ns, const char *name)
{
	assert_int_equal(event->kind, kind);
	assert_int_equal(event->tid, 17);
	assert_int_equal(event->annot.owner_tid, 0);
	assert_int_equal(event->annot.tgid, 16);
	assert_int_equal(event->annot.true_ns, true_ns);
	if (name)
		assert_string_equal(string_table_get(fixture->strings, event->annot.name), name);
}

uint64_t nr_unreadable(const struct fixture *fixture)
{
	assert_int_equal(fixture->counts.nr_lost,
			 fixture->counts.nr_lost_by_reason[TRACE_ANNOTATION_UNREADABLE]);
	return fixture->counts.nr_lost;
}
