// SPDX-License-Identifier: GPL-2.0
#include "report/schema/report_members.h"

#include "report/schema/common_members.h"

#define SHARE_MEANING \
	"For how much of its time an event was counted that took turns with others; null for others."
#define RELIABILITY_MEANING \
	"Of the same: 1 less its error as a part of its count, at least 0; null for others."

static const struct schema_member losses[] = {
	{ "bad_head", SCHEMA_COUNT, 0, .meaning = "Reported by the module: a malformed head." },
	{ "bad_op", SCHEMA_COUNT, 0, .meaning = "Reported by the module: an unknown kind." },
	{ "bad_name", SCHEMA_COUNT, 0, .meaning = "Reported by the module: an unreadable name." },
	{ "at_exec", SCHEMA_COUNT, 0, .meaning = "Lost as the process executed another program." },
	{ "no_clock", SCHEMA_COUNT, 0,
	  .meaning = "Made when the trace's clock could not be read." },
	{ "dropped", SCHEMA_COUNT, 0, .meaning = "Dropped for lack of room." },
	{ "other", SCHEMA_COUNT, 0, .meaning = "Lost for another reason." },
	{ "unreadable", SCHEMA_COUNT, 0, .meaning = "In the file, but malformed." },
	MEMBERS_END,
};

static const struct schema_member cpu_switches[] = {
	{ "cpu", SCHEMA_COUNT, 0, .meaning = "The CPU." },
	{ "switches", SCHEMA_COUNT, 0, .meaning = "How many are missing there, at least." },
	MEMBERS_END,
};

static const struct schema_member damages[] = {
	{ "other_events", SCHEMA_COUNT, 0, .meaning = "Other events." },
	{ "samples", SCHEMA_COUNT, 0, .meaning = "Samples." },
	{ "slice_counts", SCHEMA_COUNT, 0, .meaning = "Counts of slices." },
	{ "pmu_states", SCHEMA_COUNT, 0, .meaning = "When counters ran." },
	{ "pmu_events", SCHEMA_COUNT, 0, .meaning = "What was measured." },
	{ "mappings", SCHEMA_COUNT, 0, .meaning = "Files mapped by programs, and in which pages." },
	{ "cpu_places", SCHEMA_COUNT, 0, .meaning = "Where CPUs are." },
	{ "uncore_lines", SCHEMA_COUNT, 0, .meaning = "What counters of sockets counted." },
	MEMBERS_END,
};

static const char *const pmu_caveats[] = { "skid",  "step",	 "virtual",    "smt",
					   "turns", "throttled", "no_counter", NULL };
static const char *const pmu_modes[] = { "count", "sample", NULL };

static const struct schema_member pmu_members[] = {
	{ "name", SCHEMA_TEXT, 0, .meaning = "The event's name." },
	{ "mode", SCHEMA_TEXT, 0, .meaning = "How it was measured.", .words = pmu_modes },
	{ "period", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning = "How many events from sample to sample; null for a counted event." },
	{ "user", SCHEMA_FLAG, SCHEMA_NULL, .meaning = "Whether it was measured in user mode." },
	{ "kernel", SCHEMA_FLAG, SCHEMA_NULL, .meaning = "Whether it was measured in the kernel." },
	{ "precise_asked", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning = "The precision that was asked for; null for a counted event." },
	{ "precise", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning = "The precision obtained; null for a counted event." },
	{ "error", SCHEMA_COUNT, 0,
	  .meaning = "The errno with which the kernel refused the event, or 0." },
	{ "error_name", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "Its name." },
	{ "samples", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning = "Samples of all threads; null for a counted event." },
	{ "count", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "The events of all threads; null if not measured." },
	{ "count_error", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "How far the truth may be from that, in 95 of 100 cases; null if not known." },
	{ "measured_share", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = SHARE_MEANING },
	{ "reliability", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = RELIABILITY_MEANING },
	{ "lost", SCHEMA_COUNT, SCHEMA_NULL, .meaning = "Samples known to be missing." },
	{ "total", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning =
		  "The total of its counters as they were stopped; null if a counter did not report it." },
	{ "unmeasured_ns", SCHEMA_COUNT, 0,
	  .meaning = "How long it was not measured, summed over all CPUs." },
	{ "enough_ns", SCHEMA_COUNT, SCHEMA_NULL, .meaning = "When enough samples were taken." },
	{ "config", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "All that the module reported of it." },
	{ "caveats", SCHEMA_TEXT, SCHEMA_LIST,
	  .meaning = "Why its figures may not be what they seem to be.", .words = pmu_caveats },
	MEMBERS_END,
};

static const struct schema_member trace_members[] = {
	{ "file", SCHEMA_TEXT, 0, .meaning = "The path, as given." },
	{ "clock", SCHEMA_TEXT, 0, .meaning = "The trace's clock." },
	{ "virtual", SCHEMA_FLAG, 0,
	  .meaning = "Whether the trace tells that the machine was virtual." },
	{ "hypervisor", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "What the hypervisor calls itself." },
	{ "cpus", SCHEMA_COUNT, 0, .meaning = "One more than the highest number of a CPU." },
	{ "start_ns", SCHEMA_COUNT, 0, .meaning = "The first event's time on that clock." },
	{ "duration_ns", SCHEMA_COUNT, 0, .meaning = "From the first event to the last." },
	{ "events", SCHEMA_COUNT, 0, .meaning = "All events in the file." },
	{ "switches", SCHEMA_COUNT, 0, .meaning = "How many of these are switches." },
	{ "lost_events", SCHEMA_COUNT, 0,
	  .meaning = "Events lost, as far as the kernel counted them." },
	{ "lost_gaps", SCHEMA_COUNT, 0,
	  .meaning = "Places where events were lost, counted or not." },
	{ "missing_switches", SCHEMA_COUNT, 0,
	  .meaning = "The least number of switches missing without being reported as lost." },
	{ "missing_switches_by_cpu", SCHEMA_OBJECT, SCHEMA_LIST,
	  .meaning = "The same for each CPU with any.", cpu_switches },
	{ "lost_annotations", SCHEMA_COUNT, 0,
	  .meaning = "Annotations not in the trace, a lower bound." },
	{ "lost_annotations_by_reason", SCHEMA_OBJECT, 0, .meaning = "The same by reason.",
	  losses },
	{ "altered_annotations", SCHEMA_COUNT, 0,
	  .meaning = "Annotations with an impossible time, which was moved to a possible one." },
	{ "reordered_annotations", SCHEMA_COUNT, 0,
	  .meaning = "Annotations moved behind the annotation before them of their thread." },
	{ "nameless_annotations", SCHEMA_COUNT, 0,
	  .meaning = "Annotations whose name is not in the trace." },
	{ "truncated", SCHEMA_FLAG, 0, .meaning = "Whether the file is truncated." },
	{ "config", SCHEMA_TEXT, SCHEMA_NULL,
	  .meaning = "What annot.ko reported as recording began." },
	{ "damaged", SCHEMA_OBJECT, 0, .meaning = "Malformed records, which are left out, by kind.",
	  damages },
	{ "odd_slice_counts", SCHEMA_COUNT, 0,
	  .meaning = "Slices whose counts do not match the events; they are left out." },
	{ "pmu", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The events that were to be measured.",
	  pmu_members },
	MEMBERS_END,
};

static const char *const cache_kinds[] = { "d", "i", "u", NULL };

static const struct schema_member cache_members[] = {
	{ "level", SCHEMA_COUNT, 0, .meaning = "1: the one next to the core." },
	{ "kind", SCHEMA_TEXT, 0, .meaning = "For data, instructions, or both.",
	  .words = cache_kinds },
	{ "size_bytes", SCHEMA_COUNT, 0, .meaning = "Its size." },
	{ "line_bytes", SCHEMA_COUNT, 0, .meaning = "The size of a line." },
	{ "ways", SCHEMA_COUNT, 0, .meaning = "Its associativity; 0 if not known." },
	{ "sets", SCHEMA_COUNT, 0, .meaning = "Its sets; 0 if not known." },
	{ "group", SCHEMA_COUNT, 0, .meaning = "CPUs with the same one share the cache." },
	MEMBERS_END,
};

static const struct schema_member place_members[] = {
	{ "cpu", SCHEMA_COUNT, 0, .meaning = "The CPU." },
	{ "core", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning = "The first CPU of its core; null if not known." },
	{ "package", SCHEMA_COUNT, SCHEMA_NULL, .meaning = "Its package; null if not known." },
	{ "node", SCHEMA_COUNT, SCHEMA_NULL, .meaning = "Its NUMA node; null if not known." },
	{ "caches", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "Its caches.", cache_members },
	MEMBERS_END,
};

static const struct schema_member event_members[] = {
	{ "name", SCHEMA_TEXT, 0, .meaning = "The event's name." },
	{ "count", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "How often it happened; null if not measured." },
	{ "error", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "How far the truth may be from that, in 95 of 100 cases; null if not known." },
	{ "samples", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning = "Its samples; null for a counted event." },
	{ "per_us", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "How often for each microsecond on a CPU." },
	{ "mpki", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "How often for 1000 instructions." },
	{ "mpki_error", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The standard error of that." },
	{ "measured_ns", SCHEMA_COUNT, 0, .meaning = "Time on a CPU with its counter at work." },
	{ "unmeasured_ns", SCHEMA_COUNT, 0, .meaning = "Time on a CPU without." },
	{ "incomplete_slices", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning =
		  "Slices in which the counter did not run all the time; null for a sampled event." },
	{ "measured_share", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = SHARE_MEANING },
	{ "reliability", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = RELIABILITY_MEANING },
	MEMBERS_END,
};

/* What sums over a thread and over a task have, but for the wall time. */
static const struct schema_member sums[] = {
	{ "on_cpu_ns", SCHEMA_COUNT, 0, .meaning = "Time on a CPU." },
	{ "useful_ns", SCHEMA_COUNT, 0, .meaning = "Time on a CPU outside wait spans." },
	{ "waiting_ns", SCHEMA_COUNT, 0, .meaning = "Time in wait spans." },
	{ "preempted_ns", SCHEMA_COUNT, 0, .meaning = "Time preempted." },
	{ "wakeup_ns", SCHEMA_COUNT, 0, .meaning = "Time from a wakeup until it ran." },
	{ "blocked_ns", SCHEMA_COUNT, 0, .meaning = "Time asleep or stopped." },
	{ "unknown_ns", SCHEMA_COUNT, 0, .meaning = "Time of unknown state." },
	{ "switches", SCHEMA_COUNT, 0, .meaning = "How often it was switched out." },
	{ "preemptions", SCHEMA_COUNT, 0, .meaning = "How often it was preempted." },
	{ "migrations", SCHEMA_COUNT, 0, .meaning = "How often it moved to another CPU." },
	{ "spinning_ns", SCHEMA_COUNT, 0, .meaning = "Time on a CPU in wait spans." },
	{ "waiting_off_cpu_ns", SCHEMA_COUNT, 0, .meaning = "Time off CPUs in wait spans." },
	{ "work_off_cpu_ns", SCHEMA_COUNT, 0,
	  .meaning = "Time off CPUs in work spans, outside wait spans." },
	{ "stolen_ns", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning = "Time that interrupts took; null if the trace has no events of interrupts." },
	MEMBERS_END,
};

static const struct schema_member events_member[] = {
	{ "events", SCHEMA_OBJECT, SCHEMA_LIST,
	  .meaning = "What was measured of it: an element for each event of trace.pmu.",
	  event_members },
	MEMBERS_END,
};

static const struct schema_member thread_members[] = {
	{ "tid", SCHEMA_WHOLE, 0, .meaning = "The thread." },
	{ "tgid", SCHEMA_WHOLE, SCHEMA_NULL,
	  .meaning = "Its process; null if the trace does not tell it." },
	{ "comm", SCHEMA_TEXT, 0, .meaning = "The last name it had." },
	{ "in_session", SCHEMA_FLAG, 0, .meaning = "Whether it belongs to the recorded session." },
	{ "wall_ns", SCHEMA_COUNT, 0, .meaning = "Its life within the trace." },
	MEMBERS(sums),
	{ "outside_ns", SCHEMA_COUNT, 0, .meaning = "Time on a CPU outside all spans." },
	MEMBERS(events_member),
	{ "instances", SCHEMA_COUNT, 0, .meaning = "Its spans." },
	{ "unmatched_ends", SCHEMA_COUNT, 0,
	  .meaning = "Ends of spans that began before the trace." },
	MEMBERS_END,
};

static const struct schema_member distribution[] = {
	{ "sum", SCHEMA_COUNT, 0, .meaning = "Of all instances. Unit: ns." },
	{ "min", SCHEMA_COUNT, 0, .meaning = "The least. Unit: ns." },
	{ "median", SCHEMA_COUNT, 0,
	  .meaning = "The median: of an even number, midway between the middle two. Unit: ns." },
	{ "max", SCHEMA_COUNT, 0, .meaning = "The greatest. Unit: ns." },
	MEMBERS_END,
};

static const struct schema_member task_thread_members[] = {
	{ "tid", SCHEMA_WHOLE, 0, .meaning = "The thread." },
	{ "comm", SCHEMA_TEXT, 0, .meaning = "Its name." },
	{ "instances", SCHEMA_COUNT, 0, .meaning = "How many it ran." },
	{ "wall_ns", SCHEMA_COUNT, 0, .meaning = "Their length." },
	MEMBERS(sums),
	MEMBERS(events_member),
	MEMBERS_END,
};

static const struct schema_member task_members[] = {
	{ "name", SCHEMA_TEXT, 0, .meaning = "The name of its spans." },
	{ "kind", SCHEMA_TEXT, 0, .meaning = "What they are.", .words = schema_span_kinds },
	{ "instances", SCHEMA_COUNT, 0, .meaning = "How many spans." },
	{ "open_ends", SCHEMA_COUNT, 0, .meaning = "Spans without an end of their own." },
	{ "threads", SCHEMA_COUNT, 0, .meaning = "How many threads ran it." },
	{ "wall_ns", SCHEMA_OBJECT, 0, .meaning = "The length of its instances.", distribution },
	MEMBERS(sums),
	{ "load_balance", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "The average useful time of its threads over the greatest." },
	{ "imbalance_pct", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The imbalance percentage." },
	{ "imbalance_time_ns", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning = "The greatest useful time of a thread less the average." },
	MEMBERS(events_member),
	{ "on_cpu_distribution_ns", SCHEMA_OBJECT, 0, .meaning = "Time on a CPU, by instance.",
	  distribution },
	{ "waiting_distribution_ns", SCHEMA_OBJECT, 0,
	  .meaning = "Time in wait spans, by instance.", distribution },
	{ "spinning_distribution_ns", SCHEMA_OBJECT, 0,
	  .meaning = "Time on a CPU in wait spans, by instance.", distribution },
	{ "preempted_distribution_ns", SCHEMA_OBJECT, 0, .meaning = "Time preempted, by instance.",
	  distribution },
	{ "wakeup_distribution_ns", SCHEMA_OBJECT, 0,
	  .meaning = "Time from a wakeup until it ran, by instance.", distribution },
	{ "blocked_distribution_ns", SCHEMA_OBJECT, 0,
	  .meaning = "Time asleep or stopped, by instance.", distribution },
	{ "by_thread", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "Each thread that ran it.",
	  task_thread_members },
	MEMBERS_END,
};

static const char *const confidences[] = { "low", "medium", "high", NULL };

static const struct schema_member evidence_members[] = {
	MEMBERS(schema_span),
	{ "tids", SCHEMA_WHOLE, SCHEMA_LIST,
	  .meaning = "The threads, the one that matters most first." },
	{ "threads", SCHEMA_COUNT, SCHEMA_LIST, .meaning = "Their places in the page's order." },
	{ "cpus", SCHEMA_WHOLE, SCHEMA_LIST, .meaning = "The CPUs." },
	MEMBERS_END,
};

static const struct schema_member finding_members[] = {
	{ "kind", SCHEMA_TEXT, 0, .meaning = "As annot explain takes it.",
	  .words = schema_finding_kinds },
	{ "time_lost_ns", SCHEMA_COUNT, 0,
	  .meaning = "Elapsed time, as far as the trace can tell it." },
	{ "time_lost_at_most_ns", SCHEMA_COUNT, 0, .meaning = "An upper bound of that." },
	{ "cpu_time_lost_ns", SCHEMA_COUNT, 0,
	  .meaning =
		  "CPU time spent for nothing, of all CPUs; 0 if the finding is about elapsed time." },
	{ "gain_ns", SCHEMA_WHOLE, SCHEMA_NULL,
	  .meaning =
		  "By how much a replay of the session is shorter with it cured; less than 0 if it is longer.",
	  .more = "Null if that is not known. Findings are ranked by it, or else by time_lost_at_most_ns." },
	{ "gain_least_ns", SCHEMA_WHOLE, SCHEMA_NULL,
	  .meaning = "Where the interval of that begins." },
	{ "gain_most_ns", SCHEMA_WHOLE, SCHEMA_NULL, .meaning = "Where it ends." },
	{ "what_if", SCHEMA_TEXT, SCHEMA_LIST | SCHEMA_NULL,
	  .meaning = "The words that ask annot what-if for it." },
	{ "text", SCHEMA_TEXT, 0, .meaning = "One sentence." },
	{ "confidence", SCHEMA_TEXT, 0, .meaning = "How sure it is.", .words = confidences },
	{ "evidence", SCHEMA_OBJECT, 0, .meaning = "Where it shows best.", evidence_members },
	{ "caveats", SCHEMA_TEXT, SCHEMA_LIST, .meaning = "What may be wrong with it." },
	MEMBERS_END,
};

static const struct schema_member catalogue_members[] = {
	{ "title", SCHEMA_TEXT, 0, .meaning = "A few words." },
	{ "what", SCHEMA_TEXT, 0, .meaning = "What it is." },
	{ "definition", SCHEMA_TEXT, 0, .meaning = "How annot finds it." },
	{ "how_to_see", SCHEMA_TEXT, 0, .meaning = "How to see it, in the page and in reports." },
	{ "cures", SCHEMA_TEXT, SCHEMA_LIST, .meaning = "What is known to cure it." },
	MEMBERS_END,
};

const struct schema_member report_members[] = {
	MEMBERS(schema_version),
	{ "trace", SCHEMA_OBJECT, 0, .meaning = "What is true of all of the trace.",
	  trace_members },
	{ "topology", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The CPUs that annot record found.",
	  place_members },
	{ "threads", SCHEMA_OBJECT, SCHEMA_LIST,
	  .meaning = "All threads, inside spans and outside.", thread_members },
	{ "tasks", SCHEMA_OBJECT, SCHEMA_LIST,
	  .meaning = "All spans of one name and kind are one task.", task_members },
	{ "session", SCHEMA_OBJECT, 0,
	  .meaning = "When its first thread was seen, and when the last one was gone.",
	  schema_span },
	{ "findings", SCHEMA_OBJECT, SCHEMA_LIST,
	  .meaning = "What cost time, the most costly first.", finding_members },
	{ "catalogue", SCHEMA_OBJECT, SCHEMA_BY_NAME,
	  .meaning = "Of each kind that was found, what annot explain tells.", catalogue_members },
	MEMBERS_END,
};
