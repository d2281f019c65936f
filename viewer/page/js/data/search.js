// SPDX-License-Identifier: GPL-2.0
/*
 * Which names and threads a text means: by the names of spans, marks, counters, events and of what is done in the
 * kernel, by what events say, and by threads' names and numbers. A space separates words that must all be found.
 */
import { eventText } from "./event_texts.js";

/** @typedef {import("./blocks.js").Head} Head */
/** @typedef {import("./tables.js").TraceEvents} TraceEvents */
/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./owners.js").Thread} Thread */
/**
 * What was found: 1 at the names and at the threads that fit; total counts spans, marks, slices of the kernel and
 * events, of those that only their text tells the loaded ones.
 * @typedef {{
 *	names: Uint8Array, isText(text: number): boolean, threads: Uint8Array, total: number, anyName: boolean, threadList: Thread[],
 * }} Matches
 */

/**
 * How many spans, marks, values of counters and slices of the kernel have the names that are @wanted, in the whole trace.
 * @param {{head: Head}} pages
 * @param {Uint8Array} wanted
 * @returns {number}
 */
export function nrOfNames({ head }, wanted) {
	let total = 0;
	for (const [name, , count] of head.span_names)
		total += wanted[name] ? count : 0;
	for (const [name, count] of head.mark_names)
		total += wanted[name] ? count : 0;
	for (const [name, count] of head.kernel ? head.kernel.names : [])
		total += wanted[name] ? count : 0;
	for (const [name, count] of head.event_names || [])
		total += wanted[name] ? count : 0;
	return total;
}

/**
 * How many events are found by their text alone.
 * @param {TraceEvents} events @param {Uint8Array} names @param {(text: number) => boolean} isText
 */
function nrOfTexts({ rows, name, text }, names, isText) {
	let total = 0;
	for (let row = 0; row < rows; row++)
		total += !names[name[row]] && isText(text[row]) ? 1 : 0;
	return total;
}

/**
 * Whether a text of events fits; each is looked at once.
 * @param {(name: string) => unknown} fits
 */
function textMatcher(fits) {
	/** @type {(boolean | undefined)[]} */
	const known = [];
	/** @param {number} text */
	return (text) => known[text] ??= Boolean(fits(eventText(text).toLowerCase()));
}

/**
 * What a text means; null: it has no word.
 * @param {Store} store
 * @param {string} text
 * @returns {Matches | null}
 */
export function matchText(store, text) {
	const words = text.toLowerCase().split(/\s+/).filter(Boolean);
	if (!words.length)
		return null;
	/** @param {string} name */
	const fits = (name) => words.every((word) => name.includes(word)) ? 1 : 0;
	const names = Uint8Array.from(store.strings, (name) => fits(name.toLowerCase()));
	const threads = Uint8Array.from(store.threads, ({ comm, tid }) => fits(`${comm.toLowerCase()} ${tid}`));
	const isText = textMatcher(fits);
	const total = nrOfNames(store.pages, names) + nrOfTexts(store.traceEvents, names, isText);
	return {
		names, isText, threads, total, anyName: total > 0,
		threadList: store.threads.filter((thread) => threads[thread.index]),
	};
}
