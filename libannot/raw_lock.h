/* SPDX-License-Identifier: MIT */
/* The lock of a ring. */
#ifndef LIBANNOT_RAW_LOCK_H
#define LIBANNOT_RAW_LOCK_H

#include <stdbool.h>

struct raw_ring;

bool annot_raw_lock(struct raw_ring *ring); /* false: timed out */
bool annot_raw_try_lock(struct raw_ring *ring);
void annot_raw_unlock(struct raw_ring *ring);

#endif /* LIBANNOT_RAW_LOCK_H */
