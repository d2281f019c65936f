/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_RECORD_LOG_MAPPED_FILE_H
#define ANNOT_RECORD_LOG_MAPPED_FILE_H

#include "record/log/perf_mmap.h"

/* Opens the file that is mapped there, whatever has become of its name, as careful_open() does. */
int mapped_file_open(const struct mapping *mapping);

#endif /* ANNOT_RECORD_LOG_MAPPED_FILE_H */
