/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Findings: what the reader of a trace should see first. A finding is one sentence with its figures, the time lost,
 * its confidence, its caveats, and its evidence in the trace.
 *
 * Time lost is elapsed time: how much earlier the session would have ended without it, as far as the analysis can
 * determine. So findings of different kinds can be ranked. They must not be added up: several may be about the same time.
 *
 * Where the trace cannot tell the time lost, it is what the trace does tell, often 0, and there is an upper bound, by which
 * the finding is ranked: it may be that important. What costs CPU time only, and makes nothing later, has the CPU time in
 * its place, and comes last.
 *
 * Of some, a replay tells by how much the run would be shorter without it, which is its gain (finding_gains.h); then it is ranked
 * by that.
 */
#ifndef ANNOT_FINDINGS_H
#define ANNOT_FINDINGS_H

#include "analysis/base/run_change.h"
#include "model/model.h"

/* All kinds, each with its name in JSON and for annot explain. */
#define FINDING_KIND_EACH(X)                          \
	X(IMBALANCE, "imbalance")                     \
	X(SERIALISATION, "serialisation")             \
	X(SERIAL_SHARE, "serial-share")               \
	X(LOOP_SCHEDULE, "loop-schedule")             \
	X(LOCK_CONTENTION, "lock-contention")         \
	X(LOCK_CONVOY, "lock-convoy")                 \
	X(IO_WAIT, "io-wait")                         \
	X(SLEEP_GRANULARITY, "sleep-granularity")     \
	X(LATE_SENDER, "late-sender")                 \
	X(TASK_GRANULARITY, "task-granularity")       \
	X(INTERFERENCE, "interference")               \
	X(WAKEUP_LATENCY, "wakeup-latency")           \
	X(IDLE_WAITS, "idle-waits")                   \
	X(SPIN_WASTE, "spin-waste")                   \
	X(PREEMPTED_STRAGGLER, "preempted-straggler") \
	X(OVERSUBSCRIPTION, "oversubscription")       \
	X(THROTTLED, "throttled")                     \
	X(PAGE_FAULT_STORM, "page-fault-storm")       \
	X(INTERRUPT_LOAD, "interrupt-load")           \
	X(SOFTIRQ_STORM, "softirq-storm")             \
	X(FREQUENCY_DROP, "frequency-drop")           \
	X(SMT_SHARING, "smt-sharing")                 \
	X(MIGRATIONS, "migrations")                   \
	X(SLOW_INSTANCES, "slow-instances")           \
	X(SWITCH_MISSES, "switch-misses")             \
	X(SET_CONFLICTS, "set-conflicts")             \
	X(FALSE_SHARING, "false-sharing")             \
	X(WORKING_SET, "working-set")                 \
	X(MEMORY_BOUND, "memory-bound")               \
	X(CORE_BOUND, "core-bound")                   \
	X(FRONTEND_BOUND, "front-end-bound")          \
	X(BAD_SPECULATION, "bad-speculation")         \
	X(BRANCH_MISSES, "branch-misses")             \
	X(ICACHE_MISSES, "icache-misses")             \
	X(PAGE_WALKS, "page-walks")

enum finding_kind {
#define FINDING_KIND(kind, name) FINDING_##kind,
	FINDING_KIND_EACH(FINDING_KIND)
#undef FINDING_KIND
	NR_FINDING_KINDS,
};

enum finding_confidence {
	CONFIDENCE_LOW, /* one instance, or an effect of the size of its error */
	CONFIDENCE_MEDIUM,
	CONFIDENCE_HIGH, /* seen again and again, or far beyond its error */
};

/* Bits: what may be wrong with a finding. */
#define CAVEAT_SMT 1u /* threads shared a core */
#define CAVEAT_SKID 2u /* samples were not precise */
#define CAVEAT_MULTIPLEXED 4u /* a counter did not run all the time */
#define CAVEAT_LOST_EVENTS 8u
#define CAVEAT_MASKED 16u /* code that masks interrupts could not be sampled */
#define CAVEAT_FEW 32u /* few instances */
#define CAVEAT_REGISTER 64u /* a register stood for addresses */
#define CAVEAT_MISSING_SWITCHES 128u /* a thread ran, and its switch is missing */
#define CAVEAT_UNKNOWN_HERE 256u /* the evidence itself has a gap */
#define CAVEAT_NO_STORES 512u /* only loads were sampled, which found lines modified elsewhere */
#define CAVEAT_ASSUMED_COST 1024u /* the time lost is by a constant for each miss */
#define CAVEAT_ASSUMED_CYCLES 2048u /* it is by a constant for each event, or by 3 GHz */
#define NR_CAVEATS 12

struct finding {
	enum finding_kind kind;
	enum finding_confidence confidence;
	unsigned int caveats; /* CAVEAT_* */
	uint64_t time_lost_ns; /* as far as it is known */
	uint64_t time_lost_at_most_ns; /* if it is known: the same */
	uint64_t cpu_time_lost_ns; /* of all CPUs; 0: it is about elapsed time */
	struct run_change cure; /* what a replay changes; CHANGE_NONE: it cannot tell the gain */
	bool has_gain;
	int64_t gain_ns; /* less than 0: the run would be longer */
	int64_t gain_least_ns; /* its interval */
	int64_t gain_most_ns;
	char *text;
	uint64_t from_ns; /* the evidence: an interval of the trace, threads and CPUs */
	uint64_t to_ns;
	size_t nr_threads;
	uint32_t *threads; /* of the model; the one that matters most is first */
	size_t nr_cpus;
	int16_t *cpus;
};

struct findings {
	size_t nr;
	struct finding *rows;
	uint64_t session_from_ns; /* when the first thread of the session was seen ... */
	uint64_t session_to_ns; /* ... and the last gone */
	uint64_t session_cpu_ns; /* of all CPUs, on which its threads ran */
	uint64_t noted_ns
		[NR_FINDING_KINDS]; /* the most of each that findings_note_loss() was told */
};

/* Empty, and the time of @model's session. */
struct findings findings_new(const struct model *model);
void findings_free(struct findings *findings);

/* A new one, at the end; valid until the next is added. The time lost is its upper bound, too. */
struct finding *findings_add(struct findings *findings, enum finding_kind kind,
			     uint64_t time_lost_ns, uint64_t from_ns, uint64_t to_ns);

/* The same, where the trace does not tell the time lost but an upper bound of it. */
struct finding *findings_add_at_most(struct findings *findings, enum finding_kind kind,
				     uint64_t at_most_ns, uint64_t from_ns, uint64_t to_ns);
void finding_add_thread(struct finding *finding, uint32_t thread);
void finding_add_cpu(struct finding *finding, int cpu);

/* Sets its sentence, as by printf(); without a full stop at its end. */
void finding_set_text(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Removes findings that reach FINDING_LEAST_SHARE neither of the session's time nor of its CPU time. Adds the caveats that hold
 * for the whole trace. A finding with a gap on its own CPUs, or with a thread whose state is unknown in its time, also gets low
 * confidence. Ranks them.
 */
void findings_rank(struct findings *findings, const struct model *model);

/* Ranks by the gain, or else by the upper bound of the time lost, the most first, then by CPU time lost. */
void findings_sort(struct findings *findings);

#define FINDING_LEAST_SHARE 0.01

/*
 * Notes that @kind cost @time_lost_ns at most somewhere, for findings_most_lost_ns(). Returns whether findings_rank() will keep a
 * finding of that. If not, its text is not needed.
 */
bool findings_note_loss(struct findings *findings, enum finding_kind kind, uint64_t time_lost_ns);

/* Of ranked findings, the first of @kind; NULL: there is none. */
const struct finding *findings_worst(const struct findings *findings, enum finding_kind kind);

/* Of ranked findings, what the worst of @kind cost at most, one that was removed for its small share, too; 0: nothing. */
uint64_t findings_most_lost_ns(const struct findings *findings, enum finding_kind kind);

/* Whether it costs CPU time only. */
static inline bool finding_is_cpu_time_only(const struct finding *finding)
{
	return !finding->time_lost_at_most_ns && finding->cpu_time_lost_ns;
}

/* "imbalance", "switch-misses", ...: in JSON, and what annot explain takes. */
const char *finding_kind_name(enum finding_kind kind);

/* "low", "medium", "high". */
const char *finding_confidence_name(enum finding_confidence confidence);

/* The sentence of caveat 1 << @bit. */
const char *finding_caveat_text(unsigned int bit);

struct thread_label {
	char text[48];
};

/* A thread as sentences name it: "pe0", or "pe0 (1234)" if others of the session are called so. */
struct thread_label thread_label(const struct model *model, uint32_t thread);

#endif /* ANNOT_FINDINGS_H */
