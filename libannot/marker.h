/* SPDX-License-Identifier: MIT */
/* trace_marker */
#ifndef LIBANNOT_MARKER_H
#define LIBANNOT_MARKER_H

#include <stdbool.h>
#include <stdint.h>

int annot_marker_open(const char *directory, bool always); /* 0, or -errno */
int annot_marker_open_raw(const char *directory); /* 0, or -errno; call after annot_marker_open() */
int annot_marker_raw(void); /* the descriptor of trace_marker_raw, or -errno */
void annot_marker_emit(unsigned int op, const char *name, int64_t value);
bool annot_marker_recording(void);

#endif /* LIBANNOT_MARKER_H */
