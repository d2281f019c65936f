/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the build id of a file that was mapped before the recording began. For later mappings, the
 * kernel reports it.
 */
#ifndef ANNOT_RECORD_LOG_BUILD_ID_H
#define ANNOT_RECORD_LOG_BUILD_ID_H

#include "record/log/perf_mmap.h"

/* Fills in the build id of @path, an ELF file, if it has one. */
void build_id_read(struct mapping *mapping, const char *path);

#endif /* ANNOT_RECORD_LOG_BUILD_ID_H */
