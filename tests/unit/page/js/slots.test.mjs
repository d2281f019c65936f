// SPDX-License-Identifier: GPL-2.0
/*
 * Figures of issue slots, from counts that are made up: when they are in doubt, and which slices lie in a part of time.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { roughSlots, SlotPlan, SlotRows, slotParts } from "../../../../viewer/page/js/data/slots.js";

const share = (input) => [[input], [4], "/"];
const HEAD = {
	inputs: [[0], [1], [2], [3], [4]], turns: false, whole_core: false,
	figures: { retiring: share(0), bad_speculation: share(1), frontend_bound: share(2), backend_bound: share(3) },
};

/** Slices of 100 ns each, one after the other: [retiring, bad, front, back, slots], and which counters did not run. */
function rowsOf(slices, head = HEAD, invalid = slices.map(() => 0)) {
	const table = {
		rows: slices.length, start: Float64Array.from(slices, (_, i) => 100 * i), end: Float64Array.from(slices, (_, i) => 100 * i + 100),
		invalid: Uint32Array.from(invalid), counts: [0, 1, 2, 3, 4].map((i) => Float64Array.from(slices, (own) => own[i])),
	};
	return new SlotRows(new SlotPlan(head, []), table, slices.map((_, i) => i));
}

const GOOD = [60, 10, 10, 20, 100];
const doubtOf = (...of) => rowsOf(...of).of(0, 1).doubt;

test("what is in doubt", () => {
	assert.equal(doubtOf([GOOD]), "");
	assert.equal(doubtOf([GOOD], HEAD, [16]), "not measured");
	assert.equal(doubtOf([[0, 0, 0, 100, 100]]), "nothing retired: the events do not count here");
	assert.equal(doubtOf([[60, 10, 10, 31, 100]]), "the shares do not add up to 100");
	assert.equal(doubtOf([[60, 10, 10, 29, 100]]), "");
	assert.equal(doubtOf([GOOD], { ...HEAD, whole_core: true }), "counted as if no other thread shared the core");
});

test("a division by nothing is unknown", () => {
	assert.equal(doubtOf([[0, 0, 0, 0, 0]]), "not measured");
});

test("what lies in a part of time: 99 % of a slice, or it is not measured", () => {
	const rows = rowsOf([GOOD, [20, 10, 10, 60, 100], GOOD]);
	const close = (got, wanted) => assert.ok(Math.abs(got - wanted) < 1e-9, `${got}, not ${wanted}`);
	for (const [from, to, slices, retiring, measured] of [
		[0, 300, 3, 1.4 / 3, 1], [100, 200, 1, 0.2, 1], [1, 200, 2, 0.4, 1], [2, 200, 1, 0.2, 100 / 198], [100, 250, 1, 0.2, 100 / 150],
	]) {
		const own = rows.within(from, to);
		assert.equal(own.slices, slices);
		close(own.shares[0], retiring);
		close(own.measured, measured);
	}
	assert.equal(rows.within(110, 190), null);
	assert.equal(rows.within(300, 400), null);
});

test("all of memory and core take the place of the back end; more than all is drawn smaller", () => {
	const keys = (shares) => slotParts({ shares: Float64Array.from(shares) }).map((part) => part.key);
	assert.deepEqual(keys([0.5, 0.1, 0.1, 0.2, 0.1, 0.3, NaN]),
		["retiring", "bad_speculation", "frontend_bound", "memory_bound", "core_bound"]);
	assert.deepEqual(keys([0.5, 0.1, 0.1, 0.2, NaN, 0.3, NaN]), ["retiring", "bad_speculation", "frontend_bound", "backend_bound"]);
	const [{ share: half }] = slotParts({ shares: Float64Array.from([1, 0.5, 0.5, NaN, NaN, NaN, NaN]) });
	assert.equal(half, 0.5);
});

test("an operation that the script does not know is told", () => {
	assert.throws(() => new SlotPlan({ ...HEAD, figures: { retiring: [[0], [4], "?"] } }, []), /does not know: \?/);
});

test("of sums of events, figures of those that took turns are unknown", () => {
	const events = [0, 1, 2, 3, 4].map((counter) => ({ counted: true, shared: counter === 2, counter }));
	const { shares, doubt } = roughSlots(new SlotPlan({ ...HEAD, turns: true }, events), GOOD);
	assert.deepEqual([...shares.slice(0, 3), shares[5]], [0.6, 0.1, NaN, 0.2]);
	assert.equal(doubt, "");
	const all = events.map((own) => ({ ...own, shared: true }));
	assert.equal(roughSlots(new SlotPlan({ ...HEAD, turns: true }, all), GOOD).doubt, "unknown from afar, as events took turns");
});
