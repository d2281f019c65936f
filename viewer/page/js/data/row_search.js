// SPDX-License-Identifier: GPL-2.0
/*
 * Bisections of columns that ascend.
 */
/** @typedef {ArrayLike<number>} Numbers */

/**
 * The first index in [from, to) whose value is at least @value, else @to.
 * @param {Numbers} array
 * @param {number} value
 * @param {number} from
 * @param {number} to
 * @returns {number}
 */
export function lowerBound(array, value, from = 0, to = array.length) {
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (array[middle] < value)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/**
 * The last index whose value is at most @value, or -1.
 * @param {Numbers} array
 * @param {number} value
 * @param {number} from
 * @param {number} to
 * @returns {number}
 */
export function lastAtMost(array, value, from = 0, to = array.length) {
	const low = from;
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (array[middle] <= value)
			from = middle + 1;
		else
			to = middle;
	}
	return from > low ? from - 1 : -1;
}

/**
 * The first place in @rows whose row's time is at least @ns.
 * @param {Numbers} rows
 * @param {Numbers} times
 * @param {number} ns
 * @returns {number}
 */
export function firstRowFrom(rows, times, ns) {
	let from = 0;
	let to = rows.length;
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (times[rows[middle]] < ns)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/**
 * lowerBound(), for an answer that is likely near.
 * @param {Numbers} array
 * @param {number} from
 * @param {number} to
 * @param {number} value
 * @returns {number}
 */
export function gallop(array, from, to, value) {
	if (from >= to || array[from] >= value)
		return from;
	let step = 8;
	while (from + step < to && array[from + step] < value) {
		from += step;
		step *= 2;
	}
	return lowerBound(array, value, from, Math.min(from + step, to));
}
