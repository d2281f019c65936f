// SPDX-License-Identifier: GPL-2.0
/* Amounts of events over time, and how far they may be off. */
import assert from "node:assert/strict";
import test from "node:test";
import { addAmount, Series } from "../../../../viewer/page/js/data/pmu.js";
import { FULL_SHARE, readOverview } from "../../../../viewer/page/js/data/overview.js";

const times = (...ns) => Float64Array.from(ns);

test("samples stand at one instant", () => {
	const at = times(10, 20, 20, 30);
	const series = new Series([0, 1, 2, 3], at, at, () => 100);
	assert.deepEqual([[0, 10], [10, 11], [10, 20], [20, 21], [0, 99]].map(([from, to]) => series.amount(from, to)), [0, 100, 100, 200, 400]);
	assert.equal(series.count(10, 30), 3);
	assert.equal(new Series([], at, at, () => 1).amount(0, 100), 0);
});

test("counts are spread over their slice; what a cut may move is the error", () => {
	const series = new Series([0, 1], times(0, 100), times(100, 200), (row) => [1000, 500][row]);
	assert.equal(series.amount(0, 200), 1500);
	assert.equal(series.amount(50, 100), 500);
	assert.equal(series.shared(0, 200), 0);
	assert.equal(series.shared(50, 100), 500);
	assert.equal(series.shared(75, 150), 750 + 250);
});

test("the errors of parts are those of the whole", () => {
	const series = new Series([0], times(0), times(100), () => 1000);
	const range = [20, 70];
	assert.equal(series.shared(20, 50, range) + series.shared(50, 70, range), series.shared(20, 70));
});

test("amounts of two parts", () => {
	const event = { counted: true };
	assert.deepEqual(addAmount({ event, amount: 1, samples: 0, error: 2 }, { event, amount: 10, samples: 0, error: 20 }),
		{ event, amount: 11, samples: 0, error: 22 });
});

test("an overview: shares, runs and sums by bucket", () => {
	const head = { overview: { buckets: 4, bucket_ns: 10 }, trace: { duration_ns: 38 }, cpus: [1], threads: { tid: [1], session: [1] }, pmu: [{}] };
	const run = Uint32Array.of(2, 2);
	const none = new Uint8Array(2);
	const overview = readOverview([
		{ kind: 20, owner: 0, table: { rows: 4, thread: Uint32Array.of(1, 1, 0, 0), busy: Uint8Array.of(255, 51, 0, 0) } },
		{ kind: 21, owner: 0, table: { rows: 2, run, running: Uint8Array.of(255, 0), preempted: none, runnable: none,
			sleeping: Uint8Array.of(0, 100), uninterruptible: none, stopped: none, dead: none } },
		{ kind: 23, owner: 0, table: { rows: 2, run, sum: times(50, 0), min: times(0, 0), max: times(9, 0) } },
	], head);
	assert.equal(overview.busyOfCpu(0), 12);
	assert.ok(Math.abs(overview.timeIn(overview.busy, 5, 15) - 6) < 1e-9);
	assert.deepEqual([-1, 9, 10, 39, 1e9].map((ns) => overview.bucketAt(ns)), [0, 0, 1, 3, 3]);
	const { from, share, states } = overview.statesOf(0);
	assert.deepEqual([[...from], states, share[1][0], share[0][1]], [[0, 2, 4], [0, 1, 4], FULL_SHARE, 155]);
	assert.deepEqual([overview.ofCpu(0, 0).total(), overview.ofCpu(0, 0).before(15), overview.ofThread(0, 0)], [100, 75, null]);
});
