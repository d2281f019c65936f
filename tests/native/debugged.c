// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: debugged
 *
 * What debugger.sh has under gdb: annotations into rings, beside a variable to watch. Prints how
 * many of the annotations named "stepped" are in the rings.
 */
#include <stdio.h>
#include <string.h>

#include "../lib/anon_rings.h"
#include "annot/annot.h"

#define RING_BYTES 65536

static volatile int watched;
static volatile int nr_times;

static void annotate(void)
{
	watched = 1; /* first line */
	annot_mark_value("stepped", 7);
	watched = 2;
	annot_mark_value("stepped", 8);
	watched = 3; /* last line */
}

static int count(void)
{
	uint32_t cpu;
	int nr = 0;

	for (cpu = 0; cpu < anon_rings_nr_cpus(); cpu++) {
		const struct annot_ring *ring = anon_ring(cpu);
		uint64_t at;

		for (at = 0; at < ring->head; at += sizeof(struct annot_record))
			nr += !strcmp(anon_ring_name(anon_ring_record(ring, at)), "stepped");
	}
	return nr;
}

int main(void)
{
	if (anon_rings_install(RING_BYTES, NULL)) {
		printf("no restartable sequences\n");
		return 1;
	}
	/* Only then do their places know the names, and go the short way. */
	annotate();
	nr_times++;
	annotate();
	printf("stored %d\n", count());
	return 0;
}
