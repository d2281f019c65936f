// SPDX-License-Identifier: GPL-2.0
/* Times, counts and addresses as people read them, at the edges between units. */
import assert from "node:assert/strict";
import test from "node:test";
import { formatAddress, formatAmount, formatFigure, formatRatio } from "../../../../viewer/page/js/data/pmu.js";
import { axisTicks, counted, formatCount, formatDuration, formatPercent, formatTime } from "../../../../viewer/page/js/data/units.js";
import { formatBytes, formatShort, shortTime } from "../../../../viewer/page/js/ui/plot.js";

const all = (format, cases) => {
	for (const [value, text] of cases)
		assert.equal(format(value), text, `of ${value}`);
};

test("durations", () => all(formatDuration, [
	[0, "0 ns"], [1, "1 ns"], [999, "999 ns"], [1000, "1.000 µs"], [999999, "1.000 ms"], [999.6, "1.000 µs"], [9999.9, "10.00 µs"], [999994, "1.000 ms"], [999900, "999.9 µs"], [1e6, "1.000 ms"],
	[12345678, "12.35 ms"], [123456789, "123.5 ms"], [1e9, "1.000 s"], [119.9e9, "119.9 s"], [120e9, "2 min 00.0 s"],
	[3723e9, "1 h 02 min 03 s"], [0.4, "0 ns"], [239.96e9, "4 min 00.0 s"], [3599.96e9, "1 h 00 min 00 s"], [-1500, "−1.500 µs"], [-120e9, "−2 min 00.0 s"],
]));

test("points in time have all their digits", () => all(formatTime, [
	[0, "0.000\u2009000\u2009000 s"], [1, "0.000\u2009000\u2009001 s"], [1234567890123, "1,234.567\u2009890\u2009123 s"],
]));

test("counts", () => all(formatCount, [
	[0, "0"], [999, "999"], [1000, "1,000"], [-1234567, "-1,234,567"], [2 ** 53 - 1, "9,007,199,254,740,991"],
	[2 ** 53, "9007199254740992"], [0.5, "0.5"],
]));

test("one event, two events", () => {
	assert.equal(counted(1, "event"), "1 event");
	assert.equal(counted(0, "event"), "0 events");
	assert.equal(counted(1e6, "event"), "1,000,000 events");
});

test("shares", () => all(formatPercent, [
	[0, "0 %"], [0.0009, "<0.1 %"], [0.001, "0.1 %"], [0.0994, "9.9 %"], [0.0999, "10 %"], [0.1, "10 %"], [1, "100 %"],
]));

test("addresses are whole, of 64 bits", () => all(formatAddress, [
	[0n, "0x0"], [2n ** 53n + 1n, "0x20000000000001"], [0xffffffff81000001n, "0xffffffff81000001"],
	[2n ** 64n - 1n, "0xffffffffffffffff"],
]));

test("bytes and short figures", () => {
	all(formatBytes, [[0, "0 B"], [1023, "1023 B"], [1024, "1 KiB"], [1536, "1.50 KiB"], [2 ** 20, "1 MiB"]]);
	all(formatShort, [[0, "0"], [999, "999"], [1000, "1 k"], [1234, "1.23 k"], [34e6, "34 M"]]);
	all(shortTime, [[10000, "10 µs"], [1234567, "1.23 ms"]]);
});

test("figures with their error", () => {
	all(formatFigure, [[0, "0"], [0.00012, "1.2e-4"], [1.2345, "1.23"], [99.96, "100"], [1234.5, "1,235"]]);
	assert.equal(formatRatio(8.07, 0), "8.07");
	assert.equal(formatRatio(8.07, 0.3), "8.07 ± 0.3");
	assert.equal(formatRatio(8.07, null), "8.07 ± ?");
	assert.equal(formatAmount({ event: { counted: true }, amount: 1234, samples: 0, error: 0 }), "1,234");
	assert.equal(formatAmount({ event: { counted: false }, amount: 0, samples: 0, error: 0 }), "no sample");
	assert.equal(formatAmount({ event: { counted: false }, amount: 12000, samples: 12, error: 8963 }),
		"≈ 12,000 ± 8,963 (12 samples)");
});

test("ticks of an axis stand at round distances", () => {
	const { step, base, ticks } = axisTicks(0, 1000, 5);
	assert.deepEqual([step, base], [200, 0]);
	assert.deepEqual(ticks.map(({ ns }) => ns), [0, 200, 400, 600, 800, 1000]);
	assert.equal(ticks[1].label, "0.2 µs");
});

test("far from 0, ticks count from a base", () => {
	const { base, ticks } = axisTicks(5e9, 5e9 + 1000, 5);
	assert.equal(base, 5e9);
	assert.equal(ticks[1].label, "+0.2 µs");
});
