/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conflict misses: instructions whose missing lines crowd in few sets of the first-level cache.
 *
 * A line's set is its address by the line's bytes, modulo the number of sets; so addresses that are
 * equal modulo the span (sets times line bytes) share one. Of each instruction of a process, with
 * all samples of an event that is a first-level miss and that have addresses, the different lines
 * are counted in each set. Lines agree if they are in a set with more of them than it has ways.
 *
 * expected: as many would agree if each line were in any set with the same chance:
 *	lines * P(Binomial(lines - 1, 1 / sets) >= ways).
 * p: no more than sets * P(Binomial(lines, 1 / sets) >= most), where most is how many the fullest
 *	set has (Bonferroni's bound of all sets).
 *
 * It is a conflict if p < 0.01 by the number of instructions tested, at least half of the samples
 * are of lines that agree, and all lines would fit into the cache, with those that no sample hit
 * (chao_estimate()): else they are capacity misses, too. At least 32 samples are needed.
 *
 * Where no sample of the event has an address, the general registers that samples were recorded with
 * are tested, each as if its values were the addresses, as far as they look like such; the displacement
 * of an instruction adds the same to all of them, and so leaves what agrees as it is. The strongest
 * evidence is taken, and its p multiplied by the number of registers with different values (Bonferroni).
 * But if another one has as many lines, and these do not make a conflict, that may as well be the address:
 * of a walk along the rows of a matrix one register has the element, and one the end of the row.
 * What remains to be wrong with it:
 * - An instruction may add an index to the register: rows as long as the span that are read one after
 *   the other crowd by where they begin. Or the register has nothing to do with it.
 * - Precise samples have the registers as they were after the instruction: what it loaded into the
 *   register that it got the address from has overwritten that. Of a list's pointers, say, it is
 *   that of the next line, which crowds in the same sets.
 * - Samples that are not precise have those of where the interrupt came.
 *
 * Only the first level can be tested: in others a line's set depends on its physical address, which
 * is not recorded. Where the span is larger than a page of 4096 bytes, it does there, too, and nothing
 * is computed.
 */
#ifndef ANNOT_SET_CONFLICTS_H
#define ANNOT_SET_CONFLICTS_H

#include "analysis/base/miss_level.h"
#include "model/model.h"

struct set_conflict {
	size_t event;
	size_t sample; /* one of them: for its instruction, and the first in time */
	size_t last_sample;
	uint64_t ip;
	int32_t tgid;
	uint32_t thread; /* with most samples */
	int reg; /* a sample's register, whose values were tested; -1: addresses were */
	uint64_t nr_samples;
	double misses; /* of all samples */
	double thread_misses; /* of that thread's on lines that agree */
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
 * @levels: of each of the model's events; @bases: bit i: register i of a sample may hold an address.
 * Never fails. Cost: sorting the samples, once for each register.
 */
struct set_conflicts *set_conflicts_compute(const struct model *model,
					    const enum miss_level *levels, uint64_t bases);
void set_conflicts_free(struct set_conflicts *conflicts);

#endif /* ANNOT_SET_CONFLICTS_H */
