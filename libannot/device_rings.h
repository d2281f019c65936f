/* SPDX-License-Identifier: MIT */
/* The module's rings. The first annotation on a CPU that needs a ring maps it. */
#ifndef LIBANNOT_DEVICE_RINGS_H
#define LIBANNOT_DEVICE_RINGS_H

#include <stdbool.h>
#include <stdint.h>

struct annot_site;

/* True if it made them now: the annotation can be stored after all. */
bool annot_device_made_rings(void);

/* Annotates by a system call, if the recorder wants that. Returns false otherwise. */
bool annot_device_call(struct annot_site *site, unsigned int op, const char *name, int64_t value);
void annot_device_count_dropped(void); /* counts an annotation that cannot reach the kernel */

#endif /* LIBANNOT_DEVICE_RINGS_H */
