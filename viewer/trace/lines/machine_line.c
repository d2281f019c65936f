// SPDX-License-Identifier: GPL-2.0
#include "trace/lines/machine_line.h"

#include <string.h>

#include "util/text/scan.h"

bool machine_line_is(const char *text, size_t bytes)
{
	return scan_starts_with((struct scan_text){ text, text + bytes }, MACHINE_VIRTUAL_LINE);
}

void machine_line_parse(const char *text, size_t bytes, struct string_table *strings,
			struct trace_event *event)
{
	size_t head_bytes = strlen(MACHINE_VIRTUAL_LINE);
	struct scan_text name = scan_trim(text + head_bytes, bytes - head_bytes);
	size_t nr = scan_bytes(name);

	if (nr > MACHINE_MAX_NAME_BYTES)
		nr = MACHINE_MAX_NAME_BYTES;
	event->kind = TRACE_MACHINE;
	event->machine.hypervisor = string_table_intern(strings, name.start, nr);
}
