/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sign in the top buffer that annot records: an event, enabled, which a filter never lets through. The
 * library in programs that annot did not start takes it for a recording. And what is enabled beside
 * it is known to be ours, even when nobody lives who could disable it.
 */
#ifndef ANNOT_RECORD_BUFFER_SIGN_H
#define ANNOT_RECORD_BUFFER_SIGN_H

#include <stdbool.h>

void sign_put(void);
void sign_remove(void);
bool sign_is_there(void);

#endif /* ANNOT_RECORD_BUFFER_SIGN_H */
