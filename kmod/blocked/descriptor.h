/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a descriptor of the current process is.
 */
#ifndef ANNOT_KMOD_BLOCKED_DESCRIPTOR_H
#define ANNOT_KMOD_BLOCKED_DESCRIPTOR_H

#include <linux/types.h>

struct annot_blocked;

/*
 * Fills what, object, detail and flags of @blocked, and @name, of ANNOT_BLOCKED_NAME_BYTES. Leaves
 * them if there is no such descriptor. Context: any with interrupts off; takes no reference.
 */
void annot_descriptor_note(unsigned int fd, struct annot_blocked *blocked, char *name);

#endif /* ANNOT_KMOD_BLOCKED_DESCRIPTOR_H */
