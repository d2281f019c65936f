// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/trace/decoding.c */
/*
 * Records that another thread reads ahead are those that were written, in their order; comms, losses and failures too. And a
 * trace has the same events, whether it is read ahead or not.
 */
#include <glob.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "decoding.h"
#include "trace/decode/decode_sched.h"
#include "trace/record_ahead.h"
#include "trace/trace.h"
#include "util/diag.h"
#include "util/random.h"
#include "util/string_table.h"

#define PAGE_BYTES 4096u
#define PAGE_HEADER_BYTES 16u
#define NR_CPUS 3
#define NR_PAGES 800 /* of each CPU: more than is read ahead */
#define NR_COMMS 700 /* more than there are slots */
#define COMMIT_MISSED (1u << 31)
#define COMMIT_MISSED_KEPT (1u << 30)

#define SWITCH_ID 300
#define WAKEUP_ID 301
#define OTHER_ID 7 /* of no format */
#define OTHER_BYTES 104 /* of such a record, at most, behind its head */

#define SWITCH_FORMAT                                                                             \
	FORMAT("sched_switch", 300,                                                               \
	       FIELD("char prev_comm[16]", 8, 16) FIELD("pid_t prev_pid", 24, 4)                  \
		       FIELD("int prev_prio", 28, 4) FIELD("long prev_state", 32, 8)              \
			       FIELD("char next_comm[16]", 40, 16) FIELD("pid_t next_pid", 56, 4) \
				       FIELD("int next_prio", 60, 4))
#define WAKEUP_FORMAT                                                                           \
	FORMAT("sched_wakeup", 301,                                                             \
	       FIELD("char comm[16]", 8, 16) FIELD("pid_t pid", 24, 4) FIELD("int prio", 28, 4) \
		       FIELD("int target_cpu", 32, 4))

/* What was written. */
struct written {
	uint64_t time_ns;
	uint64_t lost_since_ns;
	uint64_t nr_missed;
	int cpu;
	uint16_t id;
	bool missed;
	uint32_t size;
	uint32_t comms[2]; /* numbers */
	uint8_t bytes[OTHER_BYTES + 8];
};

struct made {
	struct trace_file file;
	uint8_t *bytes;
	struct cpu_data cpus[NR_CPUS];
	size_t nr;
	size_t capacity;
	struct written *written; /* in the order in which they come */
};

static void comm_name(uint32_t number, char name[COMM_BYTES])
{
	memset(name, 0, COMM_BYTES);
	snprintf(name, COMM_BYTES, "comm-%u", number);
}

static void put_u32(uint8_t *bytes, size_t at, uint32_t value)
{
	memcpy(bytes + at, &value, sizeof(value));
}

/* A record of any kind; comms are drawn, so that many share a slot. */
static void draw_record(struct random *random, struct written *record)
{
	static const uint16_t ids[] = { SWITCH_ID, SWITCH_ID, SWITCH_ID, WAKEUP_ID, OTHER_ID };

	memset(record->bytes, 0, sizeof(record->bytes));
	record->id = ids[random_below(random, 5)];
	memcpy(record->bytes, &record->id, sizeof(record->id));
	put_u32(record->bytes, 4, 1000 + (uint32_t)random_below(random, 1000));
	for (int i = 0; i < 2; i++)
		record->comms[i] = (uint32_t)random_below(random, NR_COMMS);
	record->size = 8 + 4 * (uint32_t)random_below(random, OTHER_BYTES / 4);
	if (record->id == OTHER_ID)
		return;
	comm_name(record->comms[0], (char *)record->bytes + 8);
	put_u32(record->bytes, 24, 2000 + record->comms[0]);
	put_u32(record->bytes, 32, (uint32_t)random_below(random, 4));
	record->size = 36;
	if (record->id != SWITCH_ID)
		return;
	comm_name(record->comms[1], (char *)record->bytes + 40);
	put_u32(record->bytes, 56, 2000 + record->comms[1]);
	put_u32(record->bytes, 60, 120);
	record->size = 64;
}

static struct written *add_written(struct made *made)
{
	if (made->nr == made->capacity) {
		made->capacity = made->capacity * 2 + 1024;
		made->written = realloc(made->written, made->capacity * sizeof(*made->written));
		assert_non_null(made->written);
	}
	memset(&made->written[made->nr], 0, sizeof(*made->written));
	return &made->written[made->nr++];
}

/* Returns the time of its last record. Every tenth page says that events are lost before it. */
static uint64_t fill_page(struct made *made, struct random *random, int cpu, int number,
			  uint64_t last_ns)
{
	uint8_t *page = made->bytes + ((size_t)cpu * NR_PAGES + (size_t)number) * PAGE_BYTES;
	uint64_t time_ns = last_ns + 1 + random_below(random, 100), commit = 0, before_ns = last_ns;
	bool missed = number % 10 == 9;

	memcpy(page, &time_ns, sizeof(time_ns));
	while (commit + 4 + OTHER_BYTES + 8 + 8 < PAGE_BYTES - PAGE_HEADER_BYTES) {
		struct written *record = add_written(made);
		uint32_t delta = 1 + (uint32_t)random_below(random, 50), head;

		draw_record(random, record);
		head = delta << 5 | record->size / 4;
		memcpy(page + PAGE_HEADER_BYTES + commit, &head, sizeof(head));
		memcpy(page + PAGE_HEADER_BYTES + commit + 4, record->bytes, record->size);
		commit += 4 + record->size;
		time_ns += delta;
		record->time_ns = time_ns;
		record->cpu = cpu;
		record->missed = missed;
		record->nr_missed = missed ? (uint64_t)number : 0;
		record->lost_since_ns = missed ? before_ns : 0;
		missed = false;
		before_ns = time_ns;
	}
	if (number % 10 == 9) {
		uint64_t nr_missed = (uint64_t)number;

		memcpy(page + PAGE_HEADER_BYTES + commit, &nr_missed, sizeof(nr_missed));
		commit |= COMMIT_MISSED | COMMIT_MISSED_KEPT;
	}
	memcpy(page + 8, &commit, sizeof(commit));
	return time_ns;
}

static int by_time(const void *a, const void *b)
{
	const struct written *first = a, *second = b;

	if (first->time_ns != second->time_ns)
		return first->time_ns < second->time_ns ? -1 : 1;
	return first->cpu - second->cpu;
}

static struct made make(void)
{
	struct random random = { 7 };
	struct made made = { .bytes = calloc(NR_CPUS * NR_PAGES, PAGE_BYTES) };

	assert_non_null(made.bytes);
	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		uint64_t time_ns = 1000;

		for (int page = 0; page < NR_PAGES; page++)
			time_ns = fill_page(&made, &random, cpu, page, time_ns);
		made.cpus[cpu] = (struct cpu_data){
			.cpu = cpu,
			.page_bytes = PAGE_BYTES,
			.offset = (uint64_t)cpu * NR_PAGES * PAGE_BYTES,
			.size = NR_PAGES * PAGE_BYTES,
		};
	}
	qsort(made.written, made.nr, sizeof(*made.written), by_time);
	return made;
}

static void open_made(struct made *made)
{
	made->file = (struct trace_file){
		.path = "test.dat",
		.fd = memfd_create("pages", 0),
		.size = NR_CPUS * NR_PAGES * PAGE_BYTES,
		.commit_bytes = 8,
		.page_header_bytes = PAGE_HEADER_BYTES,
		.nr_cpus = NR_CPUS,
		.cpus = made->cpus,
	};
	assert_true(made->file.fd >= 0);
	assert_int_equal(write(made->file.fd, made->bytes, made->file.size), made->file.size);
	decoding_begin();
	decoder_add_format(decoder, "sched", SWITCH_FORMAT);
	decoder_add_format(decoder, "sched", WAKEUP_FORMAT);
}

static void close_made(struct made *made)
{
	close(made->file.fd);
	free(made->bytes);
	free(made->written);
}

/* Interns what a record says that comes as it is. */
static void take_comms(struct record_ahead *ahead, const struct ahead_entry *entry)
{
	struct raw_record raw = record_ahead_raw(ahead);
	struct trace_event event = { 0 };

	if (entry->slots[0] == AHEAD_NO_SLOT)
		return;
	assert_true(decoder_decode(decoder, &raw, &event));
	if (event.kind == TRACE_WAKEUP) {
		record_ahead_set_comm(ahead, entry->slots[0], event.wakeup.comm);
		return;
	}
	record_ahead_set_comm(ahead, entry->slots[0], event.sw.prev_comm);
	record_ahead_set_comm(ahead, entry->slots[1], event.sw.next_comm);
}

static void check_comm(const struct record_ahead *ahead, uint16_t slot, uint32_t number)
{
	char name[COMM_BYTES];

	comm_name(number, name);
	assert_string_equal(string_table_get(strings, record_ahead_comm(ahead, slot)), name);
}

static void check_raw(struct record_ahead *ahead, const struct ahead_entry *entry,
		      const struct written *written)
{
	struct raw_record raw = record_ahead_raw(ahead);

	assert_int_equal(raw.size, written->size);
	assert_memory_equal(raw.data, written->bytes, written->size);
	assert_int_equal(raw.missed, written->missed);
	assert_int_equal(raw.nr_missed, written->nr_missed);
	if (written->missed)
		assert_int_equal(record_ahead_lost_since_ns(ahead), written->lost_since_ns);
	take_comms(ahead, entry);
}

static void check_plain(struct record_ahead *ahead, const struct ahead_entry *entry,
			const struct written *written)
{
	bool is_switch = written->id == SWITCH_ID;

	assert_false(written->missed);
	assert_int_equal(entry->plain.kind, is_switch ? PLAIN_SWITCH : PLAIN_WAKEUP);
	assert_int_equal(entry->plain.other_tid, 2000 + (int)written->comms[is_switch]);
	check_comm(ahead, entry->slots[0], written->comms[0]);
	if (is_switch)
		check_comm(ahead, entry->slots[1], written->comms[1]);
}

static void check_entry(struct record_ahead *ahead, const struct ahead_entry *entry,
			const struct written *written)
{
	assert_int_equal(entry->time_ns, written->time_ns);
	assert_int_equal(entry->cpu, written->cpu);
	if (entry->plain.kind == PLAIN_NONE)
		check_raw(ahead, entry, written);
	else
		check_plain(ahead, entry, written);
}

/* Returns how many came; of these, plain ones in @nr_plain. */
static size_t read_made(struct made *made, int *status, size_t *nr_plain)
{
	const struct ahead_entry *entry;
	struct record_ahead *ahead;
	struct merge merge;
	size_t nr = 0;

	*nr_plain = 0;
	assert_int_equal(merge_open(&merge, &made->file, 0), 0);
	ahead = record_ahead_new(&merge, decoder);
	assert_non_null(ahead);
	/* Until it has filled all that it may. */
	usleep(200000);
	while ((entry = record_ahead_head(ahead, status))) {
		assert_true(nr < made->nr);
		*nr_plain += entry->plain.kind != PLAIN_NONE;
		check_entry(ahead, entry, &made->written[nr++]);
		record_ahead_advance(ahead);
	}
	record_ahead_free(ahead);
	merge_close(&merge);
	return nr;
}

static void test_whole(void **state)
{
	struct made made = make();
	size_t nr_plain;
	int status;

	(void)state;
	open_made(&made);
	assert_int_equal(read_made(&made, &status, &nr_plain), made.nr);
	assert_int_equal(status, 0);
	/* Of 700 comms, 256 have a slot at any time: a switch whose two are there comes decoded. */
	assert_true(nr_plain > made.nr / 20);
	close_made(&made);
}

/* The number of records before a failure, and the line, without reading ahead. */
static size_t fail_now(struct made *made, char *said, size_t bytes)
{
	FILE *errors = fmemopen(said, bytes, "w");
	struct merge merge;
	size_t nr = 0;

	diag_divert_errors(errors);
	assert_int_equal(merge_open(&merge, &made->file, 0), 0);
	do
		nr++;
	while (!merge_advance(&merge));
	merge_close(&merge);
	diag_divert_errors(NULL);
	fclose(errors);
	return nr;
}

/* The line comes when the records before it were taken, and only then. */
static void test_damaged(void **state)
{
	struct made made = make();
	uint64_t too_long = PAGE_BYTES;
	char expected[256] = "", said[256] = "";
	const struct ahead_entry *entry;
	struct record_ahead *ahead;
	struct merge merge;
	size_t nr = 0, nr_expected;
	FILE *errors;
	int status;

	(void)state;
	memcpy(made.bytes + (NR_PAGES + 1) * PAGE_BYTES + 8, &too_long, sizeof(too_long));
	open_made(&made);
	nr_expected = fail_now(&made, expected, sizeof(expected));
	assert_int_equal(merge_open(&merge, &made.file, 0), 0);
	errors = fmemopen(said, sizeof(said), "w");
	diag_divert_errors(errors);
	ahead = record_ahead_new(&merge, decoder);
	while ((entry = record_ahead_head(ahead, &status))) {
		check_entry(ahead, entry, &made.written[nr++]);
		record_ahead_advance(ahead);
		fflush(errors);
		assert_string_equal(said, "");
	}
	diag_divert_errors(NULL);
	fclose(errors);
	assert_int_equal(status, -1);
	assert_int_equal(nr, nr_expected);
	assert_string_equal(said, expected);
	record_ahead_free(ahead);
	merge_close(&merge);
	close_made(&made);
}

/* Whoever stops early waits for nothing. */
static void test_not_read_to_the_end(void **state)
{
	static const size_t stops[] = { 0, 1, 1024, 3000 };
	struct made made = make();

	(void)state;
	open_made(&made);
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++) {
		struct record_ahead *ahead;
		struct merge merge;
		int status;

		assert_int_equal(merge_open(&merge, &made.file, 0), 0);
		ahead = record_ahead_new(&merge, decoder);
		for (size_t at = 0; at < stops[i]; at++) {
			assert_non_null(record_ahead_head(ahead, &status));
			record_ahead_advance(ahead);
		}
		record_ahead_free(ahead);
		merge_close(&merge);
	}
	close_made(&made);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 0x9e3779b97f4a7c15ull + (hash >> 32);
}

static uint64_t mix_event(uint64_t hash, const struct trace *trace, const struct trace_event *event)
{
	struct trace_record record;

	hash = mix(mix(hash, event->time_ns), (uint64_t)event->kind);
	hash = mix(mix(hash, (uint64_t)event->cpu), (uint64_t)event->tid);
	if (event->kind == TRACE_SWITCH)
		return mix(mix(hash, event->sw.prev_comm),
			   mix(event->sw.next_comm, event->sw.reason));
	if (event->kind == TRACE_WAKEUP || event->kind == TRACE_WAKING)
		return mix(mix(hash, event->wakeup.comm), (uint64_t)event->wakeup.target_cpu);
	if (event->kind == TRACE_LOST)
		return mix(mix(hash, event->lost.since_ns), event->lost.nr_events);
	assert_true(trace_record(trace, &record));
	hash = mix(mix(hash, record.type), record.size);
	for (uint32_t i = 0; i < record.size; i++)
		hash = mix(hash, record.data[i]);
	return hash;
}

/* Of all that is in a trace. */
static uint64_t hash_of_trace(const char *path)
{
	struct trace_event event = { 0 };
	struct trace *trace;
	uint64_t hash = 0;

	assert_int_equal(trace_open(path, &trace), 0);
	while (trace_next(trace, &event) > 0)
		hash = mix_event(hash, trace, &event);
	hash = mix(hash, trace_info(trace)->nr_events);
	hash = mix(mix(hash, trace_info(trace)->nr_lost_gaps), trace_nr_strings(trace));
	for (uint32_t id = 0; id < trace_nr_strings(trace); id++) {
		for (const char *at = trace_string(trace, id); *at; at++)
			hash = mix(hash, (uint64_t)*at);
	}
	trace_close(trace);
	return hash;
}

/* One core: nothing is read ahead. */
static uint64_t hash_on_one_core(const char *path)
{
	cpu_set_t all, one;
	uint64_t hash;

	CPU_ZERO(&one);
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	for (int cpu = 0; !CPU_COUNT(&one); cpu++) {
		if (CPU_ISSET(cpu, &all))
			CPU_SET(cpu, &one);
	}
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	hash = hash_of_trace(path);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	return hash;
}

static void test_traces(void **state)
{
	glob_t found = { 0 };

	(void)state;
	assert_int_equal(glob("tests/data/*.dat", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		assert_int_equal(hash_of_trace(found.gl_pathv[i]),
				 hash_on_one_core(found.gl_pathv[i]));
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_whole, decoding_end),
		cmocka_unit_test_teardown(test_damaged, decoding_end),
		cmocka_unit_test_teardown(test_not_read_to_the_end, decoding_end),
		cmocka_unit_test(test_traces),
	};

	alarm(120);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
