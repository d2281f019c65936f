// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/lib/any_events.c */
/*
 * The tree of nested tasks, from hand-made events with sums done by hand.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/tasks/task_tree.h"
#include "any_events.h"
#include "events.h"

#define A 101
#define B 102
#define X 201
#define SOLVE 11u
#define LOOP 12u
#define BARRIER 13u

static const struct task_tree_node *child_of(const struct task_tree *tree, uint32_t parent,
					     uint32_t name)
{
	for (size_t i = 0; i < tree->nr; i++) {
		if (tree->nodes[i].parent == parent && tree->nodes[i].name == name)
			return &tree->nodes[i];
	}
	fail_msg("no node %u in %u", name, parent);
	return NULL;
}

static double misses_of(const struct task_tree *tree, const struct task_tree_node *node)
{
	return tree->events[(size_t)(node - tree->nodes) * tree->nr_events].count;
}

static void feed_span_at(uint64_t from_ns, uint64_t to_ns, int cpu, int32_t tid, uint32_t name)
{
	feed_begin_at(from_ns, cpu, tid, name, TRACE_SPAN_WORK);
	feed_end_at(to_ns, cpu, tid);
}

/*
 * A: solve (1000 to 2000) with two loops of 200 and 300 ns, 50 of the second taken by X, and a
 * barrier of 100 in which it sleeps; then a loop outside of it. B: solve (1000 to 1400) with a loop
 * of 100.
 */
static struct model *nested(void)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_pmu_event_at(1000, 0, 31, 10, 0);
	feed_begin_at(1000, 0, A, SOLVE, TRACE_SPAN_WORK);
	feed_begin_at(1000, 1, B, SOLVE, TRACE_SPAN_WORK);
	feed_span_at(1100, 1200, 1, B, LOOP);
	feed_begin_at(1200, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_sample_at(1250, 0, A, 0, 10, 0);
	feed_end_at(1400, 0, A);
	feed_end_at(1400, 1, B);
	feed_sample_at(1450, 0, A, 0, 10, 0);
	feed_begin_at(1500, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_switch_at(1600, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(1650, 0, X, A, TRACE_OUT_SLEEPING);
	feed_sample_at(1700, 0, A, 0, 10, 0);
	feed_end_at(1800, 0, A);
	feed_begin_at(1850, 0, A, BARRIER, TRACE_SPAN_WAIT);
	feed_switch_at(1850, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(1950, 1, B, A, 0);
	feed_switch_at(1950, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_end_at(1950, 0, A);
	feed_end_at(2000, 0, A);
	feed_span_at(2000, 2100, 0, A, LOOP);
	feed_switch_at(2200, 0, A, 0, TRACE_OUT_DEAD);
	return script_end();
}

static void test_inclusive_and_exclusive(void **state)
{
	struct model *model = nested();
	struct task_tree *tree = task_tree_compute(model);
	const struct task_tree_node *solve = child_of(tree, TASK_TREE_ROOT, SOLVE);
	uint32_t at = (uint32_t)(solve - tree->nodes);
	const struct task_tree_node *loop = child_of(tree, at, LOOP);
	const struct task_tree_node *barrier = child_of(tree, at, BARRIER);
	const struct task_tree_node *outside = child_of(tree, TASK_TREE_ROOT, LOOP);

	(void)state;
	assert_int_equal(tree->nr, 4);
	assert_int_equal(solve->instances, 2);
	assert_int_equal(solve->nr_threads, 2);
	assert_int_equal(solve->inclusive_ns, 1400);
	assert_int_equal(solve->exclusive_ns, 1400 - 600 - 100);
	assert_int_equal(solve->on_cpu_ns, 1400 - 50 - 100);
	assert_int_equal(solve->exclusive_on_cpu_ns, 700);
	assert_int_equal(solve->preempted_ns, 50);
	assert_int_equal(loop->instances, 3);
	assert_int_equal(loop->nr_threads, 2);
	assert_int_equal(loop->depth, 1);
	assert_int_equal(loop->inclusive_ns, 600);
	assert_int_equal(loop->exclusive_on_cpu_ns, 550);
	assert_int_equal(barrier->kind, TRACE_SPAN_WAIT);
	assert_int_equal(barrier->inclusive_ns, 100);
	assert_int_equal(barrier->on_cpu_ns, 0);
	assert_int_equal(outside->instances, 1);
	assert_int_equal(outside->nr_threads, 1);
	assert_int_equal(outside->on_cpu_ns, 100);
	assert_int_equal(tree->wall_ns, 1500);
	assert_int_equal(tree->on_cpu_ns, 1350);
	assert_float_equal(misses_of(tree, solve), 30, 1e-9);
	assert_float_equal(misses_of(tree, loop), 20, 1e-9);
	assert_float_equal(misses_of(tree, outside), 0, 1e-9);
	task_tree_free(tree);
	model_free(model);
}

/* Shares are of 1500 ns of wall or 1350 on a CPU, whichever is more. */
static void test_threshold(void **state)
{
	struct model *model = nested();
	struct task_tree *tree = task_tree_compute(model);
	uint32_t *order;

	(void)state;
	assert_int_equal(task_tree_order(tree, 0, SIZE_MAX, &order), 4);
	assert_int_equal(tree->nodes[order[0]].name, SOLVE);
	assert_int_equal(tree->nodes[order[1]].name, LOOP);
	assert_int_equal(tree->nodes[order[1]].depth, 1);
	assert_int_equal(tree->nodes[order[2]].name, BARRIER);
	assert_int_equal(tree->nodes[order[3]].name, LOOP);
	assert_int_equal(tree->nodes[order[3]].depth, 0);
	free(order);
	/* The barrier takes 6.7 %, the loop outside 7.4. */
	assert_int_equal(task_tree_order(tree, 7, SIZE_MAX, &order), 3);
	assert_int_equal(tree->nodes[order[2]].depth, 0);
	free(order);
	assert_int_equal(task_tree_order(tree, 0, 2, &order), 2);
	free(order);
	task_tree_free(tree);
	model_free(model);
}

/* A path of its own for each depth; nothing is counted twice on it. */
static void test_recursion(void **state)
{
	struct task_tree *tree;
	struct model *model;
	uint32_t *order;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	for (uint64_t i = 0; i < 300; i++)
		feed_begin_at(1000 + i, 0, A, LOOP, TRACE_SPAN_WORK);
	for (uint64_t i = 0; i < 300; i++)
		feed_end_at(2000 + i, 0, A);
	model = script_end();
	tree = task_tree_compute(model);
	assert_int_equal(tree->nr, 300);
	assert_int_equal(tree->nodes[299].depth, 299);
	assert_int_equal(tree->nodes[0].inclusive_ns, 1299);
	assert_int_equal(tree->nodes[0].exclusive_ns, 2);
	assert_int_equal(tree->nodes[299].exclusive_ns, 701);
	assert_int_equal(task_tree_order(tree, 0, SIZE_MAX, &order), 300);
	assert_int_equal(order[299], 299);
	free(order);
	task_tree_free(tree);
	model_free(model);
}

static const struct event_figures *figures_of(const struct task_tree *tree, uint32_t parent,
					      uint32_t name)
{
	const struct task_tree_node *node = child_of(tree, parent, name);

	return &tree->events[(size_t)(node - tree->nodes) * tree->nr_events];
}

/*
 * Two counters. A: solve from 1000 to 2000, a loop in it from 1200 to 1600. Slices: 1000 to 1400,
 * half of which is in the loop; 1400 to 1800, in which another loop begins and half is in the first;
 * and one in which the second counter did not run. B has a loop outside, with counts of nothing else.
 */
static void test_counts(void **state)
{
	const struct event_figures *solve, *loop, *outside;
	struct model *model;
	struct task_tree *tree;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_pmu_event_at(1000, 0, 31, 0, 0);
	feed_pmu_event_at(1000, 1, 32, 0, 0);
	feed_pmu_event_at(1000, 2, 33, 10, ENODEV);
	feed_begin_at(1000, 0, A, SOLVE, TRACE_SPAN_WORK);
	feed_span_at(1100, 1300, 1, B, LOOP);
	feed_begin_at(1200, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_counts_at(1400, 0, A, (uint64_t[]){ 1000, 40 }, 2, 0);
	feed_switch_at(1400, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(1400, 0, X, A, TRACE_OUT_RUNNABLE);
	feed_counts_at(1400, 1, B, (uint64_t[]){ 400, 8 }, 2, 0);
	feed_switch_at(1400, 1, B, 0, TRACE_OUT_DEAD);
	feed_end_at(1600, 0, A);
	feed_begin_at(1700, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_counts_at(1800, 0, A, (uint64_t[]){ 600, 20 }, 2, 0);
	feed_switch_at(1800, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(1800, 0, X, A, TRACE_OUT_RUNNABLE);
	feed_end_at(1900, 0, A);
	feed_counts_at(2000, 0, A, (uint64_t[]){ 100, 0 }, 2, 2);
	feed_end_at(2000, 0, A);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_DEAD);
	model = script_end();
	tree = task_tree_compute(model);
	solve = figures_of(tree, TASK_TREE_ROOT, SOLVE);
	loop = figures_of(tree, 0, LOOP);
	outside = figures_of(tree, TASK_TREE_ROOT, LOOP);
	assert_float_equal(solve[0].count, 1700, 1e-9);
	assert_float_equal(solve[1].count, 60, 1e-9);
	assert_float_equal(loop[0].count, 500 + 300 + 150 + 50, 1e-9);
	assert_float_equal(loop[1].count, 20 + 10 + 5, 1e-9);
	assert_float_equal(outside[0].count, 200, 1e-9);
	assert_float_equal(outside[1].count, 4, 1e-9);
	assert_true(solve[0].measured && solve[1].measured && outside[1].measured);
	assert_int_equal(solve[0].nr_incomplete, 0);
	assert_int_equal(solve[1].nr_incomplete, 1);
	assert_false(solve[2].measured);
	task_tree_free(tree);
	model_free(model);
}

/* Whatever the spans: what is in none of them twice adds up to what is in those at the root. */
static void check_tree(const struct model *model)
{
	struct task_tree *tree = task_tree_compute(model);
	uint64_t exclusive_ns = 0, exclusive_on_cpu_ns = 0;

	for (size_t i = 0; i < tree->nr; i++) {
		const struct task_tree_node *node = &tree->nodes[i];

		assert_true(node->exclusive_ns <= node->inclusive_ns);
		assert_true(node->exclusive_on_cpu_ns <= node->on_cpu_ns);
		assert_true(node->parent == TASK_TREE_ROOT || node->parent < i);
		exclusive_ns += node->exclusive_ns;
		exclusive_on_cpu_ns += node->exclusive_on_cpu_ns;
	}
	assert_int_equal(exclusive_ns, tree->wall_ns);
	assert_int_equal(exclusive_on_cpu_ns, tree->on_cpu_ns);
	task_tree_free(tree);
}

static void test_anything(void **state)
{
	(void)state;
	srandom(5);
	for (int round = 0; round < 300; round++) {
		uint64_t time_ns = 1000;
		struct model *model;

		script_begin();
		for (int i = 0; i < 200; i++) {
			time_ns += (uint64_t)(random() % 50);
			feed_anything_at(time_ns, 101, (unsigned int)random());
		}
		model = script_end();
		check_tree(model);
		model_free(model);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inclusive_and_exclusive),
		cmocka_unit_test(test_threshold),
		cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_anything),
	};

	return cmocka_run_group_tests_name("task tree", tests, NULL, NULL);
}
