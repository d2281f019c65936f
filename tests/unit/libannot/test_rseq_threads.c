// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/anon_rings.c */
/*
 * The inline path under all that may come between its instructions: preemption, migration, and
 * signal handlers that annotate. No record may be lost, torn, doubled, or out of order.
 */
#define ANNOT_RSEQ_ABORT_HOOK COUNT_ABORT

#if defined(__x86_64__)
#define COUNT_ABORT "lock incq nr_aborts(%%rip)\n\t"
#elif defined(__aarch64__)
#define COUNT_ABORT                       \
	"adrp x9, nr_aborts\n\t"          \
	"add x9, x9, :lo12:nr_aborts\n\t" \
	"6:\tldxr x10, [x9]\n\t"          \
	"add x10, x10, #1\n\t"            \
	"stxr w11, x10, [x9]\n\t"         \
	"cbnz w11, 6b\n\t"
#endif

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "annot/annot.h"
#include "anon_rings.h"

#define NR_THREADS 32
#define NR_EACH 150000
#define NR_SIGNALS_MAX 20000 /* of one thread */

__attribute__((used)) uint64_t nr_aborts;

/*
 * What is in a value: who wrote it, from a handler or not, and which of its writer's it is. The
 * rest of the record follows from that.
 */
static int64_t make_value(unsigned int thread, bool in_handler, uint32_t sequence)
{
	return (int64_t)((uint64_t)thread << 40 | (uint64_t)in_handler << 32 | sequence);
}

static __thread unsigned int own_number;
static __thread volatile uint32_t nr_in_handler;
static __thread volatile bool is_writing;

static void annotate_in_handler(int signal)
{
	uint32_t sequence = nr_in_handler;

	(void)signal;
	if (!is_writing || sequence >= NR_SIGNALS_MAX)
		return;
	annot_mark_value("in handler", make_value(own_number, true, sequence));
	nr_in_handler = sequence + 1;
}

static void annotate(uint32_t sequence)
{
	int64_t value = make_value(own_number, false, sequence);
	char name[16] = "made";

	switch (sequence % 4) {
	case 0:
		annot_begin_value("begin", value);
		break;
	case 1:
		annot_next_value("next", value);
		break;
	case 2:
		annot_counter("counter", value);
		break;
	case 3:
		annot_wait_begin_value(name, value);
		break;
	}
}

static void check_kind(const struct annot_record *record, bool in_handler, uint32_t sequence)
{
	static const struct {
		const char *name;
		unsigned int op;
	} kinds[] = {
		{ "begin", ANNOT_OP_BEGIN },	 { "next", ANNOT_OP_NEXT },
		{ "counter", ANNOT_OP_COUNTER }, { "made", ANNOT_OP_WAIT_BEGIN },
		{ "in handler", ANNOT_OP_MARK },
	};
	size_t kind = in_handler ? 4 : sequence % 4;

	assert_non_null(anon_ring_name(record));
	assert_string_equal(anon_ring_name(record), kinds[kind].name);
	assert_int_equal(record->op, kinds[kind].op);
	assert_int_equal(record->flags, ANNOT_RECORD_HAS_VALUE);
	assert_int_equal(record->reserved, 0);
}

/* The ticks of each record, by writer; 0: not seen. */
static uint64_t seen[NR_THREADS][NR_EACH];
static uint64_t seen_in_handler[NR_THREADS][NR_SIGNALS_MAX];

static void check_record(const struct annot_record *record)
{
	uint64_t value = (uint64_t)record->value;
	unsigned int thread = (unsigned int)(value >> 40);
	bool in_handler = value >> 32 & 1;
	uint32_t sequence = (uint32_t)value;
	uint64_t *ticks;

	assert_in_range(thread, 0, NR_THREADS - 1);
	assert_in_range(sequence, 0, (in_handler ? NR_SIGNALS_MAX : NR_EACH) - 1);
	check_kind(record, in_handler, sequence);
	ticks = in_handler ? &seen_in_handler[thread][sequence] : &seen[thread][sequence];
	assert_int_equal(*ticks, 0); /* else it is there twice */
	*ticks = record->ticks;
	assert_int_not_equal(*ticks, 0);
}

/* All of @nr, none after another in time; and nothing beyond. */
static void check_sequence(const uint64_t *ticks, uint32_t nr, uint32_t nr_max)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		assert_int_not_equal(ticks[i], 0);
		if (i)
			assert_true(ticks[i - 1] <= ticks[i]);
	}
	for (; i < nr_max; i++)
		assert_int_equal(ticks[i], 0);
}

static uint32_t nr_from_handler[NR_THREADS];

static void move_to_any_cpu(unsigned int *random)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(rand_r(random) % anon_rings_nr_cpus(), &set);
	sched_setaffinity(0, sizeof(set), &set); /* may fail: a CPU that is off */
}

static pthread_t threads[NR_THREADS];
static atomic_uint nr_finished;
static atomic_bool done;

static void *write_records(void *number)
{
	unsigned int random;
	uint32_t i;

	own_number = random = (unsigned int)(uintptr_t)number;
	is_writing = true;
	for (i = 0; i < NR_EACH; i++) {
		if (rand_r(&random) % 512 == 0)
			move_to_any_cpu(&random);
		annotate(i);
	}
	is_writing = false;
	nr_from_handler[own_number] = nr_in_handler;
	nr_finished++;
	return NULL;
}

/* To each thread in turn, each of them a thousand times a second if the machine can. */
static void *send_signals(void *unused)
{
	const struct timespec pause = { 0, 1000000 / NR_THREADS };
	unsigned int i;

	for (i = 0; !done; i++) {
		pthread_kill(threads[i % NR_THREADS], SIGUSR1);
		nanosleep(&pause, NULL);
	}
	return unused;
}

static void run_threads(void)
{
	struct sigaction action = { .sa_handler = annotate_in_handler };
	pthread_t sender;
	unsigned int i;

	memset(seen, 0, sizeof(seen));
	memset(seen_in_handler, 0, sizeof(seen_in_handler));
	nr_aborts = 0;
	nr_finished = 0;
	done = false;
	sigaction(SIGUSR1, &action, NULL);
	for (i = 0; i < NR_THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, write_records,
						(void *)(uintptr_t)i),
				 0);
	assert_int_equal(pthread_create(&sender, NULL, send_signals, NULL), 0);
	while (nr_finished < NR_THREADS)
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	done = true;
	pthread_join(sender, NULL);
	/* not before the sender is done with them */
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void check_threads(void)
{
	unsigned int i, nr_handled = 0;

	for (i = 0; i < NR_THREADS; i++) {
		check_sequence(seen[i], NR_EACH, NR_EACH);
		check_sequence(seen_in_handler[i], nr_from_handler[i], NR_SIGNALS_MAX);
		nr_handled += nr_from_handler[i];
	}
	print_message("# %lu sequences interrupted, %u handlers annotated\n",
		      (unsigned long)nr_aborts, nr_handled);
	assert_true(nr_handled > 0);
}

static void check_ring(const struct annot_ring *ring)
{
	uint64_t position, last_ticks = 0;

	for (position = 0; position < ring->head; position += sizeof(struct annot_record)) {
		const struct annot_record *record = anon_ring_record(ring, position);

		check_record(record);
		assert_true(last_ticks <= record->ticks);
		last_ticks = record->ticks;
	}
}

static void all_records_arrive(void **state)
{
	uint32_t cpu;

	(void)state;
	if (anon_rings_install(1u << 28, NULL)) {
		print_message("# no restartable sequences\n");
		skip();
	}
	run_threads();
	for (cpu = 0; cpu < anon_rings_nr_cpus(); cpu++)
		check_ring(anon_ring(cpu));
	check_threads();
	assert_true(nr_aborts > 0);
}

/*
 * Small rings, emptied by a thread on each CPU that goes before all others: what the kernel does
 * with preemption off.
 */
#define SMALL_RING_BYTES (64 * sizeof(struct annot_record))
#define MAX_DRAINERS 256

static struct drainer {
	uint32_t cpu;
	sem_t wake;
	pthread_t thread;
	atomic_uint nr_drains;
	struct annot_record *log;
	size_t nr_logged;
} drainers[MAX_DRAINERS];

static void drain_into_log(struct drainer *drainer)
{
	struct annot_ring *ring = anon_ring(drainer->cpu);
	uint64_t position = ring->limit - SMALL_RING_BYTES;

	for (; position != ring->head; position += sizeof(struct annot_record))
		drainer->log[drainer->nr_logged++] = *anon_ring_record(ring, position);
	ring->limit = ring->head + SMALL_RING_BYTES;
	drainer->nr_drains++;
}

static void *drain_when_asked(void *argument)
{
	struct drainer *drainer = argument;

	while (!done) {
		while (sem_wait(&drainer->wake))
			;
		drain_into_log(drainer);
	}
	return NULL;
}

static int ask_drainer(void)
{
	struct drainer *drainer = &drainers[sched_getcpu()];
	unsigned int nr_drains = drainer->nr_drains;

	sem_post(&drainer->wake);
	while (drainer->nr_drains == nr_drains)
		sched_yield();
	return 0;
}

/* Not 0: not on this machine. */
static int start_drainer(uint32_t cpu)
{
	struct drainer *drainer = &drainers[cpu];
	struct sched_param first = { .sched_priority = 50 };
	pthread_attr_t attributes;
	cpu_set_t set;
	int error;

	*drainer = (struct drainer){ .cpu = cpu };
	drainer->log = calloc(NR_THREADS * (NR_EACH + NR_SIGNALS_MAX), sizeof(*drainer->log));
	sem_init(&drainer->wake, 0, 0);
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_attr_init(&attributes);
	pthread_attr_setaffinity_np(&attributes, sizeof(set), &set);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &first);
	error = pthread_create(&drainer->thread, &attributes, drain_when_asked, drainer);
	pthread_attr_destroy(&attributes);
	return error;
}

static void check_log(const struct drainer *drainer)
{
	uint64_t last_ticks = 0;
	size_t i;

	for (i = 0; i < drainer->nr_logged; i++) {
		check_record(&drainer->log[i]);
		assert_true(last_ticks <= drainer->log[i].ticks);
		last_ticks = drainer->log[i].ticks;
	}
}

static void full_rings_lose_nothing(void **state)
{
	uint32_t cpu, nr_cpus;

	(void)state;
	if (anon_rings_install(SMALL_RING_BYTES, ask_drainer)) {
		print_message("# no restartable sequences\n");
		skip();
	}
	nr_cpus = anon_rings_nr_cpus();
	done = false;
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		if (cpu >= MAX_DRAINERS || start_drainer(cpu)) {
			print_message("# real-time priority is not permitted\n");
			skip();
		}
	}
	run_threads();
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		sem_post(&drainers[cpu].wake);
		pthread_join(drainers[cpu].thread, NULL);
		drain_into_log(&drainers[cpu]);
		check_log(&drainers[cpu]);
		assert_true(drainers[cpu].nr_drains > 1);
		free(drainers[cpu].log);
	}
	check_threads();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_records_arrive),
		cmocka_unit_test(full_rings_lose_nothing),
	};

	return cmocka_run_group_tests_name("rseq_threads", tests, NULL, NULL);
}
