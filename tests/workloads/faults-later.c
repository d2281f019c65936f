// SPDX-License-Identifier: GPL-2.0
/* What the program faults loads while it runs. */
#include "faults.h"

void touch_later(char *pages, size_t nr, size_t page_bytes, struct faults_code *code);

FAULTS_DEFINE_TOUCH(touch_later)
