// SPDX-License-Identifier: GPL-2.0
#include "record/groups/counter_group.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "record/buffer/tracing.h"

#define SWITCH_EVENT "sched", "sched_switch"

/* Of a sample, as sample_type and read_format below have it. */
struct sample_record {
	struct perf_event_header header;
	uint64_t event_id;
	uint32_t pid;
	uint32_t tid;
	uint64_t time_ns;
	uint64_t nr;
	uint64_t enabled_ns;
	uint64_t running_ns;
	uint64_t counts[TRACE_GROUP_MOST_COUNTS + 2];
};

struct lost_record {
	struct perf_event_header header;
	uint64_t id;
	uint64_t nr;
};

struct counter_group counter_group_new(int cpu)
{
	return (struct counter_group){ .cpu = cpu };
}

/* All events of a group must have one clock. */
static int open_event(const struct counter_group *group, struct perf_event_attr attr)
{
	attr.size = sizeof(attr);
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	return (int)syscall(SYS_perf_event_open, &attr, -1, group->cpu,
			    group->nr_fds ? group->fds[0] : -1, PERF_FLAG_FD_CLOEXEC);
}

static int add_event(struct counter_group *group, struct perf_event_attr attr)
{
	int fd = open_event(group, attr);

	if (fd < 0)
		return errno;
	group->fds[group->nr_fds++] = fd;
	return 0;
}

/* The kernel does not take turns with a pinned leader: its group has its counters, or is in an error. */
int counter_group_add(struct counter_group *group, const struct pmu_code *code)
{
	int error = add_event(group, (struct perf_event_attr){
					     .type = code->type,
					     .config = code->config,
					     .config1 = code->config1,
					     .config2 = code->config2,
					     .pinned = !group->nr,
					     .disabled = !group->nr,
					     .exclude_user = !code->user,
					     .exclude_kernel = !code->kernel,
					     .exclude_hv = !(code->user && code->kernel),
					     .exclude_guest = 1,
				     });

	group->nr += !error;
	return error;
}

void counter_group_drop(struct counter_group *group, size_t nr)
{
	while (group->nr_fds > nr)
		close(group->fds[--group->nr_fds]);
	group->nr = nr;
}

static struct perf_event_attr sampled(uint32_t type, uint64_t config, uint64_t period)
{
	return (struct perf_event_attr){
		.type = type,
		.config = config,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_READ,
		.watermark = 1,
	};
}

static int map_ring(struct counter_group *group, int fd, size_t nr_pages)
{
	size_t page_bytes = (size_t)getpagesize();
	void *ring = mmap(NULL, (nr_pages + 1) * page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			  0);

	if (ring == MAP_FAILED)
		return errno;
	group->ring = ring;
	group->ring_bytes = nr_pages * page_bytes;
	return 0;
}

/* Ticks of an idle CPU would tell nothing. */
int counter_group_watch(struct counter_group *group, size_t nr_pages)
{
	int switch_id = tracing_event_id(SWITCH_EVENT);
	struct perf_event_attr switches = sampled(PERF_TYPE_TRACEPOINT, (uint64_t)switch_id, 1);
	struct perf_event_attr ticks = sampled(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK,
					       COUNTER_GROUP_TICK_NS);
	int error;

	if (switch_id < 0)
		return ENOENT;
	switches.wakeup_watermark = (uint32_t)(nr_pages * (size_t)getpagesize() / 2);
	ticks.exclude_idle = 1;
	error = add_event(group, switches);
	if (!error)
		error = map_ring(group, group->fds[group->nr], nr_pages);
	if (!error)
		error = add_event(group, ticks);
	if (!error &&
	    ioctl(group->fds[group->nr + 1], PERF_EVENT_IOC_SET_OUTPUT, counter_group_fd(group)))
		error = errno;
	return error;
}

int counter_group_fd(const struct counter_group *group)
{
	return group->fds[group->nr];
}

int counter_group_enable(const struct counter_group *group)
{
	uint64_t counts[3 + TRACE_GROUP_MOST_COUNTS + 2];

	if (ioctl(group->fds[0], PERF_EVENT_IOC_ENABLE, 0))
		return errno;
	/* Of a group in an error there is nothing to read. */
	return read(group->fds[0], counts, sizeof(counts)) > 0 ? 0 : EBUSY;
}

void counter_group_disable(const struct counter_group *group)
{
	ioctl(group->fds[0], PERF_EVENT_IOC_DISABLE, 0);
}

/* Copies @bytes at @at; a record may wrap around. */
static void copy_out(const struct counter_group *group, uint64_t at, void *to, size_t bytes)
{
	const char *data = (const char *)group->ring + getpagesize();
	size_t offset = at & (group->ring_bytes - 1), first = group->ring_bytes - offset;

	first = first < bytes ? first : bytes;
	memcpy(to, data + offset, first);
	memcpy((char *)to + first, data, bytes - first);
}

static void take_record(struct counter_group *group, uint64_t at, size_t bytes, uint64_t *nr_lost,
			counter_group_handler take, void *context)
{
	union {
		struct perf_event_header header;
		struct sample_record sample;
		struct lost_record lost;
	} record = { 0 };

	copy_out(group, at, &record, bytes < sizeof(record) ? bytes : sizeof(record));
	if (record.header.type == PERF_RECORD_LOST)
		*nr_lost += record.lost.nr;
	if (record.header.type != PERF_RECORD_SAMPLE)
		return;
	take(context, &(struct counter_reading){
			      .time_ns = record.sample.time_ns,
			      .tid = (int32_t)record.sample.tid,
			      .is_tick = record.sample.event_id == group->tick_id,
			      .nr_lost = *nr_lost,
			      .is_whole = record.sample.enabled_ns == record.sample.running_ns,
			      .counts = record.sample.counts,
		      });
	*nr_lost = 0;
}

void counter_group_read(struct counter_group *group, counter_group_handler take, void *context)
{
	/* Pairs with the kernel's barrier: the records before the head are complete. */
	uint64_t head = __atomic_load_n(&group->ring->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = group->ring->data_tail, nr_lost = 0;

	while (at < head) {
		struct perf_event_header header;

		copy_out(group, at, &header, sizeof(header));
		take_record(group, at, header.size, &nr_lost, take, context);
		at += header.size;
	}
	/* Only what has been read may be written over. */
	__atomic_store_n(&group->ring->data_tail, at, __ATOMIC_RELEASE);
}

void counter_group_close(struct counter_group *group)
{
	if (group->ring)
		munmap(group->ring, group->ring_bytes + (size_t)getpagesize());
	/* The leader last: without it the others would go on by themselves. */
	counter_group_drop(group, 0);
	*group = counter_group_new(group->cpu);
}
