// SPDX-License-Identifier: GPL-2.0
#include "pmu/topdown.h"

#include <stdlib.h>
#include <string.h>

#include "pmu/cpu_model.h"
#include "pmu/names.h"
#include "pmu/refusal.h"
#include "util/diag.h"
#include "util/xalloc.h"

#define MOST_EVENTS 9 /* of a list, with its end */
#define CPUINFO "/proc/cpuinfo"

struct topdown_event {
	const char *name;
	const char *code; /* what is asked for; NULL: the name */
};

/* What divides a figure of level 1, the most important first. */
enum division {
	DIVIDES_BACKEND, /* memory bound, core bound */
	DIVIDES_FRONTEND, /* fetch latency, fetch bandwidth */
	DIVIDES_BAD_SPECULATION, /* branch mispredicts, machine clears */
	DIVIDES_RETIRING, /* light operations, heavy operations */
	NR_DIVISIONS,
};

/* Of use only if all are counted at the same time. Without own events: not on this CPU. */
struct topdown_part {
	struct topdown_event slots[MOST_EVENTS]; /* what it needs of level 1 */
	struct topdown_event own[MOST_EVENTS];
};

/* Lists end at NULL. Of level 1, all are needed; of the levels of memory, those that the CPU has. */
struct topdown_set {
	const char *sign; /* libpfm4 names it on these CPUs, and on no later ones */
	struct topdown_event slots[MOST_EVENTS]; /* level 1 */
	struct topdown_part level2[NR_DIVISIONS];
	struct topdown_event memory[MOST_EVENTS]; /* levels */
};

#define CORE_SLOTS                                                                                 \
	{ "CYCLES", NULL }, { "UOPS_RETIRED:RETIRE_SLOTS", "r02c2" }, { "UOPS_ISSUED:ANY", NULL }, \
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", NULL },                                           \
	{                                                                                          \
		"INT_MISC:RECOVERY_CYCLES", NULL                                                   \
	}

#define CORE_WRONG_UOPS                                                                            \
	{ "CYCLES", NULL }, { "UOPS_RETIRED:RETIRE_SLOTS", "r02c2" }, { "UOPS_ISSUED:ANY", NULL }, \
	{                                                                                          \
		"INT_MISC:RECOVERY_CYCLES", NULL                                                   \
	}

/* Perfmon's name; libpfm4's ends otherwise. */
#define NO_UOPS "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV"

#define CORE_FRONTEND                                                            \
	{                                                                        \
		{ { "CYCLES", NULL }, { "IDQ_UOPS_NOT_DELIVERED:CORE", NULL } }, \
		{                                                                \
			{                                                        \
				NO_UOPS ":CORE", NO_UOPS "_CORE"                 \
			}                                                        \
		}                                                                \
	}

#define RESTARTS                                  \
	{ "BR_MISP_RETIRED:ALL_BRANCHES", NULL }, \
	{                                         \
		"MACHINE_CLEARS:COUNT", NULL      \
	}

#define BOUND_CYCLES                                                                            \
	{ "CYCLE_ACTIVITY:STALLS_MEM_ANY", NULL }, { "EXE_ACTIVITY:BOUND_ON_STORES", NULL },    \
		{ "CYCLE_ACTIVITY:STALLS_TOTAL", NULL }, { "EXE_ACTIVITY:1_PORTS_UTIL", NULL }, \
	{                                                                                       \
		"EXE_ACTIVITY:2_PORTS_UTIL", NULL                                               \
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
		{ [DIVIDES_BAD_SPECULATION] = { { { "TOPDOWN:SLOTS", NULL },
						  { "UOPS_RETIRED:SLOTS", NULL },
						  { "TOPDOWN:BACKEND_BOUND_SLOTS", "r02a4" },
						  { "IDQ_UOPS_NOT_DELIVERED:CORE", NULL } },
						{ { "TOPDOWN:BR_MISPREDICT_SLOTS", "r08a4" } } } },
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
		{ [DIVIDES_BACKEND] = { { { "TOPDOWN:SLOTS", NULL },
					  { "UOPS_RETIRED:SLOTS", NULL },
					  { "TOPDOWN:BACKEND_BOUND_SLOTS", "r02a4" } },
					{ BOUND_CYCLES } },
		  [DIVIDES_FRONTEND] = { { { "TOPDOWN:SLOTS", NULL },
					   { "IDQ_UOPS_NOT_DELIVERED:CORE", NULL } },
					 { { "icl::" NO_UOPS ":CORE", "r500019c" },
					   { "INT_MISC:UOP_DROPPING", NULL } } },
		  [DIVIDES_BAD_SPECULATION] = { { { "TOPDOWN:SLOTS", NULL },
						  { "UOPS_RETIRED:SLOTS", NULL },
						  { "TOPDOWN:BACKEND_BOUND_SLOTS", "r02a4" },
						  { "IDQ_UOPS_NOT_DELIVERED:CORE", NULL } },
						{ RESTARTS } },
		  [DIVIDES_RETIRING] = { { { "TOPDOWN:SLOTS", NULL },
					   { "UOPS_RETIRED:SLOTS", NULL } },
					 { { "UOPS_ISSUED:ANY", NULL },
					   { "IDQ:MS_UOPS", NULL },
					   { "IDQ:MITE_UOPS", NULL },
					   { "UOPS_DECODED:DEC0", NULL },
					   { "UOPS_DECODED:DEC0:CYCLES", "r1000156" } } } },
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
		{ [DIVIDES_BACKEND] = { { CORE_SLOTS }, { BOUND_CYCLES } },
		  [DIVIDES_FRONTEND] = CORE_FRONTEND,
		  [DIVIDES_BAD_SPECULATION] = { { CORE_WRONG_UOPS }, { RESTARTS } },
		  [DIVIDES_RETIRING] = { { { "CYCLES", NULL },
					   { "UOPS_RETIRED:RETIRE_SLOTS", "r02c2" } },
					 { { "UOPS_RETIRED:MACRO_FUSED", "r04c2" },
					   { "INSTRUCTIONS", NULL } } } },
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
		{ [DIVIDES_FRONTEND] = CORE_FRONTEND,
		  [DIVIDES_BAD_SPECULATION] = { { CORE_WRONG_UOPS }, { RESTARTS } },
		  [DIVIDES_RETIRING] = { { { "CYCLES", NULL },
					   { "UOPS_RETIRED:RETIRE_SLOTS", "r02c2" },
					   { "UOPS_ISSUED:ANY", NULL } },
					 { { "snb::IDQ:MS_UOPS", "IDQ:MS_UOPS" } } } },
		{ { "CYCLES", NULL },
		  { "CYCLE_ACTIVITY:STALLS_LDM_PENDING", NULL },
		  { "CYCLE_ACTIVITY:STALLS_L1D_PENDING", NULL },
		  { "CYCLE_ACTIVITY:STALLS_L2_PENDING", NULL },
		  { "MEM_LOAD_UOPS_RETIRED:L3_HIT", NULL },
		  { "MEM_LOAD_UOPS_RETIRED:L3_MISS", NULL } },
	},
};

/* libpfm4 does not know them. The codes are those of the kernel's tables. */
#define ZEN_RETIRED                   \
	{                             \
		"ex_ret_ops", "r00c1" \
	}
#define ZEN_BACKEND                                                    \
	{                                                              \
		"de_no_dispatch_per_slot.backend_stalls", "r100001ea0" \
	}
#define ZEN_FRONTEND                                                         \
	{                                                                    \
		"de_no_dispatch_per_slot.no_ops_from_frontend", "r1000001a0" \
	}
#define ZEN_DISPATCHED                        \
	{                                     \
		"de_src_op_disp.all", "r07aa" \
	}
#define ZEN_OTHER_THREAD                                               \
	{                                                              \
		"de_no_dispatch_per_slot.smt_contention", "r1000060a0" \
	}

/* Cycles in which all slots were empty: as many as the CPU has, in bits 24 to 31 of the code. */
#define ZEN_SET(cycles, no_ops, no_ops_code, resyncs, resyncs_code)                              \
	{                                                                                        \
		NULL, { { cycles, "r0076" }, ZEN_RETIRED,    ZEN_BACKEND,                        \
			ZEN_FRONTEND,	     ZEN_DISPATCHED, ZEN_OTHER_THREAD },                 \
			{ [DIVIDES_BACKEND] = { { { cycles, "r0076" }, ZEN_BACKEND },            \
						{ { "ex_no_retire.load_not_complete", "ra2d6" }, \
						  { "ex_no_retire.not_complete", "r02d6" } } },  \
			  [DIVIDES_FRONTEND] = { { { cycles, "r0076" }, ZEN_FRONTEND },          \
						 { { no_ops, no_ops_code } } },                  \
			  [DIVIDES_BAD_SPECULATION] = { { { cycles, "r0076" },                   \
							  ZEN_RETIRED,                           \
							  ZEN_DISPATCHED },                      \
							{ { "ex_ret_brn_misp", "r00c3" },        \
							  { resyncs, resyncs_code } } },         \
			  [DIVIDES_RETIRING] = { { { cycles, "r0076" }, ZEN_RETIRED },           \
						 { { "ex_ret_ucode_ops", "r1000000c2" } } } },   \
			{ { NULL, NULL } },                                                      \
	}

static const struct topdown_set zen4_set =
	ZEN_SET("zen4::ls_not_halted_cyc",
		"zen4::de_no_dispatch_per_slot.no_ops_from_frontend.all_slots", "r1060001a0",
		"resyncs_or_nc_redirects", "r0096");

static const struct topdown_set zen5_set =
	ZEN_SET("zen5::ls_not_halted_cyc",
		"zen5::de_no_dispatch_per_slot.no_ops_from_frontend.all_slots", "r1080001a0",
		"bp_redirects.resync", "r019f");

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

/* How the events of a group find their place. */
enum placing {
	PLACED_FREELY, /* those that fit */
	PLACED_WHOLE, /* all or none, where it is best */
	PLACED_BESIDE, /* all or none, at the same time as those of the group before */
	PLACED_EXTRA, /* the same, and nobody is told that there was no room */
};

static void add_events(struct pmu_requests *requests, const struct topdown_event *events,
		       enum placing placing, const struct pmu_request_rules *rules)
{
	for (; events->name; events++) {
		struct pmu_request request = {
			.counted = true,
			.is_of_topdown = true,
			.goes_beside = placing == PLACED_BESIDE || placing == PLACED_EXTRA,
			.is_extra = placing == PLACED_EXTRA,
			.goes_whole = placing == PLACED_WHOLE,
			.group = requests->nr_groups,
		};

		if ((!requests->needs_groups && pmu_requests_have(requests, events->name, true)) ||
		    !encode(events, rules, &request.code))
			continue;
		request.name = xstrndup(events->name, strlen(events->name));
		pmu_requests_append(requests, &request);
	}
}

static void add_group(struct pmu_requests *requests, const struct topdown_event *events,
		      enum placing placing, const struct pmu_request_rules *rules)
{
	requests->nr_groups++;
	add_events(requests, events, placing, rules);
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
static const struct topdown_event fixed_level2[NR_DIVISIONS][2] = {
	[DIVIDES_BACKEND] = { { "topdown-mem-bound", "cpu/topdown-mem-bound/" } },
	[DIVIDES_FRONTEND] = { { "topdown-fetch-lat", "cpu/topdown-fetch-lat/" } },
	[DIVIDES_BAD_SPECULATION] = { { "topdown-br-mispredict", "cpu/topdown-br-mispredict/" } },
	[DIVIDES_RETIRING] = { { "topdown-heavy-ops", "cpu/topdown-heavy-ops/" } },
};

/* What is to be added, and where. */
struct plan {
	struct pmu_requests *requests;
	const struct topdown_set *set;
	const struct pmu_request_rules *rules;
	bool has_metrics;
	bool takes_turns; /* what divides level 1 has groups of its own, where there is no room */
};

static bool is_fixed(const struct plan *plan, enum division division)
{
	return plan->has_metrics && has_all(fixed_level2[division], plan->rules);
}

/* The fixed metrics of level 2 take no room. */
static void add_slots(const struct plan *plan)
{
	add_group(plan->requests, plan->has_metrics ? fixed_metrics : plan->set->slots,
		  PLACED_FREELY, plan->rules);
	for (enum division division = 0; division < NR_DIVISIONS; division++) {
		if (is_fixed(plan, division))
			add_group(plan->requests, fixed_level2[division], PLACED_BESIDE,
				  plan->rules);
	}
}

/* With what it needs of level 1, which is in the trace several times then. */
static void add_division(const struct plan *plan, enum division division, enum placing otherwise)
{
	const struct topdown_part *part = &plan->set->level2[division];
	enum placing placing = plan->takes_turns ? PLACED_WHOLE : otherwise;

	if (is_fixed(plan, division) || !part->own[0].name || !has_all(part->own, plan->rules))
		return;
	add_group(plan->requests, plan->has_metrics ? fixed_metrics : part->slots, placing,
		  plan->rules);
	add_events(plan->requests, part->own, placing, plan->rules);
}

/* A module counts each event by itself: more of them would leave less time for what the others tell. */
static void add_other_divisions(const struct plan *plan)
{
	for (enum division division = DIVIDES_FRONTEND;
	     plan->requests->needs_groups && division < NR_DIVISIONS; division++)
		add_division(plan, division, PLACED_EXTRA);
}

static void add_memory(const struct plan *plan)
{
	add_group(plan->requests, plan->set->memory, PLACED_FREELY, plan->rules);
}

static void add_all(const struct plan *plan, enum topdown_first first)
{
	if (first == TOPDOWN_FIRST_MEMORY)
		add_memory(plan);
	add_slots(plan);
	add_division(plan, DIVIDES_BACKEND, PLACED_BESIDE);
	if (first == TOPDOWN_FIRST_SLOTS)
		add_memory(plan);
	add_other_divisions(plan);
	if (first == TOPDOWN_FIRST_LEVEL2)
		add_memory(plan);
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
	struct plan plan;

	if (!set)
		return refuse(rules->command);
	if (first == TOPDOWN_FIRST_MEMORY && !set->memory[0].name) {
		diag_error("%s: --topdown=memory: this CPU does not count levels of memory",
			   rules->command);
		return EXIT_BAD_INPUT;
	}
	plan = (struct plan){
		.requests = requests,
		.set = set,
		.rules = rules,
		.has_metrics = has_all(fixed_metrics, rules),
		.takes_turns = first == TOPDOWN_FIRST_LEVEL2,
	};
	requests->needs_groups |= plan.has_metrics || first == TOPDOWN_FIRST_LEVEL2;
	add_all(&plan, first);
	return EXIT_OK;
}
