/* SPDX-License-Identifier: MIT */
/*
 * What is known of rings is only valid while signals are blocked. A signal handler may fork, and the
 * child then returns to the interrupted code without rings.
 */
#ifndef LIBANNOT_SIGNALS_H
#define LIBANNOT_SIGNALS_H

#include <stdint.h>

uint64_t annot_signals_block(void);
void annot_signals_restore(uint64_t before);

#endif /* LIBANNOT_SIGNALS_H */
