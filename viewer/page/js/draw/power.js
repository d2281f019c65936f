// SPDX-License-Identifier: GPL-2.0
/*
 * What CPUs do to save power, in two tracks below their slices: idle states, the deeper the darker; frequencies, as
 * high as their share of the highest one of the trace.
 */
import { IDLE_STATE_OFFLINE, IDLE_STATE_UNKNOWN } from "../data/codes.js";
import { FULL_SHARE } from "../data/overview.js";
import { frequencyText, idleName } from "../data/power.js";
import { formatPercent } from "../data/units.js";
import { bucketsOf, eachRun, paintShares, runAt } from "./coarse.js";
import { pickRow } from "./pick.js";
import { eachStrip, summarise } from "./strips.js";
import { coverage } from "./style.js";

/** @typedef {import("./types.js").Cpu} Cpu */
/** @typedef {import("./types.js").Fact} Fact */
/** @typedef {import("../data/overview.js").FrequencyRuns} FrequencyRuns */
/** @typedef {import("./types.js").Grid} Grid */
/** @typedef {import("../data/overview.js").IdleRuns} IdleRuns */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Overview} Overview */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */

const IDLE_COLOURS = ["#c9dcef", "#9fc0e0", "#76a4cf", "#5187bb", "#356a9f", "#1f4d7f"];
const UNKNOWN_COLOUR = "#b9b9b9";
const OFFLINE_COLOUR = "#4a4a4a";
export const FREQUENCY_COLOUR = "#d0812a";

/** @param {number} state @returns {string} */
export function idleColour(state) {
	if (state === IDLE_STATE_OFFLINE)
		return OFFLINE_COLOUR;
	return state === IDLE_STATE_UNKNOWN ? UNKNOWN_COLOUR : IDLE_COLOURS[Math.min(state, IDLE_COLOURS.length - 1)];
}

/** @param {{rows: number, start: Float64Array, end: Float64Array}} table */
const rowsOf = ({ rows, start, end }) => ({ rows, start, end: (/** @type {number} */ row) => end[row] });

/** @param {Painter} painter @param {Cpu} cpu @param {number} top @param {number} height */
export function paintIdle({ app, pen, scale, columns, surface }, cpu, top, height) {
	const { idle } = cpu;
	const rows = rowsOf(idle);
	columns.begin(scale, 1);
	eachStrip(rows, scale, (x, width, row) => {
		surface.fill(idleColour(idle.state[row]));
		pen.fillRect(x, top, width, height);
	}, (column, from, to) => {
		const { row, ns } = summarise(rows, from, to);
		columns.set(column, app.palette.pixel(idleColour(idle.state[row]), coverage(ns / scale.perPixel)));
	});
	columns.flush(pen, scale, top, height);
}

/** @param {Painter} painter @param {Grid} grid @param {IdleRuns} runs @param {number} top @param {number} height */
export function paintCoarseIdle(painter, grid, { from, state, share }, top, height) {
	paintShares(painter, grid, from, share, top, height, (run, part) =>
		painter.app.palette.pixel(idleColour(state[run]), coverage(part)));
}

/**
 * Draws frequencies, each as high as its share of the highest one.
 * @param {Painter} painter @param {number} top @param {number} height
 */
function frequencyBars({ app, pen, surface }, top, height) {
	const highest = app.pages.mostKhz;
	surface.fill(FREQUENCY_COLOUR);
	/** @param {number} x @param {number} width @param {number} khz */
	return (x, width, khz) => {
		const tall = khz / highest * (height - 1);
		pen.globalAlpha = 0.35;
		pen.fillRect(x, top + height - tall, width, tall);
		pen.globalAlpha = 1;
		pen.fillRect(x, top + height - tall - 1, width, 1);
	};
}

/** @param {Painter} painter @param {Cpu} cpu @param {number} top @param {number} height */
export function paintFrequencies(painter, cpu, top, height) {
	const { scale } = painter;
	const { frequencies } = cpu;
	const rows = rowsOf(frequencies);
	const bar = frequencyBars(painter, top, height);
	eachStrip(rows, scale, (x, width, row) => bar(x, width, frequencies.khz[row]), (column, from, to) =>
		bar(scale.left + column / scale.ratio, 1 / scale.ratio, frequencies.khz[summarise(rows, from, to).row]));
}

/**
 * @param {Painter} painter @param {Grid} grid @param {FrequencyRuns} runs @param {number} top
 * @param {number} height
 */
export function paintCoarseFrequencies(painter, grid, { from, mean }, top, height) {
	const bar = frequencyBars(painter, top, height);
	eachRun(from, grid, (x0, x1, run) => {
		if (mean[run])
			bar(grid.left(x0), grid.left(x1) - grid.left(x0), mean[run]);
	}, (x0, x1, first, piece) => {
		let known = 0;
		let sum = 0;
		for (let run = first; run < mean.length && from[run] < grid.past[piece]; run++) {
			const buckets = mean[run] ? bucketsOf(from, run, grid, piece) : 0;
			known += buckets;
			sum += buckets * mean[run];
		}
		if (known)
			bar(grid.left(x0), grid.left(x1) - grid.left(x0), sum / known);
	});
}

/** @param {Page} app @param {Cpu} cpu @param {number} x @returns {Item | null} */
export function pickIdle(app, cpu, x) {
	const row = pickRow(rowsOf(cpu.idle), app.scale(), x);
	return row >= 0 ? { kind: "idle", cpu: cpu.index, row } : null;
}

/** @param {Page} app @param {Cpu} cpu @param {number} x @returns {Item | null} */
export function pickFrequency(app, cpu, x) {
	const row = pickRow(rowsOf(cpu.frequencies), app.scale(), x);
	return row >= 0 ? { kind: "frequency", cpu: cpu.index, row } : null;
}

/**
 * What the overview tells of a bucket.
 * @param {Overview} overview @param {number} cpu @param {number} bucket @returns {Fact[]}
 */
export function powerFacts(overview, cpu, bucket) {
	const { idle, frequencies } = overview.power[cpu];
	const idleRun = idle ? runAt(idle.from, bucket) : -1;
	const run = frequencies ? runAt(frequencies.from, bucket) : -1;
	/** @type {Fact[]} */
	const facts = [];
	if (idle && idleRun >= 0 && idle.share[idleRun])
		facts.push(["idle", `${formatPercent(idle.share[idleRun] / FULL_SHARE)}, mostly ${idleName(idle.state[idleRun])}`]);
	if (frequencies && run >= 0 && frequencies.mean[run])
		facts.push(["frequency", frequencyText(frequencies.mean[run], frequencies.least[run], frequencies.most[run])]);
	return facts;
}
