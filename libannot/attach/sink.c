// SPDX-License-Identifier: MIT
#include "sink.h"

#include <pthread.h>
#include <string.h>

__thread struct attach_wait attach_wait;

uint64_t attach_team_begin(struct attach_runtime *runtime)
{
	return __atomic_add_fetch(&runtime->nr_teams, 1, __ATOMIC_RELAXED);
}

void attach_region_begin(uint64_t team, struct place *place)
{
	/* That of the region before, whose end the thread may not have heard of. */
	attach_wait.packed = 0;
	attach_work_begin_value(place, (int64_t)team);
}

void attach_region_end(struct attach_runtime *runtime, uint64_t team)
{
	attach_work_end();
	attach_wait_begin_value(place_of_literal(&runtime->wait, runtime->wait_name),
				(int64_t)team);
}

void attach_team_end(struct attach_runtime *runtime, uint64_t team)
{
	attach_wait.packed = 0;
	attach_mark_value(place_of_literal(&runtime->mark, runtime->mark_name), (int64_t)team);
}

/* The wait for a team ends by itself with the next annotation. */
static bool wait_is_for_team(const struct place *place)
{
	return place->word == place->name && strstr(place->name, " @team_");
}

struct attach_wait attach_wait_suspend(void)
{
	struct attach_wait suspended = attach_wait;

	attach_wait.packed = 0;
	if (suspended.packed && !wait_is_for_team(place_at((uint32_t)(suspended.packed >> 48))))
		annot_put(0, ANNOT_OP_END, 0, 0);
	return suspended;
}

void attach_wait_resume(struct attach_wait suspended)
{
	if (suspended.packed)
		attach_wait_begin_value(place_at((uint32_t)(suspended.packed >> 48)),
					(int64_t)(suspended.packed << 16) >> 16);
}

struct attach_wait attach_task_begin(struct place *place)
{
	struct attach_wait suspended = attach_wait_suspend();

	attach_work_begin(place);
	return suspended;
}

void attach_task_end(struct attach_wait suspended)
{
	attach_work_end();
	attach_wait_resume(suspended);
}

/* The child of a fork is in none of the spans that its parent is in. */
static void forget_wait(void)
{
	attach_wait.packed = 0;
}

__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, forget_wait);
}
