/* SPDX-License-Identifier: MIT */
/*
 * A file that is kept open inside a program that does not know of it. Each annotation asks for the
 * descriptor again, because the program may have closed it, and may have opened its own file under
 * the same number.
 */
#ifndef LIBANNOT_DESCRIPTOR_H
#define LIBANNOT_DESCRIPTOR_H

#include <stdatomic.h>
#include <stddef.h>

enum descriptor_role {
	DESCRIPTOR_DEVICE, /* any of them: the module asks the CPU, not the file */
	DESCRIPTOR_MARKER,
	DESCRIPTOR_MARKER_RAW,
	DESCRIPTOR_TRACING_ON,
	DESCRIPTOR_EVENTS_ENABLE,
};

struct descriptor {
	atomic_int number_plus_1; /* 0: not open; so that static storage starts that way */
};

/* The last known number, or -1. Does not check that it still is our file. */
int annot_descriptor_seen(struct descriptor *descriptor);

/* The number if it still is our file; otherwise -1: call annot_descriptor_renew(). */
int annot_descriptor_current(struct descriptor *descriptor, enum descriptor_role role);

/* Opens @path. Returns the number, or -errno. */
int annot_descriptor_renew(struct descriptor *descriptor, enum descriptor_role role,
			   const char *path);

/*
 * write(2), read(2) from the start of the file, close(2), but no cancellation points. Return -errno
 * on failure.
 */
int annot_descriptor_write(int fd, const char *bytes, size_t nr_bytes);
int annot_descriptor_read(int fd, char *bytes, size_t nr_bytes);
void annot_descriptor_close(int fd);

/* Opens without moving or tagging the descriptor; close it soon. Returns -errno on failure. */
int annot_descriptor_open_briefly(const char *path, int flags);

#endif /* LIBANNOT_DESCRIPTOR_H */
