// SPDX-License-Identifier: MIT
/* Parallel regions, and leagues of teams. */
#include <stdlib.h>

#include "gomp_runtime.h"
#include "gomp_share.h"

/* What is shared out in all of a region. */
enum gomp_shared {
	SHARED_NOTHING,
	SHARED_LOOP,
	SHARED_SECTIONS
};

/*
 * A region that is told. Its threads run region_run() in place of the program's body.
 * @first:	of the program's data, which GOMP_parallel_reductions() reads
 * @outer:	what the thread remembers, which began the region
 */
struct gomp_region {
	void *first;
	gomp_body *body;
	void *data;
	uint64_t team; /* 0: it is not told */
	struct place *place;
	enum gomp_shared shared;
	struct place *shared_place;
	int64_t shared_count;
	struct gomp_thread outer;
};

static struct attach_runtime gomp_teams = ATTACH_RUNTIME("gomp");

/*
 * Named after its body, whose first line is that of the directive: the compiler may have made a jump of the call, and
 * then that returns elsewhere.
 */
static struct gomp_region region_of(gomp_body *body, void *data, enum gomp_shared shared,
				    int64_t count)
{
	static const char *const words[] = {
		[SHARED_LOOP] = "for", [SHARED_SECTIONS] = "sections"
	};
	struct gomp_region region = {
		.body = body, .data = data, .shared = shared, .shared_count = count
	};

	region.team = attach_team_begin(&gomp_teams);
	region.place = place_of_address("parallel", PLACE_LINE, (void *)body);
	if (shared != SHARED_NOTHING)
		region.shared_place = place_of_address(words[shared], PLACE_LINE, (void *)body);
	return region;
}

static void part_begin(const struct gomp_region *region)
{
	attach_region_begin(region->team, region->place);
	gomp_thread = (struct gomp_thread){ 0 };
	if (region->shared != SHARED_NOTHING)
		gomp_share_begin(region->shared == SHARED_LOOP ? GOMP_SHARE_CHUNKS :
								 GOMP_SHARE_WHOLE,
				 region->shared_place, region->shared_count);
}

static void part_end(uint64_t team)
{
	/* A region that was cancelled leaves its loop without an end. */
	gomp_share_end();
	attach_region_end(&gomp_teams, team);
}

/* Behind part_end(), the region's first thread may be gone, and the region with it. */
static void region_run(void *data)
{
	const struct gomp_region *region = data;
	struct gomp_thread outer = gomp_thread;
	uint64_t team = region->team;

	part_begin(region);
	gomp_runtime_run(region->body, region->data);
	part_end(team);
	gomp_thread = outer;
}

#define GOMP_FUNCTION(type, name, parameters)
#define GOMP_PARALLEL(name, shared, parameters)                                           \
	void name(PARAMETERS_##parameters)                                                \
	{                                                                                 \
		const struct gomp_runtime *runtime = gomp_runtime_of((const void *)body); \
		struct gomp_region region;                                                \
                                                                                          \
		if (!gomp_runtime_is_told(runtime)) {                                     \
			runtime->name(body, data, ARGUMENTS_##parameters);                \
			return;                                                           \
		}                                                                         \
		region = region_of(body, data, SHARED_##shared, COUNT_##parameters);      \
		runtime->name(region_run, &region, ARGUMENTS_##parameters);               \
		attach_team_end(&gomp_teams, region.team);                                \
	}
#include "gomp_functions.def"

unsigned int GOMP_parallel_reductions(PARAMETERS_PARALLEL)
{
	const struct gomp_runtime *runtime = gomp_runtime_of((const void *)body);
	struct gomp_region region;
	unsigned int nr;

	if (!gomp_runtime_is_told(runtime))
		return runtime->GOMP_parallel_reductions(body, data, ARGUMENTS_PARALLEL);
	region = region_of(body, data, SHARED_NOTHING, 0);
	region.first = *(void **)data;
	nr = runtime->GOMP_parallel_reductions(region_run, &region, ARGUMENTS_PARALLEL);
	attach_team_end(&gomp_teams, region.team);
	return nr;
}

/*
 * Before gcc 4.9, the first thread calls the body itself, between GOMP_parallel_start() and GOMP_parallel_end().
 * Inside a region that is told, those that are not are remembered, too: it must be known which ends.
 */
static void started_begin(struct gomp_region *region)
{
	region->outer = gomp_thread;
	if (region->team)
		part_begin(region);
	gomp_thread.started = region;
}

static struct gomp_region *started_allocate(const struct gomp_region *region)
{
	struct gomp_region *started = malloc(sizeof(*started));

	if (started)
		*started = *region;
	return started;
}

static struct gomp_region *region_start(bool is_told, gomp_body *body, void *data,
					enum gomp_shared shared, int64_t count)
{
	struct gomp_region none = { .body = body, .data = data }, region;

	if (!is_told)
		return gomp_thread.started ? started_allocate(&none) : NULL;
	region = region_of(body, data, shared, count);
	return started_allocate(&region);
}

#define GOMP_FUNCTION(type, name, parameters)
#define GOMP_PARALLEL_START(name, shared, parameters)                                          \
	void name(PARAMETERS_##parameters)                                                     \
	{                                                                                      \
		const struct gomp_runtime *runtime = gomp_runtime_of((const void *)body);      \
		struct gomp_region *region = region_start(gomp_runtime_is_told(runtime), body, \
							  data, SHARED_##shared,               \
							  COUNT_##parameters);                 \
                                                                                               \
		if (region && region->team)                                                    \
			runtime->name(region_run, region, ARGUMENTS_##parameters);             \
		else                                                                           \
			runtime->name(body, data, ARGUMENTS_##parameters);                     \
		if (region)                                                                    \
			started_begin(region);                                                 \
	}
#include "gomp_functions.def"

void GOMP_parallel_end(void)
{
	const struct gomp_runtime *runtime = gomp_runtime_of(__builtin_return_address(0));
	struct gomp_region *region = gomp_thread.started;

	if (!region) {
		runtime->GOMP_parallel_end();
		return;
	}
	if (region->team)
		part_end(region->team);
	runtime->GOMP_parallel_end();
	if (region->team)
		attach_team_end(&gomp_teams, region->team);
	gomp_thread = region->outer;
	free(region);
}

/* A league: libgomp has its teams do the work one after another. */
struct league {
	gomp_body *body;
	void *data;
	struct place *place;
};

static void team_run(void *data)
{
	const struct league *league = data;

	attach_work_begin(league->place);
	gomp_runtime_run(league->body, league->data);
	attach_work_end();
}

void GOMP_teams_reg(PARAMETERS_TEAMS)
{
	const struct gomp_runtime *runtime = gomp_runtime_of((const void *)body);
	struct league league = { .body = body, .data = data };

	if (!gomp_runtime_is_told(runtime)) {
		runtime->GOMP_teams_reg(body, data, ARGUMENTS_TEAMS);
		return;
	}
	league.place = place_of_address("teams", PLACE_LINE, (void *)body);
	runtime->GOMP_teams_reg(team_run, &league, ARGUMENTS_TEAMS);
}
