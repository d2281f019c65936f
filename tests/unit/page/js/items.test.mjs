// SPDX-License-Identifier: GPL-2.0
/* Items -> texts -> items: in a page that is whole by row, else by time. */
import assert from "node:assert/strict";
import test from "node:test";
import { itemFromText, itemToText, laneOf, sameItem, stateItem, threadOf, timeOf, timeOfText } from "../../../../viewer/page/js/data/items.js";
import { head, looseStates, marks, pagesOf, slices, spans, storeOf } from "./made_up.mjs";
import { Store } from "../../../../viewer/page/js/data/store.js";

const THREADS = [{ tid: 7, comm: "A", depth: 2, spans: 3, marks: 2 }];
const BLOCK = [...slices(0, [[10, 30, 0, 4]]), ...spans(0, [[12, 28, 1, 0, 0], [12, 20, 1, 0, 1], [12, 20, 1, 0, 1]]),
	...marks(0, [[15, 1, 1], [15, 1, 0]])];
const whole = await storeOf(head({ threads: THREADS, strings: ["work"] }), [BLOCK]);

/* The same trace, cut at 40: the second window has nothing. */
async function windowed() {
	const pages = await pagesOf(head({ threads: THREADS, strings: ["work"], starts: [0, 40] }), [BLOCK, []]);
	pages.isWhole = false;
	return new Store(pages, 0, await pages.loadAll(0, 1)).show();
}

const ITEMS = [
	{ kind: "slice", cpu: 0, row: 0 }, { kind: "span", thread: 0, row: 0 }, { kind: "span", thread: 0, row: 1 },
	{ kind: "span", thread: 0, row: 2 }, { kind: "mark", thread: 0, row: 1 }, { kind: "state", thread: 0, row: 1 },
	{ kind: "thread", thread: 0 },
];

test("by row, in a page that is whole", () => {
	const texts = ITEMS.map((item) => itemToText(whole, item));
	assert.deepEqual(texts, ["slice.0.0", "span.0.0", "span.0.1", "span.0.2", "mark.0.1", "state.0.1", "thread.0"]);
	texts.forEach((text, i) => assert.deepEqual(itemFromText(whole, text), ITEMS[i]));
});

test("by time else, with what tells it from those that are alike", async () => {
	const store = await windowed();
	const texts = ITEMS.map((item) => itemToText(store, item));
	assert.deepEqual(texts, ["slice.0@10", "span.0@12.0", "span.0@12.1", "span.0@12.1+1", "mark.0@15+1", "state.0@30", "thread.0"]);
	texts.forEach((text, i) => assert.deepEqual(itemFromText(store, text), ITEMS[i]));
	assert.equal(timeOfText("span.0@12.1+1"), 12);
	assert.equal(timeOfText("span.0.1"), null);
});

test("what is no item", async () => {
	const store = await windowed();
	for (const text of ["", "span", "span.0", "span.9.0", "span.0.3", "nothing.0.0", "constructor.0", "thread.1", "span.0.-1", "thread.0@5", "span.0@13"])
		assert.equal(itemFromText(whole, text), null, text);
	for (const text of ["span.0.0", "span.0@13.0", "span.0@12.1+2", "slice.9@10"])
		assert.equal(itemFromText(store, text), null, text);
});

test("their times, threads and lanes", () => {
	assert.deepEqual(ITEMS.map((item) => timeOf(whole, item)),
		[[10, 30], [12, 28], [12, 20], [12, 20], [15, 15], [30, 100], [10, 100]]);
	assert.deepEqual(ITEMS.map((item) => threadOf(whole, item)), [0, 0, 0, 0, 0, 0, 0]);
	assert.equal(laneOf(whole, ITEMS[0]), "cpu 0");
	assert.equal(laneOf(whole, { kind: "mark", thread: 0, row: 0 }), "counter 0 1");
	assert.equal(laneOf(whole, ITEMS[4]), "thread 0");
});

test("a running state is the slice, others are themselves", () => {
	assert.deepEqual(stateItem(whole, 0, 0), { kind: "slice", cpu: 0, row: 0 });
	assert.deepEqual(stateItem(whole, 0, 1), { kind: "state", thread: 0, row: 1 });
});

test("the same item", () => {
	assert.equal(sameItem(ITEMS[1], { ...ITEMS[1] }), true);
	assert.equal(sameItem(ITEMS[1], ITEMS[2]), false);
	assert.equal(sameItem(null, null), true);
	assert.equal(sameItem(null, ITEMS[0]), false);
});

test("of the rest, states that cross a cut", async () => {
	const pages = await pagesOf(head({ threads: THREADS, starts: [0, 40] }), [[], []], looseStates(0, [[20, 60, 4, 0]]));
	pages.isWhole = false;
	const store = new Store(pages, 1, await pages.loadAll(1, 2)).show();
	assert.deepEqual([...store.threads[0].states.start], [20]);
	assert.equal(store.stateEnd(0, 0), 60);
});
