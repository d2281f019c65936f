// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: pieces [-t THREADS] [-n INSTRUCTIONS] [-a DEVICE] [-o TRUTH]
 *
 * Three tasks of very different counts, in turn, in pieces of 1,000,000, 100,000 and 10,000
 * instructions ("many_1000k", "some_10k"), so many of each as make INSTRUCTIONS (4,000,000). What is
 * done in a piece is known to the instruction, but for entering and leaving it: steps of a walk through
 * memory, each of which misses all caches, and turns of an empty loop. Threads go to the next CPU
 * now and then, in the midst of a piece. With -a, annotations are written to DEVICE
 * (/dev/annot/cpu0), as text.
 *
 * Writes as JSON, of all threads: tasks{name: {misses, instructions, pieces}}.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annot/annot.h"
#include "load.h"
#include "walk.h"

#define BUFFER_BYTES ((size_t)16 << 20)
#define MAX_THREADS 8
#define INSTRUCTIONS_PER_STEP 3
#define INSTRUCTIONS_PER_TURN 2
#define MOVES_EACH 16 /* pieces */
#define NR_KINDS 3
#define NR_SIZES 3

/*
 * Few are yet so many that those of the C library's lines and the stack's, which the walk evicts, are
 * no matter.
 */
static const struct kind {
	const char *name;
	unsigned int instructions_per_miss;
} kinds[NR_KINDS] = { { "many", 30 }, { "some", 200 }, { "few", 1000 } };

static const unsigned int sizes[NR_SIZES] = { 1000000, 100000, 10000 };

struct work {
	char name[16];
	unsigned long nr_steps;
	unsigned long nr_turns;
	unsigned long nr_pieces; /* of a thread */
};

static struct work works[NR_SIZES][NR_KINDS];
static unsigned int nr_threads = 2;
static unsigned long nr_instructions = 4000000;
static const char *output = "-";
static char *buffers[MAX_THREADS]; /* what one brought into a cache is of no use to others */
static int device = -1;
static int cpus[MAX_CPUS];
static unsigned int nr_cpus;

static void plan(void)
{
	for (int i = 0; i < NR_SIZES; i++) {
		for (int j = 0; j < NR_KINDS; j++) {
			struct work *work = &works[i][j];

			snprintf(work->name, sizeof(work->name), "%s_%uk", kinds[j].name,
				 sizes[i] / 1000);
			work->nr_steps = sizes[i] / kinds[j].instructions_per_miss;
			work->nr_turns = (sizes[i] - work->nr_steps * INSTRUCTIONS_PER_STEP) /
					 INSTRUCTIONS_PER_TURN;
			work->nr_pieces = nr_instructions / sizes[i];
		}
	}
}

static void put(const char *line)
{
	ssize_t length = (ssize_t)strlen(line);

	if (write(device, line, (size_t)length) != length)
		die("cannot annotate");
}

static void begin(const struct work *work)
{
	char line[32];

	if (device < 0) {
		annot_begin(work->name);
		return;
	}
	snprintf(line, sizeof(line), "B %s\n", work->name);
	put(line);
}

static void end(void)
{
	if (device < 0)
		annot_end();
	else
		put("E\n");
}

#if !defined(__x86_64__)
#error "which instructions are these on this machine?"
#endif

/* Neither with 0. */
static inline void *do_steps(void *at, unsigned long nr)
{
	__asm__ volatile("1: mov (%0), %0\n\t"
			 "dec %1\n\t"
			 "jnz 1b"
			 : "+r"(at), "+r"(nr)
			 :
			 : "memory", "cc");
	return at;
}

static inline void do_turns(unsigned long nr)
{
	__asm__ volatile("1: dec %0\n\t"
			 "jnz 1b"
			 : "+r"(nr)
			 :
			 : "cc");
}

static void *do_piece(const struct work *work, void *at, int move_to)
{
	begin(work);
	at = do_steps(at, work->nr_steps);
	if (move_to >= 0)
		pin_to(move_to);
	do_turns(work->nr_turns);
	end();
	return at;
}

static void *run_thread(void *argument)
{
	unsigned int index = (unsigned int)(uintptr_t)argument, cpu = index, nr = 0;
	void *at = buffers[index];

	for (int i = 0; i < NR_SIZES; i++) {
		for (unsigned long j = 0; j < works[i][0].nr_pieces * NR_KINDS; j++) {
			bool moves = ++nr % MOVES_EACH == 0;

			cpu += moves;
			at = do_piece(&works[i][j % NR_KINDS], at,
				      moves ? cpus[cpu % nr_cpus] : -1);
		}
	}
	return NULL;
}

static void write_truth(void)
{
	FILE *out = strcmp(output, "-") ? fopen(output, "we") : stdout;

	if (!out)
		die("cannot write %s", output);
	fputs("{\"tasks\": {", out);
	for (int i = 0; i < NR_SIZES * NR_KINDS; i++) {
		const struct work *work = &works[i / NR_KINDS][i % NR_KINDS];
		unsigned long nr_pieces = work->nr_pieces * nr_threads;

		fprintf(out,
			"%s\n\t\"%s\": {\"misses\": %lu, \"instructions\": %lu, \"pieces\": %lu}",
			i ? "," : "", work->name, work->nr_steps * nr_pieces,
			(work->nr_steps * INSTRUCTIONS_PER_STEP +
			 work->nr_turns * INSTRUCTIONS_PER_TURN) *
				nr_pieces,
			nr_pieces);
	}
	fputs("}}\n", out);
	if (fclose(out))
		die("cannot write %s", output);
}

int main(int argc, char **argv)
{
	unsigned int i;
	int option;

	while ((option = getopt(argc, argv, "t:n:a:o:")) != -1) {
		switch (option) {
		case 't':
			nr_threads = (unsigned int)atoi(optarg);
			break;
		case 'n':
			nr_instructions = strtoul(optarg, NULL, 10);
			break;
		case 'a':
			device = open(optarg, O_WRONLY | O_CLOEXEC);
			if (device < 0)
				die("cannot open %s", optarg);
			break;
		case 'o':
			output = optarg;
			break;
		default:
			return 2;
		}
	}
	if (!nr_threads || nr_threads > MAX_THREADS)
		return 2;
	plan();
	nr_cpus = allowed_cpus(cpus);
	for (i = 0; i < nr_threads; i++) {
		buffers[i] = walk_map("pieces", BUFFER_BYTES);
		walk_link_at_random(buffers[i], BUFFER_BYTES / LINE_BYTES, LINE_BYTES);
	}
	run_in_threads(nr_threads, run_thread);
	write_truth();
	return 0;
}
