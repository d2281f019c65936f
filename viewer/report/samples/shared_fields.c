// SPDX-License-Identifier: GPL-2.0
#include "report/samples/shared_fields.h"

#include <stdio.h>
#include <string.h>

#include "analysis/base/findings.h"
#include "report/samples/address_label.h"

#define MOST_FIELDS 3

/* NULL: it has none. Those with most samples come first. */
static const struct line_access *access_of(const struct false_sharing *sharing,
					   const struct shared_line *line, uint32_t thread)
{
	const struct line_access *rows = sharing->accesses.rows + line->first_access, *best = NULL;

	for (size_t i = 0; i < line->nr_accesses; i++) {
		if (rows[i].thread == thread && (!best || rows[i].nr_stores > best->nr_stores))
			best = &rows[i];
	}
	return best;
}

struct named_access {
	struct address_label field;
	struct thread_label thread;
	bool is_stored;
};

static size_t name_accesses(const struct model *model, struct symbols *symbols,
			    const struct false_sharing *sharing, const struct shared_line *line,
			    struct named_access named[MOST_FIELDS])
{
	size_t nr = 0;

	for (size_t i = 0; i < line->nr_threads && nr < MOST_FIELDS; i++) {
		const struct line_access *access = access_of(sharing, line,
							     line->threads[i].thread);

		if (!access)
			continue;
		named[nr].field = address_label_data(model, symbols, access->sample);
		named[nr].thread = thread_label(model, access->thread);
		named[nr].is_stored = access->nr_stores > 0;
		nr += named[nr].field.has_field;
	}
	return nr;
}

static const char *separator(size_t at, size_t nr)
{
	if (!at)
		return "";
	return at + 1 < nr ? ", " : " and ";
}

struct shared_fields shared_fields_of_line(const struct model *model, struct symbols *symbols,
					   const struct false_sharing *sharing,
					   const struct shared_line *line)
{
	struct named_access named[MOST_FIELDS];
	size_t nr = name_accesses(model, symbols, sharing, line, named), length = 0;
	struct shared_fields fields = { "" };

	_Static_assert(sizeof(fields.text) > MOST_FIELDS * (sizeof(named->field.text) +
							    sizeof(named->thread.text) + 32),
		       "all have room");
	for (size_t i = 0; i < nr; i++)
		length += (size_t)snprintf(fields.text + length, sizeof(fields.text) - length,
					   "%s%s (%s by %s)", separator(i, nr), named[i].field.text,
					   named[i].is_stored ? "written" : "used",
					   named[i].thread.text);
	return fields;
}
