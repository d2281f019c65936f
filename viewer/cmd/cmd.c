// SPDX-License-Identifier: GPL-2.0
#include "cmd/cmd.h"

#define CMD_POINTER(name) &cmd_##name,

const struct cli_command *const cmd_all[] = { CMD_EACH(CMD_POINTER) NULL };
