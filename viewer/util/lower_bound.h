/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Binary search in sorted rows.
 */
#ifndef ANNOT_UTIL_LOWER_BOUND_H
#define ANNOT_UTIL_LOWER_BOUND_H

#include <stddef.h>

/*
 * The first row from @first to below @end for which @is_before, an expression of the index @row, is
 * false; @end if there is none. The rows for which it is true must come first.
 */
#define LOWER_BOUND(row, first, end, is_before)                 \
	({                                                      \
		size_t low_ = (first), high_ = (end);           \
		while (low_ < high_) {                          \
			size_t row = low_ + (high_ - low_) / 2; \
			if (is_before)                          \
				low_ = row + 1;                 \
			else                                    \
				high_ = row;                    \
		}                                               \
		low_;                                           \
	})

#endif /* ANNOT_UTIL_LOWER_BOUND_H */
