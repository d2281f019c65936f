// SPDX-License-Identifier: GPL-2.0
#include "stat/counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmu/cpu_counter.h"
#include "util/count_scale.h"
#include "util/diag.h"
#include "util/xalloc.h"

struct counter {
	int fd; /* -1: not counted now */
	struct cpu_counter_reading last;
};

struct cell {
	struct counts counts;
	struct counter counters[NR_COUNTERS_SIDES];
};

struct counters {
	size_t nr_cpus;
	int *cpus;
	size_t nr_events;
	const struct pmu_request **events;
	struct cell *cells; /* a row of CPUs for each event */
};

size_t counters_nr_cpus(const struct counters *counters)
{
	return counters->nr_cpus;
}

size_t counters_nr_events(const struct counters *counters)
{
	return counters->nr_events;
}

int counters_cpu(const struct counters *counters, size_t cpu)
{
	return counters->cpus[cpu];
}

const char *counters_event(const struct counters *counters, size_t event)
{
	return counters->events[event]->name;
}

static struct cell *cell_at(const struct counters *counters, size_t cpu, size_t event)
{
	return &counters->cells[event * counters->nr_cpus + cpu];
}

const struct counts *counters_get(const struct counters *counters, size_t cpu, size_t event)
{
	return &cell_at(counters, cpu, event)->counts;
}

void count_add(struct count *sum, const struct count *more)
{
	sum->count += more->count;
	sum->enabled_ns += more->enabled_ns;
	sum->running_ns += more->running_ns;
}

static int open_counter(const struct pmu_code *code, enum counters_side side, int cpu)
{
	struct perf_event_attr attr = cpu_counter_attr(code);

	attr.exclude_user = side != COUNTERS_USER;
	attr.exclude_kernel = side != COUNTERS_KERNEL;
	attr.exclude_hv = 1;
	attr.exclude_guest = 1;
	return cpu_counter_open(attr, cpu);
}

/* Opens the counters of @cell that are wanted and not open. Returns 0, or an errno. */
static int open_cell(struct cell *cell, const struct pmu_code *code, int cpu)
{
	int error = 0;

	for (int side = 0; side < NR_COUNTERS_SIDES; side++) {
		struct counter *counter = &cell->counters[side];

		if (counter->fd >= 0 || !cell->counts.wanted[side])
			continue;
		counter->last = (struct cpu_counter_reading){ 0 };
		counter->fd = open_counter(code, side, cpu);
		if (counter->fd < 0)
			error = errno;
	}
	return error;
}

static void close_counter(struct counter *counter)
{
	if (counter->fd >= 0)
		close(counter->fd);
	counter->fd = -1;
}

static void close_cell(struct cell *cell)
{
	for (int side = 0; side < NR_COUNTERS_SIDES; side++)
		close_counter(&cell->counters[side]);
}

/* What has been counted since the last time. */
static void read_counter(struct counter *counter, struct count *interval)
{
	struct cpu_counter_reading now;

	*interval = (struct count){ 0 };
	if (counter->fd < 0 || !cpu_counter_read(counter->fd, &now))
		return;
	interval->enabled_ns = now.enabled_ns - counter->last.enabled_ns;
	interval->running_ns = now.running_ns - counter->last.running_ns;
	interval->count = count_scale(now.count - counter->last.count, interval->enabled_ns,
				      interval->running_ns);
	counter->last = now;
	/* Its CPU went off line, which ended it, even if it is back. */
	if (!interval->enabled_ns)
		close_counter(counter);
}

static void read_cell(struct cell *cell)
{
	for (int side = 0; side < NR_COUNTERS_SIDES; side++) {
		struct count *interval = &cell->counts.interval[side];

		read_counter(&cell->counters[side], interval);
		count_add(&cell->counts.total[side], interval);
	}
}

void counters_read(struct counters *counters)
{
	struct cpu_list online;
	bool known = cpu_list_read(&online, "online");

	for (size_t cpu = 0; cpu < counters->nr_cpus; cpu++) {
		for (size_t event = 0; event < counters->nr_events; event++) {
			struct cell *cell = cell_at(counters, cpu, event);

			read_cell(cell);
			if (known && !online.has[counters->cpus[cpu]])
				close_cell(cell);
			else
				open_cell(cell, &counters->events[event]->code,
					  counters->cpus[cpu]);
		}
	}
}

static void prepare_cell(struct cell *cell, const struct pmu_code *code)
{
	*cell = (struct cell){
		.counts.wanted = { code->user, code->kernel },
		.counters = { { .fd = -1 }, { .fd = -1 } },
	};
}

/* Opens the event on every CPU of @online. False: it can be counted on none. */
static bool open_event(struct counters *counters, size_t event, const struct cpu_list *online)
{
	const struct pmu_request *request = counters->events[event];
	bool opened = false;
	int error = 0;

	for (size_t cpu = 0; cpu < counters->nr_cpus && !request->not_here; cpu++) {
		struct cell *cell = cell_at(counters, cpu, event);
		int refused;

		prepare_cell(cell, &request->code);
		if (!online->has[counters->cpus[cpu]])
			continue;
		refused = open_cell(cell, &request->code, counters->cpus[cpu]);
		opened = opened || !refused;
		if (refused)
			error = refused;
	}
	if (!opened)
		pmu_request_report_refusal(request, "stat", error);
	return opened;
}

static bool add_cpus(struct counters *counters, const struct cpu_list *cpus,
		     const struct cpu_list *online)
{
	bool any_online = false;

	counters->cpus = xcalloc(CPUS_MAX, sizeof(*counters->cpus));
	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!cpus->has[cpu])
			continue;
		counters->cpus[counters->nr_cpus++] = cpu;
		any_online = any_online || online->has[cpu];
	}
	return any_online;
}

/* An event that is refused leaves its place to the next. */
static void add_events(struct counters *counters, const struct pmu_requests *requests,
		       const struct cpu_list *online)
{
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
	counters->events = xcalloc(requests->nr, sizeof(*counters->events));
	counters->cells = xcalloc(requests->nr * counters->nr_cpus, sizeof(*counters->cells));
	for (size_t i = 0; i < requests->nr; i++) {
		counters->events[counters->nr_events] = &requests->requests[i];
		if (open_event(counters, counters->nr_events, online))
			counters->nr_events++;
	}
}

struct counters *counters_open(const struct pmu_requests *requests, const struct cpu_list *cpus)
{
	struct counters *counters = xcalloc(1, sizeof(*counters));
	struct cpu_list online;

	cpu_counter_allow_many(NULL);
	if (!cpu_list_read(&online, "online"))
		online = *cpus;
	if (!add_cpus(counters, cpus, &online)) {
		diag_error("stat: none of these CPUs is online");
		counters_close(counters);
		return NULL;
	}
	add_events(counters, requests, &online);
	if (!counters->nr_events) {
		diag_error("stat: none of the events can be counted here (annot list)");
		counters_close(counters);
		return NULL;
	}
	return counters;
}

void counters_close(struct counters *counters)
{
	for (size_t event = 0; event < counters->nr_events; event++) {
		for (size_t cpu = 0; cpu < counters->nr_cpus; cpu++)
			close_cell(cell_at(counters, cpu, event));
	}
	free(counters->cells);
	free(counters->events);
	free(counters->cpus);
	free(counters);
}
