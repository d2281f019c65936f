// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: two_threads
 *
 * A thread annotates and goes to sleep; the first thread annotates long enough to write out what
 * the other has left in its ring. 500 annotations of each.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

#include "annot/annot.h"

#define NR_SPANS 250

/* Longer than a ring may be left alone, in all. */
#define PAUSE_NS 200000

static sem_t first_is_done, second_is_asleep;

static void *annotate_and_sleep(void *unused)
{
	int i;

	annot_thread_name("annot-second");
	for (i = 0; i < NR_SPANS; i++) {
		annot_begin("of second");
		annot_end();
		/* The rest stays in the ring. */
		if (i == NR_SPANS - 50)
			annot_flush();
	}
	sem_post(&second_is_asleep);
	while (sem_wait(&first_is_done))
		;
	return unused;
}

int main(void)
{
	const struct timespec pause = { 0, PAUSE_NS };
	pthread_t thread;
	int i;

	annot_thread_name("annot-first");
	sem_init(&first_is_done, 0, 0);
	sem_init(&second_is_asleep, 0, 0);
	pthread_create(&thread, NULL, annotate_and_sleep, NULL);
	while (sem_wait(&second_is_asleep))
		;
	for (i = 0; i < NR_SPANS; i++) {
		annot_begin_value("of first", i);
		nanosleep(&pause, NULL);
		annot_end();
	}
	sem_post(&first_is_done);
	pthread_join(thread, NULL);
	printf("%s\n", annot_status());
	return 0;
}
