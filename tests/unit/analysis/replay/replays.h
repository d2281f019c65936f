/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Made-up sessions that are replayed, and what asks for a replay. How long everything takes is known.
 */
#ifndef REPLAYS_H
#define REPLAYS_H

#include "analysis/replay/what_if.h"
#include "events.h"

#define A 101
#define B 102
#define C 103
#define STRANGER 50
#define OWN 14u /* names of the programs */
#define OTHER 15u
#define WORK 20u
#define SECTION 21u
#define BARRIER 30u
#define SEND 31u
#define RECEIVE 32u
#define MS 1000000ull
#define BEGIN_NS (1 * MS)
#define NR_ROUNDS 10
#define FUTEX_ADDRESS 0x1000u

/* Only so that there are strings, and two more: of replay_open_trace(). */
extern struct trace *replay_trace;
extern uint32_t replay_lock, replay_futex;

struct replay_session {
	struct model *model;
	struct task_stats *stats;
	struct regions *regions;
	struct what_if_oracle oracle;
};

/* The script ends at @end_ns, with A on CPU 0. */
struct model *replay_end(uint64_t end_ns);

/* All that a replay of @model takes. replay_close() ends it, but for the model. */
struct replay_session replay_open(struct model *model);
void replay_close(struct replay_session *session);

/* What a replay answers. */
struct what_if replay_ask(struct model *model, const struct what_if_question *question);

/* Holds the answer to figures that are known, within 2 of 1000. Frees @model. */
void replay_expect(struct model *model, const struct what_if_question *question,
		   uint64_t recorded_ns, uint64_t predicted_ns);

/* A on CPU 0 and B on CPU 1 begin at BEGIN_NS. */
void begin_two(void);
/* @tid falls asleep on @cpu, for the futex that @holder has. */
void replay_feed_futex_at(uint64_t time_ns, int cpu, int32_t tid, int32_t holder);

/* Each round, A works for 3 ms and B for 1 ms, which then sleeps in a barrier until A comes there, too. */
struct model *make_unbalanced(void);
/* A and B share CPU 0, in @nr slices each. */
struct model *make_crowded(int nr, uint64_t slice_ns);
/* A stranger has the CPU for half of the time, in turns of 1 ms. */
struct model *make_with_stranger(void);
/*
 * Each round B works for 1 ms, and waits for 2 ms for a lock, as it tells itself or its futex does, until A wakes it; then it works for
 * 10 ms. A works for 30 ms: without the lock, that is the end.
 */
struct model *make_waiting(bool is_told);
/*
 * Each round, both have a section of 2 ms for themselves, A first: B sleeps before it, and is woken when A leaves. Then A sleeps until
 * B leaves its own. The recording tells who held the lock, or not; in the first @nr_again rounds, A has two sections of 1 ms.
 */
struct model *make_locked(bool is_told, int nr_again);
/*
 * The same, and at the end B has its section from 1 to 2 ms, and wakes A at 6 ms, which waits for that in its own section, that it has
 * from 3 to 7 ms. Before, A works, or a stranger has its CPU for most of it. If A came there first, B would wait for the lock, and A for B.
 */
struct model *make_entangled(bool by_stranger);
/* A is ready for half of the time while its CPU is idle: no model of a scheduler does that. */
struct model *make_inexplicable(void);
/* A does a chunk of 2 ms each round, and has 1 ms to do before the next; once it also sleeps there. */
struct model *make_chunks(void);

/* For a group of tests. */
int replay_open_trace(void **state);
int replay_close_trace(void **state);
/*
 * Each round A works for 2 ms and wakes B, which works for 1 ms and wakes A. The CPU of the wakee tells of the wakeup, and the waker's
 * does so if @is_told. At the end, A works for @alone_ns.
 */
struct model *make_handed_over(bool is_told, uint64_t alone_ns);

#endif /* REPLAYS_H */
