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

/* @model must outlive it. Returns NULL after one line on stderr if the trace is damaged. */
struct symbols *symbols_new(const struct model *model);
void symbols_free(struct symbols *symbols);

/* The location of the instruction of sample @sample. */
struct symbol_location symbols_of_code(struct symbols *symbols, size_t sample, bool with_line);

/* The location of the data that it accessed; it must have an address. */
struct symbol_location symbols_of_data(struct symbols *symbols, size_t sample);

#endif /* ANNOT_SYMBOLS_SYMBOLS_H */
