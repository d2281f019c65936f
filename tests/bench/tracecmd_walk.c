// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: tracecmd_walk TRACE
 *
 * Walks over all events of a trace with libtracecmd, in the order of time, and prints how many there
 * are. Nothing is done with them.
 */
#include <stdio.h>
#include <trace-cmd/trace-cmd.h>

static int count(struct tracecmd_input *input, struct tep_record *record, int cpu, void *nr)
{
	(void)input;
	(void)record;
	(void)cpu;
	(*(unsigned long *)nr)++;
	return 0;
}

int main(int argc, char **argv)
{
	struct tracecmd_input *input;
	unsigned long nr = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: tracecmd_walk TRACE\n");
		return 2;
	}
	input = tracecmd_open(argv[1], 0);
	if (!input) {
		fprintf(stderr, "%s: libtracecmd cannot read it\n", argv[1]);
		return 1;
	}
	if (tracecmd_iterate_events(input, NULL, 0, count, &nr))
		return 1;
	printf("%lu\n", nr);
	tracecmd_close(input);
	return 0;
}
