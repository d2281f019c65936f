// SPDX-License-Identifier: GPL-2.0
#include "any_events.h"

#include "events.h"

#define ANY_CPUS 3
#define ANY_TIDS 7

static void feed_any_annotation_at(uint64_t time_ns, int cpu, int32_t tid, unsigned int chance)
{
	switch (chance / 17 % 6) {
	case 0:
	case 1:
		feed_begin_at(time_ns, cpu, tid, 1 + chance % 3,
			      chance % 2 ? TRACE_SPAN_WAIT : TRACE_SPAN_WORK);
		break;
	case 2:
	case 3:
		feed_end_at(time_ns, cpu, tid);
		break;
	case 4:
		feed_mark_at(time_ns, cpu, tid, 1 + chance % 3);
		break;
	default:
		feed_counter_at(time_ns, cpu, tid, 1 + chance % 3, (int64_t)(chance % 100) - 50);
	}
}

static void feed_any_kernel_at(uint64_t time_ns, int cpu, int32_t tid, unsigned int chance)
{
	static const enum trace_event_kind kinds[] = {
		TRACE_KERNEL_BEGIN, TRACE_KERNEL_BEGIN, TRACE_KERNEL_END,
		TRACE_KERNEL_END,   TRACE_KERNEL_MARK,
	};

	feed_kernel_at(time_ns, cpu, tid, kinds[chance / 17 % 5],
		       chance / 85 % NR_TRACE_KERNEL_KINDS, 1 + chance / 510 % 3,
		       (int32_t)(chance / 1530 % 3));
}

/* Of two counters, of which the second one is counted half of the time. */
static void feed_any_uncore_at(uint64_t time_ns, int cpu, int32_t tid, unsigned int chance)
{
	uint32_t counter = chance / 19 % 2;

	if (chance / 38 % 8)
		feed_uncore_count_at(time_ns, cpu, tid, counter,
				     (struct uncore_count){ time_ns * (3 + chance / 304 % 2),
							    time_ns, time_ns >> counter });
	else
		feed_uncore_event_at(time_ns, cpu, tid, counter, 0.5);
}

void feed_anything_at(uint64_t time_ns, int32_t first_tid, unsigned int chance)
{
	static const enum trace_switch_reason reasons[] = {
		TRACE_OUT_RUNNABLE, TRACE_OUT_SLEEPING, TRACE_OUT_UNINTERRUPTIBLE,
		TRACE_OUT_STOPPED,  TRACE_OUT_DEAD,
	};
	uint64_t counts[] = { chance % 1000, chance % 10 };
	int cpu = (int)(chance / 7 % ANY_CPUS);
	int32_t tid = first_tid + (int32_t)(chance / 131 % ANY_TIDS);
	int32_t on = script_switched_to(cpu);

	switch (chance / 2003 % 40) {
	case 0:
		feed_migrate_at(time_ns, cpu, on, tid, (int)(chance % ANY_CPUS));
		break;
	case 1:
		feed_lost_at(time_ns, cpu, time_ns - 1, 0);
		break;
	case 2:
		feed_wakeup_new_at(time_ns, cpu, on, tid, cpu);
		break;
	case 3:
		feed_fork_at(time_ns, cpu, on, tid, chance % 2);
		break;
	case 4:
		feed_exit_at(time_ns, cpu, on);
		break;
	case 5:
	case 6:
		feed_counts_at(time_ns, cpu, on, counts, 2, chance % 4);
		break;
	case 7:
	case 8:
	case 9:
	case 10:
	case 11:
	case 12:
	case 13:
		feed_any_annotation_at(time_ns, cpu, on, chance);
		break;
	case 20:
	case 21:
		feed_any_kernel_at(time_ns, cpu, on, chance);
		break;
	case 14:
		feed_waking_at(time_ns, cpu, on, tid);
		break;
	case 15:
	case 16:
	case 17:
	case 18:
	case 19:
		feed_wakeup_at(time_ns, cpu, on, tid, (int)(chance % ANY_CPUS));
		break;
	case 24:
	case 25:
		feed_interrupt_begin_at(time_ns, cpu, on, chance / 19 % NR_TRACE_INTERRUPT_KINDS,
					1 + chance / 37 % 2, chance / 79 % 2);
		break;
	case 28:
		feed_idle_at(time_ns, cpu, chance / 19 % 3 ? NOT_IDLE : chance / 57 % 3);
		break;
	case 30:
		feed_block_at(time_ns, cpu,
			      chance / 19 % 2 ? TRACE_BLOCK_ISSUE : TRACE_BLOCK_COMPLETE, 1,
			      chance / 38 % 5, TRACE_BLOCK_READ);
		break;
	case 31:
		feed_timer_start_at(time_ns, cpu, on, 1 + chance / 19 % 3, (int64_t)time_ns,
				    (int64_t)time_ns + 5);
		break;
	case 32:
		feed_timer_expire_at(time_ns, cpu, on, 1 + chance / 19 % 3, (int64_t)time_ns);
		break;
	case 33:
		feed_any_uncore_at(time_ns, cpu, on, chance);
		break;
	case 29:
		feed_frequency_at(time_ns, cpu, (int)(chance / 19 % ANY_CPUS),
				  chance / 57 % 4 * 800000);
		break;
	case 26:
	case 27:
		feed_interrupt_end_at(time_ns, cpu, on, chance / 19 % NR_TRACE_INTERRUPT_KINDS,
				      1 + chance / 37 % 2);
		break;
	default:
		if (chance / 13 % 2)
			feed_blocked_at(time_ns, cpu, on,
					&(struct blocked_words){
						.system_call = chance % 3,
						.cause = 1 + chance % 4,
						.object = chance % 7,
						.object_id = chance,
						.holder_tid = chance / 11 % 3 ? tid : 0,
						.stack = chance / 13 % 5,
					});
		feed_switch_at(time_ns, cpu, on, chance % 5 ? tid : 0, reasons[chance / 31 % 5]);
		if (chance / 17 % 3)
			feed_kernel_stack_at(time_ns, cpu, on, chance % 4, 1 + chance % 3);
		if (chance / 51 % 2)
			feed_user_stack_at(time_ns, cpu, on, 1 + chance % 7);
	}
}
