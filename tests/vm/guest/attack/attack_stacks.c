// SPDX-License-Identifier: GPL-2.0
/*
 * Tables for walking stacks: who may set them, what is refused, and what a walk does of registers and
 * stacks that are garbage. In a guest that has annot.ko loaded. Prints TAP.
 */
#include <linux/perf_event.h>
#include <limits.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "attack.h"
#include "garbage.h"
#include "trace_pipe.h"

#define CTL "/dev/annot/ctl"

#define USER_END 0x7ffffffff000ull
#define NR_GARBAGE_ROWS 20000
#define CODE_END 0x10000000ull
#define LOOPS 0x20000000ull /* where they are; by a table that begins at CODE_END */
#define PERIOD_NS 100000
#define MILLISECONDS 1000000ull
#define LEAST_WAKINGS 100
#define LEAST_SECONDS 6
#define MOST_SECONDS 60
#define NR_STORMS 4
#define NR_CHILDREN 20

static const uint8_t rules[] = { VALID_RULES };

#define NR_RULES ((int)(sizeof(rules) / sizeof(rules[0])))

/* Of the program that is linked statically. */
extern const char __executable_start[];

static int ctl_fd;

/* What is tested stands before how. */
static void point(const char *what, bool well)
{
	check(well, "%s", what);
}

static int open_ctl(void)
{
	int fd = open(CTL, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die(CTL);
	return fd;
}

/* Return: the number, or -errno. */
static int set_table(int fd, const struct annot_unwind_row *rows, unsigned int nr,
		     unsigned int reserved)
{
	struct annot_unwind_table table = { (uintptr_t)rows, nr, reserved };
	int number = ioctl(fd, ANNOT_IOC_UNWIND_TABLE, &table);

	return number < 0 ? -errno : number;
}

static int set_ranges(int fd, const struct annot_unwind_range *ranges, unsigned int nr, pid_t tgid)
{
	struct annot_unwind_ranges asked = { (uintptr_t)ranges, nr, tgid };

	return ioctl(fd, ANNOT_IOC_UNWIND_RANGES, &asked) ? -errno : 0;
}

static const struct annot_unwind_row good_rows[] = {
	{ 0, 1, 0, ANNOT_UNWIND_SP },
	{ 16, 2, 2, ANNOT_UNWIND_BP },
	{ 32, 0, 0, ANNOT_UNWIND_END },
};

static const struct annot_unwind_range good_range = { 0x1000, USER_END, 0, 0, 0 };

/* --- who */

static int try_as_user(void *unused)
{
	int fd;

	(void)unused;
	become_user();
	fd = open(CTL, O_RDONLY);
	if (fd < 0)
		return errno == EACCES ? 0 : 1;
	return set_table(fd, good_rows, 3, 0) != -EPERM ||
	       set_ranges(fd, &good_range, 1, getpid()) != -EPERM;
}

/* The file was opened by root. */
static int try_inherited(void *unused)
{
	(void)unused;
	become_user();
	return set_table(ctl_fd, good_rows, 3, 0) != -EPERM ||
	       set_ranges(ctl_fd, &good_range, 1, getpid()) != -EPERM;
}

static void test_rights(void)
{
	int other = open_ctl();

	ctl_fd = open_ctl();
	point("a user may set none", !run_task(try_as_user, NULL));
	point("nor with a file that root opened", !run_task(try_inherited, NULL));
	point("root may", set_table(ctl_fd, good_rows, 3, 0) == 1);
	point("another file is refused",
	      set_table(other, good_rows, 3, 0) == -EBUSY &&
		      set_ranges(other, &good_range, 1, getpid()) == -EBUSY);
	close(ctl_fd);
	point("until the first is closed", set_table(other, good_rows, 3, 0) == 1);
	close(other);
}

/* --- what */

static bool refuses_row(unsigned int pc, unsigned int cfa, unsigned int rule)
{
	struct annot_unwind_row rows[] = { good_rows[0], { pc, cfa, 0, rule } };

	return set_table(ctl_fd, rows, 2, 0) == -EINVAL;
}

static void test_tables(void)
{
	ctl_fd = open_ctl();
	point("no rows, too many, a reserved field",
	      set_table(ctl_fd, good_rows, 0, 0) == -EINVAL &&
		      set_table(ctl_fd, good_rows, ANNOT_UNWIND_ROWS_MAX + 1, 0) == -EINVAL &&
		      set_table(ctl_fd, good_rows, UINT_MAX, 0) == -EINVAL &&
		      set_table(ctl_fd, good_rows, 3, 1) == -EINVAL);
	point("rows that are not there",
	      set_table(ctl_fd, NULL, 3, 0) == -EFAULT &&
		      set_table(ctl_fd, (void *)-4096l, 3, 0) == -EFAULT);
	point("rows out of order", refuses_row(0, 1, ANNOT_UNWIND_SP));
	point("rules that are none", refuses_row(1, 1, ANNOT_UNWIND_ALIGNED + 1) &&
					     refuses_row(1, 1, 255) &&
					     refuses_row(1, 16, ANNOT_UNWIND_PLT));
	close(ctl_fd);
}

static bool refuses_range(struct annot_unwind_range range)
{
	struct annot_unwind_range ranges[] = { { 0x1000, 0x2000, 0, 1, 0 }, range };

	return set_ranges(ctl_fd, ranges, 2, getpid()) == -EINVAL;
}

#if !defined(__aarch64__)
/* A line of /proc/cpuinfo has @word. */
static bool cpu_has(const char *word)
{
	char line[8192];
	FILE *file = fopen("/proc/cpuinfo", "r");
	bool has = false;

	if (!file)
		die("/proc/cpuinfo");
	while (!has && fgets(line, sizeof(line), file))
		has = strstr(line, word);
	fclose(file);
	return has;
}

#endif

/* Where addresses of programs end on this machine: the higher up, the more levels its page tables have. */
static unsigned long long user_end(void)
{
#if defined(__x86_64__)
	return cpu_has(" la57") ? (1ull << 56) - PAGE_BYTES : USER_END;
#elif defined(__riscv)
	return 1ull << (cpu_has("sv57") ? 56 : cpu_has("sv48") ? 47 : 38);
#else
	return 1ull << 48;
#endif
}

/* More than the kernel takes for theirs: that of arm64 may be made for CPUs with 52 bits. */
static unsigned long long beyond_users(void)
{
#if defined(__aarch64__)
	return (1ull << 52) + PAGE_BYTES;
#else
	return user_end() + PAGE_BYTES;
#endif
}

static void test_ranges(void)
{
	ctl_fd = open_ctl();
	set_table(ctl_fd, good_rows, 3, 0);
	point("ranges that are empty, overlap, or are the kernel's",
	      refuses_range((struct annot_unwind_range){ 0x3000, 0x3000, 0, 1, 0 }) &&
		      refuses_range((struct annot_unwind_range){ 0x4000, 0x3000, 0, 1, 0 }) &&
		      refuses_range((struct annot_unwind_range){ 0x1fff, 0x3000, 0, 1, 0 }) &&
		      refuses_range((struct annot_unwind_range){ 0x3000, -1ull, 0, 1, 0 }) &&
		      refuses_range(
			      (struct annot_unwind_range){ 0x3000, beyond_users(), 0, 1, 0 }));
	point("tables that do not exist, a reserved field",
	      refuses_range((struct annot_unwind_range){ 0x3000, 0x4000, 0, 2, 0 }) &&
		      refuses_range(
			      (struct annot_unwind_range){ 0x3000, 0x4000, 0, UINT_MAX, 0 }) &&
		      refuses_range((struct annot_unwind_range){ 0x3000, 0x4000, 0, 1, 1 }));
	point("processes that are none",
	      set_ranges(ctl_fd, &good_range, 1, 0) == -EINVAL &&
		      set_ranges(ctl_fd, &good_range, 1, -1) == -EINVAL &&
		      set_ranges(ctl_fd, &good_range, 1, INT_MAX) == -ESRCH);
	point("too many, and none that are there",
	      set_ranges(ctl_fd, &good_range, ANNOT_UNWIND_RANGES_MAX + 1, getpid()) == -EINVAL &&
		      set_ranges(ctl_fd, NULL, 1, getpid()) == -EFAULT);
	point("a good one is taken, and taken back",
	      !set_ranges(ctl_fd, &good_range, 1, getpid()) &&
		      !set_ranges(ctl_fd, NULL, 0, getpid()));
	close(ctl_fd);
}

/* As many as there may be; and all are given back: three times as much is not there at once. */
static void test_limits(void)
{
	unsigned int nr = ANNOT_UNWIND_ROWS_MAX;
	struct annot_unwind_row *rows = calloc(nr, sizeof(*rows));
	bool good = true;
	int number = 1;

	for (unsigned int i = 0; rows && i < nr; i++)
		rows[i].pc = i;
	for (int round = 0; round < 3; round++) {
		ctl_fd = open_ctl();
		while ((number = set_table(ctl_fd, rows, nr, 0)) > 0)
			good &= number <= 8;
		good &= number == -ENOSPC;
		close(ctl_fd);
	}
	point("256 MiB of tables, and no more", rows && good);
	free(rows);
	ctl_fd = open_ctl();
	for (int i = 1; i <= ANNOT_UNWIND_TABLES_MAX; i++)
		good &= set_table(ctl_fd, good_rows, 3, 0) == i;
	point("1024 tables, and no more", good && set_table(ctl_fd, good_rows, 3, 0) == -ENOSPC);
	close(ctl_fd);
}

/* --- stacks that are none */

static unsigned int random_word(void)
{
	static unsigned int state = 1;

	state = state * 1664525u + 1013904223u;
	return state >> 8;
}

/* Rows of all rules, each for a few bytes of code, and CFAs all over; @last holds for all the rest. */
static int set_garbage_table(unsigned int last)
{
	struct annot_unwind_row *rows = calloc(NR_GARBAGE_ROWS, sizeof(*rows));
	int number;

	for (unsigned int i = 0; i < NR_GARBAGE_ROWS; i++) {
		rows[i] = (struct annot_unwind_row){
			.pc = i * 3,
			.cfa = random_word() % (i % 2 ? 16 : 65536),
			.bp = random_word(),
			.rule = rules[random_word() % NR_RULES],
		};
		if (rows[i].rule == ANNOT_UNWIND_PLT)
			rows[i].cfa %= 16;
	}
	rows[NR_GARBAGE_ROWS - 1].rule = last;
	rows[NR_GARBAGE_ROWS - 1].cfa = 1;
	rows[NR_GARBAGE_ROWS - 1].bp = 1;
	number = set_table(ctl_fd, rows, NR_GARBAGE_ROWS, 0);
	free(rows);
	return number;
}

static int waking_pipe[2];

static void *sleep_much(void *unused)
{
	char bytes[64];

	(void)unused;
	while (read(waking_pipe[0], bytes, sizeof(bytes)) > 0)
		;
	return NULL;
}

/* Memory whose words refer to itself, and end at a page that is not there. */
static unsigned long *make_loops(void)
{
	unsigned long *words = mmap((void *)LOOPS, 5 * PAGE_BYTES, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	size_t nr = 4 * PAGE_BYTES / sizeof(*words);

	if (words == MAP_FAILED || munmap((char *)words + 4 * PAGE_BYTES, PAGE_BYTES))
		die("mmap");
	for (size_t i = 0; i < nr; i++)
		words[i] = (unsigned long)&words[random_word() % nr];
	return words;
}

static int spin_with_garbage(void *is_enough)
{
	const volatile bool *stop = is_enough;
	unsigned long *words = make_loops();
	unsigned long places[] = {
		0,
		8,
		(unsigned long)words,
		(unsigned long)words + 4 * PAGE_BYTES - 8,
		(unsigned long)words + 4 * PAGE_BYTES - 1,
		(unsigned long)words + 4 * PAGE_BYTES + 64,
		USER_END - 8,
		0x800000000000ul,
		0xffff888000000000ul,
		0xffffffff81000000ul,
		0xffffffffff600000ul,
		-8ul,
		-1ul,
	};
	const size_t nr = sizeof(places) / sizeof(places[0]);
	pthread_t sleeper;

	if (pipe(waking_pipe) || pthread_create(&sleeper, NULL, sleep_much, NULL))
		die("a thread");
	/* Another stack each time. */
	while (!*stop) {
		for (size_t i = 0; i < nr * nr && !*stop; i++) {
			places[2] = (unsigned long)&words[random_word() % 2048];
			spin_with(places[i % nr], places[random_word() % 3 + 1], 30000);
			spin_with(places[i % nr], places[i / nr], 30000);
			write_with(places[i % nr], places[random_word() % nr], waking_pipe[1],
				   LOOPS);
		}
	}
	return 0;
}

/* What came: stacks, and whether one of them has an address that is no user's, and which first. */
struct told {
	unsigned long long end;
	unsigned long long kernel;
	long nr_stacks;
	long nr_kernel;
	long nr_samples;
	long nr_wakings;
	int longest;
};

static void take_line(void *context, char *line)
{
	struct told *told = context;
	char *ips = strstr(line, "annot_stack:") ? strstr(line, " ips=") : NULL;

	int nr;

	told->nr_samples += !!strstr(line, "annot_sample:");
	told->nr_wakings += !!strstr(line, "annot_waking:");
	if (!ips)
		return;
	told->nr_stacks++;
	nr = 0;
	for (ips += 5; *ips; ips++) {
		char *end;
		unsigned long long ip = strtoull(ips, &end, 0);

		if (ip > told->end && !told->nr_kernel++)
			told->kernel = ip;
		nr += end > ips;
		ips = *end ? end : end - 1;
	}
	if (nr > told->longest)
		told->longest = nr;
}

static void set_sampling(void)
{
	struct annot_event event = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.period = PERIOD_NS,
		.flags = ANNOT_EVENT_USER | ANNOT_EVENT_KERNEL | ANNOT_EVENT_STACK,
		.name = "clock",
	};
	struct annot_events events = { .events = (uintptr_t)&event, .nr = 1 };

	if (ioctl(ctl_fd, ANNOT_IOC_EVENTS, &events) || event.error)
		die("ANNOT_IOC_EVENTS");
	enable("annot/annot_stack", true);
	enable("annot/annot_sample", true);
	enable("annot/annot_waking", true);
}

static void end_sampling(void)
{
	enable("annot/annot_waking", false);
	enable("annot/annot_sample", false);
	enable("annot/annot_stack", false);
}

/* All memory of the process as code of the table, its program at other rows each time. */
static void use_garbage(pid_t pid, int table, unsigned int row)
{
	const struct annot_unwind_range ranges[] = {
		{ 0x1000, CODE_END, (uintptr_t)__executable_start - PAGE_BYTES - row * 3, table,
		  0 },
		{ CODE_END, USER_END, CODE_END, table, 0 },
	};
	int err = set_ranges(ctl_fd, ranges, row % 8 ? 2 : 1, pid);

	if (err && err != -ESRCH)
		die("ANNOT_IOC_UNWIND_RANGES");
}

/* All code has its caller in the next word of the stack: walks are as long as may be. */
static void use_words(pid_t pid, int table)
{
	const struct annot_unwind_range range = { 0x1000, 2 * LOOPS, 0x1000, table, 0 };
	int err = set_ranges(ctl_fd, &range, 1, pid);

	if (err && err != -ESRCH)
		die("ANNOT_IOC_UNWIND_RANGES");
}

/* A slow machine needs longer for as many walks. */
static bool has_enough(const struct told *told, time_t seconds)
{
	return seconds >= MOST_SECONDS ||
	       (seconds >= LEAST_SECONDS && told->nr_wakings > LEAST_WAKINGS);
}

static void test_walks(void)
{
	static const struct annot_unwind_row next_word = { 0, 1, 0, ANNOT_UNWIND_SP };
	int pipe = open(TRACEFS "trace_pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct told told = { .end = user_end() };
	volatile bool *is_enough = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE,
					MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	time_t begin = time(NULL);
	int status;
	pid_t child;

	if (is_enough == MAP_FAILED)
		die("mmap");
	ctl_fd = open_ctl();
	child = fork_task(spin_with_garbage, (void *)is_enough);
	set_sampling();
	for (int i = 0; i < NR_RULES; i++)
		set_garbage_table(rules[i]);
	set_table(ctl_fd, &next_word, 1, 0);
	for (int i = 0; waitpid(child, &status, WNOHANG) != child; i++) {
		if (i % 4)
			use_garbage(child, 1 + i % NR_RULES, i % NR_GARBAGE_ROWS);
		else
			use_words(child, NR_RULES + 1);
		read_lines(pipe, take_line, &told);
		*is_enough = has_enough(&told, time(NULL) - begin);
		usleep(2000);
	}
	end_sampling();
	while (read_lines(pipe, take_line, &told))
		;
	printf("# %ld samples, %ld wakings, %ld stacks told, the longest of %d\n", told.nr_samples,
	       told.nr_wakings, told.nr_stacks, told.longest);
	point("a program with garbage in its registers", WIFEXITED(status) && !WEXITSTATUS(status));
	point("is sampled with stacks", told.nr_samples > 1000 && told.nr_stacks > 20);
	point("wakes up another thread with stacks", told.nr_wakings > LEAST_WAKINGS);
	point("of as many addresses as there may be", told.longest == ANNOT_STACK_MAX);
	if (told.nr_kernel)
		printf("# %ld addresses are beyond %#llx, the first is %#llx\n", told.nr_kernel,
		       told.end, told.kernel);
	point("in which nothing is the kernel's", !told.nr_kernel);
	close(ctl_fd);
	close(pipe);
}

/* --- who comes and goes */

static int end_at_once(void *unused)
{
	(void)unused;
	return 0;
}

static void execute(void)
{
	pid_t child = vfork();

	if (!child) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
}

static int fork_much(void *unused)
{
	(void)unused;
	for (int i = 0; i < NR_CHILDREN; i++) {
		run_task(end_at_once, NULL);
		execute();
	}
	return 0;
}

static void test_storm(void)
{
	int errors = 0;

	for (int i = 0; i < NR_STORMS; i++) {
		pid_t children[4];

		ctl_fd = open_ctl();
		set_garbage_table(ANNOT_UNWIND_SP);
		set_sampling();
		for (int k = 0; k < 4; k++)
			children[k] = fork_task(fork_much, NULL);
		for (int k = 0; k < 20; k++) {
			int err = set_ranges(ctl_fd,
					     &(struct annot_unwind_range){ 0x1000, USER_END, 0, 1,
									   0 },
					     1, children[k % 4]);

			errors += err && err != -ESRCH;
		}
		/* Some of them are still at it. */
		if (i % 2)
			close(ctl_fd);
		for (int k = 0; k < 4; k++)
			wait_for(children[k]);
		end_sampling();
		if (i % 2 == 0)
			close(ctl_fd);
	}
	point("processes that fork, execute and end meanwhile", !errors);
}

int main(void)
{
	test_rights();
	test_tables();
	test_ranges();
	test_limits();
	test_walks();
	test_storm();
	return !all_well;
}
