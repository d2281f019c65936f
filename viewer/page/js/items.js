// SPDX-License-Identifier: GPL-2.0
/*
 * Items: what can be hovered, selected and linked to. Plain objects:
 *
 *   {kind: "slice", cpu, row}	{kind: "state", thread, row}	{kind: "span", thread, row}
 *   {kind: "mark", thread, row}	(a mark or a value of a counter)
 *   {kind: "gap", cpu, row}	{kind: "migration", row}	{kind: "thread", thread}
 *   {kind: "sample", row}
 *
 * A thread's running state is the slice: only where the slice is missing does it stand for itself.
 */
const PICK_DISTANCE = 3;	/* pixels to either side of the pointer */

const itemKinds = {
	slice: {
		time: (store, { cpu, row }) =>
			[store.cpus[cpu].slices.start[row], store.cpus[cpu].slices.end[row]],
		thread: (store, { cpu, row }) => store.cpus[cpu].slices.thread[row],
		lane: (store, { cpu }) => `cpu ${cpu}`,
		rows: (store, { cpu }) => (store.cpus[cpu] || { slices: { rows: 0 } }).slices.rows,
		fields: ["cpu", "row"],
	},
	state: {
		time: (store, { thread, row }) =>
			[store.threads[thread].states.start[row], store.stateEnd(thread, row)],
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		rows: (store, { thread }) => (store.threads[thread] || { states: { rows: 0 } }).states.rows,
		fields: ["thread", "row"],
	},
	span: {
		time: (store, { thread, row }) =>
			[store.threads[thread].spans.start[row], store.threads[thread].spans.end[row]],
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		rows: (store, { thread }) => (store.threads[thread] || { spans: { rows: 0 } }).spans.rows,
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
		rows: (store, { thread }) => (store.threads[thread] || { marks: { rows: 0 } }).marks.rows,
		fields: ["thread", "row"],
	},
	gap: {
		time: (store, { cpu, row }) =>
			[store.cpus[cpu].gaps.start[row], store.cpus[cpu].gaps.end[row]],
		thread: () => -1,
		lane: (store, { cpu }) => `cpu ${cpu}`,
		rows: (store, { cpu }) => (store.cpus[cpu] || { gaps: { rows: 0 } }).gaps.rows,
		fields: ["cpu", "row"],
	},
	migration: {
		time: (store, { row }) => [store.migrations.left[row], store.migrations.start[row]],
		thread: (store, { row }) => store.migrations.thread[row],
		lane: (store, { row }) => `cpu ${store.migrations.to[row]}`,
		rows: (store) => store.migrations.rows,
		fields: ["row"],
	},
	sample: {
		time: (store, { row }) => [store.samples.start[row], store.samples.start[row]],
		thread: (store, { row }) => store.samples.thread[row] - 1,
		lane: (store, { row }) => `cpu ${store.samples.cpu[row]}`,
		rows: (store) => store.samples.rows,
		fields: ["row"],
	},
	thread: {
		time: (store, { thread }) => [store.threads[thread].states.start[0] || 0, store.duration],
		thread: (store, { thread }) => thread,
		lane: (store, { thread }) => `thread ${thread}`,
		rows: () => Infinity,
		fields: ["thread"],
	},
};

const timeOf = (store, item) => itemKinds[item.kind].time(store, item);
const threadOf = (store, item) => itemKinds[item.kind].thread(store, item);
const laneOf = (store, item) => itemKinds[item.kind].lane(store, item);

function sameItem(a, b) {
	return a === b || Boolean(a && b && itemToText(a) === itemToText(b));
}

function itemToText(item) {
	return [item.kind, ...itemKinds[item.kind].fields.map((field) => item[field])].join(".");
}

/* The item of a text, or null when there is no such item in this trace. */
function itemFromText(store, text) {
	const [name, ...numbers] = text.split(".");
	if (!Object.hasOwn(itemKinds, name) || numbers.length !== itemKinds[name].fields.length ||
	    !numbers.every((number) => /^\d{1,15}$/.test(number)))
		return null;
	const item = { kind: name };
	itemKinds[name].fields.forEach((field, i) => item[field] = Number(numbers[i]));
	const inside = (item.row ?? 0) < itemKinds[name].rows(store, item) &&
		(item.thread === undefined || item.thread < store.threads.length);
	return inside ? item : null;
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
		const { gaps, slices, index } = lane.cpu;
		const scale = app.scale();
		const gap = pickRow({ start: gaps.start, rows: gaps.rows, end: (row) => gaps.end[row] },
			scale, x);
		if (gap >= 0)
			return { kind: "gap", cpu: index, row: gap };
		const row = pickRow({ start: slices.start, rows: slices.rows, end: (i) => slices.end[i] },
			scale, x);
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
		return lane && lane.kind === "thread" ? { kind: "thread", thread: lane.thread.index } : null;
	const migration = app.painter.arrows.pick(x, y);
	if (migration >= 0 && lane && lane.kind === "cpu")
		return { kind: "migration", row: migration };
	return lane ? pickers[lane.kind](app, lane, x, y + app.scrollTop - lane.top) : null;
}

/* The item before (step -1) or after (step 1) in the same lane and of the same sort, or null. */
function neighbour(store, item, step) {
	if (item.kind === "thread")
		return null;
	if (item.kind === "span") {
		const { spans, levels } = store.threads[item.thread];
		const level = levels[spans.depth[item.row]];
		const i = lowerBound(level.row, item.row) + step;
		return i >= 0 && i < level.rows ? { ...item, row: level.row[i] } : null;
	}
	if (item.kind === "mark") {
		const { marks, points } = store.threads[item.thread];
		const isCounter = marks.flags[item.row] & MARK_IS_COUNTER;
		const rows = isCounter ? store.threads[item.thread].counters
			.find((series) => series.name === marks.name[item.row]).row : points;
		const i = lowerBound(rows, item.row) + step;
		return i >= 0 && i < rows.length ? { ...item, row: rows[i] } : null;
	}
	const row = item.row + step;
	if (row < 0 || row >= itemKinds[item.kind].rows(store, item))
		return null;
	return item.kind === "state" ? stateItem(store, item.thread, row) : { ...item, row };
}

/* The thread's slice before or after a slice, on whatever CPU, or null. */
function sliceOfSameThread(store, item, step) {
	const thread = threadOf(store, item);
	const row = store.stateAt(thread, timeOf(store, item)[0]);
	const next = store.runningState(thread, row + step, step);
	return next >= 0 ? stateItem(store, thread, next) : null;
}
