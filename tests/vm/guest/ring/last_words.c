// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: last_words FILE
 *
 * Annotates on CPU 1 until the first byte of FILE says so ('.'), then does so a few times more, as
 * fast as it can, writes into FILE how often it did in all, and spins: all that without a system
 * call, but for what a full ring takes. So its last words lie in the ring, and while nobody else
 * wants the CPU no switch takes them out. It is preempted anywhere, which takes the library's
 * restartable sequences.
 */
#include <annot/annot.h>

#include "ring.h"

#define CPU 1
#define PAUSE_TICKS 1000000
#define NR_LAST 100
#define FILE_BYTES 16

static volatile char *map_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *map = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, FILE_BYTES))
		map = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd,
			   0);
	if (map == MAP_FAILED)
		die(path);
	return map;
}

/* Backwards: the first digit says that all of it is there. */
static void tell(volatile char *said, int nr)
{
	for (int at = FILE_BYTES - 2; at >= 0; at--, nr /= 10) {
		said[at] = '0' + nr % 10;
		__asm__ volatile("" ::: "memory");
	}
}

int main(int argc, char **argv)
{
	volatile char *said = argc == 2 ? map_file(argv[1]) : NULL;
	int nr = 0;

	if (!said) {
		fprintf(stderr, "usage: last_words FILE\n");
		return 2;
	}
	stay_on(CPU);
	said[FILE_BYTES - 1] = '\n';
	said[0] = '!';
	while (said[0] != '.') {
		uint64_t begin = read_ticks();

		annot_counter("last words", nr++);
		while (read_ticks() - begin < PAUSE_TICKS)
			;
	}
	for (int i = 0; i < NR_LAST; i++)
		annot_counter("last words", nr++);
	tell(said, nr);
	for (;;)
		;
}
