// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes of counters that the CPUs of a socket or a die share: the rate between two readings, as high as its share of the
 * highest one of the trace. Nothing is drawn where it is not known.
 */
import { FULL_SHARE } from "../../data/overview.js";
import { rateText } from "../../data/uncore.js";
import { formatPercent } from "../../data/units.js";
import { bucketsOf, eachRun, runAt } from "../coarse.js";
import { pickRow } from "../pick.js";
import { paintSeriesLabel, SeriesSteps } from "../series.js";
import { eachStrip, MOST_LOOKED_AT } from "../strips.js";
import { itemBeside, plainKind } from "./plain.js";

/** @typedef {import("../types.js").Grid} Grid */
/** @typedef {import("../types.js").UncoreLane} UncoreLane */

/** @type {import("../types.js").LaneKindOf<UncoreLane, number>} */
export const uncoreKind = {
	...plainKind,
	name: "uncore",
	heights: { normal: { uncore: 34 }, compact: { uncore: 22 } },

	layout(lanes, place) {
		const { uncore } = lanes.store.pages;
		const counter = uncore[place];
		/* Of one socket, the name alone. */
		const isOne = uncore.filter(({ name }) => name === counter.name).length === 1;
		const on = isOne || counter.cpu < 0 ? "" : `CPU ${counter.cpu}: `;
		return {
			id: `uncore ${place}`, kind: uncoreKind, place, name: counter.name, min: 0, max: counter.mostPerS,
			most: rateText(counter, counter.mostPerS), indent: 2, label: `${on}${lanes.store.string(counter.name)}`,
			note: "", height: lanes.heights.uncore,
		};
	},

	paint(painter, lane, y) {
		const { scale } = painter;
		const { rows, start, end, perS } = painter.app.store.uncore[lane.place];
		const steps = new SeriesSteps(painter, lane, y);
		eachStrip({ rows, start, end: (/** @type {number} */ row) => end[row] }, scale, (x, width, row) => {
			if (!Number.isNaN(perS[row]))
				steps.paint(x, x + width, perS[row], perS[row], perS[row]);
		}, (column, from, to) => {
			const { low, high, last } = extremes(perS, from, to);
			const x = scale.left + column / scale.ratio;
			if (high >= low)
				steps.paint(x, x + 1 / scale.ratio, low, high, last);
		});
	},

	paintCoarse(painter, grid, lane, y) {
		const runs = grid.overview.uncore.get(lane.place);
		if (!runs)
			return;
		const { scale } = painter.app.store.pages.uncore[lane.place];
		const steps = new SeriesSteps(painter, lane, y);
		eachRun(runs.from, grid, (x0, x1, run) => {
			const rate = runs.perS[run] * scale;
			if (runs.known[run])
				steps.paint(grid.left(x0), grid.left(x1), rate, rate, rate);
		}, (x0, x1, first, piece) => {
			const { low, high, average } = meansOf(runs, first, grid, piece);
			if (high >= low)
				steps.paint(grid.left(x0), grid.left(x1), low * scale, high * scale, average * scale);
		});
	},

	paintLabel: paintSeriesLabel,

	boxOf: (app, lane, { kind }) => kind === "reading" ? { top: 3, height: lane.height - 7 } : null,

	pick(app, lane, x) {
		const { rows, start, end, row } = app.store.uncore[lane.place];
		const at = pickRow({ rows, start, end: (/** @type {number} */ i) => end[i] }, app.scale(), x);
		return at >= 0 ? { kind: "reading", row: row[at] } : null;
	},

	itemAt(store, lane, ns) {
		const { row, start } = store.uncore[lane.place];
		return itemBeside(start, ns, (i) => ({ kind: "reading", row: row[i] }));
	},

	describeBucket({ store, palette }, overview, lane, bucket) {
		const counter = store.pages.uncore[lane.place];
		const runs = overview.uncore.get(lane.place);
		const run = runs ? runAt(runs.from, bucket) : -1;
		return !runs || run < 0 || !runs.known[run] ? null : {
			title: rateText(counter, runs.perS[run] * counter.scale), subtitle: lane.label,
			colour: palette.ofName(lane.name),
			facts: [["known", formatPercent(runs.known[run] / FULL_SHARE)]],
		};
	},
};

/** @param {Float64Array} perS @param {number} from @param {number} to */
function extremes(perS, from, to) {
	let low = Infinity;
	let high = -Infinity;
	let last = 0;
	const step = Math.max(1, Math.floor((to - from) / MOST_LOOKED_AT));
	for (let row = from; row < to; row += step) {
		if (Number.isNaN(perS[row]))
			continue;
		low = Math.min(low, perS[row]);
		high = Math.max(high, perS[row]);
		last = perS[row];
	}
	return { low, high, last };
}

/**
 * Of a piece that holds more than one run, of which @first is the first. Without a known one, high is below low.
 * @param {import("../../data/overview.js").UncoreRuns} runs @param {number} first @param {Grid} grid
 * @param {number} piece
 */
function meansOf({ from, perS, known }, first, grid, piece) {
	let low = Infinity;
	let high = -Infinity;
	let sum = 0;
	let buckets = 0;
	for (let run = first; run < perS.length && from[run] < grid.past[piece]; run++) {
		if (!known[run])
			continue;
		const weight = bucketsOf(from, run, grid, piece) * known[run];
		low = Math.min(low, perS[run]);
		high = Math.max(high, perS[run]);
		sum += perS[run] * weight;
		buckets += weight;
	}
	return { low, high, average: buckets ? sum / buckets : 0 };
}
