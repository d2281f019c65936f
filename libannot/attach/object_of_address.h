/* SPDX-License-Identifier: MIT */
/* The loaded object that an address belongs to. */
#ifndef LIBANNOT_ATTACH_OBJECT_OF_ADDRESS_H
#define LIBANNOT_ATTACH_OBJECT_OF_ADDRESS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define BUILD_ID_BYTES 8 /* as many of its first bytes as tell files apart */

struct loaded_object {
	uintptr_t bias; /* an address of the file's headers + this is one of the process */
	unsigned int nr_build_id_bytes; /* 0: it has none */
	unsigned char build_id[BUILD_ID_BYTES];
	char path[PATH_MAX];
};

/* False: no file is loaded there. */
bool object_of_address(uintptr_t address, struct loaded_object *object);

#endif /* LIBANNOT_ATTACH_OBJECT_OF_ADDRESS_H */
