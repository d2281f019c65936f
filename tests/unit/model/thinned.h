/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traces of which some events are left out, and what is made of the rest against what is made of all.
 */
#ifndef TESTS_THINNED_H
#define TESTS_THINNED_H

#include "model/model.h"

struct event_list {
	size_t nr;
	size_t capacity;
	struct trace_event *events;
};

/* Those of a file but what was counted and told of the machine; exits if it cannot be read. */
struct event_list events_of_file(const char *path);

/*
 * Of a machine made up, whose scheduler leaves nothing out: @seed makes each another one. @has_others:
 * with TRACE_OTHER, also from the middle of switches.
 */
struct event_list events_made_up(unsigned int seed, bool has_others);

void events_add(struct event_list *list, const struct trace_event *event);
void events_free(struct event_list *list);

enum thinning {
	EVERY_SWITCH, /* each @k-th of each CPU */
	EVERY_WAKEUP, /* each @k-th */
	WHOLE_CPU, /* all events of CPU @k */
};

/*
 * All but those. What nobody can miss stays: the last switch of a CPU, and a wakeup after which the
 * thread does not run any more.
 */
struct event_list events_thinned(const struct event_list *all, enum thinning thinning, int k);

struct model *model_of(const struct event_list *list);

/* Of all threads: how long a state is claimed, and how long another one than @full has. */
struct claims {
	uint64_t life_ns;
	uint64_t unknown_ns;
	uint64_t refuted_ns;
	uint64_t refuted_by_state_ns[NR_THREAD_STATES];
};

struct claims claims_of(const struct model *thinned, const struct model *full);

#endif /* TESTS_THINNED_H */
