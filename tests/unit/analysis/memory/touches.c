// SPDX-License-Identifier: GPL-2.0
#include "touches.h"

#include <linux/perf_event.h>

#include <uapi/annot.h>

struct touches touches = { .period = 10 };

static void feed_event(void)
{
	struct trace_event event = { .time_ns = touches.now_ns, .kind = TRACE_PMU_EVENT };

	event.pmu_event.text = EVENT;
	event.pmu_event.name = EVENT;
	event.pmu_event.period = 10;
	event.pmu_event.user = true;
	event.pmu_event.by_ratio = touches.by_ratio;
	model_builder_feed(touches.builder, &event);
}

void touches_begin(bool without_topology)
{
	static const struct cpu_cache caches[] = {
		{ .level = 1,
		  .kind = 'd',
		  .size_bytes = 32768,
		  .line_bytes = LINE,
		  .ways = 8,
		  .sets = 64 },
		{ .level = 2,
		  .kind = 'u',
		  .size_bytes = 262144,
		  .line_bytes = LINE,
		  .ways = 4,
		  .sets = 1024 },
	};

	touches.builder = script_begin();
	touches.now_ns = 1000;
	feed_event();
	for (int cpu = 0; cpu < 2 && !without_topology; cpu++) {
		struct trace_event event = { .time_ns = touches.now_ns,
					     .cpu = cpu,
					     .kind = TRACE_CPU_TOPOLOGY };

		event.cpu_topology.nr_caches = 2;
		event.cpu_topology.caches = caches;
		model_builder_feed(touches.builder, &event);
	}
	feed_switch_at(touches.now_ns, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(touches.now_ns, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_begin_at(touches.now_ns, 0, A, TASK, TRACE_SPAN_WORK);
	feed_begin_at(touches.now_ns, 1, B, TASK, TRACE_SPAN_WORK);
}

void touch_at(int32_t tid, uint64_t ip, uint64_t address)
{
	struct trace_event event = { .kind = TRACE_SAMPLE };

	event.time_ns = touches.now_ns += 10;
	event.tid = tid;
	event.cpu = tid - A;
	event.sample.period = touches.period;
	event.sample.ip = ip;
	event.sample.addr = address;
	event.sample.has = ANNOT_SAMPLE_USER | ANNOT_SAMPLE_HAS_ADDR | ANNOT_SAMPLE_HAS_DATA_SRC;
	event.sample.data_src = touches.data_src;
	if (tid == touches.storing_tid)
		event.sample.data_src = PERF_MEM_OP_STORE << PERF_MEM_OP_SHIFT;
	model_builder_feed(touches.builder, &event);
}

void touch_walk(unsigned int nr, uint64_t stride_bytes, unsigned int rounds)
{
	for (unsigned int i = 0; i < nr * rounds; i++)
		touch_at(A, 0x400000, START + i % nr * stride_bytes);
}
