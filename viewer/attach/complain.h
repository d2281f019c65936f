/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a plan cannot do, in a line each on stderr.
 */
#ifndef ANNOT_ATTACH_COMPLAIN_H
#define ANNOT_ATTACH_COMPLAIN_H

#include "attach/plan.h"

/* @option: "record: --attach". Returns whether anything is loaded. */
bool attach_complain(const struct attach_plan *plan, const struct attach_choice *choice,
		     const char *option);

#endif /* ANNOT_ATTACH_COMPLAIN_H */
