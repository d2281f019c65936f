/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the build id of a file that was mapped before the recording began. For later mappings, the
 * kernel reports it.
 */
#ifndef ANNOT_RECORD_LOG_BUILD_ID_H
#define ANNOT_RECORD_LOG_BUILD_ID_H

#include "record/log/perf_mmap.h"

/* Fills in the build id of the file @fd, if it is an ELF file that has one. */
void build_id_read(struct mapping *mapping, int fd);

#endif /* ANNOT_RECORD_LOG_BUILD_ID_H */
