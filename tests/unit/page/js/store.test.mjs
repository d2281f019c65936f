// SPDX-License-Identifier: GPL-2.0
/*
 * A store of a made-up trace of 100 ns: A (thread 0) runs at 10-30 and 50-80 on CPU 0 and 1, woken by B
 * (thread 1), which runs at 30-45 on CPU 0. A's spans: work 12-28 with load 14-20 inside, work 52-78.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { MARK_HAS_VALUE, MARK_IS_COUNTER, STATE } from "../../../../viewer/page/js/data/codes.js";
import { markText, spanText, threadName } from "../../../../viewer/page/js/data/texts.js";
import { cpuWakeups, head, marks, migrations, slices, spans, storeOf } from "./made_up.mjs";

const { SLEEPING, PREEMPTED } = STATE;
const [WORK, LOAD, HITS] = [2, 3, 4];
const BIG = 2n ** 53n + 1n;

const HEAD = head({
	threads: [{ tid: 7, tgid: 7, comm: "A", depth: 2, spans: 3, marks: 3 }, { tid: 8, tgid: 7, comm: "B", session: 0 }],
	cpus: 2, strings: ["work", "load", "hits"], spanNames: [[WORK, 0, 2], [LOAD, 0, 1]], markNames: [[HITS, 3]],
	series: [[0, HITS, 2, 0, 5]],
});
const BLOCK = [
	...slices(0, [[10, 30, 0, SLEEPING], [30, 45, 1, SLEEPING]]), ...slices(1, [[50, 80, 0, PREEMPTED]]),
	/* In slice 1 of CPU 0, 10 ns after its begin, its thread wakes A. */
	...cpuWakeups(0, [[3, 10, 0, 1]]),
	...spans(0, [[12, 28, WORK, 0, 0, 1, BIG], [14, 20, LOAD, 0, 1], [52, 78, WORK, 0, 0]]),
	...marks(0, [[15, HITS, MARK_IS_COUNTER | MARK_HAS_VALUE, 0], [16, HITS, 0], [60, HITS, MARK_IS_COUNTER | MARK_HAS_VALUE, 5]]),
	...migrations([[50, 30, 0, 0, 1]]),
];
const store = await storeOf(HEAD, [BLOCK]);

test("all of it is there", () => {
	assert.equal(store.isWhole, true);
	assert.equal(store.covers(0, 100), true);
	assert.equal(store.hasAll(0, 1e9), true);
});

test("states of A, and where each ends", () => {
	const { states } = store.threads[0];
	assert.deepEqual([...states.start], [10, 30, 40, 50, 80]);
	assert.deepEqual([0, 1, 2, 3, 4].map((row) => store.stateEnd(0, row)), [30, 40, 50, 80, 100]);
	assert.deepEqual([9, 10, 29, 30, 99].map((ns) => store.stateAt(0, ns)), [-1, 0, 0, 1, 4]);
});

test("a running state is a slice", () => {
	assert.deepEqual(store.sliceOfState(0, 3), { cpu: 1, row: 0 });
	assert.equal(store.sliceOfState(0, 1), null);
	assert.deepEqual([9, 10, 30, 44, 45].map((ns) => store.sliceAt(0, ns)), [-1, 0, 1, 1, -1]);
});

test("an account has each state's time, and sums up to the range", () => {
	const whole = store.account(0, 0, 100);
	assert.deepEqual([...whole.ns], [10, 50, 20, 10, 10, 0, 0, 0]);
	assert.deepEqual([whole.switches, whole.preemptions, whole.migrations], [2, 1, 1]);
	const part = store.account(0, 20, 55);
	assert.deepEqual([...part.ns], [0, 15, 0, 10, 10, 0, 0, 0]);
	assert.deepEqual([part.switches, part.preemptions, part.migrations], [1, 0, 1]);
	assert.deepEqual([...store.account(0, 40, 40).ns], new Array(8).fill(0));
});

test("of two ranges that meet, each event belongs to one", () => {
	for (const cut of [30, 50, 80]) {
		const [a, b] = [store.account(0, 0, cut), store.account(0, cut, 100)];
		assert.deepEqual([a.switches + b.switches, a.migrations + b.migrations], [2, 1], `cut at ${cut}`);
	}
});

test("spans around a time, the outermost first", () => {
	assert.deepEqual([11, 12, 14, 19, 20, 28].map((ns) => store.spansAt(0, ns)), [[], [0], [0, 1], [0, 1], [0], []]);
});

test("who woke A, and when", () => {
	assert.deepEqual(store.wakeupBefore(0, 50), { ns: 40, waker: 1 });
	assert.equal(store.wakeupBefore(0, 39), null);
	assert.equal(store.wakeupBefore(1, 50), null);
});

test("migrations, by thread and time", () => {
	assert.equal(store.migrationAt(0, 50), 0);
	assert.equal(store.migrationAt(0, 51), -1);
	assert.deepEqual([...store.sessionMoves], [0]);
});

test("busy time, of all and of the session", () => {
	assert.equal(store.busyTime(0, 0, 100, false), 35);
	assert.equal(store.busyTime(0, 0, 100, true), 20);
	assert.equal(store.busyTime(0, 20, 40, false), 20);
	assert.equal(store.busyTime(1, 0, 50, false), 0);
});

test("counters have their values, marks are no counters", () => {
	const [series] = store.threads[0].counters;
	assert.deepEqual([[...series.start], [...series.value], [...series.row]], [[15, 60], [0, 5], [0, 2]]);
	assert.deepEqual([...store.threads[0].points], [1]);
});

test("texts: names, and values of 64 bits in full", () => {
	assert.equal(threadName(store, 0), "A 7");
	assert.equal(spanText(store, store.threads[0], 0), "work 9007199254740993");
	assert.equal(spanText(store, store.threads[0], 1), "load");
	assert.equal(markText(store, store.threads[0], 2), "hits 5");
});

test("a page of nothing", async () => {
	const empty = await storeOf(head({ threads: [{ tid: 1, comm: "idle" }] }), [[]]);
	assert.equal(empty.threads[0].states.rows, 0);
	assert.deepEqual([...empty.account(0, 0, 100).ns], [100, 0, 0, 0, 0, 0, 0, 0]);
	assert.deepEqual([empty.sliceAt(0, 5), empty.busyTime(0, 0, 100, false), empty.wakeups.rows], [-1, 0, 0]);
});

test("rows are not to be had before a store is shown", async () => {
	const { pagesOf } = await import("./made_up.mjs");
	const pages = await pagesOf(HEAD, [BLOCK]);
	assert.throws(() => pages.threads[0].states, /before a store was shown/);
});
