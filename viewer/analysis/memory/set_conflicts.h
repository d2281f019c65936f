/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conflict misses: instructions whose missing lines fall into few sets of the first-level cache.
 *
 * The set of a line is its address divided by the line size, modulo the number of sets. So addresses that are
 * equal modulo the span (sets times line size) share a set. For each instruction of a process, all samples of
 * a first-level miss with addresses are taken, and the different lines in each set are counted. Lines agree if
 * their set has more of them than it has ways. Of samples of instructions (AMD's IBS), those of loads that missed are
 * taken (sample_misses.h).
 *
 * expected: the number of lines that would agree if each line were in any set with the same probability:
 * 	lines * P(Binomial(lines - 1, 1 / sets) >= ways).
 * p: at most sets * P(Binomial(lines, 1 / sets) >= most), where most is the number of lines in the fullest set
 * 	(Bonferroni's bound over all sets).
 *
 * It is a conflict if p times the number of instructions tested is below 0.01, at least half of the samples are
 * of lines that agree, and all lines would fit into the cache, with an estimate of those that no sample hit
 * (chao_estimate()). Otherwise they are capacity misses, too. At least 32 samples are needed.
 *
 * If no sample of the event has an address, the general registers of the samples are tested. The values of each
 * register are taken as addresses, if they look like addresses. The displacement of an instruction is the same
 * for all values, and so does not change which lines agree. The register with the strongest evidence is taken,
 * and its p is multiplied by the number of registers with different values (Bonferroni). There is no conflict if
 * another register has as many lines without a conflict, since that one may be the address: in a walk along the
 * rows of a matrix, one register has the element, and one has the end of the row.
 * A register can mislead:
 * - The instruction may add an index to it. Rows as long as the span that are read one after the other then
 *   fall into few sets by their begins. Or the register has nothing to do with the address.
 * - Precise samples have the registers as they were after the instruction. If it loads into its address
 *   register, the value is the loaded one: in a list, the address of the next line, which is in the same sets.
 * - Samples that are not precise have the registers at the interrupt.
 *
 * Only the first level can be tested: in other caches, the set of a line depends on its physical address, which
 * is not recorded. If the span is larger than a page of 4096 bytes, this holds for the first level, too, and
 * nothing is computed.
 */
#ifndef ANNOT_SET_CONFLICTS_H
#define ANNOT_SET_CONFLICTS_H

#include "analysis/memory/sample_misses.h"

struct set_conflict {
	size_t event;
	size_t sample; /* one of them: for its instruction, and the first in time */
	size_t last_sample;
	uint64_t ip;
	int32_t tgid;
	uint32_t thread; /* with most samples */
	int reg; /* the register whose values were tested; -1: addresses were tested */
	uint64_t nr_samples;
	double misses; /* of all samples; NAN: not known */
	double thread_misses; /* of that thread's on lines that agree; NAN: not known */
	uint32_t sets;
	uint32_t ways;
	uint64_t span_bytes;
	uint64_t lines;
	uint64_t agreeing;
	uint64_t agreeing_samples;
	uint64_t most; /* lines of the fullest set */
	double all_lines; /* estimated; may be INFINITY */
	double expected;
	double p_value;
	bool is_contradicted; /* by another register */
	bool is_conflict;
};

enum set_conflicts_why {
	SET_CONFLICTS_COMPUTED,
	SET_CONFLICTS_NO_EVENT, /* no sample of a first-level miss has an address or registers */
	SET_CONFLICTS_NO_TOPOLOGY,
	SET_CONFLICTS_LARGE_SPAN,
};

struct set_conflicts {
	enum set_conflicts_why why;
	size_t nr;
	struct set_conflict *rows; /* the greatest number of misses first */
};

/*
 * @bases: bit i: register i of a sample may hold an address.
 * Never fails. Cost: sorting the samples, once for each register.
 */
struct set_conflicts *set_conflicts_compute(const struct model *model,
					    const struct sample_misses *misses, uint64_t bases);
void set_conflicts_free(struct set_conflicts *conflicts);

#endif /* ANNOT_SET_CONFLICTS_H */
