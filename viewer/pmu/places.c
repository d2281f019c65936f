// SPDX-License-Identifier: GPL-2.0
#include "pmu/places.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pmu/names.h"
#include "util/diag.h"
#include "util/xalloc.h"

#define IBS "ibs_op"
#define AMD_PREFIX "amd64"

static bool is_amd(void)
{
	const struct pmu_names_pmu *cpu = pmu_names_cpu();

	return cpu && !strncmp(cpu->name, AMD_PREFIX, strlen(AMD_PREFIX));
}

static bool has_ibs(void)
{
	struct pmu_code code;
	char why[REQUEST_WHY_BYTES];

	if (pmu_encode(IBS, true, true, &code, why, sizeof(why)) != PMU_ENCODED)
		return false;
	free(code.stands_for);
	return true;
}

enum pmu_places pmu_places_of(const struct pmu_alias *alias, const struct pmu_code *code)
{
	if (!alias->is_of_data || (code && code->precise) || !is_amd())
		return PLACES_OWN;
	return has_ibs() ? PLACES_OF_IBS : PLACES_MISSING;
}

static enum pmu_places places_of_request(const struct pmu_request *request)
{
	const struct pmu_alias *alias;

	if (request->counted || strcasestr(request->name, "precise="))
		return PLACES_OWN;
	alias = pmu_alias_find(request->name, strcspn(request->name, ":."));
	return alias ? pmu_places_of(alias, request->not_here ? NULL : &request->code) : PLACES_OWN;
}

static bool is_ibs(const struct pmu_request *request)
{
	const char *name = request->not_here ? request->name : request->code.stands_for;

	return !request->counted && !strncasecmp(name, IBS, strlen(IBS));
}

static int add_ibs(struct pmu_requests *requests, bool user, bool kernel, const char *command)
{
	const struct pmu_request_rules rules = {
		.command = command,
		.user = user,
		.kernel = kernel,
	};
	int status = pmu_requests_add(requests,
				      user && kernel ? IBS :
				      user	     ? IBS ":u" :
						       IBS ":k",
				      &rules);
	struct pmu_code *code = &requests->requests[requests->nr - 1].code;

	/* A period of misses is too dense for instructions. */
	if (!status)
		code->period = code->default_period;
	return status;
}

int pmu_places_add(struct pmu_requests *requests, size_t most, const char *command)
{
	const char *wanting = NULL, *missing = NULL;
	bool user = false, kernel = false;

	for (size_t i = 0; i < requests->nr; i++) {
		const struct pmu_request *request = &requests->requests[i];
		enum pmu_places places = places_of_request(request);

		if (is_ibs(request))
			return EXIT_OK;
		if (places == PLACES_OWN)
			continue;
		if (places == PLACES_MISSING)
			missing = missing ? missing : request->name;
		else
			wanting = request->name;
		user |= request->code.user;
		kernel |= request->code.kernel;
	}
	if (missing)
		diag_warn(
			"%s: samples of '%s' have no address, and the instruction is approximate: AMD's " IBS
			" would tell them, but the kernel has no IBS here (as in most virtual machines)",
			command, missing);
	return wanting && requests->nr < most ? add_ibs(requests, user, kernel, command) : EXIT_OK;
}
