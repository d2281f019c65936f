// SPDX-License-Identifier: GPL-2.0
/*
 * A thread's spans: a row for each depth.
 */
import { SPAN_OPEN_END, SPAN_WAIT } from "../data/codes.js";
import { FULL_SHARE } from "../data/overview.js";
import { spanText } from "../data/texts.js";
import { formatPercent } from "../data/units.js";
import { eachRun, longestOf, runAt } from "./coarse.js";
import { pickRow } from "./pick.js";
import { eachStrip, summarise } from "./strips.js";
import { coverage, DIMMED, LEAST_TEXT_ROOM, TEXT_ON_FILL } from "./style.js";

/** @typedef {import("./types.js").Fact} Fact */
/** @typedef {import("./types.js").Grid} Grid */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("../data/owners.js").Level} Level */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */
/** @typedef {import("../data/overview.js").SpanRuns} SpanRuns */
/** @typedef {import("../data/tables.js").Spans} Spans */
/** @typedef {import("./types.js").Store} Store */
/** @typedef {import("./types.js").Thread} Thread */

/** @param {Painter} painter @param {number} name @param {number} kind */
export function nameColour({ theme, app }, name, kind) {
	return kind === SPAN_WAIT ? theme["wait-line"] : app.palette.ofName(name);
}

/** @param {Painter} painter @param {Spans} spans @param {number} row */
export function spanColour(painter, spans, row) {
	return nameColour(painter, spans.name[row], spans.kind[row]);
}

/**
 * The opacity of spans of a name.
 * @param {Painter} painter @param {number} name @param {number} kind
 */
function strength(painter, name, kind) {
	return (painter.app.isDimmed(name, kind) ? DIMMED : 1) * painter.laneAlpha;
}

/** @param {Painter} painter @param {Spans} spans @param {number} row */
const spanStrength = (painter, spans, row) => (painter.app.isSpanDimmed(spans, row) ? DIMMED : 1) * painter.laneAlpha;

/** @param {Level} level */
export const spansOf = (level) => ({ start: level.start, rows: level.rows, end: (/** @type {number} */ row) => level.end[row] });

/** @param {number} height */
const fontOf = (height) => height >= 15 ? 11 : 10;

/**
 * Those of one depth.
 * @param {Painter} painter @param {Thread} thread @param {Level} level @param {number} top
 * @param {number} height
 */
export function paintLevel(painter, thread, level, top, height) {
	const { pen, app, scale, columns } = painter;
	const { spans } = thread;
	const rows = spansOf(level);
	painter.surface.setFont(fontOf(height));
	columns.begin(scale, 1);
	eachStrip(rows, scale, (x, width, i) => {
		const row = level.row[i];
		pen.globalAlpha = spanStrength(painter, spans, row);
		paintSpan(painter, spans, row, x, width, top, height);
		if (width > LEAST_TEXT_ROOM)
			paintName(painter, spanText(app.store, thread, row), spans.kind[row] === SPAN_WAIT,
				x, width, top, height);
	}, (column, from, to) => {
		const { row, ns } = summarise(rows, from, to);
		columns.set(column, app.palette.pixel(spanColour(painter, spans, level.row[row]),
			spanStrength(painter, spans, level.row[row]) * coverage(ns / scale.perPixel)));
	});
	pen.globalAlpha = 1;
	columns.flush(pen, scale, top, height);
}

/**
 * @param {Painter} painter @param {Spans} spans @param {number} row @param {number} x
 * @param {number} width @param {number} top @param {number} height
 */
function paintSpan(painter, spans, row, x, width, top, height) {
	const { pen, theme, surface, scale } = painter;
	const waits = spans.kind[row] === SPAN_WAIT;
	const thin = 1 / scale.ratio;
	if (waits && width > 2)
		pen.fillStyle = painter.waitPattern();
	else
		surface.fill(spanColour(painter, spans, row));
	pen.fillRect(x, top, width, height);
	if (width <= 4)
		return;
	const alpha = pen.globalAlpha;
	pen.globalAlpha = alpha * 0.45;
	surface.fill(waits ? theme.ink : TEXT_ON_FILL);
	pen.fillRect(x, top, thin, height);
	if (!(spans.flags[row] & SPAN_OPEN_END))
		pen.fillRect(x + width - thin, top, thin, height);
	pen.globalAlpha = alpha;
}

/**
 * @param {Painter} painter @param {string} text @param {boolean} waits @param {number} x
 * @param {number} width @param {number} top @param {number} height
 */
function paintName(painter, text, waits, x, width, top, height) {
	const { surface, scale, pen, theme } = painter;
	const y = top + height / 2 + 0.5;
	if (!waits) {
		painter.textInside(text, x, width, y, TEXT_ON_FILL);
		return;
	}
	/* Text on hatching needs a quiet ground. */
	const left = Math.max(x, scale.left) + 4;
	const fitted = surface.fitted(text, Math.min(x + width, surface.width) - left - 4);
	if (!fitted)
		return;
	surface.fill(theme.wait);
	pen.fillRect(left - 2, top, surface.widthOf(fitted) + 5, height);
	surface.fill(theme.ink);
	surface.text(fitted, left, y);
}

/**
 * @param {Painter} painter @param {Grid} grid @param {SpanRuns} level @param {number} top
 * @param {number} height
 */
export function paintCoarseLevel(painter, grid, level, top, height) {
	const { app, pen, scale, columns, surface } = painter;
	const { from, name, kind, share } = level;
	/** @type {[x0: number, x1: number, run: number][]} */
	const texts = [];
	surface.setFont(fontOf(height));
	columns.begin(scale, 1);
	/** @param {number} x0 @param {number} x1 @param {number} run @param {number} part */
	const fill = (x0, x1, run, part) => columns.fill(x0, x1, app.palette.pixel(
		nameColour(painter, name[run], kind[run]), strength(painter, name[run], kind[run]) * coverage(part)));
	eachRun(from, grid, (x0, x1, run) => {
		if (!share[run])
			return;
		if (kind[run] === SPAN_WAIT && x1 - x0 > 2 && share[run] === FULL_SHARE)
			paintCoarseWait(painter, grid.left(x0), (x1 - x0) / scale.ratio, top, height, strength(painter, name[run], kind[run]));
		else
			fill(x0, x1, run, share[run] / FULL_SHARE);
		if (x1 - x0 > LEAST_TEXT_ROOM * scale.ratio && share[run] > FULL_SHARE / 2)
			texts.push([x0, x1, run]);
	}, (x0, x1, first, piece) => {
		const { longest, part } = longestOf(from, share, first, grid, piece);
		if (part)
			fill(x0, x1, longest, part);
	});
	columns.flush(pen, scale, top, height);
	for (const [x0, x1, run] of texts)
		paintName(painter, app.store.string(name[run]), kind[run] === SPAN_WAIT,
			grid.left(x0), (x1 - x0) / scale.ratio, top, height);
}

/**
 * @param {Painter} painter @param {number} x @param {number} width @param {number} top
 * @param {number} height @param {number} alpha
 */
function paintCoarseWait(painter, x, width, top, height, alpha) {
	const { pen } = painter;
	pen.globalAlpha = alpha;
	pen.fillStyle = painter.waitPattern();
	pen.fillRect(x, top, width, height);
	pen.globalAlpha = 1;
}

/**
 * The span at a @depth, or null.
 * @param {Page} app @param {Thread} thread @param {number} depth @param {number} x
 * @returns {Item | null}
 */
export function pickSpan(app, thread, depth, x) {
	const level = thread.levels[depth];
	const i = level ? pickRow(spansOf(level), app.scale(), x) : -1;
	return i >= 0 ? { kind: "span", thread: thread.index, row: level.row[i] } : null;
}

/**
 * What the overview tells of a bucket, at one depth.
 * @param {Store} store @param {SpanRuns} level @param {number} bucket @returns {Fact[]}
 */
export function spanFacts(store, { from, name, share }, bucket) {
	const run = runAt(from, bucket);
	return run >= 0 && share[run] ?
		[["inside", `${store.string(name[run])}, ${formatPercent(share[run] / FULL_SHARE)}`]] : [];
}
