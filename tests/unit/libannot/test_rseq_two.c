// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/anon_rings.c */
/*
 * Two records that are stored in one sequence: both or none, with one time, and nothing between them, whatever
 * interrupts.
 */
#define ANNOT_RSEQ_ABORT_HOOK "lock incq nr_aborts(%%rip)\n\t"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <cmocka.h>

#include "annot/annot.h"
#include "anon_rings.h"

#ifdef ANNOT_RSEQ_TWO

#define OP (ANNOT_OP_MARK | ANNOT_OP_HAS_VALUE)
#define RECORD_BYTES sizeof(struct annot_record)
#define SMALL_RING_BYTES (8 * RECORD_BYTES)
#define LARGE_RING_BYTES (1u << 28)
#define NR_PAIRS 1000000
#define NEXT_VALUE INT64_C(0x123456789abc)

__attribute__((used)) uint64_t nr_aborts;

static struct annot_site site, next_site;
static struct annot_ring *ring;

/* The names have numbers then. */
static void make_ring(size_t nr_bytes)
{
	ring = anon_rings_record_here(nr_bytes);
	if (!ring) {
		print_message("# no restartable sequences\n");
		skip();
	}
	annot_put(&site, OP, "first", 0);
	annot_put(&next_site, OP, "second", 0);
	assert_int_equal(ring->head, 2 * RECORD_BYTES);
}

static int store(int64_t value)
{
	return annot_store_two(&site, value, &next_site, NEXT_VALUE, OP);
}

static void check_record(uint64_t position, const char *name, int64_t value)
{
	const struct annot_record *record = anon_ring_record(ring, position);

	assert_string_equal(anon_ring_name(record), name);
	assert_int_equal(record->value, value);
	assert_int_equal(record->op, ANNOT_OP_MARK);
	assert_int_equal(record->flags, ANNOT_RECORD_HAS_VALUE);
}

static void check_pair(uint64_t position, int64_t value)
{
	check_record(position, "first", value);
	check_record(position + RECORD_BYTES, "second", NEXT_VALUE);
	assert_int_equal(anon_ring_record(ring, position)->ticks,
			 anon_ring_record(ring, position + RECORD_BYTES)->ticks);
}

static void both_have_one_time(void **state)
{
	(void)state;
	make_ring(SMALL_RING_BYTES);
	assert_true(store(-5));
	assert_int_equal(ring->head, 4 * RECORD_BYTES);
	check_pair(2 * RECORD_BYTES, -5);
	assert_true(anon_ring_record(ring, RECORD_BYTES)->ticks <=
		    anon_ring_record(ring, 2 * RECORD_BYTES)->ticks);
}

static void one_place_is_none(void **state)
{
	(void)state;
	make_ring(SMALL_RING_BYTES);
	ring->limit = ring->head;
	assert_false(store(1));
	ring->limit = ring->head + RECORD_BYTES;
	assert_false(store(1));
	assert_int_equal(ring->head, 2 * RECORD_BYTES);
	ring->limit = ring->head + 2 * RECORD_BYTES;
	assert_true(store(1));
	assert_int_equal(ring->head, ring->limit);
}

/* The first is the last of the ring's memory, the second the first. */
static void a_ring_goes_round(void **state)
{
	(void)state;
	make_ring(SMALL_RING_BYTES);
	ring->head = SMALL_RING_BYTES - RECORD_BYTES;
	ring->limit = 2 * SMALL_RING_BYTES;
	assert_true(store(7));
	assert_int_equal(ring->head, SMALL_RING_BYTES + RECORD_BYTES);
	check_pair(SMALL_RING_BYTES - RECORD_BYTES, 7);
}

static void a_ring_that_is_due_takes_none(void **state)
{
	(void)state;
	make_ring(SMALL_RING_BYTES);
	ring->due = UINT64_MAX;
	assert_false(store(1));
	assert_int_equal(ring->head, 2 * RECORD_BYTES);
}

static void a_name_without_number_takes_none(void **state)
{
	struct annot_site unknown = { 0 };

	(void)state;
	make_ring(SMALL_RING_BYTES);
	assert_false(annot_store_two(&unknown, 1, &next_site, 1, OP));
	assert_false(annot_store_two(&site, 1, &unknown, 1, OP));
	assert_int_equal(ring->head, 2 * RECORD_BYTES);
}

static volatile int64_t nr_in_handler;

static void annotate_in_handler(int signal)
{
	static struct annot_site in_handler;

	(void)signal;
	annot_put(&in_handler, OP, "in handler", nr_in_handler++);
}

static void interrupt_every(suseconds_t us)
{
	const struct itimerval often = { { 0, us }, { 0, us } };

	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
}

static bool is_of_handler(uint64_t position)
{
	return !strcmp(anon_ring_name(anon_ring_record(ring, position)), "in handler");
}

/* Of some hundred interrupts, most come within the sequence: what else the loop does is little. */
static void nothing_comes_between(void **state)
{
	struct sigaction action = { .sa_handler = annotate_in_handler, .sa_flags = SA_RESTART };
	uint64_t position;
	int64_t i, nr_handled = 0, nr_pairs = 0;

	(void)state;
	make_ring(LARGE_RING_BYTES);
	sigaction(SIGALRM, &action, NULL);
	interrupt_every(100);
	for (i = 0; i < NR_PAIRS; i++)
		assert_true(store(i));
	interrupt_every(0);
	for (position = 2 * RECORD_BYTES; position < ring->head; position += RECORD_BYTES) {
		if (is_of_handler(position)) {
			check_record(position, "in handler", nr_handled++);
			continue;
		}
		check_pair(position, nr_pairs++);
		position += RECORD_BYTES;
	}
	print_message("# %lu sequences interrupted, %ld handlers annotated\n",
		      (unsigned long)nr_aborts, (long)nr_handled);
	assert_int_equal(nr_pairs, NR_PAIRS);
	assert_int_equal(nr_handled, nr_in_handler);
	assert_true(nr_aborts > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_have_one_time),
		cmocka_unit_test(one_place_is_none),
		cmocka_unit_test(a_ring_goes_round),
		cmocka_unit_test(a_ring_that_is_due_takes_none),
		cmocka_unit_test(a_name_without_number_takes_none),
		cmocka_unit_test(nothing_comes_between),
	};

	return cmocka_run_group_tests_name("rseq_two", tests, NULL, NULL);
}

#else

int main(void)
{
	print_message("1..0 # SKIP each record reads the clock here\n");
	return 0;
}

#endif
