// SPDX-License-Identifier: GPL-2.0
/*
 * A machine that is not there: threads that run, sleep, are preempted, woken and moved, and the events
 * that a kernel would record of that, all of them; events of other kinds, too, if it is told to, some of
 * which come before a switch is done, and name who leaves.
 */
#include <stdlib.h>

#include "thinned.h"

#define NR_CPUS 4
#define NR_THREADS 9
#define NR_STEPS 4000
#define FIRST_TID 100
#define NOBODY (-1)

enum doing {
	RUNS,
	WAITS,
	SLEEPS
};

struct machine {
	struct event_list events;
	uint64_t now_ns;
	int on[NR_CPUS]; /* who runs there */
	enum doing doing[NR_THREADS];
	int cpu[NR_THREADS]; /* where it runs or waits, or ran last */
	unsigned int random;
	bool has_others; /* events of other kinds */
};

static unsigned int any(struct machine *machine, unsigned int below)
{
	machine->random = machine->random * 1103515245u + 12345u;
	return machine->random / 65536u % below;
}

static int32_t tid_of(int thread)
{
	return thread == NOBODY ? 0 : FIRST_TID + thread;
}

static struct trace_event event_on(struct machine *machine, int cpu, enum trace_event_kind kind)
{
	machine->now_ns += 1 + any(machine, 30000);
	return (struct trace_event){
		.time_ns = machine->now_ns,
		.cpu = cpu,
		.tid = tid_of(machine->on[cpu]),
		.kind = kind,
	};
}

/* Of a kind that is not looked into. */
static void tell_other(struct machine *machine, int cpu, bool may_be_in_switch)
{
	struct trace_event event;

	if (!machine->has_others)
		return;
	event = event_on(machine, cpu, TRACE_OTHER);
	event.other.may_be_in_switch = may_be_in_switch;
	events_add(&machine->events, &event);
}

static int next_waiting(struct machine *machine, int cpu)
{
	int first = (int)any(machine, NR_THREADS);

	for (int i = 0; i < NR_THREADS; i++) {
		int thread = (first + i) % NR_THREADS;

		if (machine->doing[thread] == WAITS && machine->cpu[thread] == cpu)
			return thread;
	}
	return NOBODY;
}

/* Who runs there leaves, to sleep or to wait; who waits there comes. */
static void reschedule(struct machine *machine, int cpu, bool to_sleep)
{
	int prev = machine->on[cpu], next = next_waiting(machine, cpu);
	struct trace_event event;

	if (prev == next || (next == NOBODY && !to_sleep))
		return;
	event = event_on(machine, cpu, TRACE_SWITCH);
	event.sw.next_tid = tid_of(next);
	event.sw.reason = to_sleep ? TRACE_OUT_SLEEPING : TRACE_OUT_RUNNABLE;
	events_add(&machine->events, &event);
	/* Who leaves is named until the switch is done. */
	while (machine->has_others && any(machine, 2))
		tell_other(machine, cpu, true);
	if (prev != NOBODY)
		machine->doing[prev] = to_sleep ? SLEEPS : WAITS;
	if (next != NOBODY)
		machine->doing[next] = RUNS;
	machine->on[cpu] = next;
}

static void wake(struct machine *machine, int cpu, int thread)
{
	int to_cpu = any(machine, 3) ? machine->cpu[thread] : (int)any(machine, NR_CPUS);
	struct trace_event event = event_on(machine, cpu, TRACE_WAKING);

	event.wakeup.wakee_tid = tid_of(thread);
	event.wakeup.target_cpu = to_cpu;
	if (any(machine, 2))
		events_add(&machine->events, &event);
	event = event_on(machine, cpu, TRACE_WAKEUP);
	event.wakeup.wakee_tid = tid_of(thread);
	event.wakeup.target_cpu = to_cpu;
	events_add(&machine->events, &event);
	machine->doing[thread] = WAITS;
	machine->cpu[thread] = to_cpu;
	if (machine->on[to_cpu] == NOBODY)
		reschedule(machine, to_cpu, false);
}

/* A CPU takes who waits for another one. */
static void pull(struct machine *machine, int cpu, int thread)
{
	struct trace_event event = event_on(machine, cpu, TRACE_MIGRATE);

	event.migrate.moved_tid = tid_of(thread);
	event.migrate.from_cpu = machine->cpu[thread];
	event.migrate.to_cpu = cpu;
	events_add(&machine->events, &event);
	machine->cpu[thread] = cpu;
	if (machine->on[cpu] == NOBODY)
		reschedule(machine, cpu, false);
}

static void mark(struct machine *machine, int cpu)
{
	struct trace_event event = event_on(machine, cpu, TRACE_MARK);

	event.annot.true_ns = event.time_ns;
	events_add(&machine->events, &event);
}

static void step(struct machine *machine)
{
	int cpu = (int)any(machine, NR_CPUS), thread = (int)any(machine, NR_THREADS);

	if (machine->has_others && any(machine, 2))
		tell_other(machine, (int)any(machine, NR_CPUS), any(machine, 2));
	switch (any(machine, 8)) {
	case 0:
	case 1:
	case 2:
		if (machine->doing[thread] == SLEEPS)
			wake(machine, cpu, thread);
		break;
	case 3:
		if (machine->doing[thread] == WAITS && machine->cpu[thread] != cpu)
			pull(machine, cpu, thread);
		break;
	case 4:
		mark(machine, cpu);
		break;
	case 5:
		reschedule(machine, cpu, false);
		break;
	default:
		if (machine->on[cpu] != NOBODY)
			reschedule(machine, cpu, true);
	}
}

struct event_list events_made_up(unsigned int seed, bool has_others)
{
	struct machine machine = {
		.now_ns = 1000000,
		.random = seed,
		.has_others = has_others,
	};

	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		machine.on[cpu] = NOBODY;
		mark(&machine, cpu);
	}
	for (int thread = 0; thread < NR_THREADS; thread++) {
		machine.doing[thread] = SLEEPS;
		machine.cpu[thread] = thread % NR_CPUS;
	}
	for (int i = 0; i < NR_STEPS; i++)
		step(&machine);
	return machine.events;
}
