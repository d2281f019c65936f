/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files that measure (pmu*.c) offer each other.
 *
 * A set of events is made by ANNOT_IOC_EVENTS (pmu_set.c), each tried once (pmu_event.c). While its
 * trace event is enabled, it has a counter on each CPU that is online (pmu.c). What is told of a
 * counter is told on its CPU with interrupts off (pmu_cpu.c, pmu_slice.c), samples from its
 * overflow interrupt (pmu_sample.c).
 */
#ifndef ANNOT_PMU_H
#define ANNOT_PMU_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/timer.h>

#include <uapi/annot.h>

#include "annot.h"

/* An event of the set, which a counter on each CPU counts. */
struct annot_pmu_event {
	struct perf_event_attr attr; /* as the kernel took it */
	atomic64_t nr_samples;
	u64 max_samples; /* 0: no limit */
	u8 index;
	u8 mode;
	u8 precise_asked;
	bool hide_kernel; /* kernel addresses are not to be shown */
	bool is_countable; /* so many samples are due as its count says */
	int error; /* as in struct annot_event */
};

enum {
	COUNTER_TOLD, /* of its start or failure */
	COUNTER_THROTTLED,
	COUNTER_WAS_ACTIVE, /* at the end of the slice before */
};

/* Of one CPU. perf and error: by pmu.c; the rest only on its CPU, interrupts off or in them. */
struct annot_counter {
	struct annot_pmu_event *event;
	struct perf_event *perf; /* NULL: none, or it was refused */
	int error; /* errno, positive: nothing is counted */
	bool running; /* what happens is told */
	unsigned long flags; /* COUNTER_* */
	u64 start_count; /* what it stood at when it was started */
	u64 slice_count; /* and at the end of the last slice */
	u64 nr_overflows;
	u64 nr_ignored; /* overflows while it was not running */
	u64 nr_lost; /* told of */
	u64 throttled_at_ns;
};

struct annot_pmu_set {
	const struct file *owner;
	struct annot_counter __percpu *counters; /* @nr for each CPU */
	u32 nr;
	u32 nr_counted;
	unsigned int sampling_round; /* that max_samples is counted in */
	u32 masks[2]; /* events of ANNOT_EVENT_SAMPLE, ANNOT_EVENT_COUNT */
	u8 counted[ANNOT_EVENTS_MAX]; /* the second, as indices */
	struct annot_pmu_event events[ANNOT_EVENTS_MAX];
	struct annot_config_text texts[ANNOT_EVENTS_MAX];
};

/* Changed and used on its CPU with interrupts off; running and online are read by others. */
struct annot_pmu_cpu {
	struct annot_pmu_set *set; /* NULL: nothing runs */
	u32 running; /* which of its counters */
	u32 known_invalid; /* counted events whose failure a slice has told of */
	bool online;
	struct timer_list timer; /* looks after what runs */
	struct irq_work kick; /* what an NMI wants done */
};

DECLARE_PER_CPU(struct annot_pmu_cpu, annot_pmu_cpu);

/* Which counters start or stop. */
struct annot_pmu_call {
	struct annot_pmu_set *set;
	u32 mask;
};

/* pmu_event.c: from what user space asks for to what the kernel takes. */
int annot_pmu_event_check(const struct annot_event *asked);
void annot_pmu_events_try(struct annot_pmu_set *set, struct annot_event *asked);
void annot_pmu_event_text(const struct annot_pmu_event *event, const char *name,
			  struct annot_config_text *text);

/* A counter on @cpu, or ERR_PTR(); ERR_PTR(-EBUSY) if the CPU has none left. May sleep. */
struct perf_event *annot_pmu_event_create(struct perf_event_attr *attr, int cpu,
					  perf_overflow_handler_t handler, void *context);

/* pmu.c: takes @set into use, and gives up the one before, which is then freed. NULL: none. */
int annot_pmu_use_set(struct annot_pmu_set *set, const struct file *owner);
void annot_pmu_update(void); /* in any context but an NMI */
extern bool annot_pmu_mode_enabled[2];
void annot_pmu_free_set(struct annot_pmu_set *set);

/* pmu_cpu.c: on the CPU concerned, with interrupts off. */
void annot_pmu_start_here(void *call);
void annot_pmu_stop_here(void *call);
void annot_pmu_stop_mode_here(void *mode);
void annot_pmu_cpu_ends(unsigned int cpu); /* may sleep */
void annot_pmu_cpus_init(void);
void annot_pmu_cpus_exit(void);

/* How many counters run on all CPUs. */
extern atomic_t annot_pmu_nr_running;

/* Return: whether it counts now. Not for one without perf. */
static inline bool annot_counter_read(const struct annot_counter *counter, u64 *count)
{
	struct perf_event *perf = counter->perf;
	bool active = READ_ONCE(perf->state) == PERF_EVENT_STATE_ACTIVE &&
		      READ_ONCE(perf->oncpu) == smp_processor_id();

	if (active)
		perf->pmu->read(perf);
	*count = local64_read(&perf->count);
	return active;
}

/* What perf marks a throttled event with (MAX_INTERRUPTS in kernel/events/core.c). */
static inline bool annot_counter_is_throttled(const struct annot_counter *counter)
{
	return READ_ONCE(counter->perf->hw.interrupts) == ~0ULL;
}

/* These two also in NMIs. The second tells of it if it was throttled. */
void annot_counter_throttled(struct annot_counter *counter);
void annot_counter_unthrottled(struct annot_counter *counter);

/* pmu_sample.c: in NMIs. */
void annot_counter_overflow(struct perf_event *perf, struct perf_sample_data *data,
			    struct pt_regs *regs);
bool annot_pmu_event_has_enough(const struct annot_pmu_event *event);

/* pmu_regs.c: the general registers; both give 0 where that is not written for the architecture. */
u64 annot_regs_mask(void);
u32 annot_regs_copy(u64 *values, struct pt_regs *regs);

#if defined(CONFIG_X86_64)
#define ANNOT_REGS_MAX 24
#else
#define ANNOT_REGS_MAX 1
#endif

#endif /* ANNOT_PMU_H */
