// SPDX-License-Identifier: GPL-2.0
#include "pmu/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/refusal.h"
#include "pmu/sysfs_event.h"
#include "util/diag.h"
#include "util/xalloc.h"

bool pmu_requests_have(const struct pmu_requests *requests, const char *name, bool counted)
{
	for (size_t i = 0; i < requests->nr; i++) {
		if (requests->requests[i].counted == counted &&
		    !strcmp(requests->requests[i].name, name))
			return true;
	}
	return false;
}

static void free_request(struct pmu_request *request)
{
	free(request->name);
	free(request->code.stands_for);
}

void pmu_requests_append(struct pmu_requests *requests, const struct pmu_request *request)
{
	requests->requests = xrealloc_array(requests->requests, requests->nr + 1,
					    sizeof(*requests->requests));
	requests->requests[requests->nr++] = *request;
}

/* In another group, the same event is counted at another time. */
static bool is_there(const struct pmu_requests *requests, const struct pmu_request *request)
{
	for (size_t i = 0; i < requests->nr; i++) {
		const struct pmu_request *other = &requests->requests[i];

		if (other->counted == request->counted && other->group == request->group &&
		    !strcmp(other->name, request->name))
			return true;
	}
	return false;
}

/* Takes over what @request owns. */
static int append_request(struct pmu_requests *requests, struct pmu_request *request,
			  const char *command)
{
	if (is_there(requests, request)) {
		diag_error("%s: event '%s' is named twice", command, request->name);
		free_request(request);
		return EXIT_USAGE;
	}
	pmu_requests_append(requests, request);
	return EXIT_OK;
}

static char *with_side(const char *name, char side)
{
	size_t length = strlen(name);
	char *full = xcalloc(length + 3, 1);

	snprintf(full, length + 3, "%s:%c", name, side);
	return full;
}

static int append_apart(struct pmu_requests *requests, struct pmu_request *request,
			const char *command)
{
	struct pmu_request kernel = *request;
	char *name = request->name;
	int status;

	kernel.name = with_side(name, 'k');
	kernel.code.user = false;
	kernel.code.stands_for = xstrndup(request->code.stands_for,
					  strlen(request->code.stands_for));
	request->name = with_side(name, 'u');
	request->code.kernel = false;
	free(name);
	status = append_request(requests, request, command);
	if (status)
		free_request(&kernel);
	else
		status = append_request(requests, &kernel, command);
	return status;
}

static bool is_to_be_parted(const struct pmu_request *request)
{
	return !request->not_here && !request->code.is_uncore && !request->code.sides_named &&
	       request->code.user && request->code.kernel;
}

/* Nothing interrupts a CPU when a counter overflows that it shares with others. */
static int check_uncore(const struct pmu_request *request, const struct pmu_request_rules *rules)
{
	if (request->code.is_uncore && request->group) {
		diag_error(
			"%s: event '%s': the CPUs of a socket share its counter: it cannot be in a group",
			rules->command, request->name);
		return EXIT_USAGE;
	}
	if (!request->code.is_uncore || (rules->counted && rules->takes_uncore))
		return EXIT_OK;
	diag_error(
		"%s: event '%s': the CPUs of a socket share its counter: annot record --count %s",
		rules->command, request->name, request->name);
	return EXIT_USAGE;
}

static int add_one(struct pmu_requests *requests, const char *name, unsigned int group,
		   const struct pmu_request_rules *rules)
{
	struct pmu_request request = { .counted = rules->counted, .group = group };
	char why[REQUEST_WHY_BYTES];

	switch (pmu_encode(name, rules->user, rules->kernel, &request.code, why, sizeof(why))) {
	case PMU_NAME_WRONG:
		diag_error("%s: event '%s': %s", rules->command, name, why);
		return EXIT_USAGE;
	case PMU_NOT_HERE:
		request.not_here = true;
		break;
	case PMU_ENCODED:
		break;
	}
	request.name = xstrndup(name, strlen(name));
	if (check_uncore(&request, rules)) {
		free_request(&request);
		return EXIT_USAGE;
	}
	if (rules->apart && is_to_be_parted(&request))
		return append_apart(requests, &request, rules->command);
	return append_request(requests, &request, rules->command);
}

/* Of a PMU that is there several times, each. */
static int add_instances(struct pmu_requests *requests, const char *name, unsigned int group,
			 const struct pmu_request_rules *rules)
{
	size_t nr;
	char **names = sysfs_event_instances(SYSFS_PMUS, name, &nr);
	int status = nr ? EXIT_OK : add_one(requests, name, group, rules);

	for (size_t i = 0; i < nr; i++) {
		if (!status)
			status = add_one(requests, names[i], group, rules);
		free(names[i]);
	}
	free(names);
	return status;
}

/* How many bytes the event takes at @list; those of a group end at '}', too. */
static size_t event_length(const char *list, bool is_in_group)
{
	size_t length = sysfs_event_length(list), end = strcspn(list, "}");

	return is_in_group && end < length ? end : length;
}

static int add_at(struct pmu_requests *requests, const char *at, size_t length, unsigned int group,
		  const struct pmu_request_rules *rules)
{
	char *name = xstrndup(at, length);
	int status = sysfs_event_is_one(name) ? add_instances(requests, name, group, rules) :
						add_one(requests, name, group, rules);

	free(name);
	return status;
}

static int refuse_group(const struct pmu_request_rules *rules, const char *list, const char *why)
{
	diag_error("%s: events '%s': %s", rules->command, list, why);
	return EXIT_USAGE;
}

int pmu_requests_add(struct pmu_requests *requests, const char *list,
		     const struct pmu_request_rules *rules)
{
	const char *at = list;
	unsigned int group = 0;

	for (;; at++) {
		size_t length;
		int status;

		if (rules->takes_groups && *at == '{') {
			if (group)
				return refuse_group(rules, list, "a group within a group");
			group = ++requests->nr_groups;
			requests->needs_groups = true;
			at++;
		}
		length = event_length(at, group);
		status = add_at(requests, at, length, group, rules);
		if (status)
			return status;
		at += length;
		if (group && *at == '}') {
			group = 0;
			at++;
			if (*at && *at != ',')
				return refuse_group(rules, list, "only ',' may stand behind '}'");
		}
		if (!*at)
			return group ? refuse_group(rules, list, "a '}' is missing") : EXIT_OK;
	}
}

static bool is_uncore(const struct pmu_request *request)
{
	return request->code.is_uncore;
}

static bool is_counted(const struct pmu_request *request)
{
	return request->counted;
}

static void take(struct pmu_requests *requests, struct pmu_requests *taken,
		 bool (*is_taken)(const struct pmu_request *request))
{
	size_t nr = 0;

	for (size_t i = 0; i < requests->nr; i++) {
		if (is_taken(&requests->requests[i]))
			pmu_requests_append(taken, &requests->requests[i]);
		else
			requests->requests[nr++] = requests->requests[i];
	}
	requests->nr = nr;
}

void pmu_requests_take_uncore(struct pmu_requests *requests, struct pmu_requests *uncore)
{
	take(requests, uncore, is_uncore);
}

void pmu_requests_take_counted(struct pmu_requests *requests, struct pmu_requests *counted)
{
	take(requests, counted, is_counted);
}

void pmu_request_report_refusal(const struct pmu_request *request, const char *command, int error)
{
	struct pmu_refusal_facts facts;
	char why[REQUEST_WHY_BYTES];

	pmu_refusal_read_facts(&facts);
	if (!request->not_here)
		pmu_refusal_explain(&facts, error, request->code.is_software, !request->counted,
				    why, sizeof(why));
	else if (!facts.has_pmu)
		snprintf(why, sizeof(why), "%s", REFUSAL_NO_PMU);
	else
		snprintf(why, sizeof(why), "this CPU has no such event (annot list %s)",
			 request->name);
	diag_warn("%s: the kernel refuses event '%s': %s", command, request->name, why);
}

void pmu_requests_free(struct pmu_requests *requests)
{
	for (size_t i = 0; i < requests->nr; i++)
		free_request(&requests->requests[i]);
	free(requests->requests);
	*requests = (struct pmu_requests){ 0 };
}
