// SPDX-License-Identifier: GPL-2.0
#include "record/log/build_id.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/xalloc.h"

#define NOTES_MAX_BYTES 65536
#define MOST_SEGMENTS 256

static size_t align_up(size_t bytes)
{
	return (bytes + 3) & ~(size_t)3;
}

/* Looks through the notes of one segment. */
static bool find_note(struct mapping *mapping, const unsigned char *notes, size_t bytes)
{
	ElfW(Nhdr) note;
	size_t at = 0;

	while (at + sizeof(note) <= bytes) {
		size_t name = at + sizeof(note);
		size_t value;

		memcpy(&note, notes + at, sizeof(note));
		value = name + align_up(note.n_namesz);
		if (note.n_namesz > bytes || note.n_descsz > bytes || value + note.n_descsz > bytes)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(notes + name, "GNU", 4) && note.n_descsz <= BUILD_ID_MAX_BYTES) {
			mapping->build_id_bytes = note.n_descsz;
			memcpy(mapping->build_id, notes + value, note.n_descsz);
			return true;
		}
		at = value + align_up(note.n_descsz);
	}
	return false;
}

static bool read_notes(struct mapping *mapping, int fd, const ElfW(Phdr) * segment)
{
	size_t bytes = segment->p_filesz;
	unsigned char *notes;
	bool found;

	if (segment->p_type != PT_NOTE || bytes > NOTES_MAX_BYTES)
		return false;
	notes = xcalloc(bytes, 1);
	found = pread(fd, notes, bytes, (off_t)segment->p_offset) == (ssize_t)bytes &&
		find_note(mapping, notes, bytes);
	free(notes);
	return found;
}

/* Of this machine's own word size and byte order only: others it does not run, as a rule. */
static bool is_elf(const ElfW(Ehdr) * header)
{
	return !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
	       header->e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
	       header->e_phentsize == sizeof(ElfW(Phdr)) && header->e_phnum <= MOST_SEGMENTS;
}

void build_id_read(struct mapping *mapping, int fd)
{
	ElfW(Phdr) segment;
	ElfW(Ehdr) header;

	mapping->build_id_bytes = 0;
	if (pread(fd, &header, sizeof(header), 0) == sizeof(header) && is_elf(&header)) {
		for (int i = 0; i < header.e_phnum; i++) {
			off_t at = (off_t)(header.e_phoff + (size_t)i * sizeof(segment));

			if (pread(fd, &segment, sizeof(segment), at) != sizeof(segment) ||
			    read_notes(mapping, fd, &segment))
				break;
		}
	}
}
