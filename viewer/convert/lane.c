// SPDX-License-Identifier: GPL-2.0
#include "convert/lane.h"

#include <inttypes.h>
#include <stdio.h>

#define STATES_FROM_TID INT64_C(10000000)
#define KERNEL_FROM_TID INT64_C(40000000)

struct lane lane_of_cpu(int cpu)
{
	/* One further, as a thread with its process's id would pass for the main thread. */
	return (struct lane){ .pid = LANE_CPUS_PID, .tid = LANE_CPUS_PID + 1 + cpu };
}

struct lane lane_of_thread(const struct thread *thread)
{
	return (struct lane){ .pid = thread->tgid ? thread->tgid : LANE_STRAYS_PID,
			      .tid = thread->tid };
}

struct lane lane_of_states(const struct thread *thread)
{
	struct lane lane = lane_of_thread(thread);

	lane.tid += STATES_FROM_TID;
	return lane;
}

struct lane lane_of_kernel(const struct thread *thread)
{
	struct lane lane = lane_of_thread(thread);

	lane.tid += KERNEL_FROM_TID;
	return lane;
}

void lane_label(const struct model *model, uint32_t thread, char label[LANE_LABEL_BYTES])
{
	snprintf(label, LANE_LABEL_BYTES, "%.64s %" PRId32,
		 trace_string(model->trace, model->threads[thread].comm),
		 model->threads[thread].tid);
}
