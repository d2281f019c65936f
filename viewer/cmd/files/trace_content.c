// SPDX-License-Identifier: GPL-2.0
#include "cmd/files/trace_content.h"

#include <stdlib.h>
#include <string.h>

#include "util/diag.h"
#include "util/text/nearest.h"
#include "util/xalloc.h"

bool trace_content_has_session(const struct model *model)
{
	for (size_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].in_session)
			return true;
	}
	return false;
}

/* Lists the events of the trace, after a request for another one. */
static int no_such_event(const struct model *model, const char *wanted)
{
	const char **names = xcalloc(model->nr_pmu_events + 1, sizeof(*names));
	const char *nearest;

	for (size_t i = 0; i < model->nr_pmu_events; i++)
		names[i] = trace_string(model->trace, model->pmu_events[i].name);
	nearest = nearest_word(wanted, names);
	diag_error("%s: has no event '%s'%s%s%s", trace_info(model->trace)->path, wanted,
		   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	free(names);
	return -1;
}

static int check_event(const struct model *model, const char *wanted)
{
	const char *path = trace_info(model->trace)->path;
	bool found = false;

	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		const struct pmu_event *event = &model->pmu_events[i];

		if (strcmp(trace_string(model->trace, event->name), wanted))
			continue;
		if (event->error)
			return diag_error("%s: '%s' was not measured: the kernel refused it: %s",
					  path, wanted, strerror(event->error));
		if (event->is_counted)
			return diag_error("%s: '%s' was counted, not sampled: annot report without "
					  "--by has its figures",
					  path, wanted);
		found = true;
	}
	return found ? 0 : no_such_event(model, wanted);
}

int trace_content_check_samples(const struct model *model, const char *event)
{
	if (event)
		return check_event(model, event);
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		if (!model->pmu_events[i].is_counted && !model->pmu_events[i].error)
			return 0;
	}
	return diag_error("%s: has no samples: record with annot record -e EVENT",
			  trace_info(model->trace)->path);
}

static uint8_t event_of_name(const struct model *model, const char *name)
{
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		if (!strcmp(trace_string(model->trace, model->pmu_events[i].name), name))
			return (uint8_t)i;
	}
	return 0;
}

int trace_content_choose_stacks(const struct model *model, const char *event,
				struct stack_weights_options *wanted)
{
	if (wanted->of == STACKS_MISSES && trace_content_check_samples(model, event))
		return -1;
	wanted->event = event ? event_of_name(model, event) : stack_weights_default_event(model);
	/* Row 0 is no frame. */
	if (model->frames.nr > 1)
		return 0;
	return diag_error("%s: has no call stacks: record with annot record --why, or with "
			  "trace-cmd record -O userstacktrace",
			  trace_info(model->trace)->path);
}
