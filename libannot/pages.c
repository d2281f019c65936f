// SPDX-License-Identifier: MIT
/*
 * The pages that inline code reads.
 */
#include "pages.h"

struct annot_control_page annot_control_page = { .recording = 1 };

struct annot_rings_page annot_rings; /* not in initialised data: those are a file's pages */
