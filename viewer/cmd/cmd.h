/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The subcommands: each is described in a source of its own, viewer/cmd/NAME.c.
 */
#ifndef ANNOT_CMD_H
#define ANNOT_CMD_H

#include "cli/command.h"

/* All subcommands, in the order of their use. */
#define CMD_EACH(X) \
	X(doctor)   \
	X(record)   \
	X(attach)   \
	X(html)     \
	X(report)   \
	X(what_if)  \
	X(diff)     \
	X(explain)  \
	X(mcp)      \
	X(events)   \
	X(samples)  \
	X(convert)  \
	X(stat)     \
	X(list)

#define CMD_DECLARE(name) extern const struct cli_command cmd_##name;
CMD_EACH(CMD_DECLARE)
#undef CMD_DECLARE

/* The same as an array; NULL at the end. */
extern const struct cli_command *const cmd_all[];

#endif /* ANNOT_CMD_H */
