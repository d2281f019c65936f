// SPDX-License-Identifier: GPL-2.0
/*
 * All spans and marks of some names, in time order over all threads, without sorting them: each
 * thread's rows are in order already, so the next one is found by a search in each.
 */
import { firstRowFrom, lowerBound } from "../data/row_search.js";

export class Hits {
	/* @wanted: 1 at the string ids that count. */
	constructor(store, wanted) {
		this.store = store;
		this.lists = [];
		for (const thread of store.threads)
			for (const [kind, table] of [["span", thread.spans], ["mark", thread.marks]]) {
				const rows = [];
				for (let row = 0; row < table.rows; row++)
					if (wanted[table.name[row]])
						rows.push(row);
				if (rows.length)
					this.lists.push({ kind, thread: thread.index, rows: Uint32Array.from(rows),
						start: table.start });
			}
		this.total = this.lists.reduce((sum, list) => sum + list.rows.length, 0);
	}

	/* The median length of the spans among them. */
	medianSpan() {
		if (this.median === undefined) {
			const spans = this.lists.filter((list) => list.kind === "span");
			const lengths = new Float64Array(spans.reduce((sum, list) => sum + list.rows.length, 0));
			let at = 0;
			for (const { thread, rows } of spans)
				for (const row of rows)
					lengths[at++] = this.store.threads[thread].spans.end[row] -
						this.store.threads[thread].spans.start[row];
			lengths.sort();
			const middle = lengths.length >> 1;
			this.median = lengths.length % 2 ? lengths[middle] : (lengths[middle - 1] + lengths[middle]) / 2;
		}
		return this.median;
	}

	listOf(item) {
		return item ? this.lists.findIndex((list) =>
			list.kind === item.kind && list.thread === item.thread) : -1;
	}

	/* How many come before (@ns, list, row): in each list. */
	placeIn(list, index, ns, current, row) {
		if (index === current)
			return lowerBound(list.rows, row);
		return firstRowFrom(list.rows, list.start, index < current ? ns + 1 : ns);
	}

	/* The place of an item among the hits, from 1; 0 when it is none. */
	rank(item) {
		const current = this.listOf(item);
		if (current < 0)
			return 0;
		const { rows, start } = this.lists[current];
		const at = lowerBound(rows, item.row);
		if (rows[at] !== item.row)
			return 0;
		return 1 + this.lists.reduce((sum, list, index) =>
			sum + this.placeIn(list, index, start[item.row], current, item.row), 0);
	}

	/* The next (step 1) or last (step -1) hit from an item, or from a time when it is null; or null. */
	next(item, ns, step) {
		const isHit = this.rank(item) > 0;
		const current = isHit ? this.listOf(item) : -1;
		const from = isHit ? this.lists[current].start[item.row] : ns;
		return this.best(step, (list, index) => {
			const place = this.placeIn(list, index, from, current, isHit ? item.row : 0);
			if (step < 0)
				return place - 1;
			return index === current ? place + 1 : place;
		});
	}

	/* The first (step 1) or last one of all. */
	outermost(step) {
		return this.best(step, (list) => step > 0 ? 0 : list.rows.length - 1);
	}

	best(step, placeIn) {
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
				best = { kind: list.kind, thread: list.thread, row };
			}
		});
		return best;
	}
}

/* Kept for the last name that was asked for. */
let lastHits = { store: null, name: -1, hits: null };

export function hitsOfName(store, name) {
	if (lastHits.store !== store || lastHits.name !== name) {
		lastHits = { store, name, hits: new Hits(store, onlyName(store, name)) };
	}
	return lastHits.hits;
}

export function onlyName({ strings }, name) {
	const wanted = new Uint8Array(strings.length);
	wanted[name] = 1;
	return wanted;
}
