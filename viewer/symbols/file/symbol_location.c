// SPDX-License-Identifier: GPL-2.0
#include "symbols/file/symbol_location.h"

#include <stdlib.h>

#include "symbols/debug_info/data_field.h"
#include "trace/trace.h"
#include "util/xalloc.h"

static void set_element(struct symbol_location *location, struct trace *trace,
			const struct data_field *field)
{
	char *array = xasprintf("%s%.*s", trace_string(trace, location->symbol),
				(int)field->element.path_bytes, field->path);

	location->element_bytes = field->element.bytes;
	location->element_start = field->element.start;
	location->field_bytes = field->element.scalar_bytes;
	location->array = trace_intern(trace, array);
	location->array_path_bytes = (uint32_t)field->element.path_bytes;
	free(array);
}

void symbol_location_set_field(struct symbol_location *location, struct trace *trace,
			       const struct data_field *field)
{
	location->has_field = true;
	location->field = trace_intern(trace, field->path);
	location->field_offset = field->offset;
	if (field->element.bytes)
		set_element(location, trace, field);
}
