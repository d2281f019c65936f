// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decoder.h"

#include <stdlib.h>
#include <string.h>

#include "trace/decode_internal.h"
#include "util/xalloc.h"

#define CLONE_THREAD_FLAG 0x00010000u /* CLONE_THREAD of linux/sched.h */

static void remember_child(struct decoder *decoder, int32_t tid)
{
	size_t word = (size_t)tid / 64;

	if (tid < 0 || tid >= 1 << 22) /* the kernel's PID_MAX_LIMIT */
		return;
	if (word >= decoder->known_children_words) {
		size_t words = grown_capacity(decoder->known_children_words, word + 1);

		decoder->known_children = xrealloc_array(decoder->known_children, words,
							 sizeof(*decoder->known_children));
		memset(decoder->known_children + decoder->known_children_words, 0,
		       (words - decoder->known_children_words) * sizeof(*decoder->known_children));
		decoder->known_children_words = words;
	}
	decoder->known_children[word] |= 1ull << (tid % 64);
}

/* Whether task_newtask told of the child; its next fork is another child of the same number. */
static bool forget_child(struct decoder *decoder, int32_t tid)
{
	size_t word = (size_t)tid / 64;
	uint64_t bit = 1ull << ((uint32_t)tid % 64);

	if (tid < 0 || word >= decoder->known_children_words)
		return false;
	if (!(decoder->known_children[word] & bit))
		return false;
	decoder->known_children[word] &= ~bit;
	return true;
}

static bool decode_newtask(struct decoder *decoder, const struct layout *layout,
			   const struct raw_record *record, struct trace_event *event)
{
	const struct field_place *field = layout->fields;

	event->kind = TRACE_FORK;
	event->fork.child_tid = get_i32(decoder, &field[0], record);
	event->fork.comm = get_string(decoder, &field[1], record);
	event->fork.thread_known = true;
	event->fork.is_thread = get_unsigned(decoder, &field[2], record) & CLONE_THREAD_FLAG;
	remember_child(decoder, event->fork.child_tid);
	return true;
}

static bool decode_fork(struct decoder *decoder, const struct layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	const struct field_place *field = layout->fields;

	event->kind = TRACE_FORK;
	event->fork.comm = get_string(decoder, &field[0], record);
	event->fork.child_tid = get_i32(decoder, &field[1], record);
	event->fork.thread_known = false;
	event->fork.is_thread = false;
	return !forget_child(decoder, event->fork.child_tid);
}

static bool decode_rename(struct decoder *decoder, const struct layout *layout,
			  const struct raw_record *record, struct trace_event *event)
{
	const struct field_place *field = layout->fields;

	event->kind = TRACE_RENAME;
	event->rename.subject_tid = get_i32(decoder, &field[0], record);
	event->rename.comm = get_string(decoder, &field[1], record);
	event->rename.is_exec = false;
	event->rename.exec_old_tid = event->rename.subject_tid;
	return true;
}

/* The kernel names a program after the last part of its path, cut to what a comm holds. */
static uint32_t comm_of_program(struct decoder *decoder, const char *path, size_t bytes)
{
	const char *slash;

	bytes = strnlen(path, bytes);
	/* fexecve(): the path is not the program's. */
	if (bytes > 8 && !memcmp(path, "/dev/fd/", 8))
		return TRACE_NO_STRING;
	slash = memrchr(path, '/', bytes);
	if (slash) {
		bytes -= (size_t)(slash + 1 - path);
		path = slash + 1;
	}
	return string_table_intern(decoder->strings, path,
				   bytes < COMM_BYTES ? bytes : COMM_BYTES - 1);
}

static bool decode_exec(struct decoder *decoder, const struct layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	const struct field_place *field = layout->fields;
	size_t bytes;
	const char *path = get_bytes(decoder, &field[0], record, &bytes);

	event->kind = TRACE_RENAME;
	event->rename.comm = comm_of_program(decoder, path, bytes);
	event->rename.subject_tid = get_i32(decoder, &field[1], record);
	event->rename.is_exec = true;
	event->rename.exec_old_tid = get_i32(decoder, &field[2], record);
	return true;
}

static bool decode_exit(struct decoder *decoder, const struct layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	event->kind = TRACE_EXIT;
	event->tid = get_i32(decoder, &layout->fields[0], record);
	raw_forget_thread(decoder->raw, event->tid);
	return true;
}

static const struct event_spec specs[] = {
	{ "sched",
	  "sched_switch",
	  decode_switch,
	  { "prev_comm", "prev_pid", "prev_state", "next_comm", "next_pid" },
	  { NULL } },
	{ "sched",
	  "sched_wakeup",
	  decode_wakeup,
	  { "comm", "pid", "target_cpu", "common_flags" },
	  { NULL } },
	{ "sched",
	  "sched_wakeup_new",
	  decode_wakeup_new,
	  { "comm", "pid", "target_cpu", "common_flags" },
	  { NULL } },
	{ "sched",
	  "sched_waking",
	  decode_waking,
	  { "comm", "pid", "target_cpu", "common_flags" },
	  { NULL } },
	{ "sched",
	  "sched_migrate_task",
	  decode_migrate,
	  { "comm", "pid", "orig_cpu", "dest_cpu" },
	  { NULL } },
	{ "task", "task_newtask", decode_newtask, { "pid", "comm", "clone_flags" }, { NULL } },
	{ "sched", "sched_process_fork", decode_fork, { "child_comm", "child_pid" }, { NULL } },
	{ "task", "task_rename", decode_rename, { "pid", "newcomm" }, { NULL } },
	{ "sched", "sched_process_exec", decode_exec, { "filename", "pid", "old_pid" }, { NULL } },
	{ "sched", "sched_process_exit", decode_exit, { "pid" }, { NULL } },
	{ "annot",
	  "annot_begin",
	  decode_annot_begin,
	  { "name", "value", "tgid", "has_value", "kind" },
	  { "ago_ns" } },
	{ "annot", "annot_end", decode_annot_end, { "tgid" }, { "ago_ns" } },
	{ "annot",
	  "annot_mark",
	  decode_annot_mark,
	  { "name", "value", "tgid", "has_value" },
	  { "ago_ns" } },
	{ "annot",
	  "annot_counter",
	  decode_annot_counter,
	  { "name", "value", "tgid" },
	  { "ago_ns" } },
	{ "annot",
	  "annot_batch",
	  decode_annot_batch,
	  { "tgid", "table", "nr", "records" },
	  { "counts", "nr_counts", "invalid" } },
	{ "annot", "annot_name", decode_annot_name, { "id", "table", "name" }, { NULL } },
	{ "annot", "annot_lost", decode_annot_lost, { "nr", "reason" }, { NULL } },
	{ "annot", "annot_config", decode_annot_config, { "text" }, { NULL } },
	{ "annot",
	  "annot_sample",
	  decode_annot_sample,
	  { "ip", "addr", "weight", "data_src", "period", "regs", "event", "precise", "has" },
	  { NULL } },
	{ "annot",
	  "annot_slice_counts",
	  decode_annot_slice_counts,
	  { "nr", "invalid", "until", "counts" },
	  { NULL } },
	{ "annot",
	  "annot_pmu_state",
	  decode_annot_pmu_state,
	  { "value", "event", "state" },
	  { NULL } },
	{ "ftrace", "print", decode_print, { "buf" }, { NULL } },
	{ "ftrace", "raw_data", decode_raw_data, { "id", "buf" }, { NULL } },
};

struct decoder *decoder_new(struct string_table *strings, struct trace_annotation_counts *counts,
			    uint64_t *nr_damaged)
{
	struct decoder *decoder = xcalloc(1, sizeof(*decoder));

	decoder->strings = strings;
	decoder->counts = counts;
	decoder->nr_damaged = nr_damaged;
	decoder->names = name_table_new(strings);
	decoder->raw = raw_reader_new(strings, counts);
	decoder->layouts = xcalloc(sizeof(specs) / sizeof(specs[0]), sizeof(*decoder->layouts));
	sched_set_states(decoder, "");
	return decoder;
}

void decoder_free(struct decoder *decoder)
{
	if (!decoder)
		return;
	name_table_free(decoder->names);
	raw_reader_free(decoder->raw);
	repeats_free(decoder->repeats);
	free(decoder->layouts);
	free(decoder->known_children);
	free(decoder);
}

void decoder_set_swap(struct decoder *decoder, bool swap)
{
	decoder->swap = swap;
}

void decoder_set_clock(struct decoder *decoder, const char *clock)
{
	decoder->is_mono = !strcmp(clock, "mono");
}

void decoder_set_repeats(struct decoder *decoder)
{
	decoder->repeats = repeats_new();
}

static bool field_is_readable(const struct event_field *field)
{
	/* A number of 1, 2, 4 or 8 bytes, a place of 4, or an array of whatever length. */
	return field->location == FIELD_IN_PLACE || field->size == 4;
}

static bool resolve_field(struct layout *layout, const struct event_format *format,
			  const char *name, struct field_place *resolved)
{
	const struct event_field *field = event_format_field(format, name);
	uint32_t end;

	if (!field || !field_is_readable(field))
		return false;
	end = (uint32_t)field->offset + field->size;
	if (end > layout->min_bytes)
		layout->min_bytes = end;
	*resolved = (struct field_place){
		.offset = field->offset,
		.size = field->size,
		.location = field->location,
	};
	return true;
}

static enum trace_damage damage_of(const struct event_spec *spec)
{
	if (spec->decode == decode_annot_sample)
		return TRACE_DAMAGED_SAMPLE;
	if (spec->decode == decode_annot_slice_counts)
		return TRACE_DAMAGED_SLICE_COUNTS;
	if (spec->decode == decode_annot_pmu_state)
		return TRACE_DAMAGED_PMU_STATE;
	return TRACE_DAMAGED_OTHER;
}

static bool resolve_layout(struct layout *layout, const struct event_spec *spec,
			   const struct event_format *format)
{
	*layout = (struct layout){ .decode = spec->decode, .damage = damage_of(spec) };
	if (!resolve_field(layout, format, "common_pid", &layout->common_pid))
		return false;
	for (int i = 0; i < MAX_ARGUMENTS && spec->arguments[i]; i++) {
		if (!resolve_field(layout, format, spec->arguments[i], &layout->fields[i]))
			return false;
	}
	layout->has_optionals = spec->optionals[0];
	for (int i = 0; i < MAX_OPTIONALS && spec->optionals[i] && layout->has_optionals; i++)
		layout->has_optionals = resolve_field(layout, format, spec->optionals[i],
						      &layout->optionals[i]);
	return true;
}

static const struct event_spec *find_spec(const char *system, const char *name)
{
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		if (!strcmp(specs[i].system, system) && !strcmp(specs[i].name, name))
			return &specs[i];
	}
	return NULL;
}

static bool system_is_wanted(const char *system)
{
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		if (!strcmp(specs[i].system, system))
			return true;
	}
	return false;
}

void decoder_add_format(void *context, const char *system, const char *text)
{
	struct decoder *decoder = context;
	const struct event_spec *spec;
	struct event_format format;

	if (!system_is_wanted(system) || event_format_parse(text, &format))
		return;
	other_take_format(decoder, &format);
	spec = find_spec(system, format.name);
	if (!spec || format.id < 0 || format.id >= NR_EVENT_IDS)
		return;
	/* A file tells of an event twice only when it is damaged: the table is full then. */
	if (decoder->nr_layouts == (int)(sizeof(specs) / sizeof(specs[0])))
		return;
	if (!resolve_layout(&decoder->layouts[decoder->nr_layouts], spec, &format))
		return;
	if (spec->decode == decode_switch)
		sched_set_states(decoder, format.print);
	decoder->layouts[decoder->nr_layouts].plain =
		sched_plain_layout(&decoder->layouts[decoder->nr_layouts]);
	decoder->layout_of_id[format.id] = (uint8_t)++decoder->nr_layouts;
}

bool decode_damaged(struct decoder *decoder, enum trace_damage damage)
{
	decoder->nr_damaged[damage]++;
	return false;
}

bool decoder_decode(struct decoder *decoder, const struct raw_record *record,
		    struct trace_event *event)
{
	const struct layout *layout;
	uint8_t at;

	if (!batch_is_over(&decoder->batch))
		return decode_counts_of_batch(decoder, event) ||
		       batch_next(&decoder->batch, decoder->counts, event);
	if (record->size < 2)
		return false;
	at = decoder->layout_of_id[read_u16(record->data, decoder->swap)];
	if (!at)
		return decode_other(decoder, record, event);
	if (decoder->repeats && repeats_has(decoder->repeats, event->cpu, record))
		return false;
	layout = &decoder->layouts[at - 1];
	if (record->size < layout->min_bytes)
		return decode_damaged(decoder, layout->damage);
	if (layout->plain && !decoder->swap) {
		sched_decode_plain(decoder, layout, record, event);
		return true;
	}
	event->tid = get_i32(decoder, &layout->common_pid, record);
	event->annot.owner_tid = 0;
	return layout->decode(decoder, layout, record, event);
}

bool decoder_wants_again(const struct decoder *decoder)
{
	return !batch_is_over(&decoder->batch);
}
