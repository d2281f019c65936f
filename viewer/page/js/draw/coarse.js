// SPDX-License-Identifier: GPL-2.0
/*
 * How lanes are painted from the overview: with the same shapes and colours as rows that share a pixel.
 * Several buckets in a column of pixels are averaged; a bucket that is wider than a column fills all of
 * its columns.
 */
import { NR_STATES, STATE, STATE_NAMES } from "../data/codes.js";
import { FULL_SHARE } from "../data/overview.js";
import { formatDensity } from "../data/pmu.js";
import { lastAtMost } from "../data/row_search.js";
import { threadName } from "../data/texts.js";
import { formatCount, formatDuration, formatPercent, formatTime } from "../data/units.js";

/*
 * Which buckets fall into which columns, from scale.left: piece i is columns x[i] to x[i + 1] of
 * display pixels and buckets first[i] to past[i].
 */
export class Grid {
	constructor(overview, scale) {
		const { bucketNs, buckets } = overview;
		const columns = Math.ceil(scale.width * scale.ratio);
		this.overview = overview;
		this.scale = scale;
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

	/* Columns of the display -> CSS pixels. */
	left(column) {
		return this.scale.left + column / this.scale.ratio;
	}
}

/*
 * The runs in sight: whole(x0, x1, run) where columns show one run alone, mixed(x0, x1, run, piece)
 * where a piece holds more than one, of which @run is the first.
 */
export function eachRun(from, grid, whole, mixed) {
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
export function bucketsOf(from, run, grid, piece) {
	return Math.min(from[run + 1], grid.past[piece]) - Math.max(from[run], grid.first[piece]);
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
