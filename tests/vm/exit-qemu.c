/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Usage: exit-qemu STATUS, in a guest that has QEMU's isa-debug-exit device at 0xf4: ends QEMU
 * with exit status 2 * value + 1. The value is STATUS + 1, for QEMU itself exits with 1 when it
 * cannot start; statuses are cut at 50, which stays clear of those of
 * timeout(1) and of signals.
 */
#include <stdlib.h>
#include <sys/io.h>

#define EXIT_PORT 0xf4

int main(int argc, char **argv)
{
	int status = argc > 1 ? atoi(argv[1]) : 0;

	if (ioperm(EXIT_PORT, 1, 1))
		return 1;
	outb((status > 50 || status < 0 ? 50 : status) + 1, EXIT_PORT);
	return 0;
}
