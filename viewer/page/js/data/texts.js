// SPDX-License-Identifier: GPL-2.0
/*
 * The names of threads and the texts of rows, as lanes and facts have them.
 */
import { GAP_MISSING, MARK_HAS_VALUE, SPAN_HAS_VALUE } from "./codes.js";
import { counted } from "./units.js";

export function threadName(store, index) {
	const thread = store.threads[index];
	return `${thread.comm || "(no name)"} ${thread.tid}`;
}

export function gapText({ events, kind }, row) {
	if (kind[row] === GAP_MISSING)
		return "a switch is missing";
	return events[row] ? `${counted(events[row], "event")} lost` : "events lost";
}

export function valueText(column, row) {
	return column.exact.get(row) || String(column[row]);
}

export function spanText(store, thread, row) {
	const { spans } = thread;
	const name = store.string(spans.name[row]);
	return spans.flags[row] & SPAN_HAS_VALUE ? `${name} ${valueText(spans.value, row)}` : name;
}

export function markText(store, thread, row) {
	const { marks } = thread;
	const name = store.string(marks.name[row]);
	return marks.flags[row] & MARK_HAS_VALUE ? `${name} ${valueText(marks.value, row)}` : name;
}
