// SPDX-License-Identifier: GPL-2.0
/*
 * All linkers make the search table in one form: four bytes that say so, the address of .eh_frame, the number
 * of pairs, and the pairs of a function's address and its entry's, all relative to the table's address.
 */
#include "unwind/fde_list.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

#define VERSION 1
#define FORM_COUNT DW_EH_PE_udata4
#define FORM_SECTION (DW_EH_PE_pcrel | DW_EH_PE_sdata4)
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

static bool read_search_table(struct fde_list *list, Elf *elf)
{
	struct header header;
	GElf_Phdr segment;
	size_t bytes;
	const char *file = elf_rawfile(elf, &bytes);

	if (!file || !find_header(elf, &segment) || segment.p_offset > bytes ||
	    segment.p_filesz > bytes - segment.p_offset || segment.p_filesz < sizeof(header))
		return false;
	memcpy(&header, file + segment.p_offset, sizeof(header));
	if (!header_is_known(&header) ||
	    header.nr > (segment.p_filesz - sizeof(header)) / sizeof(struct pair))
		return false;
	list->nr = header.nr;
	list->capacity = header.nr;
	list->starts = xcalloc(header.nr, sizeof(*list->starts));
	read_pairs(list, file + segment.p_offset + sizeof(header), segment.p_vaddr);
	return true;
}

/* The data of .eh_frame, at @address. */
static Elf_Data *find_section(Elf *elf, uint64_t *address)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *name = gelf_getshdr(section, &header) ?
					   elf_strptr(elf, names, header.sh_name) :
					   NULL;

		if (name && !strcmp(name, ".eh_frame")) {
			*address = header.sh_addr;
			return header.sh_type == SHT_NOBITS ? NULL : elf_getdata(section, NULL);
		}
	}
	return NULL;
}

/* The form of addresses is the last of what augments an entry, where the letter R says that there is one. */
static bool form_is_known(const unsigned char *ident, Elf_Data *data, Dwarf_Off cie)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	return !dwarf_next_cfi(ident, data, true, cie, &next, &entry) && dwarf_cfi_cie_p(&entry) &&
	       strchr(entry.cie.augmentation, 'R') && entry.cie.augmentation_data_size &&
	       entry.cie.augmentation_data[entry.cie.augmentation_data_size - 1] == FORM_SECTION;
}

/* @address: of the section. */
static void add_entry(struct fde_list *list, const Elf_Data *data, uint64_t address,
		      const Dwarf_CFI_Entry *entry)
{
	int32_t distance;

	if (entry->fde.end - entry->fde.start < (ptrdiff_t)sizeof(distance))
		return;
	memcpy(&distance, entry->fde.start, sizeof(distance));
	ARRAY_MAKE_ROOM(list->starts, list->nr, list->capacity);
	list->starts[list->nr++] = address +
				   (uint64_t)(entry->fde.start - (const uint8_t *)data->d_buf) +
				   (uint64_t)(int64_t)distance;
}

static bool read_section(struct fde_list *list, Elf *elf)
{
	const unsigned char *ident = (const unsigned char *)elf_getident(elf, NULL);
	uint64_t address;
	Elf_Data *data = find_section(elf, &address);
	Dwarf_Off offset = 0, next;
	Dwarf_CFI_Entry entry;

	if (!ident || !data)
		return false;
	while (!dwarf_next_cfi(ident, data, true, offset, &next, &entry) && next > offset) {
		if (!dwarf_cfi_cie_p(&entry) && form_is_known(ident, data, entry.fde.CIE_pointer))
			add_entry(list, data, address, &entry);
		offset = next;
	}
	if (list->nr)
		qsort(list->starts, list->nr, sizeof(*list->starts), compare);
	return list->nr;
}

bool fde_list_read(struct fde_list *list, Elf *elf)
{
	*list = (struct fde_list){ 0 };
	return read_search_table(list, elf) || read_section(list, elf);
}

void fde_list_free(struct fde_list *list)
{
	free(list->starts);
	*list = (struct fde_list){ 0 };
}
