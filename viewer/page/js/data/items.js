// SPDX-License-Identifier: GPL-2.0
/*
 * Items: what can be hovered, selected and linked to. A mark's item may be a value of a counter.
 *
 * Rows are those of one store. What outlives it is an item's text: "span.3.17" in a page that is
 * loaded as a whole; else by time, "span.3@12345.1" (of thread 3, at 12345 ns, of depth 1), since
 * rows have other numbers in every store; "+1" is the second of those that are alike so far.
 *
 * A thread's running state is the slice: only where the slice is missing does it stand for itself.
 */
import { MARK_IS_COUNTER } from "./codes.js";
import { lowerBound } from "./row_search.js";

/** @typedef {import("./row_search.js").Numbers} Numbers */
/** @typedef {import("./store.js").Store} Store */

/** @typedef {{kind: "slice", cpu: number, row: number, thread?: undefined}} SliceItem */
/** @typedef {{kind: "gap", cpu: number, row: number, thread?: undefined}} GapItem */
/** @typedef {{kind: "interrupt", cpu: number, row: number, thread?: undefined}} InterruptItem */
/** @typedef {{kind: "idle", cpu: number, row: number, thread?: undefined}} IdleItem */
/** @typedef {{kind: "frequency", cpu: number, row: number, thread?: undefined}} FrequencyItem */
/** @typedef {{kind: "state", thread: number, row: number, cpu?: undefined}} StateItem */
/** @typedef {{kind: "span", thread: number, row: number, cpu?: undefined}} SpanItem */
/** @typedef {{kind: "mark", thread: number, row: number, cpu?: undefined}} MarkItem */
/** @typedef {{kind: "kernel", thread: number, row: number, cpu?: undefined}} KernelItem */
/** @typedef {{kind: "migration", row: number, cpu?: undefined, thread?: undefined}} MigrationItem */
/** @typedef {{kind: "message", row: number, cpu?: undefined, thread?: undefined}} MessageItem */
/** @typedef {{kind: "request", row: number, cpu?: undefined, thread?: undefined}} RequestItem to a block device */
/** @typedef {{kind: "reading", row: number, cpu?: undefined, thread?: undefined}} ReadingItem of a counter that CPUs share */
/** @typedef {{kind: "sample", row: number, cpu?: undefined, thread?: undefined}} SampleItem */
/** @typedef {{kind: "slots", thread: number, nr: number, row: number, cpu?: undefined}} SlotsItem so many slices from a row on */
/** @typedef {{kind: "event", row: number, cpu?: undefined, thread?: undefined}} EventItem */
/** @typedef {{kind: "thread", thread: number, cpu?: undefined, row?: undefined}} ThreadItem */
/**
 * @typedef {SliceItem | GapItem | InterruptItem | IdleItem | FrequencyItem | StateItem | SpanItem | MarkItem | KernelItem | MigrationItem |
 *	MessageItem | RequestItem | ReadingItem | SampleItem | SlotsItem | EventItem} RowItem
 */
/** @typedef {RowItem | ThreadItem} Item */
/**
 * What the tables of all items have; name and depth are those of spans and marks.
 * @typedef {{rows: number, start: Numbers, name?: Uint32Array, depth?: Uint8Array}} ItemRows
 */
/**
 * What there is to know of items of a kind: their time, thread (-1: none), lane and table; the fields
 * that name one, in the order of an item's text.
 * @template I
 * @typedef {{
 *	time(store: Store, item: I): [number, number],
 *	thread(store: Store, item: I): number,
 *	lane(store: Store, item: I): string,
 *	table(store: Store, item: I): ItemRows,
 *	fields: ("cpu" | "thread" | "nr" | "row")[],
 * }} ItemKind
 */

/** @type {ItemRows} */
const NO_ROWS = { rows: 0, start: [] };

/**
 * There is an item only where there are any.
 * @param {Store} store @param {number} thread @returns {import("./slots.js").SlotRows}
 */
export function slotRows({ slots }, thread) {
	if (!slots)
		throw new Error("issue slots were asked for of a trace that has none");
	return slots[thread];
}

/** @type {{[K in Item["kind"]]: ItemKind<Extract<Item, {kind: K}>>}} */
const itemKinds = {
	slice: {
		time: (store, { cpu, row }) =>
			[store.cpus[cpu].slices.start[row], store.cpus[cpu].slices.end[row]],
		thread: (store, { cpu, row }) => store.cpus[cpu].slices.thread[row],
		lane: (store, { cpu }) => `cpu ${cpu}`,
		table: (store, { cpu }) => store.cpus[cpu] ? store.cpus[cpu].slices : NO_ROWS,
		fields: ["cpu", "row"],
	},
	state: {
		time: (store, { thread, row }) =>
			[store.threads[thread].states.start[row], store.stateEnd(thread, row)],
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		table: (store, { thread }) => store.threads[thread] ? store.threads[thread].states : NO_ROWS,
		fields: ["thread", "row"],
	},
	span: {
		time: (store, { thread, row }) =>
			[store.threads[thread].spans.start[row], store.threads[thread].spans.end[row]],
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		table: (store, { thread }) => store.threads[thread] ? store.threads[thread].spans : NO_ROWS,
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
		table: (store, { thread }) => store.threads[thread] ? store.threads[thread].marks : NO_ROWS,
		fields: ["thread", "row"],
	},
	kernel: {
		time: (store, { thread, row }) =>
			[store.threads[thread].kernelSlices.start[row], store.threads[thread].kernelSlices.end[row]],
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		table: (store, { thread }) => store.threads[thread] ? store.threads[thread].kernelSlices : NO_ROWS,
		fields: ["thread", "row"],
	},
	gap: {
		time: (store, { cpu, row }) =>
			[store.cpus[cpu].gaps.start[row], store.cpus[cpu].gaps.end[row]],
		thread: () => -1,
		lane: (store, { cpu }) => `cpu ${cpu}`,
		table: (store, { cpu }) => store.cpus[cpu] ? store.cpus[cpu].gaps : NO_ROWS,
		fields: ["cpu", "row"],
	},
	interrupt: {
		time: (store, { cpu, row }) =>
			[store.cpus[cpu].interrupts.start[row], store.cpus[cpu].interrupts.end[row]],
		thread: (store, { cpu, row }) => store.cpus[cpu].interrupts.thread[row] - 1,
		lane: (store, { cpu }) => `cpu ${cpu}`,
		table: (store, { cpu }) => store.cpus[cpu] ? store.cpus[cpu].interrupts : NO_ROWS,
		fields: ["cpu", "row"],
	},
	idle: {
		time: (store, { cpu, row }) => [store.cpus[cpu].idle.start[row], store.cpus[cpu].idle.end[row]],
		thread: () => -1,
		lane: (store, { cpu }) => `cpu ${cpu}`,
		table: (store, { cpu }) => store.cpus[cpu] ? store.cpus[cpu].idle : NO_ROWS,
		fields: ["cpu", "row"],
	},
	frequency: {
		time: (store, { cpu, row }) =>
			[store.cpus[cpu].frequencies.start[row], store.cpus[cpu].frequencies.end[row]],
		thread: () => -1,
		lane: (store, { cpu }) => `cpu ${cpu}`,
		table: (store, { cpu }) => store.cpus[cpu] ? store.cpus[cpu].frequencies : NO_ROWS,
		fields: ["cpu", "row"],
	},
	migration: {
		time: (store, { row }) => [store.migrations.left[row], store.migrations.start[row]],
		thread: (store, { row }) => store.migrations.thread[row],
		lane: (store, { row }) => `cpu ${store.migrations.to[row]}`,
		table: (store) => store.migrations,
		fields: ["row"],
	},
	message: {
		time: (store, { row }) => [store.messages.start[row], store.messages.end[row]],
		thread: (store, { row }) => store.messages.receiver[row],
		lane: (store, { row }) => `thread ${store.messages.receiver[row]}`,
		table: (store) => store.messages,
		fields: ["row"],
	},
	request: {
		time: (store, { row }) => [store.blockIo.start[row], store.blockIo.end[row]],
		thread: (store, { row }) => store.blockIo.thread[row] - 1,
		lane: (store, { row }) => `device ${store.blockIo.device[row]}`,
		table: (store) => store.blockIo,
		fields: ["row"],
	},
	reading: {
		time: (store, { row }) => [store.uncoreReadings.start[row], store.uncoreReadings.end[row]],
		thread: () => -1,
		lane: (store, { row }) => `uncore ${store.uncoreReadings.counter[row]}`,
		table: (store) => store.uncoreReadings,
		fields: ["row"],
	},
	sample: {
		time: (store, { row }) => [store.samples.start[row], store.samples.start[row]],
		thread: (store, { row }) => store.samples.thread[row] - 1,
		lane: (store, { row }) => `cpu ${store.samples.cpu[row]}`,
		table: (store) => store.samples,
		fields: ["row"],
	},
	slots: {
		time(store, { thread, nr, row }) {
			const rows = slotRows(store, thread);
			return [rows.start[row], rows.end(Math.min(row + nr, rows.rows) - 1)];
		},
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		table: (store, { thread }) => store.slots?.[thread] || NO_ROWS,
		fields: ["thread", "nr", "row"],
	},
	event: {
		time: (store, { row }) => [store.traceEvents.start[row], store.traceEvents.start[row]],
		thread: (store, { row }) => store.traceEvents.thread[row] - 1,
		lane: (store, { row }) => `cpu ${store.traceEvents.cpu[row]}`,
		table: (store) => store.traceEvents,
		fields: ["row"],
	},
	thread: {
		time: (store, { thread }) => [store.isWhole && store.threads[thread].states.start[0] || 0, store.duration],
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		table: () => NO_ROWS,
		fields: ["thread"],
	},
};

/** @type {(item: {kind: Item["kind"]}) => ItemKind<Item>} */
const kindOf = ({ kind }) => itemKinds[kind];

/**
 * From when to when: the same twice where an item is an instant.
 * @type {(store: Store, item: Item) => [number, number]}
 */
export const timeOf = (store, item) => kindOf(item).time(store, item);

/**
 * The thread that an item is of, or -1.
 * @type {(store: Store, item: Item) => number}
 */
export const threadOf = (store, item) => kindOf(item).thread(store, item);

/**
 * The id of the lane in which an item stands.
 * @type {(store: Store, item: Item) => string}
 */
export const laneOf = (store, item) => kindOf(item).lane(store, item);

/**
 * The table whose rows an item's row is one of.
 * @type {(store: Store, item: Item) => ItemRows}
 */
export const tableOf = (store, item) => kindOf(item).table(store, item);

/**
 * When the row of an item begins.
 * @type {(store: Store, item: RowItem) => number}
 */
export const startOfRow = (store, item) => tableOf(store, item).start[item.row];

/** @param {Item} item */
const nrOf = (item) => item.kind === "slots" ? item.nr : 1;

/** @param {Item} item @param {ItemKind<Item>["fields"][number]} field */
const fieldOf = (item, field) => field === "nr" ? nrOf(item) : item[field];

/**
 * Are they the same one, of one store?
 * @param {Item | null} a
 * @param {Item | null} b
 * @returns {boolean}
 */
export function sameItem(a, b) {
	return a === b || Boolean(a && b && a.kind === b.kind && a.row === b.row && a.cpu === b.cpu &&
		a.thread === b.thread && nrOf(a) === nrOf(b));
}

/**
 * What names an item in any store: see above.
 * @param {Store} store
 * @param {Item} item
 * @returns {string}
 */
export function itemToText(store, item) {
	const { fields } = kindOf(item);
	if (store.pages.isWhole || item.kind === "thread")
		return [item.kind, ...fields.map((field) => fieldOf(item, field))].join(".");
	const owner = [item.kind, ...fields.slice(0, -1).map((field) => fieldOf(item, field))].join(".");
	const table = tableOf(store, item);
	const depth = table.depth ? `.${table.depth[item.row]}` : "";
	const before = rowsAlike(table, table.start[item.row], table.depth && table.depth[item.row])
		.indexOf(item.row);
	return `${owner}@${table.start[item.row]}${depth}${before > 0 ? `+${before}` : ""}`;
}

/**
 * The rows that begin at @ns, of one depth where there is any.
 * @param {ItemRows} table @param {number} ns @param {number | undefined} depth
 */
function rowsAlike(table, ns, depth) {
	const rows = [];
	for (let row = lowerBound(table.start, ns); row < table.rows && table.start[row] === ns; row++)
		if (depth === undefined || !table.depth || table.depth[row] === depth)
			rows.push(row);
	return rows;
}

const ITEM_TEXT = /^([a-z]+)((?:\.\d{1,15})*)(?:@(\d{1,15})(?:\.(\d{1,3}))?(?:\+(\d{1,9}))?)?$/;

/** @type {(kind: string | undefined) => kind is Item["kind"]} */
const isKind = (kind) => kind !== undefined && Object.hasOwn(itemKinds, kind);

/**
 * {item without a row, numbers, ns, depth, before}, or null when no item is written so.
 * @param {string} text
 */
function parseItem(text) {
	const [, kind, numbers, ns, depth, before = "0"] = ITEM_TEXT.exec(text) || [];
	if (!isKind(kind))
		return null;
	return {
		kind, numbers: numbers.split(".").slice(1).map(Number), ns: ns === undefined ? null : Number(ns),
		depth: depth === undefined ? undefined : Number(depth), before: Number(before),
	};
}

/**
 * The time of a text that is by time, or null.
 * @param {string} text
 * @returns {number | null}
 */
export function timeOfText(text) {
	const parsed = parseItem(text);
	return parsed && parsed.ns;
}

/**
 * Its fields are those of its kind, of which the last may be missing yet.
 * @param {Item["kind"]} kind @param {ItemKind<Item>["fields"]} fields @param {number[]} numbers
 */
function newItem(kind, fields, numbers) {
	const values = numbers.map((number, i) => [fields[i], number]);
	return /** @type {Item} */ ({ kind, ...Object.fromEntries(values) });
}

/**
 * The item of a text, or null when there is no such item in this store.
 * @param {Store} store
 * @param {string} text
 * @returns {ThreadItem | RowItem | null}
 */
export function itemFromText(store, text) {
	const parsed = parseItem(text);
	if (!parsed)
		return null;
	const { kind, numbers, ns, depth, before } = parsed;
	const { fields } = itemKinds[kind];
	const byTime = ns !== null;
	if (numbers.length !== fields.length - (byTime ? 1 : 0) ||
	    (byTime ? kind === "thread" : kind !== "thread" && !store.pages.isWhole))
		return null;
	const item = newItem(kind, fields, numbers);
	if (item.thread !== undefined && item.thread >= store.threads.length)
		return null;
	if (item.kind === "thread")
		return item;
	const rows = tableOf(store, item);
	if (byTime)
		item.row = rowsAlike(rows, ns, rows.depth && depth)[before];
	return item.row < rows.rows ? item : null;
}

/**
 * A state as an item: the slice, when it is one.
 * @param {Store} store
 * @param {number} thread
 * @param {number} row
 * @returns {SliceItem | StateItem}
 */
export function stateItem(store, thread, row) {
	const slice = store.sliceOfState(thread, row);
	return slice ? { kind: "slice", ...slice } : { kind: "state", thread, row };
}
