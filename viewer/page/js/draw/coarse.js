// SPDX-License-Identifier: GPL-2.0
/*
 * How lanes are painted from the overview: with the same shapes and colours as rows that share a pixel.
 * Several buckets in a column of pixels are averaged; a bucket that is wider than a column fills all of
 * its columns.
 */
import { FULL_SHARE } from "../data/overview.js";
import { lastAtMost } from "../data/row_search.js";
import { formatDuration, formatTime } from "../data/units.js";

/** @typedef {import("./types.js").Told} Told */

/** @typedef {import("./types.js").Lane} Lane */
/** @typedef {import("./types.js").Overview} Overview */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */
/** @typedef {import("./types.js").Scale} Scale */

/*
 * Which buckets fall into which columns, from scale.left: piece i is columns x[i] to x[i + 1] of
 * display pixels and buckets first[i] to past[i].
 */
export class Grid {
	/** @param {Overview} overview @param {Scale} scale */
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
		for (let column = Math.max(Math.ceil(-scale.start / scale.perPixel), 0); column < end; column++) {
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

	/**
	 * Columns of the display -> CSS pixels.
	 * @param {number} column
	 */
	left(column) {
		return this.scale.left + column / this.scale.ratio;
	}
}

/**
 * The runs in sight: whole(x0, x1, run) where columns show one run alone, mixed(x0, x1, run, piece)
 * where a piece holds more than one, of which @run is the first.
 * @param {Uint32Array} from @param {Grid} grid
 * @param {(x0: number, x1: number, run: number) => void} whole
 * @param {(x0: number, x1: number, run: number, piece: number) => void} mixed
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

/**
 * How many buckets of a piece are of a run.
 * @param {Uint32Array} from @param {number} run @param {Grid} grid @param {number} piece
 */
export function bucketsOf(from, run, grid, piece) {
	return Math.min(from[run + 1], grid.past[piece]) - Math.max(from[run], grid.first[piece]);
}

/**
 * Of a piece that holds more than one run: the longest, and which part of the piece all of them fill.
 * @param {Uint32Array} from @param {ArrayLike<number>} share @param {number} first @param {Grid} grid @param {number} piece
 */
export function longestOf(from, share, first, grid, piece) {
	let longest = first;
	let most = -1;
	let sum = 0;
	for (let run = first; run < share.length && from[run] < grid.past[piece]; run++) {
		const own = share[run] * bucketsOf(from, run, grid, piece);
		sum += own;
		if (own > most) {
			most = own;
			longest = run;
		}
	}
	return { longest, part: sum / FULL_SHARE / (grid.past[piece] - grid.first[piece]) };
}

/**
 * Runs that fill a @share of their buckets, as a strip: pixelOf(run, part) is the pixel of the longest run, where so
 * much of the place is filled.
 * @param {Painter} painter @param {Grid} grid @param {Uint32Array} from @param {ArrayLike<number>} share
 * @param {number} top @param {number} height @param {(run: number, part: number) => number} pixelOf
 */
export function paintShares({ pen, scale, columns }, grid, from, share, top, height, pixelOf) {
	columns.begin(scale, 1);
	eachRun(from, grid, (x0, x1, run) => {
		if (share[run])
			columns.fill(x0, x1, pixelOf(run, share[run] / FULL_SHARE));
	}, (x0, x1, first, piece) => {
		const { longest, part } = longestOf(from, share, first, grid, piece);
		if (part)
			columns.fill(x0, x1, pixelOf(longest, part));
	});
	columns.flush(pen, scale, top, height);
}

/**
 * The run in which a bucket lies, or -1.
 * @param {Uint32Array} from @param {number} bucket
 */
export function runAt(from, bucket) {
	const run = lastAtMost(from, bucket);
	return run < from.length - 1 ? run : -1;
}

/**
 * What the overview tells of a lane at @ns, as describe() does of an item; null: nothing.
 * @param {Page} app @param {Overview} overview @param {Lane} lane @param {number} ns
 * @returns {(Told & {key: string}) | null}
 */
export function describeBucket(app, overview, lane, ns) {
	const bucket = overview.bucketAt(ns);
	const start = bucket * overview.bucketNs;
	const length = Math.min(overview.bucketNs, overview.duration - start);
	const told = lane.kind.describeBucket(app, overview, lane, bucket);
	return told && {
		...told, key: `${lane.id} ${bucket}`,
		facts: [...told.facts, ["in", `${formatDuration(length)} from ${formatTime(start)}`],
			["zoom in", "to see each slice and span"]],
	};
}
