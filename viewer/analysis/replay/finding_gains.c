// SPDX-License-Identifier: GPL-2.0
#include "analysis/replay/finding_gains.h"

#include "analysis/replay/replay_cpus.h"

static bool has_region(const struct regions *regions, uint32_t name)
{
	for (size_t i = 0; i < regions->nr_groups; i++) {
		if (regions->groups[i].name == name)
			return true;
	}
	return false;
}

/* Beside the session: without what belongs to it, its work would be gone, too. */
static bool has_stranger(const struct model *model, const struct programs *programs, uint32_t name)
{
	bool has = false;

	for (size_t i = 0; i < model->nr_threads; i++) {
		if (programs->names[programs->of_thread[i]] != name)
			continue;
		if (model->threads[i].in_session)
			return false;
		has = true;
	}
	return has;
}

static bool has_task(const struct replay_plan *plan, uint32_t name)
{
	for (size_t i = 1; i < plan->nr_places; i++) {
		if (plan->places[i].name == name)
			return true;
	}
	return false;
}

static bool has_wait(const struct lock_spans *waits, uint32_t name)
{
	for (size_t i = 0; i < waits->nr; i++) {
		if (waits->rows[i].name == name)
			return true;
	}
	return false;
}

/* Whether the replay has what the cure changes. */
static bool can_be_cured(const struct what_if_oracle *oracle, const struct finding *finding)
{
	const struct run_change *cure = &finding->cure;

	switch (cure->kind) {
	case CHANGE_BALANCE:
		return has_region(oracle->regions, cure->name);
	case CHANGE_WITHOUT:
		return has_stranger(oracle->model, &oracle->unchanged->programs, cure->name);
	case CHANGE_NO_LOCK:
		return has_wait(&oracle->lock_waits, cure->name);
	case CHANGE_MERGE:
		return has_task(oracle->unchanged, cure->name);
	case CHANGE_CPUS:
		return cure->nr_cpus > replay_cpus_of_session(oracle->unchanged);
	case CHANGE_UNPIN:
		return oracle->base.placement != PLACE_ANYWHERE;
	default:
		return cure->kind != CHANGE_NONE;
	}
}

static bool is_same(const struct run_change *a, const struct run_change *b)
{
	return a->kind == b->kind && a->name == b->name && a->nr_cpus == b->nr_cpus;
}

static void set_gain(struct finding *finding, uint64_t recorded_ns,
		     const struct what_if_prediction *predicted)
{
	finding->has_gain = true;
	finding->gain_ns = (int64_t)(recorded_ns - predicted->ns);
	finding->gain_least_ns = (int64_t)(recorded_ns - predicted->most_ns);
	finding->gain_most_ns = (int64_t)(recorded_ns - predicted->least_ns);
}

/* Of the finding @first, and of all behind it that have the same cure. */
static void try_cure(struct findings *findings, size_t first, const struct what_if_oracle *oracle)
{
	const struct run_change *cure = &findings->rows[first].cure;
	struct what_if_question question = what_if_question_of(cure);
	struct what_if_prediction predicted = what_if_predict(oracle, &question);

	if (!what_if_prediction_is_known(&predicted))
		return;
	for (size_t i = first; i < findings->nr; i++) {
		if (is_same(&findings->rows[i].cure, cure) &&
		    can_be_cured(oracle, &findings->rows[i]))
			set_gain(&findings->rows[i], oracle->base.recorded_ns, &predicted);
	}
}

void finding_gains_compute(struct findings *findings, const struct what_if_oracle *oracle)
{
	int nr_tried = 0;

	for (size_t i = 0; oracle->base.has_answer && i < findings->nr; i++) {
		if (nr_tried == FINDING_GAINS_MOST)
			break;
		if (findings->rows[i].has_gain || !can_be_cured(oracle, &findings->rows[i]))
			continue;
		try_cure(findings, i, oracle);
		nr_tried++;
	}
	findings_sort(findings);
}
