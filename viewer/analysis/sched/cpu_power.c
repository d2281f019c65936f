// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/cpu_power.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/text/figure.h"
#include "util/xalloc.h"

#define KHZ_PER_GHZ 1e6
#define NR_STATES (IDLE_STATE_UNKNOWN + 1)

/* A thread's time on a CPU at one frequency. */
struct piece {
	uint32_t thread;
	uint32_t khz;
	uint64_t start_ns;
	uint64_t ns;
};

struct pieces {
	size_t nr;
	size_t capacity;
	struct piece *rows;
};

struct builder {
	const struct model *model;
	struct cpu_power *result;
	struct cpu_power_thread *threads; /* of the model */
	double *lost_here_ns; /* by thread, on the CPU at hand */
	size_t cpus_capacity;
	size_t states_capacity;
};

double cpu_power_mean_ghz(const struct cpu_power_speed *speed)
{
	return speed->known_ns ? speed->khz_ns / (double)speed->known_ns / KHZ_PER_GHZ : 0;
}

static void add_speed(struct cpu_power_speed *speed, const struct piece *piece)
{
	if (!speed->known_ns || piece->khz < speed->least_khz)
		speed->least_khz = piece->khz;
	if (piece->khz > speed->most_khz)
		speed->most_khz = piece->khz;
	speed->known_ns += piece->ns;
	speed->khz_ns += (double)piece->khz * (double)piece->ns;
}

/* Both are in order, and do not overlap. */
static struct pieces find_pieces(const struct cpu *cpu)
{
	const struct frequency_table *frequencies = &cpu->frequencies;
	const struct slice_table *slices = &cpu->slices;
	struct pieces pieces = { 0 };
	size_t row = 0;

	for (size_t slice = 0; slice < slices->nr; slice++) {
		while (row < frequencies->nr && frequencies->end_ns[row] <= slices->start_ns[slice])
			row++;
		for (size_t at = row;
		     at < frequencies->nr && frequencies->start_ns[at] < slices->end_ns[slice];
		     at++) {
			uint64_t from_ns = frequencies->start_ns[at],
				 to_ns = frequencies->end_ns[at];

			if (from_ns < slices->start_ns[slice])
				from_ns = slices->start_ns[slice];
			if (to_ns > slices->end_ns[slice])
				to_ns = slices->end_ns[slice];
			ARRAY_MAKE_ROOM(pieces.rows, pieces.nr, pieces.capacity);
			pieces.rows[pieces.nr++] = (struct piece){ slices->thread[slice],
								   frequencies->khz[at], from_ns,
								   to_ns - from_ns };
		}
	}
	return pieces;
}

static int compare_khz(const void *a, const void *b)
{
	const struct piece *first = a, *second = b;

	return first->khz > second->khz ? -1 : first->khz < second->khz;
}

/* Of @pieces of the session, which it sorts. */
static uint32_t find_usual(struct pieces *pieces, uint64_t session_ns)
{
	uint64_t enough_ns = (uint64_t)((double)session_ns * CPU_POWER_USUAL_SHARE), ns = 0;

	qsort(pieces->rows, pieces->nr, sizeof(*pieces->rows), compare_khz);
	for (size_t i = 0; i < pieces->nr; i++) {
		ns += pieces->rows[i].ns;
		if (ns >= enough_ns)
			return pieces->rows[i].khz;
	}
	return 0;
}

/* Leaves those of the session, and returns their time. */
static uint64_t keep_session(const struct model *model, struct pieces *pieces)
{
	uint64_t ns = 0;
	size_t nr = 0;

	for (size_t i = 0; i < pieces->nr; i++) {
		if (!model->threads[pieces->rows[i].thread].in_session)
			continue;
		ns += pieces->rows[i].ns;
		pieces->rows[nr++] = pieces->rows[i];
	}
	pieces->nr = nr;
	return ns;
}

static double lost_of(const struct piece *piece, uint32_t usual_khz)
{
	return piece->khz < usual_khz ?
		       (double)piece->ns * (1 - (double)piece->khz / (double)usual_khz) :
		       0;
}

static void add_losses(struct builder *builder, struct cpu_power_cpu *row,
		       const struct pieces *pieces)
{
	row->worst_thread = MODEL_NO_THREAD;
	for (size_t i = 0; i < pieces->nr; i++) {
		const struct piece *piece = &pieces->rows[i];
		double lost_ns = lost_of(piece, row->usual_khz);

		row->lost_ns += lost_ns;
		builder->threads[piece->thread].lost_ns += lost_ns;
		builder->lost_here_ns[piece->thread] += lost_ns;
		if (lost_ns > 0 && (row->worst_thread == MODEL_NO_THREAD ||
				    builder->lost_here_ns[piece->thread] >
					    builder->lost_here_ns[row->worst_thread]))
			row->worst_thread = piece->thread;
	}
	for (size_t i = 0; i < pieces->nr; i++)
		builder->lost_here_ns[pieces->rows[i].thread] = 0;
}

/* @pieces are in the order of time, of which those of one frequency row follow each other. */
static void find_worst(const struct cpu *cpu, const struct pieces *pieces,
		       struct cpu_power_cpu *row)
{
	const struct frequency_table *frequencies = &cpu->frequencies;
	double worst_ns = 0;
	size_t next = 0;

	for (size_t at = 0; at < frequencies->nr; at++) {
		double lost_ns = 0;

		for (; next < pieces->nr && pieces->rows[next].start_ns < frequencies->end_ns[at];
		     next++)
			lost_ns += lost_of(&pieces->rows[next], row->usual_khz);
		if (lost_ns <= worst_ns)
			continue;
		worst_ns = lost_ns;
		row->worst_from_ns = frequencies->start_ns[at];
		row->worst_to_ns = frequencies->end_ns[at];
		row->worst_khz = frequencies->khz[at];
	}
}

static struct pieces copy_pieces(const struct pieces *pieces)
{
	struct pieces copy = { .nr = pieces->nr, .capacity = pieces->nr };

	copy.rows = xcalloc(pieces->nr + 1, sizeof(*copy.rows));
	for (size_t i = 0; i < pieces->nr; i++)
		copy.rows[i] = pieces->rows[i];
	return copy;
}

static void add_frequencies(struct builder *builder, const struct cpu *cpu,
			    struct cpu_power_cpu *row)
{
	struct pieces pieces = find_pieces(cpu), sorted;

	for (size_t i = 0; i < pieces.nr; i++) {
		add_speed(&row->speed, &pieces.rows[i]);
		add_speed(&builder->threads[pieces.rows[i].thread].speed, &pieces.rows[i]);
	}
	row->session_ns = keep_session(builder->model, &pieces);
	sorted = copy_pieces(&pieces);
	row->usual_khz = find_usual(&sorted, row->session_ns);
	free(sorted.rows);
	add_losses(builder, row, &pieces);
	find_worst(cpu, &pieces, row);
	free(pieces.rows);
}

static void add_states(struct builder *builder, int cpu, struct cpu_power_cpu *row)
{
	const struct idle_table *idle = &builder->model->cpus[cpu].idle;
	struct cpu_power_state sums[NR_STATES] = { { 0 } };
	struct cpu_power *result = builder->result;

	for (size_t i = 0; i < idle->nr; i++) {
		if (idle->state[i] == IDLE_STATE_OFFLINE) {
			row->offline_ns += idle->end_ns[i] - idle->start_ns[i];
			continue;
		}
		sums[idle->state[i]].entries++;
		sums[idle->state[i]].ns += idle->end_ns[i] - idle->start_ns[i];
	}
	for (unsigned int state = 0; state < NR_STATES; state++) {
		struct cpu_power_state *sum = &sums[state];

		if (!sum->entries)
			continue;
		sum->cpu = cpu;
		sum->state = (uint8_t)state;
		if (builder->model->duration_ns)
			sum->share = (double)sum->ns / (double)builder->model->duration_ns;
		row->idle_ns += sum->ns;
		ARRAY_MAKE_ROOM(result->states, result->nr_states, builder->states_capacity);
		result->states[result->nr_states++] = *sum;
	}
}

static void add_cpu(struct builder *builder, int cpu)
{
	const struct cpu *c = &builder->model->cpus[cpu];
	struct cpu_power_cpu row = { .cpu = cpu };

	for (size_t i = 0; i < c->slices.nr; i++) {
		uint64_t ns = c->slices.end_ns[i] - c->slices.start_ns[i];

		row.speed.on_cpu_ns += ns;
		builder->threads[c->slices.thread[i]].speed.on_cpu_ns += ns;
	}
	if (!c->idle.nr && !c->frequencies.nr)
		return;
	add_states(builder, cpu, &row);
	add_frequencies(builder, c, &row);
	ARRAY_MAKE_ROOM(builder->result->cpus, builder->result->nr_cpus, builder->cpus_capacity);
	builder->result->cpus[builder->result->nr_cpus++] = row;
}

static int compare_threads(const void *a, const void *b)
{
	const struct cpu_power_thread *first = a, *second = b;

	if (first->speed.known_ns != second->speed.known_ns)
		return first->speed.known_ns > second->speed.known_ns ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

static void take_threads(struct builder *builder)
{
	struct cpu_power *result = builder->result;

	for (uint32_t i = 0; i < builder->model->nr_threads; i++) {
		builder->threads[i].thread = i;
		if (builder->model->threads[i].in_session && builder->threads[i].speed.known_ns)
			builder->threads[result->nr_threads++] = builder->threads[i];
	}
	result->threads = builder->threads;
	qsort(result->threads, result->nr_threads, sizeof(*result->threads), compare_threads);
}

struct cpu_power cpu_power_compute(const struct model *model)
{
	struct cpu_power result = { 0 };
	struct builder builder = {
		.model = model,
		.result = &result,
		.threads = xcalloc(model->nr_threads + 1, sizeof(*builder.threads)),
		.lost_here_ns = xcalloc(model->nr_threads + 1, sizeof(*builder.lost_here_ns)),
	};

	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		add_cpu(&builder, cpu);
	take_threads(&builder);
	free(builder.lost_here_ns);
	return result;
}

void cpu_power_free(struct cpu_power *power)
{
	free(power->cpus);
	free(power->states);
	free(power->threads);
	*power = (struct cpu_power){ 0 };
}

static bool has_dropped(const struct cpu_power_cpu *cpu)
{
	return cpu->session_ns && cpu->lost_ns >= FREQUENCY_DROP_SHARE * (double)cpu->session_ns;
}

/* Of the CPUs that dropped: the one that lost most; NULL: none. */
static const struct cpu_power_cpu *find_worst_cpu(const struct cpu_power *power, size_t *nr,
						  double *lost_ns)
{
	const struct cpu_power_cpu *worst = NULL;

	*nr = 0;
	*lost_ns = 0;
	for (size_t i = 0; i < power->nr_cpus; i++) {
		const struct cpu_power_cpu *cpu = &power->cpus[i];

		if (!has_dropped(cpu))
			continue;
		++*nr;
		*lost_ns += cpu->lost_ns;
		if (!worst || cpu->lost_ns > worst->lost_ns)
			worst = cpu;
	}
	return worst;
}

/* The share of the CPU's time of which its frequency is known. */
static enum finding_confidence confidence_of(const struct cpu_power_cpu *cpu)
{
	double share = (double)cpu->speed.known_ns / (double)cpu->speed.on_cpu_ns;

	return share >= 0.9 ? CONFIDENCE_HIGH : share >= 0.5 ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW;
}

void cpu_power_add_findings(const struct model *model, const struct cpu_power *power,
			    struct findings *findings)
{
	size_t nr;
	double lost_ns;
	const struct cpu_power_cpu *worst = find_worst_cpu(power, &nr, &lost_ns);
	struct finding *finding;

	if (!worst ||
	    !findings_note_loss(findings, FINDING_FREQUENCY_DROP, (uint64_t)worst->lost_ns))
		return;
	finding = findings_add_at_most(findings, FINDING_FREQUENCY_DROP, (uint64_t)worst->lost_ns,
				       worst->worst_from_ns, worst->worst_to_ns);
	finding->confidence = confidence_of(worst);
	finding_add_thread(finding, worst->worst_thread);
	finding_add_cpu(finding, worst->cpu);
	for (size_t i = 0; i < power->nr_cpus; i++) {
		if (has_dropped(&power->cpus[i]) && &power->cpus[i] != worst)
			finding_add_cpu(finding, power->cpus[i].cpu);
	}
	finding_set_text(
		finding,
		"CPU %d was slower than its usual %.2f GHz while threads of the session ran on "
		"it, at %.2f GHz for longest; that cost %.0f %% of their %s there, %s most; %zu "
		"CPU%s lost %s in this way",
		worst->cpu, worst->usual_khz / KHZ_PER_GHZ, worst->worst_khz / KHZ_PER_GHZ,
		100 * worst->lost_ns / (double)worst->session_ns,
		figure_ns(worst->session_ns, " ").text,
		thread_label(model, worst->worst_thread).text, nr, nr == 1 ? "" : "s",
		figure_ns((uint64_t)lost_ns, " ").text);
}
