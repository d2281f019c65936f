// SPDX-License-Identifier: GPL-2.0
/*
 * From an item to the one before or after it: in its lane, or of its name. A course tells what to
 * look for, in any store: {text, ns, isDense, find(store, step)}; text and ns of the item to start
 * from. In a dense one rows follow each other without overlap, as those of a lane do.
 */
import { MARK_IS_COUNTER, STATE } from "../data/codes.js";
import { itemFromText, itemKinds, itemToText, stateItem, threadOf, timeOf } from "../data/items.js";
import { firstRowFrom, lowerBound } from "../data/row_search.js";
import { Hits, onlyName } from "./hits.js";

/* Of rows[] (null: all) of a table: the row next to the item that a text names, or to a time; or -1. */
function rowBeside({ rows, start }, origin, ns, step) {
	const nr = rows ? rows.length : start.length;
	const own = origin === null ? -1 : rows ? lowerBound(rows, origin) : origin;
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

/* A course along the rows that @listOf(store) tells; @toItem(store, row). */
function courseAlong(store, item, listOf, toItem) {
	const text = itemToText(store, item);
	const { start } = itemKinds[item.kind].table(store, item);
	const ns = start[item.row];
	return {
		text, ns, isDense: true,
		find(other, step) {
			const list = listOf(other);
			const origin = list.kind && list.kind !== item.kind ? null : itemFromText(other, text);
			const row = rowBeside(list, origin && origin.row, ns, step);
			return row < 0 ? null : toItem(other, row);
		},
	};
}

/* Along the lane, among those of the same sort; null where there is no such thing. */
export function courseInLane(store, item) {
	const { thread } = item;
	const toItem = (other, row) => ({ ...item, row });
	if (item.kind === "thread")
		return null;
	if (item.kind === "span") {
		const depth = store.threads[thread].spans.depth[item.row];
		return courseAlong(store, item, (other) => ({
			rows: other.threads[thread].levels[depth].row, start: other.threads[thread].spans.start,
		}), toItem);
	}
	if (item.kind === "mark") {
		const { marks } = store.threads[thread];
		const name = marks.name[item.row];
		const isCounter = marks.flags[item.row] & MARK_IS_COUNTER;
		return courseAlong(store, item, (other) => {
			const own = other.threads[thread];
			const rows = isCounter ? own.counters.find((series) => series.name === name).row : own.points;
			return { rows, start: own.marks.start };
		}, toItem);
	}
	return courseAlong(store, item, (other) => {
		const { start } = itemKinds[item.kind].table(other, item);
		return { rows: null, start };
	}, item.kind === "state" ? (other, row) => stateItem(other, thread, row) : toItem);
}

/* By the name of a span or a mark, a slice's thread, a state's sort; else along the lane. */
export function courseByName(store, item) {
	if (item.kind === "slice" || item.kind === "state") {
		const thread = threadOf(store, item);
		const state = item.kind === "slice" ? STATE.RUNNING : store.threads[thread].states.state[item.row];
		return courseAlong(store, item, (other) => {
			const { states } = other.threads[thread];
			const rows = [];
			for (let row = 0; row < states.rows; row++)
				if (states.state[row] === state)
					rows.push(row);
			return { kind: "state", rows, start: states.start };
		}, (other, row) => stateItem(other, thread, row));
	}
	if (item.kind === "span" || item.kind === "mark") {
		const { name } = itemKinds[item.kind].table(store, item);
		return courseOfHits(itemToText(store, item), timeOf(store, item)[0], onlyName(store, name[item.row]));
	}
	return courseInLane(store, item);
}

/* Over the spans and marks of all threads whose names are @wanted, and round; from a time if no @text. */
export function courseOfHits(text, ns, wanted) {
	let last = { store: null, hits: null };
	const hitsIn = (store) => {
		if (last.store !== store)
			last = { store, hits: new Hits(store, wanted) };
		return last.hits;
	};
	return {
		text, ns, isDense: false,
		find: (store, step) => hitsIn(store).next(text ? itemFromText(store, text) : null, ns, step),
		again: (store, step) => hitsIn(store).outermost(step),
	};
}

const startOfRow = (store, item) => itemKinds[item.kind].table(store, item).start[item.row];

/* Is there nothing between where a course starts and what it found in this store? */
function isCertain(store, course, found, step) {
	if (!found)
		return false;
	if (store.isWhole || (step < 0 && course.isDense && store.isInside(course.ns)))
		return true;
	return store.isInside(course.ns) && store.isInside(startOfRow(store, found));
}

/* One step in a store that is there: an item; null: none; undefined: other windows must be asked. */
export function stepHere(store, course, step) {
	const found = course.find(store, step);
	if (isCertain(store, course, found, step))
		return found;
	if (!store.isWhole)
		return undefined;
	return course.again ? course.again(store, step) : null;
}

/* Pairs of windows, since what begins at a cut may be in either, from a time on: [first, past). */
function* pairsFrom(pages, window, step) {
	for (let first = Math.max(window - 1, 0); first >= 0 && first < pages.nr; first += step) {
		const past = Math.min(first + 2, pages.nr);
		yield [first, past];
		if (step > 0 && past === pages.nr)
			return;
	}
}

/* The same by loading windows one after the other: the text of what was found, or null. */
export async function stepFar(pages, course, step, wanted, progress) {
	const look = async (window, find, isGood) => {
		let nr = 0;
		for (const [first, past] of pairsFrom(pages, window, step)) {
			progress(nr++, pages.nr);
			const there = [first, past - 1].filter((one) => one >= first && !pages.leftOut.has(one));
			if (!there.length)
				continue;
			const store = await pages.storeOf(there[0], there.at(-1) + 1, wanted);
			if (!store)
				return null;
			const found = find(store);
			if (found && isGood(store, found))
				return itemToText(store, found);
		}
		return null;
	};
	const isReached = (store, found) => (step < 0 && course.isDense) ||
		store.isInside(startOfRow(store, found));
	const found = await look(pages.at(course.ns), (store) => course.find(store, step), isReached);
	if (found || !course.again || !wanted())
		return found;
	return look(step > 0 ? 0 : pages.nr, (store) => course.again(store, step), isReached);
}
