// SPDX-License-Identifier: GPL-2.0
/*
 * All spans, marks, events and slices of the kernel of some names, in time order over all threads, without sorting them: each
 * thread's rows are in order already, so the next one is found by a search in each.
 */
import { firstRowFrom, lowerBound } from "../data/row_search.js";

/** @typedef {import("../data/items.js").Item} Item */
/** @typedef {import("../data/tables.js").Marks} Marks */
/** @typedef {import("../data/items.js").RowItem} RowItem */
/** @typedef {import("../data/tables.js").Spans} Spans */
/** @typedef {import("../data/store.js").Store} Store */

/** @typedef {import("../data/tables.js").KernelSlices} KernelSlices */
/**
 * Of one thread; of events, of all.
 * @typedef {{kind: "span" | "mark" | "kernel" | "event", thread?: number, rows: Uint32Array, start: Float64Array}} HitList
 */

/** Of what a store has. */
export class Hits {
	/**
	 * @param {Store} store
	 * @param {Uint8Array} wanted 1 at the names that count
	 * @param {(text: number) => boolean} isText whether an event's text counts
	 */
	constructor(store, wanted, isText = () => false) {
		this.store = store;
		/** @type {HitList[]} */
		this.lists = [];
		for (const { index, spans, marks, kernelSlices } of store.threads) {
			this.addList("span", index, spans, wanted);
			this.addList("mark", index, marks, wanted);
			this.addList("kernel", index, kernelSlices, wanted);
		}
		this.addEvents(wanted, isText);
		this.total = this.lists.reduce((sum, list) => sum + list.rows.length, 0);
	}

	/** @param {HitList["kind"]} kind @param {number} thread @param {Spans | Marks | KernelSlices} table @param {Uint8Array} wanted */
	addList(kind, thread, { rows: nr, name, start }, wanted) {
		const rows = [];
		for (let row = 0; row < nr; row++)
			if (wanted[name[row]])
				rows.push(row);
		if (rows.length)
			this.lists.push({ kind, thread, rows: Uint32Array.from(rows), start });
	}

	/** @param {Uint8Array} wanted @param {(text: number) => boolean} isText */
	addEvents(wanted, isText) {
		const { rows: nr, name, text, start } = this.store.traceEvents;
		const rows = [];
		for (let row = 0; row < nr; row++)
			if (wanted[name[row]] || isText(text[row]))
				rows.push(row);
		if (rows.length)
			this.lists.push({ kind: "event", rows: Uint32Array.from(rows), start });
	}

	/* The median length of the spans among them. */
	medianSpan() {
		if (this.median === undefined) {
			const spans = this.lists.filter((list) => list.kind === "span");
			const lengths = new Float64Array(spans.reduce((sum, list) => sum + list.rows.length, 0));
			let at = 0;
			for (const { thread = -1, rows } of spans)
				for (const row of rows)
					lengths[at++] = this.store.threads[thread].spans.end[row] -
						this.store.threads[thread].spans.start[row];
			lengths.sort();
			const middle = lengths.length >> 1;
			this.median = lengths.length % 2 ? lengths[middle] : (lengths[middle - 1] + lengths[middle]) / 2;
		}
		return this.median;
	}

	/** @param {Item | null} item @returns {number} */
	listOf(item) {
		return item ? this.lists.findIndex((list) =>
			list.kind === item.kind && list.thread === item.thread) : -1;
	}

	/**
	 * How many come before (@ns, list, row): in each list.
	 * @param {HitList} list
	 * @param {number} index
	 * @param {number} ns
	 * @param {number} current
	 * @param {number} row
	 * @returns {number}
	 */
	placeIn(list, index, ns, current, row) {
		if (index === current)
			return lowerBound(list.rows, row);
		return firstRowFrom(list.rows, list.start, index < current ? ns + 1 : ns);
	}

	/**
	 * The place of an item among the hits, from 1; 0 when it is none.
	 * @param {Item | null} item
	 * @returns {number}
	 */
	rank(item) {
		const current = this.listOf(item);
		if (!item || item.row === undefined || current < 0)
			return 0;
		const { row } = item;
		const { rows, start } = this.lists[current];
		const at = lowerBound(rows, row);
		if (rows[at] !== row)
			return 0;
		return 1 + this.lists.reduce((sum, list, index) =>
			sum + this.placeIn(list, index, start[row], current, row), 0);
	}

	/**
	 * The next (step 1) or last (step -1) hit from an item, or from a time when it is null; or null.
	 * @param {Item | null} item
	 * @param {number} ns
	 * @param {number} step
	 */
	next(item, ns, step) {
		const row = this.rank(item) > 0 && item?.row || 0;
		const current = this.rank(item) > 0 ? this.listOf(item) : -1;
		const from = current >= 0 ? this.lists[current].start[row] : ns;
		return this.best(step, (list, index) => {
			const place = this.placeIn(list, index, from, current, row);
			if (step < 0)
				return place - 1;
			return index === current ? place + 1 : place;
		});
	}

	/**
	 * The first (step 1) or last one of all.
	 * @param {number} step
	 */
	outermost(step) {
		return this.best(step, (list) => step > 0 ? 0 : list.rows.length - 1);
	}

	/** @param {number} step @param {(list: HitList, index: number) => number} placeIn */
	best(step, placeIn) {
		/** @type {RowItem | null} */
		let best = null;
		let bestNs = step > 0 ? Infinity : -Infinity;
		this.lists.forEach((list, index) => {
			const place = placeIn(list, index);
			if (place < 0 || place >= list.rows.length)
				return;
			const row = list.rows[place];
			const ns = list.start[row];
			if (step > 0 ? ns < bestNs : ns >= bestNs) {
				bestNs = ns;
				best = itemOf(list, row);
			}
		});
		return best;
	}
}

/** @param {HitList} list @param {number} row @returns {RowItem} */
function itemOf({ kind, thread = -1 }, row) {
	return kind === "event" ? { kind, row } : { kind, thread, row };
}

/* Kept for the last name that was asked for. */
/** @type {{name: number, hits: Hits} | null} */
let lastHits = null;

/** @param {Store} store @param {number} name @returns {Hits} */
export function hitsOfName(store, name) {
	if (!lastHits || lastHits.hits.store !== store || lastHits.name !== name)
		lastHits = { name, hits: new Hits(store, onlyName(store, name)) };
	return lastHits.hits;
}

/**
 * 1 at a name alone, of all of a store's strings.
 * @param {{strings: string[]}} store
 * @param {number} name
 * @returns {Uint8Array}
 */
export function onlyName({ strings }, name) {
	const wanted = new Uint8Array(strings.length);
	wanted[name] = 1;
	return wanted;
}
