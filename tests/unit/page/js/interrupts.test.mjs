// SPDX-License-Identifier: GPL-2.0
/*
 * A made-up trace of two windows, 0-60 and 60-100 ns, on two CPUs. A (thread 0) runs on CPU 0 at 10-90. A softirq 20-40
 * has a handler 25-30 inside; a vector comes at 50-70, over the cut, with a further one inside it, all on CPU 0. On
 * CPU 1, A is interrupted at 95-97, idle at 98-99.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { INTERRUPT_OPEN_END, INTERRUPT_STEALS, STATE } from "../../../../viewer/page/js/data/codes.js";
import { itemFromText, itemToText, laneOf, threadOf, timeOf } from "../../../../viewer/page/js/data/items.js";
import { readOverview } from "../../../../viewer/page/js/data/overview.js";
import { interruptFacts } from "../../../../viewer/page/js/draw/interrupts.js";
import { head, interrupts, pagesOf, slices } from "./made_up.mjs";

const [SOFTIRQ, HARDIRQ, VECTOR] = [0, 2, 3];
const [TIMER, ETH0, TICK, MORE] = [1, 2, 3, 4];

const HEAD = head({ threads: [{ tid: 7, comm: "A", stolen: 42 }], cpus: 2, strings: ["TIMER", "eth0", "tick", "more"], starts: [0, 60] });
const BLOCKS = [
	interrupts(0, [[20, 40, 1, TIMER, SOFTIRQ, 0, INTERRUPT_STEALS], [25, 30, 1, ETH0, HARDIRQ, 1, 0]]),
	[...interrupts(0, [[60, 65, 1, MORE, VECTOR, 1, INTERRUPT_OPEN_END]]),
		...interrupts(1, [[95, 97, 1, ETH0, HARDIRQ, 0, INTERRUPT_STEALS], [98, 99, 0, ETH0, HARDIRQ, 0, 0, MORE]])],
];
const REST = [...slices(0, [[10, 90, 0, STATE.SLEEPING]]), ...interrupts(0, [[50, 70, 1, TICK, VECTOR, 0, INTERRUPT_STEALS]])];
const store = await (await pagesOf(HEAD, BLOCKS, REST)).firstStore();

test("rows of windows and of the rest stand in order", () => {
	assert.deepEqual([...store.cpus[0].interrupts.start], [20, 25, 50, 60]);
	assert.deepEqual([...store.cpus[0].interrupts.end], [40, 30, 70, 65]);
	assert.deepEqual([...store.cpus[1].interrupts.thread], [1, 0]);
	assert.deepEqual([...store.cpus[1].interrupts.reason], [0, MORE]);
});

test("levels by depth", () => {
	const { interruptLevels } = store.cpus[0];
	assert.deepEqual(interruptLevels.map(({ row }) => [...row]), [[0, 2], [1, 3]]);
	assert.deepEqual(store.cpus[1].interruptLevels.map(({ row }) => [...row]), [[0, 1]]);
});

test("what is around one", () => {
	assert.deepEqual([0, 1, 2, 3].map((row) => store.interruptsAround(0, row)), [[], [0], [], [2]]);
});

test("time taken from a thread counts once", () => {
	assert.equal(store.account(0, 0, 100).stolen, 20 + 20 + 2);
	assert.equal(store.account(0, 26, 29).stolen, 3);
	assert.equal(store.account(0, 30, 55).stolen, 10 + 5);
	assert.equal(store.account(0, 40, 50).stolen, 0);
	assert.equal(store.threads[0].totals.stolen, 42);
});

test("an item, and its text", () => {
	const item = { kind: "interrupt", cpu: 0, row: 3 };
	assert.deepEqual(timeOf(store, item), [60, 65]);
	assert.equal(threadOf(store, item), 0);
	assert.equal(threadOf(store, { kind: "interrupt", cpu: 1, row: 1 }), -1);
	assert.equal(laneOf(store, item), "cpu 0");
	assert.deepEqual(itemFromText(store, itemToText(store, item)), item);
});

test("an item in a page that is not loaded as a whole", async () => {
	const pages = await pagesOf(HEAD, BLOCKS, REST);
	pages.isWhole = false;
	const part = await pages.storeOf(1, 2);
	const text = itemToText(part, { kind: "interrupt", cpu: 0, row: 1 });
	assert.equal(text, "interrupt.0@60.1");
	assert.equal(itemFromText(part, text).row, 1);
	assert.equal(part.account(0, 60, 100).stolen, 10 + 2);
});

test("what the overview tells of a bucket", () => {
	const overview = readOverview([
		{ kind: 36, owner: 1, table: { rows: 2, run: Uint32Array.of(1, 3), kind: Uint8Array.of(0, HARDIRQ), share: Uint8Array.of(0, 51) } },
	], { ...HEAD, overview: { buckets: 4, bucket_ns: 25 } });
	assert.equal(overview.interrupts[0], null);
	assert.deepEqual([...overview.interrupts[1].from], [0, 1, 4]);
	assert.deepEqual(interruptFacts(overview.interrupts[0], 2), []);
	assert.deepEqual(interruptFacts(overview.interrupts[1], 0), []);
	assert.deepEqual(interruptFacts(overview.interrupts[1], 3), [["in interrupts", "20 %, mostly hardirq"]]);
});
