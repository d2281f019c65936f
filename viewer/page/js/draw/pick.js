// SPDX-License-Identifier: GPL-2.0
/*
 * Where items are drawn, and which one is at a point.
 */
import { laneOf, stateItem, threadOf, timeOf } from "../data/items.js";
import { firstRowFrom, lastAtMost } from "../data/row_search.js";
import { pickSample } from "./density.js";
import { eachStrip, Scale, summarise } from "./strips.js";
import { PICK_DISTANCE } from "./style.js";

/* Where an item is drawn: [{lane, start, end, top, height}], top below the lane's. */
export function boxesOf(app, item) {
	const { store, lanes } = app;
	const { heights } = lanes;
	const [start, end] = timeOf(store, item);
	const thread = threadOf(store, item);
	const inCpu = (cpu) => ({
		lane: `cpu ${cpu}`, start, end, top: 1, height: heights.cpu - 3,
	});
	const inStates = { lane: `thread ${thread}`, start, end, top: 2, height: heights.strip };
	switch (item.kind) {
	case "slice":
		return [inCpu(item.cpu), inStates];
	case "state":
		return [inStates];
	case "gap":
		return [inCpu(item.cpu)];
	case "sample":
		return stripBoxes(app, item, start, end);
	case "span": {
		const lane = lanes.find(`thread ${thread}`);
		const depth = store.threads[thread].spans.depth[item.row];
		return lane ? [{
			lane: lane.id, start, end, top: lane.spansTop + depth * heights.span,
			height: heights.span - 1,
		}] : [];
	}
	case "mark": {
		const lane = lanes.find(laneOf(store, item));
		if (!lane)
			return [];
		const isCounter = lane.kind.name === "counter";
		return [{
			lane: lane.id, start, end, top: isCounter ? 3 : lane.marksTop,
			height: isCounter ? lane.height - 7 : heights.marks - 1,
		}];
	}
	}
	return [];
}

/* The strips in which a sample stands: its CPU's and its thread's. */
function stripBoxes(app, { row }, start, end) {
	const { samples } = app.store;
	const { density } = app.lanes.heights;
	return [`cpu ${samples.cpu[row]}`, `thread ${samples.thread[row] - 1}`]
		.map((id) => app.lanes.find(id))
		.filter((lane) => lane && lane.densities)
		.map((lane) => [lane, lane.densities.findIndex((event) => event.index === samples.event[row])])
		.filter(([, strip]) => strip >= 0)
		.map(([lane, strip]) => ({
			lane: lane.id, start, end, top: lane.densityTop + strip * density, height: density - 2,
		}));
}

/* Of @rows the one under the pointer, or the nearest that is within reach; -1 if none. */
export function pickRow(rows, scale, x) {
	const narrow = new Scale(scale.ns(x - PICK_DISTANCE), scale.ns(x + PICK_DISTANCE),
		x - PICK_DISTANCE, 2 * PICK_DISTANCE, scale.ratio);
	let nearest = -1;
	let distance = Infinity;
	const look = (left, width, row) => {
		const own = Math.max(left - x, x - (left + width), 0);
		if (own < distance) {
			distance = own;
			nearest = row;
		}
	};
	eachStrip(rows, narrow, look, (column, from, to) =>
		look(narrow.left + column / narrow.ratio, 1 / narrow.ratio, summarise(rows, from, to).row));
	return nearest;
}

function pickPoint(points, times, scale, x) {
	const i = firstRowFrom(points, times, scale.ns(x));
	let nearest = -1;
	let distance = PICK_DISTANCE + 3;
	for (const candidate of [i - 1, i]) {
		const own = candidate >= 0 && candidate < points.length ?
			Math.abs(scale.x(times[points[candidate]]) - x) : Infinity;
		if (own < distance) {
			distance = own;
			nearest = points[candidate];
		}
	}
	return nearest;
}

const pickers = {
	group: () => null,
	cpu(app, lane, x, y) {
		if (y >= lane.densityTop)
			return pickSample(app, lane.densities, (event) => event.cpus[lane.cpu.index], x,
				y - lane.densityTop);
		const { slices, index } = lane.cpu;
		const gap = pickGap(app, lane.cpu, x);
		if (gap)
			return gap;
		const row = pickRow({ start: slices.start, rows: slices.rows, end: (i) => slices.end[i] },
			app.scale(), x);
		return row >= 0 ? { kind: "slice", cpu: index, row } : null;
	},
	thread(app, lane, x, y) {
		const { thread } = lane;
		const scale = app.scale();
		if (lane.densities.length && y >= lane.densityTop && y < lane.marksTop)
			return pickSample(app, lane.densities, (event) => event.threads[thread.index], x,
				y - lane.densityTop);
		if (y < lane.marksTop) {
			const { states, index } = thread;
			const row = pickRow({
				start: states.start, rows: states.rows, end: (i) => app.store.stateEnd(index, i),
			}, scale, x);
			return row >= 0 ? stateItem(app.store, index, row) : null;
		}
		if (y < lane.spansTop) {
			const row = pickPoint(thread.points, thread.marks.start, scale, x);
			return row >= 0 ? { kind: "mark", thread: thread.index, row } : null;
		}
		const level = thread.levels[Math.floor((y - lane.spansTop) / app.lanes.heights.span)];
		if (!level)
			return null;
		const i = pickRow({ start: level.start, rows: level.rows, end: (row) => level.end[row] },
			scale, x);
		return i >= 0 ? { kind: "span", thread: thread.index, row: level.row[i] } : null;
	},
	counter(app, lane, x) {
		const i = lastAtMost(lane.series.start, app.scale().ns(x + 1));
		return i >= 0 ? { kind: "mark", thread: lane.thread.index, row: lane.series.row[i] } : null;
	},
};

/* The item at a point of the canvas, or null. */
export function pickItem(app, x, y) {
	if (x < app.labelWidth)
		return null;
	const lane = app.lanes.at(y + app.scrollTop);
	if (!app.showsDetail())
		return lane ? pickCoarse(app, lane, x) : null;
	const migration = app.painter.arrows.pick(x, y);
	if (migration >= 0 && lane && lane.kind.name === "cpu")
		return { kind: "migration", row: migration };
	return lane ? pickers[lane.kind.name](app, lane, x, y + app.scrollTop - lane.top) : null;
}

/* On the overview: a gap, or a thread. */
function pickCoarse(app, lane, x) {
	if (lane.kind.name === "thread")
		return { kind: "thread", thread: lane.thread.index };
	return lane.kind.name === "cpu" ? pickGap(app, lane.cpu, x) : null;
}

function pickGap(app, { gaps, index }, x) {
	const row = pickRow({ start: gaps.start, rows: gaps.rows, end: (i) => gaps.end[i] }, app.scale(), x);
	return row >= 0 ? { kind: "gap", cpu: index, row } : null;
}

/* What stands in a lane at @ns, or is next to it: of a thread its span, if it has any, else its state. */
export function itemInLane(store, lane, ns) {
	const beside = (start, rowOf, item) =>
		start.length ? { ...item, row: rowOf(Math.max(lastAtMost(start, ns), 0)) } : null;
	if (lane.kind.name === "cpu") {
		const { index } = lane.cpu;
		return beside(store.cpus[index].slices.start, (i) => i, { kind: "slice", cpu: index });
	}
	const { index } = lane.thread;
	const { levels, states, counters } = store.threads[index];
	if (lane.kind.name === "counter") {
		const { start, row } = counters.find((series) => series.name === lane.name);
		return beside(start, (i) => row[i], { kind: "mark", thread: index });
	}
	return (levels.length && beside(levels[0].start, (i) => levels[0].row[i], { kind: "span", thread: index })) ||
		beside(states.start, (i) => i, { kind: "state", thread: index });
}
