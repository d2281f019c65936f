// SPDX-License-Identifier: GPL-2.0
/*
 * The clock of the records: one that user space reads in a few cycles and the kernel can turn into
 * nanoseconds. A record is drained on the CPU that wrote it, so the clocks of the CPUs need not
 * agree; each must run at one known rate.
 */
#include <linux/math64.h>
#include <linux/time64.h>
#ifdef CONFIG_X86_64
#include <asm/tsc.h>
#endif
#ifdef CONFIG_ARM64
#include <linux/preempt.h>
#include <asm/arch_timer.h>
#endif
#if defined(CONFIG_RISCV) && defined(CONFIG_64BIT)
#include <linux/timex.h>
#include <asm/delay.h>
#endif

#include <uapi/annot.h>
#include <trace/events/annot.h>

#include "annot.h"

u64 annot_clock_ns_per_tick; /* fixed point; 0 without a clock */

#if defined(CONFIG_X86_64)

/*
 * The kernel's own verdict, reached from what the processor says of itself (constant, not stopped
 * in idle) and from watching it.
 */
u32 annot_clock_kind(void)
{
	return tsc_khz && !check_tsc_unstable() ? ANNOT_CLOCK_TSC : ANNOT_CLOCK_NONE;
}

static u64 rate_hz(void)
{
	return (u64)tsc_khz * 1000;
}

u64 annot_clock_ticks(void)
{
	return rdtsc_ordered();
}

#elif defined(CONFIG_ARM64)

static u64 rate_hz(void)
{
	return arch_timer_get_cntfrq();
}

/* Firmware sets the rate, or fails to. */
u32 annot_clock_kind(void)
{
	return rate_hz() ? ANNOT_CLOCK_CNTVCT : ANNOT_CLOCK_NONE;
}

/*
 * The stable one works around counters that now and then read wrong; it goes by the CPU. Where it
 * has to, the kernel reads the counter for user space, too.
 */
u64 annot_clock_ticks(void)
{
	u64 ticks;

	preempt_disable_notrace();
	ticks = __arch_counter_get_cntvct_stable();
	preempt_enable_notrace();
	return ticks;
}

#elif defined(CONFIG_RISCV) && defined(CONFIG_64BIT)

static u64 rate_hz(void)
{
	return riscv_timebase;
}

/* User space may read it wherever Linux runs; on some machines the firmware does so instead. */
u32 annot_clock_kind(void)
{
	return rate_hz() ? ANNOT_CLOCK_TIME : ANNOT_CLOCK_NONE;
}

u64 annot_clock_ticks(void)
{
	return get_cycles64();
}

#else

u32 annot_clock_kind(void)
{
	return ANNOT_CLOCK_NONE;
}

static u64 rate_hz(void)
{
	return 0;
}

u64 annot_clock_ticks(void)
{
	return 0;
}

#endif

/* The rate is measured anew some time after boot: hence this, whenever a recording begins. */
void annot_clock_calibrate(void)
{
	u64 hz = annot_clock_kind() == ANNOT_CLOCK_NONE ? 0 : rate_hz();

	WRITE_ONCE(annot_clock_ns_per_tick,
		   hz ? div64_u64((u64)NSEC_PER_SEC << ANNOT_CLOCK_FRACTION_BITS, hz) : 0);
}

bool annot_clock_is_lost(void)
{
	if (annot_clock_kind() != ANNOT_CLOCK_NONE)
		return false;
	annot_recording_lose_clock();
	return true;
}

u64 annot_ago_ns(u64 ticks)
{
	return ticks ? annot_clock_ago_ns(annot_clock_ticks(), ticks) : 0;
}
