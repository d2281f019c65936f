/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of events of this machine's PMU and kernel, for the shell to complete.
 */
#ifndef ANNOT_CMD_EVENT_NAMES_H
#define ANNOT_CMD_EVENT_NAMES_H

#include <stdio.h>

/* Those that annot list lists here, a line each. */
void event_names_offer(FILE *out);

#endif /* ANNOT_CMD_EVENT_NAMES_H */
