/* SPDX-License-Identifier: MIT */
/*
 * The names that the program gave to what its threads wait for. The table is lock-free and bounded: an object
 * that finds no room in it has no name.
 */
#ifndef LIBANNOT_ATTACH_ITT_SYNC_H
#define LIBANNOT_ATTACH_ITT_SYNC_H

#include "../place.h"

void itt_sync_name(const void *object, const char *name);
void itt_sync_forget(const void *object);

/* "wait NAME", or "wait". */
struct place *itt_sync_place(const void *object);

#endif /* LIBANNOT_ATTACH_ITT_SYNC_H */
