// SPDX-License-Identifier: GPL-2.0
/*
 * The states of threads, from their slices and wakeups, and the edits that the page tells. What
 * implies what stands in viewer/model/states/derived_states.h, the edits in viewer/page/data.h.
 */
import { NR_STATES, STATE } from "./codes.js";

/** @typedef {import("./windows.js").Piece} Piece */
/** @typedef {import("./tables.js").Slices} Slices */
/** @typedef {import("./tables.js").StateEdits} StateEdits */
/** @typedef {import("./tables.js").StateRows} StateRows */
/** @typedef {import("./tables.js").Wakeups} Wakeups */

/**
 * Calls slice(cpu, slices, row) and wakeup(row) in the order of time; a wakeup before a slice's start.
 * @param {Slices[]} cpus
 * @param {Wakeups} wakeups
 * @param {(cpu: number, slices: Slices, row: number) => void} slice
 * @param {(row: number) => void} wakeup
 */
function walkInTime(cpus, wakeups, slice, wakeup) {
	const next = new Uint32Array(cpus.length);
	const starts = cpus.map(({ start }) => start);
	const order = [...cpus.keys()].filter((cpu) => cpus[cpu].rows > 0)
		.sort((a, b) => starts[a][0] - starts[b][0]);
	let row = 0;
	let wakeupNs = wakeups.rows ? wakeups.start[0] : Infinity;
	while (order.length) {
		const cpu = order[0];
		const ns = starts[cpu][next[cpu]];
		while (wakeupNs <= ns) {
			wakeup(row);
			wakeupNs = ++row < wakeups.rows ? wakeups.start[row] : Infinity;
		}
		slice(cpu, cpus[cpu], next[cpu]++);
		if (next[cpu] === cpus[cpu].rows) {
			order.shift();
			continue;
		}
		const start = starts[cpu][next[cpu]];
		let at = 0;
		for (; at + 1 < order.length && starts[order[at + 1]][next[order[at + 1]]] < start; at++)
			order[at] = order[at + 1];
		order[at] = cpu;
	}
	while (row < wakeups.rows)
		wakeup(row++);
}

const FEW_ROWS = 24;	/* that are copied faster one by one than as a stretch */
const CANNOT_BE_WOKEN = new Uint8Array(NR_STATES);
for (const state of [STATE.RUNNING, STATE.PREEMPTED, STATE.DEAD])
	CANNOT_BE_WOKEN[state] = 1;

/** @param {number} rows */
function newStates(rows) {
	return {
		rows, start: new Float64Array(rows), state: new Uint8Array(rows), cpu: new Int16Array(rows),
	};
}

/** @typedef {StateRows & {thread: Uint32Array}} Implied */

/**
 * What is implied, of each thread in order, of all threads in any.
 * @param {Piece} piece @param {number} nrThreads
 */
function impliedStates(piece, nrThreads) {
	const cpus = Array.from(piece.cpus, (_, cpu) => piece.ofCpu(cpu, "slices"));
	const { wakeups } = piece;
	const most = cpus.reduce((sum, { rows }) => sum + 2 * rows, wakeups.rows);
	const { start: starts, state: states, cpu: ranOn } = newStates(most);
	const threads = new Uint32Array(most);
	let rows = 0;
	const end = new Float64Array(nrThreads);
	const woken = new Float64Array(nrThreads).fill(-1);
	const state = new Uint8Array(nrThreads);
	const lastCpu = new Int16Array(nrThreads).fill(-1);
	/** @param {number} thread @param {number} ns @param {number} what @param {number} cpu */
	const imply = (thread, ns, what, cpu) => {
		threads[rows] = thread;
		starts[rows] = ns;
		states[rows] = what;
		ranOn[rows++] = cpu;
	};
	/** @param {number} thread @param {number} cpu */
	const tellWakeup = (thread, cpu) => {
		if (woken[thread] >= 0)
			imply(thread, woken[thread], STATE.RUNNABLE, cpu);
		woken[thread] = -1;
	};
	walkInTime(cpus, wakeups, (cpu, slices, row) => {
		const thread = slices.thread[row];
		const after = slices.endState[row];
		tellWakeup(thread, cpu);
		imply(thread, slices.start[row], STATE.RUNNING, cpu);
		if (after !== STATE.RUNNING)
			imply(thread, slices.end[row], after, cpu);
		state[thread] = after;
		end[thread] = slices.end[row];
		lastCpu[thread] = cpu;
	}, (row) => {
		const thread = wakeups.wakee[row];
		const ns = wakeups.start[row];
		if (woken[thread] < 0 && ns >= end[thread] && !CANNOT_BE_WOKEN[state[thread]])
			woken[thread] = ns;
	});
	for (let thread = 0; thread < nrThreads; thread++)
		tellWakeup(thread, lastCpu[thread]);
	return { rows, thread: threads, start: starts, state: states, cpu: ranOn };
}

/**
 * The same, thread by thread: {start[], ..., first[]}; first[i]: where thread i's rows begin.
 * @param {Implied} implied @param {number} nrThreads
 */
function byThread(implied, nrThreads) {
	const first = new Uint32Array(nrThreads + 1);
	for (let row = 0; row < implied.rows; row++)
		first[implied.thread[row] + 1]++;
	for (let thread = 0; thread < nrThreads; thread++)
		first[thread + 1] += first[thread];
	const next = first.slice();
	const grouped = { ...newStates(implied.rows), first };
	for (let row = 0; row < implied.rows; row++) {
		const place = next[implied.thread[row]]++;
		grouped.start[place] = implied.start[row];
		grouped.state[place] = implied.state[row];
		grouped.cpu[place] = implied.cpu[row];
	}
	return grouped;
}

/** @param {StateRows} to @param {number} at @param {StateRows} from @param {number} first @param {number} rows */
function copyStates(to, at, from, first, rows) {
	if (rows < FEW_ROWS) {
		for (let i = 0; i < rows; i++) {
			to.start[at + i] = from.start[first + i];
			to.state[at + i] = from.state[first + i];
			to.cpu[at + i] = from.cpu[first + i];
		}
		return rows;
	}
	to.start.set(from.start.subarray(first, first + rows), at);
	to.state.set(from.state.subarray(first, first + rows), at);
	to.cpu.set(from.cpu.subarray(first, first + rows), at);
	return rows;
}

/**
 * Implied rows and those of the page put together, as the edits say.
 * @param {StateRows} own
 * @param {StateEdits} edits
 * @param {StateRows} implied
 * @param {number} first
 */
function editStates(own, edits, implied, first) {
	let rows = own.rows;
	for (let i = 0; i < edits.rows; i++)
		rows += edits.kept[i];
	const states = newStates(rows);
	let at = 0;
	let ownAt = 0;
	let impliedAt = first;
	for (let i = 0; i < edits.rows; i++) {
		at += copyStates(states, at, own, ownAt, edits.putIn[i]);
		ownAt += edits.putIn[i];
		impliedAt += edits.leftOut[i];
		at += copyStates(states, at, implied, impliedAt, edits.kept[i]);
		impliedAt += edits.kept[i];
	}
	return states;
}

/**
 * Makes the states of all threads of a window's piece: what is implied, edited where there are edits.
 * @param {Piece} piece
 * @param {number} nrThreads
 */
export function buildStates(piece, nrThreads) {
	const implied = byThread(impliedStates(piece, nrThreads), nrThreads);
	for (let thread = 0; thread < nrThreads; thread++) {
		const [first, past] = [implied.first[thread], implied.first[thread + 1]];
		const edits = piece.ofThread(thread, "stateEdits");
		if (!edits.rows && first === past)
			continue;
		const own = piece.threads[thread] ||= {};
		own.states = edits.rows ? editStates(piece.ofThread(thread, "states"), edits, implied, first) : {
			rows: past - first, start: implied.start.subarray(first, past),
			state: implied.state.subarray(first, past), cpu: implied.cpu.subarray(first, past),
		};
		delete own.stateEdits;
	}
}
