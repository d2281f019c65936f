// SPDX-License-Identifier: GPL-2.0
/* Two pages that are scrolled together. */
import assert from "node:assert/strict";
import test from "node:test";
import { scrollTopOf } from "../../../../viewer/page/js/pair/scrolling.js";

/* Lanes that stand below each other, by their ids and heights. */
function lanesOf(heights) {
	let top = 0;
	const lanes = Object.entries(heights).map(([id, height]) => ({ id, top: (top += height) - height, height }));
	return { lanes, find: (id) => lanes.find((lane) => lane.id === id) };
}

const A = lanesOf({ cpus: 20, "cpu 0": 30, "group 7": 20, "thread 0": 50, "thread 1": 50, "counter 1 3": 40, "thread 2": 50 });
const B = lanesOf({ cpus: 20, "cpu 0": 30, "cpu 1": 30, "group 9": 20, "thread 1": 50, "counter 1 5": 40, "thread 0": 50 });
const MATCHES = Int32Array.from([-1, 1, 0]);
const GROUPS = new Map([["cpus", "cpus"], ["group 7", "group 9"]]);
const there = (scrollTop) => scrollTopOf(A, scrollTop, B, MATCHES, GROUPS);

test("lanes of the same stand at the same height", () => {
	assert.deepEqual([0, 25, 50, 60].map(there), [0, 25, 80, 90]);
	assert.deepEqual([120, 220].map(there), [100, 200]);
	assert.equal(there(210), 190);
});

test("what one page only has goes by what is above it", () => {
	assert.equal(there(100), 80 + 100 - 50);
	assert.equal(there(185), 100 + 185 - 120);
});

test("nothing in common", () => {
	assert.equal(scrollTopOf(lanesOf({ "thread 0": 50 }), 30, B, MATCHES, new Map()), 30);
});
