// SPDX-License-Identifier: GPL-2.0
/*
 * The names of threads and the texts of rows, as lanes and facts have them.
 */
import { GAP_MISSING, MARK_HAS_VALUE, SPAN_HAS_VALUE } from "./codes.js";
import { counted } from "./units.js";

/** @typedef {import("./tables.js").Gaps} Gaps */
/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./store.js").Thread} Thread */
/** @typedef {import("./tables.js").ValueColumn} ValueColumn */

/** @param {Store} store @param {number} index @returns {string} */
export function threadName(store, index) {
	const thread = store.threads[index];
	return `${thread.comm || "(no name)"} ${thread.tid}`;
}

/** @param {Gaps} gaps @param {number} row @returns {string} */
export function gapText({ events, kind }, row) {
	if (kind[row] === GAP_MISSING)
		return "a switch is missing";
	return events[row] ? `${counted(events[row], "event")} lost` : "events lost";
}

/** @param {ValueColumn} column @param {number} row @returns {string} */
export function valueText(column, row) {
	return column.exact.get(row) || String(column[row]);
}

/** @param {Store} store @param {Thread} thread @param {number} row @returns {string} */
export function spanText(store, thread, row) {
	const { spans } = thread;
	const name = store.string(spans.name[row]);
	return spans.flags[row] & SPAN_HAS_VALUE ? `${name} ${valueText(spans.value, row)}` : name;
}

/** @param {Store} store @param {Thread} thread @param {number} row @returns {string} */
export function markText(store, thread, row) {
	const { marks } = thread;
	const name = store.string(marks.name[row]);
	return marks.flags[row] & MARK_HAS_VALUE ? `${name} ${valueText(marks.value, row)}` : name;
}
