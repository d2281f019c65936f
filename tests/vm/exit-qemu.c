/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Usage: exit-qemu STATUS, in a guest: ends QEMU with exit status 2 * value + 1. The value is
 * STATUS + 1, for QEMU itself exits with 1 when it cannot start; statuses are cut at 50, which
 * stays clear of those of timeout(1) and of signals.
 */
#include <stdlib.h>

#if defined(__x86_64__)
#include <sys/io.h>

/* The isa-debug-exit device makes of what is written to it twice that and 1. */
#define EXIT_PORT 0xf4

static void end_machine(int value)
{
	if (!ioperm(EXIT_PORT, 1, 1))
		outb(value, EXIT_PORT);
}
#elif defined(__riscv)
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>

/* SiFive's test device, which all machines of the kind "virt" have. */
#define TEST_DEVICE 0x100000
#define TEST_FAIL 0x3333

static void end_machine(int value)
{
	int fd = open("/dev/mem", O_RDWR | O_SYNC);
	volatile uint32_t *device = mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, fd, TEST_DEVICE);

	if (device != MAP_FAILED)
		*device = (uint32_t)(2 * value + 1) << 16 | TEST_FAIL;
}
#elif defined(__aarch64__)
#include <stdint.h>

/* Semihosting, which QEMU lets programs use, too. */
#define SYS_EXIT_EXTENDED 0x20
#define STOPPED_APPLICATION_EXIT 0x20026

static void end_machine(int value)
{
	const uint64_t reason[2] = { STOPPED_APPLICATION_EXIT, (uint64_t)(2 * value + 1) };
	register uint64_t operation __asm__("x0") = SYS_EXIT_EXTENDED;
	register const uint64_t *argument __asm__("x1") = reason;

	__asm__ volatile("hlt #0xf000" : "+r"(operation) : "r"(argument) : "memory");
}
#endif

int main(int argc, char **argv)
{
	int status = argc > 1 ? atoi(argv[1]) : 0;

	end_machine((status > 50 || status < 0 ? 50 : status) + 1);
	return 1;
}
