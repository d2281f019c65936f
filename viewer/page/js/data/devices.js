// SPDX-License-Identifier: GPL-2.0
/*
 * Requests to block devices: those of each device, and how many were in flight.
 */
import { BLOCK_OPS } from "./codes.js";
import { counted } from "./units.js";

/** @typedef {import("./tables.js").BlockIo} BlockIo */

/** @typedef {{name: number, most: number}} DeviceHead a device, and how many requests it had at once, over the whole trace */
/**
 * How many requests are in flight: value[i] from start[i] on; 0 before the first.
 * @typedef {{rows: number, start: Float64Array, value: Float64Array, before: number}} InFlight
 */
/**
 * What is loaded of a device: its rows of blockIo and their begins, which ascend.
 * @typedef {{row: Uint32Array, start: Float64Array, inFlight: InFlight}} DeviceRows
 */

/**
 * At one time, those that end make room for those that begin.
 * @param {Float64Array} starts @param {Float64Array} ends both ascend @returns {InFlight}
 */
function countInFlight(starts, ends) {
	const start = new Float64Array(starts.length + ends.length);
	const value = new Float64Array(start.length);
	let rows = 0;
	let begun = 0;
	for (let ended = 0; ended < ends.length;) {
		const ns = begun < starts.length ? Math.min(starts[begun], ends[ended]) : ends[ended];
		while (ended < ends.length && ends[ended] === ns)
			ended++;
		while (begun < starts.length && starts[begun] === ns)
			begun++;
		start[rows] = ns;
		value[rows++] = Math.max(begun - ended, 0);
	}
	return { rows, start: start.slice(0, rows), value: value.slice(0, rows), before: 0 };
}

/** @param {BlockIo} blockIo @param {Uint32Array} row of one device, by begin @returns {DeviceRows} */
export function deviceRows(blockIo, row) {
	const start = Float64Array.from(row, (i) => blockIo.start[i]);
	const end = Float64Array.from(row, (i) => blockIo.end[i]).sort();
	return { row, start, inFlight: countInFlight(start, end) };
}

/** @param {BlockIo} blockIo @param {number} row @returns {string} "read, 4,096 bytes" */
export function requestText({ op, bytes }, row) {
	const name = BLOCK_OPS[op[row]] || BLOCK_OPS[BLOCK_OPS.length - 1];
	return bytes[row] ? `${name}, ${counted(bytes[row], "byte")}` : name;
}
