/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What comes next in a replay: a heap.
 */
#ifndef ANNOT_REPLAY_ALARMS_H
#define ANNOT_REPLAY_ALARMS_H

#include <stddef.h>
#include <stdint.h>

/* Those of one time come in this order. */
enum replay_alarm_kind {
	ALARM_CPU, /* the thread there has worked, or its slice ends; or who is not of the session is done */
	ALARM_LOAD, /* who is not of the session comes */
	ALARM_THREAD, /* its sleep ends */
};

struct replay_alarm {
	uint64_t time_ns;
	uint8_t kind;
	uint32_t which; /* CPU, or thread */
	uint32_t version; /* of ALARM_CPU: valid while the CPU's is the same */
};

/* Zero-initialise. */
struct replay_alarms {
	size_t nr;
	size_t capacity;
	struct replay_alarm *rows; /* the first comes next */
};

/* Cost of both: O(log n). */
void replay_alarms_add(struct replay_alarms *alarms, const struct replay_alarm *alarm);
/* There is one. */
struct replay_alarm replay_alarms_take(struct replay_alarms *alarms);
void replay_alarms_free(struct replay_alarms *alarms);

#endif /* ANNOT_REPLAY_ALARMS_H */
