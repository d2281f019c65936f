// SPDX-License-Identifier: GPL-2.0
#include "record/log/perf_mmap.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "record/perf_ring.h"
#include "util/xalloc.h"

#define RING_PAGES 32 /* a power of two */

struct ring {
	int fd;
	struct perf_ring records;
};

struct perf_mmap {
	int epoll_fd;
	size_t nr_rings;
	struct ring *rings;
	enum perf_mmap_what what;
	bool promptly;
	uint64_t nr_lost;
	unsigned char record[PERF_RECORD_MAX_BYTES]; /* one that wraps in its ring */
};

/* All records of a ring end in this, since sample_id_all is set: the time is the only field. */
struct record_tail {
	uint64_t time_ns;
};

struct mmap2_record {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	uint64_t start;
	uint64_t length;
	uint64_t offset_bytes;
	union {
		struct {
			uint8_t bytes;
			uint8_t reserved[3];
			uint8_t id[BUILD_ID_MAX_BYTES];
		} build;
		struct {
			uint32_t major;
			uint32_t minor;
			uint64_t inode;
			uint64_t inode_generation;
		} file;
	};
	uint32_t protection;
	uint32_t flags;
	char path[];
};

/* What tells of data: without the file's identity. */
struct mmap_record {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	uint64_t start;
	uint64_t length;
	uint64_t offset_bytes;
	char path[];
};

struct lost_record {
	struct perf_event_header header;
	uint64_t id;
	uint64_t nr_lost;
};

static int open_event(enum perf_mmap_scope scope, int cpu, enum perf_mmap_what what, bool promptly,
		      bool with_build_id)
{
	bool is_data = what == PERF_MMAP_DATA;
	bool children = scope == PERF_MMAP_CHILDREN;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		/* With mmap or mmap2, there would be code, too. */
		.mmap = !is_data,
		.mmap2 = !is_data,
		.mmap_data = is_data,
		.build_id = with_build_id && !is_data,
		/*
		 * Does not start with exec: the kernel exchanges the events of parent and child
		 * when it switches between them. After an exec the wrong ones may stay disabled.
		 */
		.inherit = children,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = promptly ? 1 : RING_PAGES * 1024,
	};

	return (int)syscall(SYS_perf_event_open, &attr, children ? 0 : -1, cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

static int map_ring(struct perf_mmap *perf_mmap, struct ring *ring)
{
	struct epoll_event interest = { .events = EPOLLIN };
	int error = perf_ring_map(&ring->records, ring->fd, RING_PAGES);

	if (error)
		return error;
	return epoll_ctl(perf_mmap->epoll_fd, EPOLL_CTL_ADD, ring->fd, &interest) ? errno : 0;
}

static int open_ring(struct perf_mmap *perf_mmap, enum perf_mmap_scope scope, int cpu)
{
	struct ring *ring = &perf_mmap->rings[perf_mmap->nr_rings];

	ring->fd = open_event(scope, cpu, perf_mmap->what, perf_mmap->promptly, true);
	/* Kernels before 5.12 know no build ids. */
	if (ring->fd < 0 && (errno == EINVAL || errno == E2BIG))
		ring->fd = open_event(scope, cpu, perf_mmap->what, perf_mmap->promptly, false);
	if (ring->fd < 0)
		return errno == ENODEV ? 0 : errno; /* a CPU that is offline */
	perf_mmap->nr_rings++;
	return map_ring(perf_mmap, ring);
}

int perf_mmap_open(struct perf_mmap **out, enum perf_mmap_scope scope, enum perf_mmap_what what,
		   bool promptly)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct perf_mmap *perf_mmap = xcalloc(1, sizeof(*perf_mmap));
	int error = 0;

	perf_mmap->promptly = promptly;
	perf_mmap->what = what;
	perf_mmap->rings = xcalloc((size_t)nr_cpus, sizeof(*perf_mmap->rings));
	perf_mmap->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (perf_mmap->epoll_fd < 0)
		error = errno;
	for (int cpu = 0; cpu < nr_cpus && !error; cpu++)
		error = open_ring(perf_mmap, scope, cpu);
	if (error) {
		perf_mmap_close(perf_mmap);
		return error;
	}
	*out = perf_mmap;
	return 0;
}

void perf_mmap_close(struct perf_mmap *perf_mmap)
{
	if (!perf_mmap)
		return;
	for (size_t i = 0; i < perf_mmap->nr_rings; i++) {
		struct ring *ring = &perf_mmap->rings[i];

		perf_ring_unmap(&ring->records);
		close(ring->fd);
	}
	if (perf_mmap->epoll_fd >= 0)
		close(perf_mmap->epoll_fd);
	free(perf_mmap->rings);
	free(perf_mmap);
}

int perf_mmap_fd(const struct perf_mmap *perf_mmap)
{
	return perf_mmap->epoll_fd;
}

uint64_t perf_mmap_nr_lost(const struct perf_mmap *perf_mmap)
{
	return perf_mmap->nr_lost;
}

static void take_mapping(const struct mmap2_record *record, perf_mmap_handler take, void *context)
{
	const struct record_tail *tail =
		(const void *)((const char *)record + record->header.size - sizeof(*tail));
	struct mapping mapping = {
		.tgid = (pid_t)record->pid,
		.start = record->start,
		.length = record->length,
		.offset_bytes = record->offset_bytes,
		.time_ns = tail->time_ns,
		.path = record->path,
	};

	if (record->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
	    record->build.bytes <= BUILD_ID_MAX_BYTES) {
		mapping.build_id_bytes = record->build.bytes;
		memcpy(mapping.build_id, record->build.id, record->build.bytes);
	}
	take(context, &mapping);
}

static void take_data(const struct mmap_record *record, perf_mmap_handler take, void *context)
{
	const struct record_tail *tail =
		(const void *)((const char *)record + record->header.size - sizeof(*tail));
	struct mapping mapping = {
		.tgid = (pid_t)record->pid,
		.start = record->start,
		.length = record->length,
		.offset_bytes = record->offset_bytes,
		.time_ns = tail->time_ns,
		.is_data = true,
		.path = record->path,
	};

	take(context, &mapping);
}

struct reading {
	struct perf_mmap *perf_mmap;
	perf_mmap_handler take;
	void *context;
};

static void take_record(void *context, const struct perf_event_header *header)
{
	const struct reading *reading = context;

	switch (header->type) {
	case PERF_RECORD_MMAP2:
		take_mapping((const void *)header, reading->take, reading->context);
		break;
	case PERF_RECORD_MMAP:
		take_data((const void *)header, reading->take, reading->context);
		break;
	case PERF_RECORD_LOST:
		reading->perf_mmap->nr_lost += ((const struct lost_record *)header)->nr_lost;
		break;
	}
}

void perf_mmap_read(struct perf_mmap *perf_mmap, perf_mmap_handler take, void *context)
{
	struct reading reading = { perf_mmap, take, context };

	for (size_t i = 0; i < perf_mmap->nr_rings; i++)
		perf_ring_read(&perf_mmap->rings[i].records, perf_mmap->record, take_record,
			       &reading);
}
