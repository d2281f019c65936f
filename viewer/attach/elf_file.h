/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the loader would read in an ELF file, by libelf. A file may be cut short or made to mislead: then it is
 * damaged, and nothing of it is used.
 */
#ifndef ANNOT_ATTACH_ELF_FILE_H
#define ANNOT_ATTACH_ELF_FILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

enum elf_file_state {
	ELF_FILE_GOOD,
	ELF_FILE_UNREADABLE, /* errno says why */
	ELF_FILE_OTHER, /* not an ELF file */
	ELF_FILE_OTHER_WIDTH, /* of 32 bits where annot is of 64, or the other way round */
	ELF_FILE_OTHER_MACHINE, /* than annot is for */
	ELF_FILE_DAMAGED,
};

struct elf_file {
	Elf *elf; /* NULL: not open */
	GElf_Ehdr header;
	const char *bytes; /* of all of the file */
	size_t nr_bytes;
	/* Strings of the file, valid until elf_file_close(); NULL: none. */
	const char *interpreter;
	const char *soname;
	const char *rpath;
	const char *runpath;
	const char **needed;
	size_t nr_needed;
};

/* Unless it is good, there is nothing to close. */
enum elf_file_state elf_file_open(struct elf_file *file, const char *path);
void elf_file_close(struct elf_file *file);

/*
 * The first symbol that is imported and begins with one of @beginnings, or NULL. Valid until elf_file_close(). A
 * file without section headers imports nothing, as far as is known.
 */
const char *elf_file_import(const struct elf_file *file, const char *const *beginnings);

/* Whether @text stands in what is loaded of the file. */
bool elf_file_has_text(const struct elf_file *file, const char *text);

#endif /* ANNOT_ATTACH_ELF_FILE_H */
