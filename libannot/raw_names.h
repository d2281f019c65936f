/* SPDX-License-Identifier: MIT */
/* The numbers of names in batches. */
#ifndef LIBANNOT_RAW_NAMES_H
#define LIBANNOT_RAW_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct raw_process;

uint32_t annot_raw_name(const char *bytes, size_t nr_bytes); /* 0: there are too many */
void annot_raw_write_names(struct raw_process *process, int fd, uint64_t now_ns, void *event);
size_t annot_raw_names_bytes(void);
void annot_raw_names_at(void *memory);

#endif /* LIBANNOT_RAW_NAMES_H */
