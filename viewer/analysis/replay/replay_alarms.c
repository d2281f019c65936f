// SPDX-License-Identifier: GPL-2.0
#include "analysis/replay/replay_alarms.h"

#include <stdbool.h>
#include <stdlib.h>

#include "util/xalloc.h"

static bool is_before(const struct replay_alarm *a, const struct replay_alarm *b)
{
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns;
	if (a->kind != b->kind)
		return a->kind < b->kind;
	return a->which < b->which;
}

void replay_alarms_add(struct replay_alarms *alarms, const struct replay_alarm *alarm)
{
	size_t at = alarms->nr;

	ARRAY_MAKE_ROOM(alarms->rows, alarms->nr, alarms->capacity);
	alarms->nr++;
	for (; at && is_before(alarm, &alarms->rows[(at - 1) / 2]); at = (at - 1) / 2)
		alarms->rows[at] = alarms->rows[(at - 1) / 2];
	alarms->rows[at] = *alarm;
}

struct replay_alarm replay_alarms_take(struct replay_alarms *alarms)
{
	struct replay_alarm first = alarms->rows[0], last = alarms->rows[--alarms->nr];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < alarms->nr) {
		if (child + 1 < alarms->nr &&
		    is_before(&alarms->rows[child + 1], &alarms->rows[child]))
			child++;
		if (!is_before(&alarms->rows[child], &last))
			break;
		alarms->rows[at] = alarms->rows[child];
		at = child;
	}
	alarms->rows[at] = last;
	return first;
}

void replay_alarms_free(struct replay_alarms *alarms)
{
	free(alarms->rows);
}
