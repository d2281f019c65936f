/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's symbols, from the text of /proc/kallsyms.
 */
#ifndef ANNOT_TRACE_FILE_KALLSYMS_H
#define ANNOT_TRACE_FILE_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kallsyms;

struct kernel_symbol {
	const char *name; /* neither has a NUL: as long as the bytes say */
	size_t name_bytes;
	const char *module; /* module of the symbol */
	size_t module_bytes; /* 0: of the kernel itself */
	bool is_code;
	uint64_t offset; /* of the address from the symbol's start */
};

/*
 * Takes ownership of @text. Lines that are not symbols are skipped, and so are all if addresses are
 * 0.
 */
struct kallsyms *kallsyms_new(char *text);
void kallsyms_free(struct kallsyms *kallsyms);

size_t kallsyms_count(const struct kallsyms *kallsyms);

/* Returns false if no symbol is at or below @address. */
bool kallsyms_find(const struct kallsyms *kallsyms, uint64_t address, struct kernel_symbol *symbol);

#endif /* ANNOT_TRACE_FILE_KALLSYMS_H */
