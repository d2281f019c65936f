// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "analysis/regions/regions.h"
#include "report/analyses.h"
#include "report/analysis_list.h"
#include "report/choose_region.h"
#include "util/diag.h"
#include "util/text/nearest.h"
#include "util/xalloc.h"

static const struct region_group *find_group(const struct analyses *analyses, const char *name,
					     size_t length)
{
	const struct regions *regions = analyses_result(analyses, &regions_analysis);

	for (size_t i = 0; i < regions->nr_groups; i++) {
		const char *own = trace_string(analyses->model->trace, regions->groups[i].name);

		if (strlen(own) == length && !memcmp(own, name, length))
			return &regions->groups[i];
	}
	return NULL;
}

/* Returns -1 after telling so. */
static int no_such_region(const struct analyses *analyses, const char *name)
{
	const struct regions *regions = analyses_result(analyses, &regions_analysis);
	const struct trace *trace = analyses->model->trace;
	const char **names = xcalloc(regions->nr_groups + 1, sizeof(*names)), *nearest;

	for (size_t i = 0; i < regions->nr_groups; i++)
		names[i] = trace_string(trace, regions->groups[i].name);
	nearest = nearest_word(name, names);
	diag_error("%s: has no parallel region '%s'%s%s%s", trace_info(trace)->path, name,
		   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	free(names);
	return -1;
}

/* The number behind the last colon, where there are only digits; 0: there is none. */
static unsigned long number_behind(const char *choice, size_t *name_length)
{
	const char *colon = strrchr(choice, ':');

	if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
		return 0;
	*name_length = (size_t)(colon - choice);
	return strtoul(colon + 1, NULL, 10);
}

int analyses_choose_region(struct analyses *analyses, const char *choice)
{
	const struct regions *regions = analyses_result(analyses, &regions_analysis);
	const struct region_group *group = find_group(analyses, choice, strlen(choice));
	size_t length = 0, row;
	unsigned long number = 0;

	/* A name may have colons in it. */
	if (!group) {
		number = number_behind(choice, &length);
		group = number ? find_group(analyses, choice, length) : NULL;
	}
	if (!group)
		return no_such_region(analyses, choice);
	if (number > group->nr)
		return diag_error("%s: has %zu instances of %.*s, not %lu",
				  trace_info(analyses->model->trace)->path, group->nr, (int)length,
				  choice, number);
	row = number ? group->first : group->worst;
	for (; number > 1; number--)
		row = regions->rows[row].next_of_group;
	analyses->region = &regions->rows[row];
	return 0;
}
