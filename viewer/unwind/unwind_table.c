// SPDX-License-Identifier: GPL-2.0
#include "unwind/unwind_table.h"

#include <stdlib.h>

#include "unwind/fde_list.h"
#include "unwind/frame_rule.h"
#include "util/xalloc.h"

/* A page, of any machine. */
#define MAPPED_BEFORE_MAX_BYTES 65535

static bool says_the_same(const struct annot_unwind_row *a, const struct annot_unwind_row *b)
{
	return a->rule == b->rule && a->cfa == b->cfa && a->bp == b->bp;
}

/* From @address on, @rule holds. Rows come in order; a later one of the same address replaces. */
static void add_row(struct unwind_table *table, uint64_t address, struct annot_unwind_row rule)
{
	if (address < table->base || address - table->base > UINT32_MAX)
		return;
	rule.pc = (uint32_t)(address - table->base);
	if (table->nr && table->rows[table->nr - 1].pc == rule.pc)
		table->nr--;
	if (table->nr && says_the_same(&table->rows[table->nr - 1], &rule))
		return;
	ARRAY_MAKE_ROOM(table->rows, table->nr, table->capacity);
	table->rows[table->nr++] = rule;
}

/*
 * A handler returns to the first byte of such code, and who walks looks at the byte before a return
 * address, for a call may be a function's last. x86-64's says itself that it begins a byte before.
 */
static bool is_returned_to(const struct frame_machine *machine, const struct annot_unwind_row *rule)
{
	return machine->has_link && rule->rule == ANNOT_UNWIND_SIGNAL;
}

/* The rows of the function at @address, up to @end at most. Returns where they end. */
static uint64_t add_function(struct unwind_table *table, const struct frame_machine *machine,
			     Dwarf_CFI *cfi, uint64_t address, uint64_t end)
{
	while (address < end) {
		Dwarf_Addr from, to;
		struct annot_unwind_row rule;
		Dwarf_Frame *frame;

		if (dwarf_cfi_addrframe(cfi, address, &frame))
			break;
		dwarf_frame_info(frame, &from, &to, NULL);
		rule = frame_rule_of(machine, frame);
		free(frame);
		if (to > address)
			add_row(table, address - is_returned_to(machine, &rule), rule);
		if (to <= address)
			break;
		address = to;
	}
	return address;
}

static void add_functions(struct unwind_table *table, const struct frame_machine *machine,
			  Dwarf_CFI *cfi, const struct fde_list *list)
{
	static const struct annot_unwind_row unknown;

	for (size_t i = 0; i < list->nr; i++) {
		uint64_t next = i + 1 < list->nr ? list->starts[i + 1] : UINT64_MAX;
		uint64_t end = add_function(table, machine, cfi, list->starts[i], next);

		if (end < next)
			add_row(table, end, unknown);
	}
}

/* The base is the lowest address that the file is mapped at. */
static void add_segments(struct unwind_table *table, Elf *elf)
{
	GElf_Phdr header;
	size_t nr;

	if (elf_getphdrnum(elf, &nr))
		return;
	table->segments = xcalloc(nr, sizeof(*table->segments));
	table->base = UINT64_MAX;
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD)
			continue;
		if (header.p_vaddr < table->base)
			table->base = header.p_vaddr;
		if (!(header.p_flags & PF_X))
			continue;
		table->segments[table->nr_segments++] = (struct unwind_segment){
			.offset_bytes = header.p_offset,
			.bytes = header.p_filesz,
			.address = header.p_vaddr,
		};
	}
}

static const struct frame_machine *machine_of(Elf *elf)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(elf, &header) || header.e_ident[EI_CLASS] != ELFCLASS64)
		return NULL;
	return frame_machine_of(header.e_machine);
}

void unwind_table_make(struct unwind_table *table, Elf *elf)
{
	const struct frame_machine *machine = machine_of(elf);
	struct fde_list list;
	Dwarf_CFI *cfi;

	*table = (struct unwind_table){ 0 };
	if (!machine)
		return;
	add_segments(table, elf);
	/* It belongs to @elf. */
	cfi = dwarf_getcfi_elf(elf);
	if (!cfi)
		return;
	if (fde_list_read(&list, elf))
		add_functions(table, machine, cfi, &list);
	fde_list_free(&list);
	dwarf_cfi_end(cfi);
}

bool unwind_table_mapped_base(const struct unwind_table *table, uint64_t start,
			      uint64_t offset_bytes, uint64_t *base)
{
	for (size_t i = 0; i < table->nr_segments; i++) {
		const struct unwind_segment *segment = &table->segments[i];

		/* It is mapped from where its first page begins. */
		if (offset_bytes > segment->offset_bytes + segment->bytes ||
		    offset_bytes + MAPPED_BEFORE_MAX_BYTES < segment->offset_bytes)
			continue;
		*base = start - offset_bytes + segment->offset_bytes - segment->address +
			table->base;
		return true;
	}
	return false;
}

void unwind_table_free(struct unwind_table *table)
{
	free(table->segments);
	free(table->rows);
	*table = (struct unwind_table){ 0 };
}
