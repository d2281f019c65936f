// SPDX-License-Identifier: GPL-2.0
/*
 * Items: what can be hovered, selected and linked to. Plain objects:
 *
 *   {kind: "slice", cpu, row}	{kind: "state", thread, row}	{kind: "span", thread, row}
 *   {kind: "mark", thread, row}	(a mark or a value of a counter)
 *   {kind: "gap", cpu, row}	{kind: "migration", row}	{kind: "thread", thread}
 *   {kind: "sample", row}
 *
 * Rows are those of one store. What outlives it is an item's text: "span.3.17" in a page that is
 * loaded as a whole; else by time, "span.3@12345.1" (of thread 3, at 12345 ns, of depth 1), since
 * rows have other numbers in every store; "+1" is the second of those that are alike so far.
 *
 * A thread's running state is the slice: only where the slice is missing does it stand for itself.
 */
import { MARK_IS_COUNTER } from "./codes.js";
import { lowerBound } from "./row_search.js";

const NO_OWNER = Object.fromEntries(["slices", "states", "spans", "marks", "gaps"].map((name) =>
	[name, { rows: 0, start: [] }]));

export const itemKinds = {
	slice: {
		time: (store, { cpu, row }) =>
			[store.cpus[cpu].slices.start[row], store.cpus[cpu].slices.end[row]],
		thread: (store, { cpu, row }) => store.cpus[cpu].slices.thread[row],
		lane: (store, { cpu }) => `cpu ${cpu}`,
		table: (store, { cpu }) => (store.cpus[cpu] || NO_OWNER).slices,
		fields: ["cpu", "row"],
	},
	state: {
		time: (store, { thread, row }) =>
			[store.threads[thread].states.start[row], store.stateEnd(thread, row)],
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		table: (store, { thread }) => (store.threads[thread] || NO_OWNER).states,
		fields: ["thread", "row"],
	},
	span: {
		time: (store, { thread, row }) =>
			[store.threads[thread].spans.start[row], store.threads[thread].spans.end[row]],
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		table: (store, { thread }) => (store.threads[thread] || NO_OWNER).spans,
		fields: ["thread", "row"],
	},
	mark: {
		time: (store, { thread, row }) =>
			[store.threads[thread].marks.start[row], store.threads[thread].marks.start[row]],
		thread: (store, { thread }) => thread,
		lane: (store, { thread, row }) => {
			const { marks } = store.threads[thread];
			return marks.flags[row] & MARK_IS_COUNTER ?
				`counter ${thread} ${marks.name[row]}` : `thread ${thread}`;
		},
		table: (store, { thread }) => (store.threads[thread] || NO_OWNER).marks,
		fields: ["thread", "row"],
	},
	gap: {
		time: (store, { cpu, row }) =>
			[store.cpus[cpu].gaps.start[row], store.cpus[cpu].gaps.end[row]],
		thread: () => -1,
		lane: (store, { cpu }) => `cpu ${cpu}`,
		table: (store, { cpu }) => (store.cpus[cpu] || NO_OWNER).gaps,
		fields: ["cpu", "row"],
	},
	migration: {
		time: (store, { row }) => [store.migrations.left[row], store.migrations.start[row]],
		thread: (store, { row }) => store.migrations.thread[row],
		lane: (store, { row }) => `cpu ${store.migrations.to[row]}`,
		table: (store) => store.migrations,
		fields: ["row"],
	},
	sample: {
		time: (store, { row }) => [store.samples.start[row], store.samples.start[row]],
		thread: (store, { row }) => store.samples.thread[row] - 1,
		lane: (store, { row }) => `cpu ${store.samples.cpu[row]}`,
		table: (store) => store.samples,
		fields: ["row"],
	},
	thread: {
		time: (store, { thread }) => [store.isWhole && store.threads[thread].states.start[0] || 0, store.duration],
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		table: () => null,
		fields: ["thread"],
	},
};

export const timeOf = (store, item) => itemKinds[item.kind].time(store, item);
export const threadOf = (store, item) => itemKinds[item.kind].thread(store, item);
export const laneOf = (store, item) => itemKinds[item.kind].lane(store, item);

/* Of one store. */
export function sameItem(a, b) {
	return a === b || Boolean(a && b && a.kind === b.kind && a.row === b.row && a.cpu === b.cpu &&
		a.thread === b.thread);
}

export function itemToText(store, item) {
	const { fields } = itemKinds[item.kind];
	if (store.pages.isWhole || item.kind === "thread")
		return [item.kind, ...fields.map((field) => item[field])].join(".");
	const owner = [item.kind, ...fields.slice(0, -1).map((field) => item[field])].join(".");
	const table = itemKinds[item.kind].table(store, item);
	const depth = table.depth ? `.${table.depth[item.row]}` : "";
	const before = rowsAlike(table, table.start[item.row], table.depth && table.depth[item.row])
		.indexOf(item.row);
	return `${owner}@${table.start[item.row]}${depth}${before > 0 ? `+${before}` : ""}`;
}

/* The rows that begin at @ns, of one depth where there is any. */
function rowsAlike(table, ns, depth) {
	const rows = [];
	for (let row = lowerBound(table.start, ns); row < table.rows && table.start[row] === ns; row++)
		if (depth === undefined || table.depth[row] === depth)
			rows.push(row);
	return rows;
}

const ITEM_TEXT = /^([a-z]+)((?:\.\d{1,15})*)(?:@(\d{1,15})(?:\.(\d{1,3}))?(?:\+(\d{1,9}))?)?$/;

/* {item without a row, numbers, ns, depth, before}, or null when no item is written so. */
function parseItem(text) {
	const [, kind, numbers, ns, depth, before = 0] = ITEM_TEXT.exec(text) || [];
	if (!Object.hasOwn(itemKinds, kind || ""))
		return null;
	return {
		kind, numbers: numbers.split(".").slice(1).map(Number), ns: ns === undefined ? null : Number(ns),
		depth: depth === undefined ? undefined : Number(depth), before: Number(before),
	};
}

/* The time of a text that is by time, or null. */
export function timeOfText(text) {
	const parsed = parseItem(text);
	return parsed && parsed.ns;
}

/* The item of a text, or null when there is no such item in this store. */
export function itemFromText(store, text) {
	const parsed = parseItem(text);
	if (!parsed)
		return null;
	const { kind, numbers, ns, depth, before } = parsed;
	const { fields, table } = itemKinds[kind];
	const byTime = ns !== null;
	if (numbers.length !== fields.length - (byTime ? 1 : 0) ||
	    (byTime ? kind === "thread" : kind !== "thread" && !store.pages.isWhole))
		return null;
	const item = { kind };
	numbers.forEach((number, i) => item[fields[i]] = number);
	if (item.thread !== undefined && item.thread >= store.threads.length)
		return null;
	if (kind === "thread")
		return item;
	const rows = table(store, item);
	if (byTime)
		item.row = rowsAlike(rows, ns, rows.depth && depth)[before];
	return item.row < rows.rows ? item : null;
}

/* A state as an item: the slice, when it is one. */
export function stateItem(store, thread, row) {
	const slice = store.sliceOfState(thread, row);
	return slice ? { kind: "slice", ...slice } : { kind: "state", thread, row };
}
