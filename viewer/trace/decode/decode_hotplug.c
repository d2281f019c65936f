// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_hotplug.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/decode/decode_kernel.h"
#include "trace/decode/fields.h"
#include "trace/names/kernel_names.h"

/* Between these steps the CPU runs nothing: of linux/cpu.c, since 4.10; the last two since 6.5. */
static const struct {
	const char *function;
	int32_t level;
} turning_points[] = {
	{ "takedown_cpu", TRACE_HOTPLUG_TAKES_DOWN },
	{ "bringup_cpu", TRACE_HOTPLUG_BRINGS_UP },
	{ "cpuhp_kick_ap_alive", TRACE_HOTPLUG_BRINGS_UP },
	{ "cpuhp_bringup_ap", TRACE_HOTPLUG_BRINGS_UP },
};

static int32_t level_of(const char *function)
{
	for (size_t i = 0; i < sizeof(turning_points) / sizeof(turning_points[0]); i++) {
		if (!strcmp(function, turning_points[i].function))
			return turning_points[i].level;
	}
	return 0;
}

static uint64_t key_of(uint64_t cpu, int32_t step)
{
	return cpu << 32 | (uint32_t)step;
}

bool decode_hotplug_enter(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event)
{
	uint64_t cpu = field_get_unsigned(decoder, &layout->fields[0], record);
	int32_t target = field_get_i32(decoder, &layout->fields[1], record);
	int32_t step = field_get_i32(decoder, &layout->fields[2], record);
	uint32_t function =
		kernel_names_get(kernel_decoder_names(decoder->kernel),
				 field_get_unsigned(decoder, &layout->fields[3], record));
	char text[96];

	snprintf(text, sizeof(text), "CPU %" PRIu64 ", step %" PRId32 " of the way to %" PRId32,
		 cpu, step, target);
	decode_kernel_mark(decoder, record, event, TRACE_KERNEL_HOTPLUG,
			   string_table_get(decoder->strings, function), text);
	event->kind = TRACE_KERNEL_BEGIN;
	event->kernel.key = key_of(cpu, step);
	event->kernel.level = level_of(string_table_get(decoder->strings, function));
	return true;
}

bool decode_hotplug_exit(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	decode_kernel_fill(decoder, record, event, TRACE_KERNEL_END, TRACE_KERNEL_HOTPLUG);
	event->kernel.key = key_of(field_get_unsigned(decoder, &layout->fields[0], record),
				   field_get_i32(decoder, &layout->fields[1], record));
	event->kernel.value = field_get_i32(decoder, &layout->fields[2], record);
	event->kernel.has_value = true;
	return true;
}
