/* SPDX-License-Identifier: MIT */
/* /dev/annot */
#ifndef LIBANNOT_DEVICE_H
#define LIBANNOT_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

struct annot_record;
struct line;

extern const char *annot_device_directory; /* tests change it */

/* The versions of the ABI that a module understands. */
struct abi_range {
	uint32_t oldest;
	uint32_t newest;
};

/* 0, or -errno; -EPROTO: the module does not understand ours, but those in @range */
int annot_device_open(struct abi_range *range);

/* Maps over annot_control_page; call after annot_device_open(). */
void annot_device_map_control(void);
bool annot_device_control_is_mapped(void); /* false: the page is not the module's */
int annot_device_emit(unsigned int op, const char *name, int64_t value); /* 0, or -errno */
int annot_device_ioctl(unsigned long request, void *argument); /* >= 0, or -errno */
bool annot_device_record(struct annot_record *record); /* one annotation; false: not taken */
int annot_device_cpu(void); /* CPU of the calling thread */
void annot_device_path(struct line *path, const char *name, int number); /* number < 0: none */

#endif /* LIBANNOT_DEVICE_H */
