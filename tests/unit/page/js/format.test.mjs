// SPDX-License-Identifier: GPL-2.0
/* Blocks -> tables, whose bytes are written out by hand or by made_up.mjs. */
import assert from "node:assert/strict";
import test from "node:test";
import { EMPTY_TABLES, readTables, TABLE_KINDS } from "../../../../viewer/page/js/data/format.js";
import { marks, samples, slices, spans, table, varints } from "./made_up.mjs";

function read(bytes) {
	const blocks = [];
	readTables(Uint8Array.from(bytes), TABLE_KINDS, (block) => blocks.push(block));
	return blocks;
}

test("a table of slices, byte by byte", () => {
	/* three of CPU 3: 5-305 and 320-321 of thread 1, priority 122 and then 121; 315-316 of thread 200, priority 2 */
	const bytes = [1, 3, 3, /* idle */ 10, 20, 8, /* low */ 44, 1, 1, /* high */ 1, 0, 0, /* thread */ 1, 0xc8, 1, 1,
		/* state */ 4, 2, 4, /* priority, from that of its thread before */ 122, 2, 255];
	const [{ name, owner, table: own }, ...more] = read(bytes);
	assert.deepEqual([name, owner, own.rows, more.length], ["slices", 3, 3, 0]);
	assert.deepEqual([...own.start], [5, 315, 320]);
	assert.deepEqual([...own.end], [305, 316, 321]);
	assert.deepEqual([...own.thread], [1, 200, 1]);
	assert.deepEqual([...own.endState], [4, 2, 4]);
	assert.deepEqual([...own.priority], [122, 2, 121]);
});

test("tables stand behind each other, empty ones among them", () => {
	const blocks = read([...slices(0, [[1, 2, 0, 4]]), ...spans(7, []), ...slices(1, [[3, 9, 1, 4]])]);
	assert.deepEqual(blocks.map(({ name, owner, table: { rows } }) => [name, owner, rows]),
		[["slices", 0, 1], ["spans", 7, 0], ["slices", 1, 1]]);
});

test("addresses of 64 bits are exact", () => {
	const addresses = [0n, 0x7fn, 0x80n, 2n ** 53n + 1n, 0xffffffff81000001n, 2n ** 64n - 1n];
	const [{ table: own }] = read(samples(addresses.map((ip, i) => [i, 1, -1, 0, 1, 1000, ip, addresses[5 - i], 0])));
	assert.deepEqual([...own.ip], addresses);
	assert.deepEqual([...own.addr], addresses.reverse());
	assert.deepEqual([...own.cpu], [-1, -1, -1, -1, -1, -1]);
});

test("values: negative, beyond 32 bits, and beyond what a double holds", () => {
	const values = [0n, -1n, 2n ** 30n, -(2n ** 31n), 2n ** 31n, -(2n ** 32n) - 1n, 2n ** 52n - 1n, -(2n ** 52n),
		2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)];
	const [{ table: own }] = read(marks(0, values.map((value, i) => [i, 0, 2, value])));
	values.forEach((value, row) =>
		assert.equal(own.value.exact.get(row) ?? String(own.value[row]), String(value)));
	assert.equal(own.value.exact.has(7), false, "what a double holds is no text");
	assert.equal(own.value.exact.has(8), true);
});

test("times go back as well as on", () => {
	const [{ table: own }] = read(marks(0, [[5000, 0, 0], [200, 1, 0], [2 ** 40, 0, 0]]));
	assert.deepEqual([...own.start], [5000, 200, 2 ** 40]);
});

test("counts are as many columns as the table says", () => {
	const [{ table: own }] = read(table(11, 2, 1, [20], varints([30]), [1], [2], [0], varints([2 ** 40]), varints([7])));
	assert.deepEqual(own.counts.map((column) => [...column]), [[2 ** 40], [7]]);
	assert.deepEqual([own.start[0], own.end[0], own.cpu[0]], [10, 40, 1]);
});

test("an unknown kind of table is refused", () => {
	assert.throws(() => read([99, 0, 0]), /kind of table/);
});

test("an empty table has the columns of its kind", () => {
	assert.equal(EMPTY_TABLES.spans.rows, 0);
	assert.equal(EMPTY_TABLES.spans.value.exact.size, 0);
	assert.equal(EMPTY_TABLES.samples.ip.length, 0);
});
