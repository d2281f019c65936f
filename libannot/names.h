/* SPDX-License-Identifier: MIT */
/* The numbers of names, and their hash. */
#ifndef LIBANNOT_NAMES_H
#define LIBANNOT_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct annot_site;
struct ring_source;

uint32_t annot_name_hash(const char *bytes, size_t nr_bytes);

/* The number of a name, with the generation in its upper half; 0 if it cannot have one. */
uint64_t annot_name_number(const struct ring_source *source, struct annot_site *site,
			   const char *name);

#endif /* LIBANNOT_NAMES_H */
