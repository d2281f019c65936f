// SPDX-License-Identifier: GPL-2.0
/* States that follow from slices and wakeups: the examples of viewer/README.md, and the cases around them. */
import assert from "node:assert/strict";
import test from "node:test";
import { STATE } from "../../../../viewer/page/js/data/codes.js";
import { buildStates } from "../../../../viewer/page/js/data/implied.js";
import { Piece } from "../../../../viewer/page/js/data/windows.js";
import { cpuWakeups, slices, stateEdits, states } from "./made_up.mjs";

const { RUNNING, PREEMPTED, RUNNABLE, SLEEPING, DEAD } = STATE;

/* [[start, state, cpu]] of a thread. */
function statesOf(thread, ...tables) {
	const piece = Piece.decode(Uint8Array.from(tables.flat()));
	buildStates(piece, thread + 1);
	const own = piece.ofThread(thread, "states");
	return Array.from({ length: own.rows }, (_, row) => [own.start[row], own.state[row], own.cpu[row]]);
}

const A = slices(0, [[10, 30, 0, SLEEPING], [50, 80, 0, SLEEPING]]);
/* By an interrupt, in place 2 (behind slice 0), 10 ns after it. */
const WAKEUP_AT_40 = cpuWakeups(0, [[2, 10, 1, 1]]);

test("two slices and a wakeup", () => assert.deepEqual(statesOf(0, A, WAKEUP_AT_40), [
	[10, RUNNING, 0], [30, SLEEPING, 0], [40, RUNNABLE, 0], [50, RUNNING, 0], [80, SLEEPING, 0],
]));

test("no slice: no state", () => assert.deepEqual(statesOf(0, slices(0, [])), []));

test("a slice that still runs has no state behind it", () =>
	assert.deepEqual(statesOf(0, slices(2, [[5, 9, 0, RUNNING]])), [[5, RUNNING, 2]]));

test("edits put rows in, and leave rows out", () =>
	assert.deepEqual(statesOf(0, A, WAKEUP_AT_40, states(0, [[40, RUNNABLE, 1]]), stateEdits(0, [[0, 0, 2], [1, 1, 1], [0, 1, 0]])), [
		[10, RUNNING, 0], [30, SLEEPING, 0], [40, RUNNABLE, 1], [50, RUNNING, 0],
	]));

test("who is preempted or dead cannot be woken", () => {
	for (const state of [PREEMPTED, DEAD])
		assert.deepEqual(statesOf(0, slices(0, [[10, 30, 0, state]]), cpuWakeups(0, [[2, 10, 1, 1]])),
			[[10, RUNNING, 0], [30, state, 0]]);
});

test("a wakeup while it runs says nothing", () =>
	assert.deepEqual(statesOf(0, slices(0, [[10, 30, 0, SLEEPING]]), cpuWakeups(0, [[1, 5, 1, 1]])),
		[[10, RUNNING, 0], [30, SLEEPING, 0]]));

test("the first of two wakeups counts, on the CPU of the slice that follows", () =>
	assert.deepEqual(statesOf(0, slices(0, [[10, 30, 0, SLEEPING]]), slices(1, [[60, 70, 0, SLEEPING]]),
		cpuWakeups(0, [[2, 10, 1, 1], [0, 5, 1, 1]])),
	[[10, RUNNING, 0], [30, SLEEPING, 0], [40, RUNNABLE, 1], [60, RUNNING, 1], [70, SLEEPING, 1]]));

test("a wakeup without a slice behind it is on the CPU before", () =>
	assert.deepEqual(statesOf(0, slices(3, [[10, 30, 0, SLEEPING]]), cpuWakeups(3, [[2, 10, 1, 1]])),
		[[10, RUNNING, 3], [30, SLEEPING, 3], [40, RUNNABLE, 3]]));

test("threads and CPUs do not mix", () => {
	const tables = [slices(0, [[0, 10, 0, SLEEPING], [10, 20, 1, PREEMPTED]]), slices(1, [[5, 15, 2, SLEEPING], [30, 40, 1, SLEEPING]])];
	assert.deepEqual(statesOf(1, ...tables), [[10, RUNNING, 0], [20, PREEMPTED, 0], [30, RUNNING, 1], [40, SLEEPING, 1]]);
	assert.deepEqual(statesOf(2, ...tables), [[5, RUNNING, 1], [15, SLEEPING, 1]]);
});

test("long stretches are copied as short ones are", () => {
	const rows = Array.from({ length: 100 }, (_, i) => [i * 10, i * 10 + 5, 0, SLEEPING]);
	const own = statesOf(0, slices(0, rows), stateEdits(0, [[0, 1, 199]]));
	assert.equal(own.length, 199);
	assert.deepEqual(own[0], [5, SLEEPING, 0]);
	assert.deepEqual(own[198], [995, SLEEPING, 0]);
});
