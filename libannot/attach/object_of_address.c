// SPDX-License-Identifier: MIT
#include "object_of_address.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
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

static void read_path(struct loaded_object *object, const char *name)
{
	ssize_t length;

	if (name[0] == '/') {
		strncpy(object->path, name, sizeof(object->path) - 1);
		return;
	}
	/* The program itself has no name here. */
	length = readlink("/proc/self/exe", object->path, sizeof(object->path) - 1);
	object->path[length < 0 ? 0 : length] = '\0';
}

static int look_at_object(struct dl_phdr_info *info, size_t size, void *context)
{
	struct object_search *search = context;
	struct loaded_object *object = search->object;

	(void)size;
	if (!holds_address(info, search->address))
		return 0;
	memset(object, 0, sizeof(*object));
	object->bias = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type == PT_NOTE)
			read_notes(object, (const char *)info->dlpi_addr + segment->p_vaddr,
				   segment->p_memsz);
	}
	read_path(object, info->dlpi_name);
	return object->path[0] != '\0';
}

bool object_of_address(uintptr_t address, struct loaded_object *object)
{
	struct object_search search = { .address = address, .object = object };

	return dl_iterate_phdr(look_at_object, &search) != 0;
}
