/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The control page: what every process can read through /dev/annot/ctl.
 */
#ifndef ANNOT_KMOD_CONTROL_H
#define ANNOT_KMOD_CONTROL_H

#include <linux/mm.h>
#include <linux/types.h>

/* The size of the records of one ring. */
#define ANNOT_RING_BYTES PAGE_SIZE

/* @clock: ANNOT_CLOCK_*. Return: 0 or -ENOMEM. */
int annot_control_init(u32 clock);
void annot_control_exit(void);

/* @recording: ANNOT_RECORDING_*. Does nothing before init and after exit. */
void annot_control_set_recording(u32 recording);

/* The clock is found unfit. Context: any but NMI, between init and exit. */
void annot_control_lose_clock(void);

/* The page, a struct annot_control. Valid between init and exit. */
void *annot_control_page(void);

#endif /* ANNOT_KMOD_CONTROL_H */
