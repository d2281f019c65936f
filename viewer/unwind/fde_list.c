// SPDX-License-Identifier: GPL-2.0
/*
 * All linkers make the table in one form: four bytes that say so, the address of .eh_frame, the number
 * of pairs, and the pairs of a function's address and its entry's, all relative to the table's address.
 */
#include "unwind/fde_list.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

#define VERSION 1
#define FORM_COUNT DW_EH_PE_udata4
#define FORM_PAIRS (DW_EH_PE_datarel | DW_EH_PE_sdata4)

struct header {
	uint8_t version;
	uint8_t form_address;
	uint8_t form_count;
	uint8_t form_pairs;
	int32_t address;
	uint32_t nr;
};

struct pair {
	int32_t function;
	int32_t entry;
};

static bool find_header(Elf *elf, GElf_Phdr *found)
{
	size_t nr;

	if (elf_getphdrnum(elf, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		if (gelf_getphdr(elf, (int)i, found) && found->p_type == PT_GNU_EH_FRAME)
			return true;
	}
	return false;
}

/* 4 bytes each: the form of .eh_frame's own address, which is not used here. */
static bool header_is_known(const struct header *header)
{
	return header->version == VERSION && (header->form_address & 0x0f) == DW_EH_PE_sdata4 &&
	       header->form_count == FORM_COUNT && header->form_pairs == FORM_PAIRS;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *first = a, *second = b;

	return (*first > *second) - (*first < *second);
}

static void read_pairs(struct fde_list *list, const char *pairs, uint64_t address)
{
	for (size_t i = 0; i < list->nr; i++) {
		struct pair pair;

		memcpy(&pair, pairs + i * sizeof(pair), sizeof(pair));
		list->starts[i] = address + (uint64_t)(int64_t)pair.function;
	}
	qsort(list->starts, list->nr, sizeof(*list->starts), compare);
}

bool fde_list_read(struct fde_list *list, Elf *elf)
{
	struct header header;
	GElf_Phdr segment;
	size_t bytes;
	const char *file = elf_rawfile(elf, &bytes);

	*list = (struct fde_list){ 0 };
	if (!file || !find_header(elf, &segment) || segment.p_offset > bytes ||
	    segment.p_filesz > bytes - segment.p_offset || segment.p_filesz < sizeof(header))
		return false;
	memcpy(&header, file + segment.p_offset, sizeof(header));
	if (!header_is_known(&header) ||
	    header.nr > (segment.p_filesz - sizeof(header)) / sizeof(struct pair))
		return false;
	list->nr = header.nr;
	list->starts = xcalloc(header.nr, sizeof(*list->starts));
	read_pairs(list, file + segment.p_offset + sizeof(header), segment.p_vaddr);
	return true;
}

void fde_list_free(struct fde_list *list)
{
	free(list->starts);
	*list = (struct fde_list){ 0 };
}
