// SPDX-License-Identifier: GPL-2.0
/*
 * From an item to the one before or after it: in its lane, or of its name.
 */
import { MARK_IS_COUNTER, STATE } from "../data/codes.js";
import { itemFromText, itemToText, startOfRow, stateItem, tableOf, threadOf, timeOf } from "../data/items.js";
import { firstRowFrom, lowerBound } from "../data/row_search.js";
import { Hits, onlyName } from "./hits.js";

/** @typedef {import("../data/items.js").Item} Item */
/** @typedef {import("../data/row_search.js").Numbers} Numbers */
/** @typedef {import("../data/windows.js").Progress} Progress */
/** @typedef {import("../data/items.js").RowItem} RowItem */
/** @typedef {import("../data/store.js").Store} Store */
/** @typedef {import("../data/windows.js").Wanted} Wanted */
/** @typedef {import("../data/windows.js").Windows} Windows */

/**
 * What to look for, in any store: text and ns are those of the item to start from ("": none). In a
 * dense one rows follow each other without overlap, as those of a lane do. again() begins anew at the
 * other end.
 * @typedef {{
 *	text: string, ns: number, isDense: boolean, find(store: Store, step: number): RowItem | null,
 *	again?(store: Store, step: number): RowItem | null,
 * }} Course
 */
/** @typedef {{rows: Numbers | null, start: Numbers, kind?: Item["kind"]}} RowList of all rows if null; of items of this kind only */

/**
 * Of rows[] (null: all) of a table: the row next to the item that a text names, or to a time; or -1.
 * @param {RowList} list
 * @param {number | null} origin
 * @param {number} ns
 * @param {number} step
 */
function rowBeside({ rows, start }, origin, ns, step) {
	const nr = rows ? rows.length : start.length;
	const own = origin === null ? -1 : rows ? lowerBound(rows, origin) : origin;
	/** @type {number} */
	let i;
	if (own >= 0 && own < nr && (!rows || rows[own] === origin))
		i = own + step;
	else if (rows)
		i = step > 0 ? firstRowFrom(rows, start, ns + 1) : firstRowFrom(rows, start, ns) - 1;
	else
		i = step > 0 ? lowerBound(start, ns + 1) : lowerBound(start, ns) - 1;
	if (i < 0 || i >= nr)
		return -1;
	return rows ? rows[i] : i;
}

/**
 * A course along the rows that @listOf(store) tells; @toItem(store, row).
 * @param {Store} store
 * @param {RowItem} item
 * @param {(store: Store) => RowList} listOf
 * @param {(store: Store, row: number) => RowItem} toItem
 */
function courseAlong(store, item, listOf, toItem) {
	const text = itemToText(store, item);
	const ns = startOfRow(store, item);
	return {
		text, ns, isDense: true,
		/** @param {Store} other @param {number} step */
		find(other, step) {
			const list = listOf(other);
			const origin = list.kind && list.kind !== item.kind ? null : itemFromText(other, text);
			const row = rowBeside(list, origin?.row ?? null, ns, step);
			return row < 0 ? null : toItem(other, row);
		},
	};
}

/**
 * Along the lane, among those of the same sort; null where there is no such thing.
 * @param {Store} store
 * @param {Item} item
 * @returns {Course | null}
 */
export function courseInLane(store, item) {
	if (item.kind === "thread")
		return null;
	/** @type {(other: Store, row: number) => RowItem} */
	const toItem = (other, row) => item.kind === "slots" ? { ...item, nr: 1, row } : { ...item, row };
	if (item.kind === "span") {
		const { thread } = item;
		const depth = store.threads[thread].spans.depth[item.row];
		return courseAlong(store, item, (other) => ({
			rows: other.threads[thread].levels[depth].row, start: other.threads[thread].spans.start,
		}), toItem);
	}
	if (item.kind === "kernel") {
		const { thread } = item;
		const depth = store.threads[thread].kernelSlices.depth[item.row];
		return courseAlong(store, item, (other) => ({
			rows: other.threads[thread].kernelLevels[depth].row, start: other.threads[thread].kernelSlices.start,
		}), toItem);
	}
	if (item.kind === "mark") {
		const { thread } = item;
		const { marks } = store.threads[thread];
		const name = marks.name[item.row];
		const isCounter = marks.flags[item.row] & MARK_IS_COUNTER;
		return courseAlong(store, item, (other) => {
			const own = other.threads[thread];
			const series = own.counters.find((counter) => counter.name === name);
			return { rows: isCounter && series ? series.row : own.points, start: own.marks.start };
		}, toItem);
	}
	if (item.kind === "message") {
		const [sender, receiver] = [store.messages.sender[item.row], store.messages.receiver[item.row]];
		return courseAlong(store, item, (other) => ({
			rows: other.messagesOf.sent.of(sender).filter((row) => other.messages.receiver[row] === receiver),
			start: other.messages.start,
		}), toItem);
	}
	return courseAlong(store, item, (other) => ({ rows: null, start: tableOf(other, item).start }),
		item.kind === "state" ? (other, row) => stateItem(other, item.thread, row) : toItem);
}

/**
 * Whether an item has a name of its own.
 * @param {Item} item
 * @returns {item is Extract<Item, {kind: "span" | "mark" | "kernel" | "event"}>}
 */
export function isNamed(item) {
	return ["span", "mark", "kernel", "event"].includes(item.kind);
}

/**
 * The name of a span or a mark, as a string's number.
 * @param {Store} store
 * @param {RowItem} item
 * @returns {number}
 */
export function nameOfRow(store, item) {
	const { name } = tableOf(store, item);
	return name ? name[item.row] : -1;
}

/**
 * By the name of a span, a mark or, on its CPU, an interrupt, a slice's thread, a state's sort; else along the lane.
 * @param {Store} store
 * @param {Item} item
 * @returns {Course | null}
 */
export function courseByName(store, item) {
	if (item.kind === "slice" || item.kind === "state") {
		const thread = threadOf(store, item);
		const state = item.kind === "slice" ? STATE.RUNNING : store.threads[thread].states.state[item.row];
		return courseAlong(store, item, (other) => {
			const { states } = other.threads[thread];
			/** @type {number[]} */
			const rows = [];
			for (let row = 0; row < states.rows; row++)
				if (states.state[row] === state)
					rows.push(row);
			return { kind: "state", rows, start: states.start };
		}, (other, row) => stateItem(other, thread, row));
	}
	if (isNamed(item)) {
		return courseOfHits(itemToText(store, item), timeOf(store, item)[0],
			onlyName(store, nameOfRow(store, item)));
	}
	if (item.kind === "interrupt") {
		const name = nameOfRow(store, item);
		return courseAlong(store, item, (other) => {
			const { interrupts } = other.cpus[item.cpu];
			/** @type {number[]} */
			const rows = [];
			for (let row = 0; row < interrupts.rows; row++)
				if (interrupts.name[row] === name)
					rows.push(row);
			return { rows, start: interrupts.start };
		}, (other, row) => ({ ...item, row }));
	}
	return courseInLane(store, item);
}

/**
 * Over the spans and marks of all threads whose names are @wanted, and round; from a time if no @text.
 * @param {string} text
 * @param {number} ns
 * @param {Uint8Array} wanted
 * @param {(text: number) => boolean} [isText] of events
 * @returns {Course}
 */
export function courseOfHits(text, ns, wanted, isText) {
	/** @type {Hits | null} */
	let last = null;
	/** @param {Store} store */
	const hitsIn = (store) => {
		if (!last || last.store !== store)
			last = new Hits(store, wanted, isText);
		return last;
	};
	return {
		text, ns, isDense: false,
		find: (store, step) => hitsIn(store).next(text ? itemFromText(store, text) : null, ns, step),
		again: (store, step) => hitsIn(store).outermost(step),
	};
}

/**
 * Is there nothing between where a course starts and what it found in this store?
 * @param {Store} store
 * @param {Course} course
 * @param {RowItem | null} found
 * @param {number} step
 */
function isCertain(store, course, found, step) {
	if (!found)
		return false;
	if (store.isWhole || (step < 0 && course.isDense && store.isInside(course.ns)))
		return true;
	return store.isInside(course.ns) && store.isInside(startOfRow(store, found));
}

/**
 * One step in a store that is there: an item; null: none; undefined: other windows must be asked.
 * @param {Store} store
 * @param {Course} course
 * @param {number} step
 * @returns {RowItem | null | undefined}
 */
export function stepHere(store, course, step) {
	const found = course.find(store, step);
	if (isCertain(store, course, found, step))
		return found;
	if (!store.isWhole)
		return undefined;
	return course.again ? course.again(store, step) : null;
}

/**
 * Pairs of windows, since what begins at a cut may be in either, from a time on: [first, past).
 * @param {Windows} pages @param {number} window @param {number} step
 */
function* pairsFrom(pages, window, step) {
	for (let first = Math.max(window - 1, 0); first >= 0 && first < pages.nr; first += step) {
		const past = Math.min(first + 2, pages.nr);
		yield [first, past];
		if (step > 0 && past === pages.nr)
			return;
	}
}

/**
 * The same by loading windows one after the other: the text of what was found, or null.
 * @param {Windows} pages
 * @param {Course} course
 * @param {number} step
 * @param {Wanted} wanted
 * @param {Progress} progress
 * @returns {Promise<string | null>}
 */
export async function stepFar(pages, course, step, wanted, progress) {
	/**
	 * @param {number} window
	 * @param {(store: Store) => RowItem | null} find
	 * @param {(store: Store, found: RowItem) => boolean} isGood
	 */
	const look = async (window, find, isGood) => {
		let nr = 0;
		for (const [first, past] of pairsFrom(pages, window, step)) {
			progress(nr++, pages.nr);
			const from = pages.leftOut.has(first) ? first + 1 : first;
			const to = past > from && pages.leftOut.has(past - 1) ? past - 1 : past;
			if (from >= to)
				continue;
			const store = await pages.storeOf(from, to, wanted);
			if (!store)
				return null;
			const found = find(store);
			if (found && isGood(store, found))
				return itemToText(store, found);
		}
		return null;
	};
	/** @param {Store} store @param {RowItem} found */
	const isReached = (store, found) => (step < 0 && course.isDense) ||
		store.isInside(startOfRow(store, found));
	const found = await look(pages.at(course.ns), (store) => course.find(store, step), isReached);
	const { again } = course;
	if (found || !again || !wanted())
		return found;
	return look(step > 0 ? 0 : pages.nr, (store) => again(store, step), isReached);
}
