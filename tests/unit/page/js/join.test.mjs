// SPDX-License-Identifier: GPL-2.0
/* Tables of windows as one, with the rows that cross their cuts. */
import assert from "node:assert/strict";
import test from "node:test";
import { joinStates, joinTables, rowsWithin } from "../../../../viewer/page/js/data/join.js";

const table = (start, more = {}) => ({ rows: start.length, start: Float64Array.from(start), ...more });
const none = table([]);

test("nothing and nothing", () => {
	assert.equal(joinTables([], none), none);
	assert.equal(joinTables([none, none], none).rows, 0);
});

test("what is joined with nothing is not copied", () => {
	const own = table([1, 2]);
	assert.equal(joinTables([none, own], none), own);
	assert.equal(joinTables([none], own), own);
});

test("windows follow each other, and the rest stands among them by time", () => {
	const joined = joinTables([table([1, 5]), table([20, 21])], table([5, 10, 30]));
	assert.equal(joined.rows, 7);
	assert.deepEqual([...joined.start], [1, 5, 5, 10, 20, 21, 30]);
});

test("at one time, rows of windows come first", () => {
	const mark = (start, cpu) => table(start, { cpu: Int16Array.from(cpu) });
	const joined = joinTables([mark([1, 5, 9], [0, 1, 2])], mark([5], [-1]));
	assert.deepEqual([...joined.cpu], [0, 1, -1, 2]);
	assert.ok(joined.cpu instanceof Int16Array);
});

test("but a span stands before those inside of it", () => {
	const span = (start, depth) => table(start, { depth: Uint8Array.from(depth) });
	const joined = joinTables([span([4, 5, 5], [1, 1, 2])], span([5], [0]));
	assert.deepEqual([...joined.depth], [1, 0, 1, 2]);
});

test("in the order of ends, if so asked", () => {
	const count = (start, end) => table(start, { end: Float64Array.from(end), counts: [Float64Array.from(end)] });
	const joined = joinTables([count([1, 4], [3, 9])], count([0], [5]), "end");
	assert.deepEqual([...joined.end], [3, 5, 9]);
});

test("addresses of 64 bits stay exact", () => {
	const sample = (start, ip) => table(start, { ip: BigUint64Array.from(ip) });
	const high = 2n ** 64n - 1n;
	const joined = joinTables([sample([1], [high]), sample([3], [1n])], sample([2], [2n ** 53n + 1n]));
	assert.deepEqual([...joined.ip], [high, 2n ** 53n + 1n, 1n]);
});

test("texts of values move with their rows", () => {
	const value = (start, texts) => table(start, {
		value: Object.assign(new Float64Array(start.length), { exact: new Map(texts) }),
	});
	const joined = joinTables([value([1, 2], [[1, "big"]]), value([8, 9], [[0, "first"]])], value([5], [[0, "loose"]]));
	assert.deepEqual([...joined.value.exact], [[1, "big"], [2, "loose"], [3, "first"]]);
});

test("counts are as many as the widest has", () => {
	const count = (start, counts) => table(start, { counts: counts.map((column) => Float64Array.from(column)) });
	const joined = joinTables([count([1], [[10]]), count([2], [[20], [200]])], count([], []));
	assert.deepEqual(joined.counts.map((column) => [...column]), [[10, 20], [0, 200]]);
});

test("a column that only some have is 0 elsewhere", () => {
	const joined = joinTables([table([1, 2]), table([3], { after: Float64Array.of(7) })], none);
	assert.deepEqual([...joined.after], [0, 0, 7]);
});

test("the rows of a time: all that have a part in it", () => {
	const own = table([0, 10, 20, 30], {
		end: Float64Array.of(5, 20, 25, 40), depth: Uint8Array.of(1, 2, 3, 4),
		value: Object.assign(new Float64Array(4), { exact: new Map([[2, "big"]]) }),
		counts: [Float64Array.of(1, 2, 3, 4)],
	});
	const within = rowsWithin(own, 20, 26);
	assert.equal(within.rows, 2);
	assert.deepEqual([...within.depth], [2, 3]);
	assert.deepEqual([...within.counts[0]], [2, 3]);
	assert.deepEqual([...within.value.exact], [[1, "big"]]);
	assert.equal(rowsWithin(own, 0, 100), own);
	assert.equal(rowsWithin(own, 41, 50).rows, 0);
});

test("the last state ends where what is loaded does, or where the rest says", () => {
	const states = (start, end) => table(start, {
		state: new Uint8Array(start.length), cpu: new Int16Array(start.length),
		...end && { end: Float64Array.from(end) },
	});
	assert.equal(joinStates([states([1, 5])], states([], []), 50).end, 50);
	assert.equal(joinStates([states([1, 5])], states([9], [70]), 50).end, 70);
	assert.equal(joinStates([states([1, 15])], states([9], [12]), 50).end, 50);
});
