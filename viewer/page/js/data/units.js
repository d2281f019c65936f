// SPDX-License-Identifier: GPL-2.0
/*
 * Times and counts as people read them.
 */
const TIME_UNITS = [
	{ name: "s", ns: 1e9 },
	{ name: "ms", ns: 1e6 },
	{ name: "µs", ns: 1e3 },
	{ name: "ns", ns: 1 },
];
const LONG_NS = 120e9;

/** @param {number} ns @returns {{ name: string; ns: number; }} */
export function unitFor(ns) {
	return TIME_UNITS.find((unit) => Math.abs(ns) >= unit.ns) || TIME_UNITS[3];
}

/**
 * Four significant digits: 1.234 ms, 12.34 ms, 123.4 ms; whole nanoseconds.
 * @param {number} ns
 * @returns {string}
 */
export function formatDuration(ns) {
	if (ns < 0)
		return `−${formatDuration(-ns)}`;
	if (ns === 0)
		return "0 ns";
	if (ns >= LONG_NS)
		return formatLong(ns);
	/* 999.99 µs are 1.000 ms, 9.9999 µs are 10.00 µs. */
	const rounded = unitFor(ns).ns === 1 ? Math.round(ns) : Number(ns.toPrecision(4));
	const unit = unitFor(rounded);
	const value = rounded / unit.ns;
	if (unit.ns === 1)
		return `${value} ns`;
	return `${value.toFixed(Math.max(0, 3 - Math.floor(Math.log10(value))))} ${unit.name}`;
}

/**
 * From two minutes on: 2 min 03.5 s, 1 h 02 min 03 s.
 * @param {number} ns
 */
function formatLong(ns) {
	const tenths = Math.round(ns / 1e8);
	const hours = Math.floor(tenths / 36000);
	const minutes = Math.floor(tenths % 36000 / 600);
	const rest = tenths % 600 / 10;
	if (hours)
		return `${hours} h ${String(minutes).padStart(2, "0")} min ` +
			`${String(Math.floor(rest)).padStart(2, "0")} s`;
	return `${minutes} min ${rest.toFixed(1).padStart(4, "0")} s`;
}

/** @param {number} number @returns {string} */
export function formatCount(number) {
	return Number.isSafeInteger(number) ?
		String(number).replace(/\B(?=(\d{3})+$)/g, ",") :
		String(number);
}

/**
 * 1 event, 2 events.
 * @param {number} number
 * @param {string} noun
 * @returns {string}
 */
export function counted(number, noun) {
	return `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/**
 * A point in time with all its digits: 1.234 567 890 s.
 * @param {number} ns
 * @returns {string}
 */
export function formatTime(ns) {
	const [whole, fraction] = (ns / 1e9).toFixed(9).split(".");
	return `${formatCount(Number(whole))}.${fraction.replace(/(\d{3})(?=\d)/g, "$1\u2009")} s`;
}

/** @param {number} khz @returns {string} */
export const formatGhz = (khz) => `${(khz / 1e6).toFixed(2)} GHz`;

/** @param {number} share @returns {string} */
export function formatPercent(share) {
	const percent = share * 100;
	if (percent > 0 && percent < 0.1)
		return "<0.1 %";
	return `${percent.toFixed(percent < 9.95 && percent > 0 ? 1 : 0)} %`;
}

/**
 * The smallest of 1, 2, 5 x 10^n that is at least @ns: a distance between ticks.
 * @param {number} ns
 */
function niceStep(ns) {
	const power = 10 ** Math.floor(Math.log10(Math.max(ns, 1)));
	for (const factor of [1, 2, 5])
		if (factor * power >= ns)
			return factor * power;
	return 10 * power;
}

/**
 * The ticks of an axis over [start, end] that has room for @most labels: {step, base, ticks: [{ns,
 * label}]}. Far from 0 and zoomed in, labels count from base (else 0), which the axis shows once.
 * @param {number} start
 * @param {number} end
 * @param {number} most
 * @returns {{ step: number; base: number; ticks: { ns: number; label: string; }[]; }}
 */
export function axisTicks(start, end, most) {
	const step = niceStep((end - start) / Math.max(most, 1));
	const digits = Math.log10(Math.max(end, 1) / step);
	let base = 0;
	if (digits > 4.5) {
		const coarse = 10 ** Math.ceil(Math.log10(end - start));
		base = Math.floor(start / coarse) * coarse;
	}
	const unit = unitFor(Math.max(end - base, step));
	const places = Math.max(0, Math.ceil(-Math.log10(step / unit.ns) - 1e-9));
	const ticks = [];
	for (let ns = Math.ceil(start / step) * step; ns <= end; ns += step) {
		const value = ((ns - base) / unit.ns).toFixed(places);
		ticks.push({ ns, label: `${base ? "+" : ""}${value} ${unit.name}` });
	}
	return { step, base, ticks };
}
