// SPDX-License-Identifier: GPL-2.0
#include "model_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/account.h"

#define MOST_PLAIN_NS 1000 /* more take too long to go through */

/* What model_account() tells, by adding up every row. */
static void plain_account(const struct model *model, const struct state_table *states,
			  uint64_t from_ns, uint64_t to_ns, struct thread_account *account)
{
	*account = (struct thread_account){ .state_ns[STATE_UNKNOWN] = to_ns - from_ns };
	for (size_t row = 0; row < states->nr; row++) {
		uint64_t start = states->start_ns[row], end = model->duration_ns;
		bool starts = from_ns < to_ns && start >= from_ns &&
			      (start < to_ns || to_ns >= model->duration_ns);

		if (row + 1 < states->nr)
			end = states->start_ns[row + 1];
		if (starts && states->state[row] >= STATE_PREEMPTED &&
		    states->state[row] != STATE_RUNNABLE)
			account->nr_switches++;
		if (starts && states->state[row] == STATE_PREEMPTED)
			account->nr_preemptions++;
		if (starts && states->migrated[row])
			account->nr_migrations++;
		start = start < from_ns ? from_ns : start;
		end = end > to_ns ? to_ns : end;
		if (start >= end)
			continue;
		account->state_ns[states->state[row]] += end - start;
		account->state_ns[STATE_UNKNOWN] -= end - start;
	}
}

/* The same of what interrupts took, nanosecond by nanosecond. */
static uint64_t plain_stolen_ns(const struct model *model, uint32_t thread, uint64_t from_ns,
				uint64_t to_ns)
{
	const struct state_table *states = &model->threads[thread].states;
	uint64_t sum_ns = 0;

	for (uint64_t ns = from_ns; ns < to_ns && ns < model->duration_ns; ns++) {
		size_t row = column_find(states->start_ns, states->nr, ns);
		bool taken = false;

		if (row == SIZE_MAX || states->state[row] != STATE_RUNNING)
			continue;
		for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
			const struct interrupt_table *rows = &model->cpus[cpu].interrupts;

			for (size_t i = 0; i < rows->nr; i++)
				taken |= rows->thread[i] == thread &&
					 rows->flags[i] & INTERRUPT_STEALS &&
					 rows->start_ns[i] <= ns && ns < rows->end_ns[i];
		}
		sum_ns += taken;
	}
	return sum_ns;
}

static void check_range(const struct model *model, uint32_t thread, uint64_t from_ns,
			uint64_t to_ns)
{
	struct thread_account account, plain;
	uint64_t sum_ns = 0;

	model_account(model, thread, from_ns, to_ns, &account);
	plain_account(model, &model->threads[thread].states, from_ns, to_ns, &plain);
	for (int state = 0; state < NR_THREAD_STATES; state++) {
		assert_int_equal(account.state_ns[state], plain.state_ns[state]);
		sum_ns += account.state_ns[state];
	}
	assert_int_equal(sum_ns, to_ns - from_ns);
	assert_int_equal(account.nr_switches, plain.nr_switches);
	assert_int_equal(account.nr_preemptions, plain.nr_preemptions);
	assert_int_equal(account.nr_migrations, plain.nr_migrations);
	assert_true(account.stolen_ns <= account.state_ns[STATE_RUNNING]);
	if (model->has_interrupts && model->duration_ns < MOST_PLAIN_NS)
		assert_int_equal(account.stolen_ns, plain_stolen_ns(model, thread, from_ns, to_ns));
}

static void check_thread(const struct model *model, uint32_t thread)
{
	const struct state_table *states = &model->threads[thread].states;
	const struct span_table *spans = &model->threads[thread].spans;
	const struct kernel_slice_table *kernel = &model->threads[thread].kernel_slices;
	uint64_t step = model->duration_ns / 7 + 1;

	assert_true(states->nr > 0);
	for (size_t row = 1; row < states->nr; row++)
		assert_true(states->start_ns[row - 1] <= states->start_ns[row]);
	for (uint64_t from = 0; from <= model->duration_ns + step; from += step)
		for (uint64_t to = from; to <= model->duration_ns + 2 * step; to += step)
			check_range(model, thread, from, to);
	check_range(model, thread, 0, model->duration_ns);
	for (size_t row = 0; row < kernel->nr; row++) {
		assert_true(kernel->start_ns[row] <= kernel->end_ns[row]);
		assert_true(kernel->end_ns[row] <= model->duration_ns);
		assert_true(!row || kernel->start_ns[row - 1] <= kernel->start_ns[row]);
	}
	for (size_t span = 0; span < spans->nr; span++) {
		assert_true(spans->start_ns[span] <= spans->end_ns[span]);
		assert_true(spans->end_ns[span] <= model->duration_ns);
		assert_true(!span || spans->start_ns[span - 1] <= spans->start_ns[span]);
	}
}

static void check_interrupts(const struct interrupt_table *interrupts, uint64_t duration_ns)
{
	size_t around[NR_TRACE_INTERRUPT_KINDS];
	uint64_t taken_until_ns = 0;

	for (size_t i = 0; i < interrupts->nr; i++) {
		uint8_t depth = interrupts->depth[i];

		assert_true(depth < NR_TRACE_INTERRUPT_KINDS);
		assert_true(interrupts->start_ns[i] <= interrupts->end_ns[i]);
		assert_true(interrupts->end_ns[i] <= duration_ns);
		assert_true(!i || interrupts->start_ns[i - 1] <= interrupts->start_ns[i]);
		if (depth) {
			assert_true(interrupts->end_ns[i] <= interrupts->end_ns[around[depth - 1]]);
			assert_true(interrupts->kind[i] > interrupts->kind[around[depth - 1]]);
		}
		around[depth] = i;
		if (!(interrupts->flags[i] & INTERRUPT_STEALS))
			continue;
		assert_int_not_equal(interrupts->thread[i], MODEL_NO_THREAD);
		assert_true(interrupts->start_ns[i] >= taken_until_ns);
		taken_until_ns = interrupts->end_ns[i];
	}
}

static void check_power(const struct cpu *cpu, uint64_t duration_ns)
{
	const struct idle_table *idle = &cpu->idle;
	const struct frequency_table *frequencies = &cpu->frequencies;

	for (size_t i = 0; i < idle->nr; i++) {
		assert_true(idle->start_ns[i] <= idle->end_ns[i]);
		assert_true(idle->end_ns[i] <= duration_ns);
		assert_true(!i || idle->end_ns[i - 1] <= idle->start_ns[i]);
	}
	for (size_t i = 0; i < frequencies->nr; i++) {
		assert_true(frequencies->start_ns[i] < frequencies->end_ns[i]);
		assert_true(frequencies->end_ns[i] <= duration_ns);
		assert_true(!i || frequencies->end_ns[i - 1] <= frequencies->start_ns[i]);
		assert_int_not_equal(frequencies->khz[i], 0);
	}
}

void check_model(const struct model *model)
{
	uint64_t running_ns = 0, slices_ns = 0;

	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		struct thread_account account;

		check_thread(model, thread);
		model_account(model, thread, 0, model->duration_ns, &account);
		running_ns += account.state_ns[STATE_RUNNING];
	}
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		const struct slice_table *slices = &model->cpus[cpu].slices;

		check_interrupts(&model->cpus[cpu].interrupts, model->duration_ns);
		check_power(&model->cpus[cpu], model->duration_ns);
		for (size_t i = 0; i < slices->nr; i++) {
			assert_true(slices->start_ns[i] < slices->end_ns[i]);
			assert_true(!i || slices->end_ns[i - 1] <= slices->start_ns[i]);
			slices_ns += slices->end_ns[i] - slices->start_ns[i];
		}
	}
	assert_int_equal(running_ns, slices_ns);
}
