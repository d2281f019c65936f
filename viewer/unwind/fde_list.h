/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the functions of a binary begin that its .eh_frame describes: by the search table of
 * .eh_frame_hdr, or, of a static program, which has none, by .eh_frame itself.
 */
#ifndef ANNOT_UNWIND_FDE_LIST_H
#define ANNOT_UNWIND_FDE_LIST_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fde_list {
	uint64_t *starts; /* addresses of the file, ascending */
	size_t nr;
	size_t capacity;
};

/* Returns false if the binary has neither, or they are damaged. */
bool fde_list_read(struct fde_list *list, Elf *elf);
void fde_list_free(struct fde_list *list);

#endif /* ANNOT_UNWIND_FDE_LIST_H */
