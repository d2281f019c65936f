// SPDX-License-Identifier: GPL-2.0
/*
 * Counters that the CPUs of a socket or a die share: the readings of each, and their rates.
 */
/** @typedef {import("./tables.js").UncoreReadings} UncoreReadings */

/**
 * A counter; mostPerS: the highest rate of the whole trace, in units.
 * @typedef {{name: number, unit: string, cpu: number, scale: number, mostPerS: number}} UncoreCounter
 */
/**
 * What is loaded of a counter: its rows of uncoreReadings, and the rate of each, NaN where it is not known.
 * @typedef {{rows: number, row: Uint32Array, start: Float64Array, end: Float64Array, perS: Float64Array}} UncoreRows
 */

const PREFIXES = ["", "k", "M", "G", "T", "P"];

/** @param {string} unit of an amount, as the kernel gives it @returns {string} of its rate */
export function unitOfRate(unit) {
	return unit === "Joules" ? "W" : `${unit}/s`;
}

/** @param {number} value @returns {string} three significant digits at least, "12.3 M" of many */
function prefixed(value) {
	const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(value, 1)) / 3), 0), PREFIXES.length - 1);
	const scaled = value / 1000 ** power;
	const digits = Math.max(0, 2 - Math.max(Math.floor(Math.log10(Math.max(scaled, 1))), 0));
	return `${scaled.toFixed(digits)} ${PREFIXES[power]}`;
}

/** @param {UncoreCounter} counter @param {number} perS in units @returns {string} "11.7 W", "3.20 M/s" */
export const rateText = ({ unit }, perS) => Number.isNaN(perS) ? "not known" : `${prefixed(perS)}${unit}`;

/** @param {UncoreCounter} counter @param {number} count @param {number} lasted ns @returns {number} in units */
export const rateOf = ({ scale }, count, lasted) => lasted ? count * scale * 1e9 / lasted : NaN;

/**
 * @param {UncoreReadings} readings in the order of their begins @param {UncoreCounter[]} counters
 * @returns {UncoreRows[]}
 */
export function uncoreRows(readings, counters) {
	/** @type {number[][]} */
	const rowsOf = counters.map(() => []);
	for (let i = 0; i < readings.rows; i++)
		if (rowsOf[readings.counter[i]])
			rowsOf[readings.counter[i]].push(i);
	return rowsOf.map((own, place) => ({
		rows: own.length, row: Uint32Array.from(own),
		start: Float64Array.from(own, (i) => readings.start[i]),
		end: Float64Array.from(own, (i) => readings.end[i]),
		perS: Float64Array.from(own, (i) => readings.running[i] ?
			rateOf(counters[place], readings.count[i], readings.lasted[i]) : NaN),
	}));
}
