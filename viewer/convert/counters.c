// SPDX-License-Identifier: GPL-2.0
#include "convert/counters.h"

#include <stdio.h>
#include <stdlib.h>

#include "convert/chrome_event.h"
#include "util/xalloc.h"

#define MOST_BINS 1000
#define LEAST_BIN_NS 1000
#define COUNTER_NAME_BYTES 256

/* Samples of one event that one thread or CPU had in one bin. */
struct bin {
	uint64_t index;
	uint64_t amount; /* 0: there are none yet */
};

/* The events of all threads, or of all CPUs. */
struct owners {
	const struct model *model;
	bool are_cpus;
};

uint64_t counters_bin_ns(const struct model *model)
{
	static const unsigned int factors[] = { 1, 2, 5 };

	for (uint64_t power = LEAST_BIN_NS;; power *= 10) {
		for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
			if (model->duration_ns / (power * factors[i]) < MOST_BINS)
				return power * factors[i];
		}
	}
}

static size_t nr_owners(const struct owners *owners)
{
	return owners->are_cpus ? (size_t)owners->model->nr_cpus : owners->model->nr_threads;
}

/* Of a thread or CPU; MODEL_NO_THREAD if it has no counter. */
static uint32_t owner_of(const struct owners *owners, uint32_t thread, int cpu)
{
	if (!owners->are_cpus)
		return thread;
	return cpu >= 0 && cpu < owners->model->nr_cpus ? (uint32_t)cpu : MODEL_NO_THREAD;
}

static void write_value(struct json *json, const struct owners *owners, uint32_t owner,
			size_t event, uint64_t time_ns, double per_us)
{
	const struct model *model = owners->model;
	const struct pmu_event *measured = &model->pmu_events[event];
	char label[LANE_LABEL_BYTES], name[COUNTER_NAME_BYTES];
	struct lane lane;

	if (owners->are_cpus) {
		lane = lane_of_cpu((int)owner);
		snprintf(label, sizeof(label), "CPU %u", owner);
	} else {
		lane = lane_of_thread(&model->threads[owner]);
		lane_label(model, owner, label);
	}
	snprintf(name, sizeof(name), "%.128s %s, %s", trace_string(model->trace, measured->name),
		 measured->is_counted ? "counted" : "sampled", label);
	chrome_event_begin(json, "C", lane, "pmu", name, time_ns);
	chrome_event_begin_args(json);
	json_key(json, "per_us");
	json_double(json, per_us);
	chrome_event_end_args(json);
	chrome_event_end(json);
}

static void end_bin(struct json *json, const struct owners *owners, uint32_t owner, size_t event,
		    const struct bin *bin, uint64_t bin_ns)
{
	write_value(json, owners, owner, event, bin->index * bin_ns,
		    (double)bin->amount * 1000 / (double)bin_ns);
}

static void write_sampled(struct json *json, const struct owners *owners)
{
	const struct model *model = owners->model;
	const struct sample_table *samples = &model->samples;
	uint64_t bin_ns = counters_bin_ns(model);
	size_t nr_bins = nr_owners(owners) * model->nr_pmu_events;
	struct bin *bins = xcalloc(nr_bins, sizeof(*bins));

	for (size_t i = 0; i < samples->nr; i++) {
		uint32_t owner = owner_of(owners, samples->thread[i], samples->cpu[i]);
		uint64_t index = samples->time_ns[i] / bin_ns;
		size_t event = samples->event[i];
		struct bin *bin;

		if (owner == MODEL_NO_THREAD)
			continue;
		bin = &bins[owner * model->nr_pmu_events + event];
		if (bin->amount && bin->index != index) {
			end_bin(json, owners, owner, event, bin, bin_ns);
			if (bin->index + 1 != index)
				write_value(json, owners, owner, event, (bin->index + 1) * bin_ns,
					    0);
			bin->amount = 0;
		}
		bin->index = index;
		bin->amount += samples->period[i];
	}
	for (size_t i = 0; i < nr_bins; i++) {
		uint32_t owner = (uint32_t)(i / model->nr_pmu_events);
		size_t event = i % model->nr_pmu_events;

		if (!bins[i].amount)
			continue;
		end_bin(json, owners, owner, event, &bins[i], bin_ns);
		write_value(json, owners, owner, event, (bins[i].index + 1) * bin_ns, 0);
	}
	free(bins);
}

static void write_slice_count(struct json *json, const struct owners *owners, size_t row,
			      size_t event)
{
	const struct slice_count_table *slices = &owners->model->slice_counts;
	uint32_t counter = owners->model->pmu_events[event].counter;
	uint32_t owner = owner_of(owners, slices->thread[row], slices->cpu[row]);
	uint64_t length_ns = slices->end_ns[row] - slices->start_ns[row];
	uint64_t count = slices->counts[row * slices->nr_counters + counter];

	if (owner == MODEL_NO_THREAD || slices->invalid[row] & 1u << counter)
		return;
	write_value(json, owners, owner, event, slices->start_ns[row],
		    (double)count * 1000 / (double)(length_ns ? length_ns : 1));
	write_value(json, owners, owner, event, slices->end_ns[row], 0);
}

static void write_counted(struct json *json, const struct owners *owners)
{
	const struct model *model = owners->model;

	for (size_t row = 0; row < model->slice_counts.nr; row++) {
		for (size_t event = 0; event < model->nr_pmu_events; event++) {
			if (model->pmu_events[event].is_counted && !model->pmu_events[event].error)
				write_slice_count(json, owners, row, event);
		}
	}
}

void counters_write(struct json *json, const struct model *model)
{
	for (int are_cpus = 0; are_cpus <= 1; are_cpus++) {
		struct owners owners = { .model = model, .are_cpus = are_cpus };

		write_sampled(json, &owners);
		write_counted(json, &owners);
	}
}
