// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: unwind_rows PROGRAM ROWS
 *
 * Writes the table by which stacks of PROGRAM, which may be another machine's, are walked: the address from which rows
 * count and their number, of 64 bits each, and the rows.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "unwind/unwind_table.h"

static int write_rows(const struct unwind_table *table, const char *path)
{
	uint64_t head[2] = { table->base, table->nr };
	FILE *file = fopen(path, "w");
	size_t written;

	if (!file)
		return -1;
	written = fwrite(head, sizeof(head), 1, file) +
		  fwrite(table->rows, sizeof(*table->rows), table->nr, file);
	return fclose(file) || written != table->nr + 1 ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct unwind_table table = { 0 };
	int fd = argc == 3 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf)
		unwind_table_make(&table, elf);
	if (!table.nr || write_rows(&table, argv[2])) {
		fprintf(stderr, "unwind_rows: no table of %s\n", argc == 3 ? argv[1] : "what?");
		return 1;
	}
	unwind_table_free(&table);
	elf_end(elf);
	close(fd);
	return 0;
}
