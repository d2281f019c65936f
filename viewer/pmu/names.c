// SPDX-License-Identifier: GPL-2.0
#include "pmu/names.h"

#include <ctype.h>
#include <perfmon/pfmlib.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pmu/aliases.h"
#include "util/diag.h"
#include "util/text/nearest.h"
#include "util/xalloc.h"

#define FORCE_VARIABLE "LIBPFM_FORCE_PMU"

static struct pmu_names_pmu found_pmus[NAMES_MAX_PMUS];
static size_t nr_found;

bool pmu_names_are_forced(void)
{
	const char *forced = getenv(FORCE_VARIABLE);

	return forced && *forced;
}

static void add_pmu(const pfm_pmu_info_t *info, bool is_cpu)
{
	if (nr_found == NAMES_MAX_PMUS)
		return;
	found_pmus[nr_found++] = (struct pmu_names_pmu){
		.name = info->name,
		.description = info->desc,
		.is_cpu = is_cpu,
		.id = info->pmu,
		.first_event = info->first_event,
	};
}

/* @generic: the few events that Intel has on all its CPUs, under names of their own. */
static void find_cpu(bool generic)
{
	for (int pmu = 0; pmu < PFM_PMU_MAX; pmu++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm_get_pmu_info(pmu, &info) == PFM_SUCCESS && info.is_present &&
		    info.type == PFM_PMU_TYPE_CORE && info.is_dfl == generic)
			add_pmu(&info, true);
	}
}

/* With another CPU forced, libpfm4 takes the kernel's names, but does not list them. */
static void add_kernels(pfm_pmu_t pmu, const char *name)
{
	pfm_pmu_info_t info = { .size = sizeof(info) };

	if (pfm_get_pmu_info(pmu, &info) != PFM_SUCCESS)
		info = (pfm_pmu_info_t){
			.name = name, .desc = name, .pmu = pmu, .first_event = -1
		};
	add_pmu(&info, false);
}

static int refuse_forced(void)
{
	const char *names[PFM_PMU_MAX + 1];
	const char *nearest;
	size_t nr = 0;

	for (int pmu = 0; pmu < PFM_PMU_MAX; pmu++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm_get_pmu_info(pmu, &info) == PFM_SUCCESS && info.type == PFM_PMU_TYPE_CORE)
			names[nr++] = info.name;
	}
	names[nr] = NULL;
	nearest = nearest_word(getenv(FORCE_VARIABLE), names);
	return diag_error("libpfm4 knows no CPU '%s'%s%s%s", getenv(FORCE_VARIABLE),
			  nearest ? "; did you mean '" : "", nearest ? nearest : "",
			  nearest ? "'?" : "");
}

int pmu_names_open(const char *cpu)
{
	int error;

	if (cpu)
		setenv(FORCE_VARIABLE, cpu, 1);
	if (pmu_names_are_forced())
		setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	error = pfm_initialize();
	if (error != PFM_SUCCESS)
		return diag_error("libpfm4 cannot be used: %s", pfm_strerror(error));
	nr_found = 0;
	find_cpu(false);
	find_cpu(true);
	if (pmu_names_are_forced() && !nr_found)
		return refuse_forced();
	add_kernels(PFM_PMU_PERF_EVENT, "perf");
	add_kernels(PFM_PMU_PERF_EVENT_RAW, "perf_raw");
	return 0;
}

size_t pmu_names_pmus(const struct pmu_names_pmu **pmus)
{
	*pmus = found_pmus;
	return nr_found;
}

const struct pmu_names_pmu *pmu_names_cpu(void)
{
	return nr_found && found_pmus[0].is_cpu ? &found_pmus[0] : NULL;
}

static const struct pmu_names_pmu *pmu_of_id(int id)
{
	for (size_t i = 0; i < nr_found; i++) {
		if (found_pmus[i].id == id)
			return &found_pmus[i];
	}
	return NULL;
}

bool pmu_names_get(int index, struct pmu_names_event *event)
{
	pfm_event_info_t info = { .size = sizeof(info) };

	if (pfm_get_event_info(index, PFM_OS_PERF_EVENT_EXT, &info) != PFM_SUCCESS ||
	    !pmu_of_id(info.pmu))
		return false;
	*event = (struct pmu_names_event){
		.pmu = pmu_of_id(info.pmu),
		.name = info.name,
		.description = info.desc,
		.same_as = info.equiv,
		.precise = info.is_precise,
		.index = index,
		.nr_attributes = info.nattrs,
	};
	return true;
}

void pmu_names_for_each(const struct pmu_names_pmu *pmu,
			bool (*visit)(const struct pmu_names_event *event, void *context),
			void *context)
{
	struct pmu_names_event event;

	for (int index = pmu->first_event; index != -1; index = pfm_get_event_next(index)) {
		if (pmu_names_get(index, &event) && !visit(&event, context))
			return;
	}
}

bool pmu_names_attribute(const struct pmu_names_event *event, int i,
			 struct pmu_names_attribute *attribute)
{
	pfm_event_attr_info_t info = { .size = sizeof(info) };

	if (i >= event->nr_attributes ||
	    pfm_get_event_attr_info(event->index, i, PFM_OS_PERF_EVENT_EXT, &info) != PFM_SUCCESS)
		return false;
	*attribute = (struct pmu_names_attribute){
		.name = info.name,
		.description = info.desc,
		.same_as = info.equiv,
		.is_mask = info.type == PFM_ATTR_UMASK,
		.takes_number = info.type == PFM_ATTR_MOD_INTEGER,
		.is_default = info.type == PFM_ATTR_UMASK && info.is_dfl,
		.precise = info.is_precise,
	};
	return true;
}

struct search {
	const char *name;
	struct pmu_names_event *event;
	bool found;
};

static bool compare_name(const struct pmu_names_event *event, void *context)
{
	struct search *search = context;

	search->found = !strcasecmp(event->name, search->name);
	if (search->found)
		*search->event = *event;
	return !search->found;
}

bool pmu_names_find(const char *name, struct pmu_names_event *event)
{
	struct search search = { .name = name, .event = event };

	for (size_t i = 0; i < nr_found && !search.found; i++)
		pmu_names_for_each(&found_pmus[i], compare_name, &search);
	return search.found;
}

struct name_list {
	const char **names;
	size_t nr;
	size_t capacity;
};

static void add_name(struct name_list *list, const char *name)
{
	ARRAY_MAKE_ROOM(list->names, list->nr, list->capacity);
	list->names[list->nr++] = name;
}

static bool add_event_name(const struct pmu_names_event *event, void *context)
{
	add_name(context, event->name);
	return true;
}

/* libpfm4's own names are in capitals, and taken in either case. */
static const char *nearest_in_capitals(const char *typed, const char *const *names)
{
	char *capitals = xstrndup(typed, strlen(typed));
	const char *nearest;

	for (char *p = capitals; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	nearest = nearest_word(capitals, names);
	free(capitals);
	return nearest;
}

const char *pmu_names_nearest(const char *typed)
{
	struct name_list list = { 0 };
	const struct pmu_alias *all;
	size_t nr = pmu_aliases(&all);
	const char *nearest;

	for (size_t i = 0; i < nr; i++)
		add_name(&list, all[i].name);
	for (size_t i = 0; i < nr_found; i++)
		pmu_names_for_each(&found_pmus[i], add_event_name, &list);
	add_name(&list, NULL);
	nearest = nearest_word(typed, list.names);
	if (!nearest)
		nearest = nearest_in_capitals(typed, list.names);
	free(list.names);
	return nearest;
}
