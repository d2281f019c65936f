// SPDX-License-Identifier: GPL-2.0
/*
 * A made-up trace of two windows, 0-60 and 60-100 ns. Thread A reads from 8:0 at 10-30 and 20-30 ns, at 15-80 and 50-70 over the
 * cut, and at 70-90; from 8:16 at 65-66. What is in flight while one ends and another begins is told once.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { BLOCK_OPEN_END } from "../../../../viewer/page/js/data/codes.js";
import { requestText } from "../../../../viewer/page/js/data/devices.js";
import { itemFromText, itemToText, laneOf, threadOf, timeOf } from "../../../../viewer/page/js/data/items.js";
import { readOverview } from "../../../../viewer/page/js/data/overview.js";
import { Store } from "../../../../viewer/page/js/data/store.js";
import { blockIo, head, pagesOf } from "./made_up.mjs";

const DISK = 1, OTHER = 2;
const HEAD = {
	...head({ threads: [{ comm: "A" }], strings: ["8:0", "8:16", "9:0"], starts: [0, 60] }),
	devices: [[DISK, 3], [OTHER, 1]],
};
const BLOCKS = [
	blockIo([[10, 30, DISK, 4096, 1], [20, 30, DISK, 512, 1, 0, 1]]),
	blockIo([[65, 66, OTHER, 0, 0, 0, 3], [70, 90, DISK, 8192, 1, 0, 0, BLOCK_OPEN_END], [91, 92, 3, 512, 0]]),
];
const REST = blockIo([[50, 70, DISK, 4096, 1], [15, 80, DISK, 4096, 1]]);
const pages = await pagesOf(HEAD, BLOCKS, REST);
const store = await pages.firstStore();
const inFlight = ({ inFlight: { rows, start, value } }) => Array.from({ length: rows }, (_, i) => [start[i], value[i]]);

test("requests of windows and of the rest, by begin", () => {
	assert.deepEqual([...store.blockIo.start], [10, 15, 20, 50, 65, 70, 91]);
	assert.deepEqual([...store.blockIo.end], [30, 80, 30, 70, 66, 90, 92]);
	assert.deepEqual([...store.blockIo.bytes], [4096, 4096, 512, 4096, 0, 8192, 512]);
});

test("in flight", () => {
	assert.deepEqual(inFlight(store.devices[0]),
		[[10, 1], [15, 2], [20, 3], [30, 1], [50, 2], [70, 2], [80, 1], [90, 0]]);
	assert.deepEqual(inFlight(store.devices[1]), [[65, 1], [66, 0]]);
	assert.deepEqual([...store.devices[0].row], [0, 1, 2, 3, 5]);
	assert.equal(store.devices.length, 2, "one that the head does not have has no lane");
});

test("of the second window alone", () => {
	const late = new Store(pages, 1, [pages.pieces.get(1)]);
	assert.deepEqual(inFlight(late.devices[0]), [[15, 1], [50, 2], [70, 2], [80, 1], [90, 0]]);
});

test("in words", () => {
	assert.deepEqual([0, 2, 4].map((row) => requestText(store.blockIo, row)), ["read, 4,096 bytes", "write, 512 bytes", "flush"]);
});

test("items", () => {
	const item = { kind: "request", row: 3 };
	assert.deepEqual(itemFromText(store, itemToText(store, item)), item);
	assert.equal(laneOf(store, item), `device ${DISK}`);
	assert.deepEqual(timeOf(store, item), [50, 70]);
	assert.deepEqual([0, 4].map((row) => threadOf(store, { kind: "request", row })), [0, -1]);
});

test("the overview", () => {
	const overview = readOverview([
		{ kind: 44, owner: DISK, table: { rows: 2, run: Uint32Array.of(1, 3), inFlight: Float64Array.of(1500, 1) } },
	], { ...HEAD, overview: { buckets: 4, bucket_ns: 25 } });
	assert.deepEqual([...overview.devices.get(DISK).from], [0, 1, 4]);
	assert.deepEqual([...overview.devices.get(DISK).mean], [1.5, 0.001]);
	assert.equal(overview.devices.get(OTHER), undefined);
});
