/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a trace lacks, in words.
 */
#ifndef ANNOT_LOSS_WORDS_H
#define ANNOT_LOSS_WORDS_H

#include <stdio.h>

#include "trace/trace_losses.h"

/* "at least 5, in 2 gaps": of events. */
void loss_words_print_events(const struct trace_losses *losses, FILE *out);

/* "events were lost: in 1 gap; annotations were lost: at least 3": if there are any losses. free() it. */
char *loss_words(const struct trace_losses *losses);

/* The same as a warning on stderr, with @more behind it; nothing if there are none. */
void loss_words_warn(const char *path, const struct trace_losses *losses, const char *more);

#endif /* ANNOT_LOSS_WORDS_H */
