/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rings without the module: the library's inline code stores into anonymous memory, which the test
 * reads. Link with the static library, whose insides this uses.
 */
#ifndef ANON_RINGS_H
#define ANON_RINGS_H

#include <stddef.h>
#include <stdint.h>

#include "uapi/annot.h"

/*
 * Gives this process empty rings of @ring_bytes (a power of 2) for each possible CPU. @drain is
 * what a full one calls: 0, or -errno; NULL: fails. 0, or -errno; -ENOSYS: no rseq here.
 */
int anon_rings_install(size_t ring_bytes, int (*drain)(void));

/* Keeps this thread on the CPU it is on, and turns recording on: the ring there, or NULL. */
struct annot_ring *anon_rings_record_here(size_t ring_bytes);

uint32_t anon_rings_nr_cpus(void);
struct annot_ring *anon_ring(uint32_t cpu);
const struct annot_record *anon_ring_record(const struct annot_ring *ring, uint64_t position);

/* Of a record; NULL when this process has not been given it. */
const char *anon_ring_name(const struct annot_record *record);

#endif /* ANON_RINGS_H */
