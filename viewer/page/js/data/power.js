// SPDX-License-Identifier: GPL-2.0
/*
 * Idle states and frequencies of CPUs.
 */
import { IDLE_STATE_OFFLINE, IDLE_STATE_UNKNOWN } from "./codes.js";
import { lastAtMost } from "./row_search.js";
import { formatGhz } from "./units.js";

/** @typedef {import("./tables.js").Frequencies} Frequencies */

/** @param {number} state @returns {string} */
export function idleName(state) {
	if (state === IDLE_STATE_OFFLINE)
		return "offline";
	return state === IDLE_STATE_UNKNOWN ? "idle, state not known" : `idle state ${state}`;
}

/**
 * The frequencies in [from, to): their mean over the time of which they are known, and that time; kHz and ns.
 * @param {Frequencies} frequencies @param {number} from @param {number} to
 */
export function frequencyIn({ rows, start, end, khz }, from, to) {
	let known = 0;
	let sum = 0;
	let least = Infinity;
	let most = 0;
	for (let row = Math.max(lastAtMost(start, from), 0); row < rows && start[row] < to; row++) {
		const ns = Math.min(end[row], to) - Math.max(start[row], from);
		if (ns <= 0)
			continue;
		known += ns;
		sum += ns * khz[row];
		least = Math.min(least, khz[row]);
		most = Math.max(most, khz[row]);
	}
	return { known, mean: known ? sum / known : 0, least, most };
}

/** @param {number} mean @param {number} least @param {number} most @returns {string} */
export const frequencyText = (mean, least, most) =>
	least === most ? formatGhz(mean) : `${formatGhz(mean)} (${formatGhz(least)} to ${formatGhz(most)})`;
