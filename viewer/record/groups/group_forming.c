// SPDX-License-Identifier: GPL-2.0
#include "record/groups/group_forming.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/refusal.h"
#include "pmu/topdown.h"
#include "trace/lines/group_line.h"
#include "util/diag.h"
#include "util/xalloc.h"

#define LIST_BYTES 1024

/* The groups while they are made, and the last of them on a CPU, to see what fits. */
struct forming {
	struct group_set *set;
	struct counter_group counters;
	size_t nr_left_out; /* of top-down: there is no counter for them */
	struct refused_event *left_out;
};

/* Requests with the same group, one behind the other. */
struct part {
	const struct pmu_request *requests;
	size_t nr;
};

static void append(struct refused_event **events, size_t *nr, const struct pmu_request *request,
		   int error)
{
	*events = xrealloc_array(*events, *nr + 1, sizeof(**events));
	(*events)[(*nr)++] = (struct refused_event){ request, error };
}

static void refuse(struct forming *forming, const struct pmu_request *request, int error)
{
	pmu_request_report_refusal(request, "record", error);
	append(&forming->set->refused, &forming->set->nr_refused, request, error);
}

static void leave_out(struct forming *forming, const struct pmu_request *request)
{
	append(&forming->left_out, &forming->nr_left_out, request, EBUSY);
}

static struct event_group *last_group(const struct forming *forming)
{
	return &forming->set->groups[forming->set->nr_groups - 1];
}

static void begin_group(struct forming *forming)
{
	counter_group_close(&forming->counters);
}

static void note(struct forming *forming, const struct pmu_request *request)
{
	struct group_set *set = forming->set;

	if (forming->counters.nr == 1) {
		set->groups = xrealloc_array(set->groups, set->nr_groups + 1, sizeof(*set->groups));
		set->groups[set->nr_groups++] = (struct event_group){ 0 };
	}
	last_group(forming)->requests[last_group(forming)->nr++] = request;
}

static int add(struct forming *forming, const struct pmu_request *request)
{
	if (forming->counters.nr == TRACE_GROUP_MOST_COUNTS)
		return EINVAL;
	return counter_group_add(&forming->counters, &request->code);
}

/* 0, or why the kernel does not even take it by itself. */
static int try_alone(const struct forming *forming, const struct pmu_request *request)
{
	struct counter_group alone = counter_group_new(forming->counters.cpu);
	int error = counter_group_add(&alone, &request->code);

	counter_group_close(&alone);
	return error;
}

/* EBUSY: not beside those that the group has already. */
static int add_beside(struct forming *forming, const struct pmu_request *request)
{
	int error = add(forming, request);

	if (error == EINVAL && forming->counters.nr) {
		error = try_alone(forming, request);
		return error ? error : EBUSY;
	}
	if (!error)
		note(forming, request);
	return error;
}

static void place_freely(struct forming *forming, const struct pmu_request *request)
{
	int error = add_beside(forming, request);

	if (error == EBUSY && forming->counters.nr) {
		begin_group(forming);
		error = add_beside(forming, request);
	}
	if (error)
		refuse(forming, request, error);
}

static int too_large(const struct pmu_request *request, size_t nr)
{
	struct pmu_refusal_facts facts;

	pmu_refusal_read_facts(&facts);
	diag_error(
		"record: --count: a group is too large: with %zu event%s before it, the counters of "
		"this CPU are not enough for '%s' (user and kernel apart are two)%s",
		nr, nr == 1 ? "" : "s", request->name,
		facts.nmi_watchdog ? "; " REFUSAL_FREE_WATCHDOG " frees a counter" : "");
	return EXIT_BAD_INPUT;
}

static int place_group(struct forming *forming, const struct part *part)
{
	begin_group(forming);
	for (size_t i = 0; i < part->nr; i++) {
		const struct pmu_request *request = &part->requests[i];
		int error = request->not_here ? ENOENT : add_beside(forming, request);

		if (error == EBUSY && forming->counters.nr)
			return too_large(request, forming->counters.nr);
		if (error)
			refuse(forming, request, request->not_here ? 0 : error);
	}
	return EXIT_OK;
}

static bool has_event(const struct event_group *group, const char *name)
{
	for (size_t i = 0; i < group->nr; i++) {
		if (!strcmp(group->requests[i]->name, name))
			return true;
	}
	return false;
}

/* All of @part beside those of the group, or none of it. */
static bool add_whole(struct forming *forming, const struct part *part)
{
	size_t nr_before = forming->counters.nr;

	for (size_t i = 0; i < part->nr; i++) {
		if (has_event(last_group(forming), part->requests[i].name) ||
		    !add_beside(forming, &part->requests[i]))
			continue;
		counter_group_drop(&forming->counters, nr_before);
		last_group(forming)->nr = nr_before;
		return false;
	}
	return true;
}

static bool fits_alone(const struct forming *forming, const struct part *part)
{
	struct counter_group alone = counter_group_new(forming->counters.cpu);
	bool fits = true;

	for (size_t i = 0; i < part->nr && fits; i++)
		fits = !counter_group_add(&alone, &part->requests[i].code);
	counter_group_close(&alone);
	return fits;
}

static bool has_place(const struct forming *forming, const struct part *part)
{
	if (part->requests->goes_whole)
		return fits_alone(forming, part);
	return !part->requests->goes_beside;
}

static void place_topdown(struct forming *forming, const struct part *part, bool is_first)
{
	bool may_begin;

	if (!is_first && forming->counters.nr && add_whole(forming, part))
		return;
	if (part->requests->is_extra || (part->requests->goes_beside && !forming->counters.nr))
		return;
	may_begin = has_place(forming, part);
	if (may_begin)
		begin_group(forming);
	for (size_t i = 0; i < part->nr; i++) {
		const struct pmu_request *request = &part->requests[i];
		int error = may_begin ? add_beside(forming, request) : EBUSY;

		if (error == EBUSY)
			leave_out(forming, request);
		else if (error)
			refuse(forming, request, error);
	}
}

static int place(struct forming *forming, const struct part *part, const struct part *before)
{
	if (part->requests->is_of_topdown) {
		place_topdown(forming, part, !before->nr || !before->requests->is_of_topdown);
		return EXIT_OK;
	}
	if (part->requests->group)
		return place_group(forming, part);
	/* Groups that the command line makes stay as they are. */
	if (before->nr)
		begin_group(forming);
	for (size_t i = 0; i < part->nr; i++) {
		if (part->requests[i].not_here)
			refuse(forming, &part->requests[i], 0);
		else
			place_freely(forming, &part->requests[i]);
	}
	return EXIT_OK;
}

static struct part next_part(const struct pmu_requests *requests, size_t first)
{
	struct part part = { &requests->requests[first], 1 };

	while (first + part.nr < requests->nr &&
	       part.requests[part.nr].group == part.requests->group)
		part.nr++;
	return part;
}

static int place_all(struct forming *forming, const struct pmu_requests *requests)
{
	struct part part = { 0 }, before;
	int status = EXIT_OK;

	for (size_t i = 0; i < requests->nr && !status; i += part.nr) {
		before = part;
		part = next_part(requests, i);
		status = place(forming, &part, &before);
	}
	return status;
}

static bool is_in_a_group(const struct group_set *set, const char *name)
{
	for (size_t i = 0; i < set->nr_groups; i++) {
		if (has_event(&set->groups[i], name))
			return true;
	}
	return false;
}

static bool is_in(const struct refused_event *events, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(events[i].request->name, name))
			return true;
	}
	return false;
}

/* What was left out of one group may be in another, or refused for another reason; and is told once. */
static void tell_left_out(const struct forming *forming)
{
	char list[LIST_BYTES] = "";

	for (size_t i = 0; i < forming->nr_left_out; i++) {
		const char *name = forming->left_out[i].request->name;
		size_t length = strlen(list);

		if (is_in_a_group(forming->set, name) ||
		    is_in(forming->set->refused, forming->set->nr_refused, name))
			continue;
		snprintf(list + length, sizeof(list) - length, "%s%s", length ? ", " : "", name);
		append(&forming->set->refused, &forming->set->nr_refused,
		       forming->left_out[i].request, EBUSY);
	}
	if (*list)
		diag_warn(TOPDOWN_NO_COUNTER, list);
}

int group_forming_run(struct group_set *set, const struct pmu_requests *requests, int cpu)
{
	struct forming forming = { .set = set, .counters = counter_group_new(cpu) };
	int status = place_all(&forming, requests);

	counter_group_close(&forming.counters);
	if (!status)
		tell_left_out(&forming);
	free(forming.left_out);
	if (status)
		return status;
	if (!set->nr_groups) {
		diag_error("record: nothing is recorded: none of the events can be counted here "
			   "(annot list lists events)");
		return EXIT_BAD_INPUT;
	}
	if (set->nr_groups < GROUP_LINE_MOST_GROUPS)
		return EXIT_OK;
	diag_error("record: --count: %zu groups of counters are too many", set->nr_groups);
	return EXIT_USAGE;
}
