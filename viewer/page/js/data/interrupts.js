// SPDX-License-Identifier: GPL-2.0
/*
 * What interrupted CPUs, and the time that it took from threads.
 */
import { INTERRUPT_STEALS } from "./codes.js";
import { Series } from "./pmu.js";

/** @typedef {import("./tables.js").Interrupts} Interrupts */

/**
 * Of each thread, or undefined where nothing was taken: amount(from, to) is what was in a range.
 * @param {Interrupts[]} tables one of each CPU
 * @returns {(Series | undefined)[]}
 */
export function stolenByThread(tables) {
	/** @type {{start: number, end: number}[][]} */
	const taken = [];
	for (const { rows, start, end, thread, flags } of tables)
		for (let row = 0; row < rows; row++)
			if (flags[row] & INTERRUPT_STEALS)
				(taken[thread[row] - 1] ||= []).push({ start: start[row], end: end[row] });
	return taken.map(seriesOf);
}

/**
 * Each row's amount is its length: so a part of it has a part of that.
 * @param {{start: number, end: number}[]} taken
 */
function seriesOf(taken) {
	taken.sort((a, b) => a.start - b.start);
	return new Series(taken.map((_, row) => row), Float64Array.from(taken, (own) => own.start),
		Float64Array.from(taken, (own) => own.end), (row) => taken[row].end - taken[row].start);
}
