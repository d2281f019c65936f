// SPDX-License-Identifier: MIT
/*
 * The way without the module: ftrace's trace_marker, which every kernel with ftrace has. Nothing tells
 * the library whether somebody records, and what is written while nobody does pushes older events out
 * of the buffer. So the library checks whether tracing is on and any event is enabled. Threads that
 * can rest check until they rest (rest.h). All others check every 200 ms.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "marker.h"
#include "descriptor.h"
#include "format.h"
#include "mapping.h"
#include "rest.h"

#define CHECK_INTERVAL_NS 200000000
#define THREAD_INTERVAL_NS 20000000 /* a look takes some 12 us */

static struct descriptor marker, marker_raw, tracing_on, events_enable;

/* set by annot_marker_open() */
static const char *_Atomic tracing_directory;
static atomic_bool always_recording;

static atomic_bool recording;
static _Atomic int64_t next_check_ns;

/* The process id, in a page that the kernel zeroes in the child of any kind of fork. */
static _Atomic(atomic_int *) cached_tgid;

static int open_file(struct descriptor *descriptor, enum descriptor_role role,
		     const char *directory, const char *name)
{
	int fd = annot_descriptor_current(descriptor, role);
	struct line path;

	if (fd >= 0)
		return fd;
	path.nr_bytes = 0;
	annot_line_add(&path, directory);
	annot_line_add(&path, name);
	annot_line_add_bytes(&path, "", 1);
	return annot_descriptor_renew(descriptor, role, path.bytes);
}

static int open_marker(const char *directory)
{
	return open_file(&marker, DESCRIPTOR_MARKER, directory, "/trace_marker");
}

static int open_raw(const char *directory)
{
	return open_file(&marker_raw, DESCRIPTOR_MARKER_RAW, directory, "/trace_marker_raw");
}

static void prepare_tgid(void)
{
	size_t nr_bytes = (size_t)sysconf(_SC_PAGESIZE);
	atomic_int *none = NULL;
	void *page = mapping_make(NULL, nr_bytes, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS);

	if (page == MAP_FAILED)
		return;
	if (madvise(page, nr_bytes, MADV_WIPEONFORK) ||
	    !atomic_compare_exchange_strong(&cached_tgid, &none, page))
		mapping_end(page, nr_bytes);
}

static int32_t current_tgid(void)
{
	atomic_int *cached = atomic_load_explicit(&cached_tgid, memory_order_acquire);
	int tgid = cached ? atomic_load_explicit(cached, memory_order_relaxed) : 0;

	if (tgid)
		return tgid;
	tgid = getpid();
	if (cached)
		atomic_store_explicit(cached, tgid, memory_order_relaxed);
	return tgid;
}

/* The first byte of a file; 0 when it cannot be read. */
static char read_state(int fd)
{
	char state;

	return fd >= 0 && annot_descriptor_read(fd, &state, 1) == 1 ? state : 0;
}

static bool look_whether_recording(const char *directory)
{
	char on =
		read_state(open_file(&tracing_on, DESCRIPTOR_TRACING_ON, directory, "/tracing_on"));
	char events;

	if (on != '1')
		return false;
	events = read_state(
		open_file(&events_enable, DESCRIPTOR_EVENTS_ENABLE, directory, "/events/enable"));
	return events == '1' || events == 'X'; /* all, some */
}

/* In steps of 1 to 10 ms: a third of the price of CLOCK_MONOTONIC. */
static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static bool look_if_due(int64_t now)
{
	int64_t due = atomic_load_explicit(&next_check_ns, memory_order_relaxed);

	/* One thread looks, the others go by what was seen last. */
	if (now >= due &&
	    atomic_compare_exchange_strong(&next_check_ns, &due, now + CHECK_INTERVAL_NS))
		atomic_store(&recording, look_whether_recording(tracing_directory));
	return atomic_load_explicit(&recording, memory_order_relaxed);
}

/*
 * As far as is known, nothing records. The thread rests before it looks: a recording that begins
 * while it looks preempts it, and ends the rest. A thread that was preempted directly after it
 * looked does not look again at once. But a recorder preempts it once more later.
 */
static bool rest_or_look(void)
{
	static __thread int64_t next_look_ns __attribute__((tls_model("initial-exec")));
	int64_t now = now_ns();

	annot_rest_begin();
	if (now < next_look_ns)
		return false;
	next_look_ns = now + THREAD_INTERVAL_NS;
	if (!look_whether_recording(tracing_directory))
		return false;
	annot_rest_end();
	atomic_store(&next_check_ns, now + CHECK_INTERVAL_NS);
	atomic_store(&recording, true);
	return true;
}

bool annot_marker_recording(void)
{
	if (atomic_load_explicit(&always_recording, memory_order_relaxed))
		return true;
	if (!annot_rest_can() || atomic_load_explicit(&recording, memory_order_relaxed))
		return look_if_due(now_ns());
	return rest_or_look();
}

int annot_marker_open(const char *directory, bool always)
{
	const char *none = NULL;
	int fd = open_marker(directory);

	if (fd < 0)
		return fd;
	prepare_tgid();
	/* Now, not by the first annotation: others may go by it before it has looked. */
	atomic_store(&recording, look_whether_recording(directory));
	atomic_store(&next_check_ns, now_ns() + CHECK_INTERVAL_NS);
	atomic_store(&always_recording, always);
	atomic_compare_exchange_strong(&tracing_directory, &none, directory);
	return 0;
}

int annot_marker_open_raw(const char *directory)
{
	int fd = open_raw(directory);

	return fd < 0 ? fd : 0;
}

int annot_marker_raw(void)
{
	return open_raw(tracing_directory);
}

void annot_marker_emit(unsigned int op, const char *name, int64_t value)
{
	struct line line;
	int fd;

	if (!annot_marker_recording())
		return;
	fd = open_marker(tracing_directory);
	if (fd < 0)
		return;
	annot_format_marker(&line, op, name, value, current_tgid());
	annot_descriptor_write(fd, line.bytes, line.nr_bytes);
}
