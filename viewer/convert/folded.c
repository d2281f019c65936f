// SPDX-License-Identifier: GPL-2.0
#include "convert/folded.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/string_table.h"
#include "util/xalloc.h"

/* A frame's name: what would end it, or the line, becomes another sign. */
static void put_name(FILE *line, const char *name)
{
	for (; *name; name++) {
		unsigned char letter = (unsigned char)*name;

		fputc(letter == ';' ? ':' : letter < ' ' || letter == 127 ? '?' : letter, line);
	}
}

static void put_stack(const struct model *model, const struct stack_weights *weights,
		      const struct stack_weight *row, FILE *line)
{
	uint32_t frames[STACKS_MOST_FRAMES];
	size_t nr = stack_weight_frames(model, row, frames);

	put_name(line, trace_string(model->trace, model->threads[row->thread].comm));
	if (stacks_have_causes(weights->of)) {
		fputs(";[", line);
		put_name(line, row->cause ? trace_string(model->trace, row->cause) : "unknown");
		fputc(']', line);
	}
	for (size_t i = 0; i < nr; i++) {
		fputc(';', line);
		put_name(line, stack_frame_name(model, frames[i]));
	}
}

/* The id of the line of @row. */
static uint32_t intern_line(const struct model *model, const struct stack_weights *weights,
			    const struct stack_weight *row, struct string_table *lines)
{
	char *text = NULL;
	size_t bytes;
	FILE *line = open_memstream(&text, &bytes);
	uint32_t id = 0;

	if (line) {
		put_stack(model, weights, row, line);
		if (!fclose(line))
			id = string_table_intern(lines, text, bytes);
	}
	free(text);
	return id;
}

void convert_folded(const struct model *model, const struct stack_weights *weights, FILE *out)
{
	struct string_table *lines = string_table_new();
	uint64_t *sums = xcalloc(weights->nr + 1, sizeof(*sums));

	for (size_t i = 0; i < weights->nr; i++)
		sums[intern_line(model, weights, &weights->rows[i], lines)] +=
			weights->rows[i].weight;
	for (uint32_t id = 1; id < string_table_count(lines); id++)
		fprintf(out, "%s %" PRIu64 "\n", string_table_get(lines, id), sums[id]);
	free(sums);
	string_table_free(lines);
}
