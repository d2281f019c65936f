// SPDX-License-Identifier: GPL-2.0
/*
 * What all drawings of lanes have in common. Distances are in CSS pixels.
 */
export const DIMMED = 0.22;
export const TEXT_ON_FILL = "#16181d";
export const LEAST_TEXT_ROOM = 22;
export const LEAST_TICK_DISTANCE = 9;
export const PICK_DISTANCE = 3;	/* pixels to either side of the pointer */
export const STRIP_COLOURS = ["miss-a", "miss-b", "miss-c", "miss-d"];
export const INTERRUPT_COLOURS = ["softirq", "tasklet", "hardirq", "vector", "vector"];	/* by kind */
export const INDENT = 14;	/* of labels, from level to level */
export const NARROW_LABELS = 140;	/* less has room for names only */

/**
 * How much of a pixel's time is filled, as an opacity that never vanishes.
 * @param {number} share
 */
export function coverage(share) {
	return 0.3 + 0.7 * Math.min(share, 1);
}
