// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes of counters: the values of one over time. Its min and max are of the whole trace, its series of
 * what is loaded.
 */
import { lastAtMost } from "../../data/row_search.js";
import { threadName } from "../../data/texts.js";
import { formatCount } from "../../data/units.js";
import { eachRun, runAt } from "../coarse.js";
import { paintSeries, paintSeriesLabel, SeriesSteps } from "../series.js";
import { itemBeside, plainKind, selectThread } from "./plain.js";

/** @typedef {import("../types.js").CounterLane} CounterLane */
/** @typedef {import("../types.js").CounterOf} CounterOf */

/** @type {import("../types.js").LaneKindOf<CounterLane, CounterOf>} */
export const counterKind = {
	...plainKind,
	name: "counter",
	heights: { normal: { counter: 34 }, compact: { counter: 22 } },

	layout(lanes, { thread: { index, series }, nr }) {
		const { name, min, max } = series[nr];
		return {
			id: `counter ${index} ${name}`, kind: counterKind, nr, name, min, max, indent: 2,
			label: lanes.store.string(name), note: "", height: lanes.heights.counter,
			get thread() {
				return lanes.store.threads[index];
			},
			get series() {
				return this.thread.counters[nr];
			},
		};
	},

	paint: (painter, lane, y) => paintSeries(painter, lane, lane.series, y),

	paintCoarse(painter, grid, lane, y) {
		const runs = grid.overview.threads[lane.thread.index].counters.get(lane.name);
		if (!runs)
			return;
		const steps = new SeriesSteps(painter, lane, y);
		const { from, min, max, last } = runs;
		/** @param {number} x0 @param {number} x1 @param {number} first @param {number} past */
		const use = (x0, x1, first, past) => {
			let low = Infinity;
			let high = -Infinity;
			for (let run = first; run < past; run++) {
				low = Math.min(low, min[run]);
				high = Math.max(high, max[run]);
			}
			steps.paint(grid.left(x0), grid.left(x1), low, high, last[past - 1]);
		};
		eachRun(from, grid, (x0, x1, run) => use(x0, x1, run, run + 1), (x0, x1, first, piece) => {
			let past = first + 1;
			while (past < last.length && from[past] < grid.past[piece])
				past++;
			use(x0, x1, first, past);
		});
	},

	paintLabel: paintSeriesLabel,

	boxOf: (app, lane, { kind }) => kind === "mark" ? { top: 3, height: lane.height - 7 } : null,

	/* The last value that was set. */
	pick(app, lane, x) {
		const { series } = lane;
		const i = lastAtMost(series.start, app.scale().ns(x + 1));
		return i >= 0 ? { kind: "mark", thread: lane.thread.index, row: series.row[i] } : null;
	},

	itemAt(store, lane, ns) {
		const { index } = lane.thread;
		const { start, row } = store.threads[index].counters[lane.nr];
		return itemBeside(start, ns, (i) => ({ kind: "mark", thread: index, row: row[i] }));
	},

	click: selectThread,

	describeBucket({ store, palette }, overview, lane, bucket) {
		const { index } = lane.thread;
		const runs = overview.threads[index].counters.get(lane.name);
		const run = runs ? runAt(runs.from, bucket) : -1;
		return !runs || run < 0 ? null : {
			title: lane.label, subtitle: `counter of ${threadName(store, index)}`,
			colour: palette.ofName(lane.name),
			facts: [["least", formatCount(runs.min[run])], ["most", formatCount(runs.max[run])],
				["last", formatCount(runs.last[run])]],
		};
	},
};
