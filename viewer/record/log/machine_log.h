/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_RECORD_LOG_MACHINE_LOG_H
#define ANNOT_RECORD_LOG_MACHINE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "doctor/machine.h"

struct tracefs_instance;

/* The line of @machine (trace/lines/machine_line.h), of @size bytes. False: it is not virtual, and there is none. */
bool machine_log_format(char *line, size_t size, const struct machine *machine);

/* Writes that of this machine into the trace, if it is virtual. */
void machine_log_write(struct tracefs_instance *instance);

#endif /* ANNOT_RECORD_LOG_MACHINE_LOG_H */
