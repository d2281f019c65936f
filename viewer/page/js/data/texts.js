// SPDX-License-Identifier: GPL-2.0
/*
 * The names of threads and the texts of rows, as lanes and facts have them.
 */
import { GAP_MISSING, KERNEL, KERNEL_HAS_VALUE, MARK_HAS_VALUE, SPAN_HAS_VALUE } from "./codes.js";
import { counted } from "./units.js";

/** @typedef {import("./tables.js").Gaps} Gaps */
/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./owners.js").Thread} Thread */
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

/** @param {Store} store @param {number} row of traceEvents @returns {string} */
export function eventThreadName(store, row) {
	const thread = store.traceEvents.thread[row] - 1;
	return thread < 0 ? "idle, or not known" : threadName(store, thread);
}

/** @param {Store} store @param {Thread} thread @param {number} row @returns {string} */
export function spanText(store, thread, row) {
	const { spans } = thread;
	const name = store.string(spans.name[row]);
	return spans.flags[row] & SPAN_HAS_VALUE ? `${name} ${valueText(spans.value, row)}` : name;
}

/**
 * What a system call returned, "ENOENT" where that is an error; the address of a lock or a page fault; or "".
 * @param {Store} store @param {Thread} thread @param {number} row @returns {string}
 */
export function kernelValueText(store, thread, row) {
	const { kernelSlices: { flags, kind, value } } = thread;
	if (!(flags[row] & KERNEL_HAS_VALUE))
		return "";
	if (kind[row] === KERNEL.LOCK || kind[row] === KERNEL.FAULT)
		return `0x${BigInt.asUintN(64, BigInt(valueText(value, row))).toString(16)}`;
	return kernelError(store, thread, row) || valueText(value, row);
}

/**
 * The name of the error that a system call returned, or "".
 * @param {Store} store @param {Thread} thread @param {number} row @returns {string}
 */
export function kernelError({ head }, { kernelSlices: { kind, value } }, row) {
	return kind[row] === KERNEL.SYSCALL && head.kernel && head.kernel.errors[String(-value[row])] || "";
}

/**
 * "read(3, 0x7ffc12, 100) = 17".
 * @param {Store} store @param {Thread} thread @param {number} row @returns {string}
 */
export function kernelText(store, thread, row) {
	const { kernelSlices: { kind, name, text } } = thread;
	const own = store.string(name[row]);
	const more = store.string(text[row]);
	if (kind[row] === KERNEL.SYSCALL) {
		const value = kernelValueText(store, thread, row);
		return `${own}(${more})${value ? ` = ${value}` : ""}`;
	}
	return more && kind[row] !== KERNEL.FUNCTION ? `${own}: ${more}` : own;
}

/** @param {Store} store @param {Thread} thread @param {number} row @returns {string} */
export function markText(store, thread, row) {
	const { marks } = thread;
	const name = store.string(marks.name[row]);
	return marks.flags[row] & MARK_HAS_VALUE ? `${name} ${valueText(marks.value, row)}` : name;
}
