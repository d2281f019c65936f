// SPDX-License-Identifier: GPL-2.0
#include "report/samples/data_source.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

/* Levels that the kernel headers of older systems do not name. */
#define LVLNUM_L2_MHB 0x05
#define LVLNUM_MSC 0x06
#define LVLNUM_UNCACHED 0x08
#define LVLNUM_CXL 0x09
#define LVLNUM_IO 0x0a

struct word {
	uint64_t bit;
	const char *text;
};

static const struct word operation_words[] = {
	{ PERF_MEM_OP_LOAD, "load" },
	{ PERF_MEM_OP_STORE, "store" },
	{ PERF_MEM_OP_PFETCH, "prefetch" },
	{ PERF_MEM_OP_EXEC, "exec" },
	{ 0 },
};

/* As it was told before there were numbers of levels. */
static const struct word level_words[] = {
	{ PERF_MEM_LVL_L1, "L1" },
	{ PERF_MEM_LVL_LFB, "LFB" },
	{ PERF_MEM_LVL_L2, "L2" },
	{ PERF_MEM_LVL_L3, "L3" },
	{ PERF_MEM_LVL_LOC_RAM, "RAM" },
	{ PERF_MEM_LVL_REM_RAM1, "remote-RAM" },
	{ PERF_MEM_LVL_REM_RAM2, "remote-RAM-2-hops" },
	{ PERF_MEM_LVL_REM_CCE1, "remote-cache" },
	{ PERF_MEM_LVL_REM_CCE2, "remote-cache-2-hops" },
	{ PERF_MEM_LVL_IO, "IO" },
	{ PERF_MEM_LVL_UNC, "uncached" },
	{ 0 },
};

static const struct word hit_words[] = {
	{ PERF_MEM_LVL_HIT, "hit" },
	{ PERF_MEM_LVL_MISS, "miss" },
	{ 0 },
};

static const struct word snoop_words[] = {
	{ PERF_MEM_SNOOP_NONE, "snoop-none" },
	{ PERF_MEM_SNOOP_HIT, "snoop-hit" },
	{ PERF_MEM_SNOOP_MISS, "snoop-miss" },
	{ PERF_MEM_SNOOP_HITM, "snoop-hitm" },
	{ 0 },
};

static const struct word more_snoops[] = {
	{ PERF_MEM_SNOOPX_FWD, "snoop-forward" },
	{ PERF_MEM_SNOOPX_PEER, "snoop-peer" },
	{ 0 },
};

static const char *const level_numbers[16] = {
	[PERF_MEM_LVLNUM_L1] = "L1",
	[PERF_MEM_LVLNUM_L2] = "L2",
	[PERF_MEM_LVLNUM_L3] = "L3",
	[PERF_MEM_LVLNUM_L4] = "L4",
	[LVLNUM_L2_MHB] = "L2-MHB",
	[LVLNUM_MSC] = "memory-side-cache",
	[LVLNUM_UNCACHED] = "uncached",
	[LVLNUM_CXL] = "CXL",
	[LVLNUM_IO] = "IO",
	[PERF_MEM_LVLNUM_ANY_CACHE] = "cache",
	[PERF_MEM_LVLNUM_LFB] = "LFB",
	[PERF_MEM_LVLNUM_RAM] = "RAM",
	[PERF_MEM_LVLNUM_PMEM] = "PMEM",
};

static uint64_t bits_of(uint64_t data_src, unsigned int shift, unsigned int nr)
{
	return data_src >> shift & ((1ull << nr) - 1);
}

static void append_word(char *text, const char *word)
{
	size_t bytes = strlen(text);

	snprintf(text + bytes, DATA_SOURCE_MAX_BYTES - bytes, "%s%s", bytes ? "," : "", word);
}

/* The words of the bits that are set. */
static void append_words(char *text, const struct word *words, uint64_t set)
{
	for (; words->text; words++) {
		if (set & words->bit)
			append_word(text, words->text);
	}
}

/* The number of the level tells better than the older bits, where it is there. */
static void append_level(char *text, uint64_t data_src)
{
	const char *level = level_numbers[bits_of(data_src, PERF_MEM_LVLNUM_SHIFT, 4)];
	uint64_t older = bits_of(data_src, PERF_MEM_LVL_SHIFT, 14);

	if (level)
		append_word(text, level);
	else
		append_words(text, level_words, older);
	if (bits_of(data_src, PERF_MEM_REMOTE_SHIFT, 1))
		append_word(text, "remote");
	append_words(text, hit_words, older);
}

static void append_tlb(char *text, uint64_t data_src)
{
	uint64_t tlb = bits_of(data_src, PERF_MEM_TLB_SHIFT, 7);
	char word[48];

	if (!(tlb & ~(uint64_t)PERF_MEM_TLB_NA))
		return;
	snprintf(word, sizeof(word), "TLB%s%s%s%s%s%s", tlb & PERF_MEM_TLB_L1 ? "-L1" : "",
		 tlb & PERF_MEM_TLB_L2 ? "-L2" : "", tlb & PERF_MEM_TLB_WK ? "-walk" : "",
		 tlb & PERF_MEM_TLB_OS ? "-fault" : "", tlb & PERF_MEM_TLB_HIT ? "-hit" : "",
		 tlb & PERF_MEM_TLB_MISS ? "-miss" : "");
	append_word(text, word);
}

void data_source_text(uint64_t data_src, char text[DATA_SOURCE_MAX_BYTES])
{
	text[0] = '\0';
	append_words(text, operation_words, bits_of(data_src, PERF_MEM_OP_SHIFT, 5));
	append_level(text, data_src);
	append_words(text, snoop_words, bits_of(data_src, PERF_MEM_SNOOP_SHIFT, 5));
	append_words(text, more_snoops, bits_of(data_src, PERF_MEM_SNOOPX_SHIFT, 2));
	append_tlb(text, data_src);
	if (bits_of(data_src, PERF_MEM_LOCK_SHIFT, 2) & PERF_MEM_LOCK_LOCKED)
		append_word(text, "locked");
	if (!*text)
		append_word(text, "-");
}
