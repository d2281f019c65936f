/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses of samples -> names. Each address of a file or of the kernel is looked up once.
 *
 * Names are string ids of the trace. What cannot be named is "[unknown]"; a kernel address that was
 * not to be shown, "[hidden]".
 */
#ifndef ANNOT_SYMBOLS_SYMBOLS_H
#define ANNOT_SYMBOLS_SYMBOLS_H

#include "model/model.h"
#include "symbols/symbol_location.h"

struct symbols;

/* @model must stay as long as they. NULL after one line on stderr: the trace is damaged. */
struct symbols *symbols_new(const struct model *model);
void symbols_free(struct symbols *symbols);

/* Of the instruction that sample number @sample hit. */
struct symbol_location symbols_of_code(struct symbols *symbols, size_t sample, bool with_line);

/* Of the data that it accessed, which it must have. */
struct symbol_location symbols_of_data(struct symbols *symbols, size_t sample);

#endif /* ANNOT_SYMBOLS_SYMBOLS_H */
