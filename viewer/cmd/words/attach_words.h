/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The conventions that a user names: a value of options, and words for the shell to complete.
 */
#ifndef ANNOT_CMD_ATTACH_WORDS_H
#define ANNOT_CMD_ATTACH_WORDS_H

#include "attach/plan.h"
#include "cli/command.h"

/* An option with a list of conventions, or without. */
struct attach_request {
	bool is_made;
	struct attach_choice choice;
};

/* For cli_option.set; the field is a struct attach_request. */
int attach_words_set_request(void *field, const struct cli_value *value);

void attach_words_offer(FILE *out);

#endif /* ANNOT_CMD_ATTACH_WORDS_H */
