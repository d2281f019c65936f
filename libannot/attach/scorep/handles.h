/* SPDX-License-Identifier: MIT */
/* The places of Score-P's handles. The table is lock-free, and has room for HANDLES_MAX; what is more has none. */
#ifndef LIBANNOT_ATTACH_SCOREP_HANDLES_H
#define LIBANNOT_ATTACH_SCOREP_HANDLES_H

#include <stdint.h>

#include "../place.h"

#define HANDLES_MAX 4096

/* @handle is not 0. */
void handle_set_place(uint64_t handle, struct place *place);

/* NULL: none is known. */
struct place *handle_place(uint64_t handle);

#endif /* LIBANNOT_ATTACH_SCOREP_HANDLES_H */
