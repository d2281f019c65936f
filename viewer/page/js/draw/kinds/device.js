// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes of block devices: how many requests are in flight. The scale is that of the whole trace, the requests are those that
 * are loaded.
 */
import { lastAtMost } from "../../data/row_search.js";
import { bucketsOf, eachRun, runAt } from "../coarse.js";
import { paintSeries, paintSeriesLabel, SeriesSteps } from "../series.js";
import { MOST_LOOKED_AT } from "../strips.js";
import { itemBeside, plainKind } from "./plain.js";

/** @typedef {import("../types.js").DeviceLane} DeviceLane */
/** @typedef {import("../types.js").Grid} Grid */

/** @param {number} mean @returns {string} */
const meanText = (mean) => mean < 0.01 ? "less than 0.01" : mean.toFixed(2);

/** @type {import("../types.js").LaneKindOf<DeviceLane, number>} */
export const deviceKind = {
	...plainKind,
	name: "device",
	heights: { normal: { device: 34 }, compact: { device: 22 } },

	layout(lanes, place) {
		const { name, most } = lanes.store.pages.devices[place];
		return {
			id: `device ${name}`, kind: deviceKind, place, name, min: 0, max: most, indent: 2,
			label: `${lanes.store.string(name)}, in flight`, note: "", height: lanes.heights.device,
		};
	},

	paint: (painter, lane, y) => paintSeries(painter, lane, painter.app.store.devices[lane.place].inFlight, y),

	paintCoarse(painter, grid, lane, y) {
		const runs = grid.overview.devices.get(lane.name);
		if (!runs)
			return;
		const steps = new SeriesSteps(painter, lane, y);
		const { from, mean } = runs;
		eachRun(from, grid, (x0, x1, run) => {
			steps.paint(grid.left(x0), grid.left(x1), mean[run], mean[run], mean[run]);
		}, (x0, x1, first, piece) => {
			const { low, high, average } = meansOf(from, mean, first, grid, piece);
			steps.paint(grid.left(x0), grid.left(x1), low, high, average);
		});
	},

	paintLabel: paintSeriesLabel,

	boxOf: (app, lane, { kind }) => kind === "request" ? { top: 3, height: lane.height - 7 } : null,

	/* The one that began last, of those that are in flight. */
	pick(app, lane, x) {
		const { row, start } = app.store.devices[lane.place];
		const { end } = app.store.blockIo;
		const last = lastAtMost(start, app.scale().ns(x + 1));
		for (let i = last; i >= 0 && i > last - MOST_LOOKED_AT; i--)
			if (end[row[i]] >= app.scale().ns(x - 1))
				return { kind: "request", row: row[i] };
		return null;
	},

	itemAt(store, lane, ns) {
		const { row, start } = store.devices[lane.place];
		return itemBeside(start, ns, (i) => ({ kind: "request", row: row[i] }));
	},

	describeBucket({ store, palette }, overview, lane, bucket) {
		const runs = overview.devices.get(lane.name);
		const run = runs ? runAt(runs.from, bucket) : -1;
		return !runs || run < 0 ? null : {
			title: store.string(lane.name), subtitle: "block device", colour: palette.ofName(lane.name),
			facts: [["in flight, mean", meanText(runs.mean[run])]],
		};
	},
};

/**
 * Of a piece that holds more than one run, of which @first is the first.
 * @param {Uint32Array} from @param {Float64Array} mean @param {number} first @param {Grid} grid @param {number} piece
 */
function meansOf(from, mean, first, grid, piece) {
	let low = Infinity;
	let high = 0;
	let sum = 0;
	for (let run = first; run < mean.length && from[run] < grid.past[piece]; run++) {
		low = Math.min(low, mean[run]);
		high = Math.max(high, mean[run]);
		sum += mean[run] * bucketsOf(from, run, grid, piece);
	}
	return { low, high, average: sum / (grid.past[piece] - grid.first[piece]) };
}
