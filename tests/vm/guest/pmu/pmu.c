// SPDX-License-Identifier: GPL-2.0
/*
 * Events to be measured, in a guest that has annot.ko loaded.
 *
 *	pmu check			prints TAP: what ANNOT_IOC_EVENTS takes and what it refuses
 *	pmu check-busy			the same of a set in use: its trace events are enabled
 *	pmu with [-n MAX_SAMPLES] EVENT... -- COMMAND...
 *					sets the events, prints "NAME PRECISE ERROR" of each, runs
 *					COMMAND, and takes the set back; the status is COMMAND's
 *	pmu cycle N			enables and disables what measures N times; each fourth
 *					time it lets 4 counters come to run
 *	pmu no-syslog COMMAND...	runs COMMAND without CAP_SYSLOG
 *
 * An EVENT is NAME:TYPE:CONFIG:PERIOD:FLAGS[:PRECISE[:CONFIG1]], with PERIOD 0 for one that is
 * counted, and FLAGS of u, k, r (registers) and s (takes turns).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <uapi/annot.h>

#define CTL_FILE "/dev/annot/ctl"
#define NOBODY 65534

static bool all_well = true;

static __attribute__((noreturn)) void die(const char *what)
{
	fprintf(stderr, "pmu: %s: %s\n", what, strerror(errno));
	exit(1);
}

static __attribute__((format(printf, 2, 3))) void check(bool well, const char *format, ...)
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

static int open_ctl(void)
{
	int fd = open(CTL_FILE, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die(CTL_FILE);
	return fd;
}

static int set_events(int fd, struct annot_event *events, unsigned int nr, uint64_t max_samples)
{
	struct annot_events head = {
		.events = (uintptr_t)events,
		.nr = nr,
		.max_samples = max_samples,
	};

	return ioctl(fd, ANNOT_IOC_EVENTS, &head) ? errno : 0;
}

/* --- check */

static const struct annot_event page_faults = {
	.type = PERF_TYPE_SOFTWARE,
	.config = PERF_COUNT_SW_PAGE_FAULTS,
	.period = 10,
	.flags = ANNOT_EVENT_USER | ANNOT_EVENT_KERNEL,
	.mode = ANNOT_EVENT_SAMPLE,
	.name = "page_faults",
};

static void check_error(const char *what, struct annot_event event, int want)
{
	int fd = open_ctl();
	int got = set_events(fd, &event, 1, 0);

	close(fd);
	check(got == want, "%s: %s", what, strerror(got));
}

static void check_fields(void)
{
	struct annot_event event = page_faults;

	check_error("an event in order is taken", event, 0);
	event.mode = 2;
	check_error("an unknown mode", event, EINVAL);
	event = page_faults;
	event.flags |= 0x40;
	check_error("an unknown flag", event, EINVAL);
	event = page_faults;
	event.flags |= ANNOT_EVENT_SHARED;
	check_error("sampling on a shared counter", event, EINVAL);
	event.flags = 0;
	check_error("neither user nor kernel", event, EINVAL);
	event = page_faults;
	event.precise = 4;
	check_error("more precise than there is", event, EINVAL);
	event = page_faults;
	event.reserved = 1;
	check_error("a reserved field in use", event, EINVAL);
	event = page_faults;
	event.period = 0;
	check_error("sampling without a period", event, EINVAL);
	event.period = 1ULL << 63;
	check_error("a period that is negative to the kernel", event, EINVAL);
	event = page_faults;
	event.mode = ANNOT_EVENT_COUNT;
	check_error("counting with a period", event, EINVAL);
	event.period = 0;
	event.flags |= ANNOT_EVENT_REGISTERS;
	check_error("counting with registers", event, EINVAL);
	event.flags = ANNOT_EVENT_USER | ANNOT_EVENT_SHARED;
	check_error("counting on a shared counter", event, 0);
}

static void check_names(void)
{
	static const char *const bad[] = { "", "page faults", "a\tb", "a\nb", "a\177b" };
	struct annot_event event = page_faults;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		event = page_faults;
		strcpy(event.name, bad[i]);
		check_error("a bad name", event, EINVAL);
	}
	memset(event.name, 'n', sizeof(event.name));
	check_error("a name without an end", event, EINVAL);
	event.name[sizeof(event.name) - 1] = '\0';
	check_error("the longest name", event, 0);
	strcpy(event.name, "L1-dcache_load=\303\244");
	check_error("any other letters", event, 0);
}

static void check_head(void)
{
	struct annot_event events[ANNOT_EVENTS_MAX + 1];
	struct annot_events head = { .events = (uintptr_t)events, .nr = 1 };
	int fd = open_ctl();

	for (size_t i = 0; i < ANNOT_EVENTS_MAX + 1; i++)
		events[i] = page_faults;
	check(set_events(fd, events, ANNOT_EVENTS_MAX, 0) == 0, "as many events as are allowed");
	check(set_events(fd, events, ANNOT_EVENTS_MAX + 1, 0) == EINVAL, "one more is refused");
	check(set_events(fd, NULL, 1, 0) == EFAULT, "events at no address");
	check(ioctl(fd, ANNOT_IOC_EVENTS, NULL) && errno == EFAULT, "a head at no address");
	head.reserved = 1;
	check(ioctl(fd, ANNOT_IOC_EVENTS, &head) && errno == EINVAL,
	      "a reserved field of the head");
	check(ioctl(fd, _IO('@', 0xff)) && errno == ENOTTY, "an unknown request");
	check(set_events(fd, NULL, 0, 0) == 0, "no events take the set back");
	check(set_events(fd, NULL, 0, 0) == 0, "as often as one likes");
	close(fd);
}

static void check_read_only_memory(void)
{
	struct annot_event *events = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open_ctl();
	int other = open_ctl();

	events[0] = page_faults;
	mprotect(events, 4096, PROT_READ);
	check(set_events(fd, events, 1, 0) == EFAULT, "events that cannot be written back");
	mprotect(events, 4096, PROT_READ | PROT_WRITE);
	check(set_events(other, events, 1, 0) == 0, "have left no set behind");
	close(other);
	close(fd);
}

static void check_refused(void)
{
	struct annot_event events[3] = { page_faults, page_faults, page_faults };
	int fd = open_ctl();

	events[0].type = PERF_TYPE_HARDWARE;
	events[0].config = PERF_COUNT_HW_CACHE_MISSES;
	events[0].precise = 3;
	events[1].precise = 2;
	events[1].error = -1;
	events[2].type = PERF_TYPE_TRACEPOINT;
	events[2].config = 1;
	check(set_events(fd, events, 3, 0) == 0, "a set with events that the kernel refuses");
	check(events[0].error == ENOENT && events[0].precise == 0,
	      "a hardware event without a PMU: %s", strerror(events[0].error));
	check(events[1].error == 0, "the one beside it is taken");
	check(events[2].error == EOPNOTSUPP, "a tracepoint is none: %s", strerror(events[2].error));
	close(fd);
}

static void check_owner(void)
{
	struct annot_event events[1] = { page_faults };
	int first = open_ctl();
	int second = open_ctl();
	int copy = dup(first);

	check(set_events(first, events, 1, 0) == 0, "a set for the first");
	check(set_events(second, events, 1, 0) == EBUSY, "the second gets EBUSY");
	check(set_events(second, NULL, 0, 0) == 0, "and takes back what it does not have");
	check(set_events(second, events, 1, 0) == EBUSY, "which is not the first one's");
	check(set_events(first, events, 1, 0) == 0, "the first changes its mind");
	close(first);
	check(set_events(second, events, 1, 0) == EBUSY, "a copy keeps the file open");
	close(copy);
	check(set_events(second, events, 1, 0) == 0, "once it is closed the set is free");
	close(second);
}

static void check_unprivileged(void)
{
	struct annot_event events[1] = { page_faults };
	int fd = open_ctl();
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		if (setresuid(NOBODY, NOBODY, NOBODY))
			_exit(255);
		_exit(set_events(fd, events, 1, 0));
	}
	waitpid(pid, &status, 0);
	check(WIFEXITED(status) && WEXITSTATUS(status) == EPERM, "an unprivileged process: %s",
	      strerror(WEXITSTATUS(status)));
	close(fd);
}

static int run_busy_checks(void)
{
	struct annot_event events[1] = { page_faults };
	int fd = open_ctl();

	check(set_events(fd, events, 1, 0) == 0, "a set where its trace event is enabled already");
	check(set_events(fd, events, 1, 0) == EBUSY, "in use it cannot be replaced");
	check(set_events(fd, NULL, 0, 0) == 0, "but taken back");
	check(set_events(fd, events, 1, 0) == 0, "and then there can be another");
	close(fd);
	return all_well ? 0 : 1;
}

static int run_checks(void)
{
	check_fields();
	check_names();
	check_head();
	check_read_only_memory();
	check_refused();
	check_owner();
	check_unprivileged();
	return all_well ? 0 : 1;
}

/* --- with */

static void parse_event(char *text, struct annot_event *event)
{
	char *fields[7] = { NULL };

	for (size_t i = 0; i < 7; i++)
		fields[i] = strsep(&text, ":");
	if (!fields[4] || text || strchr(fields[4], ' ')) {
		errno = EINVAL;
		die("event");
	}
	*event = (struct annot_event){
		.type = (uint32_t)strtoul(fields[1], NULL, 0),
		.config = strtoull(fields[2], NULL, 0),
		.config1 = fields[6] ? strtoull(fields[6], NULL, 0) : 0,
		.period = strtoull(fields[3], NULL, 0),
		.precise = fields[5] ? (uint8_t)atoi(fields[5]) : 0,
	};
	snprintf(event->name, sizeof(event->name), "%s", fields[0]);
	event->mode = event->period ? ANNOT_EVENT_SAMPLE : ANNOT_EVENT_COUNT;
	event->flags = (strchr(fields[4], 'u') ? ANNOT_EVENT_USER : 0) |
		       (strchr(fields[4], 'k') ? ANNOT_EVENT_KERNEL : 0) |
		       (strchr(fields[4], 'r') ? ANNOT_EVENT_REGISTERS : 0) |
		       (strchr(fields[4], 's') ? ANNOT_EVENT_SHARED : 0);
}

static int run_command(char **command)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		execvp(command[0], command);
		die(command[0]);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int run_with(char **arguments)
{
	struct annot_event events[ANNOT_EVENTS_MAX];
	uint64_t max_samples = 0;
	unsigned int nr = 0;
	int fd = open_ctl();
	int status;

	if (*arguments && !strcmp(*arguments, "-n")) {
		max_samples = strtoull(arguments[1], NULL, 0);
		arguments += 2;
	}
	for (; *arguments && strcmp(*arguments, "--") && nr < ANNOT_EVENTS_MAX; arguments++)
		parse_event(*arguments, &events[nr++]);
	errno = set_events(fd, events, nr, max_samples);
	if (errno)
		die("ANNOT_IOC_EVENTS");
	for (unsigned int i = 0; i < nr; i++)
		printf("%s %u %d\n", events[i].name, events[i].precise, events[i].error);
	fflush(stdout);
	status = run_command(arguments + 1);
	close(fd);
	return status;
}

/* --- cycle */

static const char *const switches[] = {
	"/sys/kernel/tracing/events/annot/annot_sample/enable",
	"/sys/kernel/tracing/events/annot/annot_slice_counts/enable",
};

static void measure(bool on)
{
	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
		int fd = open(switches[i], O_WRONLY | O_CLOEXEC);

		if (fd < 0 || write(fd, on ? "1" : "0", 1) != 1)
			die(switches[i]);
		close(fd);
	}
}

static void wait_for_counters(const char *line)
{
	char text[256] = "";

	for (int i = 0; i < 10000 && !strstr(text, line); i++) {
		int fd = open_ctl();
		ssize_t length = read(fd, text, sizeof(text) - 1);

		text[length > 0 ? length : 0] = '\0';
		close(fd);
		usleep(1000);
	}
	if (!strstr(text, line))
		die(line);
}

static int cycle(unsigned long times)
{
	for (unsigned long i = 0; i < times; i++) {
		measure(true);
		if (i % 4 == 0)
			wait_for_counters("\ncounters 4\n");
		measure(false);
	}
	return 0;
}

/* --- no-syslog */

static int run_without_syslog(char **command)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	/* For programs that are executed, too, though they are root's. */
	if (prctl(PR_CAPBSET_DROP, CAP_SYSLOG) || syscall(SYS_capget, &head, data))
		die("capabilities");
	data[1].effective &= ~CAP_TO_MASK(CAP_SYSLOG);
	data[1].permitted &= ~CAP_TO_MASK(CAP_SYSLOG);
	if (syscall(SYS_capset, &head, data))
		die("capset");
	return run_command(command);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "check"))
		return run_checks();
	if (argc >= 4 && !strcmp(argv[1], "with"))
		return run_with(argv + 2);
	if (argc == 2 && !strcmp(argv[1], "check-busy"))
		return run_busy_checks();
	if (argc == 3 && !strcmp(argv[1], "cycle"))
		return cycle(strtoul(argv[2], NULL, 0));
	if (argc >= 3 && !strcmp(argv[1], "no-syslog"))
		return run_without_syslog(argv + 2);
	fprintf(stderr, "usage: see pmu.c\n");
	return 2;
}
