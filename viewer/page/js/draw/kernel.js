// SPDX-License-Identifier: GPL-2.0
/*
 * What a thread does in the kernel: a row for each depth, below its spans. The colours tell kinds, and are
 * paler than those of names; a system call that failed has a red edge.
 */
import { KERNEL_MARK, KERNEL_OPEN_BEGIN, KERNEL_OPEN_END } from "../data/codes.js";
import { FULL_SHARE } from "../data/overview.js";
import { kernelError, kernelText } from "../data/texts.js";
import { formatPercent } from "../data/units.js";
import { paintShares, runAt } from "./coarse.js";
import { pickRow } from "./pick.js";
import { spansOf } from "./spans.js";
import { eachStrip, summarise } from "./strips.js";
import { coverage, DIMMED, LEAST_TEXT_ROOM, TEXT_ON_FILL } from "./style.js";

/** @typedef {import("./types.js").Fact} Fact */
/** @typedef {import("./types.js").Grid} Grid */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("../data/owners.js").Level} Level */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */
/** @typedef {import("../data/overview.js").SpanRuns} SpanRuns */
/** @typedef {import("./types.js").Store} Store */
/** @typedef {import("./types.js").Thread} Thread */

/* By kind: two of each, so that neighbours of different names differ. */
const COLOURS = [
	["#a9bac9", "#bccad6"],	/* system calls */
	["#c9bfa9", "#d8d0be"],	/* functions */
	["#b3c7b0", "#c5d4c3"],	/* work */
	["#d3b0a6", "#dfc4bd"],	/* locks */
	["#c3aecb", "#d2c3d8"],	/* page faults */
	["#b9b9b9", "#cacaca"],	/* lines */
	["#e0a96d", "#e8bd8e"],	/* priorities */
	["#9fc4c4", "#b6d3d3"],	/* cgroups */
	["#b5b08a", "#c7c3a4"],	/* hotplug */
];
const EDGE = 2;		/* pixels, of a failed call */
const MARK_WIDTH = 2;

/** @param {number} kind @param {number} name */
export const kernelColour = (kind, name) => COLOURS[kind][name & 1];

/** @param {Painter} painter @param {number} name */
const strength = (painter, name) => (painter.app.isDimmed(name) ? DIMMED : 1) * painter.laneAlpha;

/** @param {number} height */
const fontOf = (height) => height >= 13 ? 10 : 9;

/**
 * Those of one depth.
 * @param {Painter} painter @param {Thread} thread @param {Level} level @param {number} top
 * @param {number} height
 */
export function paintKernelLevel(painter, thread, level, top, height) {
	const { pen, app, scale, columns, surface } = painter;
	const { kind, name } = thread.kernelSlices;
	const rows = spansOf(level);
	surface.setFont(fontOf(height));
	columns.begin(scale, 1);
	eachStrip(rows, scale, (x, width, i) => {
		const row = level.row[i];
		pen.globalAlpha = strength(painter, name[row]);
		paintSlice(painter, thread, row, x, width, top, height);
		if (width > LEAST_TEXT_ROOM)
			painter.textInside(kernelText(app.store, thread, row), x, width, top + height / 2 + 0.5, TEXT_ON_FILL);
	}, (column, from, to) => {
		const { row: longest, ns } = summarise(rows, from, to);
		const row = level.row[longest];
		const isLoneMark = to - from === 1 && thread.kernelSlices.flags[row] & KERNEL_MARK;
		columns.fill(column, column + (isLoneMark ? MARK_WIDTH : 1), app.palette.pixel(kernelColour(kind[row], name[row]),
			strength(painter, name[row]) * (isLoneMark ? 1 : coverage(ns / scale.perPixel))));
	});
	pen.globalAlpha = 1;
	columns.flush(pen, scale, top, height);
}

/**
 * @param {Painter} painter @param {Thread} thread @param {number} row @param {number} x
 * @param {number} width @param {number} top @param {number} height
 */
function paintSlice({ app, pen, surface, scale, theme }, thread, row, x, width, top, height) {
	const { kind, name, flags } = thread.kernelSlices;
	const thin = 1 / scale.ratio;
	surface.fill(kernelColour(kind[row], name[row]));
	pen.fillRect(x, top, width, height);
	if (width > EDGE && kernelError(app.store, thread, row)) {
		surface.fill(theme.alarm);
		pen.fillRect(x + width - EDGE, top, EDGE, height);
	}
	if (width <= 4)
		return;
	const alpha = pen.globalAlpha;
	pen.globalAlpha = alpha * 0.35;
	surface.fill(TEXT_ON_FILL);
	if (!(flags[row] & KERNEL_OPEN_BEGIN))
		pen.fillRect(x, top, thin, height);
	if (!(flags[row] & KERNEL_OPEN_END))
		pen.fillRect(x + width - thin, top, thin, height);
	pen.globalAlpha = alpha;
}

/**
 * @param {Painter} painter @param {Grid} grid @param {SpanRuns} level @param {number} top
 * @param {number} height
 */
export function paintCoarseKernelLevel(painter, grid, level, top, height) {
	const { from, name, kind, share } = level;
	painter.surface.setFont(fontOf(height));
	paintShares(painter, grid, from, share, top, height, (run, part) => painter.app.palette.pixel(
		kernelColour(kind[run], name[run]), strength(painter, name[run]) * coverage(part)));
}

/**
 * The slice at a @depth, or null.
 * @param {Page} app @param {Thread} thread @param {number} depth @param {number} x
 * @returns {Item | null}
 */
export function pickKernel(app, thread, depth, x) {
	const level = thread.kernelLevels[depth];
	const i = level ? pickRow(spansOf(level), app.scale(), x) : -1;
	return i >= 0 ? { kind: "kernel", thread: thread.index, row: level.row[i] } : null;
}

/**
 * What the overview tells of a bucket, at one depth.
 * @param {Store} store @param {SpanRuns} level @param {number} bucket @returns {Fact[]}
 */
export function kernelFacts(store, { from, name, share }, bucket) {
	const run = runAt(from, bucket);
	return run >= 0 && share[run] ?
		[["in the kernel", `${store.string(name[run])}, ${formatPercent(share[run] / FULL_SHARE)}`]] : [];
}
