// SPDX-License-Identifier: GPL-2.0
/*
 * What kinds of lanes do unless they say otherwise.
 */
import { lastAtMost } from "../../data/row_search.js";

/** @typedef {import("../types.js").Item} Item */
/** @typedef {import("../types.js").Numbers} Numbers */
/** @typedef {import("../types.js").Thread} Thread */

/** @type {Omit<import("../types.js").LaneKind<any>, "name" | "heights" | "paint" | "paintCoarse" | "paintLabel">} */
export const plainKind = {
	/* A line at the foot; nothing under the labels, which have their own. */
	paintGround({ surface, scale, theme }, lane, y, width) {
		surface.hairline(scale.left, y + lane.height - 1, width, 0, theme.line);
	},

	boxOf: () => null,
	pick: () => null,
	pickCoarse: () => null,
	itemAt: null,
	litThread: () => -1,
	click: () => null,
	describeBucket: () => null,
};

/**
 * What a click on the label of a thread's lane does.
 * @param {{thread: Thread}} lane @returns {import("../types.js").Click}
 */
export function selectThread({ thread }) {
	return { selects: { kind: "thread", thread: thread.index } };
}

/**
 * The item of the row of a table that is at @ns or was before it, else the first one; null: there is none.
 * @param {Numbers} start @param {number} ns @param {(row: number) => Item} itemOf @returns {Item | null}
 */
export function itemBeside(start, ns, itemOf) {
	return start.length ? itemOf(Math.max(lastAtMost(start, ns), 0)) : null;
}
