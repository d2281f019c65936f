/* SPDX-License-Identifier: MIT */
/* Hooks that call annot_raw_end_process() and annot_raw_end_thread(). */
#ifndef LIBANNOT_RAW_HOOKS_H
#define LIBANNOT_RAW_HOOKS_H

#include <stdbool.h>

#include "trace/annot_raw.h"

bool annot_raw_hooks_are_set(void);
/* Hooks the end of the calling thread; false: it cannot be hooked. */
bool annot_raw_hook_thread(void);
struct annot_raw_moment annot_raw_start(void); /* when the hooks were set */

#endif /* LIBANNOT_RAW_HOOKS_H */
