// SPDX-License-Identifier: GPL-2.0
/*
 * Strips of issue slots in lanes of threads: how those of each slice divide, as a stack. Of slices that share a pixel, their sums.
 * What is not known is of one grey, and what is in doubt has shades of grey in place of colours.
 */
import { lowerBound } from "../data/row_search.js";
import { roughSlots, slotParts } from "../data/slots.js";
import { pickRow } from "./pick.js";
import { eachStrip } from "./strips.js";

/** @typedef {import("./types.js").Grid} Grid */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */
/** @typedef {import("./types.js").Scale} Scale */
/** @typedef {import("./types.js").Thread} Thread */
/** @typedef {import("../data/slots.js").SlotPlan} SlotPlan */
/** @typedef {import("../data/slots.js").SlotRows} SlotRows */
/** @typedef {import("../data/slots.js").Slots} Slots */

const ROWS = { start: 0, end: 0 };	/* of a part; one object for all, since thousands are made in a frame */
const LEAST_TO_DIVIDE = 8;	/* pixels of a slice, with a line at its begin */

/**
 * use(colour, ROWS) for each part of a bar of @height whole pixels, from its foot.
 * @param {Page} app @param {Slots} slots @param {number} height
 * @param {(colour: string, rows: {start: number, end: number}) => void} use
 */
function eachPart({ palette }, slots, height, use) {
	const colours = palette.slotColours[slots.doubt ? "doubtful" : "sure"];
	let sum = 0;
	for (const { key, share } of slotParts(slots)) {
		ROWS.end = Math.round(height * (1 - sum));
		sum += share;
		ROWS.start = Math.round(height * (1 - sum));
		if (ROWS.start < ROWS.end)
			use(colours[key], ROWS);
	}
	ROWS.end = Math.round(height * (1 - sum));
	ROWS.start = 0;
	if (ROWS.end > 0)
		use(palette.theme.unknown, ROWS);
}

/** @param {Painter} painter @param {SlotRows} rows @param {number} top @param {number} height */
export function paintSlots(painter, rows, top, height) {
	const { app, pen, scale, columns, surface, theme } = painter;
	const tall = Math.round(height * scale.ratio);
	pen.globalAlpha = painter.laneAlpha;
	columns.begin(scale, tall);
	eachStrip({ rows: rows.rows, start: rows.start, end: (row) => rows.end(row) }, scale, (x, width, row) => {
		eachPart(app, rows.of(row, row + 1), tall, (colour, { start, end }) => {
			surface.fill(colour);
			pen.fillRect(x, top + start / scale.ratio, width, (end - start) / scale.ratio);
		});
		if (width >= LEAST_TO_DIVIDE)
			surface.hairline(x, top, 0, height, theme.paper);
	}, (column, from, to) => eachPart(app, rows.of(from, to), tall, (colour, { start, end }) =>
		columns.set(column, app.palette.pixel(colour), start, end)));
	columns.flush(pen, scale, top, height);
	pen.globalAlpha = 1;
}

/**
 * The amounts of what the figures are computed from, of a thread and from the overview: before(bucket) is of all buckets before it.
 * @param {Page} app @param {number} thread
 */
function roughAmounts({ pages, store }, thread) {
	const { overview, slotPlan } = pages;
	const inputs = (slotPlan?.inputs || []).map((counters) => store.events
		.filter((event) => event.counted && counters.includes(event.counter))
		.flatMap((event) => overview?.ofThread(event.index, thread) ?? []));
	return {
		/** @param {number} bucket */
		before: (bucket) => inputs.map((series) => series.reduce((sum, own) => sum + own.before(bucket * own.bucketNs), 0)),
	};
}

/**
 * What the overview tells of buckets [from, past) of a thread; null: nothing was counted in them.
 * @param {Page} app @param {SlotPlan} plan @param {number} thread @param {number} from @param {number} past
 */
export function slotsInBuckets(app, plan, thread, from, past) {
	const amounts = roughAmounts(app, thread);
	return slotsBetween(plan, amounts.before(from), amounts.before(past));
}

/** @param {SlotPlan} plan @param {number[]} before @param {number[]} after */
function slotsBetween(plan, before, after) {
	const values = after.map((amount, input) => amount - before[input]);
	return values.some((value) => value > 0) ? roughSlots(plan, values) : null;
}

/**
 * @param {Painter} painter @param {Grid} grid @param {SlotPlan} plan @param {number} thread @param {number} top @param {number} height
 */
export function paintCoarseSlots({ app, pen, scale, columns, laneAlpha }, grid, plan, thread, top, height) {
	const tall = Math.round(height * scale.ratio);
	const amounts = roughAmounts(app, thread);
	pen.globalAlpha = laneAlpha;
	columns.begin(scale, tall);
	for (let piece = 0; piece < grid.pieces; piece++) {
		const slots = slotsBetween(plan, amounts.before(grid.first[piece]), amounts.before(grid.past[piece]));
		if (slots)
			eachPart(app, slots, tall, (colour, { start, end }) =>
				columns.fill(grid.x[piece], grid.x[piece + 1], app.palette.pixel(colour), start, end));
	}
	columns.flush(pen, scale, top, height);
	pen.globalAlpha = 1;
}

/**
 * The slices under the pointer: one, or all that share a pixel.
 * @param {Page} app @param {Thread} thread @param {number} x @returns {Item | null}
 */
export function pickSlots(app, { index }, x) {
	const rows = app.store.slots?.[index];
	const scale = app.scale();
	const near = rows ? pickRow({ rows: rows.rows, start: rows.start, end: (row) => rows.end(row) }, scale, x) : -1;
	if (!rows || near < 0)
		return null;
	const [row, past] = rows.end(near) - rows.start[near] < scale.perPixel ? columnOf(rows, near, scale) : [near, near + 1];
	return { kind: "slots", thread: index, nr: past - row, row };
}

/**
 * Of rows that share a pixel with one, [first, past): as eachStrip() merges them.
 * @param {SlotRows} rows @param {number} row @param {Scale} scale
 */
function columnOf(rows, row, { start, perPixel }) {
	const column = Math.round((rows.start[row] - start) / perPixel);
	const isWide = (/** @type {number} */ own) => rows.end(own) - rows.start[own] >= perPixel;
	let first = lowerBound(rows.start, start + (column - 0.5) * perPixel);
	let past = lowerBound(rows.start, start + (column + 0.5) * perPixel);
	while (first < row && isWide(first))
		first++;
	while (past > row + 1 && isWide(past - 1))
		past--;
	return [first, past];
}
