/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small blocks of memory, of which the front `heap` tells a random sample: "heap~64 make_node list.c:12" is one in 64. Which
 * ones, the line decides in which a block begins: of each line, all that begin there are told, or none.
 */
#ifndef ANNOT_SYMBOLS_SAMPLED_BLOCK_H
#define ANNOT_SYMBOLS_SAMPLED_BLOCK_H

#include <stdint.h>

#define SAMPLED_BLOCK_LINE_SHIFT 6 /* of 64 bytes, on any machine */

/* Of an object's @name: of so many, one is told; 0: it is of no sample. */
uint64_t sampled_block_one_of(const char *name);

#endif /* ANNOT_SYMBOLS_SAMPLED_BLOCK_H */
