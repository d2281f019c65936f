// SPDX-License-Identifier: GPL-2.0
#include "model/kernel/power.h"

#include "model/table_rows.h"

static void end_idle(struct model_builder *builder, int cpu, uint64_t end_ns, uint8_t flags)
{
	struct power_build *power = &builder->cpus[cpu].power;
	const struct idle_row row = {
		.start_ns = power->idle_ns,
		.end_ns = end_ns > power->idle_ns ? end_ns : power->idle_ns,
		.state = power->idle_state,
		.flags = flags,
	};

	idle_table_add(&builder->model->cpus[cpu].idle, &row);
	power->is_idle = false;
	power->awake_ns = row.end_ns;
}

void power_cut_idle(struct model_builder *builder, int cpu, uint64_t until_ns)
{
	end_idle(builder, cpu, until_ns, IDLE_OPEN_END);
}

static void begin_idle(struct model_builder *builder, int cpu, uint32_t state)
{
	struct power_build *power = &builder->cpus[cpu].power;

	if (power->is_idle)
		power_cut_idle(builder, cpu, builder->now_ns);
	power->is_idle = true;
	power->idle_ns = builder->now_ns;
	power->idle_state = state < IDLE_STATE_UNKNOWN ? (uint8_t)state : IDLE_STATE_UNKNOWN;
}

static void feed_idle(struct model_builder *builder, const struct trace_event *event)
{
	struct power_build *power = &builder->cpus[event->power.cpu].power;

	if (!event->power.is_exit) {
		begin_idle(builder, event->power.cpu, event->power.value);
	} else if (power->is_idle) {
		end_idle(builder, event->power.cpu, builder->now_ns, 0);
	} else if (builder->cpus[event->power.cpu].runner >= RUNNER_IDLE &&
		   builder->now_ns > power->awake_ns) {
		power->idle_ns = power->awake_ns;
		power->idle_state = IDLE_STATE_UNKNOWN;
		end_idle(builder, event->power.cpu, builder->now_ns, IDLE_OPEN_BEGIN);
	}
}

static void end_frequency(struct model_builder *builder, int cpu, uint64_t end_ns)
{
	struct power_build *power = &builder->cpus[cpu].power;
	const struct frequency_row row = { power->khz_ns, end_ns, power->khz };

	if (power->khz && end_ns > power->khz_ns)
		frequency_table_add(&builder->model->cpus[cpu].frequencies, &row);
	power->khz = 0;
}

static void feed_frequency(struct model_builder *builder, const struct trace_event *event)
{
	struct power_build *power = &builder->cpus[event->power.cpu].power;

	power->khz_from = event->cpu;
	if (event->power.value == power->khz)
		return;
	end_frequency(builder, event->power.cpu, builder->now_ns);
	power->khz = event->power.value;
	power->khz_ns = builder->now_ns;
}

void power_feed(struct model_builder *builder, const struct trace_event *event)
{
	/* Only a damaged file names others than its CPUs. */
	if (event->power.cpu < 0 || event->power.cpu >= builder->model->nr_cpus)
		return;
	if (event->kind == TRACE_CPU_IDLE)
		feed_idle(builder, event);
	else
		feed_frequency(builder, event);
}

/* A CPU that was never seen was offline from the begin on. */
static void come_online(struct model_builder *builder, int cpu)
{
	struct power_build *power = &builder->cpus[cpu].power;

	if (power->is_idle && power->idle_state == IDLE_STATE_OFFLINE) {
		end_idle(builder, cpu, builder->now_ns, 0);
	} else if (!builder->model->cpus[cpu].seen && builder->now_ns > power->awake_ns) {
		power->idle_ns = power->awake_ns;
		power->idle_state = IDLE_STATE_OFFLINE;
		end_idle(builder, cpu, builder->now_ns, IDLE_OPEN_BEGIN);
	}
}

void power_feed_hotplug(struct model_builder *builder, const struct trace_event *event)
{
	uint64_t cpu = event->kernel.key >> 32;
	struct power_build *power;

	if (cpu >= (uint64_t)builder->model->nr_cpus)
		return;
	power = &builder->cpus[cpu].power;
	if (event->kind == TRACE_KERNEL_BEGIN) {
		if (event->kernel.level == TRACE_HOTPLUG_BRINGS_UP)
			come_online(builder, (int)cpu);
		if (event->kernel.level)
			power->is_taken_down = event->kernel.level == TRACE_HOTPLUG_TAKES_DOWN;
		if (event->kernel.level == TRACE_HOTPLUG_TAKES_DOWN)
			power->down_key = event->kernel.key;
	} else if (power->is_taken_down && power->down_key == event->kernel.key) {
		power->is_taken_down = false;
		if (!event->kernel.value)
			begin_idle(builder, (int)cpu, IDLE_STATE_OFFLINE);
	}
}

void power_lose_frequencies(struct model_builder *builder, int cpu, uint64_t since_ns)
{
	for (int other = 0; other < builder->model->nr_cpus; other++) {
		if (builder->cpus[other].power.khz && builder->cpus[other].power.khz_from == cpu)
			end_frequency(builder, other, since_ns);
	}
}

void power_finish(struct model_builder *builder)
{
	for (int cpu = 0; cpu < builder->model->nr_cpus; cpu++) {
		if (builder->cpus[cpu].power.is_idle)
			power_cut_idle(builder, cpu, builder->now_ns);
		end_frequency(builder, cpu, builder->now_ns);
	}
}
