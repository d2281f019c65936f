/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of the records. annot_clock_age_ns() is declared in trace/events/annot.h.
 */
#ifndef ANNOT_KMOD_CLOCK_H
#define ANNOT_KMOD_CLOCK_H

#include <linux/compiler.h>
#include <linux/math64.h>
#include <linux/types.h>

/* ANNOT_CLOCK_*: which clock there is now. */
u32 annot_clock_kind(void);
u64 annot_clock_ticks(void);

/* Takes the rate of the clock as the kernel knows it now. */
void annot_clock_calibrate(void);

/*
 * Whether the kernel has found the clock unfit. It stays so, and the control page says it.
 * Context: any but NMI, while a device exists.
 */
bool annot_clock_is_lost(void);

#define ANNOT_CLOCK_FRACTION_BITS 32
extern u64 annot_clock_ns_per_tick; /* fixed point; 0 without a clock */

/* The nanoseconds from @ticks to @now; 0 if @ticks is 0 or not before @now. */
static inline u64 annot_clock_interval_ns(u64 ticks, u64 now)
{
	if (!ticks || now <= ticks)
		return 0;
	return mul_u64_u64_shr(now - ticks, READ_ONCE(annot_clock_ns_per_tick),
			       ANNOT_CLOCK_FRACTION_BITS);
}

#endif /* ANNOT_KMOD_CLOCK_H */
