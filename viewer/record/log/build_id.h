/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The build id of a file that was mapped before the recording began. Of later mappings, the kernel
 * tells it.
 */
#ifndef ANNOT_RECORD_LOG_BUILD_ID_H
#define ANNOT_RECORD_LOG_BUILD_ID_H

#include "record/log/perf_mmap.h"

/* @path is an ELF file. Fills in its build id, if it has one. */
void build_id_read(struct mapping *mapping, const char *path);

#endif /* ANNOT_RECORD_LOG_BUILD_ID_H */
