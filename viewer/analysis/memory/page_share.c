// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/page_share.h"

#define HALF 0.5

void page_share_add(struct page_share *share, const struct model *model, uint32_t row,
		    uint64_t period)
{
	const struct page_reading_table *readings = &model->page_readings;
	size_t at = (size_t)row - 1;

	if (!row)
		return;
	share->known += (double)period;
	share->huge += (double)period * (double)readings->huge_bytes[at] /
		       (double)readings->resident_bytes[at];
	if (!share->page_bytes || readings->page_bytes[at] < share->page_bytes)
		share->page_bytes = readings->page_bytes[at];
	if (readings->huge_page_bytes[at] > share->huge_page_bytes)
		share->huge_page_bytes = readings->huge_page_bytes[at];
	if (readings->resident_bytes[at] > share->mapping_bytes)
		share->mapping_bytes = readings->resident_bytes[at];
}

double page_share_of_huge(const struct page_share *share)
{
	double huge = share->huge / share->known;

	/* A sum of parts may be rounded beyond the whole. */
	return huge < 1 ? huge : 1;
}

uint64_t page_share_page_bytes(const struct page_share *share)
{
	return page_share_of_huge(share) >= HALF ? share->huge_page_bytes : share->page_bytes;
}
