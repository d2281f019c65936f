// SPDX-License-Identifier: GPL-2.0
#include "convert/speedscope.h"

#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"
#include "util/file_path.h"
#include "util/text/json.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

enum frame_kind {
	FRAME_OF_STACK, /* a row of model.frames */
	FRAME_OF_CAUSE, /* a string */
};

struct speedscope {
	const struct model *model;
	const struct stack_weights *weights;
	struct json json;
	struct pair_table numbers; /* of frames: id and kind */
	size_t nr_frames;
	size_t capacity;
	struct {
		uint32_t id;
		enum frame_kind kind;
	} * frames; /* by number */
};

static void put_frame(struct speedscope *file, uint32_t id, enum frame_kind kind)
{
	size_t number = pair_table_number(&file->numbers, id, kind);

	if (number == file->nr_frames) {
		ARRAY_MAKE_ROOM(file->frames, file->nr_frames, file->capacity);
		file->frames[file->nr_frames].id = id;
		file->frames[file->nr_frames++].kind = kind;
	}
	json_u64(&file->json, number);
}

static void put_stack(struct speedscope *file, const struct stack_weight *row)
{
	uint32_t frames[STACKS_MOST_FRAMES];
	size_t nr = stack_weight_frames(file->model, row, frames);

	json_begin_array(&file->json);
	if (stacks_have_causes(file->weights->of))
		put_frame(file, row->cause, FRAME_OF_CAUSE);
	for (size_t i = 0; i < nr; i++)
		put_frame(file, frames[i], FRAME_OF_STACK);
	json_end_array(&file->json);
}

/* Returns what belongs to all of them. */
static uint64_t put_samples(struct speedscope *file, uint32_t thread)
{
	uint64_t sum = 0;

	json_key(&file->json, "samples");
	json_begin_array(&file->json);
	for (size_t i = 0; i < file->weights->nr; i++) {
		const struct stack_weight *row = &file->weights->rows[i];

		if (row->thread != thread)
			continue;
		put_stack(file, row);
		sum += row->weight;
	}
	json_end_array(&file->json);
	return sum;
}

static void put_weights(struct speedscope *file, uint32_t thread)
{
	json_key(&file->json, "weights");
	json_begin_array(&file->json);
	for (size_t i = 0; i < file->weights->nr; i++) {
		if (file->weights->rows[i].thread == thread)
			json_u64(&file->json, file->weights->rows[i].weight);
	}
	json_end_array(&file->json);
}

static void put_profile(struct speedscope *file, uint32_t thread)
{
	const struct model *model = file->model;
	const char *comm = trace_string(model->trace, model->threads[thread].comm);
	char *name = xasprintf("%s (%d)", comm, model->threads[thread].tid);
	struct json *json = &file->json;
	uint64_t sum;

	json_begin_object(json);
	json_key_string(json, "type", "sampled");
	json_key_string(json, "name", name);
	json_key_string(json, "unit", file->weights->of == STACKS_MISSES ? "none" : "nanoseconds");
	sum = put_samples(file, thread);
	put_weights(file, thread);
	json_key_u64(json, "startValue", 0);
	json_key_u64(json, "endValue", sum);
	json_end_object(json);
	free(name);
}

static void put_profiles(struct speedscope *file)
{
	bool *is_done = xcalloc(file->model->nr_threads, sizeof(*is_done));

	json_key(&file->json, "profiles");
	json_begin_array(&file->json);
	for (size_t i = 0; i < file->weights->nr; i++) {
		uint32_t thread = file->weights->rows[i].thread;

		if (!is_done[thread])
			put_profile(file, thread);
		is_done[thread] = true;
	}
	json_end_array(&file->json);
	free(is_done);
}

/* As "source.c:12". */
static void put_place(struct json *json, const char *place)
{
	const char *colon = strrchr(place, ':');
	char *source;

	if (!colon)
		return;
	source = xstrndup(place, (size_t)(colon - place));
	json_key_string(json, "file", source);
	json_key_u64(json, "line", strtoul(colon + 1, NULL, 10));
	free(source);
}

static void put_frame_names(struct speedscope *file, uint32_t id, enum frame_kind kind)
{
	const struct model *model = file->model;
	char *name;

	json_begin_object(&file->json);
	if (kind == FRAME_OF_CAUSE) {
		name = xasprintf("[%s]", id ? trace_string(model->trace, id) : "unknown");
		json_key_string(&file->json, "name", name);
		free(name);
	} else {
		json_key_string(&file->json, "name", stack_frame_name(model, id));
		put_place(&file->json, trace_string(model->trace, model->frames.line[id]));
	}
	json_end_object(&file->json);
}

/* All that profiles have named by their numbers. */
static void put_frames(struct speedscope *file)
{
	json_key(&file->json, "shared");
	json_begin_object(&file->json);
	json_key(&file->json, "frames");
	json_begin_array(&file->json);
	for (size_t i = 0; i < file->nr_frames; i++)
		put_frame_names(file, file->frames[i].id, file->frames[i].kind);
	json_end_array(&file->json);
	json_end_object(&file->json);
}

void convert_speedscope(const struct model *model, const struct stack_weights *weights, FILE *out)
{
	struct speedscope file = { .model = model, .weights = weights };
	struct json *json = &file.json;

	json_init(json, out, JSON_COMPACT);
	json_begin_object(json);
	json_key_string(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_key_string(json, "name", file_path_name(trace_info(model->trace)->path));
	json_key_string(json, "exporter", "annot " ANNOT_VERSION);
	put_profiles(&file);
	put_frames(&file);
	json_end_object(json);
	fputc('\n', out);
	free(file.frames);
	pair_table_free(&file.numbers);
}
