// SPDX-License-Identifier: GPL-2.0
#include "record/groups/group_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#include "pmu/refusal.h"
#include "record/groups/group_rows.h"
#include "record/groups/group_set.h"
#include "trace/lines/group_line.h"
#include "util/diag.h"
#include "util/xalloc.h"

#define READ_INTERVAL_MS 100
/* The kernel's PROC_PID_INIT_INO. */
#define FIRST_PID_NAMESPACE 0xeffffffcu

#define NS_PER_MS 1000000u
#define NS_PER_S 1000000000u
#define THREAD_NAME "annot-groups" /* at most 15 bytes */

struct group_log {
	struct group_set set;
	struct group_rows *rows; /* of each CPU */
	size_t turn; /* the group that counts */
	uint64_t turn_ends_ns; /* CLOCK_MONOTONIC */
	unsigned int seed; /* of the lengths of turns */
	size_t nr_taken; /* CPUs whose counters something else has */
	int epoll_fd;
	int told_fd; /* eventfd: the counters are in the trace, and count */
	int end_fd; /* eventfd: the thread is to end */
	int marker_fd; /* -1: not open */
	bool runs; /* the thread */
	pthread_t thread;
	unsigned char record[PERF_RECORD_MAX_BYTES]; /* one that wraps in its ring */
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void signal_event(int fd)
{
	const uint64_t one = 1;

	if (write(fd, &one, sizeof(one)) < 0)
		return;
}

static int watch(struct group_log *log, int fd)
{
	struct epoll_event interest = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(log->epoll_fd, EPOLL_CTL_ADD, fd, &interest);
}

static int watch_all(struct group_log *log)
{
	log->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	log->told_fd = eventfd(0, EFD_CLOEXEC);
	log->end_fd = eventfd(0, EFD_CLOEXEC);
	if (log->epoll_fd < 0 || log->told_fd < 0 || log->end_fd < 0 || watch(log, log->end_fd))
		return -1;
	for (size_t i = 0; i < log->set.nr_cpus * log->set.nr_groups; i++) {
		if (watch(log, counter_group_fd(&log->set.counters[i])))
			return -1;
	}
	return 0;
}

/* In another namespace perf tells other numbers of threads than the trace has. */
static bool numbers_agree(void)
{
	struct stat own;

	return stat("/proc/self/ns/pid", &own) || own.st_ino == FIRST_PID_NAMESPACE;
}

int group_log_open(struct group_log **log, const struct pmu_requests *requests, bool quiet)
{
	struct group_log *opened;
	int status;

	*log = NULL;
	if (!requests->nr)
		return EXIT_OK;
	if (!numbers_agree()) {
		diag_error(
			"record: --count of groups, or without the module, does not work in a container that numbers "
			"its processes itself");
		return EXIT_BAD_INPUT;
	}
	opened = xcalloc(1, sizeof(*opened));
	opened->seed = (unsigned int)now_ns();
	opened->epoll_fd = opened->told_fd = opened->end_fd = opened->marker_fd = -1;
	*log = opened;
	status = group_set_open(&opened->set, requests, quiet);
	if (!status && watch_all(opened)) {
		diag_error("record: --count: %s", strerror(errno));
		status = EXIT_BAD_INPUT;
	}
	return status;
}

static void tell_event(const struct group_log *log, size_t group, size_t position,
		       const struct pmu_request *request, int error)
{
	const struct pmu_code *code = &request->code;
	char line[MARKER_LINE_MAX_BYTES];
	int bytes = snprintf(line, sizeof(line),
			     GROUP_EVENT_LINE
			     "%zu|event=%zu name=%s mode=count type=0x%" PRIx32 " config=0x%" PRIx64
			     " config1=0x%" PRIx64 " config2=0x%" PRIx64
			     " user=%d kernel=%d asked=0 precise=0 error=%d shared=%d",
			     group, position, request->name, code->type, code->config,
			     code->config1, code->config2, code->user, code->kernel, error,
			     log->set.nr_groups > 1);

	/* A trace that is stopped takes no more. */
	if (bytes > 0 && (size_t)bytes < sizeof(line) &&
	    write(log->marker_fd, line, (size_t)bytes) < 0)
		return;
}

static void tell_events(const struct group_log *log)
{
	const struct group_set *set = &log->set;

	for (size_t i = 0; i < set->nr_groups; i++) {
		for (size_t j = 0; j < set->groups[i].nr; j++)
			tell_event(log, i, j, set->groups[i].requests[j], 0);
	}
	for (size_t i = 0; i < set->nr_refused; i++)
		tell_event(log, set->nr_groups, 0, set->refused[i].request,
			   set->refused[i].error ? set->refused[i].error : ENOENT);
}

/* From half of the average to one and a half. */
static uint64_t turn_ns(struct group_log *log)
{
	const uint64_t average_ns = (uint64_t)GROUP_LOG_TURN_MS * NS_PER_MS;

	return average_ns / 2 + (uint64_t)rand_r(&log->seed) % average_ns;
}

static void begin_turn(struct group_log *log, size_t turn)
{
	log->turn = turn;
	log->nr_taken = 0;
	for (size_t cpu = 0; cpu < log->set.nr_cpus; cpu++) {
		group_rows_begin(&log->rows[cpu], turn, log->set.groups[turn].nr);
		log->nr_taken += counter_group_enable(group_set_on(&log->set, cpu, turn)) != 0;
	}
	log->turn_ends_ns = now_ns() + turn_ns(log);
}

static void read_all(struct group_log *log)
{
	for (size_t cpu = 0; cpu < log->set.nr_cpus; cpu++) {
		counter_group_read(group_set_on(&log->set, cpu, log->turn), log->record,
				   group_rows_take, &log->rows[cpu]);
		group_rows_flush(&log->rows[cpu]);
	}
}

static void end_turn(struct group_log *log)
{
	for (size_t cpu = 0; cpu < log->set.nr_cpus; cpu++)
		counter_group_disable(group_set_on(&log->set, cpu, log->turn));
	read_all(log);
	for (size_t cpu = 0; cpu < log->set.nr_cpus; cpu++) {
		struct counter_group *counters = group_set_on(&log->set, cpu, log->turn);

		log->rows[cpu].nr_lost += counters->was_full;
		counters->was_full = false;
	}
}

static bool takes_turns(const struct group_log *log)
{
	return log->set.nr_groups > 1;
}

static int wait_ms(const struct group_log *log)
{
	uint64_t now = now_ns();

	if (!takes_turns(log))
		return READ_INTERVAL_MS;
	return now >= log->turn_ends_ns ?
		       0 :
		       (int)((log->turn_ends_ns - now + NS_PER_MS - 1) / NS_PER_MS);
}

/* Returns whether the thread is to end. Counters of a CPU that has gone off line would be ready for ever. */
static bool wait_for_readings(const struct group_log *log)
{
	struct epoll_event event = { 0 };

	if (epoll_wait(log->epoll_fd, &event, 1, wait_ms(log)) <= 0)
		return false;
	if (event.events & (EPOLLHUP | EPOLLERR))
		epoll_ctl(log->epoll_fd, EPOLL_CTL_DEL, event.data.fd, NULL);
	return event.data.fd == log->end_fd;
}

/* All lines are of this thread: only who told of the counters is believed what they counted. */
static void *read_groups(void *context)
{
	struct group_log *log = context;

	tell_events(log);
	begin_turn(log, 0);
	signal_event(log->told_fd);
	while (!wait_for_readings(log)) {
		if (!takes_turns(log) || now_ns() < log->turn_ends_ns) {
			read_all(log);
			continue;
		}
		end_turn(log);
		begin_turn(log, (log->turn + 1) % log->set.nr_groups);
	}
	end_turn(log);
	return NULL;
}

static void warn_of_taken(const struct group_log *log)
{
	struct pmu_refusal_facts facts;

	if (!log->nr_taken)
		return;
	pmu_refusal_read_facts(&facts);
	diag_warn("record: --count: on %zu of %zu CPUs something else has the counters%s",
		  log->nr_taken, log->set.nr_cpus,
		  facts.nmi_watchdog ? ": " REFUSAL_FREE_WATCHDOG " frees one" : "");
}

void group_log_start(struct group_log *log, struct tracefs_instance *instance)
{
	uint64_t told;

	if (!log)
		return;
	log->marker_fd = tracefs_instance_file_open(instance, "trace_marker", O_WRONLY | O_CLOEXEC);
	log->rows = xcalloc(log->set.nr_cpus, sizeof(*log->rows));
	for (size_t i = 0; i < log->set.nr_cpus; i++) {
		log->rows[i].marker_fd = log->marker_fd;
		log->rows[i].cpu = group_set_on(&log->set, i, 0)->cpu;
	}
	if (log->marker_fd < 0 || pthread_create(&log->thread, NULL, read_groups, log)) {
		diag_warn("record: nothing is counted: %s", strerror(errno));
		return;
	}
	log->runs = true;
	pthread_setname_np(log->thread, THREAD_NAME);
	while (read(log->told_fd, &told, sizeof(told)) < 0 && errno == EINTR)
		;
	warn_of_taken(log);
}

static void warn_of_lost(const struct group_log *log)
{
	uint64_t nr_lost = 0;

	for (size_t i = 0; i < log->set.nr_cpus; i++)
		nr_lost += log->rows[i].nr_lost;
	if (nr_lost)
		diag_warn(
			"record: --count: %" PRIu64
			" or more readings of counters LOST: they came faster than they could be written",
			nr_lost);
}

void group_log_stop(struct group_log *log)
{
	if (!log || !log->runs)
		return;
	signal_event(log->end_fd);
	pthread_join(log->thread, NULL);
	log->runs = false;
	warn_of_lost(log);
}

void group_log_leave(const struct group_log *log)
{
	if (log && setrlimit(RLIMIT_NOFILE, &log->set.files_before))
		return;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void group_log_close(struct group_log *log)
{
	if (!log)
		return;
	group_log_stop(log);
	group_set_close(&log->set);
	close_fd(log->epoll_fd);
	close_fd(log->told_fd);
	close_fd(log->end_fd);
	close_fd(log->marker_fd);
	free(log->rows);
	free(log);
}
