/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses the values of annot record's options: for cli_option.set. The type of each field is after
 * its function.
 */
#ifndef ANNOT_CMD_RECORD_VALUES_H
#define ANNOT_CMD_RECORD_VALUES_H

#include "cli/command.h"

int record_value_set_buffer_kb(void *field, const struct cli_value *value); /* long */
int record_value_set_pid(void *field, const struct cli_value *value); /* pid_t */
int record_value_set_duration_s(void *field, const struct cli_value *value); /* double */
int record_value_set_clock(void *field, const struct cli_value *value); /* const char * */
int record_value_set_compression(void *field, const struct cli_value *value); /* const char * */

/* How often a second to look at what runs: unsigned int. */
int record_value_set_freq(void *field, const struct cli_value *value);

#endif /* ANNOT_CMD_RECORD_VALUES_H */
