// SPDX-License-Identifier: GPL-2.0
/*
 * The elements of the page that hold data -> their bytes.
 */
import { FORMAT_VERSION } from "./format.js";

/**
 * An event of the PMU, as the head tells it.
 * @typedef {{
 *	name: string, counted: boolean, clock: boolean, ratio: boolean, shared: boolean, user: boolean, kernel: boolean,
 *	asked: number, precise: number, period: number, error: number, lost: number, counter: number,
 * }} HeadEvent
 */
/**
 * How issue slots divide: viewer/page/data.h describes it.
 * @typedef {{
 *	inputs: number[][], figures: Record<string, (number | string | [number])[]>, turns: boolean, whole_core: boolean,
 * }} HeadSlots
 */
/**
 * What the page's head tells, as viewer/page/head.c writes it. A list of span_names is [name, kind,
 * count], one of mark_names [name, count], one of series [thread, name, count, min, max], one of devices [name, most
 * in flight]; names are places in strings. threads.ns has all states of a thread, then those of the next.
 * @typedef {{
 *	format: number, title: string, strings: string[], cpus: number[], pmu?: HeadEvent[], slots?: HeadSlots,
 *	trace: {
 *		file: string, clock: string, duration_ns: number, events: number, lost_events: number,
 *		lost_gaps: number, missing_switches: number, lost_annotations: number,
 *		altered_annotations: number, truncated: boolean,
 *	},
 *	threads: {
 *		tid: number[], tgid: number[], comm: number[], parent: number[], session: number[],
 *		unmatched: number[], depth: number[], spans: number[], marks: number[], main_cpu: number[],
 *		switches: number[], preemptions: number[], migrations: number[], stolen: number[],
 *		ns: number[],
 *	},
 *	windows: {start: number[], rows: number[], left_out: number[]},
 *	overview: {buckets: number, bucket_ns: number} | null,
 *	fine_overview: {buckets: number, bucket_ns: number} | null,
 *	counts: {
 *		slices: number, gaps: number, states: number, spans: number, marks: number, migrations: number,
 *		wakeups: number, samples: number, slice_counts: number, interrupts: number,
 *	},
 *	span_names: [number, number, number][], mark_names: [number, number][],
 *	event_names?: [number, number][], event_cpus?: [number, number][], event_threads?: [number, number][],
 *	left_out_events?: [number, number][], early_events?: number,
 *	series: [number, number, number, number, number][],
 *	kernel?: {
 *		depth: number[], slices: number[], unmatched: number[], names: [number, number][],
 *		errors: Record<string, string>, textless: number,
 *	},
 *	power?: {idle: number[], most_khz: number[]}, devices?: [number, number][],
 *	uncore?: {name: number, unit: number, cpu: number, scale: number, most_per_s: number}[],
 * }} Head
 */

export const BLOCK_POLL_MS = 10;

/** @param {string} text */
function bytesOfBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

/** @param {Uint8Array} bytes */
async function inflate(bytes) {
	const stream = new DecompressionStream("gzip");
	const writer = stream.writable.getWriter();
	/* What is wrong with them, the reading end tells. */
	for (const written of [writer.write(bytes), writer.close()])
		written.catch(() => {});
	return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

/**
 * Gives others their turn.
 * @param {number} ms
 * @returns {Promise<void>}
 */
export const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The element of a block that stands behind the script, which begins before it is there: once the
 * parser has passed its end. Null when the page has no such block.
 * @param {string} id
 * @returns {Promise<HTMLElement | null>}
 */
export async function blockElement(id) {
	for (;;) {
		const isParsed = document.readyState !== "loading";
		const element = document.getElementById(id);
		if (element && (isParsed || element.nextElementSibling))
			return element;
		if (isParsed)
			return null;
		await pause(BLOCK_POLL_MS);
	}
}

/**
 * The bytes of a block, none when the page has no such block; with @free its text is given up.
 * @param {Element | null} element
 * @param {{free?: boolean}} options
 * @returns {Promise<Uint8Array>}
 */
export async function readBlock(element, { free = false } = {}) {
	if (!element || !element.textContent)
		return new Uint8Array(0);
	const compressed = bytesOfBase64(element.textContent);
	if (free)
		element.remove();
	return inflate(compressed);
}

/** @returns {Head} */
export function readHead() {
	const element = document.getElementById("annot-head");
	/** @type {Head} */
	const head = JSON.parse(element && element.textContent || "{}");
	if (head.format !== FORMAT_VERSION)
		throw new Error(`the page's data have format ${head.format}, but its script reads ${FORMAT_VERSION}`);
	return head;
}
