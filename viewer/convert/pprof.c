// SPDX-License-Identifier: GPL-2.0
#include "convert/pprof.h"

#include <libdeflate.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "convert/protobuf.h"
#include "util/pair_table.h"
#include "util/string_table.h"
#include "util/text/utf8.h"
#include "util/xalloc.h"

#define GZIP_LEVEL 6

/* Fields of profile.proto. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_DURATION_NS = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	VALUE_TYPE = 1,
	VALUE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_STRING = 2,
	LABEL_NUMBER = 3,
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILES = 8,
	MAPPING_HAS_LINES = 9,
	MAPPING_HAS_INLINED = 10,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_NUMBER = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
};

struct profile {
	const struct model *model;
	const struct stack_weights *weights;
	struct protobuf message;
	struct string_table *strings; /* of the profile; the first is "" */
	struct pair_table functions; /* name and file */
	struct pair_table mappings; /* object, with 0 */
	bool *has_location; /* by frame */
};

/* What is no UTF-8 becomes '?': readers may refuse it. */
static uint64_t string_of(struct profile *profile, const char *text, size_t bytes)
{
	char *copy = xstrndup(text, bytes);
	uint64_t id;

	for (char *at = copy; *at;) {
		int length = utf8_sequence_bytes(at);

		if (!length)
			*at = '?';
		at += length ? length : 1;
	}
	id = string_table_intern(profile->strings, copy, strlen(copy));
	free(copy);
	return id;
}

static uint64_t word(struct profile *profile, const char *text)
{
	return string_of(profile, text, strlen(text));
}

static void put_value_type(struct profile *profile, unsigned int field, const char *type,
			   const char *unit)
{
	struct protobuf value = { 0 };

	protobuf_number(&value, VALUE_TYPE, word(profile, type));
	protobuf_number(&value, VALUE_UNIT, word(profile, unit));
	protobuf_message(&profile->message, field, &value);
	free(value.bytes);
}

static void put_types(struct profile *profile)
{
	const struct model *model = profile->model;
	size_t event = profile->weights->event;

	switch (profile->weights->of) {
	case STACKS_OFF_CPU:
	case STACKS_WAKERS:
		put_value_type(profile, PROFILE_SAMPLE_TYPE, "waits", "count");
		put_value_type(profile, PROFILE_SAMPLE_TYPE, "off-cpu", "nanoseconds");
		break;
	case STACKS_ON_CPU:
		put_value_type(profile, PROFILE_SAMPLE_TYPE,
			       profile->weights->is_profile ? "samples" : "stretches", "count");
		put_value_type(profile, PROFILE_SAMPLE_TYPE, "on-cpu", "nanoseconds");
		break;
	default:
		put_value_type(profile, PROFILE_SAMPLE_TYPE, "samples", "count");
		put_value_type(profile, PROFILE_SAMPLE_TYPE,
			       trace_string(model->trace, model->pmu_events[event].name), "count");
		put_value_type(profile, PROFILE_PERIOD_TYPE,
			       trace_string(model->trace, model->pmu_events[event].name), "count");
		protobuf_number(&profile->message, PROFILE_PERIOD, model->pmu_events[event].period);
	}
}

/* The id of the mapping of a frame's file. */
static uint64_t need_mapping(struct profile *profile, uint32_t frame)
{
	uint32_t object = profile->model->frames.object[frame];
	size_t before = profile->mappings.nr;
	uint64_t id = pair_table_number(&profile->mappings, object, 0) + 1;
	struct protobuf mapping = { 0 };

	if (profile->mappings.nr == before)
		return id;
	protobuf_number(&mapping, MAPPING_ID, id);
	protobuf_number(&mapping, MAPPING_FILE,
			word(profile, trace_string(profile->model->trace, object)));
	protobuf_number(&mapping, MAPPING_HAS_FUNCTIONS, 1);
	protobuf_number(&mapping, MAPPING_HAS_FILES, 1);
	protobuf_number(&mapping, MAPPING_HAS_LINES, 1);
	protobuf_number(&mapping, MAPPING_HAS_INLINED, 1);
	protobuf_message(&profile->message, PROFILE_MAPPING, &mapping);
	free(mapping.bytes);
	return id;
}

/* @file: a string of the profile. */
static uint64_t need_function(struct profile *profile, const char *name, uint64_t file)
{
	uint64_t name_id = word(profile, name);
	size_t before = profile->functions.nr;
	uint64_t id = pair_table_number(&profile->functions, (uint32_t)name_id, (uint32_t)file) + 1;
	struct protobuf function = { 0 };

	if (profile->functions.nr == before)
		return id;
	protobuf_number(&function, FUNCTION_ID, id);
	protobuf_number(&function, FUNCTION_NAME, name_id);
	protobuf_number(&function, FUNCTION_SYSTEM_NAME, name_id);
	protobuf_number(&function, FUNCTION_FILE, file);
	protobuf_message(&profile->message, PROFILE_FUNCTION, &function);
	free(function.bytes);
	return id;
}

/* A frame is a location of its own; inlined ones, too. */
static void need_location(struct profile *profile, uint32_t frame)
{
	const struct model *model = profile->model;
	const char *place = trace_string(model->trace, model->frames.line[frame]);
	const char *colon = strrchr(place, ':');
	struct protobuf location = { 0 }, line = { 0 };
	uint64_t file;

	if (profile->has_location[frame])
		return;
	profile->has_location[frame] = true;
	file = colon ? string_of(profile, place, (size_t)(colon - place)) : 0;
	protobuf_number(&line, LINE_FUNCTION,
			need_function(profile, stack_frame_name(model, frame), file));
	if (colon)
		protobuf_number(&line, LINE_NUMBER, strtoul(colon + 1, NULL, 10));
	protobuf_number(&location, LOCATION_ID, frame);
	protobuf_number(&location, LOCATION_MAPPING, need_mapping(profile, frame));
	protobuf_message(&location, LOCATION_LINE, &line);
	protobuf_message(&profile->message, PROFILE_LOCATION, &location);
	free(location.bytes);
	free(line.bytes);
}

static void put_label(struct profile *profile, struct protobuf *sample, const char *key,
		      const char *text, uint64_t number)
{
	struct protobuf label = { 0 };

	protobuf_number(&label, LABEL_KEY, word(profile, key));
	if (text)
		protobuf_number(&label, LABEL_STRING, word(profile, text));
	protobuf_number(&label, LABEL_NUMBER, number);
	protobuf_message(sample, SAMPLE_LABEL, &label);
	free(label.bytes);
}

static void put_row(struct profile *profile, const struct stack_weight *row)
{
	const struct model *model = profile->model;
	const struct thread *thread = &model->threads[row->thread];
	const uint64_t values[] = { row->nr, row->weight };
	uint32_t frames[STACKS_MOST_FRAMES];
	uint64_t locations[STACKS_MOST_FRAMES];
	struct protobuf sample = { 0 };
	size_t nr = stack_weight_frames(model, row, frames);

	for (size_t i = 0; i < nr; i++) {
		need_location(profile, frames[i]);
		/* The innermost comes first. */
		locations[nr - 1 - i] = frames[i];
	}
	protobuf_numbers(&sample, SAMPLE_LOCATION, locations, nr);
	protobuf_numbers(&sample, SAMPLE_VALUE, values, 2);
	put_label(profile, &sample, "thread", trace_string(model->trace, thread->comm), 0);
	put_label(profile, &sample, "tid", NULL, (uint64_t)thread->tid);
	if (stacks_have_causes(profile->weights->of))
		put_label(profile, &sample, "cause",
			  row->cause ? trace_string(model->trace, row->cause) : "unknown", 0);
	protobuf_message(&profile->message, PROFILE_SAMPLE, &sample);
	free(sample.bytes);
}

static void put_strings(struct profile *profile)
{
	for (uint32_t id = 0; id < string_table_count(profile->strings); id++) {
		const char *text = string_table_get(profile->strings, id);

		protobuf_bytes(&profile->message, PROFILE_STRING, text, strlen(text));
	}
}

static void write_gzip(const struct protobuf *message, FILE *out)
{
	struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(GZIP_LEVEL);
	size_t most = libdeflate_gzip_compress_bound(compressor, message->nr);
	uint8_t *packed = xcalloc(most, 1);
	size_t nr = libdeflate_gzip_compress(compressor, message->bytes, message->nr, packed, most);

	fwrite(packed, 1, nr, out);
	free(packed);
	libdeflate_free_compressor(compressor);
}

void convert_pprof(const struct model *model, const struct stack_weights *weights, FILE *out)
{
	struct profile profile = {
		.model = model,
		.weights = weights,
		.strings = string_table_new(),
		.has_location = xcalloc(model->frames.nr + 1, sizeof(bool)),
	};

	put_types(&profile);
	for (size_t i = 0; i < weights->nr; i++)
		put_row(&profile, &weights->rows[i]);
	protobuf_number(&profile.message, PROFILE_DURATION_NS, model->duration_ns);
	put_strings(&profile);
	write_gzip(&profile.message, out);
	free(profile.message.bytes);
	free(profile.has_location);
	string_table_free(profile.strings);
	pair_table_free(&profile.functions);
	pair_table_free(&profile.mappings);
}
