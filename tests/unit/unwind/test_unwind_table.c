// SPDX-License-Identifier: GPL-2.0
/*
 * Tables for walking stacks, of libraries that are here, for other machines too, held against what readelf
 * makes of the same .eh_frame: no row says anything else, and rows cover nearly all code.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include "unwind/unwind_table.h"

#define LEAST_SHARE 0.99
#define LEAST_SHARE_OF_LINKER 0.98 /* what resolves symbols keeps its frame in rbx */
#define COLUMNS_MAX 24
#define WORD_BYTES 8

/* What readelf calls registers of the file's machine. */
static const struct names {
	int elf;
	const char *sp;
	const char *bp;
	const char *ra; /* where it is of which nothing is said */
} all_names[] = {
	{ EM_X86_64, "rsp", "rbp", "c-8" },
	{ EM_AARCH64, "sp", "x29", "u" },
	{ EM_RISCV, "sp", "s0", "u" },
};

/* A line of readelf's: from its address on, where the CFA, rbp and the return address are. */
struct line {
	uint64_t address;
	char cfa[16];
	char bp[16];
	char ra[16];
};

/* An entry: that of a CIE is what its FDEs begin with. */
struct entry {
	uint64_t start, end; /* of an FDE */
	struct line lines[4096];
	size_t nr;
};

struct comparison {
	const struct names *names;
	const struct unwind_table *table;
	uint64_t bytes; /* of code that .eh_frame describes */
	uint64_t told; /* those whose rule is known */
	uint64_t wrong;
};

static const struct annot_unwind_row *row_at(const struct unwind_table *table, uint64_t address)
{
	const struct annot_unwind_row *found = NULL;
	size_t low = 0, high = table->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (table->base + table->rows[middle].pc <= address) {
			found = &table->rows[middle];
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return found;
}

static void words_below_cfa(char *words, size_t bytes, int nr)
{
	snprintf(words, bytes, "c-%d", nr * WORD_BYTES);
}

/* readelf does not tell a register that is undefined from one that is as it was. */
static void words_of_registers(const struct annot_unwind_row *row, struct line *line)
{
	switch (row->rule & ANNOT_UNWIND_WHERE) {
	case ANNOT_UNWIND_RECORD:
		words_below_cfa(line->bp, sizeof(line->bp), row->cfa - row->bp);
		words_below_cfa(line->ra, sizeof(line->ra), row->cfa - row->bp - 1);
		return;
	case ANNOT_UNWIND_STORED:
		words_below_cfa(line->ra, sizeof(line->ra), row->cfa - row->bp);
		return;
	case ANNOT_UNWIND_LINK:
		strcpy(line->ra, "u");
	}
	if (row->bp)
		words_below_cfa(line->bp, sizeof(line->bp), row->bp);
}

/* What @row says, in readelf's words. "exp" is all that is not plain. */
static struct line words_of(const struct annot_unwind_row *row, const struct names *names)
{
	struct line line = { .ra = "c-8", .bp = "u" };

	switch (row->rule & ~ANNOT_UNWIND_WHERE) {
	case ANNOT_UNWIND_END:
		strcpy(line.ra, "u");
		break;
	case ANNOT_UNWIND_SP:
	case ANNOT_UNWIND_BP:
		words_of_registers(row, &line);
		snprintf(line.cfa, sizeof(line.cfa), "%s+%d",
			 (row->rule & ~ANNOT_UNWIND_WHERE) == ANNOT_UNWIND_SP ? names->sp :
										names->bp,
			 row->cfa * WORD_BYTES);
		break;
	case ANNOT_UNWIND_SIGNAL:
		strcpy(line.ra, "exp");
		strcpy(line.bp, "exp");
		strcpy(line.cfa, "exp");
		break;
	case ANNOT_UNWIND_ALIGNED:
		strcpy(line.bp, "exp");
		strcpy(line.cfa, "exp");
		break;
	default:
		strcpy(line.cfa, "exp");
	}
	return line;
}

static bool says_the_same(const struct line *row, const struct line *truth)
{
	/* That nobody called it: the rest does not matter. */
	if (!*row->cfa)
		return !strcmp(row->ra, truth->ra);
	return !strcmp(row->cfa, truth->cfa) && !strcmp(row->bp, truth->bp) &&
	       !strcmp(row->ra, truth->ra);
}

static void compare_line(struct comparison *comparison, const struct line *truth, uint64_t end)
{
	const struct annot_unwind_row *row = row_at(comparison->table, truth->address);
	struct line words;

	comparison->bytes += end - truth->address;
	if (!row || row->rule == ANNOT_UNWIND_UNKNOWN)
		return;
	words = words_of(row, comparison->names);
	if (says_the_same(&words, truth)) {
		comparison->told += end - truth->address;
		return;
	}
	comparison->wrong++;
	if (comparison->wrong < 10)
		print_error("%lx: row says %s %s %s, readelf %s %s %s\n", truth->address, words.cfa,
			    words.bp, words.ra, truth->cfa, truth->bp, truth->ra);
}

static void compare_entry(struct comparison *comparison, const struct entry *cie,
			  struct entry *entry)
{
	if (entry->start == entry->end)
		return;
	if (!entry->nr && cie->nr) {
		entry->lines[entry->nr++] = cie->lines[0];
		entry->lines[0].address = entry->start;
	}
	for (size_t i = 0; i < entry->nr; i++)
		compare_line(comparison, &entry->lines[i],
			     i + 1 < entry->nr ? entry->lines[i + 1].address : entry->end);
}

static void copy_word(char *to, size_t bytes, const char *word)
{
	snprintf(to, bytes, "%s", word);
}

/* The columns of @text, by the head of the entry's table. */
static void add_line(struct entry *entry, char *text, char columns[COLUMNS_MAX][8],
		     const struct names *names)
{
	struct line line = { .bp = "u" };
	char *rest = NULL;
	size_t column = 0;

	copy_word(line.ra, sizeof(line.ra), names->ra);
	for (char *word = strtok_r(text, " \n", &rest); word && column < COLUMNS_MAX;
	     word = strtok_r(NULL, " \n", &rest)) {
		/* "r3 (rbx)" is one column. */
		if (*word == '(')
			continue;
		if (!column)
			line.address = strtoull(word, NULL, 16);
		else if (!strcmp(columns[column], "CFA"))
			copy_word(line.cfa, sizeof(line.cfa), word);
		else if (!strcmp(columns[column], names->bp))
			copy_word(line.bp, sizeof(line.bp), word);
		else if (!strcmp(columns[column], "ra"))
			copy_word(line.ra, sizeof(line.ra), word);
		column++;
	}
	assert_true(entry->nr < sizeof(entry->lines) / sizeof(entry->lines[0]));
	entry->lines[entry->nr++] = line;
}

static void read_head(char *text, char columns[COLUMNS_MAX][8])
{
	char *rest = NULL;
	size_t column = 0;

	for (char *word = strtok_r(text, " \n", &rest); word && column < COLUMNS_MAX;
	     word = strtok_r(NULL, " \n", &rest))
		copy_word(columns[column++], sizeof(columns[0]), word);
}

/* CIEs by their offset, which FDEs name. */
static struct entry *cie_of(struct entry **cies, size_t *nr, uint64_t offset)
{
	for (size_t i = 0; i < *nr; i++) {
		if (cies[i]->start == offset)
			return cies[i];
	}
	cies[*nr] = calloc(1, sizeof(struct entry));
	cies[*nr]->start = offset;
	return cies[(*nr)++];
}

static void compare_with_readelf(struct comparison *comparison, const char *path)
{
	static struct entry fde;
	struct entry *cies[64], *cie = NULL, *now = NULL;
	char columns[COLUMNS_MAX][8] = { "" }, command[512], text[1024];
	size_t nr_cies = 0;
	FILE *readelf;

	snprintf(command, sizeof(command), "readelf --debug-dump=frames-interp '%s' 2>/dev/null",
		 path);
	readelf = popen(command, "r");
	assert_non_null(readelf);
	while (fgets(text, sizeof(text), readelf)) {
		uint64_t offset, start, end;

		if (sscanf(text, "%lx %*s %*s FDE cie=%lx pc=%lx..%lx", &offset, &offset, &start,
			   &end) == 4) {
			if (now == &fde)
				compare_entry(comparison, cie, &fde);
			fde.nr = 0;
			fde.start = start;
			fde.end = end;
			cie = cie_of(cies, &nr_cies, offset);
			now = &fde;
		} else if (strstr(text, " CIE ") && sscanf(text, "%lx", &offset) == 1) {
			if (now == &fde)
				compare_entry(comparison, cie, &fde);
			now = cie_of(cies, &nr_cies, offset);
		} else if (strstr(text, "LOC  ")) {
			read_head(text, columns);
		} else if (now && strlen(text) > 20 && strspn(text, "0123456789abcdef") == 16) {
			add_line(now, text, columns, comparison->names);
		}
	}
	if (now == &fde)
		compare_entry(comparison, cie, &fde);
	/* It fails, too, of what it only warns of. */
	pclose(readelf);
	while (nr_cies--)
		free(cies[nr_cies]);
}

static const struct names *names_of(Elf *elf)
{
	const struct names *names = all_names;
	GElf_Ehdr header;

	assert_non_null(gelf_getehdr(elf, &header));
	while (names->elf != header.e_machine)
		assert_true(++names < all_names + sizeof(all_names) / sizeof(all_names[0]));
	return names;
}

static const struct names *make_table(struct unwind_table *table, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const struct names *names;
	Elf *elf;

	assert_true(fd >= 0);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	assert_non_null(elf);
	names = names_of(elf);
	unwind_table_make(table, elf);
	elf_end(elf);
	close(fd);
	return names;
}

static void expect_order(const struct unwind_table *table)
{
	for (size_t i = 1; i < table->nr; i++)
		assert_true(table->rows[i - 1].pc < table->rows[i].pc);
}

static void compare_file(const char *path, double least_share)
{
	struct unwind_table table;
	struct comparison comparison = { .table = &table };

	comparison.names = make_table(&table, path);
	assert_true(table.nr > 0);
	expect_order(&table);
	compare_with_readelf(&comparison, path);
	print_message("%s: %zu rows, %.3f %% of %lu bytes\n", path, table.nr,
		      100.0 * (double)comparison.told / (double)comparison.bytes, comparison.bytes);
	assert_int_equal(comparison.wrong, 0);
	assert_true(comparison.bytes > 0);
	assert_true((double)comparison.told >= least_share * (double)comparison.bytes);
	unwind_table_free(&table);
}

/* A library as the loader finds it. */
static void compare_library(const char *name, double least_share)
{
	void *library = dlopen(name, RTLD_LAZY);
	struct link_map *map;

	if (!library)
		skip();
	assert_int_equal(dlinfo(library, RTLD_DI_LINKMAP, &map), 0);
	compare_file(map->l_name, least_share);
	dlclose(library);
}

static void libc(void **state)
{
	(void)state;
	compare_library("libc.so.6", LEAST_SHARE);
}

static void libstdcxx(void **state)
{
	(void)state;
	compare_library("libstdc++.so.6", LEAST_SHARE);
}

static void libgomp(void **state)
{
	(void)state;
	compare_library("libgomp.so.1", LEAST_SHARE);
}

static void dynamic_linker(void **state)
{
	(void)state;
	compare_library("ld-linux-x86-64.so.2", LEAST_SHARE_OF_LINKER);
}

static void this_program(void **state)
{
	char path[512] = "";

	(void)state;
	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	compare_file(path, LEAST_SHARE);
}

static void python(void **state)
{
	(void)state;
	if (access("/usr/bin/python3", R_OK))
		skip();
	compare_file("/usr/bin/python3", LEAST_SHARE);
}

static void other_machines(void **state)
{
	static const char *const paths[] = { "/usr/aarch64-linux-gnu/lib/libc.so.6",
					     "/usr/aarch64-linux-gnu/lib/libstdc++.so.6",
					     "/usr/riscv64-linux-gnu/lib/libc.so.6",
					     "/usr/riscv64-linux-gnu/lib/libstdc++.so.6" };
	size_t nr = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (access(paths[i], R_OK))
			continue;
		compare_file(paths[i], LEAST_SHARE);
		nr++;
	}
	if (!nr)
		skip();
}

/* A static program: the linker makes no search table. */
static void static_program(void **state)
{
	char path[] = "/tmp/unwind-XXXXXX", command[128];
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	snprintf(command, sizeof(command),
		 "echo 'int main(void) { return 0; }' | cc -static -x c -o %s -", path);
	assert_int_equal(system(command), 0);
	compare_file(path, LEAST_SHARE);
	unlink(path);
}

/* The bottom of each thread's stack is known, and the frames of signals. */
static void special_rules(void **state)
{
	struct unwind_table table;
	size_t nr[ANNOT_UNWIND_ALIGNED + 1] = { 0 };

	(void)state;
	make_table(&table, "/proc/self/exe");
	for (size_t i = 0; i < table.nr; i++)
		nr[table.rows[i].rule]++;
	assert_true(nr[ANNOT_UNWIND_END] >= 1);
	unwind_table_free(&table);

	make_table(&table, "/lib/x86_64-linux-gnu/libc.so.6");
	for (size_t i = 0; i < table.nr; i++)
		nr[table.rows[i].rule]++;
	assert_true(nr[ANNOT_UNWIND_SIGNAL] >= 1);
	assert_true(nr[ANNOT_UNWIND_PLT] >= 1);
	unwind_table_free(&table);
}

/* @bytes bytes of this program, and damage at each of many places: no row is out of order. */
static void damaged_files(void **state)
{
	static char image[1 << 20];
	int fd = open("/lib/x86_64-linux-gnu/libgomp.so.1", O_RDONLY | O_CLOEXEC);
	ssize_t bytes = fd < 0 ? 0 : read(fd, image, sizeof(image));

	(void)state;
	if (fd < 0)
		skip();
	close(fd);
	srand(1);
	for (int i = 0; i < 60; i++) {
		struct unwind_table table;
		size_t length = i % 4 ? (size_t)bytes : (size_t)(rand() % bytes);
		char *copy = malloc(length + 1);
		Elf *elf;

		memcpy(copy, image, length);
		for (int k = 0; k < 200 && length > 64; k++)
			copy[64 + (size_t)rand() % (length - 64)] = (char)rand();
		elf_version(EV_CURRENT);
		elf = elf_memory(copy, length);
		if (elf) {
			unwind_table_make(&table, elf);
			expect_order(&table);
			unwind_table_free(&table);
			elf_end(elf);
		}
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(libc),		  cmocka_unit_test(libstdcxx),
		cmocka_unit_test(libgomp),	  cmocka_unit_test(dynamic_linker),
		cmocka_unit_test(this_program),	  cmocka_unit_test(python),
		cmocka_unit_test(static_program), cmocka_unit_test(special_rules),
		cmocka_unit_test(damaged_files),  cmocka_unit_test(other_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
