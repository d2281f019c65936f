// SPDX-License-Identifier: GPL-2.0
#include "attach/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/fronts.h"
#include "util/xalloc.h"

/* Of annot itself. The linker defines it. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

/* The dynamic section. */
struct dynamic {
	Elf_Data *entries; /* NULL: there is none */
};

/* A path of a command line may be anything: opening must not block on what is not a regular file. */
static int open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	if (fd < 0 || fstat(fd, &status))
		goto failed;
	if (S_ISREG(status.st_mode))
		return fd;
	errno = EACCES;
failed:
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool is_in_file(const struct elf_file *file, uint64_t offset, uint64_t nr_bytes)
{
	return offset <= file->nr_bytes && nr_bytes <= file->nr_bytes - offset;
}

/* The string at @offset, if it ends in the file. */
static const char *string_at(const struct elf_file *file, uint64_t offset)
{
	if (offset >= file->nr_bytes ||
	    !memchr(file->bytes + offset, '\0', file->nr_bytes - offset))
		return NULL;
	return file->bytes + offset;
}

/* Into *@offset the place in the file of what is loaded at @address. */
static bool find_offset(const struct elf_file *file, GElf_Addr address, uint64_t *offset)
{
	GElf_Phdr header;
	size_t nr;

	if (elf_getphdrnum(file->elf, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(file->elf, (int)i, &header) || header.p_type != PT_LOAD ||
		    address < header.p_vaddr || address - header.p_vaddr >= header.p_filesz)
			continue;
		*offset = header.p_offset + (address - header.p_vaddr);
		return true;
	}
	return false;
}

static bool read_segment(struct elf_file *file, const GElf_Phdr *header, struct dynamic *dynamic)
{
	if ((header->p_type == PT_LOAD || header->p_type == PT_DYNAMIC ||
	     header->p_type == PT_INTERP) &&
	    !is_in_file(file, header->p_offset, header->p_filesz))
		return false;
	if (header->p_type == PT_INTERP) {
		file->interpreter = string_at(file, header->p_offset);
		return file->interpreter;
	}
	if (header->p_type != PT_DYNAMIC)
		return true;
	dynamic->entries = elf_getdata_rawchunk(file->elf, (int64_t)header->p_offset,
						header->p_filesz, ELF_T_DYN);
	return dynamic->entries;
}

static bool read_segments(struct elf_file *file, struct dynamic *dynamic)
{
	GElf_Phdr header;
	size_t nr;

	/* libelf passes over headers that are not in the file. */
	if (elf_getphdrnum(file->elf, &nr) ||
	    (nr < file->header.e_phnum && file->header.e_phnum != PN_XNUM))
		return false;
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(file->elf, (int)i, &header) ||
		    !read_segment(file, &header, dynamic))
			return false;
	}
	return true;
}

/* Where the string of an entry goes; NULL: it has none that is wanted. */
static const char **place_of_string(struct elf_file *file, int64_t tag)
{
	switch (tag) {
	case DT_NEEDED:
		file->needed = xrealloc_array(file->needed, file->nr_needed + 1,
					      sizeof(*file->needed));
		return &file->needed[file->nr_needed++];
	case DT_SONAME:
		return &file->soname;
	case DT_RPATH:
		return &file->rpath;
	case DT_RUNPATH:
		return &file->runpath;
	default:
		return NULL;
	}
}

static bool find_strings(const struct elf_file *file, const struct dynamic *dynamic,
			 uint64_t *offset)
{
	GElf_Dyn entry;

	for (int i = 0; gelf_getdyn(dynamic->entries, i, &entry) && entry.d_tag != DT_NULL; i++) {
		if (entry.d_tag == DT_STRTAB)
			return find_offset(file, entry.d_un.d_ptr, offset);
	}
	return false;
}

static bool read_dynamic(struct elf_file *file, const struct dynamic *dynamic)
{
	uint64_t strings;
	GElf_Dyn entry;

	if (!dynamic->entries)
		return true;
	if (!find_strings(file, dynamic, &strings))
		return false;
	for (int i = 0; gelf_getdyn(dynamic->entries, i, &entry) && entry.d_tag != DT_NULL; i++) {
		const char **place = place_of_string(file, entry.d_tag);

		if (!place)
			continue;
		*place = string_at(file, strings + entry.d_un.d_val);
		if (!*place)
			return false;
	}
	return true;
}

/* A program may have more libraries than a process may have open files. */
static void map_file(struct elf_file *file, int fd)
{
	elf_version(EV_CURRENT);
	file->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (file->elf && !elf_cntl(file->elf, ELF_C_FDREAD))
		file->bytes = elf_rawfile(file->elf, &file->nr_bytes);
	close(fd);
}

static enum elf_file_state compare_with_own(const struct elf_file *file)
{
	if (file->header.e_ident[EI_CLASS] != __ehdr_start.e_ident[EI_CLASS])
		return ELF_FILE_OTHER_WIDTH;
	if (file->header.e_ident[EI_DATA] != __ehdr_start.e_ident[EI_DATA] ||
	    file->header.e_machine != __ehdr_start.e_machine)
		return ELF_FILE_OTHER_MACHINE;
	return ELF_FILE_GOOD;
}

static enum elf_file_state read_elf(struct elf_file *file)
{
	struct dynamic dynamic = { 0 };
	enum elf_file_state state;

	if (!file->elf)
		return ELF_FILE_DAMAGED;
	if (!file->bytes || file->nr_bytes < SELFMAG || memcmp(file->bytes, ELFMAG, SELFMAG))
		return ELF_FILE_OTHER;
	if (!gelf_getehdr(file->elf, &file->header))
		return ELF_FILE_DAMAGED;
	state = compare_with_own(file);
	if (state != ELF_FILE_GOOD)
		return state;
	return read_segments(file, &dynamic) && read_dynamic(file, &dynamic) ? ELF_FILE_GOOD :
									       ELF_FILE_DAMAGED;
}

enum elf_file_state elf_file_open(struct elf_file *file, const char *path)
{
	enum elf_file_state state;
	int fd = open_regular(path);

	*file = (struct elf_file){ 0 };
	if (fd < 0)
		return ELF_FILE_UNREADABLE;
	map_file(file, fd);
	state = read_elf(file);
	if (state != ELF_FILE_GOOD)
		elf_file_close(file);
	return state;
}

void elf_file_close(struct elf_file *file)
{
	elf_end(file->elf);
	free(file->needed);
	*file = (struct elf_file){ 0 };
}

static const char *import_of(const struct elf_file *file, Elf_Scn *section, const GElf_Shdr *header,
			     const char *const *beginnings)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 1; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name;

		if (symbol.st_shndx != SHN_UNDEF)
			continue;
		name = elf_strptr(file->elf, header->sh_link, symbol.st_name);
		if (name && attach_begins_with(name, beginnings))
			return name;
	}
	return NULL;
}

const char *elf_file_import(const struct elf_file *file, const char *const *beginnings)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (file->elf && (section = elf_nextscn(file->elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
			return import_of(file, section, &header, beginnings);
	}
	return NULL;
}

bool elf_file_has_text(const struct elf_file *file, const char *text)
{
	GElf_Phdr header;
	size_t nr;

	if (!file->elf || elf_getphdrnum(file->elf, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		if (gelf_getphdr(file->elf, (int)i, &header) && header.p_type == PT_LOAD &&
		    memmem(file->bytes + header.p_offset, header.p_filesz, text, strlen(text)))
			return true;
	}
	return false;
}
