/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which share of memory is in huge pages: of the mappings that samples hit (symbols/sample_pages.h), by the samples'
 * periods.
 */
#ifndef ANNOT_PAGE_SHARE_H
#define ANNOT_PAGE_SHARE_H

#include <stdbool.h>

#include "model/model.h"

struct page_share {
	double known; /* periods of samples of which it is known */
	double huge; /* these, times the share of their mapping that is in huge pages */
	uint64_t page_bytes; /* the smallest of the mappings' page sizes */
	uint64_t huge_page_bytes; /* the largest size of a huge page of them */
	uint64_t mapping_bytes; /* of the largest mapping, what is in memory */
};

/* @row: of sample_pages_find(); 0: not known. */
void page_share_add(struct page_share *share, const struct model *model, uint32_t row,
		    uint64_t period);

static inline bool page_share_is_known(const struct page_share *share)
{
	return share->known > 0;
}

/* From 0 to 1, if it is known. */
double page_share_of_huge(const struct page_share *share);

/* The size of the pages that hold most of it, if that is known. */
uint64_t page_share_page_bytes(const struct page_share *share);

#endif /* ANNOT_PAGE_SHARE_H */
