// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decoder.h"

#include <stdlib.h>
#include <string.h>

#include "trace/decode/decode_annot.h"
#include "trace/decode/decode_block.h"
#include "trace/decode/decode_blocked.h"
#include "trace/decode/decode_hotplug.h"
#include "trace/decode/decode_interrupt.h"
#include "trace/decode/decode_ipi.h"
#include "trace/decode/decode_kernel.h"
#include "trace/decode/decode_other.h"
#include "trace/decode/decode_pmu.h"
#include "trace/decode/decode_power.h"
#include "trace/decode/decode_printk.h"
#include "trace/decode/decode_sched.h"
#include "trace/decode/decode_stack.h"
#include "trace/decode/decode_task.h"
#include "trace/decode/decode_thread_marks.h"
#include "trace/decode/decode_timer.h"
#include "trace/decode/fields.h"
#include "util/xalloc.h"

#define MAX_LAYOUTS 4096

#define VECTOR(name)                                                                   \
	{ "irq_vectors", name "_entry", decode_vector_entry, { "vector" }, { NULL } }, \
	{                                                                              \
		"irq_vectors", name "_exit", decode_vector_exit, { "vector" },         \
		{                                                                      \
			NULL                                                           \
		}                                                                      \
	}

static const struct event_spec event_specs[] = {
	{ "sched",
	  "sched_switch",
	  decode_sched_switch,
	  { "prev_comm", "prev_pid", "prev_state", "next_comm", "next_pid" },
	  { "next_prio" } },
	{ "sched",
	  "sched_wakeup",
	  decode_sched_wakeup,
	  { "comm", "pid", "target_cpu", "common_flags" },
	  { NULL } },
	{ "sched",
	  "sched_wakeup_new",
	  decode_sched_wakeup_new,
	  { "comm", "pid", "target_cpu", "common_flags" },
	  { NULL } },
	{ "sched",
	  "sched_waking",
	  decode_sched_waking,
	  { "comm", "pid", "target_cpu", "common_flags" },
	  { NULL } },
	{ "sched",
	  "sched_migrate_task",
	  decode_sched_migrate,
	  { "comm", "pid", "orig_cpu", "dest_cpu" },
	  { NULL } },
	{ "task", "task_newtask", decode_task_newtask, { "pid", "comm", "clone_flags" }, { NULL } },
	{ "sched",
	  "sched_process_fork",
	  decode_task_fork,
	  { "child_comm", "child_pid" },
	  { NULL } },
	{ "task", "task_rename", decode_task_rename, { "pid", "newcomm" }, { NULL } },
	{ "sched",
	  "sched_process_exec",
	  decode_task_exec,
	  { "filename", "pid", "old_pid" },
	  { NULL } },
	{ "sched", "sched_process_exit", decode_task_exit, { "pid" }, { NULL } },
	{ "sched",
	  "sched_pi_setprio",
	  decode_inherited_priority,
	  { "pid", "oldprio", "newprio" },
	  { NULL } },
	{ "cpuhp",
	  "cpuhp_enter",
	  decode_hotplug_enter,
	  { "cpu", "target", "idx", "fun" },
	  { NULL } },
	{ "cpuhp",
	  "cpuhp_multi_enter",
	  decode_hotplug_enter,
	  { "cpu", "target", "idx", "fun" },
	  { NULL } },
	{ "cpuhp", "cpuhp_exit", decode_hotplug_exit, { "cpu", "idx", "ret" }, { NULL } },
	{ "cgroup", "cgroup_attach_task", decode_cgroup_move, { "pid", "dst_path" }, { NULL } },
	{ "cgroup", "cgroup_transfer_tasks", decode_cgroup_move, { "pid", "dst_path" }, { NULL } },
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
	  { "stack" } },
	{ "annot",
	  "annot_stack",
	  decode_annot_stack,
	  { "id", "tgid", "kind", "complete", "ips" },
	  { NULL } },
	{ "annot",
	  "annot_slice_counts",
	  decode_annot_slice_counts,
	  { "nr", "invalid", "ended_by", "counts" },
	  { NULL } },
	{ "annot",
	  "annot_pmu_state",
	  decode_annot_pmu_state,
	  { "value", "event", "state" },
	  { NULL } },
	{ "annot",
	  "annot_blocked",
	  decode_annot_blocked,
	  { "nr", "arg0", "arg1", "what", "object", "detail", "holder", "flags", "name" },
	  { "stack" } },
	{ "annot", "annot_waking", decode_annot_waking, { "pid", "stack" }, { NULL } },
	{ "irq", "irq_handler_entry", decode_hardirq_entry, { "irq", "name" }, { NULL } },
	{ "irq", "irq_handler_exit", decode_hardirq_exit, { "irq" }, { NULL } },
	{ "irq", "softirq_entry", decode_softirq_entry, { "vec" }, { NULL } },
	{ "irq", "softirq_exit", decode_softirq_exit, { "vec" }, { NULL } },
	{ "irq", "tasklet_entry", decode_tasklet_entry, { "tasklet", "func" }, { NULL } },
	{ "irq", "tasklet_exit", decode_tasklet_exit, { "tasklet" }, { NULL } },
	{ "ipi", "ipi_entry", decode_ipi_entry, { "reason" }, { NULL } },
	{ "ipi", "ipi_exit", decode_ipi_exit, { "reason" }, { NULL } },
	{ "ipi", "ipi_raise", decode_ipi_raise, { "target_cpus", "reason" }, { NULL } },
	{ "ipi", "ipi_send_cpu", decode_ipi_send_cpu, { "cpu", "callsite", "callback" }, { NULL } },
	{ "ipi",
	  "ipi_send_cpumask",
	  decode_ipi_send_mask,
	  { "cpumask", "callsite", "callback" },
	  { NULL } },
	VECTOR("local_timer"),
	VECTOR("reschedule"),
	VECTOR("call_function"),
	VECTOR("call_function_single"),
	VECTOR("irq_work"),
	VECTOR("x86_platform_ipi"),
	VECTOR("thermal_apic"),
	VECTOR("threshold_apic"),
	VECTOR("deferred_error_apic"),
	VECTOR("error_apic"),
	VECTOR("spurious_apic"),
	{ "block",
	  "block_rq_issue",
	  decode_block_issue,
	  { "dev", "sector", "nr_sector", "rwbs" },
	  { NULL } },
	{ "block",
	  "block_rq_complete",
	  decode_block_complete,
	  { "dev", "sector", "nr_sector", "rwbs", "error" },
	  { NULL } },
	{ "block",
	  "block_rq_merge",
	  decode_block_merge,
	  { "dev", "sector", "nr_sector", "rwbs" },
	  { NULL } },
	{ "block",
	  "block_io_start",
	  decode_block_issue,
	  { "dev", "sector", "nr_sector", "rwbs" },
	  { NULL } },
	{ "block",
	  "block_io_done",
	  decode_block_done,
	  { "dev", "sector", "nr_sector", "rwbs" },
	  { NULL } },
	{ "timer",
	  "hrtimer_start",
	  decode_timer_start,
	  { "hrtimer", "softexpires", "expires", "common_flags" },
	  { NULL } },
	{ "timer", "hrtimer_expire_entry", decode_timer_expire, { "hrtimer", "now" }, { NULL } },
	{ "timer", "hrtimer_expire_exit", decode_timer_done, { "hrtimer" }, { NULL } },
	{ "power", "cpu_idle", decode_cpu_idle, { "state", "cpu_id" }, { NULL } },
	{ "power", "cpu_frequency", decode_cpu_frequency, { "state", "cpu_id" }, { NULL } },
	{ "ftrace", "print", decode_print, { "buf" }, { NULL } },
	{ "ftrace", "bprint", decode_bprint, { "fmt", "buf" }, { NULL } },
	{ "ftrace", "bputs", decode_bputs, { "str" }, { NULL } },
	{ "ftrace", "kernel_stack", decode_kernel_stack, { "size", "caller" }, { NULL } },
	{ "ftrace", "user_stack", decode_user_stack, { "tgid", "caller" }, { NULL } },
	{ "ftrace", "raw_data", decode_raw_data, { "id", "buf" }, { NULL } },
	{ "raw_syscalls", "sys_enter", decode_raw_syscall_enter, { "id", "args" }, { NULL } },
	{ "raw_syscalls", "sys_exit", decode_raw_syscall_exit, { "id", "ret" }, { NULL } },
	{ "syscalls", "sys_enter_*", decode_syscall_enter, { "__syscall_nr" }, { NULL } },
	{ "syscalls", "sys_exit_*", decode_syscall_exit, { "__syscall_nr", "ret" }, { NULL } },
	{ "ftrace", "funcgraph_entry", decode_function_enter, { "func", "depth" }, { NULL } },
	{ "ftrace",
	  "funcgraph_retaddr_entry",
	  decode_function_enter,
	  { "func", "depth" },
	  { NULL } },
	{ "ftrace", "funcgraph_exit", decode_function_exit, { "func", "depth" }, { "retval" } },
	{ "ftrace", "function", decode_function, { "ip", "parent_ip" }, { NULL } },
	{ "workqueue",
	  "workqueue_execute_start",
	  decode_work_start,
	  { "work", "function" },
	  { NULL } },
	{ "workqueue", "workqueue_execute_end", decode_work_end, { "work" }, { NULL } },
	{ "lock", "contention_begin", decode_lock_begin, { "lock_addr", "flags" }, { NULL } },
	{ "lock", "contention_end", decode_lock_end, { "lock_addr" }, { NULL } },
	{ "exceptions",
	  "page_fault_user",
	  decode_fault_user,
	  { "address", "error_code" },
	  { NULL } },
	{ "exceptions",
	  "page_fault_kernel",
	  decode_fault_kernel,
	  { "address", "error_code" },
	  { NULL } },
};

struct decoder *decoder_new(struct string_table *strings, struct trace_annotation_counts *counts,
			    uint64_t *nr_damaged)
{
	struct decoder *decoder = xcalloc(1, sizeof(*decoder));

	decoder->strings = strings;
	decoder->counts = counts;
	decoder->nr_damaged = nr_damaged;
	decoder->names = name_table_new(strings);
	decoder->annotation_names = annotation_names_new(strings);
	decoder->stack_names = stack_names_new(strings);
	decoder->stacks = stack_table_new();
	decoder->blocked_texts = blocked_texts_new(strings);
	decoder->raw = raw_reader_new(decoder->annotation_names, counts);
	decoder->kernel = kernel_decoder_new(strings);
	decoder->printk_formats = printk_formats_new();
	decode_sched_set_states(decoder, "");
	return decoder;
}

void decoder_free(struct decoder *decoder)
{
	if (!decoder)
		return;
	name_table_free(decoder->names);
	raw_reader_free(decoder->raw);
	annotation_names_free(decoder->annotation_names);
	stack_names_free(decoder->stack_names);
	stack_table_free(decoder->stacks);
	blocked_texts_free(decoder->blocked_texts);
	dedup_free(decoder->dedup);
	for (size_t i = 0; i < decoder->nr_layouts; i++)
		free(decoder->layouts[i].syscall);
	free(decoder->layouts);
	for (size_t id = 0; id < NR_EVENT_IDS; id++)
		free(decoder->name_of_id[id]);
	kernel_decoder_free(decoder->kernel);
	printk_formats_free(decoder->printk_formats);
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

void decoder_set_machine(struct decoder *decoder, const char *machine)
{
	kernel_decoder_set_machine(decoder->kernel, machine);
}

void decoder_use_symbols(struct decoder *decoder, kernel_symbols_reader *read, void *context)
{
	kernel_names_use(kernel_decoder_names(decoder->kernel), read, context);
}

void decoder_use_printk_formats(struct decoder *decoder, printk_formats_reader *read, void *context)
{
	printk_formats_use(decoder->printk_formats, read, context);
}

uint64_t decoder_nr_textless(const struct decoder *decoder)
{
	return kernel_decoder_nr_textless(decoder->kernel);
}

void decoder_resolve_names(struct decoder *decoder, trace_name_resolver *resolve, void *context)
{
	annotation_names_resolve(decoder->annotation_names, resolve, context);
}

void decoder_resolve_stacks(struct decoder *decoder, trace_stack_resolver *resolve, void *context)
{
	stack_names_resolve(decoder->stack_names, resolve, context);
}

const struct stack_table *decoder_stacks(const struct decoder *decoder)
{
	return decoder->stacks;
}

void decoder_set_dedup(struct decoder *decoder)
{
	decoder->dedup = dedup_new();
}

static bool field_is_readable(const struct event_field *field)
{
	/* A number of 1, 2, 4 or 8 bytes, a place of 4, or an array of whatever length. */
	return field->location == FIELD_IN_PLACE || field->size == 4;
}

/* Fields that traces of version 0.1.0, or of old kernels, have under another name. */
static const struct {
	const char *name;
	const char *former_name;
} renamed_fields[] = {
	{ "ended_by", "until" },
	{ "__syscall_nr", "nr" },
};

static const struct event_field *field_under_any_name(const struct event_format *format,
						      const char *name)
{
	const struct event_field *field = event_format_field(format, name);

	for (size_t i = 0; i < sizeof(renamed_fields) / sizeof(renamed_fields[0]) && !field; i++) {
		if (!strcmp(renamed_fields[i].name, name))
			field = event_format_field(format, renamed_fields[i].former_name);
	}
	return field;
}

static bool resolve_field(struct event_layout *layout, const struct event_format *format,
			  const char *name, struct field_position *resolved)
{
	const struct event_field *field = field_under_any_name(format, name);
	uint32_t end;

	if (!field || !field_is_readable(field))
		return false;
	end = (uint32_t)field->offset + field->size;
	if (end > layout->min_bytes)
		layout->min_bytes = end;
	*resolved = (struct field_position){
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

static bool resolve_layout(struct event_layout *layout, const struct event_spec *spec,
			   const struct event_format *format)
{
	*layout = (struct event_layout){ .decode = spec->decode, .damage = damage_of(spec) };
	if (!resolve_field(layout, format, "common_pid", &layout->common_pid))
		return false;
	for (int i = 0; i < MAX_ARGUMENTS && spec->arguments[i]; i++) {
		if (!resolve_field(layout, format, spec->arguments[i], &layout->fields[i]))
			return false;
	}
	/* A record has as many frames as it says, which may be fewer than the format's. */
	if (spec->decode == decode_kernel_stack)
		layout->min_bytes = decode_kernel_stack_min_bytes(layout);
	layout->has_optionals = spec->optionals[0];
	for (int i = 0; i < MAX_OPTIONALS && spec->optionals[i] && layout->has_optionals; i++)
		layout->has_optionals = resolve_field(layout, format, spec->optionals[i],
						      &layout->optionals[i]);
	return true;
}

/* A spec's name may end in "*": system calls have events of their own. */
static bool name_is_of(const char *name, const struct event_spec *spec)
{
	size_t bytes = strlen(spec->name) - 1;

	if (spec->name[bytes] == '*')
		return !strncmp(spec->name, name, bytes) && name[bytes];
	return !strcmp(spec->name, name);
}

static const struct event_spec *find_spec(const char *system, const char *name)
{
	for (size_t i = 0; i < sizeof(event_specs) / sizeof(event_specs[0]); i++) {
		if (!strcmp(event_specs[i].system, system) && name_is_of(name, &event_specs[i]))
			return &event_specs[i];
	}
	return NULL;
}

/* Only a damaged file describes an event twice. */
static void name_event(struct decoder *decoder, const char *system,
		       const struct event_format *format)
{
	free(decoder->name_of_id[format->id]);
	decoder->name_of_id[format->id] = xasprintf("%s:%s", system, format->name);
}

static void add_syscall(struct decoder *decoder, struct event_layout *layout,
			const struct event_format *format)
{
	uint32_t end;

	layout->syscall = named_syscall_new(decoder, format);
	end = named_syscall_end(layout->syscall);
	if (end > layout->min_bytes)
		layout->min_bytes = end;
}

void decoder_add_format(void *context, const char *system, const char *text)
{
	struct decoder *decoder = context;
	const struct event_spec *spec;
	struct event_format format;

	bool is_whole = !event_format_parse(text, &format);

	if (format.id < 0 || format.id >= NR_EVENT_IDS)
		return;
	name_event(decoder, system, &format);
	if (!is_whole)
		return;
	decode_other_set_format(decoder, &format);
	spec = find_spec(system, format.name);
	if (!spec)
		return;
	/* Only a damaged file describes so many. */
	if (decoder->nr_layouts == MAX_LAYOUTS)
		return;
	ARRAY_MAKE_ROOM(decoder->layouts, decoder->nr_layouts, decoder->layouts_capacity);
	if (!resolve_layout(&decoder->layouts[decoder->nr_layouts], spec, &format))
		return;
	if (spec->decode == decode_sched_switch)
		decode_sched_set_states(decoder, format.print);
	decoder->layouts[decoder->nr_layouts].plain =
		decode_sched_plain_layout(&decoder->layouts[decoder->nr_layouts]);
	if (!strcmp(spec->system, "syscalls"))
		add_syscall(decoder, &decoder->layouts[decoder->nr_layouts], &format);
	decoder->layout_of_id[format.id] = (uint16_t)++decoder->nr_layouts;
}

bool decoder_decode(struct decoder *decoder, const struct raw_record *record,
		    struct trace_event *event)
{
	const struct event_layout *layout;
	uint16_t at;

	if (!batch_is_over(&decoder->batch))
		return decode_batch_counts_next(decoder, event) ||
		       batch_next(&decoder->batch, decoder->counts, event);
	if (record->size < 2)
		return false;
	at = decoder->layout_of_id[load_u16(record->data, decoder->swap)];
	if (!at)
		return decode_other(decoder, record, event);
	if (decoder->dedup && dedup_is_repeat(decoder->dedup, event->cpu, record))
		return false;
	layout = &decoder->layouts[at - 1];
	if (record->size < layout->min_bytes)
		return decode_damaged(decoder, layout->damage);
	if (layout->plain && !decoder->swap) {
		decode_sched_plain(decoder, layout, record, event);
		return true;
	}
	event->tid = field_get_i32(decoder, &layout->common_pid, record);
	event->annot.owner_tid = 0;
	return layout->decode(decoder, layout, record, event);
}

bool decoder_read_plain(const struct decoder *decoder, const struct raw_record *record,
			struct plain_event *plain, struct plain_comms *comms)
{
	const struct event_layout *layout;
	uint16_t at;

	if (record->size < 2 || decoder->swap)
		return false;
	at = decoder->layout_of_id[load_u16(record->data, false)];
	if (!at)
		return false;
	layout = &decoder->layouts[at - 1];
	if (!layout->plain || record->size < layout->min_bytes)
		return false;
	decode_sched_read_plain(decoder, layout, record, plain, comms);
	return true;
}

bool decoder_peek(const struct decoder *decoder, const struct raw_record *record,
		  struct trace_event *event)
{
	return record->size >= 2 && decode_other(decoder, record, event);
}

static bool names_threads(const struct event_layout *layout)
{
	return layout->decode == decode_sched_switch || layout->decode == decode_task_newtask ||
	       layout->decode == decode_task_rename || layout->decode == decode_task_exec;
}

bool decoder_decode_comms(struct decoder *decoder, const struct raw_record *record,
			  struct trace_event *event)
{
	const struct event_layout *layout;
	uint16_t at;

	if (record->size < 2)
		return false;
	at = decoder->layout_of_id[load_u16(record->data, decoder->swap)];
	if (!at)
		return false;
	layout = &decoder->layouts[at - 1];
	if (!names_threads(layout) || record->size < layout->min_bytes)
		return false;
	event->tid = field_get_i32(decoder, &layout->common_pid, record);
	return layout->decode(decoder, layout, record, event);
}

const char *decoder_event_name(const struct decoder *decoder, uint16_t type)
{
	return decoder->name_of_id[type] ? decoder->name_of_id[type] : "";
}

bool decoder_wants_again(const struct decoder *decoder)
{
	return !batch_is_over(&decoder->batch);
}
