/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A question to the replay, in the words of who asks.
 */
#ifndef ANNOT_CMD_WHAT_IF_WORDS_H
#define ANNOT_CMD_WHAT_IF_WORDS_H

#include "analysis/replay/what_if.h"

struct faster_words {
	const char *text; /* TASK=FACTOR */
	size_t name_length;
	double factor;
};

/* All 0: nothing is changed. */
struct what_if_words {
	const char *balance;
	const char *without;
	const char *no_lock;
	const char *merge_chunks;
	unsigned long nr_cpus;
	bool pin;
	bool unpin;
	size_t nr_faster;
	struct faster_words faster[WHAT_IF_MOST_FASTER];
};

/* @text, TASK=FACTOR, must live as long. Returns NULL, or what is wrong with it. */
const char *what_if_words_add_faster(struct what_if_words *words, const char *text);

/* Whether anything is to be changed. */
bool what_if_words_are_given(const struct what_if_words *words);

/* Names -> what the trace has. Returns 0, or -1 after one line on stderr. */
int what_if_words_ask(const struct what_if_words *words, const struct model *model,
		      const struct regions *regions, struct what_if_question *question);

#endif /* ANNOT_CMD_WHAT_IF_WORDS_H */
