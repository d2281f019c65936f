// SPDX-License-Identifier: GPL-2.0
/*
 * The library where its rings are full whenever it looks: it then goes to write(), and what a thread
 * said stays in order. In a guest with two CPUs that has annot.ko loaded. Prints TAP.
 *
 * That a ring is full once more whenever it has been emptied takes a signal handler that fills it
 * each time; here the library is told that it was emptied, and it was not.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "../../../../libannot/device.h"
#include "../../../../libannot/rings.h"
#include "annot/annot.h"
#include "ring.h"

#define NR_THREADS 3
#define NR_EACH 5000
#define NR_IN_RING_MAX 4096 /* of the largest ring */

static uint32_t ask_name(const char *bytes, size_t nr_bytes)
{
	struct annot_name name = { .text = (uintptr_t)bytes, .length_bytes = nr_bytes };
	int number = annot_device_ioctl(ANNOT_IOC_NAME, &name);

	return number < 0 ? 0 : number;
}

static atomic_int nr_asked;

static int do_not_drain(void)
{
	nr_asked++;
	return 0;
}

static const struct ring_source lazy = { .name = ask_name, .drain = do_not_drain };

static pid_t tids[NR_THREADS];

static void *annotate(void *argument)
{
	size_t number = (size_t)argument;

	tids[number] = gettid();
	for (int i = 0; i < NR_EACH; i++) {
		if (i % 500 == 0)
			stay_on((i / 500 + number) % 2);
		annot_counter("number", i);
	}
	return NULL;
}

static bool is_in_order(pid_t tid)
{
	int next = 0;

	for (size_t i = 0; i < nr_seen; i++) {
		char want[32];

		if (seen[i].pid != tid)
			continue;
		snprintf(want, sizeof(want), "C number %d", next++);
		if (strcmp(seen[i].line, want)) {
			printf("# thread %d: '%s' for '%s'\n", tid, seen[i].line, want);
			return false;
		}
	}
	if (next != NR_EACH)
		printf("# thread %d: %d of %d annotations\n", tid, next, NR_EACH);
	return next == NR_EACH;
}

static void check_order(void)
{
	pthread_t threads[NR_THREADS];
	bool in_order = true;

	record_as(true);
	nr_asked = 0;
	for (size_t i = 0; i < NR_THREADS; i++)
		pthread_create(&threads[i], NULL, annotate, (void *)i);
	for (size_t i = 0; i < NR_THREADS; i++)
		join(threads[i], &tids[i]);
	collect();
	for (size_t i = 0; i < NR_THREADS; i++)
		in_order = is_in_order(tids[i]) && in_order;
	check(in_order && nr_seen == NR_THREADS * NR_EACH,
	      "each thread's annotations are all there and in order");
	printf("# %d times a full ring was not emptied\n", nr_asked);
	check(nr_asked >= NR_THREADS * NR_EACH / NR_IN_RING_MAX, "rings were full");
}

int main(void)
{
	struct ring_place place;

	set(TRACEFS "tracing_on", "1");
	record_as(true);
	for (int cpu = 0; cpu < 2; cpu++) {
		stay_on(cpu);
		annot_mark("first");
	}
	if (!strstr(annot_status(), "by rings")) {
		printf("not ok - the library has rings: %s\n", annot_status());
		return 1;
	}
	place = (struct ring_place){
		.rings = annot_rings.rings,
		.page_bytes = annot_rings.page_bytes,
		.index_offset = annot_rings.index_offset,
		.nr_rings = annot_rings.nr_rings,
	};
	if (annot_rings_install(&lazy, &place))
		die("annot_rings_install");
	check_order();
	enable("annot", false);
	return all_well ? 0 : 1;
}
