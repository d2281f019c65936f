// SPDX-License-Identifier: MIT
#include "heap_thread_locals.h"

#include <link.h>
#include <stdint.h>
#include <stdio.h>

#include "../object_of_address.h"
#include "heap_tell.h"

#define MOST_BLOCKS 64
#define NAME_MAX_BYTES 256 /* with the terminating zero; the trace holds no more */

/* Of one file. */
struct block {
	struct place *place;
	uintptr_t distance; /* from own_variable() */
};

static struct block blocks[MOST_BLOCKS];
static unsigned int nr_blocks;

/* Any one of this library's, which itself is loaded with the program. */
static uintptr_t own_variable(void)
{
	return (uintptr_t)&heap_is_deleting;
}

/* "-": it has none. */
static void write_build_id(char text[2 * BUILD_ID_BYTES + 1], const struct loaded_object *object)
{
	snprintf(text, 2 * BUILD_ID_BYTES + 1, "-");
	for (unsigned int i = 0; i < object->nr_build_id_bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", object->build_id[i]);
}

/* NULL: it has no file, or one whose path is too long. */
static struct place *place_of_block(uintptr_t address_in_file, size_t bytes)
{
	char build_id[2 * BUILD_ID_BYTES + 1], name[NAME_MAX_BYTES];
	struct loaded_object object;

	if (!object_of_address(address_in_file, &object))
		return NULL;
	write_build_id(build_id, &object);
	/* What has the most bytes may have been cut, to the reader. */
	if (snprintf(name, sizeof(name), "@thread_local %zx %s %s", bytes, build_id, object.path) >=
	    NAME_MAX_BYTES - 1)
		return NULL;
	return place_of_name(name);
}

static const ElfW(Phdr) * find_segment(const struct dl_phdr_info *info, ElfW(Word) type)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type == type)
			return &info->dlpi_phdr[i];
	}
	return NULL;
}

static int add_block(struct dl_phdr_info *info, size_t size, void *unused)
{
	const ElfW(Phdr) *variables = find_segment(info, PT_TLS);
	const ElfW(Phdr) *loaded = find_segment(info, PT_LOAD);
	struct place *place;

	(void)unused;
	if (size < sizeof(*info) || !variables || !variables->p_memsz || !loaded ||
	    !info->dlpi_tls_data)
		return 0;
	place = place_of_block(info->dlpi_addr + loaded->p_vaddr, variables->p_memsz);
	if (place)
		blocks[nr_blocks++] =
			(struct block){ place, (uintptr_t)info->dlpi_tls_data - own_variable() };
	return nr_blocks == MOST_BLOCKS;
}

void heap_tell_thread_locals(void)
{
	for (unsigned int i = 0; i < nr_blocks; i++)
		attach_mark_value(blocks[i].place, (int64_t)(own_variable() + blocks[i].distance));
}

void heap_end_thread_locals(void)
{
	static struct annot_site site;

	for (unsigned int i = 0; i < nr_blocks; i++)
		annot_put(&site, ANNOT_OP_MARK | ANNOT_OP_HAS_VALUE, "@thread_local_end",
			  (int64_t)(own_variable() + blocks[i].distance));
}

/* While there is one thread, and nothing is loaded but what has a place in all threads. */
__attribute__((constructor(101))) static void find_blocks(void)
{
	dl_iterate_phdr(add_block, NULL);
	if (attach_is_recording())
		heap_tell_thread_locals();
}
