/* SPDX-License-Identifier: GPL-2.0 */
/* Whether a thread of this process is asleep. */
#ifndef TESTS_ATTACH_ASLEEP_H
#define TESTS_ATTACH_ASLEEP_H

#include <stdbool.h>
#include <stdio.h>

static inline bool thread_is_asleep(int tid)
{
	char path[64], state = '?';
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = fopen(path, "r");
	if (file) {
		if (fscanf(file, "%*[^)]) %c", &state) != 1)
			state = '?';
		fclose(file);
	}
	return state == 'S';
}

#endif /* TESTS_ATTACH_ASLEEP_H */
