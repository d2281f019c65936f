/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes deflate streams (RFC 1951) for columns of numbers, such as durations and threads. These
 * bytes hardly ever repeat earlier ones, except as runs of one byte. So searching for matches,
 * nearly all of deflate's cost, gains nothing. This code gives each column a Huffman code of its
 * own, and does nothing else.
 */
#ifndef ANNOT_PAGE_HUFFMAN_H
#define ANNOT_PAGE_HUFFMAN_H

#include <stddef.h>
#include <stdint.h>

/* Zero-initialise all but @at: the position in the stream. */
struct bit_writer {
	uint8_t *at;
	uint64_t word; /* bits not yet written, the first one lowest */
	unsigned int nr_bits; /* number of bits in word; below 8 between calls */
};

/* An upper bound of the bytes that huffman_put() and bits_align() write. */
size_t huffman_bound(size_t nr_bytes);

/* Writes @bytes as deflate blocks, none of them the last of the stream. */
void huffman_put(struct bit_writer *bits, const uint8_t *bytes, size_t nr_bytes);

/* Writes an empty block, so that the stream continues at a byte boundary. */
void bits_align(struct bit_writer *bits);

#endif /* ANNOT_PAGE_HUFFMAN_H */
