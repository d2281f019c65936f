// SPDX-License-Identifier: GPL-2.0
/* Which threads of two traces are the same: data/matching.js. */
import assert from "node:assert/strict";
import test from "node:test";

import { matchThreads } from "../../../../viewer/page/js/data/matching.js";

/* Each as [tid, tgid, name]. */
const threads = (...all) => all.map(([tid, tgid, comm], index) => ({ index, tid, tgid, comm }));
const match = (a, b) => [...matchThreads(a, b)];

test("by name, whatever the numbers and the order", () => {
	const a = threads([10, 10, "prog"], [11, 10, "red"], [12, 10, "blue"], [13, 10, "extra"]);
	const b = threads([92, 90, "red"], [91, 90, "blue"], [90, 90, "prog"]);
	assert.deepEqual(match(a, b), [2, 0, 1, -1]);
	assert.deepEqual(match(b, a), [1, 2, 0]);
});

test("those of one name, by which of them it is", () => {
	const a = threads([10, 10, "prog"], [13, 10, "worker"], [12, 10, "worker"]);
	const b = threads([20, 20, "prog"], [21, 20, "worker"], [25, 20, "worker"], [26, 20, "worker"]);
	assert.deepEqual(match(a, b), [0, 2, 1]);
	assert.deepEqual(match(b, a), [0, 2, 1, -1]);
});

test("processes first: a thread that one of them lacks is not another one's", () => {
	const a = threads([10, 10, "rank"], [11, 10, "worker"], [20, 20, "rank"], [21, 20, "worker"]);
	const b = threads([10, 10, "rank"], [20, 20, "rank"], [21, 20, "worker"]);
	assert.deepEqual(match(a, b), [0, -1, 1, 2]);
});

test("the same name in another process is another thread", () => {
	const a = threads([10, 10, "one"], [11, 10, "worker"]);
	const b = threads([10, 10, "two"], [11, 10, "worker"]);
	assert.deepEqual(match(a, b), [-1, -1]);
});

test("a process whose leader is not there has the name of its first thread", () => {
	assert.deepEqual(match(threads([11, 10, "worker"]), threads([31, 30, "worker"])), [0]);
	assert.deepEqual(match(threads([7, 0, "kworker"]), threads([8, 0, "kworker"])), [0]);
});
