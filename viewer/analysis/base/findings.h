/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the reader of a trace should see first: each finding is one sentence with its figures, the
 * time it cost, how sure it is, what may be wrong with it, and where in the trace it shows.
 *
 * Time lost is elapsed time: by how much the session would have ended earlier without it, as far as
 * the analysis that found it can tell. So findings of different kinds can be ranked; they are not
 * to be added up, since what one cures another may have counted.
 */
#ifndef ANNOT_FINDINGS_H
#define ANNOT_FINDINGS_H

#include "model/model.h"

enum finding_kind {
	FINDING_IMBALANCE,
	FINDING_SERIALISATION,
	FINDING_INTERFERENCE,
	FINDING_WAKEUP_LATENCY,
	FINDING_IDLE_WAITS,
	FINDING_MIGRATIONS,
	FINDING_SWITCH_MISSES,
	FINDING_SET_CONFLICTS,
	FINDING_FALSE_SHARING,
	FINDING_WORKING_SET,
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
#define CAVEAT_MISSING_SWITCHES 128u /* somebody ran, and nobody saw how he came there */
#define CAVEAT_UNKNOWN_HERE 256u /* of the evidence itself not all is known */
#define NR_CAVEATS 9

struct finding {
	enum finding_kind kind;
	enum finding_confidence confidence;
	unsigned int caveats; /* CAVEAT_* */
	uint64_t time_lost_ns;
	char *text;
	uint64_t from_ns; /* the evidence: a stretch of the trace, who and where */
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
};

/* Empty, and the time of @model's session. */
struct findings findings_new(const struct model *model);
void findings_free(struct findings *findings);

/* A new one, at the end; valid until the next is added. */
struct finding *findings_add(struct findings *findings, enum finding_kind kind,
			     uint64_t time_lost_ns, uint64_t from_ns, uint64_t to_ns);
void finding_add_thread(struct finding *finding, uint32_t thread);
void finding_add_cpu(struct finding *finding, int cpu);

/* Its sentence, as printf() has it; no full stop at its end. */
void finding_set_text(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Ranks by time lost, the most first, and leaves out what is not worth a sentence: less than
 * FINDING_LEAST_SHARE of the session's time. Adds the caveats that hold of the whole trace; a finding
 * whose own evidence has a gap on its CPUs, or a thread of which it is not known what it did, is of low
 * confidence besides.
 */
void findings_rank(struct findings *findings, const struct model *model);

#define FINDING_LEAST_SHARE 0.01

/* Whether findings_rank() will keep one of @time_lost_ns: else there is no need to word it. */
bool findings_would_keep(const struct findings *findings, uint64_t time_lost_ns);

/* "imbalance", "switch-misses", ...: in JSON, and what annot explain takes. */
const char *finding_kind_name(enum finding_kind kind);

/* "low", "medium", "high". */
const char *finding_confidence_name(enum finding_confidence confidence);

/* Of bit 1 << @bit: a sentence for the reader. */
const char *finding_caveat_text(unsigned int bit);

struct thread_label {
	char text[48];
};

/* A thread as sentences name it: "pe0", or "pe0 (1234)" if others of the session are called so. */
struct thread_label thread_label(const struct model *model, uint32_t thread);

#endif /* ANNOT_FINDINGS_H */
