// SPDX-License-Identifier: GPL-2.0
#include "convert/chrome_event.h"

#include <string.h>

/* Microseconds, to the nanosecond. */
static void write_time(struct json *json, const char *key, uint64_t time_ns)
{
	json_key(json, key);
	json_thousandths(json, time_ns);
}

void chrome_event_begin(struct json *json, const char *phase, struct lane lane,
			const char *category, const char *name, uint64_t time_ns)
{
	json_begin_object(json);
	json_key_string(json, "ph", phase);
	json_key_string(json, "cat", category);
	json_key_string(json, "name", name);
	json_key(json, "pid");
	json_i64(json, lane.pid);
	json_key(json, "tid");
	json_i64(json, lane.tid);
	write_time(json, "ts", time_ns);
}

void chrome_event_end(struct json *json)
{
	json_end_object(json);
	/* A line an event: for those who search the file as text. */
	fputc('\n', json->out);
}

void chrome_event_begin_slice(struct json *json, struct lane lane, const char *category,
			      const char *name, uint64_t start_ns, uint64_t end_ns)
{
	chrome_event_begin(json, "X", lane, category, name, start_ns);
	write_time(json, "dur", end_ns - start_ns);
}

void chrome_event_with_id(struct json *json, const char *phase, struct lane lane,
			  const char *category, const char *name, uint64_t time_ns, uint64_t id)
{
	chrome_event_begin(json, phase, lane, category, name, time_ns);
	json_key_u64(json, "id", id);
	/* Else a flow ends at the first slice that begins after it. */
	if (!strcmp(phase, "f"))
		json_key_string(json, "bp", "e");
	chrome_event_end(json);
}

void chrome_event_begin_args(struct json *json)
{
	json_key(json, "args");
	json_begin_object(json);
}

void chrome_event_end_args(struct json *json)
{
	json_end_object(json);
}
