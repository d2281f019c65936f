// SPDX-License-Identifier: GPL-2.0
#include "record/recording.h"

#include <stdlib.h>
#include <tracefs.h>
#include <unistd.h>

#include "record/buffer/tracing.h"
#include "util/xalloc.h"

static int enable_events(const struct recording *recording, const struct recording_plan *plan)
{
	const char *const *const lists[] = {
		events_of_scheduler(),
		events_of_annot(plan->annot),
		/* Before the events that refer to stacks. */
		events_of_stacks(plan->call_stacks),
		events_of_pmu(plan->samples, plan->counts),
		events_of_sleep(plan->blocked),
		events_of_wakers(plan->wakers),
		plan->extra_events,
	};
	int err = events_enable_present(recording->claim.instance, events_of_power());

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]) && !err; i++)
		err = events_enable(recording->claim.instance, lists[i]);
	if (!err)
		err = stack_trigger_set(recording->claim.instance, plan->stacks);
	return err;
}

static int create_dat(struct recording *recording, const struct recording_plan *plan)
{
	const struct dat_plan dat = {
		.path = plan->output,
		.tracing_dir = tracefs_tracing_dir(),
		.buffer_dir = recording->claim.dir,
		.clock = plan->clock,
		.compression = plan->compression,
		.version = plan->version,
		.nr_cpus = recording->files.nr,
	};

	recording->dat = dat_create(&dat);
	return recording->dat ? 0 : -1;
}

int recording_open(struct recording *recording, const struct recording_plan *plan)
{
	int nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF);

	*recording = RECORDING_NONE;
	recording->output = plan->output;
	if (claim_take(&recording->claim))
		return -1;
	if (tracing_set_up(recording->claim.instance, plan->clock, plan->buffer_kb) ||
	    enable_events(recording, plan) ||
	    cpu_files_open(&recording->files, plan->output, nr_cpus) ||
	    create_dat(recording, plan)) {
		recording_abandon(recording);
		return -1;
	}
	if (recording->claim.instance && claim_has_markers(&recording->claim))
		outside_begin(&recording->outside);
	return 0;
}

void recording_begin(struct recording *recording)
{
	claim_turn_on(&recording->claim);
}

void recording_stop(const struct recording *recording)
{
	tracing_end_annotations(recording->claim.instance);
	claim_turn_off(&recording->claim);
}

void recording_give_buffer_back(struct recording *recording)
{
	claim_release(&recording->claim);
	outside_end(&recording->outside);
}

/* The figures of @cpu, freed by the caller; adds up what it lost. */
static char *read_stats(const struct recording *recording, int cpu, uint64_t *lost_events)
{
	char *text = tracing_read_cpu_stats(recording->claim.instance, cpu);
	struct tracing_cpu_stats stats;

	if (text) {
		tracing_parse_stats(text, &stats);
		*lost_events += stats.lost_events;
	}
	return text;
}

int recording_finish(struct recording *recording, uint64_t *lost_events)
{
	struct cpu_files *files = &recording->files;
	struct dat_cpu *cpus = xcalloc((size_t)files->nr, sizeof(*cpus));
	char **stats = xcalloc((size_t)files->nr, sizeof(*stats));
	uint32_t page_bytes = dat_page_bytes(recording->dat);
	int err;

	*lost_events = 0;
	for (int cpu = 0; cpu < files->nr; cpu++) {
		stats[cpu] = read_stats(recording, cpu, lost_events);
		cpus[cpu] = (struct dat_cpu){
			.fd = files->files[cpu].fd,
			.path = files->files[cpu].path,
			.bytes = cpu_file_bytes(&files->files[cpu], page_bytes),
			.stats = stats[cpu],
		};
	}
	recording_give_buffer_back(recording);
	err = dat_finish(recording->dat, cpus);
	recording->dat = NULL;
	if (err)
		cpu_files_remove_empty(files);
	else
		cpu_files_remove(files);
	for (int cpu = 0; cpu < files->nr; cpu++)
		free(stats[cpu]);
	free(stats);
	free(cpus);
	return err;
}

void recording_abandon(struct recording *recording)
{
	if (recording->dat)
		dat_abandon(recording->dat);
	recording->dat = NULL;
	cpu_files_remove(&recording->files);
	recording_give_buffer_back(recording);
}

void recording_leave(struct recording *recording)
{
	if (recording->dat)
		dat_leave(recording->dat);
	recording->dat = NULL;
	cpu_files_close(&recording->files);
	claim_forget(&recording->claim);
}
