// SPDX-License-Identifier: GPL-2.0
#include "report/schema/sched_members.h"

#include "report/schema/common_members.h"

static const struct schema_member victim_members[] = {
	MEMBERS(schema_threads),
	{ "comm", SCHEMA_TEXT, 0, .meaning = "Its name." },
	MEMBERS_END,
};

static const struct schema_member by_members[] = {
	MEMBERS(victim_members),
	{ "program", SCHEMA_TEXT, 0, .meaning = "Its program." },
	MEMBERS_END,
};

static const struct schema_member delays[] = {
	{ "times", SCHEMA_COUNT, 0,
	  .meaning = "How often it was switched in as the other was preempted." },
	{ "preempted_ns", SCHEMA_COUNT, 0,
	  .meaning = "Time booked to it while the other was preempted." },
	{ "queued_ns", SCHEMA_COUNT, 0,
	  .meaning = "Time booked to it while the other was runnable." },
	MEMBERS_END,
};

static const struct schema_member pair_members[] = {
	{ "victim", SCHEMA_OBJECT, 0, .meaning = "The thread that had to wait.", victim_members },
	{ "by", SCHEMA_OBJECT, 0, .meaning = "The thread that ran meanwhile.", by_members },
	MEMBERS(delays),
	{ "longest_ns", SCHEMA_COUNT, 0, .meaning = "The longest of these." },
	MEMBERS_END,
};

static const struct schema_member programs_members[] = {
	{ "victim_program", SCHEMA_TEXT, 0, .meaning = "The program that had to wait." },
	{ "by_program", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "The program that ran; null: none." },
	MEMBERS(delays),
	{ "lengthened_waits_ns", SCHEMA_COUNT, 0,
	  .meaning = "By how much longer threads waited for others." },
	{ "lost_ns", SCHEMA_COUNT, 0, .meaning = "What that cost the program in elapsed time." },
	MEMBERS_END,
};

static const struct schema_member queue_members[] = {
	{ "cpu", SCHEMA_COUNT, 0, .meaning = "The CPU." },
	{ "waits", SCHEMA_COUNT, 0,
	  .meaning = "How often a thread of the session stood in its queue." },
	{ "wait_ns", SCHEMA_COUNT, 0, .meaning = "For how long in all." },
	{ "longest_ns", SCHEMA_COUNT, 0, .meaning = "For how long at once." },
	{ "histogram", SCHEMA_OBJECT, 0, .meaning = "How often for how long.", schema_histogram },
	MEMBERS_END,
};

const struct schema_member interference_members[] = {
	{ "pairs", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "Which threads took the CPU from which.",
	  pair_members },
	{ "programs", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The same by program.",
	  programs_members },
	{ "queues", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The queues of the CPUs.",
	  queue_members },
	MEMBERS(schema_left_out),
	MEMBERS_END,
};

const struct schema_member wakeup_latency_members[] = {
	{ "wakeups", SCHEMA_COUNT, 0, .meaning = "How many, of all threads together." },
	{ "histogram", SCHEMA_OBJECT, 0, .meaning = "How many latencies are how long.",
	  schema_histogram },
	{ "median_ns", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning = "Their median; null if there are none." },
	{ "p99_ns", SCHEMA_COUNT, SCHEMA_NULL, .meaning = "Their 99th percentile, likewise." },
	{ "max_ns", SCHEMA_COUNT, SCHEMA_NULL, .meaning = "The longest, likewise." },
	MEMBERS_END,
};

const struct schema_member migrations_members[] = {
	{ "total", SCHEMA_COUNT, 0, .meaning = "How often threads of the session moved." },
	{ "matrix", SCHEMA_COUNT, SCHEMA_LISTS, .meaning = "By the CPU from which, and to which." },
	{ "left_out_of_matrix", SCHEMA_COUNT, 0, .meaning = "Those of CPUs that are not in it." },
	{ "distance", SCHEMA_COUNT, SCHEMA_LISTS | SCHEMA_NULL_INSIDE,
	  .meaning =
		  "As matrix: 0 the same CPU, 1 the same core, 2 shared L2, 3 shared last-level cache, 4 the "
		  "same node, 5 another; null not known." },
	{ "ping_pongs", SCHEMA_COUNT, 0, .meaning = "How often one came back at once." },
	{ "cost_ns", SCHEMA_COUNT, 0, .meaning = "What the migrations cost." },
	{ "event", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "The misses that were sampled." },
	{ "excess_misses", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "Those of the first 2 ms on the new CPU, less the thread's warm rate." },
	MEMBERS_END,
};

static const struct schema_member node_members[] = {
	{ "name", SCHEMA_TEXT, 0, .meaning = "The task." },
	{ "kind", SCHEMA_TEXT, 0, .meaning = "What its spans are.", .words = schema_span_kinds },
	{ "parent", SCHEMA_WHOLE, 0,
	  .meaning = "The place of the span around it in the list, or -1." },
	{ "instances", SCHEMA_COUNT, 0, .meaning = "How many spans." },
	{ "inclusive_ns", SCHEMA_COUNT, 0, .meaning = "Their length." },
	{ "exclusive_ns", SCHEMA_COUNT, 0, .meaning = "The same without spans inside." },
	{ "on_cpu_ns", SCHEMA_COUNT, 0, .meaning = "Time on a CPU." },
	{ "exclusive_on_cpu_ns", SCHEMA_COUNT, 0, .meaning = "The same without spans inside." },
	{ "preempted_ns", SCHEMA_COUNT, 0, .meaning = "Time preempted." },
	{ "misses", SCHEMA_NUMBER, SCHEMA_BY_NAME | SCHEMA_NULL | SCHEMA_NULL_INSIDE,
	  .meaning = "How often each event happened; null if none was measured." },
	{ "misses_error", SCHEMA_NUMBER, SCHEMA_BY_NAME | SCHEMA_NULL_INSIDE | SCHEMA_OPTIONAL,
	  .meaning =
		  "Of events that took turns: how far the truth may be from that, in 95 of 100 cases; null: not known." },
	{ "misses_measured_share", SCHEMA_NUMBER, SCHEMA_BY_NAME | SCHEMA_OPTIONAL,
	  .meaning = "Of these events: the share of the time in which they were counted." },
	{ "mpki", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "Misses for 1000 instructions, if known." },
	{ "mpki_error", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The standard error of that." },
	{ "threads", SCHEMA_COUNT, 0, .meaning = "How many threads ran it." },
	MEMBERS_END,
};

const struct schema_member task_tree_members[] = {
	{ "nodes", SCHEMA_OBJECT, SCHEMA_LIST,
	  .meaning = "Tasks by what is around them, parents first.", node_members },
	{ "mpki_of", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "The event whose misses mpki has." },
	{ "threshold_pct", SCHEMA_NUMBER, 0,
	  .meaning = "Nodes below this share of the time are left out." },
	MEMBERS(schema_left_out),
	MEMBERS_END,
};
