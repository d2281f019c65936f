/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fields of blocks of memory that are named after the call that allocated them: "heap make_grid solver.c:131", then "[3].x". The type is that
 * which the code around the call tells (allocated_type.h).
 */
#ifndef ANNOT_SYMBOLS_BLOCK_FIELDS_H
#define ANNOT_SYMBOLS_BLOCK_FIELDS_H

#include "model/model.h"
#include "symbols/file/known_files.h"

/* What stands at @offset of row @row of model.data_objects. Returns false if that is not known. */
bool block_field_find(struct known_files *files, const struct model *model, size_t row,
		      uint64_t offset, struct data_field *field);

#endif /* ANNOT_SYMBOLS_BLOCK_FIELDS_H */
