// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/* SLOW */
/*
 * Top-down, from hand-made events: the counts of each slice are made of shares that are known.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/topdown/topdown.h"
#include "analysis/topdown/topdown_findings.h"
#include "events.h"
#include "util/random.h"

#define A 101
#define MS 1000000ull
#define CYCLES 3000000.0 /* of a slice of 1 ms */
#define MOST_EVENTS 20

/* What happens in a task: of slots; levels of cycles. */
struct truth {
	double retiring, bad, front, memory, core;
	double l1, l2, l3, dram;
	double smt;
	double latency, branches, heavy; /* of front, of bad, of retiring */
};

static const struct truth computing = { .retiring = 0.72,
					.bad = 0.05,
					.front = 0.05,
					.memory = 0.04,
					.core = 0.14,
					.l1 = 0.03,
					.l2 = 0.01,
					.latency = 0.01,
					.branches = 0.04,
					.heavy = 0.12 };
static const struct truth chasing = { .retiring = 0.1,
				      .bad = 0.02,
				      .front = 0.03,
				      .memory = 0.8,
				      .core = 0.05,
				      .l1 = 0.05,
				      .l2 = 0.1,
				      .l3 = 0.15,
				      .dram = 0.45,
				      .latency = 0.02,
				      .branches = 0.005,
				      .heavy = 0.025 };
static const struct truth branching = { .retiring = 0.4,
					.bad = 0.3,
					.front = 0.2,
					.memory = 0.05,
					.core = 0.05,
					.latency = 0.125,
					.branches = 0.25,
					.heavy = 0.1 };

/* A way to count: names, and what each counts of a slice. */
struct way {
	const char *names[MOST_EVENTS];
	void (*count)(const struct truth *truth, uint64_t *counts);
	double slots; /* of a cycle */
};

/* Where chance takes more than there is, nothing is left. */
static uint64_t of(double number)
{
	return number > 0 ? (uint64_t)(number + 0.5) : 0;
}

static double backend(const struct truth *truth)
{
	return truth->memory + truth->core;
}

/* Cycles with stalls, from that of all memory down to that of DRAM. */
static void count_stalls(const struct truth *truth, uint64_t *counts)
{
	counts[0] = of(CYCLES * (truth->l1 + truth->l2 + truth->l3 + truth->dram));
	counts[1] = of(CYCLES * (truth->l2 + truth->l3 + truth->dram));
	counts[2] = of(CYCLES * (truth->l3 + truth->dram));
	counts[3] = of(CYCLES * truth->dram);
}

/*
 * Of the slots for wrong uops, a quarter is uops that were issued, the rest recovery. Of the cycles that are bound, as many are of
 * memory as slots are.
 */
static void count_skylake(const struct truth *truth, uint64_t *counts)
{
	double slots = 4 * CYCLES, bound = CYCLES * backend(truth);
	uint64_t on_memory = of(CYCLES * truth->memory);

	counts[0] = of(CYCLES);
	counts[1] = of(slots * (truth->retiring + truth->bad / 4));
	counts[2] = of(slots * truth->retiring);
	counts[3] = of(slots * truth->front);
	counts[4] = of(CYCLES * truth->bad * 3 / 4);
	count_stalls(truth, &counts[5]);
	/* bound_on_stores, so that with the loads it is memory's part of what is bound. */
	counts[9] = on_memory > counts[5] ? on_memory - counts[5] : 0;
	counts[10] = of(bound * 0.25); /* stalls_total */
	counts[12] = of(CYCLES / 100); /* 2_ports_util */
	counts[11] = of(bound - bound * 0.25 - truth->retiring * CYCLES / 100 - (double)counts[9]);
}

static const struct way skylake = {
	{ "cpu_clk_unhalted.thread", "UOPS_ISSUED:ANY", "UOPS_RETIRED:RETIRE_SLOTS",
	  "skl::IDQ_UOPS_NOT_DELIVERED:CORE", "cpu/int_misc.recovery_cycles/u",
	  "CYCLE_ACTIVITY:STALLS_MEM_ANY", "CYCLE_ACTIVITY:STALLS_L1D_MISS",
	  "CYCLE_ACTIVITY:STALLS_L2_MISS", "CYCLE_ACTIVITY:STALLS_L3_MISS",
	  "EXE_ACTIVITY:BOUND_ON_STORES", "CYCLE_ACTIVITY:STALLS_TOTAL",
	  "EXE_ACTIVITY:1_PORTS_UTIL", "EXE_ACTIVITY:2_PORTS_UTIL" },
	count_skylake,
	4,
};

/* What restarts the pipeline: in 1000 restarts, as many are of branches as they have of bad speculation. */
static void count_restarts(const struct truth *truth, uint64_t *counts)
{
	counts[0] = of(1000 * truth->branches / truth->bad);
	counts[1] = 1000 - counts[0];
}

/*
 * Ways to divide what level 1 has. The figures are those of TMA and of AMD's pipeline utilisation, worked out backwards: the counts
 * follow from the shares.
 */

/* Of each cycle without uops, all 4 slots are empty. Instructions are one uop each, but for those that are heavy; a third is fused. */
static void count_skylake_2(const struct truth *truth, uint64_t *counts)
{
	double slots = 4 * CYCLES, fused = slots / 30;

	count_skylake(truth, counts);
	counts[5] = of(slots * truth->latency / 4);
	count_restarts(truth, &counts[6]);
	counts[8] = of(fused);
	counts[9] = of(slots * (truth->retiring - truth->heavy) + fused);
}

static const struct way skylake_2 = {
	{ "cpu_clk_unhalted.thread", "UOPS_ISSUED:ANY", "UOPS_RETIRED:RETIRE_SLOTS",
	  "IDQ_UOPS_NOT_DELIVERED:CORE", "INT_MISC:RECOVERY_CYCLES",
	  "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV:CORE", "BR_MISP_RETIRED:ALL_BRANCHES",
	  "MACHINE_CLEARS:COUNT", "UOPS_RETIRED:MACRO_FUSED", "INSTRUCTIONS" },
	count_skylake_2,
	4,
};

/* Of all uops that were issued, as many are of microcode as of those that retire. */
static void count_haswell_2(const struct truth *truth, uint64_t *counts)
{
	count_skylake_2(truth, counts);
	counts[8] = of((double)counts[1] * truth->heavy / truth->retiring);
}

static const struct way haswell_2 = {
	{ "cpu_clk_unhalted.thread", "UOPS_ISSUED:ANY", "UOPS_RETIRED:RETIRE_SLOTS",
	  "IDQ_UOPS_NOT_DELIVERED:CORE", "INT_MISC:RECOVERY_CYCLES",
	  "idq_uops_not_delivered.cycles_0_uops_deliv.core", "BR_MISP_RETIRED:ALL_BRANCHES",
	  "MACHINE_CLEARS:COUNT", "snb::IDQ:MS_UOPS" },
	count_haswell_2,
	4,
};

/* A miss of L3 takes 7 times as long as a hit. */
static void count_haswell(const struct truth *truth, uint64_t *counts)
{
	uint64_t stalls[4];

	count_skylake(truth, counts);
	count_stalls(truth, stalls);
	counts[5] = stalls[0];
	counts[6] = stalls[1];
	counts[7] = stalls[2];
	counts[8] = of(CYCLES * truth->l3);
	counts[9] = of(CYCLES * truth->dram / 7);
}

static const struct way haswell = {
	{ "cpu_clk_unhalted.thread", "UOPS_ISSUED:ANY", "UOPS_RETIRED:RETIRE_SLOTS",
	  "hsw::IDQ_UOPS_NOT_DELIVERED:CORE", "INT_MISC:RECOVERY_CYCLES",
	  "CYCLE_ACTIVITY:STALLS_LDM_PENDING", "CYCLE_ACTIVITY:STALLS_L1D_PENDING",
	  "CYCLE_ACTIVITY:STALLS_L2_PENDING", "MEM_LOAD_UOPS_RETIRED:L3_HIT",
	  "MEM_LOAD_UOPS_RETIRED:L3_MISS" },
	count_haswell,
	4,
};

static void count_ice_lake(const struct truth *truth, uint64_t *counts)
{
	double slots = 5 * CYCLES;

	counts[0] = of(slots);
	counts[1] = of(slots * truth->retiring);
	counts[2] = of(slots * backend(truth));
	counts[3] = of(slots * truth->front);
}

static const struct way ice_lake = {
	{ "TOPDOWN:SLOTS_P", "UOPS_RETIRED:SLOTS", "TOPDOWN:BACKEND_BOUND_SLOTS",
	  "IDQ_UOPS_NOT_DELIVERED:CORE" },
	count_ice_lake,
	5,
};

/*
 * 5 slots of each cycle without uops, of which 1000 are uops that were dropped. Of the heavy ones, half are of microcode; the
 * other half pass the first decoder, 3 of them in a cycle: two thirds are not the first of their cycle.
 */
static void count_ice_lake_2(const struct truth *truth, uint64_t *counts)
{
	double slots = 5 * CYCLES, decoded = slots / 10;

	count_ice_lake(truth, counts);
	counts[4] = of((slots * truth->latency + 1000) / 5);
	counts[5] = 1000;
	count_restarts(truth, &counts[6]);
	counts[8] = of(slots * (truth->retiring + truth->bad));
	counts[9] = of((double)counts[8] * truth->heavy / truth->retiring / 2);
	counts[10] = of(decoded);
	counts[11] = of(decoded * truth->heavy / truth->retiring / 2 * 3 / 2);
	counts[12] = counts[11] / 3;
}

static const struct way ice_lake_2 = {
	{ "TOPDOWN:SLOTS_P", "UOPS_RETIRED:SLOTS", "TOPDOWN:BACKEND_BOUND_SLOTS",
	  "IDQ_UOPS_NOT_DELIVERED:CORE", "icl::IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV:CORE",
	  "INT_MISC:UOP_DROPPING", "BR_MISP_RETIRED:ALL_BRANCHES", "MACHINE_CLEARS:COUNT",
	  "UOPS_ISSUED:ANY", "IDQ:MS_UOPS", "IDQ:MITE_UOPS", "UOPS_DECODED:DEC0",
	  "UOPS_DECODED:DEC0:CYCLES" },
	count_ice_lake_2,
	5,
};

static void count_sapphire_rapids(const struct truth *truth, uint64_t *counts)
{
	double slots = 6 * CYCLES;

	counts[0] = of(slots);
	counts[1] = of(slots * truth->retiring);
	counts[2] = of(slots * backend(truth));
	counts[3] = of(slots * truth->bad);
	counts[4] = of(slots * truth->memory);
	counts[5] = of(slots * truth->front);
	counts[6] = of(CYCLES);
	count_stalls(truth, &counts[7]);
}

static const struct way sapphire_rapids = {
	{ "TOPDOWN:SLOTS", "UOPS_RETIRED:SLOTS", "TOPDOWN:BACKEND_BOUND_SLOTS",
	  "TOPDOWN:BAD_SPEC_SLOTS", "TOPDOWN:MEMORY_BOUND_SLOTS", "idq_bubbles.core", "cycles",
	  "EXE_ACTIVITY:BOUND_ON_LOADS", "memory_activity.stalls_l1d_miss",
	  "memory_activity.stalls_l2_miss", "memory_activity.stalls_l3_miss" },
	count_sapphire_rapids,
	6,
};

static void count_mispredict_slots(const struct truth *truth, uint64_t *counts)
{
	count_sapphire_rapids(truth, counts);
	counts[6] = of(6 * CYCLES * truth->branches);
}

static const struct way mispredict_slots = {
	{ "TOPDOWN:SLOTS", "UOPS_RETIRED:SLOTS", "TOPDOWN:BACKEND_BOUND_SLOTS",
	  "TOPDOWN:BAD_SPEC_SLOTS", "TOPDOWN:MEMORY_BOUND_SLOTS", "idq_bubbles.core",
	  "TOPDOWN:BR_MISPREDICT_SLOTS" },
	count_mispredict_slots,
	6,
};

static void count_metrics(const struct truth *truth, uint64_t *counts)
{
	double slots = 6 * CYCLES;

	counts[0] = of(slots);
	counts[1] = of(slots * truth->retiring);
	counts[2] = of(slots * truth->bad);
	counts[3] = of(slots * truth->front);
	counts[4] = of(slots * backend(truth));
	counts[5] = of(slots * truth->memory);
}

static const struct way metrics = {
	{ "slots", "topdown-retiring", "topdown-bad-spec", "topdown-fe-bound",
	  "cpu/topdown-be-bound/", "topdown-mem-bound" },
	count_metrics,
	6,
};

static void count_metrics_2(const struct truth *truth, uint64_t *counts)
{
	double slots = 6 * CYCLES;

	count_metrics(truth, counts);
	counts[6] = of(slots * truth->latency);
	counts[7] = of(slots * truth->branches);
	counts[8] = of(slots * truth->heavy);
}

static const struct way metrics_2 = {
	{ "slots", "topdown-retiring", "topdown-bad-spec", "topdown-fe-bound",
	  "cpu/topdown-be-bound/", "topdown-mem-bound", "topdown-fetch-lat",
	  "cpu/topdown-br-mispredict/", "topdown-heavy-ops" },
	count_metrics_2,
	6,
};

static void count_zen(const struct truth *truth, uint64_t *counts, double width)
{
	double slots = width * CYCLES;

	counts[0] = of(CYCLES);
	counts[1] = of(slots * truth->front);
	counts[2] = of(slots * (backend(truth) - truth->smt));
	counts[3] = of(slots * truth->smt);
	counts[4] = of(slots * (truth->retiring + truth->bad));
	counts[5] = of(slots * truth->retiring);
	counts[6] = of(CYCLES * truth->memory / backend(truth) / 2);
	counts[7] = of(CYCLES / 2);
}

static void count_zen4(const struct truth *truth, uint64_t *counts)
{
	count_zen(truth, counts, 6);
}

static void count_zen5(const struct truth *truth, uint64_t *counts)
{
	count_zen(truth, counts, 8);
}

#define ZEN_NAMES                                                                                 \
	"de_no_dispatch_per_slot.no_ops_from_frontend", "de_no_dispatch_per_slot.backend_stalls", \
		"de_no_dispatch_per_slot.smt_contention", "de_src_op_disp.all", "ex_ret_ops",     \
		"ex_no_retire.load_not_complete", "ex_no_retire.not_complete"

static const struct way zen4 = { { "zen4::ls_not_halted_cyc", ZEN_NAMES }, count_zen4, 6 };
static const struct way zen5 = { { "zen5::ls_not_halted_cyc", ZEN_NAMES }, count_zen5, 8 };

static void count_zen_2(const struct truth *truth, uint64_t *counts, double width)
{
	count_zen(truth, counts, width);
	counts[8] = of(CYCLES * truth->latency);
	count_restarts(truth, &counts[9]);
	counts[11] = of(width * CYCLES * truth->heavy);
}

static void count_zen4_2(const struct truth *truth, uint64_t *counts)
{
	count_zen_2(truth, counts, 6);
}

static void count_zen5_2(const struct truth *truth, uint64_t *counts)
{
	count_zen_2(truth, counts, 8);
}

static const struct way zen4_2 = {
	{ "zen4::ls_not_halted_cyc", ZEN_NAMES,
	  "zen4::de_no_dispatch_per_slot.no_ops_from_frontend.all_slots", "ex_ret_brn_misp",
	  "resyncs_or_nc_redirects", "ex_ret_ucode_ops" },
	count_zen4_2,
	6,
};

static const struct way zen5_2 = {
	{ "zen5::ls_not_halted_cyc", ZEN_NAMES,
	  "zen5::de_no_dispatch_per_slot.no_ops_from_frontend.all_slots", "ex_ret_brn_misp",
	  "bp_redirects.resync", "ex_ret_ucode_ops" },
	count_zen5_2,
	8,
};

static struct trace *trace; /* only so that there are strings */
static struct random random_numbers;

/* What is fed. */
struct run {
	const struct way *way;
	size_t left_out; /* 1 + the event that is refused; 0: none */
	uint64_t nr; /* slices of each task */
	double noise; /* each slice's shares change so much by chance */
	double missing; /* share of slices that were not counted all the time */
	uint32_t missing_counters; /* which counters, then */
	bool has_siblings;
	/* All events take turns on so many counters, of 4 slices each; 0: they do not. */
	uint32_t nr_shared;
	uint64_t hold; /* slices for which a change of the shares lasts; 0: 1 */
};

static int open_strings(void **state)
{
	(void)state;
	return trace_open("tests/data/scene-quiet.dat", &trace);
}

static int close_strings(void **state)
{
	(void)state;
	trace_close(trace);
	return 0;
}

static uint32_t nr_events(const struct way *way)
{
	uint32_t nr = 0;

	while (nr < MOST_EVENTS && way->names[nr])
		nr++;
	return nr;
}

/* Retiring goes up and down, and memory bound the other way. */
static struct truth with_noise(const struct truth *truth, double noise)
{
	struct truth noisy = *truth;
	double change = noise * (2 * random_share(&random_numbers) - 1);

	noisy.retiring += change;
	noisy.memory -= change;
	return noisy;
}

/* Those that have no counter in slice @i. */
static uint32_t turn_of_others(const struct run *run, uint64_t i)
{
	uint32_t nr = nr_events(run->way), first = (uint32_t)(i / 4) % nr, invalid = 0;

	for (uint32_t j = 0; run->nr_shared && j < nr; j++) {
		if ((j + nr - first) % nr >= run->nr_shared)
			invalid |= 1u << j;
	}
	return invalid;
}

static void feed_slices(const struct run *run, const struct truth *truth, const char *task,
			uint64_t *ms)
{
	uint64_t counts[MOST_EVENTS] = { 0 };
	struct truth own = *truth;

	feed_begin_at(*ms * MS, 0, A, trace_intern(trace, task), TRACE_SPAN_WORK);
	for (uint64_t i = 0; i < run->nr; i++) {
		uint32_t invalid = run->left_out ? 1u << (run->left_out - 1) : 0;
		bool is_missing = random_share(&random_numbers) < run->missing;

		if (i % (run->hold ? run->hold : 1) == 0)
			own = with_noise(truth, run->noise);
		invalid |= is_missing ? run->missing_counters : 0;
		invalid |= turn_of_others(run, i);

		++*ms;
		run->way->count(&own, counts);
		for (uint32_t j = 0; j < nr_events(run->way); j++) {
			if (invalid & 1u << j)
				counts[j] /= 3;
		}
		feed_counts_at(*ms * MS, 0, A, counts, nr_events(run->way), invalid);
		feed_switch_at(*ms * MS, 0, A, 0, TRACE_OUT_RUNNABLE);
		feed_switch_at(*ms * MS, 0, 0, A, TRACE_OUT_RUNNABLE);
	}
	feed_end_at(*ms * MS, 0, A);
}

static void feed_event(const struct run *run, uint32_t i)
{
	uint32_t name = trace_intern(trace, run->way->names[i]);

	if (run->nr_shared)
		feed_shared_event_at(0, (uint8_t)i, name);
	else
		feed_pmu_event_at(0, (uint8_t)i, name, 0, run->left_out == i + 1 ? 16 : 0);
}

static struct model *make(const struct run *run)
{
	struct model_builder *builder = script_begin();
	uint64_t ms = 0;
	struct model *model;

	for (int cpu = 0; cpu < 2; cpu++) {
		struct trace_event event = { .kind = TRACE_CPU_TOPOLOGY };

		event.cpu_topology.number = cpu;
		event.cpu_topology.core = run->has_siblings ? 0 : cpu;
		model_builder_feed(builder, &event);
	}
	feed_switch_at(0, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(0, 0, A);
	for (uint32_t i = 0; i < nr_events(run->way); i++)
		feed_event(run, i);
	feed_slices(run, &computing, "computing", &ms);
	feed_slices(run, &chasing, "chasing", &ms);
	feed_slices(run, &branching, "branching", &ms);
	feed_exit_at(ms * MS, 0, A);
	feed_switch_at(ms * MS, 0, A, 0, TRACE_OUT_DEAD);
	model = script_end();
	model->trace = trace;
	return model;
}

struct result {
	struct model *model;
	struct task_stats *stats;
	struct regions *regions;
	struct topdown topdown;
	struct findings findings;
};

static struct result compute(const struct run *run)
{
	static const double miss_ns[MOST_EVENTS];
	struct result result = { .model = make(run) };

	result.stats = task_stats_compute(result.model);
	result.regions = regions_compute(result.model, result.stats, miss_ns);
	result.topdown = topdown_compute(result.model, result.stats, result.regions);
	result.findings = findings_new(result.model);
	topdown_add_findings(result.model, result.stats, &result.topdown, NULL, &result.findings);
	return result;
}

static void end(struct result *result)
{
	findings_free(&result->findings);
	topdown_free(&result->topdown);
	regions_free(result->regions);
	task_stats_free(result->stats);
	result->model->trace = NULL;
	model_free(result->model);
}

static const struct topdown_row *row_of(const struct result *result, const char *task)
{
	for (size_t i = 0; i < result->topdown.nr_tasks; i++) {
		const struct topdown_row *row = &result->topdown.tasks[i];

		if (!strcmp(trace_string(trace, result->stats->tasks[row->task].name), task))
			return row;
	}
	fail();
	return NULL;
}

static void check(const struct topdown_row *row, enum topdown_figure figure, double truth)
{
	const struct metric_estimate *estimate = &row->figures[figure];

	if (!estimate->is_known || fabs(estimate->value - truth) > 0.001)
		fail_msg("%s is %g, not %g", topdown_figure_name(figure),
			 estimate->is_known ? estimate->value : NAN, truth);
}

static void check_slots(const struct topdown_row *row, const struct truth *truth)
{
	check(row, TOPDOWN_RETIRING, truth->retiring);
	check(row, TOPDOWN_BAD_SPECULATION, truth->bad);
	check(row, TOPDOWN_FRONTEND_BOUND, truth->front);
	check(row, TOPDOWN_BACKEND_BOUND, backend(truth));
}

static void check_memory(const struct topdown_row *row, const struct truth *truth)
{
	check(row, TOPDOWN_MEMORY_BOUND, truth->memory);
	check(row, TOPDOWN_CORE_BOUND, truth->core);
}

static void check_levels(const struct topdown_row *row, const struct truth *truth)
{
	check(row, TOPDOWN_L1_BOUND, truth->l1);
	check(row, TOPDOWN_L2_BOUND, truth->l2);
	check(row, TOPDOWN_L3_BOUND, truth->l3);
	check(row, TOPDOWN_DRAM_BOUND, truth->dram);
}

static void check_unknown(const struct topdown_row *row, enum topdown_figure figure)
{
	assert_false(row->figures[figure].is_known);
}

static const struct {
	const char *task;
	const struct truth *truth;
} tasks[] = { { "computing", &computing }, { "chasing", &chasing }, { "branching", &branching } };

static void check_way(const struct way *way, bool has_memory, bool has_levels)
{
	struct run run = { .way = way, .nr = 20 };
	struct result result = compute(&run);

	assert_true(result.topdown.is_computed);
	assert_int_equal(result.topdown.nr_tasks, 3);
	assert_int_equal(result.topdown.sides, EVENT_USER);
	for (size_t i = 0; i < 3; i++) {
		const struct topdown_row *row = row_of(&result, tasks[i].task);

		check_slots(row, tasks[i].truth);
		if (has_memory)
			check_memory(row, tasks[i].truth);
		else
			check_unknown(row, TOPDOWN_MEMORY_BOUND);
		if (has_levels)
			check_levels(row, tasks[i].truth);
		else
			check_unknown(row, TOPDOWN_DRAM_BOUND);
		assert_int_equal(row->doubt, TOPDOWN_SURE);
		assert_true(row->measured > 0.999);
		assert_true(row->has_error && row->error < 1e-9);
	}
	assert_int_equal(result.topdown.nr_threads, 1);
	check(result.topdown.threads, TOPDOWN_RETIRING,
	      (computing.retiring + chasing.retiring + branching.retiring) / 3);
	end(&result);
}

static void test_ways(void **state)
{
	(void)state;
	check_way(&haswell, false, true);
	check_way(&skylake, true, true);
	check_way(&ice_lake, false, false);
	check_way(&sapphire_rapids, true, true);
	check_way(&metrics, true, false);
	check_way(&zen4, true, false);
	check_way(&zen5, true, false);
}

static void check_frontend(const struct topdown_row *row, const struct truth *truth)
{
	check(row, TOPDOWN_FETCH_LATENCY, truth->latency);
	check(row, TOPDOWN_FETCH_BANDWIDTH, truth->front - truth->latency);
}

static void check_bad_speculation(const struct topdown_row *row, const struct truth *truth)
{
	check(row, TOPDOWN_BRANCH_MISPREDICTS, truth->branches);
	check(row, TOPDOWN_MACHINE_CLEARS, truth->bad - truth->branches);
}

static void check_retiring(const struct topdown_row *row, const struct truth *truth)
{
	check(row, TOPDOWN_HEAVY_OPERATIONS, truth->heavy);
	check(row, TOPDOWN_LIGHT_OPERATIONS, truth->retiring - truth->heavy);
}

static void check_level2(const struct way *way, bool has_all)
{
	struct run run = { .way = way, .nr = 20 };
	struct result result = compute(&run);

	assert_true(result.topdown.divides_slots);
	for (size_t i = 0; i < 3; i++) {
		const struct topdown_row *row = row_of(&result, tasks[i].task);

		check_slots(row, tasks[i].truth);
		check_bad_speculation(row, tasks[i].truth);
		if (has_all) {
			check_frontend(row, tasks[i].truth);
			check_retiring(row, tasks[i].truth);
		} else {
			check_unknown(row, TOPDOWN_FETCH_LATENCY);
			check_unknown(row, TOPDOWN_FETCH_BANDWIDTH);
			check_unknown(row, TOPDOWN_HEAVY_OPERATIONS);
			check_unknown(row, TOPDOWN_LIGHT_OPERATIONS);
		}
		assert_int_equal(row->doubt, TOPDOWN_SURE);
	}
	end(&result);
}

static void test_level2(void **state)
{
	(void)state;
	check_level2(&haswell_2, true);
	check_level2(&skylake_2, true);
	check_level2(&ice_lake_2, true);
	check_level2(&mispredict_slots, false);
	check_level2(&metrics_2, true);
	check_level2(&zen4_2, true);
	check_level2(&zen5_2, true);
}

/* Of level 1 and the back end, nothing of the rest of level 2 follows. */
static void test_not_divided(void **state)
{
	struct run run = { .way = &zen4, .nr = 20 };
	struct result result = compute(&run);

	(void)state;
	assert_false(result.topdown.divides_slots);
	for (size_t i = TOPDOWN_FETCH_LATENCY; i <= TOPDOWN_LIGHT_OPERATIONS; i++)
		check_unknown(row_of(&result, "chasing"), (enum topdown_figure)i);
	end(&result);
}

/* A rest is not below 0, where a part is counted as more than the whole; and nothing divides what no restart is counted of. */
static void count_too_much(const struct truth *truth, uint64_t *counts)
{
	count_metrics_2(truth, counts);
	counts[6] = counts[3] * 11 / 10;
	counts[7] = counts[2] * 11 / 10;
	counts[8] = counts[1] * 11 / 10;
}

static void count_no_restarts(const struct truth *truth, uint64_t *counts)
{
	count_skylake_2(truth, counts);
	counts[6] = counts[7] = 0;
}

static void test_rests(void **state)
{
	struct way way = metrics_2;
	struct run run = { .way = &way, .nr = 20 };
	struct result result;
	const struct topdown_row *row;

	(void)state;
	way.count = count_too_much;
	result = compute(&run);
	row = row_of(&result, "branching");
	check(row, TOPDOWN_FETCH_LATENCY, 0.22);
	check(row, TOPDOWN_FETCH_BANDWIDTH, 0);
	check(row, TOPDOWN_BRANCH_MISPREDICTS, 0.33);
	check(row, TOPDOWN_MACHINE_CLEARS, 0);
	check(row, TOPDOWN_HEAVY_OPERATIONS, 0.44);
	check(row, TOPDOWN_LIGHT_OPERATIONS, 0);
	end(&result);
	way = skylake_2;
	way.count = count_no_restarts;
	result = compute(&run);
	row = row_of(&result, "branching");
	check(row, TOPDOWN_BAD_SPECULATION, branching.bad);
	check_unknown(row, TOPDOWN_BRANCH_MISPREDICTS);
	check_unknown(row, TOPDOWN_MACHINE_CLEARS);
	check_frontend(row, &branching);
	end(&result);
}

/* By hand, microcode may be counted on a CPU on which heavy operations are more than that. */
static void test_microcode_of_others(void **state)
{
	struct way way = haswell_2;
	struct run run = { .way = &way, .nr = 20 };
	struct result result;

	(void)state;
	way.names[8] = "IDQ:MS_UOPS";
	result = compute(&run);
	check_unknown(row_of(&result, "branching"), TOPDOWN_HEAVY_OPERATIONS);
	check_frontend(row_of(&result, "branching"), &branching);
	end(&result);
}

/* Zen counts what the other thread of a core gets. */
static void test_contention(void **state)
{
	static const struct truth beside = {
		.retiring = 0.3, .bad = 0.1, .front = 0.1, .memory = 0.3, .core = 0.2, .smt = 0.2
	};
	struct run run = { .way = &zen4, .nr = 20, .has_siblings = true };
	uint64_t counts[MOST_EVENTS];
	struct result result;

	(void)state;
	zen4.count(&beside, counts);
	assert_int_equal(counts[3], of(6 * CYCLES * 0.2));
	result = compute(&run);
	check(row_of(&result, "chasing"), TOPDOWN_SMT_CONTENTION, 0);
	assert_int_equal(row_of(&result, "chasing")->doubt, TOPDOWN_SURE);
	end(&result);
}

/* Before Ice Lake, slots are those of the core. */
static void test_siblings(void **state)
{
	struct run run = { .way = &skylake, .nr = 20, .has_siblings = true };
	struct result result = compute(&run);

	(void)state;
	check_slots(row_of(&result, "chasing"), &chasing);
	assert_int_equal(row_of(&result, "chasing")->doubt, TOPDOWN_SMT);
	assert_int_equal(result.findings.nr, 0);
	end(&result);
}

/* What an event is needed for is unknown without it, and nothing else. */
static void test_refused(void **state)
{
	struct run run = { .way = &skylake, .nr = 20, .left_out = 4 };
	struct result result = compute(&run);
	const struct topdown_row *row = row_of(&result, "chasing");

	(void)state;
	check(row, TOPDOWN_RETIRING, chasing.retiring);
	check(row, TOPDOWN_BAD_SPECULATION, chasing.bad);
	check_unknown(row, TOPDOWN_FRONTEND_BOUND);
	check_unknown(row, TOPDOWN_BACKEND_BOUND);
	check_unknown(row, TOPDOWN_MEMORY_BOUND);
	check_unknown(row, TOPDOWN_CORE_BOUND);
	check_levels(row, &chasing);
	assert_int_equal(row->doubt, TOPDOWN_SURE);
	end(&result);
	run.left_out = 1;
	result = compute(&run);
	assert_false(result.topdown.is_computed);
	end(&result);
}

static const struct finding *finding_of(const struct result *result, enum finding_kind kind)
{
	for (size_t i = 0; i < result->findings.nr; i++) {
		if (result->findings.rows[i].kind == kind)
			return &result->findings.rows[i];
	}
	return NULL;
}

static void test_findings(void **state)
{
	struct run run = { .way = &skylake, .nr = 20 };
	struct result result = compute(&run);
	const struct finding *memory = finding_of(&result, FINDING_MEMORY_BOUND);

	(void)state;
	assert_non_null(memory);
	assert_int_equal(memory->confidence, CONFIDENCE_HIGH);
	assert_string_equal(
		memory->text,
		"chasing: 80.0 % of its issue slots wait for memory, most of it for DRAM (45.0 % of its cycles)");
	assert_int_equal(memory->time_lost_ns, 0);
	assert_true(llabs((long long)memory->time_lost_at_most_ns - (long long)(16 * MS)) < 1000);
	assert_true(llabs((long long)memory->cpu_time_lost_ns - (long long)(16 * MS)) < 1000);
	assert_int_equal(memory->from_ns, 20 * MS);
	assert_int_equal(memory->to_ns, 40 * MS);
	assert_non_null(finding_of(&result, FINDING_BAD_SPECULATION));
	assert_non_null(finding_of(&result, FINDING_FRONTEND_BOUND));
	assert_non_null(
		strstr(finding_of(&result, FINDING_FRONTEND_BOUND)->text, "branching: 20.0 %"));
	/* 14 % are core bound in computing, but not 20 % back-end bound. */
	assert_null(finding_of(&result, FINDING_CORE_BOUND));
	end(&result);
}

static void check_clauses(const struct way *way, const char *front, const char *bad)
{
	struct run run = { .way = way, .nr = 20 };
	struct result result = compute(&run);

	assert_string_equal(finding_of(&result, FINDING_FRONTEND_BOUND)->text, front);
	assert_string_equal(finding_of(&result, FINDING_BAD_SPECULATION)->text, bad);
	end(&result);
}

#define EMPTY "branching: 20.0 % of its issue slots are empty because no instruction was delivered"
#define WRONG "branching: 30.0 % of its issue slots are lost to instructions on the wrong path"

static void count_other_parts(const struct truth *truth, uint64_t *counts)
{
	struct truth other = *truth;

	other.latency = truth->front - truth->latency;
	other.branches = truth->bad - truth->branches;
	count_metrics_2(&other, counts);
}

/* What most of it is, where that is known. */
static void test_parts_in_findings(void **state)
{
	struct way other = metrics_2;

	(void)state;
	other.count = count_other_parts;
	check_clauses(&skylake, EMPTY, WRONG);
	check_clauses(&metrics_2, EMPTY ", most of it fetch latency (12.5 %)",
		      WRONG ", most of it branch mispredicts (25.0 %)");
	check_clauses(&other, EMPTY ", most of it fetch bandwidth (12.5 %)",
		      WRONG ", most of it machine clears (25.0 %)");
}

/* A half is measured: the figure is of that half, with an interval, and no finding. */
static void test_partly(void **state)
{
	struct run run = { .way = &skylake,
			   .nr = 200,
			   .noise = 0.05,
			   .missing = 0.5,
			   .missing_counters = 1u << 2 };
	struct result result;
	const struct topdown_row *row;

	(void)state;
	random_numbers = (struct random){ 5 };
	result = compute(&run);
	row = row_of(&result, "chasing");
	assert_true(fabs(row->figures[TOPDOWN_RETIRING].value - chasing.retiring) < 0.01);
	assert_true(row->measured > 0.4 && row->measured < 0.6);
	assert_true(row->figures[TOPDOWN_L2_BOUND].measured > 0.999);
	assert_true(row->figures[TOPDOWN_RETIRING].has_bounds);
	assert_true(row->figures[TOPDOWN_RETIRING].low < row->figures[TOPDOWN_RETIRING].value);
	assert_true(row->figures[TOPDOWN_RETIRING].high > row->figures[TOPDOWN_RETIRING].value);
	assert_true(row->error > 0 && row->error < 0.01);
	assert_int_equal(row->doubt, TOPDOWN_PARTLY);
	assert_null(finding_of(&result, FINDING_MEMORY_BOUND));
	end(&result);
}

#define ROUNDS 300

/* Of intervals of 95 %, 95 in 100 hold what was counted in all slices, by an event that was counted without a gap. */
static void test_coverage(void **state)
{
	struct run run = { .way = &skylake,
			   .nr = 100,
			   .noise = 0.1,
			   .missing = 0.4,
			   .missing_counters = 1u << 3 };
	int covered = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct result result;
		const struct metric_estimate *back, *retiring;
		double truth;

		random_numbers = (struct random){ (uint64_t)round * 77777 + 1 };
		result = compute(&run);
		retiring = &row_of(&result, "chasing")->figures[TOPDOWN_RETIRING];
		back = &row_of(&result, "chasing")->figures[TOPDOWN_BACKEND_BOUND];
		truth = 1 - retiring->value - chasing.bad - chasing.front;
		assert_true(back->has_bounds && retiring->measured > 0.999);
		covered += back->low <= truth && truth <= back->high;
		end(&result);
	}
	print_message("%d of %d intervals hold the truth\n", covered, ROUNDS);
	assert_in_range(covered, ROUNDS * 91 / 100, ROUNDS * 98 / 100);
}

#define TURN_ROUNDS 200

/* How many of two intervals hold what comes of all slices. */
static int nr_held_in_turns(const struct run *run, const struct run *whole, uint64_t seed)
{
	static const enum topdown_figure figures[] = { TOPDOWN_RETIRING, TOPDOWN_BACKEND_BOUND };
	struct result result, truth;
	int nr = 0;

	random_numbers = (struct random){ seed };
	result = compute(run);
	random_numbers = (struct random){ seed };
	truth = compute(whole);
	assert_int_equal(row_of(&result, "chasing")->doubt, TOPDOWN_SURE);
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		const struct metric_estimate *own =
			&row_of(&result, "chasing")->figures[figures[i]];
		double wanted = row_of(&truth, "chasing")->figures[figures[i]].value;

		assert_true(own->has_bounds && own->measured > 0.1 && own->measured < 0.8);
		nr += own->low <= wanted && wanted <= own->high;
	}
	end(&truth);
	end(&result);
	return nr;
}

/* Eight counters, and shares that change every three slices. */
static void test_turns(void **state)
{
	struct run run = { .way = &skylake, .nr = 480, .noise = 0.1, .nr_shared = 8, .hold = 3 };
	struct run whole = run;
	int held = 0;

	(void)state;
	whole.nr_shared = 0;
	for (uint64_t round = 0; round < TURN_ROUNDS; round++)
		held += nr_held_in_turns(&run, &whole, round * 77777 + 1);
	print_message("%d of %d intervals hold the truth\n", held, 2 * TURN_ROUNDS);
	assert_in_range(held, 2 * TURN_ROUNDS * 91 / 100, 2 * TURN_ROUNDS * 98 / 100);
}

/* Few slices, of which one is missing: no interval, no finding. */
static void test_few(void **state)
{
	struct run run = { .way = &skylake, .nr = 6, .missing = 0.02, .missing_counters = 1 };
	struct result result;

	(void)state;
	random_numbers = (struct random){ 0 };
	for (;;) {
		result = compute(&run);
		if (row_of(&result, "chasing")->measured < 1 - 0.01)
			break;
		end(&result);
	}
	assert_false(row_of(&result, "chasing")->has_error);
	assert_true(row_of(&result, "chasing")->doubt == TOPDOWN_FEW ||
		    row_of(&result, "chasing")->doubt == TOPDOWN_PARTLY);
	assert_null(finding_of(&result, FINDING_MEMORY_BOUND));
	end(&result);
}

static void count_wrongly(const struct truth *truth, uint64_t *counts)
{
	count_sapphire_rapids(truth, counts);
	counts[2] /= 2;
}

/* Events that do not fit together. */
static void test_sum(void **state)
{
	struct way way = sapphire_rapids;
	struct run run = { .way = &way, .nr = 20 };
	struct result result;

	(void)state;
	way.count = count_wrongly;
	result = compute(&run);
	assert_int_equal(row_of(&result, "chasing")->doubt, TOPDOWN_SUM);
	assert_int_equal(row_of(&result, "computing")->doubt, TOPDOWN_SURE);
	end(&result);
}

static void count_nothing(const struct truth *truth, uint64_t *counts)
{
	count_skylake(truth, counts);
	memset(&counts[1], 0, 12 * sizeof(*counts));
}

/* Where events do not count, as in an emulator, all seems to be back-end bound. */
static void test_nothing(void **state)
{
	struct way way = skylake;
	struct run run = { .way = &way, .nr = 20 };
	struct result result;

	(void)state;
	way.count = count_nothing;
	result = compute(&run);
	assert_int_equal(row_of(&result, "chasing")->doubt, TOPDOWN_NOTHING);
	assert_int_equal(result.findings.nr, 0);
	end(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_contention),
		cmocka_unit_test(test_siblings),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_partly),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_level2),
		cmocka_unit_test(test_not_divided),
		cmocka_unit_test(test_rests),
		cmocka_unit_test(test_microcode_of_others),
		cmocka_unit_test(test_parts_in_findings),
	};

	return cmocka_run_group_tests(tests, open_strings, close_strings);
}
