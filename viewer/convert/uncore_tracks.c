// SPDX-License-Identifier: GPL-2.0
#include "convert/uncore_tracks.h"

#include <stdio.h>
#include <string.h>

#include "convert/chrome_event.h"

#define TRACK_NAME_BYTES 256

/* "power/energy-pkg/ W, CPU 0": the unit is of a second. */
static void name_track(const struct model *model, const struct uncore_counter *counter,
		       char name[TRACK_NAME_BYTES])
{
	const char *unit = counter->unit ? trace_string(model->trace, counter->unit) : "";
	bool is_power = !strcmp(unit, "Joules");

	snprintf(name, TRACK_NAME_BYTES, "%.128s %.32s%s, CPU %d",
		 trace_string(model->trace, counter->name), is_power ? "W" : unit,
		 is_power ? "" : "/s", counter->cpu);
}

static void write_reading(struct json *json, const struct model *model, size_t row)
{
	const struct uncore_reading_table *readings = &model->uncore_readings;
	const struct uncore_counter *counter = &model->uncore_counters[readings->counter[row]];
	char name[TRACK_NAME_BYTES];

	name_track(model, counter, name);
	chrome_event_begin(json, "C", lane_of_cpu(counter->cpu), "uncore", name,
			   readings->start_ns[row]);
	chrome_event_begin_args(json);
	json_key(json, "per_s");
	json_double(json, (double)readings->count[row] * counter->scale * 1e9 /
				  (double)readings->lasted_ns[row]);
	chrome_event_end_args(json);
	chrome_event_end(json);
}

void uncore_tracks_write(struct json *json, const struct model *model)
{
	for (size_t row = 0; row < model->uncore_readings.nr; row++) {
		if (model->uncore_readings.running_ns[row])
			write_reading(json, model, row);
	}
}
