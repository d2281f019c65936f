/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Moves what was recorded into the trace, as it is: its room on the disk is needed but once, and a
 * piece, for each piece is given back as soon as it stands in the trace.
 */
#ifndef ANNOT_DAT_MOVE_H
#define ANNOT_DAT_MOVE_H

#include "dat/source.h"

/* The largest piece: so much more room is needed than what was recorded takes. */
#define DAT_PIECE_BYTES (1024u * 1024)

/* A piece in memory, for one move after the other. */
struct dat_mover {
	uint8_t *piece;
};

struct dat_mover dat_mover_new(void);
void dat_mover_free(struct dat_mover *mover);

/*
 * Moves all of @source to the position of @out. Returns 0, or -1 after one line on stderr: what
 * stands before the position of @out was moved, the rest is still in @source.
 */
int dat_move(struct dat_mover *mover, struct dat_source *source, struct dat_out *out);

#endif /* ANNOT_DAT_MOVE_H */
