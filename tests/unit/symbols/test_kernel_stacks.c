// SPDX-License-Identifier: GPL-2.0
/*
 * The same stacks asked for by several threads at once: the first of them has to read the trace's symbols, and none is
 * answered without them.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "symbols/kernel/kernel_stacks.h"
#include "util/xalloc.h"

#define NR_THREADS 8
#define NR_ROUNDS 20
#define NR_SYMBOLS 50000u
#define FIRST_ADDRESS 0xffffffff81000000ull
#define TRACE "build/tests/unit/kernel_stacks.dat"
#define SYMBOLS TRACE ".kallsyms"

struct asker {
	struct trace *trace;
	struct kernel_stacks *stacks;
	pthread_barrier_t *all_there;
	uint64_t ip;
	char *frames; /* what it was told */
	size_t text_bytes; /* of the trace's symbols, which it reads itself, too */
};

static void *ask(void *context)
{
	struct asker *asker = context;
	struct trace_stack_text told;
	char *text;

	pthread_barrier_wait(asker->all_there);
	told = kernel_stacks_get(asker->stacks, &asker->ip, 1);
	asker->frames = told.frames;
	free(told.cause);
	text = trace_kallsyms(asker->trace);
	asker->text_bytes = text ? strlen(text) : 0;
	free(text);
	return NULL;
}

/* A trace of many symbols: it takes some time to read them. */
static int make_trace(void **state)
{
	FILE *symbols = fopen(SYMBOLS, "w");
	char *command;
	int status;

	(void)state;
	assert_non_null(symbols);
	for (unsigned int i = 0; i < NR_SYMBOLS; i++)
		fprintf(symbols, "%016llx T function_%u\n", FIRST_ADDRESS + i * 16ull, i);
	fclose(symbols);
	command =
		xasprintf("echo 1000 0 0 switch next_pid=100 | tests/lib/script_trace.py -k %s %s",
			  SYMBOLS, TRACE);
	status = system(command);
	free(command);
	return status;
}

static int remove_trace(void **state)
{
	(void)state;
	return unlink(SYMBOLS) || unlink(TRACE);
}

static void ask_at_once(struct trace *trace, uint64_t ip, size_t text_bytes)
{
	struct kernel_stacks *stacks = kernel_stacks_new(trace);
	struct asker askers[NR_THREADS];
	pthread_t threads[NR_THREADS];
	pthread_barrier_t all_there;

	pthread_barrier_init(&all_there, NULL, NR_THREADS);
	for (int i = 0; i < NR_THREADS; i++) {
		askers[i] = (struct asker){ trace, stacks, &all_there, ip, NULL, 0 };
		assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
	}
	for (int i = 0; i < NR_THREADS; i++) {
		pthread_join(threads[i], NULL);
		assert_string_equal(askers[i].frames, "function_12345");
		assert_int_equal(askers[i].text_bytes, text_bytes);
		free(askers[i].frames);
	}
	pthread_barrier_destroy(&all_there);
	kernel_stacks_free(stacks);
}

static void test_threads(void **state)
{
	struct trace *trace;
	char *text;

	(void)state;
	assert_int_equal(trace_open(TRACE, &trace), 0);
	text = trace_kallsyms(trace);
	assert_non_null(text);
	for (int round = 0; round < NR_ROUNDS; round++)
		ask_at_once(trace, FIRST_ADDRESS + 16ull * 12345 + 8, strlen(text));
	free(text);
	trace_close(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, make_trace, remove_trace);
}
