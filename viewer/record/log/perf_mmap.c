// SPDX-License-Identifier: GPL-2.0
#include "record/log/perf_mmap.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "util/xalloc.h"

#define RING_PAGES 32 /* a power of two */
#define RECORD_MAX_BYTES 65536 /* its size has 16 bits */

struct ring {
	int fd;
	struct perf_event_mmap_page *head; /* the page before the data; NULL: not mapped */
};

struct perf_mmap {
	int epoll_fd;
	size_t nr_rings;
	struct ring *rings;
	enum perf_mmap_what what;
	bool promptly;
	uint64_t nr_lost;
	size_t ring_bytes;
	unsigned char record[RECORD_MAX_BYTES]; /* one that wraps in its ring */
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
	void *head = mmap(NULL, perf_mmap->ring_bytes + (size_t)getpagesize(),
			  PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);

	if (head == MAP_FAILED)
		return errno;
	ring->head = head;
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
	perf_mmap->ring_bytes = (size_t)RING_PAGES * (size_t)getpagesize();
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

		if (ring->head)
			munmap(ring->head, perf_mmap->ring_bytes + (size_t)getpagesize());
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

static void take_record(struct perf_mmap *perf_mmap, const struct perf_event_header *header,
			perf_mmap_handler take, void *context)
{
	switch (header->type) {
	case PERF_RECORD_MMAP2:
		take_mapping((const void *)header, take, context);
		break;
	case PERF_RECORD_MMAP:
		take_data((const void *)header, take, context);
		break;
	case PERF_RECORD_LOST:
		perf_mmap->nr_lost += ((const struct lost_record *)header)->nr_lost;
		break;
	}
}

/* The record at @at, in one piece. */
static const struct perf_event_header *whole_record(struct perf_mmap *perf_mmap,
						    const struct ring *ring, uint64_t at)
{
	const unsigned char *data = (const unsigned char *)ring->head + getpagesize();
	size_t offset = at & (perf_mmap->ring_bytes - 1);
	const struct perf_event_header *header = (const void *)(data + offset);
	size_t first = perf_mmap->ring_bytes - offset;

	/* Records are multiples of 8 bytes: their head is never cut. */
	if (header->size <= first)
		return header;
	memcpy(perf_mmap->record, header, first);
	memcpy(perf_mmap->record + first, data, header->size - first);
	return (const void *)perf_mmap->record;
}

static void read_ring(struct perf_mmap *perf_mmap, struct ring *ring, perf_mmap_handler take,
		      void *context)
{
	/* Pairs with the kernel's barrier: the records before the head are complete. */
	uint64_t head = __atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = ring->head->data_tail;

	while (at < head) {
		const struct perf_event_header *header = whole_record(perf_mmap, ring, at);

		at += header->size;
		take_record(perf_mmap, header, take, context);
	}
	/* Only what has been read may be written over. */
	__atomic_store_n(&ring->head->data_tail, at, __ATOMIC_RELEASE);
}

void perf_mmap_read(struct perf_mmap *perf_mmap, perf_mmap_handler take, void *context)
{
	for (size_t i = 0; i < perf_mmap->nr_rings; i++)
		read_ring(perf_mmap, &perf_mmap->rings[i], take, context);
}
