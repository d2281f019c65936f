// SPDX-License-Identifier: GPL-2.0
/*
 * Paints lanes from the overview, with the same shapes and colours as paint.js gives to rows that
 * share a pixel. Several buckets in a column of pixels are averaged; a bucket that is wider than a
 * column fills all of its columns.
 */
import { NR_STATES, SPAN_WAIT, STATE, STATE_NAMES } from "../data/codes.js";
import { FULL_SHARE } from "../data/overview.js";
import { formatDensity } from "../data/pmu.js";
import { lastAtMost } from "../data/row_search.js";
import { threadName } from "../data/texts.js";
import { formatCount, formatDuration, formatPercent, formatTime } from "../data/units.js";
import { CounterSteps } from "./chart.js";
import { paintDensities, paintPmuGaps } from "./density.js";
import { DIMMED, LEAST_TEXT_ROOM, LEAST_TICK_DISTANCE, TEXT_ON_FILL } from "./style.js";

const LEAST_NAMED_SHARE = 0.9;

/*
 * Which buckets fall into which columns, from scale.left: piece i is columns x[i] to x[i + 1] of
 * display pixels and buckets first[i] to past[i].
 */
class Grid {
	constructor(overview, scale) {
		const { bucketNs, buckets } = overview;
		const columns = Math.ceil(scale.width * scale.ratio);
		this.x = new Uint32Array(columns + 1);
		this.first = new Uint32Array(columns);
		this.past = new Uint32Array(columns);
		this.pieces = 0;
		const end = Math.min((overview.duration - scale.start) / scale.perPixel, columns);
		const step = scale.perPixel / bucketNs;
		const origin = scale.start / bucketNs;
		for (let column = 0; column < end; column++) {
			const first = Math.min(Math.floor(origin + column * step), buckets - 1);
			const past = Math.max(Math.min(Math.floor(origin + (column + 1) * step), buckets), first + 1);
			const last = this.pieces - 1;
			if (last < 0 || this.first[last] !== first || this.past[last] !== past) {
				this.x[this.pieces] = column;
				this.first[this.pieces] = first;
				this.past[this.pieces++] = past;
			}
			this.x[this.pieces] = column + 1;
		}
	}
}

/*
 * The runs in sight: whole(x0, x1, run) where columns show one run alone, mixed(x0, x1, run, piece)
 * where a piece holds more than one, of which @run is the first.
 */
function eachRun(from, grid, whole, mixed) {
	const rows = from.length - 1;
	let run = Math.max(lastAtMost(from, grid.first[0]), 0);
	for (let piece = 0; piece < grid.pieces;) {
		while (run < rows && from[run + 1] <= grid.first[piece])
			run++;
		if (run >= rows)
			return;
		const x0 = grid.x[piece];
		if (grid.past[piece] > from[run + 1]) {
			mixed(x0, grid.x[piece + 1], run, piece);
			piece++;
			continue;
		}
		while (piece < grid.pieces && grid.past[piece] <= from[run + 1])
			piece++;
		whole(x0, grid.x[piece], run);
	}
}

/* How many buckets of a piece are of a run. */
function bucketsOf(from, run, grid, piece) {
	return Math.min(from[run + 1], grid.past[piece]) - Math.max(from[run], grid.first[piece]);
}

export class CoarsePainter {
	constructor(painter) {
		this.painter = painter;
		this.shares = new Float64Array(NR_STATES);
	}

	/* To be called before the lanes of each drawing. */
	begin() {
		const { app, scale } = this.painter;
		this.overview = app.pages.overview;
		this.grid = new Grid(this.overview, scale);
	}

	/* Columns of the display -> CSS pixels. */
	left(column) {
		const { scale } = this.painter;
		return scale.left + column / scale.ratio;
	}

	/* How much of a column's time, as an opacity that never vanishes. */
	coverage(share) {
		return 0.3 + 0.7 * Math.min(share, 1);
	}

	paintLane(lane, y) {
		if (lane.kind.name === "cpu")
			this.paintCpu(lane, y);
		else if (lane.kind.name === "thread")
			this.paintThread(lane, y);
		else
			this.paintCounter(lane, y);
	}

	paintCpu(lane, y) {
		const { painter } = this;
		const { app, pen, scale, columns } = painter;
		const { index } = lane.cpu;
		const { thread, busy } = this.overview.cpus[index];
		const tasks = this.overview.tasksOf(index);
		const { grid } = this;
		const top = y + 1;
		const height = app.lanes.heights.cpu - 3;
		const lit = app.litThreads();
		const stretch = { thread: -1, x0: 0, x1: 0, task: false };
		const names = [];
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
			const alpha = this.coverage(share) * (lit && !lit(owner) ? DIMMED : 1);
			const [x0, x1] = [grid.x[piece], grid.x[piece + 1]];
			columns.fill(x0, x1, app.palette.pixel(app.palette.ofThread(owner), alpha), 0, 2);
			columns.fill(x0, x1, app.palette.pixel(this.taskColour(tasks, longest, owner), alpha), 2, 3);
			this.follow(stretch, share >= LEAST_NAMED_SHARE ? owner : -1, x0, x1, tasks.name[longest] >= 0,
				names);
		}
		this.follow(stretch, -1, 0, 0, false, names);
		columns.flush(pen, scale, top, height);
		this.nameSlices(names, top, height);
		painter.paintGaps(lane.cpu, top, height);
		paintDensities(painter, lane, "cpus", index, y + lane.densityTop);
		paintPmuGaps(painter, index, lane.densities, y + lane.densityTop);
	}

	/* Gathers in @names the columns in which the same thread (-1: none) had the CPU for itself. */
	follow(stretch, thread, x0, x1, task, names) {
		if (stretch.thread === thread && stretch.x1 === x0) {
			stretch.x1 = x1;
			stretch.task = stretch.task || task;
			return;
		}
		if (stretch.thread >= 0 && stretch.x1 - stretch.x0 > LEAST_TEXT_ROOM * this.painter.scale.ratio)
			names.push({ ...stretch });
		Object.assign(stretch, { thread, x0, x1, task });
	}

	nameSlices(names, top, height) {
		const { painter } = this;
		const { ratio } = painter.scale;
		if (height < 13)
			return;
		painter.surface.setFont(11);
		for (const { thread, x0, x1, task } of names)
			painter.textInside(painter.sliceText(thread, (x1 - x0) / ratio), this.left(x0),
				(x1 - x0) / ratio, top + (task ? Math.round(height * 2 / 3) : height) / 2 + 0.5,
				painter.app.palette.threadColours.has(thread) ? TEXT_ON_FILL : painter.theme.ink);
	}

	taskColour(tasks, bucket, thread) {
		const { app, theme } = this.painter;
		if (tasks.name[bucket] < 0)
			return app.palette.ofThread(thread);
		return tasks.kind[bucket] === SPAN_WAIT ? theme["wait-line"] : app.palette.ofName(tasks.name[bucket]);
	}

	paintThread(lane, y) {
		const { painter } = this;
		const { index } = lane.thread;
		const own = this.overview.threads[index];
		const { heights } = painter.app.lanes;
		painter.dimLane(lane);
		const states = this.overview.statesOf(index);
		if (states)
			this.paintStates(states, y + 2, heights.strip);
		paintDensities(painter, lane, "threads", index, y + lane.densityTop);
		if (own.marks && lane.spansTop > lane.marksTop)
			this.paintMarks(own.marks, y + lane.marksTop, heights.marks);
		for (const level of own.levels)
			this.paintLevel(level, y + lane.spansTop + level.depth * heights.span, heights.span - 1);
	}

	paintStates({ from, share, states }, top, height) {
		const { painter, shares } = this;
		const { pen, scale, columns } = painter;
		const { ratio } = scale;
		pen.globalAlpha = painter.laneAlpha;
		columns.begin(scale, Math.round(height * ratio));
		shares.fill(0);
		eachRun(from, this.grid, (x0, x1, run) => {
			/* Nothing is drawn of the time before a thread was seen, as there is no row of it. */
			if (run === 0 && share[STATE.UNKNOWN][run] === FULL_SHARE)
				return;
			for (const state of states) {
				if (share[state][run] === FULL_SHARE) {
					painter.paintState(state, this.left(x0), (x1 - x0) / ratio, top, height);
					return;
				}
				shares[state] = share[state][run];
			}
			painter.stackShares(x0, x1, shares, FULL_SHARE);
		}, (x0, x1, first, piece) => {
			shares.fill(0);
			let total = 0;
			for (let run = first; run < share[0].length && from[run] < this.grid.past[piece]; run++) {
				const buckets = bucketsOf(from, run, this.grid, piece);
				total += buckets * FULL_SHARE;
				for (const state of states)
					shares[state] += share[state][run] * buckets;
			}
			painter.stackShares(x0, x1, shares, total);
		});
		columns.flush(pen, scale, top, height);
		pen.globalAlpha = 1;
	}

	paintLevel(level, top, height) {
		const { painter } = this;
		const { pen, scale, columns, surface } = painter;
		const { from, name, kind, share } = level;
		const texts = [];
		surface.setFont(height >= 15 ? 11 : 10);
		columns.begin(scale, 1);
		const fill = (x0, x1, run, part) => columns.fill(x0, x1, painter.app.palette.pixel(
			painter.nameColour(name[run], kind[run]), painter.strength(name[run]) * this.coverage(part)));
		eachRun(from, this.grid, (x0, x1, run) => {
			if (!share[run])
				return;
			if (kind[run] === SPAN_WAIT && x1 - x0 > 2 && share[run] === FULL_SHARE)
				this.paintWait(x0, x1, top, height, painter.strength(name[run]));
			else
				fill(x0, x1, run, share[run] / FULL_SHARE);
			if (x1 - x0 > LEAST_TEXT_ROOM * scale.ratio && share[run] > FULL_SHARE / 2)
				texts.push([x0, x1, run]);
		}, (x0, x1, first, piece) => {
			let longest = first;
			let most = -1;
			let sum = 0;
			for (let run = first; run < share.length && from[run] < this.grid.past[piece]; run++) {
				const own = share[run] * bucketsOf(from, run, this.grid, piece);
				sum += own;
				if (own > most) {
					most = own;
					longest = run;
				}
			}
			if (sum)
				fill(x0, x1, longest,
					sum / FULL_SHARE / (this.grid.past[piece] - this.grid.first[piece]));
		});
		columns.flush(pen, scale, top, height);
		for (const [x0, x1, run] of texts)
			painter.paintNameText(painter.app.store.string(name[run]), kind[run] === SPAN_WAIT,
				this.left(x0), (x1 - x0) / scale.ratio, top, height);
	}

	paintWait(x0, x1, top, height, alpha) {
		const { pen, scale } = this.painter;
		pen.globalAlpha = alpha;
		pen.fillStyle = this.painter.waitPattern();
		pen.fillRect(this.left(x0), top, (x1 - x0) / scale.ratio, height);
		pen.globalAlpha = 1;
	}

	/* A line where marks are close together; a diamond in the middle of a bucket that has room. */
	paintMarks({ from, name, count }, top, height) {
		const { painter, grid } = this;
		const { pen, scale, surface, app } = painter;
		surface.setFont(9);
		let run = Math.max(lastAtMost(from, grid.first[0]), 0);
		for (let piece = 0; piece < grid.pieces && run < count.length; piece++) {
			while (run < count.length && from[run + 1] <= grid.first[piece])
				run++;
			let first = run;
			while (first < count.length && from[first] < grid.past[piece] && !count[first])
				first++;
			if (first >= count.length || from[first] >= grid.past[piece])
				continue;
			const x = this.left(grid.x[piece]);
			const width = (grid.x[piece + 1] - grid.x[piece]) / scale.ratio;
			const colour = app.palette.ofName(name[first]);
			pen.globalAlpha = app.isDimmed(name[first]) ? DIMMED : 1;
			if (width < LEAST_TICK_DISTANCE) {
				surface.hairline(x, top, 0, height - 1, colour);
				continue;
			}
			const middle = x + width / 2;
			painter.diamond(middle, top + height / 2 - 0.5, Math.min(4, height / 2 - 0.5), colour);
			if (height >= 12 && width / 2 > LEAST_TEXT_ROOM) {
				surface.fill(painter.theme["ink-dim"]);
				surface.text(app.store.string(name[first]) + (count[first] > 1 ? ` ×${count[first]}` : ""),
					middle + 6, top + height / 2, width / 2 - 8);
			}
		}
		pen.globalAlpha = 1;
	}

	paintCounter(lane, y) {
		const { painter, grid } = this;
		const runs = this.overview.threads[lane.thread.index].counters.get(lane.name);
		if (!runs)
			return;
		const steps = new CounterSteps(painter, lane, y);
		const { from, min, max, last } = runs;
		const use = (x0, x1, first, past) => {
			let low = Infinity;
			let high = -Infinity;
			for (let run = first; run < past; run++) {
				low = Math.min(low, min[run]);
				high = Math.max(high, max[run]);
			}
			steps.paint(this.left(x0), this.left(x1), low, high, last[past - 1]);
		};
		eachRun(from, grid, (x0, x1, run) => use(x0, x1, run, run + 1), (x0, x1, first, piece) => {
			let past = first + 1;
			while (past < last.length && from[past] < grid.past[piece])
				past++;
			use(x0, x1, first, past);
		});
	}
}

/* What the overview tells of a lane at @ns, as describe() does of an item; null: nothing. */
export function describeBucket(app, lane, ns) {
	const { overview } = app.pages;
	const bucket = overview.bucketAt(ns);
	const start = bucket * overview.bucketNs;
	const length = Math.min(overview.bucketNs, overview.duration - start);
	const facts = coarseFacts[lane.kind.name] ? coarseFacts[lane.kind.name](app, lane, bucket) : null;
	return facts && {
		key: `${lane.id} ${bucket}`, ...facts,
		facts: [...facts.facts, ...bucketAmounts(app, lane, bucket),
			["in", `${formatDuration(length)} from ${formatTime(start)}`],
			["zoom in", "to see each slice and span"]],
	};
}

const shareText = (share) => formatPercent(share / FULL_SHARE);

/* The run in which a bucket lies, or -1. */
function runAt(from, bucket) {
	const run = lastAtMost(from, bucket);
	return run < from.length - 1 ? run : -1;
}

const coarseFacts = {
	cpu(app, lane, bucket) {
		const { overview } = app.pages;
		const { index } = lane.cpu;
		const { thread, busy } = overview.cpus[index];
		const facts = [["busy", shareText(busy[bucket])]];
		const name = overview.tasksOf(index).name[bucket];
		if (thread[bucket])
			facts.unshift(["ran longest", threadName(app.store, thread[bucket] - 1)]);
		if (name >= 0)
			facts.push(["inside", app.store.string(name)]);
		return {
			title: lane.label, subtitle: "CPU", facts,
			colour: thread[bucket] ? app.palette.ofThread(thread[bucket] - 1) : app.palette.theme.paper,
		};
	},
	thread(app, lane, bucket) {
		const { index } = lane.thread;
		const { levels, marks } = app.pages.overview.threads[index];
		const states = app.pages.overview.statesOf(index);
		const facts = [];
		const run = states ? runAt(states.from, bucket) : -1;
		for (let state = STATE.RUNNING; run >= 0 && state < NR_STATES; state++)
			if (states.share[state][run])
				facts.push([STATE_NAMES[state], shareText(states.share[state][run]), state]);
		for (const level of levels) {
			const span = runAt(level.from, bucket);
			if (span >= 0 && level.share[span])
				facts.push(["inside", `${app.store.string(level.name[span])}, ${
					shareText(level.share[span])}`]);
		}
		const mark = marks ? runAt(marks.from, bucket) : -1;
		if (mark >= 0 && marks.count[mark])
			facts.push(["marks", `${formatCount(marks.count[mark])}, the first: ${
				app.store.string(marks.name[mark])}`]);
		return {
			title: threadName(app.store, index), subtitle: "thread", facts,
			colour: app.palette.ofThread(index),
		};
	},
	counter(app, lane, bucket) {
		const { index } = lane.thread;
		const runs = app.pages.overview.threads[index].counters.get(lane.name);
		const run = runs ? runAt(runs.from, bucket) : -1;
		return run < 0 ? null : {
			title: lane.label, subtitle: `counter of ${threadName(app.store, index)}`,
			colour: app.palette.ofName(lane.name),
			facts: [["least", formatCount(runs.min[run])], ["most", formatCount(runs.max[run])],
				["last", formatCount(runs.last[run])]],
		};
	},
};

/* Of each event that the lane has a strip for. */
function bucketAmounts(app, lane, bucket) {
	const { overview } = app.pages;
	return (lane.densities || []).map((event) => {
		const series = lane.kind.name === "cpu" ? overview.ofCpu(event.index, lane.cpu.index) :
			overview.ofThread(event.index, lane.thread.index);
		const run = series ? runAt(series.from, bucket) : -1;
		return [event.name, run < 0 || !series.perBucket[run] ? "none" :
			`${formatCount(series.perBucket[run])}, ${formatDensity(series.perBucket[run],
				overview.bucketNs)}; at most ${formatDensity(series.max[run] * 8, overview.bucketNs)}`];
	});
}
