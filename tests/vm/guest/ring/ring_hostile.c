// SPDX-License-Identifier: GPL-2.0
/*
 * A process that scribbles over its rings, beside one that annotates properly, in a guest that has
 * annot.ko loaded.
 *
 *	ring_hostile [STATES]	prints TAP; so many states of the whole memory (a million), or more,
 *				until the honest one has said enough
 *
 * The scribbler stays on CPU 1, where the honest one has a thread too, and another thread of it
 * on CPU 0 writes to the same ring; each state is drained by its own system call, by a switch, or
 * not before the next. The trace is read, and so taken from the buffer, meanwhile.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "ring.h"
#include "trace_pipe.h"

#define NR_TARGETS 12
#define NR_AIMED 12 /* records of a state that is all right but for one thing */
#define NR_LOST_REASONS 4
#define NR_HONEST 100 /* more than so many annotations of each honest thread */
#define MOST_SHOWN 5
#define MAX_AHEAD 512 /* states, or annotations of a thread, that the ring buffer has room for */

/* Shared by the processes: what each has done. */
struct progress {
	volatile long states;
	volatile long judged; /* states, at the least, whose events have been read */
	volatile int stop;
	volatile int honest_tid[2];
	volatile long honest[2];
	volatile long read[2]; /* of these, how many the judge has read */
};

static struct progress *progress;
static uint64_t random_state = 88172645463325252ull;

static uint64_t draw(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* --- the hostile one */

static void fill(const struct ring *ring)
{
	volatile uint64_t *words = (void *)ring->shared;
	size_t nr = map_bytes() / sizeof(*words);

	for (size_t i = 0; i < nr; i++)
		words[i] = draw();
}

static volatile struct annot_record *record_at(const struct ring *ring, uint64_t position)
{
	return (void *)((char *)ring->records + position % ring_bytes());
}

static void good_records(const struct ring *ring, uint64_t tail, uint32_t name)
{
	for (int i = 0; i < NR_AIMED; i++) {
		volatile struct annot_record *record = record_at(ring, tail + i * sizeof(*record));

		record->ticks = read_ticks();
		record->name = name;
		record->op = i % 6;
		record->flags = 0;
	}
}

/* The states that chance does not find: one thing wrong, and all else right. */
static void aim(const struct ring *ring, uint32_t name, unsigned int target)
{
	uint64_t tail = (ring->shared->limit - ring_bytes()) & ~31ull;
	volatile struct annot_record *record = record_at(ring, tail + draw() % NR_AIMED * 32);

	good_records(ring, tail, name);
	ring->shared->head = tail + NR_AIMED * 32;
	switch (target) {
	case 0:
		ring->shared->head = tail + ring_bytes() + sizeof(*record);
		break;
	case 1:
		ring->shared->head = tail - sizeof(*record);
		break;
	case 2:
		ring->shared->head = tail + 8;
		break;
	case 3:
		ring->shared->head = UINT64_MAX - 31;
		break;
	case 4:
		record->op = ANNOT_OP_MARK;
		record->name = 0;
		break;
	case 5:
		record->op = ANNOT_OP_COUNTER;
		record->name = UINT32_MAX;
		break;
	case 6:
		record->op = ANNOT_OP_BEGIN;
		record->name = name + 1;
		break;
	case 7:
		record->op = 6 + draw() % 250;
		break;
	case 8:
		record->ticks = UINT64_MAX;
		break;
	case 9:
		record->ticks = 0;
		break;
	case 10:
		record->flags = 0xff;
		record->reserved = 0xffff;
		record->reserved2 = UINT64_MAX;
		break;
	case 11:
		ring->shared->mask = UINT64_MAX;
		ring->shared->limit = 0;
		break;
	}
}

static void *scribble_on(void *argument)
{
	struct ring *rings = argument;

	stay_on(0);
	while (!progress->stop) {
		fill(&rings[1]); /* of the other CPU */
		usleep(2000 * slowdown());
	}
	return NULL;
}

static bool honest_have_spoken(void)
{
	return progress->honest[0] > NR_HONEST && progress->honest[1] > NR_HONEST;
}

static int hostile(long nr_states)
{
	struct ring rings[2];
	pthread_t helper;
	uint32_t name;

	stay_on(1);
	map_ring(&rings[0], 0);
	map_ring(&rings[1], 1);
	name = name_of(&rings[0], "hostile");
	pthread_create(&helper, NULL, scribble_on, rings);
	for (long i = 0; i < nr_states || !honest_have_spoken(); i++) {
		if (i % 4 == 0)
			fill(&rings[1]);
		else if (i % 2)
			aim(&rings[1], name, draw() % NR_TARGETS);
		else
			((volatile uint64_t *)rings[1].shared)[draw() % (map_bytes() / 8)] = draw();
		if (i % 4 < 2)
			ioctl(rings[1].fd, ANNOT_IOC_DRAIN);
		progress->states = i + 1;
		while (i - progress->judged > MAX_AHEAD)
			usleep(1000);
	}
	progress->stop = 1;
	pthread_join(helper, NULL);
	return 0;
}

/* --- the honest one: a thread on each CPU */

/*
 * The pauses let the judge catch up: on a slow kernel it has more to catch up with, more slowly. Where
 * the pauses are too short, as on a busy machine, it is waited for: else it never sees the end of the
 * trace, behind which alone the hostile one may go on.
 */
static void *annotate(void *argument)
{
	int cpu = (int)(intptr_t)argument;
	struct timespec pause = { .tv_nsec = 2000000L * slowdown() * slowdown() };
	struct ring ring;
	uint32_t name;

	stay_on(cpu);
	/*
	 * Preempted between looking whether the ring is open and writing into it, this simple writer
	 * would write into one that was closed meanwhile, as names are due four times a second. And on
	 * riscv64 QEMU lets interrupts in behind rdtime, between time and record.
	 */
	go_first();
	progress->honest_tid[cpu] = gettid();
	map_ring(&ring, cpu);
	name = name_of(&ring, "honest");
	for (long i = 0; !progress->stop; i++) {
		put(&ring, ANNOT_OP_COUNTER, name, i);
		progress->honest[cpu] = i + 1;
		if (i % 20 == 0)
			nanosleep(&pause, NULL);
		while (i - progress->read[cpu] > MAX_AHEAD && !progress->stop)
			nanosleep(&pause, NULL);
	}
	return NULL;
}

static int honest(void)
{
	pthread_t threads[2];

	for (int cpu = 0; cpu < 2; cpu++)
		pthread_create(&threads[cpu], NULL, annotate, (void *)(intptr_t)cpu);
	for (int cpu = 0; cpu < 2; cpu++)
		pthread_join(threads[cpu], NULL);
	return 0;
}

/* --- the judge, who reads the trace as it grows */

struct judge {
	int pipe;
	pid_t hostile;
	pid_t honest;
	long next[2]; /* value that the honest thread's next counter must have */
	long out_of_order;
	long foreign;
	long of_hostile;
	long overruns;
	long lost[NR_LOST_REASONS];
};

static void judge_lost(struct judge *judge, const char *text)
{
	static const char *const reasons[] = { "bad head", "bad op", "bad name", "bad time" };

	for (int i = 0; i < NR_LOST_REASONS; i++) {
		if (strstr(text, reasons[i]))
			judge->lost[i] += field(text, "nr=");
	}
}

/* What is wrong is shown, the first times. */
static void show_wrong(const struct judge *judge, const char *text)
{
	if (judge->foreign + judge->out_of_order < MOST_SHOWN)
		printf("# honest %ld+%ld: %s\n", judge->next[0], judge->next[1], text);
}

/* A batch of the honest thread on @cpu: nothing but its counter, which goes up by one. */
static void judge_honest(struct judge *judge, int cpu, const char *text)
{
	const char *at = strchr(text, '{');
	int nr = field(text, " nr=");

	while (at && nr-- > 0) {
		uint64_t words[3] = { 0 };

		for (int i = 0; i < 3; i++)
			words[i] = strtoull(at + 1, (char **)&at, 16);
		if ((words[2] >> 8 & 0xff) != ANNOT_OP_COUNTER) {
			show_wrong(judge, text);
			judge->foreign++;
		} else if ((long)words[1] != judge->next[cpu]++) {
			show_wrong(judge, text);
			judge->out_of_order++;
		}
	}
	progress->read[cpu] = judge->next[cpu];
}

/* Threads of the processes have ids from that of the process on, and so does nobody else here. */
static void judge_line(void *context, char *line)
{
	struct judge *judge = context;
	char *event = strstr(line, ": annot_"), *dash = strstr(line, " [0");
	int pid, tgid;

	if (strstr(line, "LOST")) {
		judge->overruns++;
		return;
	}
	if (!event || !dash || strstr(line, "annot_config"))
		return;
	while (dash > line && dash[-1] == ' ')
		dash--;
	while (dash > line && dash[-1] != '-')
		dash--;
	pid = atoi(dash);
	tgid = field(event, "tgid=");
	for (int cpu = 0; cpu < 2; cpu++) {
		if (pid == progress->honest_tid[cpu] && tgid == judge->honest) {
			if (strstr(event, "annot_batch")) {
				judge_honest(judge, cpu, event);
			} else if (!strstr(event, "name=honest")) {
				show_wrong(judge, line);
				judge->foreign++;
			}
			return;
		}
	}
	/* What is not the honest one's must be the hostile one's, in its own name. */
	if (pid == progress->honest_tid[0] || pid == progress->honest_tid[1] ||
	    tgid != judge->hostile) {
		show_wrong(judge, line);
		judge->foreign++;
		return;
	}
	judge->of_hostile++;
	if (strstr(event, "annot_lost"))
		judge_lost(judge, event);
}

static void show(const struct judge *judge)
{
	printf("# %ld states; %ld events of the hostile process, %ld+%ld of the honest one\n",
	       progress->states, judge->of_hostile, judge->next[0], judge->next[1]);
	printf("# bad heads %ld, ops %ld, names %ld, times %ld; %ld times the buffer overran\n",
	       judge->lost[0], judge->lost[1], judge->lost[2], judge->lost[3], judge->overruns);
}

int main(int argc, char **argv)
{
	long nr_states = argc > 1 ? atol(argv[1]) : 1000000;
	struct judge judge = { 0 };
	int status;

	progress = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
			0);
	if (progress == MAP_FAILED)
		die("mmap");
	set(TRACEFS "buffer_size_kb", "8192");
	set(TRACEFS "tracing_on", "1");
	record_as(true);
	judge.pipe = open(TRACEFS "trace_pipe", O_RDONLY | O_NONBLOCK);
	if (judge.pipe < 0)
		die("trace_pipe");

	judge.honest = fork();
	if (!judge.honest)
		_exit(honest());
	judge.hostile = fork();
	if (!judge.hostile)
		_exit(hostile(nr_states));
	while (!waitpid(judge.hostile, &status, WNOHANG)) {
		long states = progress->states;

		if (read_lines(judge.pipe, judge_line, &judge))
			continue;
		progress->judged = states;
		usleep(1000);
	}
	waitpid(judge.honest, NULL, 0);
	while (read_lines(judge.pipe, judge_line, &judge))
		;
	show(&judge);
	check(status == 0 && progress->states >= nr_states, "the hostile process did its worst");
	check(judge.of_hostile > 0 && judge.lost[0] && judge.lost[1] && judge.lost[2] &&
		      judge.lost[3],
	      "it was found out in each way");
	check(!judge.overruns, "the ring buffer was read in time");
	check(judge.honest > 0 && honest_have_spoken() && judge.next[0] == progress->honest[0] &&
		      judge.next[1] == progress->honest[1] && !judge.out_of_order,
	      "all of the honest process's annotations arrived, in order");
	check(!judge.foreign, "no event bears a thread that did not write it");
	enable("annot", false);
	return all_well ? 0 : 1;
}
