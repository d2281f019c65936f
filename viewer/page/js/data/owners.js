// SPDX-License-Identifier: GPL-2.0
/*
 * Who has lanes: threads and CPUs. What the head tells of each, and its rows in the store that is shown. A table is put
 * together when it is first asked for.
 */
import { MARK_IS_COUNTER, NR_STATES, STATE } from "./codes.js";
import { joinStates, joinTables, rowsWithin } from "./join.js";
import { keep, loadedRows } from "./lazy.js";

/** @typedef {import("./blocks.js").Head} Head */
/** @typedef {import("./tables.js").Causes} Causes */
/** @typedef {import("./tables.js").KernelSlices} KernelSlices */
/** @typedef {import("./tables.js").Marks} Marks */
/** @typedef {import("./tables.js").StackPoints} StackPoints */
/** @typedef {import("./tables.js").WakerStacks} WakerStacks */
/** @typedef {import("./tables.js").Slices} Slices */
/** @typedef {import("./tables.js").Spans} Spans */
/** @typedef {import("./tables.js").Frequencies} Frequencies */
/** @typedef {import("./tables.js").Gaps} Gaps */
/** @typedef {import("./tables.js").Idle} Idle */
/** @typedef {import("./tables.js").Interrupts} Interrupts */
/** @typedef {import("./tables.js").States} States */
/** @typedef {import("./store.js").Store} Store */

/** @typedef {{name: number, min: number, max: number}} SeriesHead a counter, over the whole trace */
/**
 * Those of a thread's spans that have one depth: they do not overlap. row is that of the span.
 * @typedef {{rows: number, start: Float64Array, end: Float64Array, row: Uint32Array}} Level
 */
/**
 * The values of one of a thread's counters. row is that of the mark; before is what the counter was
 * at first, or null.
 * @typedef {SeriesHead & {
 *	rows: number, start: Float64Array, value: Float64Array, row: Uint32Array, before: number | null,
 * }} CounterSeries
 */
/** @typedef {{all: Float64Array, session: Float64Array}} BusySums [i]: the time on CPU before row i */

/* What a store holds of one thread. */
export class ThreadRows {
	/** @param {Store} store @param {number} index */
	constructor(store, index) {
		this.store = store;
		this.index = index;
	}

	/** @returns {States} */
	get states() {
		const { store, index } = this;
		const loose = rowsWithin(store.pages.rest.ofThread(index, "looseStates"), store.from, store.to);
		return keep(this, "states", joinStates(store.pieces.map((piece) => piece.ofThread(index, "states")),
			loose, store.to));
	}

	/** @returns {Spans} */
	get spans() {
		return keep(this, "spans", this.store.join((piece) => piece.ofThread(this.index, "spans")));
	}

	/** @returns {Marks} */
	get marks() {
		return keep(this, "marks", this.store.join((piece) => piece.ofThread(this.index, "marks")));
	}

	/**
	 * Those of the rest are of states that cross a cut: a state that reaches here may begin before.
	 * @returns {Causes}
	 */
	get causes() {
		const { store, index } = this;
		return keep(this, "causes", joinTables(store.pieces.map((piece) => piece.ofThread(index, "causes")),
			store.pages.rest.ofThread(index, "causes")));
	}

	/**
	 * Likewise.
	 * @returns {StackPoints}
	 */
	get stackPoints() {
		const { store, index } = this;
		return keep(this, "stackPoints", joinTables(store.pieces.map((piece) => piece.ofThread(index, "stackPoints")),
			store.pages.rest.ofThread(index, "stackPoints")));
	}

	/** @returns {WakerStacks} */
	get wakerStacks() {
		return keep(this, "wakerStacks", this.store.join((piece) => piece.ofThread(this.index, "wakerStacks")));
	}

	/** @returns {Level[]} */
	get levels() {
		return keep(this, "levels", nestedLevels(this.spans, this.store.threads[this.index].depth));
	}

	/** @returns {KernelSlices} */
	get kernelSlices() {
		return keep(this, "kernelSlices", this.store.join((piece) => piece.ofThread(this.index, "kernelSlices")));
	}

	/** @returns {Level[]} */
	get kernelLevels() {
		return keep(this, "kernelLevels", nestedLevels(this.kernelSlices, this.store.threads[this.index].kernelDepth));
	}

	/** @returns {Uint32Array} */
	get points() {
		return keep(this, "points", markRows(this.marks));
	}

	/** @returns {CounterSeries[]} */
	get counters() {
		const { store, index } = this;
		return keep(this, "counters", store.threads[index].series.map((series) =>
			counterSeries(this.marks, series, store.counterBefore(index, series.name))));
	}
}

/* What a store holds of one CPU. */
export class CpuRows {
	/** @param {Store} store @param {number} index */
	constructor(store, index) {
		this.store = store;
		this.index = index;
	}

	/** @returns {Slices} */
	get slices() {
		return keep(this, "slices", this.store.join((piece) => piece.ofCpu(this.index, "slices")));
	}

	/**
	 * They are all in the rest, but in a page of one window.
	 * @returns {Gaps}
	 */
	get gaps() {
		const { pages, pieces } = this.store;
		return keep(this, "gaps", joinTables(pieces.map((piece) => piece.ofCpu(this.index, "gaps")),
			pages.rest.ofCpu(this.index, "gaps")));
	}

	/** @returns {Interrupts} */
	get interrupts() {
		return keep(this, "interrupts", this.store.join((piece) => piece.ofCpu(this.index, "interrupts")));
	}

	/** @returns {Level[]} */
	get interruptLevels() {
		const { depth } = this.interrupts;
		return keep(this, "interruptLevels", nestedLevels(this.interrupts,
			depth.reduce((nr, own) => Math.max(nr, own + 1), 0)));
	}

	/** @returns {Idle} */
	get idle() {
		return keep(this, "idle", this.store.join((piece) => piece.ofCpu(this.index, "idle")));
	}

	/** @returns {Frequencies} */
	get frequencies() {
		return keep(this, "frequencies", this.store.join((piece) => piece.ofCpu(this.index, "frequencies")));
	}

	/** @returns {BusySums} */
	get busy() {
		return keep(this, "busy", busySums(this.slices, this.store.threads));
	}

	/**
	 * The innermost span of its thread when each slice began, or -1.
	 * @returns {Int32Array}
	 */
	get tasks() {
		return keep(this, "tasks", this.store.findTasks(this.slices));
	}
}

/** A thread: what the head tells of it, and its rows in the store that is shown. */
export class Thread {
	/** @param {Head} head @param {number} index @param {SeriesHead[]} series */
	constructor(head, index, series) {
		const { threads } = head;
		this.index = index;
		this.tid = threads.tid[index];
		this.tgid = threads.tgid[index];
		this.comm = head.strings[threads.comm[index]];
		this.parent = threads.parent[index];
		this.session = Boolean(threads.session[index]);
		this.unmatched = threads.unmatched[index];
		this.depth = threads.depth[index];
		this.kernelDepth = head.kernel ? head.kernel.depth[index] : 0;
		this.nrKernelSlices = head.kernel ? head.kernel.slices[index] : 0;
		this.unmatchedInKernel = head.kernel ? head.kernel.unmatched[index] : 0;
		this.series = series;
		this.nrSpans = threads.spans[index];
		this.nrMarks = threads.marks[index];
		this.hasMarks = this.nrMarks > 0;
		this.hasEvents = (head.event_threads || []).some(([thread]) => thread === index);
		this.mainCpu = threads.main_cpu[index];	/* -1: it never ran */
		this.totals = {
			ns: Float64Array.from(threads.ns.slice(index * NR_STATES, (index + 1) * NR_STATES)),
			switches: threads.switches[index],
			preemptions: threads.preemptions[index],
			migrations: threads.migrations[index],
			stolen: threads.stolen[index],
		};
		/* Not told: the time before it was first seen. */
		this.totals.ns[STATE.UNKNOWN] += Math.max(head.trace.duration_ns -
			this.totals.ns.reduce((sum, ns) => sum + ns, 0), 0);
		this.onCpu = this.totals.ns[STATE.RUNNING];
		/** @type {ThreadRows | null} */
		this.loaded = null;
	}

	get states() {
		return loadedRows(this).states;
	}

	get spans() {
		return loadedRows(this).spans;
	}

	get marks() {
		return loadedRows(this).marks;
	}

	get causes() {
		return loadedRows(this).causes;
	}

	get stackPoints() {
		return loadedRows(this).stackPoints;
	}

	get wakerStacks() {
		return loadedRows(this).wakerStacks;
	}

	get levels() {
		return loadedRows(this).levels;
	}

	get kernelSlices() {
		return loadedRows(this).kernelSlices;
	}

	get kernelLevels() {
		return loadedRows(this).kernelLevels;
	}

	get points() {
		return loadedRows(this).points;
	}

	get counters() {
		return loadedRows(this).counters;
	}
}

/** A CPU: whether the trace has events of it, and its rows in the store that is shown. */
export class Cpu {
	/**
	 * @param {number} index @param {boolean} seen @param {boolean} hasEvents @param {boolean} hasIdle
	 * @param {number} mostKhz
	 */
	constructor(index, seen, hasEvents, hasIdle, mostKhz) {
		this.index = index;
		this.seen = seen;
		this.hasEvents = hasEvents;	/* in its lane */
		this.hasIdle = hasIdle;		/* the trace has its idle states */
		this.mostKhz = mostKhz;		/* its highest frequency; 0: none is known */
		/** @type {CpuRows | null} */
		this.loaded = null;
	}

	get slices() {
		return loadedRows(this).slices;
	}

	get gaps() {
		return loadedRows(this).gaps;
	}

	get interrupts() {
		return loadedRows(this).interrupts;
	}

	get interruptLevels() {
		return loadedRows(this).interruptLevels;
	}

	get idle() {
		return loadedRows(this).idle;
	}

	get frequencies() {
		return loadedRows(this).frequencies;
	}

	get busy() {
		return loadedRows(this).busy;
	}

	get tasks() {
		return loadedRows(this).tasks;
	}
}

/**
 * Spans, slices of the kernel, or interrupts, by depth: those of one depth do not overlap, so each level
 * can be searched by time.
 * @param {Spans | KernelSlices | Interrupts} spans @param {number} depth
 */
function nestedLevels(spans, depth) {
	const sizes = new Uint32Array(depth);
	for (let i = 0; i < spans.rows; i++)
		sizes[spans.depth[i]]++;
	const levels = Array.from(sizes, (size) => ({
		start: new Float64Array(size), end: new Float64Array(size), row: new Uint32Array(size), rows: 0,
	}));
	for (let i = 0; i < spans.rows; i++) {
		const level = levels[spans.depth[i]];
		level.start[level.rows] = spans.start[i];
		level.end[level.rows] = spans.end[i];
		level.row[level.rows++] = i;
	}
	return levels;
}

/**
 * Those that are no values of counters.
 * @param {Marks} marks
 */
function markRows(marks) {
	const rows = [];
	for (let i = 0; i < marks.rows; i++)
		if (!(marks.flags[i] & MARK_IS_COUNTER))
			rows.push(i);
	return Uint32Array.from(rows);
}

/**
 * The values of one of a thread's counters: {name, start, value, row, rows, min, max, before}, before
 * being what it was at first, or null.
 * @param {Marks} marks @param {SeriesHead} series @param {number | null} before
 */
function counterSeries(marks, { name, min, max }, before) {
	const rows = [];
	for (let i = 0; i < marks.rows; i++)
		if (marks.name[i] === name && marks.flags[i] & MARK_IS_COUNTER)
			rows.push(i);
	return {
		name,
		rows: rows.length,
		start: Float64Array.from(rows, (row) => marks.start[row]),
		value: Float64Array.from(rows, (row) => marks.value[row]),
		row: Uint32Array.from(rows),
		min,
		max,
		before,
	};
}

/**
 * sums[i]: the time on CPU in slices before row i.
 * @param {Slices} slices @param {Thread[]} threads
 */
function busySums({ rows, start, end, thread }, threads) {
	const inSession = Uint8Array.from(threads, (own) => own.session ? 1 : 0);
	const all = new Float64Array(rows + 1);
	const session = new Float64Array(rows + 1);
	for (let i = 0; i < rows; i++) {
		const length = end[i] - start[i];
		all[i + 1] = all[i] + length;
		session[i + 1] = session[i] + inSession[thread[i]] * length;
	}
	return { all, session };
}
