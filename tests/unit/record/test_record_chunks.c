// SPDX-License-Identifier: GPL-2.0
/* What has been read and waits to be written: in order, up to a limit, and to a known end. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/readers/chunk_queue.h"

#define CHUNK_BYTES 4096
#define NR_CHUNKS 3
#define NR_NUMBERS 20000

static void put(struct chunk_queue *queue, uint32_t number)
{
	struct chunk *chunk = chunk_queue_take_empty(queue);

	*(uint32_t *)(void *)chunk->bytes = number;
	chunk->used_bytes = sizeof(number);
	chunk_queue_put(queue, chunk);
}

static void *put_numbers(void *argument)
{
	struct chunk_queue *queue = argument;

	for (uint32_t number = 0; number < NR_NUMBERS; number++)
		put(queue, number);
	chunk_queue_end(queue);
	return NULL;
}

static void test_order_between_threads(void **state)
{
	struct chunk_queue *queue = chunk_queue_new(CHUNK_BYTES, NR_CHUNKS);
	struct chunk *chunk;
	pthread_t thread;
	uint32_t next = 0;

	(void)state;
	pthread_create(&thread, NULL, put_numbers, queue);
	while ((chunk = chunk_queue_take(queue))) {
		assert_int_equal(*(uint32_t *)(void *)chunk->bytes, next++);
		assert_int_equal(chunk->used_bytes, sizeof(next));
		chunk_queue_give_back(queue, chunk);
	}
	pthread_join(thread, NULL);
	assert_int_equal(next, NR_NUMBERS);
	chunk_queue_free(queue);
}

/* Who writes past the page cache needs it. */
static void test_alignment(void **state)
{
	struct chunk_queue *queue = chunk_queue_new(CHUNK_BYTES, NR_CHUNKS);

	(void)state;
	for (int i = 0; i < NR_CHUNKS; i++) {
		struct chunk *chunk = chunk_queue_take_empty(queue);

		assert_int_equal((uintptr_t)chunk->bytes % 4096, 0);
		assert_int_equal(chunk->used_bytes, 0);
		chunk_queue_put(queue, chunk);
	}
	chunk_queue_free(queue);
}

static void *take_empty(void *argument)
{
	return chunk_queue_take_empty(argument);
}

/* Who waits for an empty one, all being in use, is told when nobody writes any more. */
static void test_abandoned(void **state)
{
	struct chunk_queue *queue = chunk_queue_new(CHUNK_BYTES, NR_CHUNKS);
	pthread_t thread;
	void *got = queue;

	(void)state;
	for (uint32_t i = 0; i < NR_CHUNKS; i++)
		put(queue, i);
	pthread_create(&thread, NULL, take_empty, queue);
	chunk_queue_abandon(queue);
	pthread_join(thread, &got);
	assert_null(got);
	chunk_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_between_threads),
		cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_abandoned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
