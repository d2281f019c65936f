// SPDX-License-Identifier: GPL-2.0
/*
 * What is painted of a closed group: how many of its threads ran, of as many as could have at once.
 */
import { lastAtMost } from "../data/row_search.js";

/** @typedef {import("./types.js").Thread} Thread */

/** @typedef {import("./types.js").Grid} Grid */
/** @typedef {import("./types.js").GroupLane} GroupLane */
/** @typedef {import("./types.js").Lane} Lane */
/** @typedef {import("./types.js").Overview} Overview */
/** @typedef {import("./types.js").Painter} Painter */

export class GroupUse {
	/**
	 * @lanes are those in sight. Rows are gone through once for all closed groups among them.
	 * @param {Painter} painter @param {Lane[]} lanes
	 */
	constructor(painter, lanes) {
		this.painter = painter;
		this.groups = /** @type {GroupLane[]} */ (lanes.filter((lane) => lane.members && !lane.open));
		/** @type {Float64Array[] | null} */
		this.sums = null;
	}

	/** @param {Grid | null} grid @param {GroupLane} lane @param {Thread[]} members @param {number} top @param {number} height */
	paint(grid, lane, members, top, height) {
		const { pen, scale, theme, app } = this.painter;
		const running = grid ? this.inOverview(grid.overview, lane.key, members) : this.inRows(lane);
		const cpus = app.store.cpus.filter((cpu) => cpu.seen).length;
		const most = scale.perPixel * scale.ratio * Math.min(members.length, cpus);
		pen.fillStyle = lane.strangers ? theme.other : theme.busy;
		running.forEach((ns, column) => {
			if (ns <= 0)
				return;
			const tall = Math.min(Math.max(ns / most * height, 1), height);
			pen.fillRect(scale.left + column, top + height - tall, 1, tall);
		});
	}

	/**
	 * The ns that a group's threads ran, by column of the lanes.
	 * @param {Overview} overview @param {string} key @param {Thread[]} members
	 */
	inOverview(overview, key, members) {
		const { scale } = this.painter;
		const sums = overview.runningOfGroup(key, members.map((thread) => thread.index));
		return Float64Array.from({ length: Math.ceil(scale.width) }, (_, column) =>
			overview.timeIn(sums, scale.ns(scale.left + column), scale.ns(scale.left + column + 1)));
	}

	/** @param {GroupLane} lane */
	inRows(lane) {
		this.sums ??= this.addUp();
		return this.sums[this.groups.indexOf(lane)];
	}

	addUp() {
		const { app, scale } = this.painter;
		const sums = this.groups.map(() => new Float64Array(Math.ceil(scale.width)));
		/** @type {(Float64Array | undefined)[]} by thread */
		const own = new Array(app.store.threads.length);
		this.groups.forEach(({ members }, i) => {
			for (const thread of members || [])
				own[thread.index] = sums[i];
		});
		for (const { slices } of app.store.cpus) {
			let row = Math.max(lastAtMost(slices.start, scale.start), 0);
			for (; row < slices.rows && slices.start[row] < scale.end; row++) {
				const sum = own[slices.thread[row]];
				if (sum)
					this.spread(sum, slices.start[row], slices.end[row]);
			}
		}
		return sums;
	}

	/**
	 * Over the columns in which it lies.
	 * @param {Float64Array} sums @param {number} start @param {number} end
	 */
	spread(sums, start, end) {
		const { scale } = this.painter;
		const perColumn = scale.perPixel * scale.ratio;
		const from = Math.max((start - scale.start) / perColumn, 0);
		const to = Math.min((end - scale.start) / perColumn, sums.length);
		for (let column = Math.floor(from); column < to; column++)
			sums[column] += (Math.min(to, column + 1) - Math.max(from, column)) * perColumn;
	}
}
