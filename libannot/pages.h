/* SPDX-License-Identifier: MIT */
/* The pages that inline code reads: annot/annot.h declares them. */
#ifndef LIBANNOT_PAGES_H
#define LIBANNOT_PAGES_H

#include <stdbool.h>

#include "annot/annot.h"

static inline bool annot_word_is_set(void)
{
	return __atomic_load_n(&annot_control_page.recording, __ATOMIC_RELAXED) != 0;
}

#endif /* LIBANNOT_PAGES_H */
