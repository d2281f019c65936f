// SPDX-License-Identifier: GPL-2.0
#include "pmu/encode.h"

#include <perfmon/pfmlib_perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/aliases.h"
#include "pmu/names.h"
#include "pmu/sysfs_event.h"
#include "util/xalloc.h"

static char *__attribute__((format(printf, 1, 2))) format_text(const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	return length < 0 ? xcalloc(1, 1) : text;
}

/* What libpfm4 made of a name. */
struct answer {
	struct perf_event_attr attr;
	int index; /* of the event */
	int cpu; /* as the name asks; -1: it does not */
	char *qualified; /* "skl::MEM_LOAD_RETIRED:L1_MISS:e=0:...": allocated by libpfm4 */
};

static int ask_library(const char *text, int sides, struct answer *answer)
{
	pfm_perf_encode_arg_t argument = {
		.attr = &answer->attr,
		.fstr = &answer->qualified,
		.size = sizeof(argument),
		.cpu = -1,
	};
	int error;

	*answer = (struct answer){ .attr.size = sizeof(answer->attr) };
	error = pfm_get_os_event_encoding(text, sides, PFM_OS_PERF_EVENT_EXT, &argument);
	answer->index = argument.idx;
	answer->cpu = argument.cpu;
	return error;
}

static void free_answer(struct answer *answer)
{
	free(answer->qualified);
	answer->qualified = NULL;
}

/*
 * Asks each PMU in turn, the CPU's own PMU first, unless @text names one. Returns PFM_SUCCESS, or
 * the error of a PMU that has the event.
 */
static int ask_libpfm(const char *text, int sides, struct answer *answer)
{
	const struct pmu_names_pmu *pmus;
	size_t nr = pmu_names_pmus(&pmus);
	int worst = PFM_ERR_NOTFOUND;

	*answer = (struct answer){ 0 };
	if (strstr(text, "::"))
		return ask_library(text, sides, answer);
	for (size_t i = 0; i < nr; i++) {
		char *full = format_text("%s::%s", pmus[i].name, text);
		int error = ask_library(full, sides, answer);

		free(full);
		if (error == PFM_SUCCESS)
			return error;
		free_answer(answer);
		if (error != PFM_ERR_NOTFOUND)
			worst = error;
	}
	return worst;
}

static bool is_known_to_kernel(const char *text)
{
	struct pmu_code code = { 0 };
	char why[1];

	return sysfs_event_encode(SYSFS_PMUS, text, &code, why, sizeof(why)) == PMU_ENCODED;
}

static bool is_known(const char *text)
{
	struct answer answer;
	bool known;

	if (sysfs_event_is_one(text))
		return is_known_to_kernel(text);
	known = ask_libpfm(text, PFM_PLM3, &answer) == PFM_SUCCESS;
	free_answer(&answer);
	return known;
}

/* The length of the part before the first mask or modifier. */
static size_t base_length(const char *name)
{
	const char *pmu = strstr(name, "::");

	return pmu ? (size_t)(pmu - name) + 2 + strcspn(pmu + 2, ":.") : strcspn(name, ":.");
}

/* Whether @part, a mask or modifier, is one of those after @name. */
static bool has_part(const char *name, const char *part)
{
	const char *at = name + base_length(name);

	while (*at) {
		size_t length = strcspn(++at, ":.");

		if (strcspn(at, ":.=") == strlen(part) && !strncasecmp(at, part, strlen(part)))
			return true;
		at += length;
	}
	return false;
}

static bool has_imprecise_mask(const struct pmu_names_event *event, const char *qualified)
{
	struct pmu_names_attribute mask;

	for (int i = 0; pmu_names_attribute(event, i, &mask); i++) {
		if (mask.is_mask && !mask.precise && has_part(qualified, mask.name))
			return true;
	}
	return false;
}

/* The precision of the kernel's generic names is not known: the kernel chooses their events. */
static bool is_precise(const struct answer *answer)
{
	struct pmu_names_event event;

	return pmu_names_get(answer->index, &event) && event.pmu->is_cpu && event.precise &&
	       !has_imprecise_mask(&event, answer->qualified);
}

struct code_search {
	uint64_t config;
	bool found;
};

static bool compare_code(const struct pmu_names_event *event, void *context)
{
	struct code_search *search = context;
	struct pmu_names_attribute mask;

	for (int i = 0; event->precise && !search->found && pmu_names_attribute(event, i, &mask);
	     i++) {
		struct answer answer;
		char *text;

		if (!mask.is_mask || !mask.precise)
			continue;
		text = format_text("%s::%s:%s", event->pmu->name, event->name, mask.name);
		search->found = ask_library(text, PFM_PLM3, &answer) == PFM_SUCCESS &&
				answer.attr.config == search->config;
		free_answer(&answer);
		free(text);
	}
	return !search->found;
}

/* A raw code does not say whether it is precise: the event of the CPU's that has this code does. */
static bool code_is_precise(const struct perf_event_attr *attr)
{
	struct code_search search = { .config = attr->config };
	const struct pmu_names_pmu *pmus;
	size_t nr = pmu_names_pmus(&pmus);

	if (attr->type != PERF_TYPE_RAW)
		return false;
	for (size_t i = 0; i < nr && !search.found; i++) {
		if (pmus[i].is_cpu)
			pmu_names_for_each(&pmus[i], compare_code, &search);
	}
	return search.found;
}

/* ":64:u" after load_latency: ":ldlat=64:u"; without the number, the default. */
static char *with_parameter(const struct pmu_alias *alias, const char *rest)
{
	char *end;
	unsigned long value;

	if (!alias->parameter || has_part(rest, alias->parameter))
		return xstrndup(rest, strlen(rest));
	value = *rest ? strtoul(rest + 1, &end, 10) : 0;
	if (!*rest || end == rest + 1 || !strchr(":.", *end))
		return format_text(":%s=%u%s", alias->parameter, alias->parameter_default, rest);
	return format_text(":%s=%lu%s", alias->parameter, value, end);
}

/* NULL: the CPU has none of its candidates. The caller frees it. */
static char *expand_alias(const struct pmu_alias *alias, const char *rest)
{
	char *parameters = with_parameter(alias, rest);
	char *expanded = NULL;

	for (int i = 0; alias->candidates[i] && !expanded; i++) {
		if (is_known(alias->candidates[i]))
			expanded = format_text("%s%s", alias->candidates[i], parameters);
	}
	free(parameters);
	return expanded;
}

static void explain_unknown(const char *name, char *why, size_t size)
{
	char *base = xstrndup(name, base_length(name));
	const char *nearest = pmu_names_nearest(base);

	if (nearest)
		snprintf(why, size, "no such event; did you mean '%s'? (annot list)", nearest);
	else if (pmu_names_cpu())
		snprintf(why, size, "no such event on %s (annot list)",
			 pmu_names_cpu()->description);
	else
		snprintf(why, size, "no such event; libpfm4 does not know this CPU's (annot list)");
	free(base);
}

static void explain_error(const char *name, const char *stands_for, int error, char *why,
			  size_t size)
{
	const char *problem = pfm_strerror(error);

	if (error == PFM_ERR_NOTFOUND) {
		explain_unknown(name, why, size);
		return;
	}
	if (error == PFM_ERR_UMASK)
		problem = "it needs a mask, or these masks cannot be combined";
	else if (error == PFM_ERR_ATTR)
		problem = "no such mask or modifier";
	snprintf(why, size, "%s (annot list %.*s)", problem, (int)base_length(stands_for),
		 stands_for);
}

/* What the kernel's interface has, but annot's has not. */
static const char *find_unsupported(const struct answer *answer)
{
	if (answer->attr.freq)
		return "freq is not supported: give a period";
	if (answer->attr.exclusive)
		return "excl is not supported";
	if (answer->attr.exclude_host || !answer->attr.exclude_guest)
		return "mg and mh are not supported: guests are not told apart";
	if (answer->cpu != -1)
		return "cpu is not supported: every CPU is measured";
	return NULL;
}

static int precise_level(const char *name, const struct answer *answer)
{
	if (has_part(name, "precise"))
		return answer->attr.precise_ip;
	return is_precise(answer) || code_is_precise(&answer->attr) ? PRECISE_MOST : 0;
}

static void take_code(const char *name, const struct answer *answer, struct pmu_code *code)
{
	const struct perf_event_attr *attr = &answer->attr;

	*code = (struct pmu_code){
		.type = attr->type,
		.config = attr->config,
		.config1 = attr->config1,
		.config2 = attr->config2,
		.period = has_part(name, "period") ? attr->sample_period : 0,
		.precise = precise_level(name, answer),
		.user = !attr->exclude_user,
		.kernel = !attr->exclude_kernel,
		.sides_named = has_part(name, "u") || has_part(name, "k"),
		.is_software = attr->type == PERF_TYPE_SOFTWARE,
	};
}

static enum pmu_encoding encode_by_library(const char *name, const char *stands_for,
					   struct pmu_code *code, char *why, size_t size)
{
	int sides = (code->user ? PFM_PLM3 : 0) | (code->kernel ? PFM_PLM0 : 0);
	enum pmu_encoding result = PMU_NAME_WRONG;
	struct answer answer;
	int error = ask_libpfm(stands_for, sides, &answer);

	if (error != PFM_SUCCESS) {
		explain_error(name, stands_for, error, why, size);
	} else if (find_unsupported(&answer)) {
		snprintf(why, size, "%s", find_unsupported(&answer));
	} else {
		take_code(name, &answer, code);
		result = PMU_ENCODED;
	}
	free_answer(&answer);
	return result;
}

enum pmu_encoding pmu_encode(const char *name, bool user, bool kernel, struct pmu_code *code,
			     char *why, size_t size)
{
	const struct pmu_alias *alias = pmu_alias_find(name, base_length(name));
	enum pmu_encoding result;
	char *stands_for;

	*code = (struct pmu_code){ .user = user, .kernel = kernel };
	stands_for = alias ? expand_alias(alias, name + base_length(name)) :
			     xstrndup(name, strlen(name));
	if (!stands_for) {
		snprintf(why, size, "this CPU has no such event (annot list %s)", alias->name);
		return PMU_NOT_HERE;
	}
	if (sysfs_event_is_one(stands_for))
		result = sysfs_event_encode(SYSFS_PMUS, stands_for, code, why, size);
	else
		result = encode_by_library(name, stands_for, code, why, size);
	if (alias && alias->default_period)
		code->default_period = alias->default_period;
	if (result == PMU_ENCODED)
		code->stands_for = stands_for;
	else
		free(stands_for);
	return result;
}

const char *pmu_code_sides(const struct pmu_code *code)
{
	if (code->user && code->kernel)
		return "user and kernel";
	return code->user ? "user" : "kernel";
}
