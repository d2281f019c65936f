// SPDX-License-Identifier: GPL-2.0
#include "attach/plan.h"

#include <stdlib.h>
#include <string.h>

#include "util/program_path.h"
#include "util/xalloc.h"

static bool is_used(const struct attach_result *result)
{
	return result->use.kind && result->use.kind != ATTACH_USE_OTHER;
}

/* The first program into which something can be loaded, or NULL. */
static const struct attach_program *first_good(const struct attach_plan *plan)
{
	for (size_t i = 0; i < plan->nr_programs; i++) {
		if (!plan->programs[i].problem)
			return &plan->programs[i];
	}
	return NULL;
}

/* Returns the program in which the sign is, or the first good one. */
static const struct attach_program *find_use(const struct attach_plan *plan,
					     const struct attach_front *front,
					     struct attach_result *result)
{
	const struct attach_program *found = first_good(plan);

	for (size_t i = 0; i < plan->nr_programs && !is_used(result); i++) {
		struct attach_use use;

		if (plan->programs[i].problem)
			continue;
		use = attach_use_find(&plan->programs[i], front);
		if (!use.kind)
			continue;
		result->use = use;
		found = &plan->programs[i];
	}
	return found;
}

/* Programs with an OpenMP runtime wait in it, and seldom elsewhere. */
static const struct attach_result *find_openmp(const struct attach_plan *plan)
{
	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		if (attach_fronts[i].convention == ATTACH_OPENMP && is_used(&plan->results[i]))
			return &plan->results[i];
	}
	return NULL;
}

static const char *loads_late(const struct attach_plan *plan)
{
	const char *library = NULL;

	for (size_t i = 0; i < plan->nr_programs && !library; i++)
		library = attach_program_loads_late(&plan->programs[i]);
	return library;
}

static char *describe_use(const struct attach_use *use)
{
	static const char *const verbs[] = {
		[ATTACH_USE_LIBRARY] = "needs",
		[ATTACH_USE_SYMBOL] = "calls",
		[ATTACH_USE_TEXT] = "looks for",
	};

	return xasprintf("%s %s %s", use->where->name, verbs[use->kind], use->what);
}

static void judge_used(const struct attach_plan *plan, const struct attach_front *front,
		       struct attach_result *result)
{
	const struct attach_result *openmp = find_openmp(plan);

	if (front->convention == ATTACH_PTHREAD && openmp) {
		result->verdict = ATTACH_ON_DEMAND;
		result->why = xasprintf("with OpenMP (%s) only on demand", openmp->use.what);
		return;
	}
	if (front->only_on_demand) {
		result->verdict = ATTACH_ON_DEMAND;
		result->why = xasprintf("%s", front->only_on_demand);
		return;
	}
	result->verdict = ATTACH_USED;
	result->why = describe_use(&result->use);
}

static void judge_unused(const struct attach_plan *plan, const struct attach_front *front,
			 struct attach_result *result)
{
	const char *late = loads_late(plan);

	result->verdict = ATTACH_UNUSED;
	if (result->use.kind == ATTACH_USE_OTHER) {
		result->why = xasprintf("another front is for %s", result->use.what);
	} else if (!late || front->only_if_used) {
		result->why = xasprintf("no sign of it");
	} else if (attach_way_is_harmless(front->way)) {
		result->verdict = ATTACH_LATER;
		result->why = xasprintf("%s may load or start what uses it", late);
	} else {
		result->verdict = ATTACH_ON_DEMAND;
		result->why = xasprintf("%s may load or start what uses it: only on demand", late);
	}
}

/* OMP_TOOL=disabled keeps libomp from loading tools. */
static char *find_switch(const struct attach_front *front)
{
	const char *tool = getenv("OMP_TOOL");

	if (front->way == ATTACH_BY_OMPT && tool && !strcasecmp(tool, "disabled"))
		return xasprintf("OMP_TOOL=disabled forbids it");
	return NULL;
}

/* AddressSanitizer ends a program in which another library comes before it. NULL: the program has none. */
static const char *sanitizer_of(const struct attach_program *program)
{
	static const char *const sanitizers[] = { "libasan.so", "libclang_rt.asan", NULL };

	for (size_t i = 0; i < program->libraries.nr; i++) {
		if (attach_begins_with(program->libraries.items[i].name, sanitizers))
			return program->libraries.items[i].name;
	}
	return NULL;
}

static char *find_sanitizer(const struct attach_program *program, const struct attach_front *front)
{
	const char *sanitizer = program && front->way == ATTACH_BY_PRELOAD ? sanitizer_of(program) :
									     NULL;

	if (!sanitizer)
		return NULL;
	return xasprintf("%s must be loaded first: nothing can be preloaded", sanitizer);
}

static char *find_obstacle(const struct attach_plan *plan, const struct attach_front *front,
			   const struct attach_program *program)
{
	char *obstacle;

	if (!program && plan->nr_programs)
		return xasprintf("%s", plan->programs[0].problem);
	obstacle = find_switch(front);
	if (!obstacle)
		obstacle = find_sanitizer(program, front);
	if (!obstacle)
		obstacle = attach_directory_obstacle(&plan->directory, front,
						     program ? &program->libraries : NULL);
	return obstacle;
}

static void judge(struct attach_plan *plan, size_t i)
{
	const struct attach_front *front = &attach_fronts[i];
	struct attach_result *result = &plan->results[i];
	const struct attach_program *program = find_use(plan, front, result);

	result->obstacle = find_obstacle(plan, front, program);
	if (!program)
		result->why = xasprintf("%s", result->obstacle ? result->obstacle : "not known");
	else if (is_used(result))
		judge_used(plan, front, result);
	else
		judge_unused(plan, front, result);
}

static bool convention_is_used(const struct attach_plan *plan, enum attach_convention convention)
{
	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		if (attach_fronts[i].convention == convention &&
		    plan->results[i].verdict == ATTACH_USED)
			return true;
	}
	return false;
}

/* One that is asked for. */
static bool is_wanted(const struct attach_plan *plan, size_t i)
{
	const struct attach_result *result = &plan->results[i];

	if (result->verdict >= ATTACH_LATER)
		return true;
	return result->use.kind != ATTACH_USE_OTHER && !attach_fronts[i].only_if_used &&
	       !convention_is_used(plan, attach_fronts[i].convention);
}

static void choose(struct attach_plan *plan, const struct attach_choice *choice)
{
	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		struct attach_result *result = &plan->results[i];

		if (result->obstacle)
			continue;
		if (choice->is_made)
			result->is_chosen = choice->conventions[attach_fronts[i].convention] &&
					    is_wanted(plan, i);
		else
			result->is_chosen = result->verdict >= ATTACH_LATER;
	}
}

/* Two MPI libraries have different ABIs under the same names: never both fronts without a sign. */
static void refuse_two_mpis(struct attach_plan *plan)
{
	size_t nr = 0;

	for (size_t i = 0; i < ATTACH_FRONTS; i++)
		nr += attach_fronts[i].convention == ATTACH_MPI && plan->results[i].is_chosen;
	for (size_t i = 0; i < ATTACH_FRONTS && nr > 1; i++) {
		struct attach_result *result = &plan->results[i];

		if (attach_fronts[i].convention != ATTACH_MPI || result->verdict == ATTACH_USED)
			continue;
		result->obstacle = xasprintf(
			"which MPI it uses is not known: name the program that is linked with it");
		result->is_chosen = false;
	}
}

/* The files of the chosen fronts that are loaded by @way, with its separator between them; NULL: none. */
static char *chosen_files(const struct attach_plan *plan, enum attach_way_id way)
{
	char *files = NULL;

	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		char *file, *longer;

		if (!plan->results[i].is_chosen || attach_fronts[i].way != way)
			continue;
		file = attach_directory_file(&plan->directory, &attach_fronts[i]);
		longer = files ? xasprintf("%s%c%s", files, attach_ways[way].separator, file) :
				 xasprintf("%s", file);
		free(files);
		free(file);
		files = longer;
	}
	return files;
}

/* Whether the library is to be preloaded: what uses a front may end by _exit(), or execute another program. */
static bool wants_library(const struct attach_plan *plan)
{
	bool wants = false;

	for (size_t i = 0; i < plan->nr_programs; i++) {
		if (sanitizer_of(&plan->programs[i]))
			return false;
	}
	for (size_t i = 0; i < ATTACH_FRONTS; i++)
		wants |= plan->results[i].is_chosen && (plan->results[i].verdict == ATTACH_USED ||
							attach_fronts[i].way == ATTACH_BY_PRELOAD);
	return wants;
}

/* The library, and behind it the fronts that are preloaded. */
static char *preloaded_files(const struct attach_plan *plan)
{
	char *files = chosen_files(plan, ATTACH_BY_PRELOAD), *library = NULL, *both;

	if (wants_library(plan))
		library = attach_directory_library(&plan->directory);
	if (!library)
		return files;
	both = xasprintf("%s%s%s", library, files ? ":" : "", files ? files : "");
	free(library);
	free(files);
	return both;
}

static void make_environment(struct attach_plan *plan)
{
	for (int way = 0; way < ATTACH_WAYS; way++) {
		char *files = way == ATTACH_BY_PRELOAD ?
				      preloaded_files(plan) :
				      chosen_files(plan, (enum attach_way_id)way);

		if (files)
			attach_environment_add(&plan->environment, (enum attach_way_id)way, files);
		free(files);
	}
}

static void add_program(struct attach_plan *plan, const char *name)
{
	plan->programs = xrealloc_array(plan->programs, plan->nr_programs + 1,
					sizeof(*plan->programs));
	attach_program_open(&plan->programs[plan->nr_programs++], name);
}

static void open_programs(struct attach_plan *plan, char *const *command)
{
	char path[PATH_MAX];

	if (!command)
		return;
	add_program(plan, *command);
	while (*++command) {
		if (strchr(*command, '/') && !program_path_find(*command, path))
			add_program(plan, *command);
	}
}

void attach_plan_make(struct attach_plan *plan, char *const *command,
		      const struct attach_choice *choice)
{
	*plan = (struct attach_plan){ 0 };
	open_programs(plan, command);
	attach_directory_find(&plan->directory);
	for (size_t i = 0; i < ATTACH_FRONTS; i++)
		judge(plan, i);
	choose(plan, choice);
	refuse_two_mpis(plan);
	make_environment(plan);
}

void attach_plan_free(struct attach_plan *plan)
{
	for (size_t i = 0; i < plan->nr_programs; i++)
		attach_program_close(&plan->programs[i]);
	free(plan->programs);
	attach_directory_free(&plan->directory);
	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		free(plan->results[i].why);
		free(plan->results[i].obstacle);
	}
	attach_environment_free(&plan->environment);
}
