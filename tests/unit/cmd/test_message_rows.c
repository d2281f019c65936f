// SPDX-License-Identifier: GPL-2.0
/* Messages of an analysis become rows of the page, by start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmd/words/message_rows.h"

/* By the time of the receive, as messages_compute() has them. */
static struct message found[] = {
	/* Received before it was sent, which happens where the send is told at its end. */
	{ .sender = 1,
	  .receiver = 2,
	  .sender_rank = 10,
	  .receiver_rank = 20,
	  .tag = 5,
	  .bytes = 64,
	  .send_from_ns = 300,
	  .sent_ns = 460,
	  .receive_from_ns = 350,
	  .received_ns = 400 },
	/* Another one's send. */
	{ .sender = 1,
	  .receiver = 2,
	  .is_contradictory = true,
	  .send_from_ns = 900,
	  .sent_ns = 900,
	  .receive_from_ns = 100,
	  .received_ns = 500,
	  .late_ns = 400 },
	/* Late by 100. */
	{ .sender = 2,
	  .receiver = 1,
	  .send_from_ns = 300,
	  .sent_ns = 310,
	  .receive_from_ns = 200,
	  .received_ns = 600,
	  .late_ns = 100 },
};

static void test_rows(void **state)
{
	const struct messages messages = { .nr = 3, .rows = found };
	struct message_table table = { 0 };

	(void)state;
	message_rows_add(&table, &messages);
	assert_int_equal(table.nr, 3);
	assert_int_equal(table.start_ns[0], 310);
	assert_int_equal(table.end_ns[0], 600);
	assert_int_equal(table.sender[0], 2);
	assert_int_equal(table.receiver[0], 1);
	assert_int_equal(table.call_ns[0], 400);
	assert_int_equal(table.late_ns[0], 100);
	assert_int_equal(table.flags[0], 0);
	assert_int_equal(table.start_ns[1], 400);
	assert_int_equal(table.end_ns[1], 460);
	assert_int_equal(table.sender_rank[1], 10);
	assert_int_equal(table.receiver_rank[1], 20);
	assert_int_equal(table.tag[1], 5);
	assert_int_equal(table.bytes[1], 64);
	assert_int_equal(table.call_ns[1], 50);
	assert_int_equal(table.flags[1], MESSAGE_BACKWARD);
	assert_int_equal(table.start_ns[2], 500);
	assert_int_equal(table.end_ns[2], 900);
	assert_int_equal(table.late_ns[2], 0);
	assert_int_equal(table.flags[2], MESSAGE_BACKWARD | MESSAGE_CONTRADICTORY);
	message_table_free(&table);
}

static void test_none(void **state)
{
	const struct messages none = { 0 };
	struct message_table table = { 0 };

	(void)state;
	message_rows_add(&table, &none);
	assert_int_equal(table.nr, 0);
	message_table_free(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests_name("message rows", tests, NULL, NULL);
}
