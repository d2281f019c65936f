// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: linked_stacks [ROWS]
 *
 * Sleeps at the end of chains of calls, on a machine where a call leaves the return address in a register: in a function
 * that never stores it, above frames that are large, that grow, that keep no frame pointer; and in a handler of a signal.
 * ROWS is this program's table (tests/vm/unwind_rows.c), which it hands over itself; without it there are none, and the
 * module has frame pointers to go by. For each sleep, in a line: its
 * process, and the return addresses of who sleeps and of its callers; 0 is one that the program does not know.
 */
#include <alloca.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <fcntl.h>

#include <uapi/annot.h>

#define APART __attribute__((noinline, noclone))
#define NR_TURNS 60
#define LARGE_BYTES 6000 /* more than 255 words */
#define PAGE_BYTES 4096
#define WORD_BYTES 8

extern const char __executable_start[], etext[];

static volatile int kept;

/* Return addresses, the outermost function's first. */
static unsigned long callers[16];
static int nr_callers;

#define NOTE_CALLER() (callers[nr_callers++] = (uintptr_t)__builtin_return_address(0))

/* It calls nothing, and so has no frame, as long as nobody asks the compiler for the address that is in the register. */
static APART long call_kernel(long nr, long first, long second, long third)
{
	unsigned long caller;

#if defined(__aarch64__)
	__asm__ volatile("mov %0, x30" : "=r"(caller));
#elif defined(__riscv)
	__asm__ volatile("mv %0, ra" : "=r"(caller));
#else
	caller = (uintptr_t)__builtin_return_address(0);
#endif
	callers[nr_callers++] = caller;
#if defined(__aarch64__)
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = first;
	register long x1 __asm__("x1") = second;
	register long x2 __asm__("x2") = third;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x8) : "memory");
	return x0;
#elif defined(__riscv)
	register long a7 __asm__("a7") = nr;
	register long a0 __asm__("a0") = first;
	register long a1 __asm__("a1") = second;
	register long a2 __asm__("a2") = third;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
	return a0;
#else
	long result = nr;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"(first), "S"(second), "d"(third)
			 : "rcx", "r11", "memory");
	return result;
#endif
}

static const struct timespec short_time = { 0, 5000000 };

static APART void rest(void)
{
	NOTE_CALLER();
	nanosleep(&short_time, NULL);
	kept = 1;
}

static APART void rest_without_frame(void)
{
	NOTE_CALLER();
	call_kernel(SYS_nanosleep, (long)&short_time, 0, 0);
	kept = 2;
}

static APART void rest_one_way(int way)
{
	NOTE_CALLER();
	if (way)
		rest();
	else
		rest_without_frame();
	kept = 3;
}

static APART void large(int way)
{
	volatile char room[LARGE_BYTES];

	NOTE_CALLER();
	room[way] = 1;
	rest_one_way(way);
	kept = room[way];
}

static APART void growing(int way)
{
	volatile char *room = alloca((size_t)(way + 1) * 64);

	NOTE_CALLER();
	room[0] = 1;
	rest_one_way(way);
	kept = room[0];
}

/* What is kept in registers is stored beside the return address, which so comes to stand anywhere. */
static APART __attribute__((optimize("omit-frame-pointer"))) void without_frame_pointer(int way)
{
	int first = kept, second = kept, third = kept;

	NOTE_CALLER();
	rest_one_way(way);
	kept = first + 2 * second + 3 * third;
}

static int way_of_handler;

static APART void handler(int signal_nr)
{
	(void)signal_nr;
	/* Where it was interrupted. */
	callers[nr_callers++] = 0;
	NOTE_CALLER();
	if (way_of_handler >= 0)
		rest_one_way(way_of_handler);
	kept = 5;
}

static APART void interrupted(int way)
{
	NOTE_CALLER();
	way_of_handler = way;
	call_kernel(SYS_tgkill, getpid(), getpid(), SIGUSR1);
	kept = 6;
}

/* The last two, frame pointers do not show. */
static void (*const kinds[])(int) = { rest_one_way, large, growing, without_frame_pointer,
				      interrupted };

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static APART void turn(unsigned int kind, int way)
{
	nr_callers = 0;
	NOTE_CALLER();
	kinds[kind](way);
	kept = 7;
}

static long nr_waits(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

/* On a busy machine, the time is up before it sleeps. */
static APART void turn_until_it_sleeps(unsigned int kind, int way)
{
	long before = nr_waits();

	while (nr_waits() == before)
		turn(kind, way);
}

/* The innermost function's first. */
static void print_callers(char *text, size_t bytes)
{
	int length = snprintf(text, bytes, "%d", getpid());

	for (int i = nr_callers; i-- > 0;)
		length += snprintf(text + length, bytes - (size_t)length, " %lx", callers[i]);
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static uint32_t set_table(int ctl_fd, const struct annot_unwind_row *rows, uint32_t nr)
{
	struct annot_unwind_table table = { (uintptr_t)rows, nr, 0 };
	int number = ioctl(ctl_fd, ANNOT_IOC_UNWIND_TABLE, &table);

	if (number < 0)
		die("a table");
	return (uint32_t)number;
}

static struct annot_unwind_range program_range(int ctl_fd, const char *path)
{
	struct annot_unwind_range range = { (uintptr_t)__executable_start, (uintptr_t)etext, 0, 0,
					    0 };
	uint64_t head[2]; /* the address from which rows count, and how many there are */
	struct annot_unwind_row *rows;
	FILE *file;

	if (!path)
		return range;
	file = fopen(path, "r");
	if (!file || fread(head, sizeof(head), 1, file) != 1)
		die(path);
	rows = calloc(head[1], sizeof(*rows));
	if (!rows || fread(rows, sizeof(*rows), head[1], file) != head[1])
		die(path);
	fclose(file);
	range.base = head[0];
	range.table = set_table(ctl_fd, rows, (uint32_t)head[1]);
	free(rows);
	return range;
}

/* Of the code to which handlers return, one instruction before and behind. */
static struct annot_unwind_range return_range(int ctl_fd)
{
	struct annot_unwind_range range = { 0 };
	struct annot_unwind_row rows[2] = { { .rule = ANNOT_UNWIND_SIGNAL }, { 0 } };

	way_of_handler = -1;
	nr_callers = 0;
	raise(SIGUSR1);
	range.base = callers[1] / PAGE_BYTES * PAGE_BYTES;
	range.start = range.base;
	range.end = range.base + PAGE_BYTES;
	rows[0].pc = (uint32_t)(callers[1] - 1 - range.base);
	rows[1].pc = rows[0].pc + 2 * WORD_BYTES;
	range.table = set_table(ctl_fd, rows, 2);
	return range;
}

/* What is for x86-64 only, or says where a function that has no caller stores it. */
static void expect_refusal(int ctl_fd)
{
	static const uint8_t rules[] = { ANNOT_UNWIND_PLT, ANNOT_UNWIND_ALIGNED,
					 ANNOT_UNWIND_ALIGNED + 1,
					 ANNOT_UNWIND_END | ANNOT_UNWIND_LINK,
					 ANNOT_UNWIND_SIGNAL | ANNOT_UNWIND_STORED };

	for (size_t i = 0; i < sizeof(rules); i++) {
		struct annot_unwind_row row = { .rule = rules[i] };
		struct annot_unwind_table table = { (uintptr_t)&row, 1, 0 };

		if (ioctl(ctl_fd, ANNOT_IOC_UNWIND_TABLE, &table) != -1 || errno != EINVAL) {
			fprintf(stderr, "linked_stacks: rule %#x is taken\n", rules[i]);
			exit(1);
		}
	}
}

int main(int argc, char **argv)
{
	static char said[NR_TURNS][256];
	struct annot_unwind_range ranges[2];
	struct annot_unwind_ranges asked = { (uintptr_t)ranges, 2, getpid() };
	unsigned int nr_kinds = argc < 2 ? NR_KINDS - 2 : NR_KINDS;
	int ctl_fd = open("/dev/annot/ctl", O_RDWR | O_CLOEXEC);

	if (argc > 2 || ctl_fd < 0)
		die("/dev/annot/ctl");
	signal(SIGUSR1, handler);
	expect_refusal(ctl_fd);
	ranges[0] = program_range(ctl_fd, argv[1]);
	ranges[1] = return_range(ctl_fd);
	if (!argv[1])
		ranges[1].table = 0;
	if (ioctl(ctl_fd, ANNOT_IOC_UNWIND_RANGES, &asked))
		die("ranges");
	for (unsigned int i = 0; i < NR_TURNS; i++) {
		/* Each twice: the second walk follows the first. */
		turn_until_it_sleeps(i / 4 % nr_kinds, (int)(i / 2 % 2));
		print_callers(said[i], sizeof(said[i]));
	}
	for (int i = 0; i < NR_TURNS; i++)
		puts(said[i]);
	return 0;
}
