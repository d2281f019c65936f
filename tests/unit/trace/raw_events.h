/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of trace_marker_raw by hand, and what the decoder makes of them.
 */
#ifndef TESTS_RAW_EVENTS_H
#define TESTS_RAW_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/annot_raw.h"
#include "trace/decode/decoder.h"

#define RAW_ID 19
#define EXIT_ID 20
#define NOW_NS 5000000u
#define PROCESS 0x1122334455667788ull
#define OTHER_PROCESS 0x1122334455667789ull
#define MAX_RECORDS 125

struct common {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
};

/* As it stands in the ring buffer: packed, since the id does not begin at a multiple of 8. */
struct batch_event {
	struct common common;
	struct annot_raw_batch batch;
	struct annot_raw_record records[MAX_RECORDS];
} __attribute__((packed));

struct pmu_names_event {
	struct common common;
	struct annot_raw_head head;
	uint8_t names[1024];
} __attribute__((packed));

struct fixture {
	struct string_table *strings;
	struct decoder *decoder;
	struct trace_annotation_counts counts;
	uint64_t nr_damaged[NR_TRACE_DAMAGES];
	uint8_t *copy; /* of the record, as long as it says: a tool sees what is read beyond */
};

/* Of each test: cmocka_unit_test_setup_teardown(). */
int set_up(void **state);
int tear_down(void **state);

/* All that is in one record of @bytes bytes: at most @max events. Returns how many. */
size_t decode_all(struct fixture *fixture, const void *data, size_t bytes,
		  struct trace_event *events, size_t max);

/* Written by thread 17; 2 ticks are 1 ns. */
struct batch_event batch_event(void);
void add(struct batch_event *event, uint64_t ticks, int64_t value, uint32_t name, uint8_t op,
	 uint8_t flags);
size_t size_of(const struct batch_event *event);
size_t decode_batch(struct fixture *fixture, const struct batch_event *event,
		    struct trace_event *events, size_t max);

struct pmu_names_event pmu_names_event(uint64_t process);
size_t put_name(uint8_t *at, uint32_t number, const char *text);
void tell_names(struct fixture *fixture, uint64_t process, const char *one, const char *two);

void assert_annotation(const struct fixture *fixture, const struct trace_event *event,
		       enum trace_event_kind kind, uint64_t true_ns, const char *name);

/* How many were counted so; none for other reasons. */
uint64_t nr_unreadable(const struct fixture *fixture);

#endif /* TESTS_RAW_EVENTS_H */
