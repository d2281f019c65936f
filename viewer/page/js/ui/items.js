// SPDX-License-Identifier: GPL-2.0
/*
 * Items: what can be hovered, selected and linked to. Plain objects:
 *
 *   {kind: "slice", cpu, row}	{kind: "state", thread, row}	{kind: "span", thread, row}
 *   {kind: "mark", thread, row}	(a mark or a value of a counter)
 *   {kind: "gap", cpu, row}	{kind: "migration", row}	{kind: "thread", thread}
 *   {kind: "sample", row}
 *
 * Rows are those of one store. What outlives it is an item's text: "span.3.17" in a page that is
 * loaded as a whole; else by time, "span.3@12345.1" (of thread 3, at 12345 ns, of depth 1), since
 * rows have other numbers in every store; "+1" is the second of those that are alike so far.
 *
 * A thread's running state is the slice: only where the slice is missing does it stand for itself.
 */
const PICK_DISTANCE = 3;	/* pixels to either side of the pointer */

const NO_OWNER = Object.fromEntries(["slices", "states", "spans", "marks", "gaps"].map((name) =>
	[name, { rows: 0, start: [] }]));

const itemKinds = {
	slice: {
		time: (store, { cpu, row }) =>
			[store.cpus[cpu].slices.start[row], store.cpus[cpu].slices.end[row]],
		thread: (store, { cpu, row }) => store.cpus[cpu].slices.thread[row],
		lane: (store, { cpu }) => `cpu ${cpu}`,
		table: (store, { cpu }) => (store.cpus[cpu] || NO_OWNER).slices,
		fields: ["cpu", "row"],
	},
	state: {
		time: (store, { thread, row }) =>
			[store.threads[thread].states.start[row], store.stateEnd(thread, row)],
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		table: (store, { thread }) => (store.threads[thread] || NO_OWNER).states,
		fields: ["thread", "row"],
	},
	span: {
		time: (store, { thread, row }) =>
			[store.threads[thread].spans.start[row], store.threads[thread].spans.end[row]],
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		table: (store, { thread }) => (store.threads[thread] || NO_OWNER).spans,
		fields: ["thread", "row"],
	},
	mark: {
		time: (store, { thread, row }) =>
			[store.threads[thread].marks.start[row], store.threads[thread].marks.start[row]],
		thread: (store, { thread }) => thread,
		lane: (store, { thread, row }) => {
			const { marks } = store.threads[thread];
			return marks.flags[row] & MARK_IS_COUNTER ?
				`counter ${thread} ${marks.name[row]}` : `thread ${thread}`;
		},
		table: (store, { thread }) => (store.threads[thread] || NO_OWNER).marks,
		fields: ["thread", "row"],
	},
	gap: {
		time: (store, { cpu, row }) =>
			[store.cpus[cpu].gaps.start[row], store.cpus[cpu].gaps.end[row]],
		thread: () => -1,
		lane: (store, { cpu }) => `cpu ${cpu}`,
		table: (store, { cpu }) => (store.cpus[cpu] || NO_OWNER).gaps,
		fields: ["cpu", "row"],
	},
	migration: {
		time: (store, { row }) => [store.migrations.left[row], store.migrations.start[row]],
		thread: (store, { row }) => store.migrations.thread[row],
		lane: (store, { row }) => `cpu ${store.migrations.to[row]}`,
		table: (store) => store.migrations,
		fields: ["row"],
	},
	sample: {
		time: (store, { row }) => [store.samples.start[row], store.samples.start[row]],
		thread: (store, { row }) => store.samples.thread[row] - 1,
		lane: (store, { row }) => `cpu ${store.samples.cpu[row]}`,
		table: (store) => store.samples,
		fields: ["row"],
	},
	thread: {
		time: (store, { thread }) => [store.isWhole && store.threads[thread].states.start[0] || 0, store.duration],
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		table: () => null,
		fields: ["thread"],
	},
};

const timeOf = (store, item) => itemKinds[item.kind].time(store, item);
const threadOf = (store, item) => itemKinds[item.kind].thread(store, item);
const laneOf = (store, item) => itemKinds[item.kind].lane(store, item);

/* Of one store. */
function sameItem(a, b) {
	return a === b || Boolean(a && b && a.kind === b.kind && a.row === b.row && a.cpu === b.cpu &&
		a.thread === b.thread);
}

function itemToText(store, item) {
	const { fields } = itemKinds[item.kind];
	if (store.pages.isWhole || item.kind === "thread")
		return [item.kind, ...fields.map((field) => item[field])].join(".");
	const owner = [item.kind, ...fields.slice(0, -1).map((field) => item[field])].join(".");
	const table = itemKinds[item.kind].table(store, item);
	const depth = table.depth ? `.${table.depth[item.row]}` : "";
	const before = rowsAlike(table, table.start[item.row], table.depth && table.depth[item.row])
		.indexOf(item.row);
	return `${owner}@${table.start[item.row]}${depth}${before > 0 ? `+${before}` : ""}`;
}

/* The rows that begin at @ns, of one depth where there is any. */
function rowsAlike(table, ns, depth) {
	const rows = [];
	for (let row = lowerBound(table.start, ns); row < table.rows && table.start[row] === ns; row++)
		if (depth === undefined || table.depth[row] === depth)
			rows.push(row);
	return rows;
}

const ITEM_TEXT = /^([a-z]+)((?:\.\d{1,15})*)(?:@(\d{1,15})(?:\.(\d{1,3}))?(?:\+(\d{1,9}))?)?$/;

/* {item without a row, numbers, ns, depth, before}, or null when no item is written so. */
function parseItem(text) {
	const [, kind, numbers, ns, depth, before = 0] = ITEM_TEXT.exec(text) || [];
	if (!Object.hasOwn(itemKinds, kind || ""))
		return null;
	return {
		kind, numbers: numbers.split(".").slice(1).map(Number), ns: ns === undefined ? null : Number(ns),
		depth: depth === undefined ? undefined : Number(depth), before: Number(before),
	};
}

/* The time of a text that is by time, or null. */
function timeOfText(text) {
	const parsed = parseItem(text);
	return parsed && parsed.ns;
}

/* The item of a text, or null when there is no such item in this store. */
function itemFromText(store, text) {
	const parsed = parseItem(text);
	if (!parsed)
		return null;
	const { kind, numbers, ns, depth, before } = parsed;
	const { fields, table } = itemKinds[kind];
	const byTime = ns !== null;
	if (numbers.length !== fields.length - (byTime ? 1 : 0) ||
	    (byTime ? kind === "thread" : kind !== "thread" && !store.pages.isWhole))
		return null;
	const item = { kind };
	numbers.forEach((number, i) => item[fields[i]] = number);
	if (item.thread !== undefined && item.thread >= store.threads.length)
		return null;
	if (kind === "thread")
		return item;
	const rows = table(store, item);
	if (byTime)
		item.row = rowsAlike(rows, ns, rows.depth && depth)[before];
	return item.row < rows.rows ? item : null;
}

/* A state as an item: the slice, when it is one. */
function stateItem(store, thread, row) {
	const slice = store.sliceOfState(thread, row);
	return slice ? { kind: "slice", ...slice } : { kind: "state", thread, row };
}

/* Where an item is drawn: [{lane, start, end, top, height}], top below the lane's. */
function boxesOf(app, item) {
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
		const isCounter = lane.kind === "counter";
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
function pickRow(rows, scale, x) {
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
function pickItem(app, x, y) {
	if (x < app.labelWidth)
		return null;
	const lane = app.lanes.at(y + app.scrollTop);
	if (!app.showsDetail())
		return lane ? pickCoarse(app, lane, x) : null;
	const migration = app.painter.arrows.pick(x, y);
	if (migration >= 0 && lane && lane.kind === "cpu")
		return { kind: "migration", row: migration };
	return lane ? pickers[lane.kind](app, lane, x, y + app.scrollTop - lane.top) : null;
}

/* On the overview: a gap, or a thread. */
function pickCoarse(app, lane, x) {
	if (lane.kind === "thread")
		return { kind: "thread", thread: lane.thread.index };
	return lane.kind === "cpu" ? pickGap(app, lane.cpu, x) : null;
}

function pickGap(app, { gaps, index }, x) {
	const row = pickRow({ start: gaps.start, rows: gaps.rows, end: (i) => gaps.end[i] }, app.scale(), x);
	return row >= 0 ? { kind: "gap", cpu: index, row } : null;
}

/* What stands in a lane at @ns, or is next to it: of a thread its span, if it has any, else its state. */
function itemInLane(store, lane, ns) {
	const beside = (start, rowOf, item) =>
		start.length ? { ...item, row: rowOf(Math.max(lastAtMost(start, ns), 0)) } : null;
	if (lane.kind === "cpu") {
		const { index } = lane.cpu;
		return beside(store.cpus[index].slices.start, (i) => i, { kind: "slice", cpu: index });
	}
	const { index } = lane.thread;
	const { levels, states, counters } = store.threads[index];
	if (lane.kind === "counter") {
		const { start, row } = counters.find((series) => series.name === lane.name);
		return beside(start, (i) => row[i], { kind: "mark", thread: index });
	}
	return (levels.length && beside(levels[0].start, (i) => levels[0].row[i], { kind: "span", thread: index })) ||
		beside(states.start, (i) => i, { kind: "state", thread: index });
}
