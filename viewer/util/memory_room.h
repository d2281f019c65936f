/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_UTIL_MEMORY_ROOM_H
#define ANNOT_UTIL_MEMORY_ROOM_H

#include <stdint.h>

/*
 * How much memory this process may take without harm: what the machine has available, what its control groups (cgroup v2) leave it,
 * what its limit of addresses (ulimit -v) leaves it, whichever is least. UINT64_MAX: nothing tells.
 */
uint64_t memory_room_bytes(void);

#endif /* ANNOT_UTIL_MEMORY_ROOM_H */
