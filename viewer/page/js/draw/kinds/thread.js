// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes of threads: states, densities, events, marks, spans and what is done in the kernel below each other.
 */
import { laneOf, slotRows } from "../../data/items.js";
import { roughSlotFacts } from "../../data/slot_facts.js";
import { threadName } from "../../data/texts.js";
import { formatPercent } from "../../data/units.js";
import { densityFacts, paintDensities, pickSample, strip } from "../density.js";
import { paintEvents, pickEvent } from "../events.js";
import { kernelFacts, paintCoarseKernelLevel, paintKernelLevel, pickKernel } from "../kernel.js";
import { markFacts, paintCoarseMarks, paintMarks, pickMark } from "../marks.js";
import { paintCoarseSlots, paintSlots, pickSlots, slotsInBuckets } from "../slots.js";
import { paintCoarseLevel, paintLevel, pickSpan, spanFacts } from "../spans.js";
import { paintCoarseStates, paintMoves, paintStates, pickState, stateFacts } from "../states.js";
import { DIMMED, INDENT } from "../style.js";
import { itemBeside, plainKind, selectThread } from "./plain.js";

/** @typedef {import("../types.js").Page} Page */
/** @typedef {import("../types.js").Painter} Painter */
/** @typedef {import("../types.js").Place} Place */
/** @typedef {import("../types.js").Thread} Thread */
/** @typedef {import("../types.js").ThreadLane} ThreadLane */

const LEAST_LANE_HEIGHT = 17;
const STATES_TOP = 2;	/* pixels below the lane's */

/** @type {import("../types.js").LaneKindOf<ThreadLane, Thread>} */
export const threadKind = {
	...plainKind,
	name: "thread",
	heights: {
		normal: { strip: 13, slots: 24, span: 18, kernel: 15, marks: 13, pad: 5 },
		compact: { strip: 5, slots: 13, span: 13, kernel: 10, marks: 8, pad: 3 },
	},

	layout(lanes, thread) {
		const { heights } = lanes;
		const { index } = thread;
		const densities = lanes.densitiesOf(index);
		const hasSlots = lanes.hasSlots(index);
		const slotsTop = heights.strip + 4;
		const densityTop = slotsTop + (hasSlots ? heights.slots : 0);
		const eventsTop = densityTop - 2 + densities.length * heights.density;
		const marksTop = eventsTop + (thread.hasEvents ? heights.events : 0);
		const spansTop = marksTop + (thread.hasMarks ? heights.marks : 0);
		const kernelTop = spansTop + heights.span * thread.depth;
		return {
			id: `thread ${index}`, kind: threadKind, indent: 1,
			label: thread.comm || "(no name)", note: lanes.notes.get(index) ?? String(thread.tid),
			densities, hasSlots, slotsTop, densityTop, eventsTop, marksTop, spansTop, kernelTop,
			height: Math.max(kernelTop + heights.kernel * thread.kernelDepth + heights.pad, LEAST_LANE_HEIGHT),
			get thread() {
				return lanes.store.threads[index];
			},
		};
	},

	paint(painter, lane, y) {
		const { thread } = lane;
		const { heights } = painter.app.lanes;
		dim(painter, lane);
		paintStates(painter, thread, y + STATES_TOP, heights.strip);
		if (lane.hasSlots)
			paintSlots(painter, slotRows(painter.app.store, thread.index), y + lane.slotsTop, slotsHeight(heights));
		paintDensities(painter, lane, "threads", thread.index, y + lane.densityTop);
		paintEventsOf(painter, lane, y);
		paintMarks(painter, thread, y + lane.marksTop, heights.marks);
		thread.levels.forEach((level, depth) =>
			paintLevel(painter, thread, level, y + lane.spansTop + depth * heights.span, heights.span - 1));
		thread.kernelLevels.forEach((level, depth) =>
			paintKernelLevel(painter, thread, level, y + lane.kernelTop + depth * heights.kernel, heights.kernel - 1));
		paintMoves(painter, thread, y + STATES_TOP + heights.strip);
	},

	paintCoarse(painter, grid, lane, y) {
		const { heights } = painter.app.lanes;
		const { index } = lane.thread;
		const { marks, levels, kernelLevels } = grid.overview.threads[index];
		const states = grid.overview.statesOf(index);
		dim(painter, lane);
		if (states)
			paintCoarseStates(painter, grid, states, y + STATES_TOP, heights.strip);
		if (lane.hasSlots && painter.app.pages.slotPlan)
			paintCoarseSlots(painter, grid, painter.app.pages.slotPlan, index, y + lane.slotsTop, slotsHeight(heights));
		paintDensities(painter, lane, "threads", index, y + lane.densityTop);
		paintEventsOf(painter, lane, y);
		if (marks && lane.spansTop > lane.marksTop)
			paintCoarseMarks(painter, grid, marks, y + lane.marksTop, heights.marks);
		for (const level of levels)
			paintCoarseLevel(painter, grid, level, y + lane.spansTop + level.depth * heights.span, heights.span - 1);
		for (const level of kernelLevels)
			paintCoarseKernelLevel(painter, grid, level, y + lane.kernelTop + level.depth * heights.kernel,
				heights.kernel - 1);
	},

	paintLabel(labels, lane, y) {
		const { app, surface, pen } = labels.painter;
		const { index, onCpu } = lane.thread;
		const x = INDENT * lane.indent;
		const middle = y + STATES_TOP + Math.max(app.lanes.heights.strip, 10) / 2;
		surface.fill(app.palette.ofThread(index));
		pen.fillRect(x - 2, middle - 4, 8, 8);
		labels.paintRow(lane, x + 12, middle, app.store.duration ? formatPercent(onCpu / app.store.duration) : "",
			Boolean(app.matches && app.matches.threads[index]));
		if (lane.hasSlots)
			labels.paintSlots(lane, y);
		labels.paintDensities(lane, y);
	},

	boxOf(app, lane, item) {
		const box = boxes[item.kind];
		return box ? box(app, lane, item) : null;
	},

	pick(app, lane, x, y) {
		const { thread } = lane;
		if (lane.hasSlots && y >= lane.slotsTop && y < lane.densityTop)
			return pickSlots(app, thread, x);
		if (lane.densities.length && y >= lane.densityTop && y < lane.eventsTop)
			return pickSample(app, lane.densities, (event) => event.threads[thread.index], x,
				y - lane.densityTop);
		if (y >= lane.eventsTop && y < lane.marksTop)
			return pickEvent(app, app.store.traceEventsIn.of(thread.index + 1), x);
		if (y < lane.marksTop)
			return pickState(app, thread, x);
		if (y < lane.spansTop)
			return pickMark(app, thread, x);
		if (y >= lane.kernelTop)
			return pickKernel(app, thread, Math.floor((y - lane.kernelTop) / app.lanes.heights.kernel), x);
		return pickSpan(app, thread, Math.floor((y - lane.spansTop) / app.lanes.heights.span), x);
	},

	pickCoarse: (app, lane) => ({ kind: "thread", thread: lane.thread.index }),

	/* A span, if there is any; else a state. */
	itemAt(store, lane, ns) {
		const { index } = lane.thread;
		const { levels: [outermost], states } = store.threads[index];
		return (outermost && itemBeside(outermost.start, ns,
			(i) => ({ kind: "span", thread: index, row: outermost.row[i] }))) ||
			itemBeside(states.start, ns, (row) => ({ kind: "state", thread: index, row }));
	},

	click: selectThread,

	describeBucket(app, overview, lane, bucket) {
		const { store } = app;
		const { index } = lane.thread;
		return {
			title: threadName(store, index), subtitle: "thread", colour: app.palette.ofThread(index),
			facts: [
				...stateFacts(overview.statesOf(index), bucket),
				...overview.threads[index].levels.flatMap((level) => spanFacts(store, level, bucket)),
				...overview.threads[index].kernelLevels.flatMap((level) => kernelFacts(store, level, bucket)),
				...markFacts(store, overview.threads[index].marks, bucket),
				...bucketSlotFacts(app, lane, bucket),
				...densityFacts(overview, lane, "threads", index, bucket),
			],
		};
	},
};

/** @param {import("../types.js").Heights} heights */
const slotsHeight = (heights) => heights.slots - 3;

/**
 * What the overview tells of its issue slots.
 * @param {Page} app @param {ThreadLane} lane @param {number} bucket
 */
function bucketSlotFacts(app, { hasSlots, thread }, bucket) {
	const { slotPlan } = app.pages;
	const slots = hasSlots && slotPlan ? slotsInBuckets(app, slotPlan, thread.index, bucket, bucket + 1) : null;
	return slots ? roughSlotFacts(slots) : [];
}

/** @param {Page} app */
const inStates = (app) => ({ top: STATES_TOP, height: app.lanes.heights.strip });
/**
 * Where items are in a lane, by their kinds.
 * @type {Record<string, (app: Page, lane: ThreadLane, item: any) => Place | null>}
 */
const boxes = {
	slice: inStates,
	state: inStates,
	sample: strip,
	slots: (app, lane) => lane.hasSlots ? { top: lane.slotsTop, height: slotsHeight(app.lanes.heights) } : null,
	event: (app, lane) => ({ top: lane.eventsTop + 1, height: app.lanes.heights.events - 2 }),

	span(app, lane, { row }) {
		const { span } = app.lanes.heights;
		return { top: lane.spansTop + lane.thread.spans.depth[row] * span, height: span - 1 };
	},

	kernel(app, lane, { row }) {
		const { kernel } = app.lanes.heights;
		return { top: lane.kernelTop + lane.thread.kernelSlices.depth[row] * kernel, height: kernel - 1 };
	},

	/* Values of counters have lanes of their own. */
	mark: (app, lane, item) => laneOf(app.store, item) === lane.id ?
		{ top: lane.marksTop, height: app.lanes.heights.marks - 1 } : null,
};

/**
 * The lanes of threads that were not searched for fade.
 * @param {Painter} painter @param {ThreadLane} lane
 */
function dim(painter, lane) {
	const { app } = painter;
	const lit = app.litThreads();
	painter.laneAlpha = app.matches && lit && !lit(lane.thread.index) && !app.matches.anyName ? DIMMED * 2 : 1;
}

/** @param {Painter} painter @param {ThreadLane} lane @param {number} y */
function paintEventsOf(painter, lane, y) {
	const { app } = painter;
	if (lane.thread.hasEvents)
		paintEvents(painter, app.store.traceEventsIn.of(lane.thread.index + 1), y + lane.eventsTop + 1,
			app.lanes.heights.events - 2);
}
