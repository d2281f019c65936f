// SPDX-License-Identifier: GPL-2.0
#include "model/window/clip.h"

#include "model/account.h"
#include "model/event_rows.h"
#include "model/table_rows.h"
#include "model/window/table_copy.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

/* Copies the rows @row of @from for which @wanted is true, consecutive ones at once. */
#define COPY_WANTED(copy, to, from, row, wanted)                          \
	do {                                                              \
		size_t first_wanted = 0;                                  \
		for (size_t row = 0; row < (from)->nr; row++) {           \
			if (wanted)                                       \
				continue;                                 \
			copy(to, from, first_wanted, row - first_wanted); \
			first_wanted = row + 1;                           \
		}                                                         \
		copy(to, from, first_wanted, (from)->nr - first_wanted);  \
	} while (0)

/* Time since the start of the interval. Times outside of it are moved to its edges. */
static uint64_t clip_time(const struct clip *clip, uint64_t time_ns)
{
	if (time_ns > clip->to_ns)
		time_ns = clip->to_ns;
	return time_ns > clip->from_ns ? time_ns - clip->from_ns : 0;
}

static void clip_times(const struct clip *clip, uint64_t *times_ns, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		times_ns[i] = clip_time(clip, times_ns[i]);
}

static void clip_thread_refs(const struct clip *clip, uint32_t *threads, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		threads[i] = clip_thread(clip, threads[i]);
}

/* clip_state_columns() ...: the times and threads of a table. */
#define CLIP_TIME(clip, table, field) clip_times(clip, (table)->field, (table)->nr);
#define CLIP_THREAD(clip, table, field) clip_thread_refs(clip, (table)->field, (table)->nr);
#define CLIP_OTHER(clip, table, field)
#define TABLE(name, ...)                                                     \
	static inline void clip_##name##_columns(const struct clip *clip,    \
						 struct name##_table *table) \
	{                                                                    \
		(void)clip;                                                  \
		(void)table;
#define COLUMN(name, field, type, what, ...) CLIP_##what(clip, table, field)
#define TABLE_END(name) }
#include "model/tables.def"

static uint64_t state_end(const struct state_table *states, size_t row)
{
	return states->end_ns ? states->end_ns[row] : states->start_ns[row + 1];
}

static void clip_state_ends(const struct clip *clip, struct state_table *to,
			    const struct state_table *from)
{
	size_t nr = 0;

	to->end_ns = spill_zeroed(to->nr + 1, sizeof(*to->end_ns));
	for (size_t row = 0; row < from->nr; row++) {
		if (clip_has(clip, from->start_ns[row], state_end(from, row)))
			to->end_ns[nr++] = clip_time(clip, state_end(from, row));
	}
}

static void clip_states(const struct clip *clip, struct state_table *to,
			const struct state_table *from, struct state_checkpoint *totals)
{
	size_t first = SIZE_MAX, last = 0;

	for (size_t row = 0; row < from->nr; row++) {
		uint64_t start_ns = from->start_ns[row], end_ns = state_end(from, row);

		if (!clip_has(clip, start_ns, end_ns))
			continue;
		first = first < row ? first : row;
		last = row;
		account_add_time(totals, from->state[row],
				 clip_time(clip, end_ns) - clip_time(clip, start_ns));
		if (start_ns >= clip->from_ns)
			account_add_start(totals, from->state[row], from->migrated[row]);
	}
	COPY_WANTED(state_table_copy, to, from, row,
		    clip_has(clip, from->start_ns[row], state_end(from, row)));
	clip_state_columns(clip, to);
	/* Where it is cut, it does not begin to run on another CPU. */
	if (to->nr && from->start_ns[first] < clip->from_ns)
		to->migrated[0] = 0;
	if (from->end_ns)
		clip_state_ends(clip, to, from);
	else if (to->nr)
		state_table_close(to, clip_time(clip, state_end(from, last)));
}

static void clip_spans(const struct clip *clip, struct span_table *to,
		       const struct span_table *from)
{
	COPY_WANTED(span_table_copy, to, from, row,
		    clip_has(clip, from->start_ns[row], from->end_ns[row]));
	for (size_t row = 0; row < to->nr; row++) {
		if (to->end_ns[row] > clip->to_ns)
			to->flags[row] |= SPAN_OPEN_END;
	}
	clip_span_columns(clip, to);
}

static void clip_kernel_slices(const struct clip *clip, struct kernel_slice_table *to,
			       const struct kernel_slice_table *from)
{
	COPY_WANTED(kernel_slice_table_copy, to, from, row,
		    clip_has(clip, from->start_ns[row], from->end_ns[row]));
	for (size_t row = 0; row < to->nr; row++) {
		if (to->end_ns[row] > clip->to_ns)
			to->flags[row] |= KERNEL_OPEN_END;
		if (to->start_ns[row] < clip->from_ns)
			to->flags[row] |= KERNEL_OPEN_BEGIN;
	}
	clip_kernel_slice_columns(clip, to);
}

static void clip_marks(const struct clip *clip, struct mark_table *to,
		       const struct mark_table *from)
{
	COPY_WANTED(mark_table_copy, to, from, row,
		    clip_has(clip, from->time_ns[row], from->time_ns[row]));
	clip_mark_columns(clip, to);
}

/* When the state that begins at @start_ns ends; @start_ns: there is none. */
static uint64_t end_of_state_from(const struct state_table *states, uint64_t start_ns)
{
	size_t row = column_find(states->start_ns, states->nr, start_ns);

	return row != SIZE_MAX && states->start_ns[row] == start_ns ? state_end(states, row) :
								      start_ns;
}

/* A cause is kept, and cut, with its state. */
static void clip_causes(const struct clip *clip, struct thread *to, const struct thread *from)
{
	const struct cause_table *causes = &from->causes;

	COPY_WANTED(cause_table_copy, &to->causes, causes, row,
		    clip_has(clip, causes->start_ns[row],
			     end_of_state_from(&from->states, causes->start_ns[row])));
	clip_cause_columns(clip, &to->causes);
}

/* So is where a thread was when it began a state. */
static void clip_stack_points(const struct clip *clip, struct thread *to, const struct thread *from)
{
	const struct stack_point_table *points = &from->stack_points;

	COPY_WANTED(stack_point_table_copy, &to->stack_points, points, row,
		    clip_has(clip, points->time_ns[row],
			     end_of_state_from(&from->states, points->time_ns[row])));
	clip_stack_point_columns(clip, &to->stack_points);
}

static void clip_waker_stacks(const struct clip *clip, struct waker_stack_table *to,
			      const struct waker_stack_table *from)
{
	COPY_WANTED(waker_stack_table_copy, to, from, row,
		    clip_has(clip, from->time_ns[row], from->time_ns[row]));
	clip_waker_stack_columns(clip, to);
}

static void clip_slices(const struct clip *clip, struct slice_table *to,
			const struct slice_table *from)
{
	COPY_WANTED(slice_table_copy, to, from, row,
		    clip_thread(clip, from->thread[row]) != MODEL_NO_THREAD &&
			    clip_has(clip, from->start_ns[row], from->end_ns[row]));
	for (size_t row = 0; row < to->nr; row++) {
		if (to->end_ns[row] > clip->to_ns)
			to->end_state[row] = STATE_RUNNING;
	}
	clip_slice_columns(clip, to);
}

static void clip_gaps(const struct clip *clip, struct gap_table *to, const struct gap_table *from)
{
	COPY_WANTED(gap_table_copy, to, from, row,
		    clip_has(clip, from->start_ns[row], from->end_ns[row]));
	clip_gap_columns(clip, to);
}

/* Rows of idle have no thread: they are kept if no threads are chosen. */
static bool wants_owner(const struct clip *clip, uint32_t thread)
{
	return thread == MODEL_NO_THREAD || clip_thread(clip, thread) != MODEL_NO_THREAD;
}

static void clip_interrupts(const struct clip *clip, struct interrupt_table *to,
			    const struct interrupt_table *from)
{
	COPY_WANTED(interrupt_table_copy, to, from, row,
		    wants_owner(clip, from->thread[row]) &&
			    clip_has(clip, from->start_ns[row], from->end_ns[row]));
	for (size_t row = 0; row < to->nr; row++) {
		if (to->end_ns[row] > clip->to_ns)
			to->flags[row] |= INTERRUPT_OPEN_END;
	}
	clip_interrupt_columns(clip, to);
}

static void clip_idle(const struct clip *clip, struct idle_table *to, const struct idle_table *from)
{
	COPY_WANTED(idle_table_copy, to, from, row,
		    clip_has(clip, from->start_ns[row], from->end_ns[row]));
	for (size_t row = 0; row < to->nr; row++) {
		if (to->start_ns[row] < clip->from_ns)
			to->flags[row] |= IDLE_OPEN_BEGIN;
		if (to->end_ns[row] > clip->to_ns)
			to->flags[row] |= IDLE_OPEN_END;
	}
	clip_idle_columns(clip, to);
}

static void clip_frequencies(const struct clip *clip, struct frequency_table *to,
			     const struct frequency_table *from)
{
	COPY_WANTED(frequency_table_copy, to, from, row,
		    clip_has(clip, from->start_ns[row], from->end_ns[row]));
	clip_frequency_columns(clip, to);
}

static void clip_migrations(const struct clip *clip, struct migration_table *to,
			    const struct migration_table *from)
{
	COPY_WANTED(migration_table_copy, to, from, row,
		    clip_thread(clip, from->thread[row]) != MODEL_NO_THREAD &&
			    clip_has(clip, from->time_ns[row], from->time_ns[row]));
	clip_migration_columns(clip, to);
}

static void clip_block_io(const struct clip *clip, struct block_io_table *to,
			  const struct block_io_table *from)
{
	COPY_WANTED(block_io_table_copy, to, from, row,
		    wants_owner(clip, from->thread[row]) && clip_wants_cpu(clip, from->cpu[row]) &&
			    clip_has(clip, from->start_ns[row], from->end_ns[row]));
	for (size_t row = 0; row < to->nr; row++) {
		if (to->start_ns[row] < clip->from_ns)
			to->flags[row] |= BLOCK_OPEN_BEGIN;
		if (to->end_ns[row] > clip->to_ns)
			to->flags[row] |= BLOCK_OPEN_END;
	}
	clip_block_io_columns(clip, to);
}

/* What was counted in a part of one is not known: whole ones only. They are of a socket, whatever CPUs and threads are wanted. */
static void clip_uncore_readings(const struct clip *clip, struct uncore_reading_table *to,
				 const struct uncore_reading_table *from)
{
	COPY_WANTED(uncore_reading_table_copy, to, from, row,
		    from->start_ns[row] >= clip->from_ns && from->end_ns[row] <= clip->to_ns);
	clip_uncore_reading_columns(clip, to);
}

/* A scale for what is drawn of them: the same as of the whole trace. */
static void clip_uncore_counters(struct model *to, const struct model *from)
{
	to->nr_uncore_counters = from->nr_uncore_counters;
	to->uncore_counters = xcalloc(from->nr_uncore_counters + 1, sizeof(*to->uncore_counters));
	for (size_t i = 0; i < from->nr_uncore_counters; i++)
		to->uncore_counters[i] = from->uncore_counters[i];
}

/* One that was cut would seem to have been asked for less: whole ones only. */
static void clip_timed_sleeps(const struct clip *clip, struct timed_sleep_table *to,
			      const struct timed_sleep_table *from)
{
	COPY_WANTED(timed_sleep_table_copy, to, from, row,
		    clip_thread(clip, from->thread[row]) != MODEL_NO_THREAD &&
			    from->start_ns[row] >= clip->from_ns &&
			    from->end_ns[row] <= clip->to_ns);
	clip_timed_sleep_columns(clip, to);
}

static void clip_wakeups(const struct clip *clip, struct wakeup_table *to,
			 const struct wakeup_table *from)
{
	COPY_WANTED(wakeup_table_copy, to, from, row,
		    clip_thread(clip, from->wakee[row]) != MODEL_NO_THREAD &&
			    clip_has(clip, from->time_ns[row], from->time_ns[row]));
	clip_wakeup_columns(clip, to);
}

static void clip_notes(const struct clip *clip, struct note_table *to,
		       const struct note_table *from)
{
	COPY_WANTED(note_table_copy, to, from, row,
		    clip_thread(clip, from->thread[row]) != MODEL_NO_THREAD &&
			    clip_has(clip, from->time_ns[row], from->time_ns[row]));
	clip_note_columns(clip, to);
}

/* Those that were named before it, too. */
static void clip_data_objects(const struct clip *clip, struct data_object_table *to,
			      const struct data_object_table *from)
{
	COPY_WANTED(data_object_table_copy, to, from, row,
		    clip_has(clip, from->start_ns[row], from->end_ns[row]));
	clip_data_object_columns(clip, to);
}

static void clip_samples(const struct clip *clip, struct sample_table *to,
			 const struct sample_table *from)
{
	COPY_WANTED(sample_table_copy, to, from, row,
		    wants_owner(clip, from->thread[row]) && clip_wants_cpu(clip, from->cpu[row]) &&
			    clip_has(clip, from->time_ns[row], from->time_ns[row]));
	clip_sample_columns(clip, to);
}

static void clip_events(const struct clip *clip, struct event_table *to,
			const struct event_table *from)
{
	COPY_WANTED(event_rows_copy, to, from, row,
		    clip_wants_runner(clip, from->thread[row]) &&
			    clip_wants_cpu(clip, from->cpu[row]) &&
			    clip_has(clip, from->time_ns[row], from->time_ns[row]));
	clip_event_columns(clip, to);
}

/* They were counted within the clip: see event_source.h. */
static void clip_left_out_events(struct model *to, const struct model *from)
{
	size_t nr = from->nr_left_out_events;

	to->nr_left_out_events = nr;
	to->left_out_events = xcalloc(nr + 1, sizeof(*to->left_out_events));
	for (size_t i = 0; i < nr; i++)
		to->left_out_events[i] = from->left_out_events[i];
}

/* A scale for what is drawn of them: the same as of the whole trace. */
static void clip_block_devices(struct model *to, const struct model *from)
{
	to->nr_block_devices = from->nr_block_devices;
	to->block_devices = xcalloc(from->nr_block_devices + 1, sizeof(*to->block_devices));
	for (size_t i = 0; i < from->nr_block_devices; i++)
		to->block_devices[i] = from->block_devices[i];
}

static void clip_slice_counts(const struct clip *clip, struct slice_count_table *to,
			      const struct slice_count_table *from)
{
	to->nr_counters = from->nr_counters;
	COPY_WANTED(slice_count_table_copy, to, from, row,
		    wants_owner(clip, from->thread[row]) && clip_wants_cpu(clip, from->cpu[row]) &&
			    from->start_ns[row] >= clip->from_ns &&
			    from->end_ns[row] <= clip->to_ns);
	clip_slice_count_columns(clip, to);
}

static void clip_pmu_gaps(const struct clip *clip, struct pmu_gap_table *to,
			  const struct pmu_gap_table *from)
{
	COPY_WANTED(pmu_gap_table_copy, to, from, row,
		    clip_wants_cpu(clip, from->cpu[row]) &&
			    clip_has(clip, from->start_ns[row], from->end_ns[row]));
	clip_pmu_gap_columns(clip, to);
}

static void clip_pmu_events(const struct clip *clip, struct model *to, const struct model *from)
{
	to->nr_pmu_events = from->nr_pmu_events;
	to->pmu_events = xcalloc(from->nr_pmu_events + 1, sizeof(*to->pmu_events));
	for (size_t i = 0; i < from->nr_pmu_events; i++) {
		to->pmu_events[i] = from->pmu_events[i];
		to->pmu_events[i].has_total = false;
		if (from->pmu_events[i].enough_ns != UINT64_MAX)
			to->pmu_events[i].enough_ns = clip_time(clip,
								from->pmu_events[i].enough_ns);
	}
}

static void clip_cpus(const struct clip *clip, struct model *to, const struct model *from)
{
	to->nr_cpus = from->nr_cpus;
	to->cpus = xcalloc((size_t)from->nr_cpus + 1, sizeof(*to->cpus));
	for (int cpu = 0; cpu < from->nr_cpus; cpu++) {
		if (!clip_wants_cpu(clip, cpu))
			continue;
		to->cpus[cpu].seen = from->cpus[cpu].seen;
		clip_slices(clip, &to->cpus[cpu].slices, &from->cpus[cpu].slices);
		clip_gaps(clip, &to->cpus[cpu].gaps, &from->cpus[cpu].gaps);
		clip_interrupts(clip, &to->cpus[cpu].interrupts, &from->cpus[cpu].interrupts);
		clip_idle(clip, &to->cpus[cpu].idle, &from->cpus[cpu].idle);
		clip_frequencies(clip, &to->cpus[cpu].frequencies, &from->cpus[cpu].frequencies);
	}
}

static void clip_threads(const struct clip *clip, struct model *to, const struct model *from)
{
	to->nr_threads = clip->nr_threads;
	to->threads = xcalloc(clip->nr_threads + 1, sizeof(*to->threads));
	for (size_t i = 0; i < from->nr_threads; i++) {
		uint32_t at = clip_thread(clip, (uint32_t)i);

		if (at == MODEL_NO_THREAD)
			continue;
		clip_states(clip, &to->threads[at].states, &from->threads[i].states,
			    &clip->totals[at]);
		clip_spans(clip, &to->threads[at].spans, &from->threads[i].spans);
		clip_kernel_slices(clip, &to->threads[at].kernel_slices,
				   &from->threads[i].kernel_slices);
		clip_marks(clip, &to->threads[at].marks, &from->threads[i].marks);
		clip_causes(clip, &to->threads[at], &from->threads[i]);
		clip_stack_points(clip, &to->threads[at], &from->threads[i]);
		clip_waker_stacks(clip, &to->threads[at].waker_stacks,
				  &from->threads[i].waker_stacks);
	}
}

struct model *clip_model(const struct clip *clip, const struct model *model)
{
	struct model *clipped = xcalloc(1, sizeof(*clipped));

	clipped->trace = model->trace;
	clipped->start_ns = model->start_ns + clip->from_ns;
	clipped->duration_ns = clip->to_ns - clip->from_ns;
	clipped->nr_switches = model->nr_switches;
	clipped->has_interrupts = model->has_interrupts;
	clipped->has_wakings = model->has_wakings;
	clipped->nr_odd_counts = model->nr_odd_counts;
	clipped->nr_reordered = model->nr_reordered;
	clipped->config_text = model->config_text;
	clipped->topology = topology_copy(&model->topology);
	clip_threads(clip, clipped, model);
	clip_cpus(clip, clipped, model);
	clip_migrations(clip, &clipped->migrations, &model->migrations);
	clip_wakeups(clip, &clipped->wakeups, &model->wakeups);
	clip_block_io(clip, &clipped->block_io, &model->block_io);
	clip_block_devices(clipped, model);
	clip_uncore_readings(clip, &clipped->uncore_readings, &model->uncore_readings);
	clip_uncore_counters(clipped, model);
	clip_timed_sleeps(clip, &clipped->timed_sleeps, &model->timed_sleeps);
	clip_events(clip, &clipped->events, &model->events);
	clip_left_out_events(clipped, model);
	clip_notes(clip, &clipped->notes, &model->notes);
	clip_data_objects(clip, &clipped->data_objects, &model->data_objects);
	clip_pmu_events(clip, clipped, model);
	clip_samples(clip, &clipped->samples, &model->samples);
	clip_slice_counts(clip, &clipped->slice_counts, &model->slice_counts);
	clip_pmu_gaps(clip, &clipped->pmu_gaps, &model->pmu_gaps);
	frame_table_copy(&clipped->frames, &model->frames, 0, model->frames.nr);
	return clipped;
}
