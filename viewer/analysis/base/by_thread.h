/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rows of a table of all threads, grouped by thread. Each thread's rows keep the order of the table.
 */
#ifndef ANNOT_BY_THREAD_H
#define ANNOT_BY_THREAD_H

#include "model/model.h"

/* The rows of thread t are rows[first[t]] to rows[first[t + 1]]. Rows without a thread are left out. */
struct by_thread {
	size_t *first;
	size_t *rows;
};

/* @threads: the thread of each of the @nr rows. by_thread_free() frees it. */
struct by_thread by_thread_group(const struct model *model, const uint32_t *threads, size_t nr);
void by_thread_free(struct by_thread *by);

#endif /* ANNOT_BY_THREAD_H */
