// SPDX-License-Identifier: GPL-2.0
#include "record/log/uncore_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#include "pmu/cpu_counter.h"
#include "pmu/sysfs_event.h"
#include "pmu/uncore.h"
#include "record/buffer/marker.h"
#include "trace/lines/uncore_line.h"
#include "util/diag.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define NS_PER_MS 1000000
#define NS_PER_S 1000000000
#define THREAD_NAME "annot-uncore" /* at most 15 bytes */

struct counter {
	int fd;
	int cpu;
	double scale;
	char unit[UNCORE_UNIT_BYTES];
	const char *name; /* of the request */
};

struct uncore_log {
	size_t nr;
	size_t capacity;
	struct counter *counters;
	int marker_fd; /* -1: not open */
	bool runs; /* the thread */
	pthread_t thread;
	pthread_mutex_t lock; /* of the two below */
	pthread_cond_t changed;
	bool is_told; /* the counters are in the trace */
	bool is_to_end;
};

static void add_counter(struct uncore_log *log, const struct pmu_request *request,
			const struct uncore_event *event, int cpu, int fd)
{
	struct counter *counter;

	ARRAY_MAKE_ROOM(log->counters, log->nr, log->capacity);
	counter = &log->counters[log->nr++];
	*counter = (struct counter){
		.fd = fd,
		.cpu = cpu,
		.scale = event->scale,
		.name = request->name,
	};
	memcpy(counter->unit, event->unit, sizeof(counter->unit));
}

/* @nr: of sockets, or dies. */
static void print_event(const struct pmu_request *request, const struct uncore_event *event,
			size_t nr)
{
	diag_note("reads %s (%s) of %zu socket%s every %d ms", request->name,
		  *event->unit ? event->unit : "events", nr, text_plural(nr),
		  UNCORE_LOG_INTERVAL_MS);
}

/* On each CPU that counts for others. */
static void open_event(struct uncore_log *log, const struct pmu_request *request, bool quiet)
{
	struct uncore_event *event = xcalloc(1, sizeof(*event));
	/* Nothing may be excluded: such a PMU cannot tell who caused an event. */
	const struct perf_event_attr attr = cpu_counter_attr(&request->code);
	size_t nr_before = log->nr;
	int error = 0;

	if (!uncore_event_read(SYSFS_PMUS, request->name, event))
		error = ENODEV;
	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		int fd = event->cpus.has[cpu] ? cpu_counter_open(attr, cpu) : -1;

		if (fd >= 0)
			add_counter(log, request, event, cpu, fd);
		else if (event->cpus.has[cpu])
			error = errno;
	}
	if (error)
		pmu_request_report_refusal(request, "record", error);
	if (log->nr > nr_before && !quiet)
		print_event(request, event, log->nr - nr_before);
	free(event);
}

int uncore_log_open(struct uncore_log **log, const struct pmu_requests *requests, bool quiet)
{
	pthread_condattr_t attributes;
	struct uncore_log *opened;

	*log = NULL;
	if (!requests->nr)
		return EXIT_OK;
	opened = xcalloc(1, sizeof(*opened));
	opened->marker_fd = -1;
	pthread_mutex_init(&opened->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&opened->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	for (size_t i = 0; i < requests->nr; i++)
		open_event(opened, &requests->requests[i], quiet);
	*log = opened;
	if (opened->nr)
		return EXIT_OK;
	diag_error("record: none of the events of sockets can be counted here");
	return EXIT_BAD_INPUT;
}

static void write_line(const struct uncore_log *log, const char *line, size_t bytes)
{
	/* A trace that is stopped takes no more. */
	if (write(log->marker_fd, line, bytes) < 0)
		return;
}

static void tell_counters(const struct uncore_log *log)
{
	char line[MARKER_LINE_MAX_BYTES];

	for (size_t i = 0; i < log->nr; i++) {
		const struct counter *counter = &log->counters[i];
		int bytes = snprintf(line, sizeof(line), UNCORE_EVENT_LINE "%zu|%d|%.17g|%s|%s", i,
				     counter->cpu, counter->scale, counter->unit, counter->name);

		if (bytes > 0 && (size_t)bytes < sizeof(line))
			write_line(log, line, (size_t)bytes);
	}
}

/* Appends what @counter has counted. Returns how many bytes that takes; 0: it cannot be read, or there is no room. */
static size_t format_count(char *text, size_t size, const struct counter *counter)
{
	struct cpu_counter_reading now;
	int bytes;

	if (!cpu_counter_read(counter->fd, &now))
		return 0;
	bytes = snprintf(text, size, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 "|", now.count,
			 now.enabled_ns, now.running_ns);
	return bytes > 0 && (size_t)bytes < size ? (size_t)bytes : 0;
}

/* Writes the counters from @first on, as many as fit into a line. Returns the first of the next line. */
static size_t write_counts(const struct uncore_log *log, size_t first)
{
	char line[MARKER_LINE_MAX_BYTES];
	int head_bytes = snprintf(line, sizeof(line), UNCORE_COUNTS_LINE "%zu|", first);
	size_t bytes = (size_t)head_bytes, at = first;

	while (at < log->nr && at - first < UNCORE_COUNTS_MAX) {
		size_t more = format_count(line + bytes, sizeof(line) - bytes, &log->counters[at]);

		if (!more)
			break;
		bytes += more;
		at++;
	}
	if (at > first)
		write_line(log, line, bytes - 1);
	/* One that cannot be read has no count, and the others have theirs. */
	return at > first ? at : first + 1;
}

static void write_all_counts(const struct uncore_log *log)
{
	for (size_t at = 0; at < log->nr;)
		at = write_counts(log, at);
}

static void advance(struct timespec *time, const struct timespec *now)
{
	do {
		time->tv_nsec += UNCORE_LOG_INTERVAL_MS * NS_PER_MS;
		if (time->tv_nsec >= NS_PER_S) {
			time->tv_nsec -= NS_PER_S;
			time->tv_sec++;
		}
	} while (time->tv_sec < now->tv_sec ||
		 (time->tv_sec == now->tv_sec && time->tv_nsec < now->tv_nsec));
}

/* Until @time, or until the thread is to end. Returns whether it is to end. */
static bool wait_until(struct uncore_log *log, const struct timespec *time)
{
	int error = 0;
	bool is_to_end;

	pthread_mutex_lock(&log->lock);
	while (!log->is_to_end && error != ETIMEDOUT)
		error = pthread_cond_timedwait(&log->changed, &log->lock, time);
	is_to_end = log->is_to_end;
	pthread_mutex_unlock(&log->lock);
	return is_to_end;
}

static void set_flag(struct uncore_log *log, bool *flag)
{
	pthread_mutex_lock(&log->lock);
	*flag = true;
	pthread_cond_broadcast(&log->changed);
	pthread_mutex_unlock(&log->lock);
}

/* All lines are of this thread: only who told of the counters is believed what they counted. */
static void *read_counters(void *context)
{
	struct uncore_log *log = context;
	struct timespec next, now;

	tell_counters(log);
	write_all_counts(log);
	set_flag(log, &log->is_told);
	clock_gettime(CLOCK_MONOTONIC, &next);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
		advance(&next, &now);
		if (wait_until(log, &next))
			break;
		write_all_counts(log);
	} while (true);
	write_all_counts(log);
	return NULL;
}

void uncore_log_start(struct uncore_log *log, struct tracefs_instance *instance)
{
	if (!log)
		return;
	log->marker_fd = tracefs_instance_file_open(instance, "trace_marker", O_WRONLY | O_CLOEXEC);
	if (log->marker_fd < 0 || pthread_create(&log->thread, NULL, read_counters, log)) {
		diag_warn("record: events of sockets are not counted: %s", strerror(errno));
		return;
	}
	log->runs = true;
	pthread_setname_np(log->thread, THREAD_NAME);
	pthread_mutex_lock(&log->lock);
	while (!log->is_told)
		pthread_cond_wait(&log->changed, &log->lock);
	pthread_mutex_unlock(&log->lock);
}

void uncore_log_stop(struct uncore_log *log)
{
	if (!log || !log->runs)
		return;
	set_flag(log, &log->is_to_end);
	pthread_join(log->thread, NULL);
	log->runs = false;
}

void uncore_log_close(struct uncore_log *log)
{
	if (!log)
		return;
	uncore_log_stop(log);
	for (size_t i = 0; i < log->nr; i++)
		close(log->counters[i].fd);
	if (log->marker_fd >= 0)
		close(log->marker_fd);
	pthread_cond_destroy(&log->changed);
	pthread_mutex_destroy(&log->lock);
	free(log->counters);
	free(log);
}
