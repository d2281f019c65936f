// SPDX-License-Identifier: GPL-2.0
/* Bisections, held against a search row by row. */
import assert from "node:assert/strict";
import test from "node:test";
import { firstRowFrom, gallop, lastAtMost, lowerBound } from "../../../../viewer/page/js/data/row_search.js";

const columns = [[], [5], [5, 5, 5], [1, 2, 2, 2, 7, 9], Array.from({ length: 100 }, (_, i) => Math.floor(i / 3))];

function each(use) {
	for (const column of columns)
		for (let value = -1; value <= 40; value++)
			use(Float64Array.from(column), value);
}

test("the first at least a value", () => each((column, value) => {
	const slow = column.findIndex((own) => own >= value);
	assert.equal(lowerBound(column, value), slow < 0 ? column.length : slow);
}));

test("the last at most a value", () => each((column, value) =>
	assert.equal(lastAtMost(column, value), column.filter((own) => own <= value).length - 1)));

test("a gallop finds the same from any row before", () => each((column, value) => {
	const found = lowerBound(column, value);
	for (let from = 0; from <= found; from++)
		assert.equal(gallop(column, from, column.length, value), found);
}));

test("a part of a column only", () => {
	assert.equal(lowerBound([1, 2, 3, 4], 0, 2, 3), 2);
	assert.equal(lowerBound([1, 2, 3, 4], 9, 2, 3), 3);
	assert.equal(lastAtMost([1, 2, 3, 4], 2, 2, 4), -1);
	assert.equal(gallop([1, 2], 2, 2, 0), 2);
});

test("rows of rows, by time", () => {
	const times = [10, 20, 30, 40, 50];
	assert.equal(firstRowFrom([0, 2, 4], times, 30), 1);
	assert.equal(firstRowFrom([0, 2, 4], times, 31), 2);
	assert.equal(firstRowFrom([0, 2, 4], times, 51), 3);
	assert.equal(firstRowFrom([], times, 0), 0);
});
