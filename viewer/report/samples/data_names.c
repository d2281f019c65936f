// SPDX-License-Identifier: GPL-2.0
#include "report/samples/data_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#include "symbols/debug_info/data_field.h"
#include "symbols/data_owner.h"
#include "util/xalloc.h"

#define MOST_NAMES 3
#define MOST_COUNTED 32 /* of those that come later, none is counted */

struct name_count {
	uint32_t name;
	uint64_t nr;
};

/*
 * An instruction that walks through an array accesses one field of many elements: "[1].hits" becomes "[].hits". At the
 * end, the brackets tell nothing. Returns the bytes put.
 */
static size_t put_field(char *text, const char *path)
{
	size_t bytes = 0;

	for (; *path; path++) {
		text[bytes++] = *path;
		if (*path == '[')
			path += strcspn(path, "]") - 1;
	}
	while (bytes >= 2 && !strncmp(text + bytes - 2, "[]", 2))
		bytes -= 2;
	text[bytes] = '\0';
	return bytes;
}

/* With its field, if that is known. */
static uint32_t name_of_place(const struct model *model, const struct symbol_location *place)
{
	char field[DATA_FIELD_BYTES];
	uint32_t id = place->known ? place->symbol : place->object;
	char *name;

	if (!place->has_field || !put_field(field, trace_string(model->trace, place->field)))
		return id;
	name = xasprintf("%s%s", trace_string(model->trace, place->symbol), field);
	id = trace_intern(model->trace, name);
	free(name);
	return id;
}

static bool is_alike(const struct model *model, size_t sample, size_t like)
{
	const struct sample_table *samples = &model->samples;

	return samples->has[sample] & ANNOT_SAMPLE_HAS_ADDR &&
	       samples->event[sample] == samples->event[like] &&
	       samples->ip[sample] == samples->ip[like] &&
	       samples->thread[sample] != MODEL_NO_THREAD &&
	       model->threads[samples->thread[sample]].tgid ==
		       model->threads[samples->thread[like]].tgid;
}

static void count_name(struct name_count *counts, size_t *nr, uint32_t name)
{
	for (size_t i = 0; i < *nr; i++) {
		if (counts[i].name == name) {
			counts[i].nr++;
			return;
		}
	}
	if (*nr < MOST_COUNTED)
		counts[(*nr)++] = (struct name_count){ .name = name, .nr = 1 };
}

static int compare_counts(const void *a, const void *b)
{
	const struct name_count *first = a, *second = b;

	if (first->nr != second->nr)
		return first->nr > second->nr ? -1 : 1;
	return first->name < second->name ? -1 : first->name > second->name;
}

static struct data_names text_of(const struct model *model, const struct name_count *counts,
				 size_t nr)
{
	struct data_names names = { "" };
	int bytes = 0;

	for (size_t i = 0; i < nr && i < MOST_NAMES; i++)
		bytes += snprintf(names.text + bytes, sizeof(names.text) - (size_t)bytes, "%s%.40s",
				  i ? ", " : "", trace_string(model->trace, counts[i].name));
	return names;
}

struct data_names data_names_of_instruction(const struct model *model, struct symbols *symbols,
					    size_t like)
{
	struct name_count counts[MOST_COUNTED];
	struct data_owners *owners;
	size_t nr = 0;

	if (!symbols || model->samples.thread[like] == MODEL_NO_THREAD)
		return (struct data_names){ "" };
	owners = data_owners_new(model, symbols);
	for (size_t sample = 0; sample < model->samples.nr; sample++) {
		struct symbol_location place;
		struct data_owner owner;

		if (!is_alike(model, sample, like))
			continue;
		owner = data_owner_of(owners, sample);
		if (data_owner_place(owners, sample, &owner, &place))
			count_name(counts, &nr, name_of_place(model, &place));
	}
	data_owners_free(owners);
	qsort(counts, nr, sizeof(*counts), compare_counts);
	return text_of(model, counts, nr);
}
