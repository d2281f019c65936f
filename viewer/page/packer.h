/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packs blocks one after the other, in a thread of its own where there is a second core.
 */
#ifndef ANNOT_PAGE_PACKER_H
#define ANNOT_PAGE_PACKER_H

#include "page/block.h"

struct packer;

/* Never fails. packer_free() frees it, and what was packed. */
struct packer *packer_new(void);
void packer_free(struct packer *packer);

/*
 * Packs what is in @block, and leaves an empty one there, whose memory is used again. Returns before it is packed; waits for
 * the block before. What is packed does not depend on how many cores there are.
 */
void packer_put(struct packer *packer, struct block *block);

/*
 * Waits for the last block. Returns all @nr of them in @packed, in the order in which they were put; they live as long as the
 * packer. Returns -1 if memory ran out.
 */
int packer_wait(struct packer *packer, const struct packed_block **packed, size_t *nr);

#endif /* ANNOT_PAGE_PACKER_H */
