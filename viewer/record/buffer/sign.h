/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sign in the top buffer that annot records: an enabled event whose filter matches nothing. The
 * library takes it for a recording, in programs that annot did not start. It also marks the other
 * enabled events as annot's, even if the process that could disable them is dead.
 */
#ifndef ANNOT_RECORD_BUFFER_SIGN_H
#define ANNOT_RECORD_BUFFER_SIGN_H

#include <stdbool.h>

void sign_put(void);
void sign_remove(void);
bool sign_is_there(void);

#endif /* ANNOT_RECORD_BUFFER_SIGN_H */
