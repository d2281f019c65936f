/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples of accesses to memory, made by hand: of two threads, A on CPU 0 and B on CPU 1, each in a
 * span of TASK.
 */
#ifndef TOUCHES_H
#define TOUCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

#define A 101
#define B 102
#define TASK 1
#define EVENT 11
#define LINE 64
#define START 0x7f0000000000u

struct touches {
	struct model_builder *builder;
	uint64_t now_ns;
	uint64_t period; /* of each sample */
	bool by_ratio; /* the event is of instructions, each with its data source, as IBS samples */
	uint64_t data_src; /* of each sample that is no store */
	int32_t storing_tid; /* whose samples are stores by their data source; 0: nobody's */
};

extern struct touches touches;

/* A first-level cache of 64 sets and 8 ways on each of two CPUs; unless @without_topology. */
void touches_begin(bool without_topology);

void touch_at(int32_t tid, uint64_t ip, uint64_t address);

/* A touches @nr lines, @stride_bytes from one to the next, @rounds times. */
void touch_walk(unsigned int nr, uint64_t stride_bytes, unsigned int rounds);

#endif /* TOUCHES_H */
