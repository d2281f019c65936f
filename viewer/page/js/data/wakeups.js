// SPDX-License-Identifier: GPL-2.0
/*
 * The wakeups of a block, from what the page tells of each CPU's. How they are told stands in
 * viewer/page/wakeups.h.
 */
import { EMPTY_TABLES } from "./format.js";

/** @typedef {import("./windows.js").CpuPiece} CpuPiece */
/** @typedef {import("./tables.js").CpuWakeups} CpuWakeups */
/** @typedef {import("./tables.js").Slices} Slices */
/** @typedef {import("./tables.js").Wakeups} Wakeups */

/** @param {number} rows */
function newWakeups(rows) {
	return {
		rows, start: new Float64Array(rows), waker: new Uint32Array(rows), wakee: new Uint32Array(rows),
	};
}

export const NO_WAKEUPS = newWakeups(0);

/**
 * One CPU's. @woken: whom each waker woke last, + 1, by waker + 1.
 * @param {CpuWakeups} coded @param {Slices} slices @param {number[]} woken
 */
function decodeWakeups(coded, slices, woken) {
	const wakeups = newWakeups(coded.rows);
	let place = 0;
	for (let row = 0; row < coded.rows; row++) {
		place += coded.step[row];
		const slice = (place - 1) >> 1;
		const isIn = place % 2;
		const since = place ? (isIn ? slices.start : slices.end)[slice] : 0;
		wakeups.start[row] = since + coded.since[row];
		let waker = coded.waker[row] - 1;
		if (waker < 0)
			waker = isIn ? slices.thread[slice] + 1 : 0;
		const wakee = coded.wakee[row] || woken[waker];
		woken[waker] = wakee;
		wakeups.waker[row] = waker;
		wakeups.wakee[row] = wakee - 1;
	}
	return wakeups;
}

/**
 * In the order of time; at one time, the lower CPU is first.
 * @param {Wakeups[]} tables
 */
function mergeWakeups(tables) {
	const merged = newWakeups(tables.reduce((sum, { rows }) => sum + rows, 0));
	const next = new Uint32Array(tables.length);
	/** @param {number} a @param {number} b */
	const goesBefore = (a, b) => {
		const [ns, other] = [tables[a].start[next[a]], tables[b].start[next[b]]];
		return ns < other || ns === other && a < b;
	};
	const order = [...tables.keys()].sort((a, b) => goesBefore(a, b) ? -1 : 1);
	for (let row = 0; row < merged.rows; row++) {
		const at = order[0];
		const { start, waker, wakee, rows } = tables[at];
		const own = next[at]++;
		merged.start[row] = start[own];
		merged.waker[row] = waker[own];
		merged.wakee[row] = wakee[own];
		if (own + 1 === rows) {
			order.shift();
			continue;
		}
		let to = 0;
		for (; to + 1 < order.length && goesBefore(order[to + 1], at); to++)
			order[to] = order[to + 1];
		order[to] = at;
	}
	return merged;
}

/**
 * The wakeups of all CPUs, in the order of time.
 * @param {(CpuPiece | undefined)[]} cpus of a piece, whose tables have been read
 * @returns {Wakeups}
 */
export function wakeupsOf(cpus) {
	/** @type {number[]} */
	const woken = [];
	const tables = cpus.flatMap((cpu) => cpu && cpu.cpuWakeups ?
		[decodeWakeups(cpu.cpuWakeups, cpu.slices || EMPTY_TABLES.slices, woken)] : []);
	for (const cpu of cpus)
		if (cpu)
			delete cpu.cpuWakeups;
	return tables.length === 1 ? tables[0] : mergeWakeups(tables);
}
