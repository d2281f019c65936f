// SPDX-License-Identifier: GPL-2.0
#include "pmu/topdown.h"

#include <stdlib.h>
#include <string.h>

#include "pmu/cpu_model.h"
#include "pmu/names.h"
#include "pmu/refusal.h"
#include "util/diag.h"
#include "util/xalloc.h"

#define MOST_EVENTS 9 /* of a part, with its end */
#define CPUINFO "/proc/cpuinfo"

struct topdown_event {
	const char *name;
	const char *code; /* what is asked for; NULL: the name */
};

/* Those of a part end at NULL. Of the first part, all are needed; of the others, those that the CPU has. */
struct topdown_set {
	const char *sign; /* libpfm4 names it on these CPUs, and on no later ones */
	struct topdown_event slots[MOST_EVENTS]; /* level 1 */
	struct topdown_event bound[MOST_EVENTS]; /* memory bound, core bound */
	struct topdown_event memory[MOST_EVENTS]; /* levels */
};

#define CORE_SLOTS                                                                                 \
	{ "CYCLES", NULL }, { "UOPS_RETIRED:RETIRE_SLOTS", "r02c2" }, { "UOPS_ISSUED:ANY", NULL }, \
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", NULL },                                           \
	{                                                                                          \
		"INT_MISC:RECOVERY_CYCLES", NULL                                                   \
	}

/*
 * By libpfm4's names, of the newest generation first: a CPU has the first set whose sign libpfm4 names. Slots and cycles have
 * counters of their own. Codes stand where libpfm4 4.13 has wrong ones (of the event 00 for a4), or refuses its own name.
 */
static const struct topdown_set intel_sets[] = {
	/* Sapphire Rapids and later. */
	{
		"MEMORY_ACTIVITY:STALLS_L1D_MISS",
		{ { "TOPDOWN:SLOTS", NULL },
		  { "UOPS_RETIRED:SLOTS", NULL },
		  { "TOPDOWN:BACKEND_BOUND_SLOTS", "r02a4" },
		  { "IDQ_UOPS_NOT_DELIVERED:CORE", NULL },
		  { "TOPDOWN:MEMORY_BOUND_SLOTS", "r10a4" } },
		{ { NULL, NULL } },
		{ { "CYCLES", NULL },
		  { "EXE_ACTIVITY:BOUND_ON_LOADS", NULL },
		  { "MEMORY_ACTIVITY:STALLS_L1D_MISS", NULL },
		  { "MEMORY_ACTIVITY:STALLS_L2_MISS", NULL },
		  { "MEMORY_ACTIVITY:STALLS_L3_MISS", NULL } },
	},
	/* Ice Lake. */
	{
		"TOPDOWN:SLOTS",
		{ { "TOPDOWN:SLOTS", NULL },
		  { "UOPS_RETIRED:SLOTS", NULL },
		  { "TOPDOWN:BACKEND_BOUND_SLOTS", "r02a4" },
		  { "IDQ_UOPS_NOT_DELIVERED:CORE", NULL } },
		{ { "CYCLE_ACTIVITY:STALLS_MEM_ANY", NULL },
		  { "EXE_ACTIVITY:BOUND_ON_STORES", NULL },
		  { "CYCLE_ACTIVITY:STALLS_TOTAL", NULL },
		  { "EXE_ACTIVITY:1_PORTS_UTIL", NULL },
		  { "EXE_ACTIVITY:2_PORTS_UTIL", NULL } },
		{ { "CYCLES", NULL },
		  { "CYCLE_ACTIVITY:STALLS_MEM_ANY", NULL },
		  { "CYCLE_ACTIVITY:STALLS_L1D_MISS", NULL },
		  { "CYCLE_ACTIVITY:STALLS_L2_MISS", NULL },
		  { "CYCLE_ACTIVITY:STALLS_L3_MISS", NULL } },
	},
	/* Skylake and its kin. */
	{
		"EXE_ACTIVITY:BOUND_ON_STORES",
		{ CORE_SLOTS },
		{ { "CYCLE_ACTIVITY:STALLS_MEM_ANY", NULL },
		  { "EXE_ACTIVITY:BOUND_ON_STORES", NULL },
		  { "CYCLE_ACTIVITY:STALLS_TOTAL", NULL },
		  { "EXE_ACTIVITY:1_PORTS_UTIL", NULL },
		  { "EXE_ACTIVITY:2_PORTS_UTIL", NULL } },
		{ { "CYCLES", NULL },
		  { "CYCLE_ACTIVITY:STALLS_MEM_ANY", NULL },
		  { "CYCLE_ACTIVITY:STALLS_L1D_MISS", NULL },
		  { "CYCLE_ACTIVITY:STALLS_L2_MISS", NULL },
		  { "CYCLE_ACTIVITY:STALLS_L3_MISS", NULL } },
	},
	/* Sandy Bridge to Broadwell; the first of these lack some of the levels. */
	{
		"UOPS_ISSUED:ANY",
		{ CORE_SLOTS },
		{ { NULL, NULL } },
		{ { "CYCLES", NULL },
		  { "CYCLE_ACTIVITY:STALLS_LDM_PENDING", NULL },
		  { "CYCLE_ACTIVITY:STALLS_L1D_PENDING", NULL },
		  { "CYCLE_ACTIVITY:STALLS_L2_PENDING", NULL },
		  { "MEM_LOAD_UOPS_RETIRED:L3_HIT", NULL },
		  { "MEM_LOAD_UOPS_RETIRED:L3_MISS", NULL } },
	},
};

/* libpfm4 does not know them. The codes are those of the kernel's tables. */
#define ZEN_SLOTS                                                                              \
	{ "ex_ret_ops", "r00c1" }, { "de_no_dispatch_per_slot.backend_stalls", "r100001ea0" }, \
		{ "de_no_dispatch_per_slot.no_ops_from_frontend", "r1000001a0" },              \
		{ "de_src_op_disp.all", "r07aa" },                                             \
	{                                                                                      \
		"de_no_dispatch_per_slot.smt_contention", "r1000060a0"                         \
	}
#define ZEN_BOUND                                      \
	{ "ex_no_retire.load_not_complete", "ra2d6" }, \
	{                                              \
		"ex_no_retire.not_complete", "r02d6"   \
	}

static const struct topdown_set zen4_set = {
	NULL,
	{ { "zen4::ls_not_halted_cyc", "r0076" }, ZEN_SLOTS },
	{ ZEN_BOUND },
	{ { NULL, NULL } },
};

static const struct topdown_set zen5_set = {
	NULL,
	{ { "zen5::ls_not_halted_cyc", "r0076" }, ZEN_SLOTS },
	{ ZEN_BOUND },
	{ { NULL, NULL } },
};

#define FAMILY_ZEN3_AND_4 0x19
#define FAMILY_ZEN5 0x1a

/* Zen 4 shares its family with Zen 3: AMD's models of it, as in the kernel's table of them. */
static bool is_zen4(const struct cpu_model *cpu)
{
	return cpu->family == FAMILY_ZEN3_AND_4 && ((cpu->model >= 0x10 && cpu->model <= 0x1f) ||
						    (cpu->model >= 0x60 && cpu->model <= 0xaf));
}

static const struct topdown_set *amd_set(void)
{
	struct cpu_model cpu = cpu_model_read(CPUINFO);

	if (pmu_names_are_forced() || strcmp(cpu.vendor, "AuthenticAMD"))
		return NULL;
	if (is_zen4(&cpu))
		return &zen4_set;
	return cpu.family == FAMILY_ZEN5 ? &zen5_set : NULL;
}

static bool encode(const struct topdown_event *event, const struct pmu_request_rules *rules,
		   struct pmu_code *code)
{
	char why[REQUEST_WHY_BYTES];

	return pmu_encode(event->code ? event->code : event->name, rules->user, rules->kernel, code,
			  why, sizeof(why)) == PMU_ENCODED;
}

static bool is_known(const char *name, const struct pmu_request_rules *rules)
{
	const struct topdown_event event = { name, NULL };
	struct pmu_code code;

	if (!encode(&event, rules, &code))
		return false;
	free(code.stands_for);
	return true;
}

static bool has_all(const struct topdown_event *events, const struct pmu_request_rules *rules)
{
	for (; events->name; events++) {
		if (!is_known(events->code ? events->code : events->name, rules))
			return false;
	}
	return true;
}

static const struct topdown_set *find_set(const struct pmu_request_rules *rules)
{
	const struct topdown_set *amd = amd_set();

	if (amd)
		return amd;
	for (size_t i = 0; i < sizeof(intel_sets) / sizeof(intel_sets[0]); i++) {
		if (is_known(intel_sets[i].sign, rules))
			return has_all(intel_sets[i].slots, rules) ? &intel_sets[i] : NULL;
	}
	return NULL;
}

/* As a group. */
static void add_events(struct pmu_requests *requests, const struct topdown_event *events,
		       bool goes_beside, const struct pmu_request_rules *rules)
{
	requests->nr_groups++;
	for (; events->name; events++) {
		struct pmu_request request = {
			.counted = true,
			.is_of_topdown = true,
			.goes_beside = goes_beside,
			.group = requests->nr_groups,
		};

		if ((!requests->needs_groups && pmu_requests_have(requests, events->name, true)) ||
		    !encode(events, rules, &request.code))
			continue;
		request.name = xstrndup(events->name, strlen(events->name));
		pmu_requests_append(requests, &request);
	}
}

/*
 * Intel's PERF_METRICS, which need no counters but the one of slots; the first is the group's leader. Of the kernel's events: it has them from
 * Ice Lake on.
 */
static const struct topdown_event fixed_metrics[] = {
	{ "slots", "cpu/slots/" },
	{ "topdown-retiring", "cpu/topdown-retiring/" },
	{ "topdown-bad-spec", "cpu/topdown-bad-spec/" },
	{ "topdown-fe-bound", "cpu/topdown-fe-bound/" },
	{ "topdown-be-bound", "cpu/topdown-be-bound/" },
	{ NULL, NULL },
};

/* From Sapphire Rapids on. */
static const struct topdown_event fixed_memory_bound[] = {
	{ "topdown-mem-bound", "cpu/topdown-mem-bound/" },
	{ NULL, NULL },
};

/* What divides the slots of the back end is of use only beside these. */
static void add_slots(struct pmu_requests *requests, const struct topdown_set *set,
		      bool has_metrics, const struct pmu_request_rules *rules)
{
	add_events(requests, has_metrics ? fixed_metrics : set->slots, false, rules);
	if (has_metrics && has_all(fixed_memory_bound, rules))
		add_events(requests, fixed_memory_bound, true, rules);
	else
		add_events(requests, set->bound, true, rules);
}

static int refuse(const char *command)
{
	const struct pmu_names_pmu *cpu = pmu_names_cpu();
	struct pmu_refusal_facts facts;

	pmu_refusal_read_facts(&facts);
	if (!facts.has_pmu && !pmu_names_are_forced())
		diag_error("%s: --topdown: " REFUSAL_NO_PMU_IS, command);
	else
		diag_error(
			"%s: --topdown: no events of top-down are known for this CPU (%s); Intel's have them from "
			"Sandy Bridge on, AMD's from Zen 4 on",
			command, cpu ? cpu->description : "libpfm4 does not know it");
	return EXIT_BAD_INPUT;
}

int pmu_topdown_add(struct pmu_requests *requests, enum topdown_first first,
		    const struct pmu_request_rules *rules)
{
	const struct topdown_set *set = find_set(rules);
	bool has_metrics;

	if (!set)
		return refuse(rules->command);
	if (first == TOPDOWN_FIRST_MEMORY && !set->memory[0].name) {
		diag_error("%s: --topdown=memory: this CPU does not count levels of memory",
			   rules->command);
		return EXIT_BAD_INPUT;
	}
	has_metrics = has_all(fixed_metrics, rules);
	requests->needs_groups |= has_metrics;
	if (first == TOPDOWN_FIRST_MEMORY)
		add_events(requests, set->memory, false, rules);
	add_slots(requests, set, has_metrics, rules);
	if (first == TOPDOWN_FIRST_SLOTS)
		add_events(requests, set->memory, false, rules);
	return EXIT_OK;
}
