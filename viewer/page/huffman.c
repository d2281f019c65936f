// SPDX-License-Identifier: GPL-2.0
#include "page/huffman.h"

#include <endian.h>
#include <stdbool.h>
#include <string.h>

#define NR_SYMBOLS 286 /* bytes, the end of a block, lengths of what is repeated */
#define END_OF_BLOCK 256
#define FIRST_LENGTH 257
#define MOST_BITS 14 /* of a symbol: four of them and 7 bits fit in a word */
#define STORED_BYTES 65535u /* at most, in a block that is not coded */
#define STORED_HEAD_BYTES 5u

#define NR_LENGTH_SYMBOLS 19 /* of the code of the code lengths */
#define MOST_LENGTH_BITS 7
#define ZEROS 18 /* of these: 11 to 138 symbols that do not occur */
#define LEAST_ZEROS 11u
#define MOST_ZEROS 138u
#define HEAD_BITS (17 + NR_LENGTH_SYMBOLS * 3 + (NR_SYMBOLS + 1) * (MOST_LENGTH_BITS + 1))

#define LEAST_RUN 16u
#define MOST_RUN 258u

struct code {
	uint16_t bits[NR_SYMBOLS]; /* the first one lowest */
	uint8_t nr_bits[NR_SYMBOLS];
};

static uint64_t word_at(const uint8_t *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

static void put_bits(struct bit_writer *bits, uint64_t value, unsigned int nr)
{
	bits->word |= value << bits->nr_bits;
	bits->nr_bits += nr;
}

/* Leaves less than a byte. */
static void flush_bits(struct bit_writer *bits)
{
	uint64_t word = htole64(bits->word);
	unsigned int nr_bytes = bits->nr_bits / 8;

	memcpy(bits->at, &word, sizeof(word));
	bits->at += nr_bytes;
	bits->word >>= nr_bytes * 8;
	bits->nr_bits -= nr_bytes * 8;
}

static void write_bits(struct bit_writer *bits, uint64_t value, unsigned int nr)
{
	put_bits(bits, value, nr);
	flush_bits(bits);
}

/* How often the byte before @at repeats from there; 0: too seldom to be coded as a run. */
static size_t run_length(const uint8_t *at, const uint8_t *end)
{
	size_t nr = LEAST_RUN, most = (size_t)(end - at);

	if (most < LEAST_RUN || word_at(at) != word_at(at - 1) ||
	    word_at(at + 8) != word_at(at + 7))
		return 0;
	if (most > MOST_RUN)
		most = MOST_RUN;
	while (most - nr >= 8 && word_at(at + nr) == word_at(at + nr - 1))
		nr += 8;
	while (nr < most && at[nr] == at[nr - 1])
		nr++;
	return nr;
}

/* Symbols of lengths are in groups of four. The group gives the number of extra bits. */
struct length {
	unsigned int symbol;
	unsigned int rest;
	unsigned int nr_bits;
};

static struct length length_of(size_t nr)
{
	unsigned int value = (unsigned int)nr - 3, nr_bits = 0;

	if (nr == MOST_RUN)
		return (struct length){ .symbol = NR_SYMBOLS - 1 };
	while (value >> nr_bits >= 8)
		nr_bits++;
	return (struct length){
		.symbol = FIRST_LENGTH + nr_bits * 4 + (value >> nr_bits),
		.rest = value & ((1u << nr_bits) - 1),
		.nr_bits = nr_bits,
	};
}

/*
 * Between runs, bytes are processed four at a time, with a check for a run after each four. Neither
 * counting nor coding then waits for the byte before.
 */
#define AT_ONCE 4

struct symbol_counts {
	uint32_t of[NR_SYMBOLS];
	uint64_t nr_rest_bits; /* what runs take beside their symbols */
};

static void count_run(struct symbol_counts *counts, size_t nr)
{
	struct length length = length_of(nr);

	counts->of[length.symbol]++;
	counts->nr_rest_bits += length.nr_bits + 1;
}

static void count_symbols(const uint8_t *bytes, size_t nr_bytes, struct symbol_counts *counts)
{
	const uint8_t *at = bytes, *end = bytes + nr_bytes;
	uint32_t of_byte[AT_ONCE][256] = { 0 };

	*counts = (struct symbol_counts){ .of[END_OF_BLOCK] = 1 };
	while (end - at >= AT_ONCE) {
		size_t run = at > bytes ? run_length(at, end) : 0;

		if (run) {
			count_run(counts, run);
			at += run;
			continue;
		}
		of_byte[0][at[0]]++;
		of_byte[1][at[1]]++;
		of_byte[2][at[2]]++;
		of_byte[3][at[3]]++;
		at += AT_ONCE;
	}
	while (at < end)
		of_byte[0][*at++]++;
	for (int i = 0; i < 256; i++)
		counts->of[i] = of_byte[0][i] + of_byte[1][i] + of_byte[2][i] + of_byte[3][i];
}

/* By @keys, ascending: few of them, and of no order. */
static void sort_keys(uint64_t *keys, int nr)
{
	static const int gaps[] = { 132, 57, 23, 10, 4, 1 };

	for (size_t i = 0; i < sizeof(gaps) / sizeof(gaps[0]); i++) {
		int gap = gaps[i];

		for (int from = gap; from < nr; from++) {
			uint64_t key = keys[from];
			int to = from;

			for (; to >= gap && keys[to - gap] > key; to -= gap)
				keys[to] = keys[to - gap];
			keys[to] = key;
		}
	}
}

#define SYMBOL_BITS 16

/* A leaf for each symbol that occurs, by how often it does. Returns their number. */
static int find_leaves(const uint32_t *counts, int nr_symbols, unsigned int halvings,
		       uint64_t *leaves)
{
	int nr = 0;

	for (int i = 0; i < nr_symbols; i++) {
		if (counts[i])
			leaves[nr++] = (uint64_t)((counts[i] >> halvings) + 1) << SYMBOL_BITS |
				       (uint64_t)i;
	}
	sort_keys(leaves, nr);
	return nr;
}

/* NOLINTBEGIN(clang-analyzer-core.*): there are two leaves or more */
/*
 * Builds Huffman's tree over @nr leaves: it joins the two smallest nodes again and again. Joined
 * nodes come in the order of their sums. Stores the depth of each leaf, and returns the largest
 * depth.
 */
static unsigned int find_depths(const uint64_t *leaves, int nr, uint8_t *depths)
{
	uint64_t sums[NR_SYMBOLS];
	uint16_t parents[2 * NR_SYMBOLS], of_joined[NR_SYMBOLS];
	int leaf = 0, joined = 0;

	for (int to = 0; to < nr - 1; to++) {
		sums[to] = 0;
		for (int i = 0; i < 2; i++) {
			bool is_leaf = leaf < nr && (joined == to ||
						     leaves[leaf] >> SYMBOL_BITS <= sums[joined]);

			sums[to] += is_leaf ? leaves[leaf] >> SYMBOL_BITS : sums[joined];
			parents[is_leaf ? leaf++ : NR_SYMBOLS + joined++] = (uint16_t)to;
		}
	}
	of_joined[nr - 2] = 0;
	for (int i = nr - 3; i >= 0; i--)
		of_joined[i] = of_joined[parents[NR_SYMBOLS + i]] + 1;
	for (int i = 0; i < nr; i++)
		depths[i] = (uint8_t)(of_joined[parents[i]] + 1);
	return depths[0];
}
/* NOLINTEND(clang-analyzer-core.*) */

static uint16_t reverse_bits(unsigned int bits, unsigned int nr_bits)
{
	unsigned int turned = 0;

	for (; nr_bits; nr_bits--, bits >>= 1)
		turned = turned << 1 | (bits & 1);
	return (uint16_t)turned;
}

/* Which bits follows from how many they are: symbols of as many have ascending ones. */
static void give_bits(struct code *code, int nr_symbols)
{
	unsigned int nr_of[MOST_BITS + 1] = { 0 }, next[MOST_BITS + 1] = { 0 };

	for (int i = 0; i < nr_symbols; i++)
		nr_of[code->nr_bits[i]]++;
	for (int i = 2; i <= MOST_BITS; i++)
		next[i] = (next[i - 1] + nr_of[i - 1]) << 1;
	for (int i = 0; i < nr_symbols; i++) {
		if (code->nr_bits[i])
			code->bits[i] = reverse_bits(next[code->nr_bits[i]]++, code->nr_bits[i]);
	}
}

/* At least two symbols occur. Where codes get too long, how often a symbol occurs counts for less. */
static void make_code(struct code *code, const uint32_t *counts, int nr_symbols,
		      unsigned int most_bits)
{
	uint64_t leaves[NR_SYMBOLS];
	uint8_t depths[NR_SYMBOLS];
	unsigned int halvings = 0;
	int nr;

	do {
		nr = find_leaves(counts, nr_symbols, halvings++, leaves);
	} while (find_depths(leaves, nr, depths) > most_bits);
	*code = (struct code){ 0 };
	for (int i = 0; i < nr; i++)
		code->nr_bits[leaves[i] & ((1u << SYMBOL_BITS) - 1)] = depths[i];
	give_bits(code, nr_symbols);
}

/* Calls use() for each symbol, with its extra bits, of the encoded lengths of @code. */
static void emit_lengths(const struct code *code, void *context,
			 void (*use)(void *context, unsigned int symbol, unsigned int rest))
{
	for (unsigned int i = 0; i < NR_SYMBOLS;) {
		unsigned int nr = 0;

		while (i + nr < NR_SYMBOLS && nr < MOST_ZEROS && !code->nr_bits[i + nr])
			nr++;
		if (nr >= LEAST_ZEROS) {
			use(context, ZEROS, nr - LEAST_ZEROS);
			i += nr;
		} else {
			use(context, code->nr_bits[i++], 0);
		}
	}
	use(context, 1, 0); /* the code of distances: a run repeats the byte before it */
}

static void count_length(void *context, unsigned int symbol, unsigned int rest)
{
	uint32_t *counts = context;

	(void)rest;
	counts[symbol]++;
}

struct head {
	struct bit_writer *bits;
	struct code code;
};

static void put_length(void *context, unsigned int symbol, unsigned int rest)
{
	struct head *head = context;

	write_bits(head->bits, head->code.bits[symbol], head->code.nr_bits[symbol]);
	if (symbol == ZEROS)
		write_bits(head->bits, rest, 7);
}

/* That a block follows, and its code. */
static void put_head(struct bit_writer *bits, const struct code *code)
{
	static const uint8_t order[NR_LENGTH_SYMBOLS] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
							  11, 4,  12, 3, 13, 2, 14, 1, 15 };
	struct head head = { .bits = bits };
	uint32_t counts[NR_LENGTH_SYMBOLS] = { 0 };

	emit_lengths(code, counts, count_length);
	counts[0] += !counts[0]; /* a code has two symbols at least */
	make_code(&head.code, counts, NR_LENGTH_SYMBOLS, MOST_LENGTH_BITS);
	write_bits(bits, 2 << 1, 3);
	write_bits(bits, NR_SYMBOLS - FIRST_LENGTH, 5);
	write_bits(bits, 0, 5);
	write_bits(bits, NR_LENGTH_SYMBOLS - 4, 4);
	for (int i = 0; i < NR_LENGTH_SYMBOLS; i++)
		write_bits(bits, head.code.nr_bits[order[i]], 3);
	emit_lengths(code, &head, put_length);
}

static void put_symbol(struct bit_writer *bits, const struct code *code, unsigned int symbol)
{
	put_bits(bits, code->bits[symbol], code->nr_bits[symbol]);
}

static void put_run(struct bit_writer *bits, const struct code *code, size_t nr)
{
	struct length length = length_of(nr);

	put_symbol(bits, code, length.symbol);
	put_bits(bits, length.rest, length.nr_bits);
	write_bits(bits, 0, 1); /* the distance */
}

/* Returns where @bits have come to: a copy, which a byte that is written cannot change. */
static struct bit_writer put_symbols(struct bit_writer bits, const struct code *code,
				     const uint8_t *bytes, size_t nr_bytes)
{
	const uint8_t *at = bytes, *end = bytes + nr_bytes;

	while (end - at >= AT_ONCE) {
		size_t run = at > bytes ? run_length(at, end) : 0;

		if (run) {
			put_run(&bits, code, run);
			at += run;
			continue;
		}
		put_symbol(&bits, code, at[0]);
		put_symbol(&bits, code, at[1]);
		put_symbol(&bits, code, at[2]);
		put_symbol(&bits, code, at[3]);
		flush_bits(&bits);
		at += AT_ONCE;
	}
	while (at < end) {
		put_symbol(&bits, code, *at++);
		flush_bits(&bits);
	}
	put_symbol(&bits, code, END_OF_BLOCK);
	flush_bits(&bits);
	return bits;
}

/* A block of bytes as they are. */
static void put_stored_block(struct bit_writer *bits, const uint8_t *bytes, uint16_t nr_bytes)
{
	write_bits(bits, 0, 3);
	if (bits->nr_bits)
		write_bits(bits, 0, 8 - bits->nr_bits);
	write_bits(bits, nr_bytes | (uint32_t)(uint16_t)~nr_bytes << 16, 32);
	memcpy(bits->at, bytes, nr_bytes);
	bits->at += nr_bytes;
}

static void put_stored(struct bit_writer *bits, const uint8_t *bytes, size_t nr_bytes)
{
	while (nr_bytes) {
		size_t nr = nr_bytes < STORED_BYTES ? nr_bytes : STORED_BYTES;

		put_stored_block(bits, bytes, (uint16_t)nr);
		bytes += nr;
		nr_bytes -= nr;
	}
}

void bits_align(struct bit_writer *bits)
{
	put_stored_block(bits, (const uint8_t *)"", 0);
}

size_t huffman_bound(size_t nr_bytes)
{
	/* Writes whole words; the next write overwrites the excess bytes. */
	return nr_bytes + (nr_bytes / STORED_BYTES + 2) * (STORED_HEAD_BYTES + 1) +
	       sizeof(uint64_t);
}

void huffman_put(struct bit_writer *bits, const uint8_t *bytes, size_t nr_bytes)
{
	struct symbol_counts counts;
	struct code code;
	uint64_t nr_bits;

	if (!nr_bytes)
		return;
	count_symbols(bytes, nr_bytes, &counts);
	make_code(&code, counts.of, NR_SYMBOLS, MOST_BITS);
	nr_bits = counts.nr_rest_bits + HEAD_BITS;
	for (int i = 0; i < NR_SYMBOLS; i++)
		nr_bits += (uint64_t)counts.of[i] * code.nr_bits[i];
	if (nr_bits >= (uint64_t)nr_bytes * 8) {
		put_stored(bits, bytes, nr_bytes);
		return;
	}
	put_head(bits, &code);
	*bits = put_symbols(*bits, &code, bytes, nr_bytes);
}
