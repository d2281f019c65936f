// SPDX-License-Identifier: GPL-2.0
#include "analysis/replay/replay_cpus.h"

#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

struct places {
	const struct replay_plan *plan;
	const struct replay_settings *settings;
	int nr_cpus;
	bool *may_run; /* row of threads * nr_cpus + CPU */
};

static bool may_run(const struct places *places, size_t thread, int cpu)
{
	return places->may_run[thread * (size_t)places->nr_cpus + (size_t)cpu];
}

/* The group of threads that may run where any of them ran. */
static uint32_t group_of(const struct places *places, size_t thread)
{
	const struct replay_plan *plan = places->plan;

	return places->settings->placement == PLACE_BY_PROGRAM ?
		       plan->programs.of_thread[plan->threads[thread].thread] :
		       (uint32_t)thread;
}

/* Where threads may run that ran somewhere in the recording. */
static void allow_groups(struct places *places)
{
	const struct replay_plan *plan = places->plan;
	size_t nr_cpus = (size_t)plan->nr_cpus, nr = plan->nr_threads + plan->programs.nr;
	bool *groups = xcalloc(nr * nr_cpus, sizeof(*groups));

	for (size_t i = 0; i < plan->nr_threads; i++) {
		for (size_t cpu = 0; cpu < nr_cpus; cpu++)
			groups[group_of(places, i) * nr_cpus + cpu] |=
				plan->may_run[i * nr_cpus + cpu];
	}
	for (size_t i = 0; i < plan->nr_threads; i++) {
		for (size_t cpu = 0; cpu < nr_cpus; cpu++)
			places->may_run[i * (size_t)places->nr_cpus + cpu] =
				groups[group_of(places, i) * nr_cpus + cpu];
	}
	free(groups);
}

static bool ran_in_session(const struct replay_plan *plan, int cpu)
{
	return cpu < plan->nr_cpus && plan->is_of_session[cpu];
}

int replay_cpus_of_session(const struct replay_plan *plan)
{
	int nr = 0;

	for (int cpu = 0; cpu < plan->nr_cpus; cpu++)
		nr += ran_in_session(plan, cpu);
	return nr;
}

static void allow_all(struct places *places, int cpu, bool may_run)
{
	for (size_t i = 0; i < places->plan->nr_threads; i++)
		places->may_run[i * (size_t)places->nr_cpus + (size_t)cpu] = may_run;
}

static void allow_session(struct places *places)
{
	for (int cpu = 0; cpu < places->plan->nr_cpus; cpu++)
		allow_all(places, cpu, places->plan->is_of_session[cpu]);
}

/* The session has so many CPUs: the first that it did not have come to those that it had, or the last of these go. */
static void change_cpus(struct places *places)
{
	int wanted = places->settings->nr_cpus, nr = replay_cpus_of_session(places->plan);

	for (int cpu = 0; cpu < places->nr_cpus && nr < wanted; cpu++) {
		if (ran_in_session(places->plan, cpu))
			continue;
		allow_all(places, cpu, true);
		nr++;
	}
	for (int cpu = places->nr_cpus - 1; cpu >= 0 && nr > wanted; cpu--) {
		if (!ran_in_session(places->plan, cpu))
			continue;
		allow_all(places, cpu, false);
		nr--;
	}
}

static void pin_all(struct places *places)
{
	for (size_t i = 0; i < places->plan->nr_threads; i++)
		places->may_run[i * (size_t)places->nr_cpus +
				(size_t)places->plan->threads[i].main_cpu] = true;
}

static bool is_anyones(const struct places *places, int cpu)
{
	for (size_t i = 0; i < places->plan->nr_threads; i++) {
		if (may_run(places, i, cpu))
			return true;
	}
	return false;
}

static bool has_cpu(const struct places *places, size_t thread)
{
	for (int cpu = 0; cpu < places->nr_cpus; cpu++) {
		if (may_run(places, thread, cpu))
			return true;
	}
	return false;
}

/* Whom no CPU is left goes to any that others have; if nobody has one, to all. */
static void allow_homeless(struct places *places)
{
	bool *are_anyones = xcalloc((size_t)places->nr_cpus, sizeof(*are_anyones)), has_any = false;

	for (int cpu = 0; cpu < places->nr_cpus; cpu++) {
		are_anyones[cpu] = is_anyones(places, cpu);
		has_any |= are_anyones[cpu];
	}
	for (size_t i = 0; i < places->plan->nr_threads; i++) {
		if (has_cpu(places, i))
			continue;
		for (int cpu = 0; cpu < places->nr_cpus; cpu++)
			places->may_run[i * (size_t)places->nr_cpus + (size_t)cpu] =
				are_anyones[cpu] || !has_any;
	}
	free(are_anyones);
}

bool *replay_cpus_find(const struct replay_plan *plan, const struct replay_settings *settings,
		       int nr_cpus)
{
	struct places places = {
		.plan = plan,
		.settings = settings,
		.nr_cpus = nr_cpus,
		.may_run = xcalloc(plan->nr_threads * (size_t)nr_cpus, sizeof(*places.may_run)),
	};

	if (settings->is_pinned)
		pin_all(&places);
	else if (settings->placement == PLACE_ANYWHERE)
		allow_session(&places);
	else
		allow_groups(&places);
	if (settings->nr_cpus)
		change_cpus(&places);
	allow_homeless(&places);
	return places.may_run;
}

bool replay_cpus_differ(const struct replay_plan *plan, enum replay_placement one,
			enum replay_placement other)
{
	size_t nr = plan->nr_threads * (size_t)plan->nr_cpus;
	bool *by_one = replay_cpus_find(plan, &(struct replay_settings){ .placement = one },
					plan->nr_cpus);
	bool *by_other = replay_cpus_find(plan, &(struct replay_settings){ .placement = other },
					  plan->nr_cpus);
	bool differ = nr && memcmp(by_one, by_other, nr * sizeof(*by_one)) != 0;

	free(by_one);
	free(by_other);
	return differ;
}
