// SPDX-License-Identifier: GPL-2.0
/* Amounts of events over time, and how far they may be off. */
import assert from "node:assert/strict";
import test from "node:test";
import { addAmount, amountFacts, estimateOf, Series, TurnSeries } from "../../../../viewer/page/js/data/pmu.js";
import { doubtOf, estimateText, TurnFigures, turnsText } from "../../../../viewer/page/js/data/turn_figures.js";
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

/* Four rows of 100 ns, of which the second and the fourth did not have a counter for all of it. */
const turns = () => new TurnSeries([0, 1, 2, 3], times(0, 100, 200, 300), times(100, 200, 300, 400),
	(row) => [1000, 7, 3000, 7][row], (row) => row % 2 === 0);
const event = { name: "misses", index: 1, counted: true, shared: true };
const amountOf = (series, from, to) =>
	({ event, amount: series.amount(from, to), samples: 0, error: series.shared(from, to), turns: series.times(from, to) });

test("an event that took turns: the rate is that of the time in which it was counted", () => {
	const series = turns();
	assert.deepEqual(series.times(0, 400), { countedNs: 200, ns: 400 });
	assert.deepEqual(estimateOf(amountOf(series, 0, 400)), { amount: 8000, error: null, share: 0.5 });
	assert.deepEqual(estimateOf(amountOf(series, 0, 100)), { amount: 1000, error: 0, share: 1 });
	assert.deepEqual(estimateOf(amountOf(series, 0, 50)), { amount: 500, error: 500, share: 1 });
	assert.deepEqual(estimateOf(amountOf(series, 100, 200)), { amount: null, error: null, share: 0 });
	assert.deepEqual(estimateOf(amountOf(series, 900, 999)), { amount: 0, error: 0, share: 1 });
	assert.deepEqual(estimateOf(addAmount(amountOf(series, 0, 130), amountOf(series, 130, 400))),
		{ amount: 8000, error: null, share: 0.5 });
});

test("what is not reliable says so", () => {
	const of = (amount, error, share) => ({ amount, error, share });
	assert.deepEqual([of(1234, 0, 1), of(1234, 123, 0.31), of(1234, 124, 0.31), of(1234, null, 0.31), of(null, null, 0)].map(estimateText),
		["1,234", "≈ 1,234 ± 10 %", "≈ 1,234 ± 10 %", "≈ 1,234 ± ?", "unknown"]);
	assert.deepEqual([of(10, 900, 0.31), of(0, 12, 0.31)].map(estimateText), ["≈ 10 ± 900", "≈ 0 ± 12"]);
	assert.equal(turnsText(of(1234, 370, 0.31)), "counted for 31 % of the time: ± 30 %");
	/* A reliability of 0.9 is enough, less is not. */
	assert.deepEqual([of(1000, 100, 0.31), of(1000, 0, 0.5), of(1000, 0, 1)].map(doubtOf), ["", "", ""]);
	assert.equal(doubtOf(of(1000, 101, 0.31)), "counted for 31 % of the time: ± 10 %");
	assert.equal(doubtOf(of(1000, 101, 1)), "of parts of slices: ± 10 %");
	assert.equal(doubtOf(of(1000, null, 0.31)), "counted for 31 % of the time: how far off this is, is not known");
	assert.equal(doubtOf(of(null, null, 0)), "counted for 0 % of the time: it had no counter here");
	assert.notEqual(doubtOf(of(0, 12, 0.5)), "");
});

test("facts of events that took turns: errors of ratios, too", () => {
	const instructions = { name: "instructions", index: 0, counted: true, shared: false };
	const facts = (told) => amountFacts({ pmu: { instructions: [instructions] } }, [
		{ event: instructions, amount: 100000, samples: 0, error: 0 }, { ...amountOf(turns(), 0, 400), ...told && { told } },
	], 400);
	assert.deepEqual(facts(null), [["instructions", "100,000, 250,000/µs"], ["misses", {
		text: "≈ 8,000 ± ?, 20,000/µs, 80 ± ? per 1,000 instructions, counted for 50 % of the time: how far off this is, is not known",
		doubt: "counted for 50 % of the time: how far off this is, is not known",
	}]]);
	assert.deepEqual(facts({ amount: 9000, error: 450, share: 0.5 })[1], ["misses", {
		text: "≈ 9,000 ± 5.0 %, 22,500/µs, 90 ± 4.5 per 1,000 instructions, counted for 50 % of the time: ± 5.0 %", doubt: "",
	}]);
});

test("what annot tells of the whole trace: by event, task and thread, or nothing", () => {
	const threads = [{ tid: 7 }, { tid: 8 }];
	const events = [{ index: 0, name: "a" }, { index: 1, name: "misses" }];
	const figures = new TurnFigures({
		events: [{ index: 1, name: "misses" }, { index: 0, name: "another" }, { index: 9, name: "c" }], all: [[3, 1, 0.5]],
		tasks: [{ name: "work", kind: "wait", figures: [[1, null, 0.25]] }, { name: "work", kind: "work", figures: [[null, null, 0]] }],
		threads: [{ thread: 0, tid: 8, figures: [[2, 0, 1]] }],
	}, events, threads);
	assert.deepEqual(figures.ofAll(events[1]), { amount: 3, error: 1, share: 0.5 });
	assert.deepEqual(figures.ofTask("work", true, events[1]), { amount: 1, error: null, share: 0.25 });
	assert.deepEqual(figures.ofTask("work", false, events[1]), { amount: null, error: null, share: 0 });
	assert.deepEqual(figures.ofThread(1, events[1]), { amount: 2, error: 0, share: 1 });
	assert.deepEqual([figures.ofAll(events[0]), figures.ofTask("other", false, events[1]), figures.ofThread(0, events[1])], [null, null, null]);
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
