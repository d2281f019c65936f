// SPDX-License-Identifier: MIT
#include "object_of_address.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct object_search {
	uintptr_t address;
	struct loaded_object *object;
};

static bool holds_address(const struct dl_phdr_info *info, uintptr_t address)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		/* The difference wraps around below the start. */
		if (segment->p_type == PT_LOAD &&
		    address - (info->dlpi_addr + segment->p_vaddr) < segment->p_memsz)
			return true;
	}
	return false;
}

static size_t note_align(size_t bytes)
{
	return (bytes + 3) & ~(size_t)3;
}

static void read_notes(struct loaded_object *object, const char *notes, size_t bytes)
{
	while (bytes >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)notes;
		size_t name_bytes = note_align(note->n_namesz);
		size_t used = sizeof(*note) + name_bytes + note_align(note->n_descsz);
		const char *name = notes + sizeof(*note);

		if (used > bytes)
			return;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof("GNU") &&
		    !memcmp(name, "GNU", sizeof("GNU")) && note->n_descsz >= BUILD_ID_BYTES) {
			memcpy(object->build_id, name + name_bytes, BUILD_ID_BYTES);
			object->nr_build_id_bytes = BUILD_ID_BYTES;
			return;
		}
		notes += used;
		bytes -= used;
	}
}

/* "./plugin.so", as dlopen() was given it. The directory may have changed since; mostly it has not. */
static void read_relative_path(struct loaded_object *object, const char *name)
{
	size_t length;

	if (!strchr(name, '/') || !getcwd(object->path, sizeof(object->path)))
		return;
	if (!strncmp(name, "./", 2))
		name += 2;
	length = strlen(object->path);
	if (length + 1 + strlen(name) < sizeof(object->path))
		snprintf(object->path + length, sizeof(object->path) - length, "/%s", name);
	else
		object->path[0] = '\0';
}

/* The program itself has no name here. What is no file, as the kernel's vdso, gets no path. */
static void read_path(struct loaded_object *object, const char *name)
{
	ssize_t length;

	if (name[0] == '/') {
		strncpy(object->path, name, sizeof(object->path) - 1);
	} else if (name[0]) {
		read_relative_path(object, name);
	} else {
		length = readlink("/proc/self/exe", object->path, sizeof(object->path) - 1);
		object->path[length < 0 ? 0 : length] = '\0';
	}
}

/* False: it has no path. */
static bool describe(struct loaded_object *object, uintptr_t bias, const char *name,
		     const ElfW(Phdr) * segments, size_t nr_segments)
{
	memset(object, 0, sizeof(*object));
	object->bias = bias;
	for (size_t i = 0; i < nr_segments; i++) {
		if (segments[i].p_type == PT_NOTE)
			read_notes(object, (const char *)bias + segments[i].p_vaddr,
				   segments[i].p_memsz);
	}
	read_path(object, name);
	return object->path[0] != '\0';
}

/* NULL: the first page that is mapped is not the file's first. */
static const ElfW(Ehdr) * elf_header(const void *start)
{
	const ElfW(Ehdr) *header = start;

	if (memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_phentsize != sizeof(ElfW(Phdr)))
		return NULL;
	return header;
}

enum answer {
	NO_FILE,
	A_FILE,
	NOT_KNOWN,
};

/*
 * Without the loader's lock: another thread may hold that, in a callback of dl_iterate_phdr(), and wait for what the
 * calling thread has locked.
 */
static enum answer find_without_lock(uintptr_t address, struct loaded_object *object)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
	const ElfW(Ehdr) * header;
	struct dl_find_object found;

	if (_dl_find_object((void *)address, &found))
		return NO_FILE;
	header = elf_header(found.dlfo_map_start);
	if (!header)
		return NOT_KNOWN;
	return describe(object, found.dlfo_link_map->l_addr, found.dlfo_link_map->l_name,
			(const ElfW(Phdr) *)((const char *)header + header->e_phoff),
			header->e_phnum) ?
		       A_FILE :
		       NO_FILE;
#else
	(void)address;
	(void)object;
	return NOT_KNOWN;
#endif
}

static int look_at_object(struct dl_phdr_info *info, size_t size, void *context)
{
	struct object_search *search = context;

	(void)size;
	return holds_address(info, search->address) &&
	       describe(search->object, info->dlpi_addr, info->dlpi_name, info->dlpi_phdr,
			info->dlpi_phnum);
}

bool object_of_address(uintptr_t address, struct loaded_object *object)
{
	struct object_search search = { .address = address, .object = object };

	enum answer answer = find_without_lock(address, object);

	if (answer == NOT_KNOWN)
		return dl_iterate_phdr(look_at_object, &search) != 0;
	return answer == A_FILE;
}
