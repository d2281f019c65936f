/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of the frames of a model's call stacks: functions, the inlined ones among them, files, lines of source.
 *
 * What cannot be named is "[file+0xaddress]", with an address of the file if that is known; without a mapping,
 * "[0xaddress]".
 */
#ifndef ANNOT_SYMBOLS_FRAME_NAMES_H
#define ANNOT_SYMBOLS_FRAME_NAMES_H

#include "model/model.h"

/*
 * Names all frames of @model, once. A frame with inlined functions becomes several; stacks keep their rows. Returns
 * -1 after one line on stderr if the trace is damaged.
 */
int frame_names_fill(struct model *model);

#endif /* ANNOT_SYMBOLS_FRAME_NAMES_H */
