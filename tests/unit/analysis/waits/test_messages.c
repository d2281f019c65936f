// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/named_events.c */
/*
 * Messages between two ranks, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../../libannot/attach/mpi/mpi_message.h"
#include "analysis/waits/messages.h"
#include "named_events.h"

/* A call from @from_ns to @to_ns of rank @rank, which tells @note about a message with @partner at its end. */
static void call(int rank, uint64_t from_ns, uint64_t to_ns, const char *note, int partner, int tag,
		 uint64_t bytes)
{
	feed_named_of(rank ? NAMED_SECOND_TID : NAMED_FIRST_TID);
	if (note[1] == 's')
		feed_named_at(from_ns, 0, TRACE_SPAN_BEGIN, "MPI_Send", 0);
	else
		feed_named_wait_begin_at(from_ns, 0, "MPI_Recv", 0);
	feed_named_at(to_ns, 0, TRACE_MARK, note, mpi_message_value(partner, tag, bytes));
	feed_named_at(to_ns, 0, TRACE_SPAN_END, NULL, 0);
}

static void begin(void)
{
	named_begin();
	feed_named_at(1000, 0, TRACE_MARK, "@rank", 0);
	feed_named_of(NAMED_SECOND_TID);
	feed_named_at(1000, 0, TRACE_MARK, "@rank", 1);
}

static void test_pairs(void **state)
{
	struct messages messages;
	struct findings findings;
	struct model *model;

	(void)state;
	begin();
	/* Sent before they are wanted, with tags that come in another order; then one that is late by 3000. */
	call(0, 2000, 2100, "@send", 1, 7, 1000);
	call(0, 2200, 2300, "@send", 1, 8, 3000000);
	call(1, 2500, 2600, "@recv", 0, 8, 3000000);
	call(1, 2600, 2700, "@recv", 0, 7, 1000);
	call(1, 3000, 6200, "@recv", 0, 7, 500);
	call(0, 6000, 6100, "@send", 1, 7, 500);
	/* And one back. */
	call(1, 7000, 7010, "@send", 0, 7, 0);
	call(0, 7000, 7050, "@recv", 1, 7, 0);
	model = named_end(10000);
	messages = messages_compute(model);
	assert_int_equal(messages.nr, 4);
	assert_int_equal(messages.nr_unmatched_sends, 0);
	assert_int_equal(messages.nr_unmatched_receives, 0);
	assert_int_equal(messages.nr_pairs, 2);
	assert_int_equal(messages.pairs[0].sender_rank, 0);
	assert_int_equal(messages.pairs[0].receiver_rank, 1);
	assert_int_equal(model->threads[messages.pairs[0].receiver].tid, NAMED_SECOND_TID);
	assert_int_equal(messages.pairs[0].messages, 3);
	/* 3000000 has more bits than fit: less by no more than 4 in a million. */
	assert_in_range(messages.pairs[0].bytes, 1500 + 3000000 - 12, 1500 + 3000000);
	/* 600, 300, 100. */
	assert_int_equal(messages.pairs[0].median_ns, 300);
	assert_int_equal(messages.pairs[0].contradictory, 0);
	assert_int_equal(messages.pairs[0].late, 1);
	assert_int_equal(messages.pairs[0].late_ns, 3000);
	assert_int_equal(messages.pairs[0].worst_from_ns, 3000 - NAMED_START_NS);
	assert_int_equal(messages.pairs[1].messages, 1);
	assert_int_equal(messages.pairs[1].late, 0);
	assert_int_equal(messages.rows[0].tag, 8);
	assert_int_equal(messages.rows[1].tag, 7);
	assert_int_equal(messages.rows[1].sent_ns, 2100 - NAMED_START_NS);
	assert_int_equal(messages.rows[1].sender_rank, 0);
	assert_int_equal(messages.rows[1].receiver_rank, 1);
	assert_int_equal(messages.rows[1].late_ns, 0);
	assert_int_equal(messages.rows[2].late_ns, 3000);
	findings = findings_new(model);
	messages_add_findings(model, &messages, &findings);
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].time_lost_ns, 0);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, 3000);
	assert_non_null(strstr(findings.rows[0].text, "in 1 of 3 messages"));
	findings_free(&findings);
	messages_free(&messages);
	model_free(model);
}

/* Receives that complete in another order than the sends: the bytes of two tell it, and of one the time. */
static void test_contradictory(void **state)
{
	struct messages messages;
	struct findings findings;
	struct model *model;

	(void)state;
	begin();
	call(0, 2000, 2100, "@send", 1, 7, 1000);
	call(0, 2200, 2300, "@send", 1, 7, 2000);
	call(1, 1500, 2400, "@recv", 0, 7, 2000);
	call(1, 2400, 2500, "@recv", 0, 7, 1000);
	call(1, 2600, 2700, "@recv", 0, 7, 500);
	call(0, 5000, 5100, "@send", 1, 7, 500);
	/* This one belongs together, and is late by 1000. */
	call(1, 6000, 7200, "@recv", 0, 7, 300);
	call(0, 7000, 7100, "@send", 1, 7, 300);
	model = named_end(10000);
	messages = messages_compute(model);
	assert_int_equal(messages.pairs[0].messages, 4);
	assert_int_equal(messages.pairs[0].contradictory, 3);
	assert_int_equal(messages.pairs[0].late, 1);
	assert_int_equal(messages.pairs[0].late_ns, 1000);
	assert_int_equal(messages.pairs[0].median_ns, 100);
	findings = findings_new(model);
	messages_add_findings(model, &messages, &findings);
	assert_int_equal(findings.rows[0].confidence, CONFIDENCE_LOW);
	findings_free(&findings);
	messages_free(&messages);
	model_free(model);
}

static void test_unmatched(void **state)
{
	struct messages messages;
	struct model *model;

	(void)state;
	begin();
	call(0, 2000, 2100, "@send", 1, 7, 1000);
	call(0, 2100, 2200, "@send", 1, 7, 1000);
	call(1, 2500, 2600, "@recv", 0, 7, 1000);
	call(1, 2600, 2700, "@recv", 0, 9, 1000);
	/* The partner is unknown; and a rank that nobody has. */
	call(1, 2700, 2800, "@recv", -1, 7, 1000);
	call(0, 2800, 2900, "@send", 5, 7, 1000);
	/* Tags that are too high to be told. */
	call(0, 3000, 3100, "@send", 1, 1 << 21, 1000);
	call(1, 3200, 3300, "@recv", 0, 1 << 22, 1000);
	model = named_end(10000);
	messages = messages_compute(model);
	assert_int_equal(messages.nr, 1);
	assert_int_equal(messages.nr_unmatched_sends, 3);
	assert_int_equal(messages.nr_unmatched_receives, 3);
	messages_free(&messages);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_contradictory),
		cmocka_unit_test(test_unmatched),
	};

	return cmocka_run_group_tests_name("messages", tests, named_open_trace, named_close_trace);
}
