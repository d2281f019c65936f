// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: jit_stacks frames|bare MAP
 *
 * Makes two functions, which call each other and then touch(), in memory: with frame pointers, or
 * without. Names them in the file MAP, or in /tmp/perf-PID.map if that is "own", and calls them.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_BYTES 4096
#define NR_PAGES 2000
#define FUNCTION_BYTES 64

typedef void function(void);

static volatile char *memory;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static __attribute__((noinline)) void touch(void)
{
	for (size_t i = 0; i < NR_PAGES; i++)
		memory[i * PAGE_BYTES] = 1;
}

/* Saves rbp, calls @callee, and returns. Without a frame, rbp is a register like others, and 0. */
static function *make_function(unsigned char *at, bool with_frame, function *callee)
{
	static const unsigned char frame[] = { 0x55, 0x48, 0x89, 0xe5 };
	static const unsigned char no_frame[] = { 0x55, 0x31, 0xed, 0x90 };
	static const unsigned char load_rax[] = { 0x48, 0xb8 }, call_rax[] = { 0xff, 0xd0 };
	static const unsigned char leave[] = { 0x5d, 0xc3 };
	unsigned char *to = at;

	to = mempcpy(to, with_frame ? frame : no_frame, sizeof(frame));
	to = mempcpy(to, load_rax, sizeof(load_rax));
	to = mempcpy(to, &callee, sizeof(callee));
	to = mempcpy(to, call_rax, sizeof(call_rax));
	mempcpy(to, leave, sizeof(leave));
	return (function *)(uintptr_t)at;
}

static void name_functions(const char *map, uintptr_t outer, uintptr_t inner)
{
	char own[32];
	FILE *file;

	snprintf(own, sizeof(own), "/tmp/perf-%d.map", getpid());
	file = fopen(strcmp(map, "own") ? map : own, "w");
	if (!file)
		die(map);
	fprintf(file, "%lx %x made_outer\n%lx %x made_inner\n", (unsigned long)outer,
		FUNCTION_BYTES, (unsigned long)inner, FUNCTION_BYTES);
	if (fclose(file) || (strcmp(map, "own") && symlink(map, own)))
		die(own);
}

static volatile int kept;

static __attribute__((noinline)) void call_made(function *made)
{
	made();
	kept = 1;
}

int main(int argc, char **argv)
{
	bool with_frame = argc == 3 && !strcmp(argv[1], "frames");
	unsigned char *code = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	function *outer, *inner;

	memory = mmap(NULL, (size_t)NR_PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (argc != 3)
		return 2;
	if (code == MAP_FAILED || memory == MAP_FAILED ||
	    madvise((void *)memory, (size_t)NR_PAGES * PAGE_BYTES, MADV_NOHUGEPAGE))
		die("mmap");
	inner = make_function(code, with_frame, touch);
	outer = make_function(code + FUNCTION_BYTES, with_frame, inner);
	name_functions(argv[2], (uintptr_t)outer, (uintptr_t)inner);
	/* The recorder is told meanwhile where the code is; a slow machine takes a second or two for it. */
	sleep(6);
	call_made(outer);
	return 0;
}
