// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes of CPUs: slices and over them a strip of what interrupted them, then ticks of events, then tracks of idle
 * states and frequencies, then a strip for each of densities.
 */
import { threadOf } from "../../data/items.js";
import { FULL_SHARE } from "../../data/overview.js";
import { threadName } from "../../data/texts.js";
import { formatPercent } from "../../data/units.js";
import { densityFacts, paintDensities, paintPmuGaps, pickSample, strip } from "../density.js";
import { paintEvents, pickEvent } from "../events.js";
import { paintGaps, pickGap } from "../gaps.js";
import {
	interruptFacts, interruptsHeight, paintCoarseInterrupts, paintInterrupts, pickInterrupt,
} from "../interrupts.js";
import {
	paintCoarseFrequencies, paintCoarseIdle, paintFrequencies, paintIdle, pickFrequency, pickIdle, powerFacts,
} from "../power.js";
import { paintCoarseSlices, paintSlices, pickSlice } from "../slices.js";
import { INDENT } from "../style.js";
import { itemBeside, plainKind } from "./plain.js";

/** @typedef {import("../types.js").Fact} Fact */

/** @typedef {import("../types.js").Cpu} Cpu */
/** @typedef {import("../types.js").CpuLane} CpuLane */
/** @typedef {import("../types.js").Grid} Grid */
/** @typedef {import("../types.js").Heights} Heights */
/** @typedef {import("../types.js").Page} Page */
/** @typedef {import("../types.js").Painter} Painter */

/* Of a lane: where its slices are, in pixels below its top. */
const SLICES_TOP = 1;
/** @param {Heights} heights */
const slicesHeight = (heights) => heights.cpu - 3;
/** @param {Heights} heights */
const idleHeight = (heights) => heights.idle - 2;
/** @param {Heights} heights */
const frequencyHeight = (heights) => heights.frequency - 2;

/** @type {import("../types.js").LaneKindOf<CpuLane, Cpu>} */
export const cpuKind = {
	...plainKind,
	name: "cpu",
	heights: {
		normal: { cpu: 31, events: 10, idle: 7, frequency: 15 },
		compact: { cpu: 19, events: 7, idle: 5, frequency: 10 },
	},

	layout(lanes, { index, hasEvents, hasIdle, mostKhz }) {
		const { heights } = lanes;
		const densities = lanes.store.pmu.shown;
		const idleTop = heights.cpu + (hasEvents ? heights.events : 0);
		const frequencyTop = idleTop + (hasIdle ? heights.idle : 0);
		const densityTop = frequencyTop + (mostKhz ? heights.frequency : 0);
		return {
			id: `cpu ${index}`, kind: cpuKind, label: `CPU ${index}`, note: "", indent: 1,
			densities, eventsTop: heights.cpu - 1, idleTop, frequencyTop, densityTop,
			height: densityTop + densities.length * heights.density,
			get cpu() {
				return lanes.store.cpus[index];
			},
		};
	},

	paint(painter, lane, y) {
		const height = slicesHeight(painter.app.lanes.heights);
		paintSlices(painter, lane.cpu, y + SLICES_TOP, height);
		paintInterrupts(painter, lane.cpu, y + SLICES_TOP, interruptsHeight(height));
		if (lane.cpu.hasIdle)
			paintIdle(painter, lane.cpu, y + lane.idleTop, idleHeight(painter.app.lanes.heights));
		if (lane.cpu.mostKhz)
			paintFrequencies(painter, lane.cpu, y + lane.frequencyTop, frequencyHeight(painter.app.lanes.heights));
		paintOthers(painter, lane, y);
	},

	paintCoarse(painter, grid, lane, y) {
		paintCoarseSlices(painter, grid, lane.cpu.index, y + SLICES_TOP, slicesHeight(painter.app.lanes.heights));
		paintCoarseStrip(painter, grid, lane, y);
		paintCoarsePower(painter, grid, lane, y);
		paintOthers(painter, lane, y);
	},

	paintLabel(labels, lane, y) {
		const { app } = labels.painter;
		labels.paintRow(lane, INDENT * lane.indent + 10, y + app.lanes.heights.cpu / 2, shareOf(app, lane.cpu));
		labels.paintDensities(lane, y);
	},

	boxOf(app, lane, item) {
		if (item.kind === "sample")
			return strip(app, lane, item);
		const height = slicesHeight(app.lanes.heights);
		if (item.kind === "interrupt")
			return { top: SLICES_TOP, height: interruptsHeight(height) };
		if (item.kind === "event")
			return { top: lane.eventsTop, height: app.lanes.heights.events - 2 };
		if (item.kind === "idle")
			return { top: lane.idleTop, height: idleHeight(app.lanes.heights) };
		if (item.kind === "frequency")
			return { top: lane.frequencyTop, height: frequencyHeight(app.lanes.heights) };
		return item.kind === "slice" || item.kind === "gap" ? { top: SLICES_TOP, height } : null;
	},

	/* Arrows lie above all, gaps above interrupts, these above slices. */
	pick(app, lane, x, y) {
		const { cpu } = lane;
		const move = app.painter.arrows.pick(x, y + lane.top - app.scrollTop);
		if (move >= 0)
			return { kind: "migration", row: move };
		if (y >= lane.densityTop)
			return pickSample(app, lane.densities, (event) => event.cpus[cpu.index], x, y - lane.densityTop);
		if (y >= lane.frequencyTop && cpu.mostKhz)
			return pickFrequency(app, cpu, x);
		if (y >= lane.idleTop && cpu.hasIdle)
			return pickIdle(app, cpu, x);
		if (y >= lane.eventsTop && cpu.hasEvents)
			return pickEvent(app, app.store.traceEventsOn.of(cpu.index), x);
		return pickGap(app, cpu, x) ||
			pickInterrupt(app, cpu, x, y - SLICES_TOP, interruptsHeight(slicesHeight(app.lanes.heights))) ||
			pickSlice(app, cpu, x);
	},

	pickCoarse: (app, lane, x) => pickGap(app, lane.cpu, x),

	itemAt(store, lane, ns) {
		const { index } = lane.cpu;
		return itemBeside(store.cpus[index].slices.start, ns, (row) => ({ kind: "slice", cpu: index, row }));
	},

	litThread: (store, item) => item.kind === "slice" ? threadOf(store, item) : -1,

	describeBucket(app, overview, lane, bucket) {
		const { index } = lane.cpu;
		const { thread, busy } = overview.cpus[index];
		const owner = thread[bucket] - 1;
		const name = overview.tasksOf(index).name[bucket];
		/** @type {Fact[]} */
		const facts = [["busy", formatPercent(busy[bucket] / FULL_SHARE)]];
		if (owner >= 0)
			facts.unshift(["ran longest", threadName(app.store, owner)]);
		if (name >= 0)
			facts.push(["inside", app.store.string(name)]);
		return {
			title: lane.label, subtitle: "CPU",
			colour: owner < 0 ? app.palette.theme.paper : app.palette.ofThread(owner),
			facts: [...facts, ...interruptFacts(overview.interrupts[index], bucket), ...powerFacts(overview, index, bucket), ...densityFacts(overview, lane, "cpus", index, bucket)],
		};
	},
};

/**
 * The share of the whole trace in which it was busy.
 * @param {Page} app @param {Cpu} cpu
 */
function shareOf({ store, pages }, cpu) {
	const busy = pages.overview ? pages.overview.busyOfCpu(cpu.index) : cpu.busy.all[cpu.slices.rows];
	return store.duration ? formatPercent(busy / store.duration) : "";
}

/** @param {Painter} painter @param {Grid} grid @param {CpuLane} lane @param {number} y */
function paintCoarseStrip(painter, grid, lane, y) {
	const runs = grid.overview.interrupts[lane.cpu.index];
	if (runs)
		paintCoarseInterrupts(painter, grid, runs, y + SLICES_TOP,
			interruptsHeight(slicesHeight(painter.app.lanes.heights)));
}

/** @param {Painter} painter @param {Grid} grid @param {CpuLane} lane @param {number} y */
function paintCoarsePower(painter, grid, lane, y) {
	const { heights } = painter.app.lanes;
	const { idle, frequencies } = grid.overview.power[lane.cpu.index];
	if (idle)
		paintCoarseIdle(painter, grid, idle, y + lane.idleTop, idleHeight(heights));
	if (frequencies)
		paintCoarseFrequencies(painter, grid, frequencies, y + lane.frequencyTop, frequencyHeight(heights));
}

/**
 * What is painted in the same way from rows and from the overview.
 * @param {Painter} painter @param {CpuLane} lane @param {number} y
 */
function paintOthers(painter, lane, y) {
	const { cpu } = lane;
	paintGaps(painter, cpu, y + SLICES_TOP, slicesHeight(painter.app.lanes.heights));
	if (cpu.hasEvents)
		paintEvents(painter, painter.app.store.traceEventsOn.of(cpu.index), y + lane.eventsTop,
			painter.app.lanes.heights.events - 2);
	paintDensities(painter, lane, "cpus", cpu.index, y + lane.densityTop);
	paintPmuGaps(painter, cpu.index, lane.densities, y + lane.densityTop);
}
