/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Moves recorded data into the trace in pieces. The disk needs room for the data and one piece:
 * each piece is released in the source as soon as it is in the trace.
 */
#ifndef ANNOT_DAT_MOVE_H
#define ANNOT_DAT_MOVE_H

#include "dat/source.h"

/* The size of a piece. */
#define DAT_PIECE_BYTES (1024u * 1024)

/* A buffer of one piece, reused by all moves. */
struct dat_mover {
	uint8_t *piece;
};

struct dat_mover dat_mover_new(void);
void dat_mover_free(struct dat_mover *mover);

/*
 * Moves all of @source to the position of @out. Returns 0, or -1 after one line on stderr: data
 * before the position of @out were moved, the rest is still in @source.
 */
int dat_move(struct dat_mover *mover, struct dat_source *source, struct dat_out *out);

#endif /* ANNOT_DAT_MOVE_H */
