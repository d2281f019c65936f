// SPDX-License-Identifier: GPL-2.0
/*
 * What interrupted a CPU: a thin strip over its slices, coloured by kind; the inner ones lie over the
 * outer ones.
 */
import { INTERRUPT_KINDS } from "../data/codes.js";
import { FULL_SHARE } from "../data/overview.js";
import { formatPercent } from "../data/units.js";
import { paintShares, runAt } from "./coarse.js";
import { pickRow } from "./pick.js";
import { spansOf } from "./spans.js";
import { eachStrip, summarise } from "./strips.js";
import { coverage, INTERRUPT_COLOURS, PICK_DISTANCE } from "./style.js";

/** @typedef {import("./types.js").Cpu} Cpu */
/** @typedef {import("./types.js").Fact} Fact */
/** @typedef {import("./types.js").Grid} Grid */
/** @typedef {import("../data/overview.js").InterruptRuns} InterruptRuns */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */

const SHARE = 0.2;	/* of the height of slices */
const LEAST_HEIGHT = 3;

/** @param {number} height that of the slices */
export const interruptsHeight = (height) => Math.max(Math.round(height * SHARE), LEAST_HEIGHT);

/** @param {Painter} painter @param {Cpu} cpu @param {number} top @param {number} height */
export function paintInterrupts({ app, pen, scale, columns, surface, theme }, cpu, top, height) {
	const { kind } = cpu.interrupts;
	/** @param {number} row */
	const colourOf = (row) => theme[INTERRUPT_COLOURS[kind[row]]];
	for (const level of cpu.interruptLevels) {
		const rows = spansOf(level);
		columns.begin(scale, 1);
		eachStrip(rows, scale, (x, width, i) => {
			surface.fill(theme.paper);
			pen.fillRect(x, top + height, width, 1);
			surface.fill(colourOf(level.row[i]));
			pen.fillRect(x, top, width, height);
		}, (column, from, to) => {
			const { row, ns } = summarise(rows, from, to);
			columns.set(column, app.palette.pixel(colourOf(level.row[row]), coverage(ns / scale.perPixel)));
		});
		columns.flush(pen, scale, top, height);
	}
}

/**
 * @param {Painter} painter @param {Grid} grid @param {InterruptRuns} runs @param {number} top
 * @param {number} height
 */
export function paintCoarseInterrupts(painter, grid, { from, kind, share }, top, height) {
	const { app, theme } = painter;
	paintShares(painter, grid, from, share, top, height, (run, part) =>
		app.palette.pixel(theme[INTERRUPT_COLOURS[kind[run]]], coverage(part)));
}

/**
 * What the overview tells of a bucket.
 * @param {InterruptRuns | null} runs of its CPU @param {number} bucket @returns {Fact[]}
 */
export function interruptFacts(runs, bucket) {
	const run = runs ? runAt(runs.from, bucket) : -1;
	return runs && run >= 0 && runs.share[run] ?
		[["in interrupts", `${formatPercent(runs.share[run] / FULL_SHARE)}, mostly ${INTERRUPT_KINDS[runs.kind[run]]}`]] : [];
}

/**
 * The innermost one at a point whose y counts from the strip's top, or null.
 * @param {Page} app @param {Cpu} cpu @param {number} x @param {number} y @param {number} height
 * @returns {Item | null}
 */
export function pickInterrupt(app, cpu, x, y, height) {
	if (y > height + PICK_DISTANCE)
		return null;
	for (const level of [...cpu.interruptLevels].reverse()) {
		const i = pickRow(spansOf(level), app.scale(), x);
		if (i >= 0)
			return { kind: "interrupt", cpu: cpu.index, row: level.row[i] };
	}
	return null;
}
