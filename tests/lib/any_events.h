/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TESTS_ANY_EVENTS_H
#define TESTS_ANY_EVENTS_H

#include <stdint.h>

/*
 * Feeds an event to the script (events.h): whatever @chance, a random number, says, also what the kernel never does, of 7 threads from
 * @first_tid on and 3 CPUs: switches, wakeups, losses, annotations, forks, exits, counts.
 */
void feed_anything_at(uint64_t time_ns, int32_t first_tid, unsigned int chance);

#endif /* TESTS_ANY_EVENTS_H */
