// SPDX-License-Identifier: GPL-2.0
#include "attach/use.h"

/* libomp has strings of ITT, and calls what it takes for itself: neither is the program's. */
static bool is_openmp(const struct library *library)
{
	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		if (attach_fronts[i].convention == ATTACH_OPENMP &&
		    attach_begins_with(library->name, attach_fronts[i].libraries))
			return true;
	}
	return false;
}

static struct attach_use find_library(const struct attach_program *program,
				      const struct attach_front *front)
{
	const struct libraries *libraries = &program->libraries;

	/* The first is the program. */
	for (size_t i = 1; i < libraries->nr; i++) {
		const struct library *library = &libraries->items[i];
		const struct library *needed_by = &libraries->items[library->needed_by];

		if (attach_begins_with(library->name, front->other_libraries))
			return (struct attach_use){ ATTACH_USE_OTHER, library->name, needed_by };
		if (attach_begins_with(library->name, front->libraries))
			return (struct attach_use){ ATTACH_USE_LIBRARY, library->name, needed_by };
	}
	return (struct attach_use){ 0 };
}

static struct attach_use find_symbol(const struct attach_program *program,
				     const struct attach_front *front)
{
	const struct libraries *libraries = &program->libraries;

	for (size_t i = 0; i < libraries->nr && front->symbols; i++) {
		const struct library *library = &libraries->items[i];
		const char *symbol;

		if (front->own_files && (!library->is_own || is_openmp(library)))
			continue;
		symbol = elf_file_import(&library->file, front->symbols);
		if (symbol)
			return (struct attach_use){ ATTACH_USE_SYMBOL, symbol, library };
	}
	return (struct attach_use){ 0 };
}

static const struct library *find_with_text(const struct attach_program *program, const char *text)
{
	const struct libraries *libraries = &program->libraries;

	for (size_t i = 0; i < libraries->nr && text; i++) {
		const struct library *library = &libraries->items[i];

		if (!is_openmp(library) && elf_file_has_text(&library->file, text))
			return library;
	}
	return NULL;
}

static struct attach_use find_text(const struct attach_program *program,
				   const struct attach_front *front)
{
	const struct library *library = find_with_text(program, front->other_text);

	if (library)
		return (struct attach_use){ ATTACH_USE_OTHER, front->other_text, library };
	library = find_with_text(program, front->text);
	if (library)
		return (struct attach_use){ ATTACH_USE_TEXT, front->text, library };
	return (struct attach_use){ 0 };
}

struct attach_use attach_use_find(const struct attach_program *program,
				  const struct attach_front *front)
{
	struct attach_use use = find_library(program, front);

	if (!use.kind)
		use = find_symbol(program, front);
	if (!use.kind)
		use = find_text(program, front);
	return use;
}
