// SPDX-License-Identifier: GPL-2.0
#include "doctor/switch_counts.h"

#include <string.h>

/* Whether the name after @key begins with @comm. */
static bool names_thread(const char *line, const char *key, const char *comm)
{
	const char *name = strstr(line, key);

	return name && !strncmp(name + strlen(key), comm, strlen(comm));
}

void switch_counts_add_line(struct switch_counts *counts, const char *line, const char *comm)
{
	const char *fields = strstr(line, " sched_switch: ");
	bool off, on;

	if (!fields)
		return;
	off = names_thread(fields, "prev_comm=", comm);
	on = names_thread(fields, "next_comm=", comm);
	counts->off += off;
	counts->on += on;
	if ((off && names_thread(fields, "next_comm=", "swapper/")) ||
	    (on && names_thread(fields, "prev_comm=", "swapper/")))
		counts->with_idle++;
}

uint64_t switch_counts_missing(const struct switch_counts *counts, uint64_t *on)
{
	uint64_t missing_off = counts->made > counts->off ? counts->made - counts->off : 0;
	uint64_t missing_on = counts->made > counts->on ? counts->made - counts->on : 0;

	if (on)
		*on = missing_on;
	return missing_off + missing_on;
}
