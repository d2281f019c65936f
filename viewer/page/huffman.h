/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A part of a deflate stream (RFC 1951) for columns of numbers: how long they last, who ran. Such
 * bytes hardly ever repeat what was before them, other than as runs of one byte, so that nothing is
 * gained by looking for that, which is nearly all that deflate costs: here each column has a Huffman
 * code of its own, and that is all.
 */
#ifndef ANNOT_PAGE_HUFFMAN_H
#define ANNOT_PAGE_HUFFMAN_H

#include <stddef.h>
#include <stdint.h>

/* Zero-initialise, but for at: where the stream goes. */
struct bit_writer {
	uint8_t *at;
	uint64_t word; /* bits that are not there yet, the first one lowest */
	unsigned int nr_bits; /* of it; below 8 between calls */
};

/* As many bytes as huffman_put() writes at most, with those that bits_align() does. */
size_t huffman_bound(size_t nr_bytes);

/* Writes blocks that hold @bytes, none of them the last one of the stream. */
void huffman_put(struct bit_writer *bits, const uint8_t *bytes, size_t nr_bytes);

/* An empty block, so that what comes next begins with a byte. */
void bits_align(struct bit_writer *bits);

#endif /* ANNOT_PAGE_HUFFMAN_H */
