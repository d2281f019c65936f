// SPDX-License-Identifier: GPL-2.0
/*
 * How long the spans of a task are.
 */
import { SPAN_OPEN_END } from "../data/codes.js";

/** @typedef {import("../data/store.js").Store} Store */
/** @typedef {import("./analysis.js").Histogram} Histogram */

const LENGTHS_A_DECADE = 8;
const LEAST_OF_LENGTHS = 3;	/* fewer say nothing */

/**
 * {edges_ns, counts} of the loaded spans of a task; null: too few of them.
 * @param {Store} store
 * @param {number} name
 * @param {number} kind
 * @returns {Histogram | null}
 */
export function spanLengths(store, name, kind) {
	/** @type {number[]} */
	const counts = [];
	let nr = 0;
	for (const { spans } of store.threads) {
		for (let row = 0; row < spans.rows; row++) {
			if (spans.name[row] !== name || spans.kind[row] !== kind || spans.flags[row] & SPAN_OPEN_END)
				continue;
			const ns = Math.max(spans.end[row] - spans.start[row], 1);
			const bin = Math.floor(Math.log10(ns) * LENGTHS_A_DECADE + 1e-9);
			counts[bin] = (counts[bin] || 0) + 1;
			nr++;
		}
	}
	if (nr < LEAST_OF_LENGTHS)
		return null;
	const first = counts.findIndex((count) => count);
	const edges = Array.from({ length: counts.length - first + 1 }, (_, i) => 10 ** ((first + i) / LENGTHS_A_DECADE));
	return { edges_ns: edges, counts: Array.from(counts.slice(first), (count) => count || 0) };
}
