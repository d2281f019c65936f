// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Rows of events that nothing decodes: all of them, in time order, each with its own text, in the window
 * where it belongs; of the types with the fewest events where there is a limit, and what is left out is
 * told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "events.h"
#include "model/builder_state.h"
#include "model/event_rows.h"
#include "model/event_source.h"
#include "model/window/clip.h"
#include "model/window/window.h"
#include "util/string_table.h"

#define MAX_ROWS 20000
#define MAX_TYPES 64
#define NAME_OF_TYPE 1000 /* is that of type 0 */
#define UNWANTED_TYPE 60
#define LONG_TYPE 61
#define FLUSH_AFTER 7

/* An event as it was fed, or a row as it was got. */
struct told {
	uint64_t time_ns;
	int32_t thread; /* index; -1: none */
	int cpu;
	uint16_t type;
	int number;
};

static struct told fed[MAX_ROWS], got[MAX_ROWS];
static int nr_fed, nr_got, nr_in_windows, nr_windows;
static uint64_t nr_of_type[MAX_TYPES], left_out[MAX_TYPES], last_left_out;

/* What the printer was given, and has not printed. */
static int numbers_waiting[MAX_ROWS], nr_waiting, nr_flushes;

static uint32_t source_name(void *context, uint16_t type)
{
	(void)context;
	return NAME_OF_TYPE + type;
}

static bool source_is_wanted(void *context, uint16_t type)
{
	(void)context;
	return type != UNWANTED_TYPE;
}

/* The record of event n is the number n. */
static bool source_record(void *context, struct trace_record *record)
{
	static int number;

	(void)context;
	number = nr_fed - 1;
	*record = (struct trace_record){
		.type = fed[number].type,
		.buffer = "",
		.data = (const uint8_t *)&number,
		.size = sizeof(number),
	};
	return true;
}

static bool source_add(void *context, uint64_t time_ns, int cpu, const struct trace_record *record)
{
	int number;

	(void)context;
	memcpy(&number, record->data, sizeof(number));
	assert_int_equal(record->size, sizeof(number));
	assert_int_equal(record->type, fed[number].type);
	assert_int_equal(time_ns, fed[number].time_ns);
	assert_int_equal(cpu, fed[number].cpu);
	assert_true(nr_waiting < MAX_ROWS);
	numbers_waiting[nr_waiting++] = number;
	return nr_waiting == FLUSH_AFTER;
}

static void source_flush(void *context, event_text_fn *take, void *taker)
{
	char text[2 * EVENT_MOST_TEXT_BYTES];

	(void)context;
	nr_flushes++;
	for (int i = 0; i < nr_waiting; i++) {
		int number = numbers_waiting[i];

		snprintf(text, sizeof(text), "event %d", number);
		if (fed[number].type == LONG_TYPE) {
			/* What stands at the limit has two bytes. */
			memset(text, 'x', sizeof(text));
			memcpy(text + EVENT_MOST_TEXT_BYTES - 1, "\303\274", 3);
		}
		take(taker, text);
	}
	nr_waiting = 0;
}

static void source_left_out(void *context, uint16_t type, uint64_t nr)
{
	(void)context;
	assert_true(nr <= last_left_out);
	last_left_out = nr;
	left_out[type] = nr;
}

static struct event_source source_of(uint64_t most_rows)
{
	return (struct event_source){
		.name = source_name,
		.is_wanted = source_is_wanted,
		.record = source_record,
		.add = source_add,
		.flush = source_flush,
		.left_out = source_left_out,
		.most_rows = most_rows,
	};
}

static void collect(const struct event_table *events, uint64_t from_ns, uint64_t to_ns)
{
	for (size_t i = 0; i < events->nr; i++) {
		const char *text = string_table_get(events->texts, events->text[i]);
		struct told *row = &got[nr_got++];

		assert_true(nr_got <= MAX_ROWS);
		assert_in_range(events->time_ns[i], from_ns, to_ns);
		assert_true(!i || events->time_ns[i] >= events->time_ns[i - 1]);
		row->time_ns = events->time_ns[i];
		row->thread = events->thread[i] == MODEL_NO_THREAD ? -1 :
								     (int32_t)events->thread[i];
		row->cpu = events->cpu[i];
		row->type = (uint16_t)(events->name[i] - NAME_OF_TYPE);
		row->number = -1;
		if (row->type != LONG_TYPE)
			assert_int_equal(sscanf(text, "event %d", &row->number), 1);
		else
			assert_int_equal(strlen(text), EVENT_MOST_TEXT_BYTES - 1 + strlen("..."));
	}
}

static void take(void *context, const struct model *window, uint64_t from_ns, uint64_t to_ns)
{
	(void)context;
	nr_windows++;
	nr_in_windows += (int)window->events.nr;
	collect(&window->events, from_ns, to_ns);
}

/* Before any event, so that the model's times are the trace's. */
static void feed_first(void)
{
	feed_switch_at(0, 0, 0, 100, TRACE_OUT_SLEEPING);
	feed_switch_at(0, 1, 0, 200, TRACE_OUT_SLEEPING);
}

static void feed_event(struct model_builder *builder, uint64_t time_ns, int cpu, int32_t tid,
		       uint16_t type)
{
	struct trace_event event = {
		.time_ns = time_ns,
		.kind = TRACE_OTHER,
		.cpu = cpu,
		.tid = tid,
		.other = { .type = type },
	};

	assert_true(nr_fed < MAX_ROWS);
	fed[nr_fed] = (struct told){
		.time_ns = time_ns,
		.thread = tid / 100 - 1,
		.cpu = cpu,
		.type = type,
		.number = nr_fed,
	};
	nr_fed++;
	nr_of_type[type]++;
	model_builder_feed(builder, &event);
}

static void begin(void)
{
	nr_fed = nr_got = nr_waiting = nr_flushes = nr_in_windows = nr_windows = 0;
	last_left_out = UINT64_MAX;
	memset(nr_of_type, 0, sizeof(nr_of_type));
	memset(left_out, 0, sizeof(left_out));
}

/* Calls @feed between the first events and the end; the rest is freed. */
static void run(const struct event_source *source, size_t nr_events_each,
		void (*feed)(struct model_builder *builder))
{
	const struct model_sink sink = { .take = take, .events = source };
	struct model_windows windows = { .sink = &sink, .nr_events_each = nr_events_each };
	struct model_builder *builder = script_begin();
	struct model *rest;

	begin();
	model_builder_use_windows(builder, &windows);
	feed_first();
	feed(builder);
	rest = model_builder_finish(builder);
	collect(&rest->events, 0, rest->duration_ns);
	for (size_t i = 0; i < rest->nr_left_out_events; i++) {
		const struct left_out_event *own = &rest->left_out_events[i];

		assert_int_equal(own->nr, left_out[own->name - NAME_OF_TYPE]);
	}
	model_free(rest);
}

static int compare_rows(const void *a, const void *b)
{
	const struct told *first = a, *second = b;

	if (first->time_ns != second->time_ns)
		return first->time_ns < second->time_ns ? -1 : 1;
	return first->number - second->number;
}

/* The rows are those events of the types that are not left out, each once and unchanged. */
static void expect_rows(void)
{
	int at = 0;

	qsort(got, (size_t)nr_got, sizeof(got[0]), compare_rows);
	for (int i = 0; i < nr_fed; i++) {
		if (left_out[fed[i].type])
			continue;
		assert_true(at < nr_got);
		assert_memory_equal(&got[at], &fed[i], sizeof(got[at]));
		at++;
	}
	assert_int_equal(at, nr_got);
	for (int type = 0; type < MAX_TYPES; type++)
		assert_true(!left_out[type] || left_out[type] == nr_of_type[type]);
}

/* Events of idle, too, and several at once. */
static void feed_many(struct model_builder *builder)
{
	uint64_t now_ns = 10;

	for (int i = 0; i < 5000; i++) {
		int cpu = i % 2;

		now_ns += (uint64_t)(i % 3);
		feed_event(builder, now_ns, cpu, cpu ? 200 : 100, (uint16_t)(i % 11));
	}
}

static void test_all(void **state)
{
	struct event_source source = source_of(UINT64_MAX);

	(void)state;
	run(&source, 1 << 20, feed_many);
	assert_int_equal(nr_windows, 1);
	assert_int_equal(nr_got, 5000);
	assert_true(nr_flushes > 5000 / FLUSH_AFTER - 2);
	expect_rows();
}

static void test_all_in_windows(void **state)
{
	struct event_source source = source_of(UINT64_MAX);

	(void)state;
	run(&source, 100, feed_many);
	assert_true(nr_windows > 40);
	assert_int_equal(nr_in_windows, 5000);
	expect_rows();
}

static void feed_idle(struct model_builder *builder)
{
	feed_event(builder, 10, 0, 100, 1);
	feed_switch_at(20, 0, 100, 0, TRACE_OUT_SLEEPING);
	feed_event(builder, 30, 0, 0, 1);
}

static void test_idle(void **state)
{
	struct event_source source = source_of(UINT64_MAX);

	(void)state;
	run(&source, 100, feed_idle);
	assert_int_equal(nr_got, 2);
	assert_int_equal(got[1].thread, -1);
	expect_rows();
}

/* Type i has 10 * (i + 1) events, in any order. */
static void feed_staircase(struct model_builder *builder)
{
	int left[8], nr_left = 0;
	uint64_t now_ns = 10;

	for (int type = 0; type < 8; type++)
		nr_left += left[type] = 10 * (type + 1);
	while (nr_left) {
		int type = (int)((now_ns * 2654435761u >> 7) % 8);

		now_ns++;
		if (!left[type])
			continue;
		left[type]--;
		nr_left--;
		feed_event(builder, now_ns, 0, 100, (uint16_t)type);
	}
}

/* The longest row of the fewest that fits, whatever the limit is. */
static void test_fewest_first(void **state)
{
	(void)state;
	for (uint64_t most = 0; most <= 370; most++) {
		struct event_source source = source_of(most);
		uint64_t nr = 0;
		int nr_types = 0;

		while (nr_types < 8 && nr + 10 * ((uint64_t)nr_types + 1) <= most)
			nr += 10 * (uint64_t)++nr_types;
		run(&source, most % 2 ? 1 << 20 : 50, feed_staircase);
		expect_rows();
		/* So few are kept that some types are given up early. */
		if (most < 100) {
			assert_true(nr_got <= (int)nr);
			continue;
		}
		assert_int_equal(nr_got, nr);
		for (int type = 0; type < 8; type++)
			assert_int_equal(left_out[type], type < nr_types ? 0 : nr_of_type[type]);
	}
}

/* With a limit, rows are in the rest if there are windows, else in the only one. */
static void test_limit_in_windows(void **state)
{
	struct event_source source = source_of(100);

	(void)state;
	run(&source, 50, feed_staircase);
	assert_true(nr_windows > 5);
	assert_int_equal(nr_in_windows, 0);
	assert_int_equal(nr_got, 100);
	run(&source, 1 << 20, feed_staircase);
	assert_int_equal(nr_windows, 1);
	assert_int_equal(nr_in_windows, 100);
}

/* A flood does not take the place of what comes once. */
static void feed_flood(struct model_builder *builder)
{
	for (int i = 0; i < 15000; i++) {
		uint16_t type = i % 1000 == 500 ? 1 : 2 + (uint16_t)(i % 2);

		feed_event(builder, (uint64_t)i + 10, 0, 100, type);
	}
}

static void test_flood(void **state)
{
	struct event_source source = source_of(20);

	(void)state;
	run(&source, 1 << 20, feed_flood);
	assert_int_equal(nr_got, 15);
	assert_int_equal(left_out[2] + left_out[3], 15000 - 15);
	expect_rows();
}

static void feed_unwanted(struct model_builder *builder)
{
	feed_event(builder, 10, 0, 100, 1);
	feed_event(builder, 11, 0, 100, UNWANTED_TYPE);
	feed_event(builder, 12, 0, 100, LONG_TYPE);
	feed_event(builder, 13, 0, 100, UNWANTED_TYPE);
}

static void test_unwanted(void **state)
{
	struct event_source source = source_of(UINT64_MAX);

	(void)state;
	run(&source, 100, feed_unwanted);
	assert_int_equal(left_out[UNWANTED_TYPE], 2);
	assert_int_equal(nr_got, 2);
	source = source_of(100);
	run(&source, 100, feed_unwanted);
	assert_int_equal(left_out[UNWANTED_TYPE], 2);
	assert_int_equal(nr_got, 2);
}

static void test_no_source(void **state)
{
	(void)state;
	run(NULL, 100, feed_many);
	assert_int_equal(nr_got, 0);
	assert_int_equal(nr_flushes, 0);
}

/* Only what is in the clip counts, for the limit, too. */
static void test_clip(void **state)
{
	static const bool cpus[] = { true, false };
	static const uint32_t index[] = { MODEL_NO_THREAD, 0 };
	struct clip clip = { .from_ns = 1000, .to_ns = 2000, .cpus = cpus };
	struct event_source source = source_of(UINT64_MAX);
	int nr_wanted = 0;

	(void)state;
	clip.nr_index = 2;
	clip.index = (const uint32_t[]){ 0, 1 };
	source.clip = &clip;
	run(&source, 100, feed_many);
	for (int i = 0; i < nr_fed; i++)
		nr_wanted += fed[i].cpu == 0 && fed[i].time_ns >= 1000 && fed[i].time_ns < 2000;
	assert_true(nr_wanted > 100);
	assert_int_equal(nr_got, nr_wanted);
	source.most_rows = (uint64_t)nr_wanted;
	run(&source, 100, feed_many);
	assert_int_equal(nr_got, nr_wanted);
	/* Of the second thread alone, which runs on the other CPU. */
	clip.index = index;
	run(&source, 100, feed_many);
	assert_int_equal(nr_got, 0);
	clip.cpus = NULL;
	run(&source, 100, feed_many);
	assert_true(nr_got > 100);
	for (int i = 0; i < nr_got; i++)
		assert_int_equal(got[i].thread, 1);
}

static void feed_idle_and_thread(struct model_builder *builder)
{
	feed_switch_at(20, 0, 100, 0, TRACE_OUT_SLEEPING);
	feed_event(builder, 30, 0, 0, 1);
	feed_event(builder, 40, 1, 200, 1);
}

/* Whoever asks for threads does not ask for idle. */
static void test_clip_of_idle(void **state)
{
	struct clip clip = { .to_ns = 2000, .nr_index = 2, .index = (const uint32_t[]){ 0, 1 } };
	struct event_source source = source_of(UINT64_MAX);

	(void)state;
	source.clip = &clip;
	run(&source, 100, feed_idle_and_thread);
	assert_int_equal(nr_got, 2);
	clip.chosen = true;
	run(&source, 100, feed_idle_and_thread);
	assert_int_equal(nr_got, 1);
	assert_int_equal(got[0].thread, 1);
}

/* The clock of the trace runs on over a loss, and never back. */
static void feed_losses(struct model_builder *builder)
{
	feed_event(builder, 10, 0, 100, 1);
	feed_lost_at(50, 0, 20, 3);
	feed_event(builder, 50, 0, 300, 2);
	feed_lost_at(60, 1, 55, 0);
	feed_event(builder, 70, 1, 200, 3);
}

static void test_losses(void **state)
{
	struct event_source source = source_of(UINT64_MAX);

	(void)state;
	run(&source, 2, feed_losses);
	assert_int_equal(nr_got, 3);
	/* A thread that is first seen by an event is known from then on. */
	assert_int_equal(got[1].thread, 2);
	expect_rows();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_all_in_windows),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_fewest_first),
		cmocka_unit_test(test_limit_in_windows),
		cmocka_unit_test(test_flood),
		cmocka_unit_test(test_unwanted),
		cmocka_unit_test(test_no_source),
		cmocka_unit_test(test_clip),
		cmocka_unit_test(test_clip_of_idle),
		cmocka_unit_test(test_losses),
	};

	return cmocka_run_group_tests_name("event rows", tests, NULL, NULL);
}
