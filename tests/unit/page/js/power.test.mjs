// SPDX-License-Identifier: GPL-2.0
/*
 * A made-up trace of two windows, 0-60 and 60-100 ns, on two CPUs. CPU 0 is in idle state 1 at 10-30, in one that is not
 * known at 40-80, over the cut. It runs at 2 GHz at 5-70, at 1 GHz at 70-100.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { IDLE_OPEN_BEGIN, IDLE_STATE_OFFLINE, IDLE_STATE_UNKNOWN } from "../../../../viewer/page/js/data/codes.js";
import { itemFromText, itemToText, laneOf, threadOf, timeOf } from "../../../../viewer/page/js/data/items.js";
import { readOverview } from "../../../../viewer/page/js/data/overview.js";
import { frequencyIn, frequencyText, idleName } from "../../../../viewer/page/js/data/power.js";
import { powerFacts } from "../../../../viewer/page/js/draw/power.js";
import { frequencies, head, idle, pagesOf } from "./made_up.mjs";

const HEAD = {
	...head({ threads: [{ comm: "A" }], cpus: 2, starts: [0, 60] }),
	power: { idle: [1, 0], most_khz: [2000000, 3000000] },
};
const BLOCKS = [idle(0, [[10, 30, 1]]), frequencies(0, [[70, 100, 1000000]])];
const REST = [...idle(0, [[40, 80, IDLE_STATE_UNKNOWN, IDLE_OPEN_BEGIN]]), ...frequencies(0, [[5, 70, 2000000]])];
const pages = await pagesOf(HEAD, BLOCKS, REST);
const store = await pages.firstStore();

test("rows of windows and of the rest, in order", () => {
	assert.deepEqual([...store.cpus[0].idle.start], [10, 40]);
	assert.deepEqual([...store.cpus[0].idle.end], [30, 80]);
	assert.deepEqual([...store.cpus[0].idle.state], [1, IDLE_STATE_UNKNOWN]);
	assert.deepEqual([...store.cpus[0].frequencies.khz], [2000000, 1000000]);
	assert.equal(store.cpus[1].idle.rows, 0);
});

test("which CPUs have them, and the highest frequency", () => {
	assert.deepEqual(store.cpus.map(({ hasIdle }) => hasIdle), [true, false]);
	assert.deepEqual(store.cpus.map(({ mostKhz }) => mostKhz), [2000000, 3000000]);
	assert.equal(pages.mostKhz, 3000000);
});

test("the mean of what is known", () => {
	assert.deepEqual(frequencyIn(store.cpus[0].frequencies, 0, 100),
		{ known: 95, mean: (65 * 2000000 + 30 * 1000000) / 95, least: 1000000, most: 2000000 });
	assert.deepEqual(frequencyIn(store.cpus[0].frequencies, 60, 80),
		{ known: 20, mean: 1500000, least: 1000000, most: 2000000 });
	assert.equal(frequencyIn(store.cpus[0].frequencies, 0, 5).known, 0);
	assert.equal(frequencyIn(store.cpus[1].frequencies, 0, 100).known, 0);
});

test("in words", () => {
	assert.equal(frequencyText(1500000, 1000000, 2000000), "1.50 GHz (1.00 GHz to 2.00 GHz)");
	assert.equal(frequencyText(2000000, 2000000, 2000000), "2.00 GHz");
	assert.equal(idleName(3), "idle state 3");
	assert.equal(idleName(IDLE_STATE_UNKNOWN), "idle, state not known");
	assert.equal(idleName(IDLE_STATE_OFFLINE), "offline");
});

test("items", () => {
	for (const item of [{ kind: "idle", cpu: 0, row: 1 }, { kind: "frequency", cpu: 0, row: 0 }]) {
		assert.deepEqual(itemFromText(store, itemToText(store, item)), item);
		assert.equal(laneOf(store, item), "cpu 0");
		assert.equal(threadOf(store, item), -1);
	}
	assert.deepEqual(timeOf(store, { kind: "idle", cpu: 0, row: 1 }), [40, 80]);
	assert.deepEqual(timeOf(store, { kind: "frequency", cpu: 0, row: 1 }), [70, 100]);
});

test("the overview, of CPUs that have one", () => {
	const overview = readOverview([
		{ kind: 34, owner: 0, table: { rows: 2, run: Uint32Array.of(1, 3), state: Uint8Array.of(0, 2), share: Uint8Array.of(0, 255) } },
		{ kind: 35, owner: 1, table: { rows: 1, run: Uint32Array.of(4), least: Uint32Array.of(1000000), most: Uint32Array.of(3000000),
			mean: Uint32Array.of(2000000) } },
	], { ...HEAD, overview: { buckets: 4, bucket_ns: 25 } });
	assert.deepEqual([...overview.power[0].idle.from], [0, 1, 4]);
	assert.equal(overview.power[0].frequencies, null);
	assert.equal(overview.power[1].idle, null);
	assert.deepEqual([...overview.power[1].frequencies.mean], [2000000]);
	assert.deepEqual(powerFacts(overview, 0, 0), []);
	assert.deepEqual(powerFacts(overview, 0, 2), [["idle", "100 %, mostly idle state 2"]]);
	assert.deepEqual(powerFacts(overview, 1, 3), [["frequency", "2.00 GHz (1.00 GHz to 3.00 GHz)"]]);
});
