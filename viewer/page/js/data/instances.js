// SPDX-License-Identifier: GPL-2.0
/*
 * All instances of each task, in the order of their begins.
 */
import { pause } from "./blocks.js";
import { lowerBound } from "./row_search.js";

/** @typedef {import("./tables.js").Spans} Spans */
/** @typedef {import("./windows.js").Piece} Piece */
/** @typedef {import("./windows.js").Windows} Windows */
/** @typedef {{start: number, end: number, thread: number, depth: number}} Instance */

/** A task is all spans of one name and kind. */
export class Task {
	/** @param {string} name @param {number} kind */
	constructor(name, kind) {
		this.name = name;
		this.kind = kind;
		/** @type {Instance[]} */
		this.instances = [];
		this.starts = new Float64Array();
	}

	sort() {
		this.instances.sort((a, b) => a.start - b.start || a.thread - b.thread || a.depth - b.depth);
		this.starts = Float64Array.from(this.instances, ({ start }) => start);
	}

	/**
	 * The place of the instance that begins so, or -1.
	 * @param {Omit<Instance, "end">} wanted
	 */
	placeOf({ start, thread, depth }) {
		for (let i = lowerBound(this.starts, start); this.starts[i] === start; i++)
			if (this.instances[i].thread === thread && this.instances[i].depth === depth)
				return i;
		return -1;
	}
}

/** @param {string} name @param {number} kind */
export const taskKey = (name, kind) => `${kind}\0${name}`;

/**
 * The text by which itemFromText() finds an instance in whatever is loaded.
 * @param {Instance} instance
 */
export const instanceText = ({ thread, start, depth }) => `span.${thread}@${start}.${depth}`;

/** @param {Map<string, Task>} tasks @param {string[]} strings @param {number} thread @param {Spans} spans */
function addSpans(tasks, strings, thread, spans) {
	for (let row = 0; row < spans.rows; row++) {
		const name = strings[spans.name[row]];
		const key = taskKey(name, spans.kind[row]);
		const task = tasks.get(key) ?? new Task(name, spans.kind[row]);
		tasks.set(key, task);
		task.instances.push({ start: spans.start[row], end: spans.end[row], thread, depth: spans.depth[row] });
	}
}

/**
 * By taskKey(). Reads all windows that the page has, without keeping them; others get their turn
 * after each.
 * @param {Windows} pages
 * @returns {Promise<Map<string, Task>>}
 */
export async function readTasks(pages) {
	/** @type {Map<string, Task>} */
	const tasks = new Map();
	/** @param {Piece} piece */
	const add = (piece) => piece.threads.forEach((own, thread) =>
		own?.spans && addSpans(tasks, pages.strings, thread, own.spans));
	add(pages.rest);
	for (let window = 0; window < pages.nr; window++) {
		if (pages.leftOut.has(window))
			continue;
		add(pages.pieces.get(window) ?? await pages.decode(window));
		await pause();
	}
	for (const task of tasks.values())
		task.sort();
	return tasks;
}
