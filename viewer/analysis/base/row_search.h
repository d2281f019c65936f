/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Binary searches for rows of the model's tables by time. A caller that asks for times in nearly ascending order starts each
 * search where the last one ended: this costs O(log d) for d rows in between.
 */
#ifndef ANNOT_ROW_SEARCH_H
#define ANNOT_ROW_SEARCH_H

#include "model/model.h"

/* The first of @nr rows with ascending ends that ends behind @time_ns; @nr if there is none. */
size_t row_search_after(const uint64_t *end_ns, size_t nr, uint64_t time_ns);

/* The same, looked for from row @near on, to either side; @near may be any number. */
size_t row_search_after_near(const uint64_t *end_ns, size_t nr, uint64_t time_ns, size_t near);

/* The first row of @states that ends behind @time_ns; its nr if there is none. */
size_t row_search_state(const struct state_table *states, uint64_t time_ns);
size_t row_search_state_near(const struct state_table *states, uint64_t time_ns, size_t near);

#endif /* ANNOT_ROW_SEARCH_H */
