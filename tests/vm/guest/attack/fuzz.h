/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Of the fuzzer of the devices (fuzz_devices.c): what a sequence of calls is, and what its calls share:
 * files, mappings, rings and places in memory, which its threads use as they like.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <time.h>

#include "ring.h"

#define NR_CALLS_MAX 40
#define NR_FILES 8
#define NR_MAPS 6
#define NR_PCS_MAX (1 << 16) /* a power of two */
#define MOST_TIMES 10

/* What a call does with its words is for its function to say; any value means something. */
struct call {
	uint8_t kind;
	uint8_t a;
	uint8_t b;
	uint8_t c;
	uint64_t d;
};

struct sequence {
	unsigned int nr;
	struct call calls[NR_CALLS_MAX];
};

struct map {
	char *at;
	size_t bytes;
};

enum kind {
	OPEN,
	CLOSE,
	DUP,
	RING,
	ANNOTATE,
	SCRIBBLE,
	MMAP,
	MUNMAP,
	MPROTECT,
	MREMAP,
	MADVISE,
	MLOCK,
	PINNED,
	NAME,
	NAMES,
	DRAIN,
	RECORD,
	EVENTS,
	ODD_IOCTL,
	WRITE,
	WRITEV,
	SPLICE,
	ODD_FILE,
	FORK,
	CLONE_VM_CHILD,
	EXEC,
	THREAD,
	MOVE,
	PAUSE,
	SIGNALS,
	SLOW_PAGE,
	LIMIT,
	FAIL,
	NR_KINDS,
};

static const char *const kind_names[NR_KINDS] = {
	"open",	  "close",    "dup",	   "ring",    "annotate", "scribble", "mmap",
	"munmap", "mprotect", "mremap",	   "madvise", "mlock",	  "pinned",   "name",
	"names",  "drain",    "record",	   "events",  "ioctl",	  "write",    "writev",
	"splice", "file",     "fork",	   "clone",   "exec",	  "thread",   "move",
	"pause",  "signals",  "slow page", "limit",   "fail",
};

/* Shared by all processes; counted without care. */
struct figures {
	volatile long done[NR_KINDS];
	volatile long failed[NR_KINDS];
	volatile long sequences;
	volatile long kept;
	volatile long nr_pcs;
	volatile uint64_t pcs[NR_PCS_MAX];
};

static struct figures *figures;
static uint64_t random_state;

static uint64_t draw(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static void seed_with(uint64_t seed)
{
	random_state = seed * 0x9e3779b97f4a7c15ull + 88172645463325252ull;
	for (int i = 0; i < 8; i++)
		draw();
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* What leads on to other calls: that is to be done, and not only tried. */
static const uint8_t must[] = { RING,	ANNOTATE, SCRIBBLE, MMAP, NAME, DRAIN,	RECORD,
				EVENTS, WRITE,	  WRITEV,   FORK, EXEC, THREAD, SLOW_PAGE };

static int nr_missing(void)
{
	int missing = 0;

	for (size_t i = 0; i < sizeof(must); i++)
		missing += !figures->done[must[i]];
	return missing;
}

static uint64_t begin_ms, end_ms;

/* A slow machine needs longer until all of that was done. */
static bool is_over(void)
{
	uint64_t now = now_ms();

	return now >= end_ms &&
	       (!nr_missing() || now - begin_ms >= MOST_TIMES * (end_ms - begin_ms));
}

/* --- the state of a sequence */

static volatile int files[NR_FILES];
static volatile struct map maps[NR_MAPS];
static struct ring rings[2];
static uint32_t ring_names[2];
static char *pages; /* one to write to, one to read, none */
static char *slow_page;
static int nr_cpus;
static int depth;

/* Mostly one of those that are opened at first. */
static int file_of(uint8_t which)
{
	return files[which % 4 == 3 ? which / 4 % NR_FILES : which % 4];
}

static char *fuzzed_text(const struct call *call, size_t *length)
{
	static const char *const lines[] = {
		"B work\n",
		"B work 1\n",
		"E\n",
		"W wait -5\n",
		"I m\n",
		"C c 7\nB x\nE\n",
		"B \"two words\" 3\n",
		"C count 9223372036854775807\n",
		"I x\n",
		"B ",
		"C c 99999999999999999999\n",
		"Z\n",
	};
	static __thread char text[1024];
	uint64_t bits = call->d;

	*length = snprintf(text, sizeof(text), "%s%s", lines[call->a % 12], lines[call->b % 12]);
	switch (call->c % 8) {
	case 0:
		text[bits % *length] = (char)(bits >> 8);
		break;
	case 1:
		*length = bits % sizeof(text);
		break;
	case 2:
		text[bits % *length] = '\0';
		break;
	}
	return text;
}

/* Where to have a system call read: @bytes of @from are there, as far as there is memory. */
static void *place(uint8_t where, const void *from, size_t bytes)
{
	char *edge = pages + PAGE_BYTES;

	switch (where % 12) {
	case 0:
		return NULL;
	case 1:
		return (void *)-PAGE_BYTES;
	case 2: /* runs into the page that is only read */
		memcpy(edge - bytes / 2, from, bytes / 2);
		return edge - bytes / 2;
	case 3: /* is cut off */
		return edge + PAGE_BYTES - bytes / 2;
	case 4:
		return edge;
	case 5:
		return (void *)0xffff888000000000ull;
	case 6:
		return rings[0].shared ? (void *)rings[0].shared : NULL;
	case 7:
		return slow_page;
	default:
		memcpy(pages, from, bytes);
		return pages;
	}
}

#endif /* FUZZ_H */
