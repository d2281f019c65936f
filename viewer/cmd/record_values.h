/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The values of annot record's options. Each returns EXIT_OK, or EXIT_USAGE after one line on stderr.
 */
#ifndef ANNOT_CMD_RECORD_VALUES_H
#define ANNOT_CMD_RECORD_VALUES_H

#include <sys/types.h>

/* Of @option, a whole number from 1 to @most; else it is told that it is not what is @wanted. */
int record_value_number(const char *option, const char *text, unsigned long most,
			const char *wanted, unsigned long *number);

int record_value_buffer_kb(const char *text, long *size_kb);
int record_value_pid(const char *text, pid_t *pid);
int record_value_duration_s(const char *text, double *duration_s);
int record_value_clock(const char *text, const char **clock);
int record_value_compression(const char *text, const char **compression);

#endif /* ANNOT_CMD_RECORD_VALUES_H */
