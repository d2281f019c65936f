// SPDX-License-Identifier: GPL-2.0
/* Windows of a page, ranges that are added up over them, and steps from item to item. */
import assert from "node:assert/strict";
import test from "node:test";
import { matchText } from "../../../../viewer/page/js/data/search.js";
import { rangeStatistics, rangeStatisticsFar } from "../../../../viewer/page/js/data/ranges.js";
import { Store } from "../../../../viewer/page/js/data/store.js";
import { Hits } from "../../../../viewer/page/js/ui/hits.js";
import { courseByName, courseInLane, stepFar, stepHere } from "../../../../viewer/page/js/ui/steps.js";
import { head, migrations, pagesOf, samples, sliceCounts, slices, spans, storeOf } from "./made_up.mjs";

const THREADS = [{ tid: 7, comm: "Alpha", depth: 1, spans: 3 }, { tid: 42, comm: "beta" }];
const WORK = 2;
const more = { threads: THREADS, strings: ["Work item", "load"], spanNames: [[WORK, 0, 3], [3, 0, 1]], markNames: [[3, 2]],
	pmu: [{ name: "misses", counted: false, counter: 0, period: 10 }] };
const FIRST = [...slices(0, [[10, 30, 0, 4]]), ...spans(0, [[12, 18, WORK, 0, 0], [20, 28, WORK, 0, 0]]), ...samples([[15, 1, 0, 0, 0, 10, 0, 0, 0]])];
const SECOND = [...slices(0, [[50, 60, 1, 2], [60, 80, 0, 4]]), ...spans(0, [[62, 79, WORK, 0, 0]]), ...migrations([[60, 30, 0, 1, 0]]),
	...samples([[65, 1, 0, 0, 0, 10, 0, 0, 0], [66, 0, 0, 0, 0, 10, 0, 0, 0]])];
const both = () => pagesOf(head({ ...more, starts: [0, 40] }), [FIRST, SECOND]);

async function apart() {
	const pages = await both();
	await pages.firstStore();
	pages.isWhole = false;
	return pages;
}

test("a window's time, and those around a time", async () => {
	const pages = await both();
	assert.deepEqual([-5, 0, 39, 40, 1e9].map((ns) => pages.at(ns)), [0, 0, 0, 1, 1]);
	assert.deepEqual([pages.end(0), pages.end(1), pages.rowsIn(0, 2)], [40, 100, 20]);
	assert.deepEqual(pages.around(50, 60), [0, 2]);
	pages.leftOut.add(0);
	assert.deepEqual([pages.around(50, 60), pages.lacks(0, 2), pages.lacks(1, 2), pages.any()], [[1, 2], true, false, [1, 2]]);
});

test("those not asked for lately are forgotten, the last one stays", async () => {
	const pages = await both();
	pages.most.kept = 10;
	await pages.load(0);
	assert.deepEqual([...pages.pieces.keys()], [0]);
	pages.most.kept = 0;
	pages.forget();
	assert.deepEqual([...pages.pieces.keys()], [0]);
});

test("what is not wanted any more is not loaded", async () => {
	const pages = await both();
	assert.equal(await pages.loadAll(0, 2, () => false), null);
	assert.equal(await pages.storeOf(0, 2, () => false), null);
});

test("a store of one window knows what it lacks", async () => {
	const pages = await apart();
	const store = new Store(pages, 1, await pages.loadAll(1, 2));
	assert.deepEqual([store.covers(50, 60), store.covers(30, 60), store.hasAll(40, 60), store.hasAll(41, 60)], [true, false, false, true]);
	assert.deepEqual([store.isInside(40), store.isInside(41)], [false, true]);
});

test("a store of its own does not disturb the one that is shown", async () => {
	const pages = await both();
	const shown = await pages.firstStore();
	const other = new Store(pages, 1, await pages.loadAll(1, 2));
	assert.equal(other.threads[0].spans.rows, 1);
	assert.equal(shown.threads[0].spans.rows, 3);
	assert.equal(pages.threads[0].spans.rows, 3);
});

test("figures of a range", async () => {
	const store = await storeOf(head(more), [[...FIRST], []]);
	const { threads, tasks, cpus, onCpu, events } = rangeStatistics(store, 0, 25);
	assert.equal(onCpu, 15);
	assert.deepEqual(threads.map(({ thread, account }) => [thread, account.ns[1]]), [[0, 15]]);
	assert.deepEqual(tasks.map(({ name, count, wall, longestNs, longest }) => [name, count, wall, longestNs, longest]),
		[[WORK, 2, 11, 6, "span.0.0"]]);
	assert.deepEqual([cpus[0].busy, cpus[0].idle, cpus[0].total], [15, 10, 25]);
	assert.deepEqual([events[0].amount, events[0].samples], [10, 1]);
});

test("spinning is time on a CPU in waits, once", async () => {
	const waits = [[5, 25, WORK, 0, 0], [8, 22, 3, 1, 1], [12, 15, 3, 1, 2], [26, 40, 3, 1, 0]];
	const store = await storeOf(head({ ...more, threads: [{ ...THREADS[0], depth: 3, spans: 4 }] }),
		[[...slices(0, [[10, 30, 0, 4]]), ...spans(0, waits)]]);
	const spun = (from, to) => rangeStatistics(store, from, to).threads.map(({ spinning }) => spinning);
	assert.deepEqual([spun(0, 100), spun(0, 20), spun(14, 27)], [[12 + 4], [10], [8 + 1]]);
});

test("a range of nothing", async () => {
	const store = await storeOf(head(more), [FIRST]);
	const { threads, tasks, onCpu } = rangeStatistics(store, 35, 35);
	assert.deepEqual([threads, tasks, onCpu], [[], [], 0]);
});

test("added up over windows, it is the same as of the whole", async () => {
	const store = await (await both()).firstStore();
	for (const [from, to] of [[0, 100], [15, 70], [39, 41], [40, 40]]) {
		const whole = rangeStatistics(store, from, to);
		const far = await rangeStatisticsFar(await apart(), from, to, () => true, () => {});
		const plain = ({ threads, tasks, cpus, events, onCpu }) => JSON.stringify({
			onCpu, cpus, events: events.map(({ amount, samples }) => [amount, samples]),
			threads: threads.map(({ thread, account }) => [thread, ...account.ns, account.switches, account.migrations]),
			tasks: tasks.map(({ name, count, wall, longestNs, ns }) => [name, count, wall, longestNs, ...ns]),
		});
		assert.equal(plain(far), plain(whole), `${from} to ${to}`);
	}
	assert.equal(await rangeStatisticsFar(await apart(), 0, 100, () => false, () => {}), null);
});

test("turns are added up by span, thread and CPU, and over windows", async () => {
	const pmu = [0, 1].map((counter) => ({ name: "ab"[counter], counted: true, shared: true, counter }));
	const blocks = [[...FIRST, ...sliceCounts(2, [[10, 20, 1, 0, 2, 100, 9], [20, 30, 1, 0, 1, 7, 50]])],
		[...SECOND, ...sliceCounts(2, [[60, 70, 1, 0, 2, 300, 9], [70, 80, 1, 0, 1, 7, 70]])]];
	const pages = () => pagesOf(head({ ...more, pmu, starts: [0, 40] }), blocks);
	const sums = ({ threads, tasks, cpus, events }) => JSON.parse(JSON.stringify([...threads, ...tasks, ...cpus].map(({ amounts, turns }) =>
		[...amounts].map((amount, i) => [amount, turns[i].countedNs, turns[i].ns])).concat([events.map(({ amount, turns, error }) =>
		[amount, turns.countedNs, turns.ns, error])]), (_, value) => typeof value === "number" ? Math.round(value * 1e6) / 1e6 : value));
	const store = await (await pages()).firstStore();
	const all = [[400, 20, 40], [120, 20, 40]];
	assert.deepEqual(sums(rangeStatistics(store, 0, 100)), [all, [[0, 0, 0], [0, 0, 0]], [[300, 14, 31], [103, 17, 31]], all, all.map((own) => [...own, 0])]);
	for (const [from, to] of [[0, 100], [15, 65], [25, 75]]) {
		const far = await pages();
		await far.firstStore();
		far.isWhole = false;
		assert.deepEqual(sums(await rangeStatisticsFar(far, from, to, () => true, () => {})), sums(rangeStatistics(store, from, to)));
	}
});

test("a search: all words, of any case, in names or in threads", async () => {
	const store = await (await both()).firstStore();
	const found = (text) => {
		const matches = matchText(store, text);
		return matches && [[...matches.names], matches.total, matches.threadList.map(({ tid }) => tid)];
	};
	assert.equal(found(""), null);
	assert.equal(found("  \t"), null);
	assert.deepEqual(found("ITEM work"), [[0, 0, 1, 0], 3, []]);
	assert.deepEqual(found("load"), [[0, 0, 0, 1], 3, []]);
	assert.deepEqual(found("a"), [[1, 1, 0, 1], 3, [7, 42]]);
	assert.deepEqual(found("beta 42"), [[0, 0, 0, 0], 0, [42]]);
	assert.deepEqual(found("work beta"), [[0, 0, 0, 0], 0, []]);
});

test("hits: their ranks, the next one and the last", async () => {
	const store = await (await both()).firstStore();
	const hits = new Hits(store, Uint8Array.of(0, 0, 1, 0));
	const span = (row) => ({ kind: "span", thread: 0, row });
	assert.deepEqual([hits.total, hits.medianSpan()], [3, 8]);
	assert.deepEqual([0, 1, 2].map((row) => hits.rank(span(row))), [1, 2, 3]);
	assert.deepEqual(hits.next(span(0), 0, 1), span(1));
	assert.deepEqual(hits.next(span(1), 0, -1), span(0));
	assert.equal(hits.next(span(2), 0, 1), null);
	assert.deepEqual(hits.next(null, 19, 1), span(1));
	assert.deepEqual([hits.outermost(1), hits.outermost(-1)], [span(0), span(2)]);
	assert.deepEqual([new Hits(store, new Uint8Array(4)).total, hits.rank(null)], [0, 0]);
});

test("steps along a lane and by name, and round", async () => {
	const store = await (await both()).firstStore();
	const span = { kind: "span", thread: 0, row: 0 };
	assert.deepEqual(stepHere(store, courseInLane(store, span), 1), { ...span, row: 1 });
	assert.equal(stepHere(store, courseInLane(store, span), -1), null);
	assert.deepEqual(stepHere(store, courseByName(store, span), -1), { ...span, row: 2 });
	assert.deepEqual(stepHere(store, courseInLane(store, { kind: "slice", cpu: 0, row: 1 }), 1), { kind: "slice", cpu: 0, row: 2 });
	assert.equal(courseInLane(store, { kind: "thread", thread: 0 }), null);
});

test("a step into a window that is not loaded", async () => {
	const pages = await apart();
	const store = new Store(pages, 0, await pages.loadAll(0, 1)).show();
	const course = courseInLane(store, { kind: "span", thread: 0, row: 1 });
	assert.equal(stepHere(store, course, 1), undefined);
	assert.equal(await stepFar(pages, course, 1, () => true, () => {}), "span.0@62.0");
	pages.leftOut.add(1);
	assert.equal(await stepFar(pages, course, 1, () => true, () => {}), null);
});
