// SPDX-License-Identifier: GPL-2.0
/*
 * One event: checks what user space asks for, and tries what the kernel makes of it.
 */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/security.h>
#include <linux/string.h>

#include "compat.h"
#include "pmu/event.h"
#include "pmu/regs.h"

#define SAMPLED_FLAGS (ANNOT_EVENT_REGISTERS | ANNOT_EVENT_STACK | ANNOT_EVENT_NO_IDLE)
#define SIDES (ANNOT_EVENT_USER | ANNOT_EVENT_KERNEL)
#define ALL_FLAGS (SIDES | SAMPLED_FLAGS | ANNOT_EVENT_SHARED)
#define MOST_PRECISE 3

#define SAMPLE_TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC)

static bool event_name_is_valid(const char *name)
{
	size_t i;

	for (i = 0; i < ANNOT_EVENT_NAME_MAX_BYTES && name[i]; i++) {
		if (isascii(name[i]) && !isgraph(name[i]))
			return false;
	}
	return i > 0 && i < ANNOT_EVENT_NAME_MAX_BYTES;
}

static bool event_period_is_valid(const struct annot_event *asked)
{
	if (asked->mode == ANNOT_EVENT_COUNT)
		return !asked->period;
	/* The kernel counts down from it with a sign. */
	return asked->period && asked->period <= S64_MAX;
}

int annot_pmu_event_check(const struct annot_event *asked)
{
	if (asked->mode > ANNOT_EVENT_COUNT || asked->precise > MOST_PRECISE || asked->reserved)
		return -EINVAL;
	if (asked->flags & ~ALL_FLAGS || !(asked->flags & SIDES))
		return -EINVAL;
	if (asked->flags & SAMPLED_FLAGS && asked->mode != ANNOT_EVENT_SAMPLE)
		return -EINVAL;
	if (asked->flags & ANNOT_EVENT_SHARED && asked->mode != ANNOT_EVENT_COUNT)
		return -EINVAL;
	return event_period_is_valid(asked) && event_name_is_valid(asked->name) ? 0 : -EINVAL;
}

/*
 * A walk of the stack begins at the registers. Those of the interrupt are later than those of a
 * precise sample.
 */
static bool event_needs_registers(const struct annot_event *asked)
{
	return asked->flags & ANNOT_EVENT_REGISTERS ||
	       (asked->flags & ANNOT_EVENT_STACK && annot_pmu_regs_mask());
}

static void event_fill_attr(struct perf_event_attr *attr, const struct annot_event *asked)
{
	bool user = asked->flags & ANNOT_EVENT_USER;
	bool kernel = asked->flags & ANNOT_EVENT_KERNEL;

	*attr = (struct perf_event_attr){
		.type = asked->type,
		.size = sizeof(*attr),
		.config = asked->config,
		.config1 = asked->config1,
		.config2 = asked->config2,
		.pinned = !(asked->flags & ANNOT_EVENT_SHARED),
		.exclude_user = !user,
		.exclude_kernel = !kernel,
		.exclude_hv = !(user && kernel),
		/* A guest's events are not those of the thread that runs it. */
		.exclude_guest = 1,
	};
	if (asked->mode == ANNOT_EVENT_COUNT)
		return;
	attr->sample_period = asked->period;
	attr->sample_type = SAMPLE_TYPE;
	/*
	 * Without it, Intel's driver collects PEBS records, and passes only one of each batch to
	 * the overflow handler.
	 */
	attr->wakeup_events = 1;
	/* Other drivers accept it and ignore it. */
	if (IS_ENABLED(CONFIG_X86) && asked->type != PERF_TYPE_SOFTWARE)
		attr->precise_ip = asked->precise;
	if (event_needs_registers(asked)) {
		attr->sample_type |= PERF_SAMPLE_REGS_INTR;
		attr->sample_regs_intr = annot_pmu_regs_mask();
	}
}

/* The kernel's clocks count also where their samples are excluded. */
static bool event_is_countable(const struct perf_event_attr *attr)
{
	bool is_clock = attr->type == PERF_TYPE_SOFTWARE &&
			attr->config <= PERF_COUNT_SW_TASK_CLOCK;

	return !is_clock || !(attr->exclude_user || attr->exclude_kernel);
}

/*
 * Counts that are not of one CPU (uncore) say nothing about the thread that runs there. Tracepoints
 * and probes are recorded by ftrace itself, and ours would be among them.
 */
static int event_check_counter(const struct perf_event *perf, int cpu)
{
	bool is_uncore = perf->pmu->task_ctx_nr == perf_invalid_context &&
			 !perf->attr.sample_period;

	if (is_uncore || perf->cpu != cpu)
		return -EOPNOTSUPP;
#ifdef CONFIG_EVENT_TRACING
	if (perf->tp_event)
		return -EOPNOTSUPP;
#endif
	/* It is pinned: there was no counter for it. */
	return READ_ONCE(perf->state) == PERF_EVENT_STATE_ERROR ? -EBUSY : 0;
}

struct perf_event *annot_pmu_event_create(struct perf_event_attr *attr, int cpu,
					  perf_overflow_handler_t handler, void *context)
{
	struct perf_event *perf;
	int err;

	if (attr->type == PERF_TYPE_TRACEPOINT || attr->type == PERF_TYPE_BREAKPOINT)
		return ERR_PTR(-EOPNOTSUPP);
	perf = perf_event_create_kernel_counter(attr, cpu, NULL, handler, context);
	if (IS_ERR(perf))
		return perf;
	err = event_check_counter(perf, cpu);
	if (!err)
		return perf;
	perf_event_release_kernel(perf);
	return ERR_PTR(err);
}

static void ignore_overflow(struct perf_event *perf, struct perf_sample_data *data,
			    struct pt_regs *regs)
{
}

static struct perf_event *event_try_on(struct perf_event_attr *attr, int cpu)
{
	perf_overflow_handler_t handler = attr->sample_period ? ignore_overflow : NULL;
	struct perf_event *perf = annot_pmu_event_create(attr, cpu, handler, NULL);

	/* There are PMUs that refuse anything to be excluded: they know no guests either. */
	if (PTR_ERR_OR_ZERO(perf) == -EINVAL && !attr->exclude_hv && attr->exclude_guest) {
		attr->exclude_guest = 0;
		perf = annot_pmu_event_create(attr, cpu, handler, NULL);
	}
	/*
	 * Some of Intel's CPUs tell where the data came from only beside a second counter in one
	 * group, which counters of the kernel cannot form.
	 */
	if (PTR_ERR_OR_ZERO(perf) == -ENODATA) {
		attr->sample_type &= ~(u64)PERF_SAMPLE_DATA_SRC;
		perf = annot_pmu_event_create(attr, cpu, handler, NULL);
	}
	return perf;
}

/* Less precise, if needed. If even level 0 is refused, the event itself is. */
static struct perf_event *event_try_levels(struct perf_event_attr *attr, int cpu)
{
	unsigned int asked = attr->precise_ip;
	struct perf_event *perf;

	for (;;) {
		perf = event_try_on(attr, cpu);
		if (!IS_ERR(perf) || !attr->precise_ip)
			break;
		attr->precise_ip--;
	}
	if (IS_ERR(perf))
		attr->precise_ip = asked;
	return perf;
}

/*
 * The checks of perf_event_open() for access to the kernel and its registers. The hook of the
 * security
 * modules is exported only since 6.12.
 */
static int event_check_rights(struct perf_event_attr *attr)
{
	int err = 0;

	if (!attr->exclude_kernel)
		err = annot_perf_allow_kernel(attr);
	if (err || !(attr->sample_type & PERF_SAMPLE_REGS_INTR))
		return err;
	if (!attr->sample_regs_intr)
		return -EOPNOTSUPP;
	return security_locked_down(LOCKDOWN_PERF);
}

/* The CPUs of one machine may differ: one that knows the event is enough. */
static struct perf_event *event_try(struct perf_event_attr *attr)
{
	struct perf_event *perf;
	int err = event_check_rights(attr);
	int cpu;

	if (err)
		return ERR_PTR(err);
	perf = ERR_PTR(-ENODEV);
	for_each_online_cpu(cpu) {
		perf = event_try_levels(attr, cpu);
		if (PTR_ERR_OR_ZERO(perf) != -ENOENT)
			break;
	}
	return perf;
}

/*
 * Printed for the current task, a kernel pointer is all zeros if kptr_restrict hides it from the
 * task.
 */
static bool event_may_see_kernel(void)
{
	char text[32];

	snprintf(text, sizeof(text), "%pK", annot_pmu_event_try);
	return text[strspn(text, "0")] != '\0';
}

/*
 * There are PMUs that sample all or nothing (AMD's IBS): samples of a side that was not asked for
 * are dropped. Who may not see the kernel must not have its samples taken either.
 */
static struct perf_event *event_try_all_sides(struct annot_pmu_event *event)
{
	struct perf_event_attr all = event->attr;
	struct perf_event *tried;

	all.exclude_user = 0;
	all.exclude_kernel = 0;
	all.exclude_hv = 0;
	tried = event_try(&all);
	if (!IS_ERR(tried)) {
		event->attr = all;
		event->is_countable = false;
	}
	return tried;
}

struct perf_event *annot_pmu_event_try(struct annot_pmu_event *event, struct annot_event *asked)
{
	struct perf_event *tried;

	event_fill_attr(&event->attr, asked);
	event->mode = asked->mode;
	event->tells_registers = asked->flags & ANNOT_EVENT_REGISTERS;
	event->tells_stack = asked->flags & ANNOT_EVENT_STACK;
	event->skips_idle = asked->flags & ANNOT_EVENT_NO_IDLE;
	event->precise_asked = asked->precise;
	event->hide_kernel = !event_may_see_kernel();
	event->is_countable = event_is_countable(&event->attr);
	event->sides = asked->flags & SIDES;
	tried = event_try(&event->attr);
	if (PTR_ERR_OR_ZERO(tried) == -EINVAL && event->mode == ANNOT_EVENT_SAMPLE &&
	    event->sides != SIDES)
		tried = event_try_all_sides(event);
	if (!IS_ERR(tried) && tried->pmu->name)
		strscpy(event->pmu, tried->pmu->name, sizeof(event->pmu));
	event->error = -PTR_ERR_OR_ZERO(tried);
	asked->error = event->error;
	asked->precise = event->error ? 0 : event->attr.precise_ip;
	return tried;
}

void annot_pmu_event_text(const struct annot_pmu_event *event, const char *name,
			  struct annot_config_text *text)
{
	const struct perf_event_attr *attr = &event->attr;
	size_t size = sizeof(text->text);
	int nr;

	nr = scnprintf(text->text, size, "event=%u name=%s mode=%s", event->index, name,
		       event->mode == ANNOT_EVENT_SAMPLE ? "sample" : "count");
	nr += scnprintf(text->text + nr, size - nr,
			" type=0x%x config=0x%llx config1=0x%llx config2=0x%llx", attr->type,
			attr->config, attr->config1, attr->config2);
	if (event->mode == ANNOT_EVENT_SAMPLE)
		nr += scnprintf(text->text + nr, size - nr, " period=%llu", attr->sample_period);
	nr += scnprintf(text->text + nr, size - nr,
			" user=%d kernel=%d asked=%u precise=%u error=%d",
			!!(event->sides & ANNOT_EVENT_USER), !!(event->sides & ANNOT_EVENT_KERNEL),
			event->precise_asked, event->error ? 0 : attr->precise_ip, event->error);
	if (event->pmu[0])
		nr += scnprintf(text->text + nr, size - nr, " pmu=%s", event->pmu);
	if (!attr->pinned)
		scnprintf(text->text + nr, size - nr, " shared=1");
}
