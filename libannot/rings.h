/* SPDX-License-Identifier: MIT */
/*
 * The rings of the inline functions. The code that maps them registers here where they are, and what
 * to call when one is full or a name has no number.
 */
#ifndef LIBANNOT_RINGS_H
#define LIBANNOT_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct annot_site;

struct ring_source {
	bool (*is_wanted)(void); /* false: this annotation goes elsewhere; NULL: always true */
	uint32_t (*name)(const char *bytes, size_t nr_bytes); /* its number, or 0 */
	int (*drain)(void); /* drains the current ring: 0, or -errno */
	void (*after_store)(
		void); /* called after storing a record that was not stored inline; or NULL */
};

/*
 * The position of the rings, as in struct annot_rings_page. @index_offset: 0 if each CPU has a
 * ring.
 */
struct ring_place {
	char **rings;
	uint64_t page_bytes;
	int64_t index_offset;
	uint32_t nr_rings;
};

bool annot_rings_may_read_clock(void); /* false: reading it would kill the thread */
/* 0, or -errno */
int annot_rings_install(const struct ring_source *source, const struct ring_place *place);
bool annot_rings_emit(struct annot_site *site, unsigned int op, const char *name, int64_t value);

#endif /* LIBANNOT_RINGS_H */
