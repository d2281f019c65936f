// SPDX-License-Identifier: GPL-2.0
#include "analysis/replay/replay.h"

#include <stdlib.h>

#include "analysis/replay/replay_alarms.h"
#include "analysis/replay/replay_cpus.h"
#include "util/xalloc.h"

#define NOBODY SIZE_MAX

/* A thread. */
struct player {
	bool is_done;
	size_t step; /* the next one */
	uint64_t left_ns; /* of work at hand */
	double run_ns; /* on CPUs, for fair shares; compared within a queue */
	int cpu; /* where it is, or was last */
	size_t next; /* who waits for the same meeting or lock */
};

struct lock {
	bool is_held;
	size_t first; /* who waits for it, or NOBODY */
	size_t last;
};

struct queue {
	size_t nr;
	size_t capacity;
	size_t *rows; /* players */
};

struct cpu_now {
	struct queue queue;
	size_t player; /* NOBODY: none */
	uint64_t since_ns; /* what it did until here is booked */
	uint64_t latency_until_ns; /* it does not work yet */
	uint64_t slice_until_ns;
	uint64_t loaded_until_ns; /* somebody outside of the session has it */
	size_t load; /* the next one */
	uint32_t version;
	double least_run_ns; /* never falls: where who wakes up begins */
};

struct run {
	const struct replay_plan *plan;
	const struct replay_settings *settings;
	int nr_cpus;
	bool has_fewer_cpus; /* than the recording */
	uint64_t now_ns;
	struct player *players;
	struct cpu_now *cpus;
	bool *is_posted; /* by wakeup */
	size_t *waiter; /* by wakeup: who waits for it, or NOBODY */
	uint32_t *nr_met; /* by meeting */
	size_t *meeting; /* by meeting: the first who waits, or NOBODY */
	struct lock *locks;
	bool *may_run; /* row of players * nr_cpus + CPU */
	struct replay_alarms alarms;
	uint64_t last_work_ns;
};

static bool is_loaded(const struct run *run, int cpu)
{
	return run->cpus[cpu].loaded_until_ns > run->now_ns;
}

static bool is_idle(const struct run *run, int cpu)
{
	return run->cpus[cpu].player == NOBODY && !run->cpus[cpu].queue.nr && !is_loaded(run, cpu);
}

static bool may_run(const struct run *run, size_t player, int cpu)
{
	return run->may_run[player * (size_t)run->nr_cpus + (size_t)cpu];
}

static bool is_real_time(const struct run *run, size_t player)
{
	return run->plan->threads[player].is_real_time;
}

/* Whether work is done on the CPU where it was. */
static bool is_bound(const struct run *run)
{
	return run->settings->placement == PLACE_AS_RECORDED && !run->settings->is_pinned &&
	       !run->has_fewer_cpus;
}

/* Where the thread's next work was, if it is not where it is; else -1. */
static int bound_elsewhere(const struct run *run, size_t at)
{
	const struct replay_thread *thread = &run->plan->threads[at];
	const struct player *player = &run->players[at];

	if (!is_bound(run) || player->left_ns)
		return -1;
	for (size_t i = player->step; i < thread->nr; i++) {
		const struct replay_step *step = &run->plan->steps[thread->first + i];

		if (step->kind == STEP_RUN && step->cpu >= 0)
			return step->cpu == player->cpu ? -1 : step->cpu;
		if (step->kind != STEP_RUN && step->kind != STEP_WAKE && step->kind != STEP_UNLOCK)
			break;
	}
	return -1;
}

/* Books what the CPU's thread did until now. */
static void book(struct run *run, int cpu)
{
	struct cpu_now *on = &run->cpus[cpu];
	uint64_t from_ns = on->since_ns;
	struct player *player;

	on->since_ns = run->now_ns;
	if (on->player == NOBODY)
		return;
	player = &run->players[on->player];
	player->run_ns += (double)(run->now_ns - from_ns);
	if (from_ns < on->latency_until_ns)
		from_ns = on->latency_until_ns;
	if (run->now_ns > from_ns)
		player->left_ns -= run->now_ns - from_ns;
	if (player->run_ns > on->least_run_ns && !on->queue.nr)
		on->least_run_ns = player->run_ns;
}

/* Tells when the CPU's thread has done its work, or others in its queue are next. */
static void set_cpu_alarm(struct run *run, int cpu)
{
	struct cpu_now *on = &run->cpus[cpu];
	struct replay_alarm alarm = { .kind = ALARM_CPU, .which = (uint32_t)cpu };
	uint64_t begin_ns;

	book(run, cpu);
	alarm.version = ++on->version;
	if (is_loaded(run, cpu)) {
		alarm.time_ns = on->loaded_until_ns;
		replay_alarms_add(&run->alarms, &alarm);
		return;
	}
	if (on->player == NOBODY)
		return;
	begin_ns = on->latency_until_ns > run->now_ns ? on->latency_until_ns : run->now_ns;
	alarm.time_ns = begin_ns + run->players[on->player].left_ns;
	if (on->queue.nr && on->slice_until_ns < alarm.time_ns && !is_real_time(run, on->player))
		alarm.time_ns = on->slice_until_ns > run->now_ns ? on->slice_until_ns : run->now_ns;
	replay_alarms_add(&run->alarms, &alarm);
}

static void put_in_queue(struct run *run, int cpu, size_t player)
{
	struct queue *queue = &run->cpus[cpu].queue;

	ARRAY_MAKE_ROOM(queue->rows, queue->nr, queue->capacity);
	queue->rows[queue->nr++] = player;
	run->players[player].cpu = cpu;
}

static size_t take_from_queue(struct run *run, int cpu, size_t at)
{
	struct queue *queue = &run->cpus[cpu].queue;
	size_t player = queue->rows[at];

	for (size_t i = at + 1; i < queue->nr; i++)
		queue->rows[i - 1] = queue->rows[i];
	queue->nr--;
	return player;
}

static bool comes_before(const struct run *run, size_t first, size_t second)
{
	if (is_real_time(run, first) != is_real_time(run, second))
		return is_real_time(run, first);
	return run->players[first].run_ns < run->players[second].run_ns;
}

/* The place in its queue of the one that comes next, of equal ones who came first. */
static size_t least_of_queue(const struct run *run, int cpu)
{
	const struct queue *queue = &run->cpus[cpu].queue;
	size_t best = 0;

	for (size_t i = 1; i < queue->nr; i++) {
		if (comes_before(run, queue->rows[i], queue->rows[best]))
			best = i;
	}
	return best;
}

/* Its share is told from where the other CPU's threads are. */
static void move_to(struct run *run, size_t player, int cpu)
{
	struct player *row = &run->players[player];

	row->run_ns += run->cpus[cpu].least_run_ns - run->cpus[row->cpu].least_run_ns;
	row->cpu = cpu;
}

/* Somebody in another CPU's queue who may run here; of the longest queue. */
static size_t steal(struct run *run, int cpu)
{
	size_t player = NOBODY, place = 0, most = 0;
	int from = -1;

	if (is_bound(run))
		return NOBODY;
	for (int other = 0; other < run->nr_cpus; other++) {
		const struct queue *queue = &run->cpus[other].queue;

		if (other == cpu || queue->nr <= most)
			continue;
		for (size_t i = 0; i < queue->nr; i++) {
			if (!may_run(run, queue->rows[i], cpu))
				continue;
			place = i;
			from = other;
			most = queue->nr;
			break;
		}
	}
	if (from < 0)
		return NOBODY;
	player = take_from_queue(run, from, place);
	move_to(run, player, cpu);
	set_cpu_alarm(run, from);
	return player;
}

static void wake(struct run *run, size_t player);

/* Returns false if it has to wait. Woken, it tries again: another one may have come in between. */
static bool take_lock(struct run *run, size_t at, struct lock *lock)
{
	struct player *player = &run->players[at];

	if (!lock->is_held) {
		lock->is_held = true;
		return true;
	}
	player->step--;
	player->next = NOBODY;
	if (lock->first == NOBODY)
		lock->first = at;
	else
		run->players[lock->last].next = at;
	lock->last = at;
	return false;
}

static void free_lock(struct run *run, struct lock *lock)
{
	size_t first = lock->first;

	lock->is_held = false;
	if (first == NOBODY)
		return;
	lock->first = run->players[first].next;
	wake(run, first);
}

/* What comes before the next work. Returns false if the thread does not go on now. */
static bool take_step(struct run *run, size_t at, const struct replay_step *step)
{
	struct player *player = &run->players[at];
	struct replay_alarm alarm = { .kind = ALARM_THREAD, .which = (uint32_t)at };

	switch ((enum replay_step_kind)step->kind) {
	case STEP_RUN:
		player->left_ns = step->value;
		if (run->settings->factors)
			player->left_ns = (uint64_t)((double)step->value *
							     run->settings->factors[step->place] +
						     0.5);
		return true;
	case STEP_WAKE:
		run->is_posted[step->value] = true;
		if (run->waiter[step->value] != NOBODY)
			wake(run, run->waiter[step->value]);
		return true;
	case STEP_WAIT:
		if (run->is_posted[step->value])
			return true;
		run->waiter[step->value] = at;
		return false;
	case STEP_WAIT_UNKNOWN:
		if (run->settings->skips_unknown)
			return true;
		alarm.time_ns = run->now_ns + step->value;
		replay_alarms_add(&run->alarms, &alarm);
		return false;
	case STEP_SLEEP:
		alarm.time_ns = run->now_ns + step->value;
		replay_alarms_add(&run->alarms, &alarm);
		return false;
	case STEP_SLEEP_UNTIL:
		if (step->value <= run->now_ns)
			return true;
		alarm.time_ns = step->value;
		replay_alarms_add(&run->alarms, &alarm);
		return false;
	case STEP_MEET:
		if (++run->nr_met[step->value] < run->plan->meeting_sizes[step->value]) {
			player->next = run->meeting[step->value];
			run->meeting[step->value] = at;
			return false;
		}
		while (run->meeting[step->value] != NOBODY) {
			size_t first = run->meeting[step->value];

			run->meeting[step->value] = run->players[first].next;
			wake(run, first);
		}
		return true;
	case STEP_LOCK:
		return take_lock(run, at, &run->locks[step->value]);
	case STEP_UNLOCK:
		free_lock(run, &run->locks[step->value]);
		return true;
	}
	return true;
}

/* On its CPU: goes through what takes no time, until it has work. Returns false if it leaves. */
static bool go_on(struct run *run, size_t at)
{
	const struct replay_thread *thread = &run->plan->threads[at];
	struct player *player = &run->players[at];

	while (!player->left_ns) {
		/* It comes there at once. */
		if (bound_elsewhere(run, at) >= 0) {
			replay_alarms_add(&run->alarms,
					  &(struct replay_alarm){ .time_ns = run->now_ns,
								  .kind = ALARM_THREAD,
								  .which = (uint32_t)at });
			return false;
		}
		if (player->step == thread->nr) {
			player->is_done = true;
			return false;
		}
		if (!take_step(run, at, &run->plan->steps[thread->first + player->step++]))
			return false;
	}
	return true;
}

/* Gives the CPU to who is next. @was_idle: until now. */
static void fill_cpu(struct run *run, int cpu, bool was_idle)
{
	struct cpu_now *on = &run->cpus[cpu];

	while (on->player == NOBODY && !is_loaded(run, cpu)) {
		size_t next = on->queue.nr ? take_from_queue(run, cpu, least_of_queue(run, cpu)) :
					     steal(run, cpu);

		if (next == NOBODY)
			break;
		on->player = next;
		on->since_ns = run->now_ns;
		on->latency_until_ns = run->now_ns + (was_idle ? run->settings->latency_ns : 0);
		on->slice_until_ns = run->now_ns + run->settings->slice_ns;
		run->players[next].cpu = cpu;
		if (run->players[next].run_ns > on->least_run_ns)
			on->least_run_ns = run->players[next].run_ns;
		/* With latency it does nothing yet, not even what takes no time. */
		if (on->latency_until_ns > run->now_ns && !run->players[next].left_ns)
			break;
		if (!go_on(run, next))
			on->player = NOBODY;
	}
	set_cpu_alarm(run, cpu);
}

static void give_up_cpu(struct run *run, int cpu)
{
	struct cpu_now *on = &run->cpus[cpu];
	size_t player = on->player;

	on->player = NOBODY;
	put_in_queue(run, cpu, player);
}

/* Where it goes: where it was, if that is idle, else where it is idle, else where it was. */
static int choose_cpu(const struct run *run, size_t player)
{
	int last = run->players[player].cpu, best = -1, bound = bound_elsewhere(run, player);

	if (is_bound(run))
		return bound >= 0 ? bound : last;

	if (may_run(run, player, last) && is_idle(run, last))
		return last;
	for (int cpu = 0; cpu < run->nr_cpus; cpu++) {
		if (!may_run(run, player, cpu))
			continue;
		if (is_idle(run, cpu))
			return cpu;
		if (best < 0 || cpu == last)
			best = cpu;
	}
	return best;
}

static bool preempts(const struct run *run, size_t player, size_t other)
{
	double ahead_ns = run->players[other].run_ns - run->players[player].run_ns;

	/* It is between two steps. */
	if (!run->players[other].left_ns || is_real_time(run, other))
		return false;
	return is_real_time(run, player) || ahead_ns > (double)run->settings->slice_ns / 3;
}

static void wake(struct run *run, size_t at)
{
	double slice_ns = (double)run->settings->slice_ns;
	struct player *player = &run->players[at];
	int cpu = choose_cpu(run, at);
	struct cpu_now *on = &run->cpus[cpu];
	bool was_idle = is_idle(run, cpu);

	move_to(run, at, cpu);
	book(run, cpu);
	if (player->run_ns < on->least_run_ns - slice_ns / 2)
		player->run_ns = on->least_run_ns - slice_ns / 2;
	put_in_queue(run, cpu, at);
	if (on->player != NOBODY && !is_loaded(run, cpu) && preempts(run, at, on->player))
		give_up_cpu(run, cpu);
	if (on->player == NOBODY)
		fill_cpu(run, cpu, was_idle);
	else
		set_cpu_alarm(run, cpu);
}

static size_t nr_on(const struct run *run, int cpu)
{
	return run->cpus[cpu].queue.nr + (run->cpus[cpu].player != NOBODY) + is_loaded(run, cpu);
}

/* One that has two threads less than @cpu, and may have @player; or -1. */
static int find_emptier(const struct run *run, int cpu, size_t player)
{
	for (int other = 0; other < run->nr_cpus; other++) {
		if (other != cpu && !is_bound(run) && may_run(run, player, other) &&
		    nr_on(run, other) + 2 <= nr_on(run, cpu))
			return other;
	}
	return -1;
}

static void end_slice(struct run *run, int cpu)
{
	struct cpu_now *on = &run->cpus[cpu];
	size_t player = on->player;
	int other = find_emptier(run, cpu, player);

	if (other < 0) {
		give_up_cpu(run, cpu);
		return;
	}
	on->player = NOBODY;
	move_to(run, player, other);
	put_in_queue(run, other, player);
	if (run->cpus[other].player == NOBODY)
		fill_cpu(run, other, true);
	else
		set_cpu_alarm(run, other);
}

static void hear_cpu(struct run *run, int cpu)
{
	struct cpu_now *on = &run->cpus[cpu];
	size_t player = on->player;

	book(run, cpu);
	if (player != NOBODY && !run->players[player].left_ns) {
		run->last_work_ns = run->now_ns;
		if (!go_on(run, player))
			on->player = NOBODY;
	}
	if (on->player != NOBODY && on->queue.nr && on->slice_until_ns <= run->now_ns &&
	    !is_real_time(run, on->player))
		end_slice(run, cpu);
	if (on->player == NOBODY)
		fill_cpu(run, cpu, false);
	else
		set_cpu_alarm(run, cpu);
}

static void set_load_alarm(struct run *run, int cpu)
{
	const struct replay_cpu *loads = &run->plan->cpus[cpu];
	size_t at = run->cpus[cpu].load;

	if (at < loads->nr_loads)
		replay_alarms_add(&run->alarms,
				  &(struct replay_alarm){ .time_ns = loads->loads[at].from_ns,
							  .kind = ALARM_LOAD,
							  .which = (uint32_t)cpu });
}

/* The thread that is there waits for its CPU; others may go elsewhere. */
static void hear_load(struct run *run, int cpu)
{
	struct cpu_now *on = &run->cpus[cpu];
	const struct replay_load *load = &run->plan->cpus[cpu].loads[on->load++];

	book(run, cpu);
	if (load->to_ns > on->loaded_until_ns)
		on->loaded_until_ns = load->to_ns;
	if (on->player != NOBODY)
		give_up_cpu(run, cpu);
	fill_cpu(run, cpu, false);
	set_load_alarm(run, cpu);
	for (int other = 0; other < run->nr_cpus; other++) {
		if (is_idle(run, other))
			fill_cpu(run, other, true);
	}
}

static void hear(struct run *run, const struct replay_alarm *alarm)
{
	run->now_ns = alarm->time_ns;
	switch ((enum replay_alarm_kind)alarm->kind) {
	case ALARM_CPU:
		if (run->cpus[alarm->which].version == alarm->version)
			hear_cpu(run, (int)alarm->which);
		break;
	case ALARM_LOAD:
		hear_load(run, (int)alarm->which);
		break;
	case ALARM_THREAD:
		wake(run, alarm->which);
		break;
	}
}

static void begin(struct run *run)
{
	const struct replay_plan *plan = run->plan;

	for (size_t i = 0; i < plan->nr_wakeups; i++)
		run->waiter[i] = NOBODY;
	for (size_t i = 0; i < plan->nr_meetings; i++)
		run->meeting[i] = NOBODY;
	for (size_t i = 0; i < plan->nr_locks; i++)
		run->locks[i].first = NOBODY;
	for (int cpu = 0; cpu < run->nr_cpus; cpu++) {
		run->cpus[cpu].player = NOBODY;
		if (cpu < plan->nr_cpus)
			set_load_alarm(run, cpu);
	}
	for (size_t i = 0; i < plan->nr_threads; i++) {
		run->players[i].cpu = plan->threads[i].main_cpu;
		/* Its first step is a wait, or is over. */
		if (go_on(run, i))
			wake(run, i);
	}
}

static size_t count_stuck(const struct run *run)
{
	size_t nr = 0;

	for (size_t i = 0; i < run->plan->nr_threads; i++)
		nr += !run->players[i].is_done;
	return nr;
}

struct replay_result replay_run(const struct replay_plan *plan,
				const struct replay_settings *settings)
{
	int nr_cpus = settings->nr_cpus > plan->nr_cpus ? settings->nr_cpus : plan->nr_cpus;
	struct run run = {
		.plan = plan,
		.settings = settings,
		.nr_cpus = nr_cpus,
		.has_fewer_cpus = settings->nr_cpus &&
				  settings->nr_cpus < replay_cpus_of_session(plan),
		.players = xcalloc(plan->nr_threads, sizeof(*run.players)),
		.cpus = xcalloc((size_t)nr_cpus, sizeof(*run.cpus)),
		.is_posted = xcalloc(plan->nr_wakeups, sizeof(*run.is_posted)),
		.waiter = xcalloc(plan->nr_wakeups, sizeof(*run.waiter)),
		.nr_met = xcalloc(plan->nr_meetings, sizeof(*run.nr_met)),
		.meeting = xcalloc(plan->nr_meetings, sizeof(*run.meeting)),
		.locks = xcalloc(plan->nr_locks, sizeof(*run.locks)),
		.may_run = replay_cpus_find(plan, settings, nr_cpus),
	};
	struct replay_result result;

	begin(&run);
	while (run.alarms.nr) {
		struct replay_alarm alarm = replay_alarms_take(&run.alarms);

		hear(&run, &alarm);
	}
	result.length_ns = run.last_work_ns > plan->from_ns ? run.last_work_ns - plan->from_ns : 0;
	result.nr_stuck = count_stuck(&run);
	for (int cpu = 0; cpu < nr_cpus; cpu++)
		free(run.cpus[cpu].queue.rows);
	free(run.players);
	free(run.cpus);
	free(run.is_posted);
	free(run.waiter);
	free(run.nr_met);
	free(run.meeting);
	free(run.locks);
	free(run.may_run);
	replay_alarms_free(&run.alarms);
	return result;
}
