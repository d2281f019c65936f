/* SPDX-License-Identifier: MIT */
/*
 * Another tool that the user wants in the program. A runtime takes one tool, so this front loads the other
 * one, and hands on to it what the runtime tells.
 *
 * A runtime keeps a word for its tool with each region and task. That belongs to the other tool; this front's own
 * words are in a table beside it. ANNOT_ATTACH_NEXT_OMPT names the tools, with colons between them: the first one
 * that wants to be is taken.
 */
#ifndef LIBANNOT_ATTACH_OMPT_CHAIN_H
#define LIBANNOT_ATTACH_OMPT_CHAIN_H

#include <stdbool.h>

#include "ompt_api.h"

#define OMPT_EVENTS 64 /* more than the numbers of all events */

/* Loads the other tool. Returns whether there is one. */
bool ompt_chain_open(unsigned int omp_version, const char *runtime_version);

/* Initialises it, as the runtime would. After ompt_chain_callback() was called for all events of this front. */
void ompt_chain_initialize(ompt_function_lookup_t lookup, int initial_device);
void ompt_chain_finalize(void);

/* What is to be registered for @event, in place of this front's @own callback. */
ompt_callback_t ompt_chain_callback(int event, ompt_callback_t own);

#endif /* LIBANNOT_ATTACH_OMPT_CHAIN_H */
