// SPDX-License-Identifier: GPL-2.0
/*
 * Long work in steps, between which other work gets its turn.
 */
import { pause } from "./blocks.js";

const LONGEST_TURN_MS = 12;

/**
 * Takes the steps one after the other; false: @wanted() said no meanwhile.
 * @param {Iterable<() => unknown>} steps
 * @param {() => boolean} wanted
 * @returns {Promise<boolean>}
 */
export async function inTurns(steps, wanted = () => true) {
	let since = performance.now();
	for (const step of steps) {
		step();
		if (performance.now() - since < LONGEST_TURN_MS)
			continue;
		await pause();
		if (!wanted())
			return false;
		since = performance.now();
	}
	return true;
}
