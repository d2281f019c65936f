// SPDX-License-Identifier: GPL-2.0
/*
 * Slices of a CPU: who ran, and in the lower third what of the program.
 */
import { SPAN_WAIT } from "../data/codes.js";
import { FULL_SHARE } from "../data/overview.js";
import { threadName } from "../data/texts.js";
import { pickRow } from "./pick.js";
import { nameColour, spanColour, spansOf } from "./spans.js";
import { eachStrip, Scale, summarise } from "./strips.js";
import { coverage, DIMMED, LEAST_TEXT_ROOM, TEXT_ON_FILL } from "./style.js";

/** @typedef {import("./types.js").Cpu} Cpu */
/** @typedef {import("./types.js").Grid} Grid */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */
/** @typedef {import("./types.js").Thread} Thread */

const LEAST_TASK_ROOM = 5;
const LEAST_NAMED_SHARE = 0.9;
const LEAST_NAMED_HEIGHT = 13;
const TASK_FROM = 2 / 3;	/* of the height */

/** @param {Cpu} cpu */
const slicesOf = ({ slices }) => ({
	start: slices.start, rows: slices.rows, end: (/** @type {number} */ row) => slices.end[row],
});

/**
 * Of threads that were not searched for.
 * @param {Page} app @returns {(thread: number) => number}
 */
function strengthOf(app) {
	const lit = app.litThreads();
	return (thread) => lit && !lit(thread) ? DIMMED : 1;
}

/** @param {Painter} painter @param {Cpu} cpu @param {number} top @param {number} height */
export function paintSlices(painter, cpu, top, height) {
	const { app, pen, scale, columns, surface } = painter;
	const { palette } = app;
	const { slices } = cpu;
	const upper = Math.round(height * TASK_FROM);
	const strength = strengthOf(app);
	const rows = slicesOf(cpu);
	surface.setFont(11);
	columns.begin(scale, 3);
	eachStrip(rows, scale, (x, width, row) => {
		const thread = slices.thread[row];
		const annotated = app.store.threads[thread].levels.length > 0;
		pen.globalAlpha = strength(thread);
		surface.fill(palette.ofThread(thread));
		pen.fillRect(x, top, width, height);
		if (annotated && width >= LEAST_TASK_ROOM) {
			paintTasks(painter, app.store.threads[thread], slices.start[row], slices.end[row], top + upper,
				height - upper);
		} else if (annotated) {
			surface.fill(taskColour(painter, cpu.index, row));
			pen.fillRect(x, top + upper, width, height - upper);
		}
		if (width > 3)
			paintSwitch(painter, x + width, top, height);
		if (width > LEAST_TEXT_ROOM && height >= LEAST_NAMED_HEIGHT)
			paintName(painter, thread, x, width, top + (annotated ? upper : height) / 2 + 0.5);
	}, (column, from, to) => {
		const { row, ns } = summarise(rows, from, to);
		const thread = slices.thread[row];
		const alpha = strength(thread) * coverage(ns / scale.perPixel);
		columns.set(column, palette.pixel(palette.ofThread(thread), alpha), 0, 2);
		columns.set(column, palette.pixel(taskColour(painter, cpu.index, row), alpha), 2, 3);
	});
	pen.globalAlpha = 1;
	columns.flush(pen, scale, top, height);
}

/**
 * With its number, where there is room for all of it.
 * @param {Painter} painter @param {number} thread @param {number} x @param {number} width
 * @param {number} y
 */
function paintName(painter, thread, x, width, y) {
	const { store, palette } = painter.app;
	const text = threadName(store, thread);
	const fitting = painter.surface.widthOf(text) + 8 < width ? text : store.threads[thread].comm;
	painter.textInside(fitting, x, width, y,
		palette.threadColours.has(thread) ? TEXT_ON_FILL : painter.theme.ink);
}

/**
 * The spans of a thread while it ran from @start to @end, the inner ones over the outer ones.
 * @param {Painter} painter @param {Thread} thread @param {number} start @param {number} end
 * @param {number} top @param {number} height
 */
function paintTasks(painter, thread, start, end, top, height) {
	const { app, scale, pen, surface } = painter;
	const from = Math.max(start, scale.start);
	const left = scale.snapped(from);
	const part = new Scale(from, Math.min(end, scale.end), left,
		Math.max(scale.snapped(Math.min(end, scale.end)) - left, 1 / scale.ratio), scale.ratio);
	for (const level of thread.levels) {
		const rows = spansOf(level);
		/** @param {number} x @param {number} width @param {number} i */
		const paint = (x, width, i) => {
			const x0 = Math.max(x, left);
			const x1 = Math.min(x + width, left + part.width);
			if (app.isSpanDimmed(thread.spans, level.row[i]) || x1 <= x0)
				return;
			if (thread.spans.kind[level.row[i]] === SPAN_WAIT && x1 - x0 > 2)
				pen.fillStyle = painter.waitPattern();
			else
				surface.fill(spanColour(painter, thread.spans, level.row[i]));
			pen.fillRect(x0, top, x1 - x0, height);
		};
		eachStrip(rows, part, paint, (column, i, to) =>
			paint(part.left + column / part.ratio, 1 / part.ratio, summarise(rows, i, to).row));
	}
}

/**
 * Of the innermost span when a slice began; the thread's own where there is none.
 * @param {Painter} painter @param {number} cpu @param {number} row
 */
function taskColour(painter, cpu, row) {
	const { store, palette } = painter.app;
	const thread = store.cpus[cpu].slices.thread[row];
	const span = store.taskOfSlice(cpu, row);
	return span < 0 ? palette.ofThread(thread) : spanColour(painter, store.threads[thread].spans, span);
}

/**
 * Where one slice ends and the next begins, the CPU switched.
 * @param {Painter} painter @param {number} x @param {number} top @param {number} height
 */
function paintSwitch({ pen, scale, surface }, x, top, height) {
	const thin = 1 / scale.ratio;
	const alpha = pen.globalAlpha;
	pen.globalAlpha = alpha * 0.4;
	surface.fill(TEXT_ON_FILL);
	pen.fillRect(x - thin, top, thin, height);
	pen.globalAlpha = alpha;
}

/**
 * @param {Painter} painter @param {Grid} grid @param {number} index @param {number} top
 * @param {number} height
 */
export function paintCoarseSlices(painter, grid, index, top, height) {
	const { app, pen, scale, columns } = painter;
	const { thread, busy } = grid.overview.cpus[index];
	const tasks = grid.overview.tasksOf(index);
	const strength = strengthOf(app);
	const stretch = new Stretches();
	columns.begin(scale, 3);
	for (let piece = 0; piece < grid.pieces; piece++) {
		let longest = grid.first[piece];
		let sum = 0;
		for (let bucket = longest; bucket < grid.past[piece]; bucket++) {
			sum += busy[bucket];
			if (busy[bucket] > busy[longest])
				longest = bucket;
		}
		const share = sum / (grid.past[piece] - grid.first[piece]) / FULL_SHARE;
		if (!share || !thread[longest])
			continue;
		const owner = thread[longest] - 1;
		const alpha = coverage(share) * strength(owner);
		const [x0, x1] = [grid.x[piece], grid.x[piece + 1]];
		const task = tasks.name[longest] < 0 ? app.palette.ofThread(owner) :
			nameColour(painter, tasks.name[longest], tasks.kind[longest]);
		columns.fill(x0, x1, app.palette.pixel(app.palette.ofThread(owner), alpha), 0, 2);
		columns.fill(x0, x1, app.palette.pixel(task, alpha), 2, 3);
		if (share >= LEAST_NAMED_SHARE)
			stretch.add(owner, x0, x1, tasks.name[longest] >= 0);
	}
	columns.flush(pen, scale, top, height);
	if (height >= LEAST_NAMED_HEIGHT)
		nameStretches(painter, grid, stretch.all, top, height);
}

/* The columns in which the same thread had the CPU for itself. */
/** @typedef {{thread: number, x0: number, x1: number, task: boolean}} Stretch */

class Stretches {
	constructor() {
		/** @type {Stretch[]} */
		this.all = [];
	}

	/** @param {number} thread @param {number} x0 @param {number} x1 @param {boolean} task */
	add(thread, x0, x1, task) {
		const last = this.all.at(-1);
		if (last && last.thread === thread && last.x1 === x0) {
			last.x1 = x1;
			last.task ||= task;
		} else {
			this.all.push({ thread, x0, x1, task });
		}
	}
}

/**
 * @param {Painter} painter @param {Grid} grid @param {Stretch[]} stretches @param {number} top
 * @param {number} height
 */
function nameStretches(painter, grid, stretches, top, height) {
	const { ratio } = painter.scale;
	painter.surface.setFont(11);
	for (const { thread, x0, x1, task } of stretches)
		if (x1 - x0 > LEAST_TEXT_ROOM * ratio)
			paintName(painter, thread, grid.left(x0), (x1 - x0) / ratio,
				top + (task ? Math.round(height * TASK_FROM) : height) / 2 + 0.5);
}

/** @param {Page} app @param {Cpu} cpu @param {number} x @returns {Item | null} */
export function pickSlice(app, cpu, x) {
	const row = pickRow(slicesOf(cpu), app.scale(), x);
	return row >= 0 ? { kind: "slice", cpu: cpu.index, row } : null;
}
