/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of the rings share: the bare ABI, without our library, and what the ring buffer
 * of ftrace then holds, whether it came one by one or in batches.
 *
 * The writers here are simple ones: a thread that stays on one CPU, and is the only one of its
 * process there that annotates. They have no restartable sequence: which annotates for longer than
 * names last, a quarter of a second, must not be preempted (go_first()).
 */
#ifndef RING_H
#define RING_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <uapi/annot.h>

#define TRACEFS "/sys/kernel/tracing/"
#define PAGE_BYTES 4096
#define MAX_SEEN 100000
#define MAX_NAMES 1024

/* A ring of this process. */
struct ring {
	int fd;
	volatile struct annot_ring *shared;
	volatile struct annot_record *records;
};

/* An annotation in the trace. */
struct seen {
	int pid;
	int tgid;
	double time_us; /* of the event; in ticks with the clock x86-tsc */
	uint64_t ago_ns;
	char line[80]; /* as it would be written as text */
};

/* The clock of the records. */
static inline uint64_t read_ticks(void)
{
	uint64_t ticks;

#if defined(__x86_64__)
	ticks = __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
#elif defined(__riscv)
	__asm__ volatile("rdtime %0" : "=r"(ticks));
#endif
	return ticks;
}

static struct seen *seen;
static size_t nr_seen;
static long nr_lost_at_exec; /* of those: the kernel's own count */
static long nr_lost_otherwise; /* how often something else was told as lost */
static char *trace_text; /* that `seen` was made from */
static bool all_well = true;

static inline __attribute__((noreturn)) void die(const char *what)
{
	printf("# %s: %s\n", what, strerror(errno));
	exit(1);
}

static inline void check(bool well, const char *format, ...)
{
	va_list args;

	printf(well ? "ok - " : "not ok - ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	all_well = all_well && well;
}

/* How much slower this kernel is than others (tests/vm/boot). */
static inline int slowdown(void)
{
	const char *text = getenv("SLOWDOWN");

	return text ? atoi(text) : 1;
}

static inline void set(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(path);
	close(fd);
}

static inline void enable(const char *event, bool on)
{
	char path[128];

	snprintf(path, sizeof(path), TRACEFS "events/%s/enable", event);
	set(path, on ? "1" : "0");
}

/*
 * The two forms; everything off first, so that no batch is left behind in the other. Only batches
 * come through rings.
 */
static inline void record_as(bool batches)
{
	enable("annot", false);
	set(TRACEFS "trace", "");
	enable(batches ? "annot/annot_name" : "annot", true);
	if (batches) {
		enable("annot/annot_lost", true);
		enable("annot/annot_batch", true);
	}
}

static inline void stay_on(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity");
}

/* Before all ordinary tasks, of which there are some after boot, and after a module was loaded. */
static inline void go_first(void)
{
	const struct sched_param priority = { .sched_priority = 1 };

	set("/proc/sys/kernel/sched_rt_runtime_us", "-1");
	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		die("sched_setscheduler");
}

/*
 * pthread_join() returns when the thread's memory is free: before the kernel is done with it. What
 * is in @tid the thread itself may not have written before.
 */
static inline void join(pthread_t thread, const pid_t *tid)
{
	pthread_join(thread, NULL);
	while (!tgkill(getpid(), *tid, 0))
		usleep(1000);
}

static inline unsigned int ring_bytes(void)
{
	static unsigned int bytes;
	struct annot_control *control;
	int fd;

	if (bytes)
		return bytes;
	fd = open("/dev/annot/ctl", O_RDONLY);
	control = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	if (control == MAP_FAILED)
		die("control page");
	bytes = control->ring_bytes;
	munmap(control, PAGE_BYTES);
	close(fd);
	return bytes;
}

static inline int open_cpu(int cpu)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/annot/cpu%d", cpu);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die(path);
	return fd;
}

/* In the top buffer of a CPU, and those that were overwritten there. */
static inline long nr_events_on(int cpu)
{
	char path[64], text[512] = "";
	char *entries, *overrun;
	int fd;

	snprintf(path, sizeof(path), TRACEFS "per_cpu/cpu%d/stats", cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		die(path);
	close(fd);
	entries = strstr(text, "entries: ");
	overrun = strstr(text, "\noverrun: ");
	if (!entries || !overrun)
		die(path);
	return atol(entries + 9) + atol(overrun + 10);
}

static inline size_t map_bytes(void)
{
	return PAGE_BYTES + ring_bytes();
}

static inline void map_ring(struct ring *ring, int cpu)
{
	void *map;

	ring->fd = open_cpu(cpu);
	map = mmap(NULL, map_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	if (map == MAP_FAILED)
		die("mmap of a ring");
	ring->shared = map;
	ring->records = (void *)((char *)map + PAGE_BYTES);
}

static inline void unmap_ring(struct ring *ring)
{
	if (munmap((void *)ring->shared, map_bytes()))
		die("munmap of a ring");
	close(ring->fd);
}

static inline long name_id(int fd, const char *text, size_t length)
{
	struct annot_name name = { .text = (uintptr_t)text, .length_bytes = length };
	long id = ioctl(fd, ANNOT_IOC_NAME, &name);

	return id < 0 ? -errno : id;
}

/* By number, for write(); of the names that a test gives itself, there are few. */
static const char *given_names[64];

static inline uint32_t name_of(const struct ring *ring, const char *text)
{
	long id = name_id(ring->fd, text, strlen(text));

	if (id <= 0)
		die("ANNOT_IOC_NAME");
	if ((size_t)id < sizeof(given_names) / sizeof(given_names[0]))
		given_names[id] = text;
	return id;
}

/* What a record says, as text. */
static inline void write_line(const struct ring *ring, int op, uint32_t name, int flags,
			      int64_t value)
{
	static const char letters[] = "BWEICB";
	char line[128];
	int length = 0;

	if (op == ANNOT_OP_NEXT)
		length += sprintf(line, "E\n");
	length += sprintf(line + length, "%c", letters[op]);
	if (op != ANNOT_OP_END)
		length += sprintf(line + length, " \"%s\"",
				  given_names[name] ? given_names[name] : "");
	if (flags & ANNOT_RECORD_HAS_VALUE || op == ANNOT_OP_COUNTER)
		length += sprintf(line + length, " %lld", (long long)value);
	if (write(ring->fd, line, length) != length)
		die("write");
}

/* A ring that is closed is opened, if that may be; a full one is emptied. */
static inline bool is_open(const struct ring *ring)
{
	int state;

	if (ring->shared->head != ring->shared->limit)
		return true;
	state = ioctl(ring->fd, ANNOT_IOC_DRAIN);
	if (state < 0)
		die("ANNOT_IOC_DRAIN");
	return state == ANNOT_DRAIN_OPEN;
}

static inline void put_record(const struct ring *ring, uint64_t ticks, int op, uint32_t name,
			      int flags, int64_t value)
{
	uint64_t head = ring->shared->head;
	volatile struct annot_record *record;

	record = (void *)((char *)ring->records + (head & ring->shared->mask));
	record->value = value;
	record->name = name;
	record->op = op;
	record->flags = flags;
	record->ticks = ticks ? ticks : read_ticks();
	__asm__ volatile("" ::: "memory");
	ring->shared->head = head + sizeof(*record);
}

static inline void put_at(const struct ring *ring, uint64_t ticks, int op, uint32_t name, int flags,
			  int64_t value)
{
	if (is_open(ring))
		put_record(ring, ticks, op, name, flags, value);
	else
		write_line(ring, op, name, flags, value);
}

static inline void put(const struct ring *ring, int op, uint32_t name, int64_t value)
{
	put_at(ring, 0, op, name, op == ANNOT_OP_END ? 0 : ANNOT_RECORD_HAS_VALUE, value);
}

/* A sleep that is over before it has begun, as may be when emulated, does not leave the CPU. */
static inline void be_switched_away(const struct ring *ring)
{
	uint64_t limit = ring->shared->limit;

	for (int i = 0; i < 100 && ring->shared->limit == limit; i++)
		usleep(1000);
}

static inline void read_trace(void)
{
	static const size_t max = 64 << 20;
	size_t used = 0;
	ssize_t got;
	int fd = open(TRACEFS "trace", O_RDONLY);

	if (fd < 0 || (!trace_text && !(trace_text = malloc(max))))
		die("trace");
	while ((got = read(fd, trace_text + used, max - 1 - used)) > 0)
		used += got;
	trace_text[used] = '\0';
	close(fd);
}

static inline struct seen *add_seen(int pid, double time_us)
{
	struct seen *one;

	if (!seen && !(seen = malloc(MAX_SEEN * sizeof(*seen))))
		die("malloc");
	if (nr_seen == MAX_SEEN) {
		puts("# too many annotations for the test to read");
		exit(1);
	}
	one = &seen[nr_seen++];
	memset(one, 0, sizeof(*one));
	one->pid = pid;
	one->time_us = time_us;
	return one;
}

static inline int field(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? atoi(at + strlen(key)) : -1;
}

static inline void add_one(const char *text, int pid, double time_us)
{
	struct seen *one = add_seen(pid, time_us);
	const char *ago = strstr(text, " ago_ns=");
	const char *name = strstr(text, "name=");
	char letter = "BEIC"[strcspn("bemc", (char[]){ text[6], 0 }) & 3];
	int length = name && ago ? (int)(ago - name) - 5 : 0;

	if (letter == 'B' && strstr(text, "kind=wait"))
		letter = 'W';
	one->ago_ns = ago ? strtoull(ago + 8, NULL, 10) : 0;
	one->tgid = field(text, "tgid="); /* of ends only: the others do not print it */
	snprintf(one->line, sizeof(one->line), "%c%s%.*s", letter, length ? " " : "", length,
		 name ? name + 5 : "");
	/* "name value=3" -> "name 3" */
	name = strstr(one->line, " value=");
	if (name)
		memmove(one->line + (name - one->line) + 1, name + 7, strlen(name + 7) + 1);
}

/* The names told so far: as a reader of a whole recording would know them. */
static struct {
	unsigned int table;
	unsigned int id;
	char text[64];
} names[MAX_NAMES];
static size_t nr_names;

static inline const char *told_name(unsigned int table, unsigned int id)
{
	for (size_t i = 0; i < nr_names; i++) {
		if (names[i].table == table && names[i].id == id)
			return names[i].text;
	}
	return NULL;
}

static inline void add_name(const char *text)
{
	unsigned int id = field(text, " id="), table = field(text, "table=");
	const char *name = strstr(text, "name=");

	if (!name || nr_names == MAX_NAMES || told_name(table, id))
		return;
	names[nr_names].table = table;
	names[nr_names].id = id;
	snprintf(names[nr_names++].text, sizeof(names[0].text), "%s", name + 5);
}

static inline void add_batch_record(int pid, int tgid, unsigned int table, double time_us,
				    const uint64_t *words)
{
	static const char letters[] = "BWEICN";
	unsigned int op = words[2] >> 8 & 0xff;
	const char *name = told_name(table, words[2] >> 32);
	struct seen *one = add_seen(pid, time_us);

	one->ago_ns = words[0];
	one->tgid = tgid;
	if (op == ANNOT_OP_END || op == ANNOT_OP_NEXT) {
		strcpy(one->line, "E");
		if (op == ANNOT_OP_END)
			return;
		*add_seen(pid, time_us) = *one;
		one = &seen[nr_seen - 1];
		op = ANNOT_OP_BEGIN;
	}
	snprintf(one->line, sizeof(one->line), "%c %s %lld%s", letters[op],
		 name ? name : "(untold)", (long long)words[1],
		 words[2] & ANNOT_RECORD_HAS_VALUE ? "" : " (none)");
}

static inline void add_batch(const char *text, int pid, double time_us)
{
	const char *at = strchr(text, '{');
	unsigned int table = field(text, "table=");
	int tgid = field(text, "tgid=");
	int nr = field(text, " nr=");

	while (at && nr-- > 0) {
		uint64_t words[3] = { 0 };

		for (int i = 0; i < 3; i++)
			words[i] = strtoull(at + 1, (char **)&at, 16);
		add_batch_record(pid, tgid, table, time_us, words);
	}
}

static inline void add_lost(const char *text, const char *line)
{
	if (strstr(text, "reason=at exec"))
		nr_lost_at_exec += field(text, "nr=");
	else if (nr_lost_otherwise++ < 5)
		printf("# %s\n", line);
}

/*
 * Reads what was recorded, in the order of the events, and forgets it. That a task gets another
 * name, if that is recorded, stands among the annotations as "rename".
 */
static inline void collect(void)
{
	char *save = NULL;

	nr_seen = 0;
	nr_lost_at_exec = 0;
	read_trace();
	set(TRACEFS "trace", "");
	for (char *line = strtok_r(trace_text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char *event = line[0] == '#' ? NULL : strstr(line, ": annot_");
		char *renamed = line[0] == '#' ? NULL : strstr(line, ": task_rename:");
		char *cpu = strstr(line, " [0");
		char *pid = cpu;
		double time_us;

		event = event ? event : renamed;
		if (!event || !cpu)
			continue;
		if (!strncmp(event, ": annot_lost", 12)) {
			add_lost(event, line);
			continue;
		}
		while (pid > line && pid[-1] == ' ')
			pid--;
		while (pid > line && pid[-1] != '-')
			pid--;
		*event = '\0';
		time_us = atof(strrchr(line, ' ') + 1);
		if (strchr(strrchr(line, ' '), '.'))
			time_us *= 1e6;
		event += 2;
		if (renamed)
			strcpy(add_seen(atoi(pid), time_us)->line, "rename");
		else if (!strncmp(event, "annot_batch", 11))
			add_batch(event, atoi(pid), time_us);
		else if (!strncmp(event, "annot_name", 10))
			add_name(event);
		else if (strncmp(event, "annot_config", 12) && strncmp(event, "annot_blocked", 13))
			add_one(event, atoi(pid), time_us);
	}
}

static inline void show_seen(void)
{
	for (size_t i = 0; i < nr_seen && i < 20; i++)
		printf("#   %d: %s\n", seen[i].pid, seen[i].line);
	printf("#   %zu in all\n", nr_seen);
}

static inline void show_trace(void)
{
	char *line, *rest = trace_text;

	for (int i = 0; i < 60 && (line = strsep(&rest, "\n")); i++)
		printf("# %.160s\n", line);
}

#endif /* RING_H */
