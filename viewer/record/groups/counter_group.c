// SPDX-License-Identifier: GPL-2.0
#include "record/groups/counter_group.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
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
	uint64_t counts[]; /* of the counters, then of the switches and ticks */
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
		error = perf_ring_map(&group->ring, counter_group_fd(group), nr_pages);
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

struct group_reading {
	struct counter_group *group;
	uint64_t nr_lost; /* since the last reading */
	counter_group_handler take;
	void *context;
};

static void take_sample(struct group_reading *reading, const struct sample_record *sample)
{
	reading->take(reading->context,
		      &(struct counter_reading){
			      .time_ns = sample->time_ns,
			      .tid = (int32_t)sample->tid,
			      .is_tick = sample->event_id == reading->group->tick_id,
			      .nr_lost = reading->nr_lost,
			      .is_whole = sample->enabled_ns == sample->running_ns,
			      .counts = sample->counts,
		      });
	reading->nr_lost = 0;
}

static void take_record(void *context, const struct perf_event_header *header)
{
	struct group_reading *reading = context;

	if (header->type == PERF_RECORD_LOST) {
		reading->nr_lost += ((const struct lost_record *)header)->nr;
		reading->group->was_full = false;
	} else if (header->type == PERF_RECORD_SAMPLE) {
		take_sample(reading, (const void *)header);
	}
}

void counter_group_read(struct counter_group *group, void *whole, counter_group_handler take,
			void *context)
{
	struct group_reading reading = { .group = group, .take = take, .context = context };
	bool is_full = perf_ring_is_full(&group->ring);

	perf_ring_read(&group->ring, whole, take_record, &reading);
	group->was_full |= is_full;
}

void counter_group_close(struct counter_group *group)
{
	perf_ring_unmap(&group->ring);
	/* The leader last: without it the others would go on by themselves. */
	counter_group_drop(group, 0);
	*group = counter_group_new(group->cpu);
}
