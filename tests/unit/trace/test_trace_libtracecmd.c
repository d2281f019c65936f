// SPDX-License-Identifier: GPL-2.0
/*
 * What we read of a trace.dat against what libtracecmd reads of it: each event's time, CPU, thread,
 * name and bytes, which events were lost before it, and where the fields of each kind of event lie.
 *
 * Usage: test_trace_libtracecmd [FILE]... (by default: all of tests/data)
 */
#include <glob.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <trace-cmd/trace-cmd.h>

#include "trace/file/trace_file_open.h"
#include "trace/file/event_format.h"
#include "trace/file/merge.h"

#define NR_EVENT_IDS 65536

/* libtracecmd loses what sscanf("%m[") gave it; nothing here calls that. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:__vfscanf_internal";
}

/* The formats that a file tells, as our parser has them; by id. */
struct formats {
	struct event_format *of_id[NR_EVENT_IDS];
	int nr;
};

/* One file, opened by both. */
struct both {
	struct formats *formats;
	struct trace_file file;
	struct merge merge;
	struct tracecmd_input *theirs;
	struct tracecmd_input *buffers[TRACE_FILE_MAX_BUFFERS]; /* of theirs, in our order */
	struct tep_handle *tep;
	uint64_t nr_records;
};

static void add_format(void *context, const char *system, const char *text)
{
	struct event_format *format = malloc(sizeof(*format));
	struct formats *formats = context;

	(void)system;
	assert_non_null(format);
	if (event_format_parse(text, format)) {
		free(format);
		return;
	}
	format->print = NULL;
	assert_in_range(format->id, 0, NR_EVENT_IDS - 1);
	assert_null(formats->of_id[format->id]);
	formats->of_id[format->id] = format;
	formats->nr++;
}

static void free_formats(struct formats *formats)
{
	for (int id = 0; id < NR_EVENT_IDS; id++)
		free(formats->of_id[id]);
	free(formats);
}

/* libtraceevent takes an array without a length, which goes to the record's end, for one element. */
static bool goes_to_the_end(const struct event_field *ours)
{
	return ours->location == FIELD_IN_PLACE && !ours->size;
}

static int check_fields(const struct event_format *format, struct tep_format_field *theirs)
{
	int nr = 0;

	for (; theirs; theirs = theirs->next, nr++) {
		const struct event_field *ours = event_format_field(format, theirs->name);
		bool is_place = theirs->flags & TEP_FIELD_IS_DYNAMIC;
		bool is_relative = theirs->flags & TEP_FIELD_IS_RELATIVE;

		assert_non_null(ours);
		assert_int_equal(ours->offset, theirs->offset);
		if (!goes_to_the_end(ours))
			assert_int_equal(ours->size, theirs->size);
		assert_int_equal(ours->location == FIELD_DATA_LOC, is_place && !is_relative);
		assert_int_equal(ours->location == FIELD_REL_LOC, is_place && is_relative);
	}
	return nr;
}

static void check_formats(const struct formats *formats, struct tep_handle *tep)
{
	for (int id = 0; id < NR_EVENT_IDS; id++) {
		const struct event_format *ours = formats->of_id[id];
		struct tep_event *theirs;

		if (!ours)
			continue;
		theirs = tep_find_event(tep, id);
		assert_non_null(theirs);
		assert_string_equal(ours->name, theirs->name);
		assert_int_equal(check_fields(ours, theirs->format.common_fields) +
					 check_fields(ours, theirs->format.fields),
				 ours->nr_fields);
	}
}

static int32_t tid_of(const struct both *both, const struct raw_record *record)
{
	const struct event_format *format =
		both->formats->of_id[load_u16(record->data, both->file.swap)];

	assert_non_null(format);
	return (int32_t)load_u32(record->data + event_format_field(format, "common_pid")->offset,
				 both->file.swap);
}

static void check_loss(const struct raw_record *ours, const struct tep_record *theirs)
{
	assert_int_equal(ours->missed, theirs->missed_events != 0);
	if (theirs->missed_events > 0)
		assert_int_equal(ours->nr_missed, theirs->missed_events);
	else
		assert_int_equal(ours->nr_missed, 0);
}

/* Theirs number the CPUs of each buffer from 0. */
static struct tep_record *next_of_theirs(const struct both *both, int place)
{
	int buffer = both->file.cpus[place].buffer, first = place;

	while (first && both->file.cpus[first - 1].buffer == buffer)
		first--;
	return tracecmd_read_data(both->buffers[buffer], place - first);
}

static void check_record(const struct both *both, const struct merge_source *source)
{
	const struct raw_record *ours = &source->record;
	struct tep_record *theirs = next_of_theirs(both, (int)(source - both->merge.sources));

	assert_non_null(theirs);
	assert_int_equal(source->cpu, theirs->cpu);
	assert_int_equal(ours->time_ns, theirs->ts);
	assert_int_equal(ours->size, theirs->size);
	assert_memory_equal(ours->data, theirs->data, ours->size);
	assert_int_equal(tid_of(both, ours), tep_data_pid(both->tep, theirs));
	assert_int_equal(load_u16(ours->data, both->file.swap), tep_data_type(both->tep, theirs));
	check_loss(ours, theirs);
	tracecmd_free_record(theirs);
}

static bool in_order(const struct merge_source *before, uint64_t time_ns,
		     const struct merge_source *source)
{
	if (!before || time_ns < source->record.time_ns)
		return true;
	return time_ns == source->record.time_ns && before->cpu <= source->cpu;
}

static void check_records(struct both *both)
{
	struct merge_source *source, *before = NULL;
	uint64_t time_ns = 0;

	while ((source = merge_head(&both->merge))) {
		assert_true(in_order(before, time_ns, source));
		before = source;
		time_ns = source->record.time_ns;
		check_record(both, source);
		assert_int_equal(merge_advance(&both->merge), 0);
		both->nr_records++;
	}
	for (int i = 0; i < both->file.nr_cpus; i++)
		assert_null(next_of_theirs(both, i));
}

static struct tracecmd_input *buffer_of_theirs(struct tracecmd_input *theirs, const char *name)
{
	if (!name[0])
		return theirs;
	for (int i = 0; i < tracecmd_buffer_instances(theirs); i++) {
		if (!strcmp(tracecmd_buffer_instance_name(theirs, i), name))
			return tracecmd_buffer_instance_handle(theirs, i);
	}
	return NULL;
}

static void open_buffers(struct both *both)
{
	for (int i = 0; i < both->file.nr_buffers; i++) {
		both->buffers[i] = buffer_of_theirs(both->theirs, both->file.buffers[i].name);
		assert_non_null(both->buffers[i]);
	}
}

static void close_buffers(struct both *both)
{
	for (int i = 0; i < both->file.nr_buffers; i++) {
		if (both->buffers[i] != both->theirs)
			tracecmd_close(both->buffers[i]);
	}
	tracecmd_close(both->theirs);
}

static void test_file(void **state)
{
	struct both both = { .formats = calloc(1, sizeof(*both.formats)) };
	const char *path = *state;

	assert_non_null(both.formats);
	assert_int_equal(trace_file_open(&both.file, path, add_format, both.formats), 0);
	both.theirs = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	assert_non_null(both.theirs);
	both.tep = tracecmd_get_tep(both.theirs);
	check_formats(both.formats, both.tep);
	open_buffers(&both);
	assert_int_equal(merge_open(&both.merge, &both.file, 0), 0);
	check_records(&both);
	assert_true(both.formats->nr && both.nr_records);
	print_message("# %s: %d formats, %" PRIu64 " events in %d buffers\n", path,
		      both.formats->nr, both.nr_records, both.file.nr_buffers);
	merge_close(&both.merge);
	close_buffers(&both);
	trace_file_close(&both.file);
	free_formats(both.formats);
}

int main(int argc, char **argv)
{
	char **paths = argv + 1;
	struct CMUnitTest *tests;
	glob_t found = { 0 };
	int failed;

	if (argc == 1) {
		if (glob("tests/data/*.dat", 0, NULL, &found))
			return EXIT_FAILURE;
		paths = found.gl_pathv;
		argc = (int)found.gl_pathc + 1;
	}
	tests = calloc((size_t)argc, sizeof(*tests));
	if (!tests)
		return EXIT_FAILURE;
	for (int i = 0; i < argc - 1; i++) {
		tests[i] = (struct CMUnitTest){
			.name = paths[i],
			.test_func = test_file,
			.initial_state = paths[i],
		};
	}
	failed = _cmocka_run_group_tests("libtracecmd", tests, (size_t)argc - 1, NULL, NULL);
	free(tests);
	globfree(&found);
	return failed;
}
