// SPDX-License-Identifier: GPL-2.0
/* ELF files that are cut short at each length, or have wrong bytes, are refused or read within their bounds. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "attach/elf_file.h"

/* A small program that is dynamically linked. */
#define PROGRAM "/bin/true"

static const char *const any_symbol[] = { "no such symbol", NULL };

struct copy {
	char path[64];
	int fd;
	unsigned char *bytes;
	size_t nr_bytes;
	size_t loaded_bytes; /* up to the end of what is loaded */
};

static size_t end_of_segments(const struct elf_file *file)
{
	size_t end = 0, nr;
	GElf_Phdr header;

	assert_int_equal(elf_getphdrnum(file->elf, &nr), 0);
	for (size_t i = 0; i < nr; i++) {
		assert_non_null(gelf_getphdr(file->elf, (int)i, &header));
		if (header.p_type == PT_LOAD && header.p_offset + header.p_filesz > end)
			end = header.p_offset + header.p_filesz;
	}
	return end;
}

static int make_copy(void **state)
{
	static struct copy copy = { .path = "/tmp/test_elf_file.XXXXXX" };
	struct elf_file file;

	assert_int_equal(elf_file_open(&file, PROGRAM), ELF_FILE_GOOD);
	copy.nr_bytes = file.nr_bytes;
	copy.loaded_bytes = end_of_segments(&file);
	copy.bytes = malloc(copy.nr_bytes);
	memcpy(copy.bytes, file.bytes, copy.nr_bytes);
	elf_file_close(&file);
	copy.fd = mkstemp(copy.path);
	assert_true(copy.fd >= 0);
	assert_int_equal(pwrite(copy.fd, copy.bytes, copy.nr_bytes, 0), copy.nr_bytes);
	*state = &copy;
	return 0;
}

static int remove_copy(void **state)
{
	struct copy *copy = *state;

	close(copy->fd);
	unlink(copy->path);
	free(copy->bytes);
	return 0;
}

static bool needs_libc(const struct elf_file *file)
{
	for (size_t i = 0; i < file->nr_needed; i++) {
		if (!strcmp(file->needed[i], "libc.so.6"))
			return true;
	}
	return false;
}

static void whole_program_is_read(void **state)
{
	static const char *const main_symbol[] = { "__libc_start_main", NULL };
	const struct copy *copy = *state;
	struct elf_file file;

	assert_int_equal(elf_file_open(&file, copy->path), ELF_FILE_GOOD);
	assert_true(needs_libc(&file));
	assert_non_null(strstr(file.interpreter, "ld-linux"));
	assert_string_equal(elf_file_import(&file, main_symbol), "__libc_start_main");
	assert_true(elf_file_has_text(&file, "__libc_start_main"));
	assert_false(elf_file_has_text(&file, "no such text in it"));
	elf_file_close(&file);
}

static void cut_at(const struct copy *copy, size_t length)
{
	struct elf_file file;
	enum elf_file_state state;

	assert_int_equal(ftruncate(copy->fd, (off_t)length), 0);
	state = elf_file_open(&file, copy->path);
	if (length < SELFMAG)
		assert_int_equal(state, ELF_FILE_OTHER);
	else if (length < copy->loaded_bytes)
		assert_int_equal(state, ELF_FILE_DAMAGED);
	else
		assert_int_equal(state, ELF_FILE_GOOD);
	if (state != ELF_FILE_GOOD)
		return;
	assert_true(needs_libc(&file));
	elf_file_import(&file, any_symbol);
	assert_true(elf_file_has_text(&file, "__libc_start_main"));
	elf_file_close(&file);
}

static void cut_programs_are_damaged(void **state)
{
	const struct copy *copy = *state;

	for (size_t length = copy->nr_bytes; length-- > 0;)
		cut_at(copy, length);
	assert_int_equal(pwrite(copy->fd, copy->bytes, copy->nr_bytes, 0), copy->nr_bytes);
}

static void assert_in_file(const struct elf_file *file, const char *string)
{
	if (string)
		assert_true(string >= file->bytes && string < file->bytes + file->nr_bytes);
}

static void read_all(const char *path)
{
	struct elf_file file;

	if (elf_file_open(&file, path) != ELF_FILE_GOOD)
		return;
	assert_in_file(&file, file.interpreter);
	assert_in_file(&file, file.soname);
	assert_in_file(&file, file.rpath);
	assert_in_file(&file, file.runpath);
	for (size_t i = 0; i < file.nr_needed; i++)
		assert_in_file(&file, file.needed[i]);
	elf_file_import(&file, any_symbol);
	elf_file_has_text(&file, "text");
	elf_file_close(&file);
}

static void damage(const struct copy *copy, size_t offset)
{
	static const unsigned char values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };

	for (size_t i = 0; i < sizeof(values); i++) {
		assert_int_equal(pwrite(copy->fd, &values[i], 1, (off_t)offset), 1);
		read_all(copy->path);
	}
	assert_int_equal(pwrite(copy->fd, &copy->bytes[offset], 1, (off_t)offset), 1);
}

/* Headers and dynamic symbols come first, the dynamic section and section headers last. */
static void wrong_bytes_are_survived(void **state)
{
	const struct copy *copy = *state;
	size_t each = copy->nr_bytes < 6144 ? copy->nr_bytes : 6144;

	for (size_t offset = 0; offset < each; offset++)
		damage(copy, offset);
	for (size_t offset = copy->nr_bytes - each; offset < copy->nr_bytes; offset++)
		damage(copy, offset);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_program_is_read),
		cmocka_unit_test(cut_programs_are_damaged),
		cmocka_unit_test(wrong_bytes_are_survived),
	};

	return cmocka_run_group_tests(tests, make_copy, remove_copy);
}
