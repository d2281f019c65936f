/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The values of annot record's options that the shell can complete.
 */
#ifndef ANNOT_CMD_RECORD_WORDS_H
#define ANNOT_CMD_RECORD_WORDS_H

#include <stdio.h>

/*
 * The systems and events of the kernel. A system and an event are separate words, because readline
 * breaks words at the colon between them.
 */
void record_words_offer_tracepoints(FILE *out);

void record_words_offer_clocks(FILE *out);
void record_words_offer_compressions(FILE *out);

/* All processes. */
void record_words_offer_pids(FILE *out);

#endif /* ANNOT_CMD_RECORD_WORDS_H */
