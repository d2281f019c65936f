// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes of counters: the values of one over time. Its min and max are of the whole trace, its series of
 * what is loaded.
 */
import { lastAtMost, lowerBound } from "../../data/row_search.js";
import { threadName } from "../../data/texts.js";
import { formatCount } from "../../data/units.js";
import { eachRun, runAt } from "../coarse.js";
import { MOST_LOOKED_AT } from "../strips.js";
import { DIMMED, INDENT, NARROW_LABELS } from "../style.js";
import { itemBeside, plainKind, selectThread } from "./plain.js";

/** @typedef {import("../types.js").CounterLane} CounterLane */
/** @typedef {import("../types.js").CounterOf} CounterOf */
/** @typedef {import("../types.js").Painter} Painter */

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

	paint: paintSeries,

	paintCoarse(painter, grid, lane, y) {
		const runs = grid.overview.threads[lane.thread.index].counters.get(lane.name);
		if (!runs)
			return;
		const steps = new CounterSteps(painter, lane, y);
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

	paintLabel({ painter, width }, lane, y) {
		const { surface, theme } = painter;
		const x = INDENT * lane.indent;
		const middle = y + lane.height / 2;
		const isNarrow = width < NARROW_LABELS;
		surface.setFont(10);
		surface.fill(theme["ink-dim"]);
		surface.text(lane.label, x, middle, width - x - (isNarrow ? 4 : 70));
		if (isNarrow)
			return;
		surface.fill(theme["ink-faint"]);
		const most = `≤ ${formatCount(lane.max)}`;
		surface.text(most, width - 12 - surface.widthOf(most), middle);
	},

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

/* Draws a counter from left to right: an area below what it was, a line for how it moved. */
class CounterSteps {
	/** @param {Painter} painter @param {CounterLane} lane @param {number} y */
	constructor(painter, lane, y) {
		this.pen = painter.pen;
		this.least = Math.min(lane.min, 0);
		this.span = Math.max(lane.max, 0) - this.least || 1;
		this.height = lane.height - 8;
		this.foot = y + 4 + this.height;
		this.colour = painter.app.palette.ofName(lane.name);
		this.alpha = painter.app.isDimmed(lane.name) ? DIMMED : 1;
	}

	/** @param {number} value */
	level(value) {
		return this.foot - (value - this.least) / this.span * this.height;
	}

	/**
	 * From @x to @until, beginning between @low and @high and ending as @last.
	 * @param {number} x @param {number} until @param {number} low @param {number} high @param {number} last
	 */
	paint(x, until, low, high, last) {
		const { pen } = this;
		const ground = this.level(0);
		const y = this.level(last);
		const upper = this.level(high);
		pen.fillStyle = this.colour;
		pen.globalAlpha = this.alpha * 0.3;
		pen.fillRect(x, Math.min(y, ground), until - x, Math.abs(ground - y));
		pen.globalAlpha = this.alpha;
		pen.fillRect(x, y - 1, until - x, 1.5);
		pen.fillRect(x, upper - 1, 1, this.level(low) - upper + 1.5);
		pen.globalAlpha = 1;
	}
}

/**
 * The least and most that a counter was during each pixel, joined by its steps.
 * @param {Painter} painter @param {CounterLane} lane @param {number} y
 */
function paintSeries(painter, lane, y) {
	const { scale, app } = painter;
	const { series } = lane;
	const thin = 1 / scale.ratio;
	const end = Math.min(scale.x(app.store.duration), painter.surface.width);
	const steps = new CounterSteps(painter, lane, y);
	let i = Math.max(lastAtMost(series.start, scale.start), 0);

	if (series.before !== null && !(series.start[0] <= scale.start)) {
		const { before } = series;
		steps.paint(scale.left, series.rows ? scale.snapped(series.start[0]) : end, before, before, before);
	}
	while (i < series.rows && series.start[i] <= scale.end) {
		const x = scale.snapped(series.start[i]);
		const next = Math.max(i + 1, lowerBound(series.start, scale.ns(x + thin), i, series.rows));
		const until = next < series.rows ? scale.snapped(series.start[next]) : end;
		let low = series.value[i];
		let high = low;
		const step = Math.max(1, Math.floor((next - i) / MOST_LOOKED_AT));
		for (let row = i; row < next; row += step) {
			low = Math.min(low, series.value[row]);
			high = Math.max(high, series.value[row]);
		}
		const before = i ? series.value[i - 1] : series.before ?? 0;
		steps.paint(x, until, Math.min(low, before), Math.max(high, before), series.value[next - 1]);
		i = next;
	}
}
