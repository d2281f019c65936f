// SPDX-License-Identifier: GPL-2.0
/*
 * The system calls of /dev/annot/cpuN and /dev/annot/ctl, in a guest that has annot.ko loaded.
 *
 *	device check		prints TAP
 *	device emit N		N spans with numbered names and values, from one thread
 *	device loop		annotates on the CPUs in turn until it is killed
 *	device hold FILE	maps a page of FILE and stays until it is killed
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <uapi/annot.h>

#define TRACEFS "/sys/kernel/tracing/"
#define CPU_FILE "/dev/annot/cpu0"
#define CTL_FILE "/dev/annot/ctl"

static bool all_well = true;

static __attribute__((noreturn)) void die(const char *what)
{
	printf("# %s: %s\n", what, strerror(errno));
	exit(1);
}

static void check(bool well, const char *format, ...)
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

static int open_or_die(const char *path, int flags)
{
	int fd = open(path, flags);

	if (fd < 0)
		die(path);
	return fd;
}

static void set(const char *path, const char *text)
{
	int fd = open_or_die(path, O_WRONLY | O_TRUNC);

	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(path);
	close(fd);
}

static void enable(const char *event, bool on)
{
	char path[128];

	snprintf(path, sizeof(path), TRACEFS "events/annot/%s", event);
	set(path, on ? "1" : "0");
}

/*
 * What the ring buffer holds of our events, one "<event>: <text>" a line; annot_config left out,
 * and that each annotation is of the time of its event.
 */
static const char *recorded(void)
{
	static char text[1 << 20];
	static char line[1 << 12];
	static const char now[] = " ago_ns=0\n";
	size_t used = 0;
	FILE *file = fopen(TRACEFS "trace", "r");

	if (!file)
		die("trace");
	text[0] = '\0';
	while (fgets(line, sizeof(line), file)) {
		const char *event = line[0] == '#' ? NULL : strstr(line, " annot_");
		char *ago = strstr(line, now);

		if (ago)
			strcpy(ago, "\n");
		if (event && strncmp(event, " annot_config", 13) && used < sizeof(text))
			used += snprintf(text + used, sizeof(text) - used, "%s", event + 1);
	}
	fclose(file);
	set(TRACEFS "trace", "");
	return text;
}

/* One write(): its result, or the negative errno. */
static long put(const void *text, size_t length)
{
	static int fd = -1;
	ssize_t ret;

	if (fd < 0)
		fd = open_or_die(CPU_FILE, O_WRONLY);
	ret = write(fd, text, length);
	return ret < 0 ? -errno : ret;
}

/* As TAP has comments. */
static void comment(const char *what, const char *text)
{
	printf("# %s:\n", what);
	while (*text) {
		int length = strcspn(text, "\n");

		printf("#   %.*s\n", length, text);
		text += length + (text[length] == '\n');
	}
}

static void check_recorded(const char *want, const char *what)
{
	const char *got = recorded();
	bool same = !strcmp(got, want);

	if (!same) {
		comment("wanted", want);
		comment("got", got);
	}
	check(same, "%s", what);
}

static const struct annot_control *map_control(void)
{
	int fd = open_or_die(CTL_FILE, O_RDONLY);
	void *page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		die("mmap of " CTL_FILE);
	close(fd);
	return page;
}

static bool status_is(const char *want)
{
	char text[128];
	int fd = open_or_die(CTL_FILE, O_RDONLY);
	ssize_t bytes = read(fd, text, sizeof(text) - 1);

	close(fd);
	if (bytes < 0)
		return false;
	text[bytes] = '\0';
	return !strcmp(text, want);
}

static void check_switch(const volatile struct annot_control *control)
{
	static const char *const events[] = { "annot_begin/enable", "annot_end/enable",
					      "annot_mark/enable", "annot_counter/enable" };
	static const char bad[] = "no such line";
	char want[64];

	check(control->version == ANNOT_ABI_VERSION, "the control page has the version");
	check(control->recording == 0, "the control page says off");
	check(status_is("abi 2\nmodule " ANNOT_VERSION
			"\nrecording 0\ncounters 0\nthrottled_ns 0\n"),
	      "ctl reads as off");
	check(put(bad, sizeof(bad)) == sizeof(bad), "when off, a write returns its length");
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		bool on;

		enable(events[i], true);
		on = control->recording && put(bad, sizeof(bad)) == -EINVAL;
		enable(events[i], false);
		check(on && !control->recording && put(bad, sizeof(bad)) == sizeof(bad),
		      "%s alone is the switch", events[i]);
	}
	enable("annot_config/enable", true);
	check(control->recording == 0, "annot_config/enable is not");
	enable("annot_config/enable", false);

	enable("annot_end/enable", true);
	put("B not_recorded\nE\n", 17);
	enable("annot_end/enable", false);
	put("E", 1);
	snprintf(want, sizeof(want), "annot_end: tgid=%d\n", getpid());
	check_recorded(want, "only what is enabled is recorded");

	enable("enable", true);
	check(control->recording == ANNOT_RECORDING_WRITES, "all events: the control page says on");
	check(status_is("abi 2\nmodule " ANNOT_VERSION
			"\nrecording 1\ncounters 0\nthrottled_ns 0\n"),
	      "ctl reads as on");
}

static void check_lines(void)
{
	static const struct {
		const char *text, *want;
	} lines[] = {
		{ "B loop48 17\n", "annot_begin: kind=work name=loop48 value=17\n" },
		{ "B loop48", "annot_begin: kind=work name=loop48 value=0 (none)\n" },
		{ "W barrier -3 \t\n", "annot_begin: kind=wait name=barrier value=-3\n" },
		{ "I \t go\n", "annot_mark: name=go value=0 (none)\n" },
		{ "I go 0\n", "annot_mark: name=go value=0\n" },
		{ "C depth 9223372036854775807\n",
		  "annot_counter: name=depth value=9223372036854775807\n" },
		{ "C depth -9223372036854775808\n",
		  "annot_counter: name=depth value=-9223372036854775808\n" },
		{ "B \"a b \\\"c\\\" \\\\\" 1\n",
		  "annot_begin: kind=work name=a b \"c\" \\ value=1\n" },
		{ "I 段\xff\n", "annot_mark: name=段\xff value=0 (none)\n" },
		{ "C a 1\nC a 2\nC b 3", "annot_counter: name=a value=1\n"
					 "annot_counter: name=a value=2\n"
					 "annot_counter: name=b value=3\n" },
	};
	static const char *const bad[] = {
		"\n",
		" B a\n",
		"B\n",
		"B \n",
		"B a 1 2\n",
		"B a x\n",
		"B a +1\n",
		"B a -\n",
		"B \"a\n",
		"B \"\"\n",
		"B \"a\"b\n",
		"B \"\\n\"\n",
		"E x\n",
		"C a\n",
		"X a\n",
		"Ba\n",
		"B a\x01\n",
		"B a\x7f\n",
		"B \"a\tb\"\n",
		"C a 9223372036854775808\n",
		"C a -9223372036854775809\n",
		"I good\n\nI good\n",
		"I good\nI good\nC bad\n",
	};
	bool refused = true;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		long length = strlen(lines[i].text);
		char what[80];

		snprintf(what, sizeof(what), "line %zu is recorded as written", i + 1);
		if (put(lines[i].text, length) != length)
			check(false, "line %zu is taken whole", i + 1);
		check_recorded(lines[i].want, what);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		long ret = put(bad[i], strlen(bad[i]));

		if (ret != -EINVAL)
			printf("# bad line %zu gives %ld\n", i + 1, ret);
		refused = refused && ret == -EINVAL;
	}
	check(refused, "bad lines give EINVAL");
	check_recorded("", "and apply nothing, nor do the good ones beside them");
	check(put("", 0) == 0 && !*recorded(), "an empty write is 0");
}

static void check_limits(void)
{
	static char text[ANNOT_WRITE_MAX_BYTES + 1];
	size_t nr = 0;

	memset(text, 'n', sizeof(text));
	memcpy(text, "B ", 2);
	check(put(text, 2 + 255) == 2 + 255 && strlen(recorded()) > 255, "a name of 255 bytes");
	check(put(text, 2 + 256) == -EINVAL && !*recorded(), "but not of 256");

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = "C x 1234567 \n..."[i % 16];
	for (size_t i = 13; i < sizeof(text); i += 16)
		memcpy(text + i, "E \n", 3);
	check(put(text, ANNOT_WRITE_MAX_BYTES) == ANNOT_WRITE_MAX_BYTES, "a write of 64 KiB");
	for (const char *at = recorded(); (at = strstr(at, "annot_end:")); at++)
		nr++;
	check(nr == ANNOT_WRITE_MAX_BYTES / 16, "puts all its lines into the buffer");
	check(put(text, sizeof(text)) == -EMSGSIZE && !*recorded(), "one byte more is EMSGSIZE");
	check(put((void *)8, 10) == -EFAULT && put((void *)8, 10000) == -EFAULT, "EFAULT");
}

static void check_files(void)
{
	int fd = open_or_die(CPU_FILE, O_RDWR);
	char byte;

	check(lseek(fd, 0, SEEK_SET) < 0 && errno == ESPIPE, "a CPU's file has no position");
	check(read(fd, &byte, 1) < 0 && errno == EINVAL, "and cannot be read");
	close(fd);
	fd = open_or_die(CTL_FILE, O_RDWR);
	check(write(fd, "E", 1) < 0 && errno == EINVAL, "ctl cannot be written");
	close(fd);
}

static bool map_fails(int prot, int flags, size_t length, off_t offset, int want)
{
	int fd = open_or_die(CTL_FILE, O_RDWR);
	void *page = mmap(NULL, length, prot, flags, fd, offset);
	bool failed = page == MAP_FAILED && errno == want;

	if (page != MAP_FAILED)
		munmap(page, length);
	close(fd);
	return failed;
}

static void check_map(void)
{
	size_t page_bytes = sysconf(_SC_PAGESIZE);
	int fd = open_or_die(CTL_FILE, O_RDWR);
	volatile struct annot_control *control;
	int status;

	check(map_fails(PROT_READ | PROT_WRITE, MAP_SHARED, page_bytes, 0, EPERM),
	      "the control page cannot be mapped writable");
	check(map_fails(PROT_READ | PROT_WRITE, MAP_PRIVATE, page_bytes, 0, EPERM),
	      "nor privately writable");
	check(map_fails(PROT_READ, MAP_SHARED, 2 * page_bytes, 0, EINVAL), "nor more than it");
	check(map_fails(PROT_READ, MAP_SHARED, page_bytes, page_bytes, EINVAL), "nor beyond it");

	control = mmap(NULL, page_bytes, PROT_READ, MAP_SHARED, fd, 0);
	if (control == MAP_FAILED)
		die("mmap");
	close(fd);
	check(mprotect((void *)control, page_bytes, PROT_READ | PROT_WRITE) && errno == EACCES,
	      "nor made writable later");
	madvise((void *)control, page_bytes, MADV_DONTNEED);
	check(control->version == ANNOT_ABI_VERSION, "it comes back after MADV_DONTNEED");
	if (!fork())
		_exit(control->recording != ANNOT_RECORDING_WRITES);
	wait(&status);
	check(status == 0, "a forked child sees it");
	munmap((void *)control, page_bytes);
}

static int run_checks(void)
{
	enable("enable", false);
	set(TRACEFS "tracing_on", "1");
	set(TRACEFS "trace", "");
	check_switch(map_control());
	check_lines();
	check_limits();
	check_files();
	check_map();
	enable("enable", false);
	return all_well ? 0 : 1;
}

static int emit(int nr_spans)
{
	char text[64];

	for (int i = 0; i < nr_spans; i++) {
		int length = snprintf(text, sizeof(text), "B span%d %d\n", i, i * 7);

		if (put(text, length) != length || put("E\n", 2) != 2)
			die("write");
	}
	return 0;
}

static void loop(void)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_CONF);

	for (unsigned int i = 0;; i++) {
		cpu_set_t cpus;

		CPU_ZERO(&cpus);
		CPU_SET(i / 16 % nr_cpus, &cpus);
		sched_setaffinity(0, sizeof(cpus), &cpus); /* fails while that CPU is offline */
		if (put("B busy\nE\n", 9) != 9)
			die("write");
	}
}

static int hold(const char *path)
{
	int fd = open_or_die(path, O_RDONLY);

	if (mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
		die("mmap");
	close(fd);
	pause();
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "check"))
		return run_checks();
	if (argc == 3 && !strcmp(argv[1], "emit"))
		return emit(atoi(argv[2]));
	if (argc == 2 && !strcmp(argv[1], "loop"))
		loop();
	if (argc == 3 && !strcmp(argv[1], "hold"))
		return hold(argv[2]);
	fprintf(stderr, "usage: device check | emit N | loop | hold FILE\n");
	return 2;
}
