// SPDX-License-Identifier: GPL-2.0
#include "analysis/replay/what_if.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/cpu_waits.h"
#include "analysis/replay/replay_cpus.h"
#include "analysis/stats/distribution.h"
#include "analysis/stats/time_samples.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

#define USUAL_SLICE_NS 3000000u
#define LEAST_SLICE_NS 100000u
/* On all CPUs; half of the slice is tried, too. A recording's times may be anything. */
#define MOST_SLICES 4000000
/* So few slices tell nothing. */
#define LEAST_SLICES 10

/* The value that a share of them is below; changes their order. */
static uint64_t quantile(struct time_samples *samples, double share)
{
	size_t nth = (size_t)((double)(samples->nr - 1) * share);

	distribution_select_nth(samples->ns, samples->nr, nth);
	return samples->ns[nth];
}

/* Slices that ended because another thread was to have the CPU. */
static uint64_t find_slice_ns(const struct model *model)
{
	struct time_samples samples = { 0 };
	uint64_t slice_ns = USUAL_SLICE_NS;

	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		const struct slice_table *slices = &model->cpus[cpu].slices;

		for (size_t i = 0; i + 1 < slices->nr; i++) {
			if (slices->end_state[i] == STATE_PREEMPTED &&
			    slices->start_ns[i + 1] == slices->end_ns[i] &&
			    model->threads[slices->thread[i]].in_session &&
			    model->threads[slices->thread[i + 1]].in_session)
				time_samples_add(&samples, slices->end_ns[i] - slices->start_ns[i]);
		}
	}
	if (samples.nr >= LEAST_SLICES)
		slice_ns = quantile(&samples, 0.5);
	spill_free(samples.ns);
	return slice_ns > LEAST_SLICE_NS ? slice_ns : LEAST_SLICE_NS;
}

struct latencies {
	const struct model *model;
	struct time_samples samples;
};

/* Of a thread that was woken where its CPU was idle until it had it. */
static void take_wait(void *context, const struct cpu_wait *wait)
{
	struct latencies *latencies = context;
	const struct slice_table *slices;
	size_t first;

	if (wait->state != STATE_RUNNABLE || !wait->is_first || wait->cpu < 0 ||
	    wait->cpu >= latencies->model->nr_cpus)
		return;
	slices = &latencies->model->cpus[wait->cpu].slices;
	first = cpu_wait_first_slice(latencies->model, wait, 0);
	if (first < slices->nr && slices->start_ns[first] == wait->end_ns)
		time_samples_add(&latencies->samples, wait->end_ns - wait->start_ns);
}

static uint64_t find_latency_ns(const struct model *model)
{
	struct latencies latencies = { .model = model };
	uint64_t latency_ns = 0;

	cpu_waits_each(model, take_wait, &latencies);
	if (latencies.samples.nr)
		latency_ns = quantile(&latencies.samples, 0.5);
	spill_free(latencies.samples.ns);
	return latency_ns;
}

static bool is_in(const struct replay_plan *plan, uint32_t place, uint32_t name)
{
	for (; place; place = plan->places[place].outer) {
		if (plan->places[place].name == name)
			return true;
	}
	return false;
}

static double *factors_of(const struct replay_plan *plan, const struct what_if_question *question)
{
	double *factors = xcalloc(plan->nr_places, sizeof(*factors));

	for (uint32_t place = 0; place < plan->nr_places; place++) {
		factors[place] = 1;
		for (size_t i = 0; i < question->nr_faster; i++) {
			if (is_in(plan, place, question->faster[i].task))
				factors[place] /= question->faster[i].factor;
		}
	}
	return factors;
}

static uint64_t later_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static double error_of(const struct what_if *what_if, uint64_t length_ns)
{
	return what_if->recorded_ns ? (double)length_ns / (double)what_if->recorded_ns - 1 :
				      INFINITY;
}

/* As it was. */
static void replay_placed(struct what_if_oracle *oracle, enum replay_placement placement)
{
	struct what_if *base = &oracle->base;
	struct what_if_placement *row = &oracle->placements[placement];
	struct replay_result result =
		replay_run(oracle->unchanged,
			   &(struct replay_settings){ .placement = placement,
						      .slice_ns = base->slice_ns,
						      .latency_ns = base->latency_ns });

	row->length_ns = result.length_ns;
	row->error = error_of(base, result.length_ns);
	row->may_be_right = !result.nr_stuck && fabs(row->error) <= WHAT_IF_MOST_ERROR;
	if (placement &&
	    (fabs(base->error) <= WHAT_IF_GOOD_ERROR || fabs(row->error) >= fabs(base->error)))
		return;
	base->placement = placement;
	base->replayed_ns = result.length_ns;
	base->nr_stuck = result.nr_stuck;
	base->error = row->error;
}

/* How much shorter the replay is if what threads waited for, nobody knows for whom, was there at once. */
static double unknown_share(const struct what_if_oracle *oracle)
{
	const struct what_if *base = &oracle->base;
	const struct replay_settings settings = {
		.placement = base->placement,
		.slice_ns = base->slice_ns,
		.latency_ns = base->latency_ns,
		.skips_unknown = true,
	};

	if (!oracle->unchanged->nr_unknown || !base->replayed_ns)
		return 0;
	return 1 - (double)replay_run(oracle->unchanged, &settings).length_ns /
			   (double)base->replayed_ns;
}

static void replay_unchanged(struct what_if_oracle *oracle)
{
	struct what_if *base = &oracle->base;

	replay_placed(oracle, PLACE_ANYWHERE);
	if (replay_cpus_differ(oracle->unchanged, PLACE_BY_PROGRAM, PLACE_ANYWHERE))
		replay_placed(oracle, PLACE_BY_PROGRAM);
	if (replay_cpus_differ(oracle->unchanged, PLACE_BY_THREAD, PLACE_BY_PROGRAM))
		replay_placed(oracle, PLACE_BY_THREAD);
	if (fabs(base->error) > WHAT_IF_GOOD_ERROR)
		replay_placed(oracle, PLACE_AS_RECORDED);
	base->unknown = unknown_share(oracle);
	base->has_answer = !base->nr_stuck && fabs(base->error) <= WHAT_IF_MOST_ERROR &&
			   base->unknown <= WHAT_IF_MOST_ERROR;
}

/* Who is left out may be why threads were where they were: then it is the best of the other placements that may be right. */
static enum replay_placement placement_of(const struct what_if_oracle *oracle,
					  const struct what_if_question *question)
{
	enum replay_placement best = oracle->base.placement;

	if (question->is_unpinned)
		return PLACE_ANYWHERE;
	if (question->changes.without == TRACE_NO_STRING || question->is_pinned ||
	    best != PLACE_AS_RECORDED)
		return best;
	for (int i = 0; i < PLACE_AS_RECORDED; i++) {
		const struct what_if_placement *row = &oracle->placements[i];

		if (row->may_be_right && (best == PLACE_AS_RECORDED ||
					  fabs(row->error) < fabs(oracle->placements[best].error)))
			best = (enum replay_placement)i;
	}
	return best;
}

static struct replay_settings settings_of(const struct what_if_oracle *oracle,
					  const struct what_if_question *question)
{
	return (struct replay_settings){
		.nr_cpus = question->nr_cpus,
		.is_pinned = question->is_pinned,
		.placement = placement_of(oracle, question),
		.slice_ns = oracle->base.slice_ns,
		.latency_ns = oracle->base.latency_ns,
	};
}

const char *what_if_why_no_answer(const struct what_if *what_if)
{
	if (!what_if->recorded_ns)
		return "no thread of the session ran";
	if (what_if->nr_stuck)
		return "threads of the replay wait for ever";
	if (what_if->predicted.nr_stuck)
		return "with the change, threads of the replay wait for ever";
	if (fmax(what_if->unknown, what_if->predicted.unknown) > WHAT_IF_MOST_ERROR)
		return "for whom threads waited is not known, as without sched_waking or after lost events";
	return "the replay differs from the recording by more than 10 %";
}

struct what_if_question what_if_question_of(const struct run_change *change)
{
	struct what_if_question question = { .nr_cpus = change->nr_cpus };

	if (change->kind == CHANGE_BALANCE)
		question.changes.balanced = change->name;
	if (change->kind == CHANGE_WITHOUT)
		question.changes.without = change->name;
	if (change->kind == CHANGE_NO_LOCK)
		question.changes.no_lock = change->name;
	if (change->kind == CHANGE_MERGE)
		question.changes.merged = change->name;
	question.is_pinned = change->kind == CHANGE_PIN;
	question.is_unpinned = change->kind == CHANGE_UNPIN;
	return question;
}

static bool changes_plan(const struct replay_changes *changes)
{
	return changes->balanced != TRACE_NO_STRING || changes->without != TRACE_NO_STRING ||
	       changes->no_lock != TRACE_NO_STRING || changes->merged != TRACE_NO_STRING;
}

bool what_if_is_changed(const struct what_if_question *question)
{
	return changes_plan(&question->changes) || question->nr_cpus || question->is_pinned ||
	       question->is_unpinned || question->nr_faster;
}

/* The plan of the question; free_plan() frees it. */
static struct replay_plan *make_plan(const struct what_if_oracle *oracle,
				     const struct what_if_question *question)
{
	if (!changes_plan(&question->changes))
		return oracle->unchanged;
	return replay_plan_new(oracle->model, oracle->regions, &question->changes);
}

static void free_plan(const struct what_if_oracle *oracle, struct replay_plan *plan)
{
	if (plan != oracle->unchanged)
		replay_plan_free(plan);
}

/* What a changed replay tells, whose unchanged one was @off. */
static uint64_t take_in(struct what_if_prediction *predicted, double ns, double off)
{
	off = fabs(off);
	if (ns * (1 - off) < (double)predicted->least_ns)
		predicted->least_ns = (uint64_t)(ns * (1 - off));
	if (ns * (1 + off) > (double)predicted->most_ns)
		predicted->most_ns = (uint64_t)(ns * (1 + off));
	return (uint64_t)ns;
}

/* Notes how many threads are stuck in a replay. Returns its length. */
static uint64_t length_of(struct what_if_prediction *predicted, const struct replay_result *result)
{
	predicted->nr_stuck += result->nr_stuck;
	return result->length_ns;
}

/* The recorded length, times that of the changed replay over @unchanged_ns. */
static double scaled_ns(struct what_if_prediction *predicted, const struct what_if *base,
			const struct replay_plan *changed, const struct replay_settings *settings,
			uint64_t unchanged_ns)
{
	const struct replay_result result = replay_run(changed, settings);
	double ratio = (double)length_of(predicted, &result) / (double)later_of(unchanged_ns, 1);

	return ratio * (double)base->recorded_ns;
}

/* With each of the placements that may be right as well. Where threads may run, the change tells, or they do. */
static void take_in_placements(struct what_if_prediction *predicted,
			       const struct what_if_oracle *oracle,
			       const struct replay_plan *changed,
			       const struct what_if_question *question,
			       struct replay_settings settings)
{
	enum replay_placement chosen = settings.placement;

	if (question->is_pinned || question->is_unpinned)
		return;
	for (int i = 0; i < NR_REPLAY_PLACEMENTS; i++) {
		const struct what_if_placement *row = &oracle->placements[i];

		settings.placement = (enum replay_placement)i;
		if (row->may_be_right && settings.placement != chosen &&
		    settings.placement != oracle->base.placement)
			take_in(predicted,
				scaled_ns(predicted, &oracle->base, changed, &settings,
					  row->length_ns),
				row->error);
	}
}

/* Of the unchanged replay, placed as the changed one, but for a change that tells where threads may run. */
static uint64_t unchanged_ns(struct what_if_prediction *predicted,
			     const struct what_if_oracle *oracle,
			     const struct what_if_question *question,
			     const struct replay_settings *changed, int slice)
{
	const struct replay_settings settings = {
		.placement = changed->placement,
		.slice_ns = oracle->slices_ns[slice],
		.latency_ns = changed->latency_ns,
	};
	struct replay_result result = oracle->results[slice];

	if (!question->is_unpinned && changed->placement != oracle->base.placement)
		result = replay_run(oracle->unchanged, &settings);
	return length_of(predicted, &result);
}

static double error_off(const struct what_if_oracle *oracle,
			const struct what_if_question *question, enum replay_placement placement)
{
	return question->is_unpinned ? oracle->base.error : oracle->placements[placement].error;
}

/* Without waits for nobody knows whom. */
static void take_in_unknown(struct what_if_prediction *predicted,
			    const struct what_if_oracle *oracle, const struct replay_plan *changed,
			    const struct what_if_question *question,
			    struct replay_settings settings)
{
	uint64_t base_ns = unchanged_ns(predicted, oracle, question, &settings, 0);
	uint64_t least_ns;

	settings.skips_unknown = true;
	least_ns = take_in(predicted,
			   scaled_ns(predicted, &oracle->base, changed, &settings, base_ns),
			   error_off(oracle, question, settings.placement));
	predicted->unknown = 1 - (double)least_ns / (double)later_of(predicted->ns, 1);
}

/* With each of the time slices. */
static struct what_if_prediction predict(const struct what_if_oracle *oracle,
					 const struct replay_plan *changed,
					 const struct what_if_question *question)
{
	const struct what_if *base = &oracle->base;
	struct replay_settings settings = settings_of(oracle, question);
	double *factors = factors_of(changed, question);
	double off = error_off(oracle, question, settings.placement);
	struct what_if_prediction predicted = { .least_ns = UINT64_MAX };

	settings.factors = factors;
	take_in_placements(&predicted, oracle, changed, question, settings);
	for (int i = WHAT_IF_SLICES - 1; i >= 0; i--) {
		settings.slice_ns = oracle->slices_ns[i];
		predicted.ns =
			take_in(&predicted,
				scaled_ns(&predicted, base, changed, &settings,
					  unchanged_ns(&predicted, oracle, question, &settings, i)),
				off);
	}
	if (changed->nr_unknown)
		take_in_unknown(&predicted, oracle, changed, question, settings);
	free(factors);
	return predicted;
}

struct what_if_prediction what_if_predict(const struct what_if_oracle *oracle,
					  const struct what_if_question *question)
{
	struct replay_plan *plan = make_plan(oracle, question);
	struct what_if_prediction predicted = predict(oracle, plan, question);

	free_plan(oracle, plan);
	return predicted;
}

/* Work in spans of each name, whatever spans are inside them. */
struct work_sums {
	struct pair_table numbers; /* of names */
	double *ns;
	double all_ns;
};

/* Whether a span inside @outer, around @place or itself, has the same name. */
static bool is_counted_inside(const struct replay_plan *plan, uint32_t place, uint32_t outer)
{
	for (; place != outer; place = plan->places[place].outer) {
		if (plan->places[place].name == plan->places[outer].name)
			return true;
	}
	return false;
}

static void add_work(struct work_sums *sums, const struct replay_plan *plan, uint32_t place,
		     double ns)
{
	sums->all_ns += ns;
	for (uint32_t outer = place; outer; outer = plan->places[outer].outer) {
		if (!is_counted_inside(plan, place, outer))
			sums->ns[pair_table_number(&sums->numbers, plan->places[outer].name, 0)] +=
				ns;
	}
}

static struct work_sums sum_work(const struct replay_plan *plan, const double *factors)
{
	struct work_sums sums = { .ns = xcalloc(plan->nr_places, sizeof(*sums.ns)) };
	double *work_ns = xcalloc(plan->nr_places, sizeof(*work_ns));

	for (size_t i = 0; i < plan->nr_steps; i++) {
		if (plan->steps[i].kind == STEP_RUN)
			work_ns[plan->steps[i].place] += (double)plan->steps[i].value;
	}
	for (uint32_t place = 0; place < plan->nr_places; place++)
		add_work(&sums, plan, place, work_ns[place] * factors[place]);
	free(work_ns);
	return sums;
}

/* Those that have enough of it. */
static void add_tasks(struct what_if *what_if, const struct replay_plan *plan,
		      struct work_sums *sums)
{
	size_t capacity = 0;

	for (uint32_t place = 1; place < plan->nr_places; place++) {
		uint32_t name = plan->places[place].name;
		double *ns = &sums->ns[pair_table_number(&sums->numbers, name, 0)];

		if (*ns > 0 && *ns >= WHAT_IF_LEAST_SHARE * sums->all_ns) {
			ARRAY_MAKE_ROOM(what_if->tasks, what_if->nr_tasks, capacity);
			what_if->tasks[what_if->nr_tasks++] =
				(struct what_if_task){ .name = name, .work_ns = (uint64_t)*ns };
		}
		/* Once only. */
		*ns = 0;
	}
}

static int compare_tasks(const void *a, const void *b)
{
	const struct what_if_task *first = a, *second = b;

	if (first->gain < second->gain || first->gain > second->gain)
		return first->gain > second->gain ? -1 : 1;
	if (first->work_ns != second->work_ns)
		return first->work_ns > second->work_ns ? -1 : 1;
	return first->name < second->name ? -1 : first->name > second->name;
}

/* Waits for nobody knows whom last as long as they did, or take no time. */
#define UNKNOWN_ENDS 2

static struct replay_settings with_unknown(struct replay_settings settings, int end)
{
	settings.skips_unknown = end > 0;
	return settings;
}

/* Of runs of @before by the plan. Returns false if it is not known: threads are stuck, or both ends differ. */
static bool find_gain(struct what_if_task *task, const struct replay_plan *plan,
		      const double *faster, struct replay_settings settings,
		      const struct replay_result before[UNKNOWN_ENDS])
{
	double gains[UNKNOWN_ENDS];

	settings.factors = faster;
	for (int end = 0; end < UNKNOWN_ENDS; end++) {
		const struct replay_settings ending = with_unknown(settings, end);
		struct replay_result after;

		if (end && !plan->nr_unknown) {
			gains[end] = gains[0];
			break;
		}
		after = replay_run(plan, &ending);
		if (before[end].nr_stuck || after.nr_stuck)
			return false;
		gains[end] =
			(1 - (double)after.length_ns / (double)later_of(before[end].length_ns, 1)) /
			WHAT_IF_STEP;
	}
	task->gain = gains[0];
	return fabs(gains[1] - gains[0]) <= WHAT_IF_MOST_ERROR;
}

/* The factors with which a task's work is a step faster. */
static double *step_faster(const struct replay_plan *plan, const struct what_if_question *question,
			   uint32_t task)
{
	double *faster = factors_of(plan, question);

	for (uint32_t place = 0; place < plan->nr_places; place++) {
		if (is_in(plan, place, task))
			faster[place] *= 1 - WHAT_IF_STEP;
	}
	return faster;
}

/* What is changed stays changed. */
static void find_gains(struct what_if *what_if, const struct what_if_oracle *oracle,
		       const struct replay_plan *plan, const struct what_if_question *question)
{
	struct replay_settings settings = settings_of(oracle, question);
	double *factors = factors_of(plan, question);
	struct replay_result before[UNKNOWN_ENDS];
	struct work_sums sums;
	size_t nr_all;

	sums = sum_work(plan, factors);
	add_tasks(what_if, plan, &sums);
	pair_table_free(&sums.numbers);
	free(sums.ns);
	nr_all = what_if->nr_tasks;
	what_if->nr_tasks = 0;
	settings.factors = factors;
	for (int end = 0; end < UNKNOWN_ENDS; end++) {
		const struct replay_settings ending = with_unknown(settings, end);

		before[end] = end && !plan->nr_unknown ? before[0] : replay_run(plan, &ending);
	}
	free(factors);
	for (size_t i = 0; i < nr_all; i++) {
		struct what_if_task task = what_if->tasks[i];
		double *faster = step_faster(plan, question, task.name);

		if (find_gain(&task, plan, faster, settings, before))
			what_if->tasks[what_if->nr_tasks++] = task;
		free(faster);
	}
	if (what_if->nr_tasks)
		qsort(what_if->tasks, what_if->nr_tasks, sizeof(*what_if->tasks), compare_tasks);
}

/* The usual slice first, then half of it and twice that. */
static void replay_with_slices(struct what_if_oracle *oracle)
{
	const struct what_if *base = &oracle->base;
	const struct what_if_question nothing = { 0 };

	for (int i = 0; i < WHAT_IF_SLICES; i++) {
		struct replay_settings settings = settings_of(oracle, &nothing);

		settings.slice_ns = (uint64_t[]){ base->slice_ns, base->slice_ns / 2,
						  base->slice_ns * 2 }[i];
		oracle->slices_ns[i] = settings.slice_ns;
		oracle->results[i] = replay_run(oracle->unchanged, &settings);
	}
}

struct what_if_oracle what_if_oracle_new(const struct model *model, const struct regions *regions)
{
	const struct replay_changes nothing = { .balanced = TRACE_NO_STRING };
	struct what_if_oracle oracle = {
		.model = model,
		.regions = regions,
		.unchanged = replay_plan_new(model, regions, &nothing),
		.lock_waits = lock_waits_find(model, &regions->barriers),
		.base = { .slice_ns = find_slice_ns(model), .latency_ns = find_latency_ns(model) },
	};

	if (oracle.unchanged->to_ns > oracle.unchanged->from_ns)
		oracle.base.recorded_ns = oracle.unchanged->to_ns - oracle.unchanged->from_ns;
	oracle.base.slice_ns =
		later_of(oracle.base.slice_ns,
			 oracle.base.recorded_ns / MOST_SLICES * (uint64_t)model->nr_cpus);
	replay_unchanged(&oracle);
	if (oracle.base.has_answer)
		replay_with_slices(&oracle);
	return oracle;
}

void what_if_oracle_free(struct what_if_oracle *oracle)
{
	replay_plan_free(oracle->unchanged);
	free(oracle->lock_waits.rows);
}

struct what_if what_if_compute(const struct what_if_oracle *oracle,
			       const struct what_if_question *question)
{
	struct what_if what_if = oracle->base;
	struct replay_plan *plan;

	if (!what_if.has_answer)
		return what_if;
	plan = make_plan(oracle, question);
	if (what_if_is_changed(question))
		what_if.predicted = predict(oracle, plan, question);
	what_if.has_answer = what_if_prediction_is_known(&what_if.predicted);
	if (what_if.has_answer)
		find_gains(&what_if, oracle, plan, question);
	free_plan(oracle, plan);
	return what_if;
}

void what_if_free(struct what_if *what_if)
{
	free(what_if->tasks);
	*what_if = (struct what_if){ 0 };
}
