// SPDX-License-Identifier: GPL-2.0
/*
 * The clock of the records. User space reads it in a few cycles, and the kernel can convert it into
 * nanoseconds. A record is drained on the CPU that wrote it, so the clocks of the CPUs need not
 * agree. Each must run at one known rate.
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

#include "ftrace/clock.h"
#include "device/control.h"

u64 annot_clock_ns_per_tick; /* fixed point; 0 without a clock */

#if defined(CONFIG_X86_64)

/*
 * The kernel's own verdict. It rests on the processor's features (constant rate, not stopped in
 * idle) and on a watchdog.
 */
u32 annot_clock_kind(void)
{
	return tsc_khz && !check_tsc_unstable() ? ANNOT_CLOCK_TSC : ANNOT_CLOCK_NONE;
}

static u64 clock_rate_hz(void)
{
	return (u64)tsc_khz * 1000;
}

u64 annot_clock_ticks(void)
{
	return rdtsc_ordered();
}

#elif defined(CONFIG_ARM64)

static u64 clock_rate_hz(void)
{
	return arch_timer_get_cntfrq();
}

/* The firmware sets the rate, or fails to. */
u32 annot_clock_kind(void)
{
	return clock_rate_hz() ? ANNOT_CLOCK_CNTVCT : ANNOT_CLOCK_NONE;
}

/*
 * The "stable" read works around counters that sometimes read wrong; it depends on the CPU. On such
 * machines the kernel also reads the counter for user space.
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

static u64 clock_rate_hz(void)
{
	return riscv_timebase;
}

/* User space may read it wherever Linux runs; on some machines the firmware emulates the read. */
u32 annot_clock_kind(void)
{
	return clock_rate_hz() ? ANNOT_CLOCK_TIME : ANNOT_CLOCK_NONE;
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

static u64 clock_rate_hz(void)
{
	return 0;
}

u64 annot_clock_ticks(void)
{
	return 0;
}

#endif

/*
 * The kernel refines the rate some time after boot: so this is called whenever a recording
 * begins.
 */
void annot_clock_calibrate(void)
{
	u64 hz = annot_clock_kind() == ANNOT_CLOCK_NONE ? 0 : clock_rate_hz();

	WRITE_ONCE(annot_clock_ns_per_tick,
		   hz ? div64_u64((u64)NSEC_PER_SEC << ANNOT_CLOCK_FRACTION_BITS, hz) : 0);
}

bool annot_clock_is_lost(void)
{
	if (annot_clock_kind() != ANNOT_CLOCK_NONE)
		return false;
	annot_control_lose_clock();
	return true;
}

u64 annot_clock_age_ns(u64 ticks)
{
	return ticks ? annot_clock_interval_ns(ticks, annot_clock_ticks()) : 0;
}
