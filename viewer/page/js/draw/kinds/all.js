// SPDX-License-Identifier: GPL-2.0
/*
 * All kinds of lanes.
 */
import { DENSITY_HEIGHTS } from "../density.js";
import { counterKind } from "./counter.js";
import { cpuKind } from "./cpu.js";
import { deviceKind } from "./device.js";
import { groupKind } from "./group.js";
import { threadKind } from "./thread.js";
import { uncoreKind } from "./uncore.js";

/** @typedef {import("../types.js").Heights} Heights */
/** @typedef {import("../types.js").LaneSize} LaneSize */

export const laneKinds = {
	group: groupKind, cpu: cpuKind, thread: threadKind, counter: counterKind, device: deviceKind, uncore: uncoreKind,
};

/**
 * The heights of lanes and of what is in them.
 * @param {LaneSize} size @returns {Heights}
 */
export function heightsOf(size) {
	return Object.assign({}, DENSITY_HEIGHTS[size], ...Object.values(laneKinds).map(({ heights }) => heights[size]));
}
