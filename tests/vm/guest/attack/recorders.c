// SPDX-License-Identifier: GPL-2.0
/*
 * Several who record at once, in either form, and who record some processes only: each gets all that
 * is meant for it, and nothing else. In a guest with two CPUs that has annot.ko loaded. Prints TAP.
 *
 * Programs annotate all the while, through the library. A thread says what it is about to annotate
 * and what it has annotated: what was begun after a recording had begun, and done before it ended,
 * must be in it.
 */
#include <annot/annot.h>

#include "attack.h"

#define OTHER TRACEFS "instances/other/"
#define NR_THREADS 3
#define NR_NAMES 20
#define PHASE_US 300000
#define VALUES_MAX 400000

/* What the threads of the annotating process tell. */
struct teller {
	volatile pid_t tid;
	volatile long begun; /* values up to this, at the most */
	volatile long done; /* values below this, at the least */
};

static struct board {
	volatile int stop;
	struct teller tellers[NR_THREADS];
} * board;

/* What must be in a recording, of each thread. */
struct range {
	long from[NR_THREADS];
	long to[NR_THREADS];
};

/* A recording: an instance of ftrace, in one form. */
struct recording {
	const char *instance;
	bool batches;
	struct range range;
};

/* --- who annotates */

/* Names are new now and then, and old ones come again. */
static void annotate(long value)
{
	char name[16];

	snprintf(name, sizeof(name), "n%ld", value / 100 % NR_NAMES);
	annot_counter(name, value);
}

static void *tell(void *argument)
{
	struct teller *teller = argument;

	teller->tid = gettid();
	for (long value = 0; !board->stop; value++) {
		teller->begun = value;
		annotate(value);
		teller->done = value + 1;
		if (value % 20 == 0)
			usleep(500 * slowdown());
	}
	return NULL;
}

static int tell_by_threads(void *unused)
{
	pthread_t threads[NR_THREADS];

	(void)unused;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&threads[i], NULL, tell, &board->tellers[i]);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static pid_t start_telling(void)
{
	pid_t child;

	memset((void *)board, 0, sizeof(*board));
	child = fork_task(tell_by_threads, NULL);
	for (int i = 0; i < NR_THREADS; i++) {
		while (board->tellers[i].done < 10)
			usleep(1000);
	}
	return child;
}

/* --- who records */

static void set_in(const char *instance, const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s%s", instance, file);
	set(path, text);
}

/* Names before batches, and after them off: a batch is never without them. */
static void enable_in(const struct recording *recording, bool on)
{
	static const char *const single[] = { "begin", "end", "mark", "counter", "lost" };
	static const char *const batched[] = { "name", "lost", "batch" };
	const char *const *events = recording->batches ? batched : single;
	int nr = recording->batches ? 3 : 5;
	char file[64];

	for (int i = 0; i < nr; i++) {
		snprintf(file, sizeof(file), "events/annot/annot_%s/enable",
			 events[on ? i : nr - 1 - i]);
		set_in(recording->instance, file, on ? "1" : "0");
	}
}

static void begin(struct recording *recording)
{
	set_in(recording->instance, "trace", "");
	enable_in(recording, true);
	for (int i = 0; i < NR_THREADS; i++)
		recording->range.from[i] = board->tellers[i].begun + 1;
}

static void end(struct recording *recording)
{
	for (int i = 0; i < NR_THREADS; i++)
		recording->range.to[i] = board->tellers[i].done;
	enable_in(recording, false);
}

/* --- what is in a recording */

struct found {
	long values[NR_THREADS][VALUES_MAX / NR_THREADS];
	long nr[NR_THREADS];
	long nr_lost;
	long nr_untold; /* records whose name stands nowhere before */
	long nr_others; /* of other threads */
};

static struct found *found;

static int teller_of(pid_t tid)
{
	for (int i = 0; i < NR_THREADS; i++) {
		if (board->tellers[i].tid == tid)
			return i;
	}
	return -1;
}

static void add_value(pid_t tid, long value)
{
	int i = teller_of(tid);

	if (i < 0)
		found->nr_others++;
	else if (found->nr[i] < VALUES_MAX / NR_THREADS)
		found->values[i][found->nr[i]++] = value;
}

static void add_event(const char *event, pid_t tid)
{
	if (!strncmp(event, "annot_counter:", 14)) {
		add_value(tid, field(event, "value="));
	} else if (!strncmp(event, "annot_lost:", 11)) {
		printf("# %s\n", event);
		found->nr_lost++;
	} else if (!strncmp(event, "annot_name:", 11)) {
		add_name(event);
	} else if (!strncmp(event, "annot_batch:", 12)) {
		unsigned int table = field(event, "table=");
		const char *at = strchr(event, '{');

		for (int nr = field(event, " nr="); at && nr > 0; nr--) {
			uint64_t words[3];

			for (int i = 0; i < 3; i++)
				words[i] = strtoull(at + 1, (char **)&at, 16);
			if (!told_name(table, words[2] >> 32) && found->nr_untold++ < 3)
				printf("# thread %d, table %u: name %llu is untold, of %zu told\n",
				       tid, table, (unsigned long long)words[2] >> 32, nr_names);
			add_value(tid, words[1]);
		}
	}
}

static pid_t tid_of(const char *line, const char *cpu)
{
	const char *at = cpu;

	while (at > line && at[-1] == ' ')
		at--;
	while (at > line && at[-1] != '-')
		at--;
	return atoi(at);
}

/* Reads the instance's buffer. Names told there are not known in another one. */
static void read_recording(const char *instance)
{
	static char line[1 << 16];
	char path[128];
	FILE *file;

	if (!found)
		found = malloc(sizeof(*found));
	memset(found, 0, sizeof(*found));
	nr_names = 0;
	snprintf(path, sizeof(path), "%strace", instance);
	file = fopen(path, "r");
	if (!file)
		die(path);
	while (fgets(line, sizeof(line), file)) {
		const char *event = strstr(line, ": annot_");
		const char *cpu = strstr(line, " [0");

		if (line[0] != '#' && event && cpu && cpu < event)
			add_event(event + 2, tid_of(line, cpu));
	}
	fclose(file);
}

/* Return: whether the values are those of the range and perhaps some around it, in order, once. */
static bool has_range(int i, const struct range *range)
{
	long next = -1;

	for (long at = 0; at < found->nr[i]; at++) {
		long value = found->values[i][at];

		if (next >= 0 && value != next) {
			printf("# thread %d: %ld for %ld\n", i, value, next);
			return false;
		}
		next = value + 1;
	}
	if (next < 0 || found->values[i][0] > range->from[i] || next < range->to[i]) {
		printf("# thread %d: %ld to %ld, and not %ld to %ld\n", i,
		       next < 0 ? -1 : found->values[i][0], next, range->from[i], range->to[i]);
		return false;
	}
	return true;
}

static void check_recording(const struct recording *recording, const char *what)
{
	bool all = true;
	long nr = 0;

	read_recording(recording->instance);
	for (int i = 0; i < NR_THREADS; i++) {
		all = has_range(i, &recording->range) && all;
		nr += found->nr[i];
	}
	printf("# %ld annotations, %ld untold, %ld times some lost\n", nr, found->nr_untold,
	       found->nr_lost);
	check(all && nr > 100, "%s has all annotations of its time, once and in order", what);
	check(!found->nr_untold && !found->nr_lost,
	      "each name stands before the batch that uses it, and nothing is lost");
}

/* --- two recordings, one in the time of the other, or each beginning or ending first */

enum shape {
	WITHIN,
	BY_TURNS,
	NR_SHAPES
};

static void record_two(bool batches_first, enum shape shape)
{
	struct recording first = { .instance = TRACEFS, .batches = batches_first };
	struct recording second = { .instance = OTHER, .batches = !batches_first };
	pid_t child = start_telling();

	begin(&first);
	usleep(PHASE_US);
	begin(&second);
	usleep(PHASE_US);
	end(shape == WITHIN ? &second : &first);
	usleep(PHASE_US);
	end(shape == WITHIN ? &first : &second);
	board->stop = 1;
	check(wait_for(child) == 0, "%s first, another %s: the programs end well",
	      batches_first ? "batches" : "one by one",
	      shape == WITHIN ? "within its time" : "beyond its end");
	check_recording(&first, "the first");
	check_recording(&second, "the second");
}

/* Both in batches: the second has never heard the names. */
static void record_same(void)
{
	struct recording first = { .instance = TRACEFS, .batches = true };
	struct recording second = { .instance = OTHER, .batches = true };
	pid_t child = start_telling();

	begin(&first);
	usleep(PHASE_US);
	begin(&second);
	usleep(PHASE_US);
	end(&first);
	usleep(PHASE_US);
	end(&second);
	board->stop = 1;
	check(wait_for(child) == 0, "two in batches: the programs end well");
	check_recording(&first, "the first");
	check_recording(&second, "the second");
}

/* --- some processes only (set_event_pid) */

static volatile int *go;

static int yield_and_annotate(void *argument)
{
	int nr = *(int *)argument;

	stay_on(0);
	while (!*go)
		usleep(1000);
	for (int i = 0; i < nr; i++) {
		annot_counter("yielded", i);
		if (i % 3 == 0)
			sched_yield();
	}
	return 0;
}

static void count_of(pid_t who, long *nr_of_it, long *nr_of_others)
{
	*nr_of_it = *nr_of_others = 0;
	collect();
	for (size_t i = 0; i < nr_seen; i++) {
		char want[32];

		snprintf(want, sizeof(want), "C yielded %ld", *nr_of_it);
		if (seen[i].pid != who)
			++*nr_of_others;
		else if (!strcmp(seen[i].line, want))
			++*nr_of_it;
	}
}

static void check_filter(bool batches)
{
	int nr = 3000;
	long nr_of_it, nr_of_others;
	pid_t mine, other;
	char text[16];

	*go = 0;
	mine = fork_task(yield_and_annotate, &nr);
	other = fork_task(yield_and_annotate, &nr);
	snprintf(text, sizeof(text), "%d", mine);
	set(TRACEFS "set_event_pid", text);
	record_as(batches);
	*go = 1;
	wait_for(mine);
	wait_for(other);
	count_of(mine, &nr_of_it, &nr_of_others);
	printf("# %ld of %d annotations, %ld of the other process\n", nr_of_it, nr, nr_of_others);
	check(nr_of_it == nr,
	      "%s: set_event_pid lets the process's annotations through, all of them",
	      batches ? "batches" : "one by one");
	check(nr_of_others == 0, "and none of another one that shares its CPU");
	enable("annot", false);
	set(TRACEFS "set_event_pid", "");
}

/* --- a PID namespace: threads bear the numbers that the machine knows them by */

static int annotate_inside(void *unused)
{
	(void)unused;
	for (int i = 0; i < 100; i++)
		annot_counter("inside", i);
	return getpid() != 1;
}

static int enter_namespace(void *unused)
{
	if (unshare(CLONE_NEWPID))
		die("unshare");
	return run_task(annotate_inside, unused);
}

static void check_namespace(bool batches)
{
	size_t nr = 0;
	pid_t child;

	record_as(batches);
	child = fork_task(enter_namespace, NULL);
	check(wait_for(child) == 0, "a program runs as number 1 of a PID namespace");
	collect();
	for (size_t i = 0; i < nr_seen; i++)
		nr += seen[i].pid > child && (!batches || seen[i].tgid == seen[i].pid);
	if (nr != 100)
		show_seen();
	check(nr == 100 && nr_seen == 100, "%s: its annotations bear the machine's number",
	      batches ? "batches" : "one by one");
	enable("annot", false);
}

int main(void)
{
	board = shared_memory(sizeof(*board));
	go = shared_memory(PAGE_BYTES);
	set(TRACEFS "tracing_on", "1");
	check_namespace(true);
	check_namespace(false);
	check_filter(true);
	check_filter(false);
	for (enum shape shape = 0; shape < NR_SHAPES; shape++) {
		record_two(true, shape);
		record_two(false, shape);
	}
	record_same();
	return all_well ? 0 : 1;
}
