/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Divides the rows of a model at a cut: those that begin and end in the window go to the window, those that cross a cut
 * before it to the rest. Rows that end after the cut wait for the next one.
 *
 * The rows leave the model, or they stay there (keeps), and it is noted how far they have been handed out.
 */
#ifndef ANNOT_MODEL_WINDOW_DIVIDE_H
#define ANNOT_MODEL_WINDOW_DIVIDE_H

#include "model/window/window.h"

struct division {
	struct model *from;
	struct handed_rows *handed;
	bool keeps; /* rows stay, and the window has views of them, or copies */
	struct window_thread *window_threads; /* NULL: all states are in the model */
	struct model *window;
	struct model *rest;
	uint64_t from_ns;
	uint64_t to_ns;
	uint64_t until_ns; /* to_ns, or the end of time when all rows are complete */
	size_t most_counts; /* at most so many rows of counts are handed out, those before included */
};

/* All tables. The window borrows some arrays. */
void divide_rows(const struct division *division);

/* Takes back the arrays that the window borrowed. */
void divide_take_back(const struct division *division);

void handed_rows_free(struct handed_rows *handed);

#endif /* ANNOT_MODEL_WINDOW_DIVIDE_H */
