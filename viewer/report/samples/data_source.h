/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the data of a sampled access came from, in words: PERF_MEM_* of perf_event_open(2).
 */
#ifndef ANNOT_DATA_SOURCE_H
#define ANNOT_DATA_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#define DATA_SOURCE_MAX_BYTES 128

/*
 * Words with commas between them, without blanks: what it did, where it was found, and what else
 * was told: "load,L3,hit,snoop-hitm,TLB-L2-hit". "-" when nothing was.
 */
void data_source_text(uint64_t data_src, char text[DATA_SOURCE_MAX_BYTES]);

#endif /* ANNOT_DATA_SOURCE_H */
