// SPDX-License-Identifier: GPL-2.0
/*
 * Which object a sample is of, by a plain search; and that a hundred thousand objects that live at once do not take
 * minutes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <uapi/annot.h>

#include "model/model.h"
#include "model/table_rows.h"
#include "symbols/data/live_objects.h"
#include "util/random.h"
#include "util/xalloc.h"

#define NR_PROCESSES 3

static struct model *make_model(void)
{
	struct model *model = xcalloc(1, sizeof(*model));

	model->nr_threads = NR_PROCESSES;
	model->threads = xcalloc(NR_PROCESSES, sizeof(*model->threads));
	for (int i = 0; i < NR_PROCESSES; i++)
		model->threads[i].tgid = 10 + i;
	return model;
}

static void add_object(struct model *model, uint64_t start_ns, uint64_t end_ns, int32_t tgid,
		       uint64_t address, uint64_t bytes)
{
	data_object_table_add(&model->data_objects,
			      &(struct data_object_row){ start_ns, end_ns, tgid, 0, address, bytes,
							 0, 0 });
}

static void add_sample(struct model *model, uint64_t time_ns, uint32_t thread, uint64_t address)
{
	struct trace_event event = { .sample = { .has = ANNOT_SAMPLE_HAS_ADDR, .addr = address } };

	sample_table_add(&model->samples, time_ns, thread, 0, &event);
}

/* Objects of up to 300 bytes at few addresses: they lie in each other, and next to each other. */
static void test_random(void **state)
{
	struct random random = { 1 };

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct model *model = make_model();
		uint32_t *found;

		for (uint64_t time = 0; time < 60; time += random_below(&random, 3))
			add_object(model, time, time + random_below(&random, 30),
				   10 + (int32_t)random_below(&random, NR_PROCESSES),
				   1000 + random_below(&random, 200),
				   1 + random_below(&random, 300));
		for (int i = 0; i < 200; i++)
			add_sample(model, random_below(&random, 70),
				   (uint32_t)random_below(&random, NR_PROCESSES),
				   950 + random_below(&random, 600));
		found = live_objects_of_samples(model, LIVE_ALL);
		for (size_t i = 0; i < model->samples.nr; i++) {
			size_t wanted = live_object_of_sample(model, i);

			assert_int_equal(found[i], wanted == SIZE_MAX ? 0 : wanted + 1);
		}
		free(found);
		model_free(model);
	}
}

/* The last byte of the address space belongs to an object as any other. */
static void test_ends(void **state)
{
	struct model *model = make_model();
	uint32_t *found;

	(void)state;
	add_object(model, 0, 10, 10, UINT64_MAX - 9, 10);
	add_object(model, 0, 10, 11, 0, UINT64_MAX);
	add_sample(model, 5, 0, UINT64_MAX);
	add_sample(model, 5, 0, UINT64_MAX - 10);
	add_sample(model, 5, 1, UINT64_MAX - 1);
	add_sample(model, 5, 2, 5000);
	found = live_objects_of_samples(model, LIVE_ALL);
	assert_int_equal(found[0], 1);
	assert_int_equal(found[1], 0);
	assert_int_equal(found[2], 2);
	assert_int_equal(found[3], 0);
	free(found);
	model_free(model);
}

#define MANY 100000

/* Blocks of an allocator, in a mapping that holds all of them, made in an order that has nothing to do with it. */
static void test_many(void **state)
{
	struct model *model = make_model();
	uint32_t *found;

	(void)state;
	add_object(model, 0, 10 * MANY, 10, 1, 1000 * MANY);
	for (uint64_t i = 0; i < MANY; i++)
		add_object(model, i, 2 * MANY + i, 10, i * 7919 % MANY * 100 + 1000, 64);
	for (uint64_t i = 0; i < MANY; i++)
		add_sample(model, MANY + i, 0, i * 7919 % MANY * 100 + 1000 + i % 100);
	found = live_objects_of_samples(model, LIVE_ALL);
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(found[i], i % 100 < 64 ? i + 2 : 1);
	free(found);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
