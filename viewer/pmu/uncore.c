// SPDX-License-Identifier: GPL-2.0
#include "pmu/uncore.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/sysfs_line.h"
#include "util/xalloc.h"

static bool read_cpus(const char *folder, const char *pmu, struct cpu_list *cpus)
{
	char *line = sysfs_line_read(folder, pmu, UNCORE_CPUMASK);
	bool is_read = line && cpu_list_parse(cpus, line);

	free(line);
	return is_read;
}

/* A scale that is no number, or no sensible one, is none: then the unit is not the count's either. */
static void read_unit(const char *folder, const char *pmu, const char *term,
		      struct uncore_event *event)
{
	char *file = xasprintf("events/%s.scale", term), *end = NULL;
	char *scale = sysfs_line_read(folder, pmu, file), *unit;
	double value = scale ? strtod(scale, &end) : 1;
	bool is_sound = !scale || (end != scale && !*end && isfinite(value) && value > 0);

	free(file);
	free(scale);
	if (!is_sound)
		return;
	event->scale = value;
	file = xasprintf("events/%s.unit", term);
	unit = sysfs_line_read(folder, pmu, file);
	if (unit)
		snprintf(event->unit, sizeof(event->unit), "%s", unit);
	free(file);
	free(unit);
}

bool uncore_event_read(const char *folder, const char *name, struct uncore_event *event)
{
	size_t pmu_bytes = strcspn(name, "/");
	const char *terms = name + pmu_bytes + (name[pmu_bytes] == '/');
	char *pmu = xstrndup(name, pmu_bytes);
	char *term = xstrndup(terms, strcspn(terms, ",/"));
	bool has_cpus;

	*event = (struct uncore_event){ .scale = 1 };
	has_cpus = read_cpus(folder, pmu, &event->cpus);
	if (has_cpus && *term && !strchr(term, '='))
		read_unit(folder, pmu, term, event);
	free(term);
	free(pmu);
	return has_cpus;
}

/* Beside an event's file there may be some that end in ".scale" or ".unit". */
static int is_event_file(const struct dirent *entry)
{
	return !strchr(entry->d_name, '.');
}

static void visit_event(const char *folder, const char *pmu, const char *term,
			uncore_visitor *visit, void *context)
{
	struct uncore_event *event = xcalloc(1, sizeof(*event));
	char *name = xasprintf("%s/%s/", pmu, term);

	if (uncore_event_read(folder, name, event))
		visit(context, name, event);
	free(name);
	free(event);
}

static void visit_pmu(const char *folder, const char *pmu, uncore_visitor *visit, void *context)
{
	char *path = xasprintf("%s/%s/events", folder, pmu);
	struct dirent **entries = NULL;
	int nr = scandir(path, &entries, is_event_file, alphasort);

	for (int i = 0; i < nr; i++) {
		visit_event(folder, pmu, entries[i]->d_name, visit, context);
		free(entries[i]);
	}
	free(entries);
	free(path);
}

void uncore_for_each(const char *folder, uncore_visitor *visit, void *context)
{
	struct dirent **entries = NULL;
	int nr = scandir(folder, &entries, is_event_file, alphasort);

	for (int i = 0; i < nr; i++) {
		visit_pmu(folder, entries[i]->d_name, visit, context);
		free(entries[i]);
	}
	free(entries);
}
