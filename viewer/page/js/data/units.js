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

export function unitFor(ns) {
	return TIME_UNITS.find((unit) => Math.abs(ns) >= unit.ns) || TIME_UNITS[3];
}

/* Four significant digits: 1.234 ms, 12.34 ms, 123.4 ms; whole nanoseconds. */
export function formatDuration(ns) {
	if (ns === 0)
		return "0 ns";
	const unit = unitFor(ns);
	const value = ns / unit.ns;
	if (unit.ns === 1)
		return `${Math.round(value)} ns`;
	if (unit.ns === 1e9 && Math.abs(value) >= 120)
		return formatLong(ns);
	const magnitude = Math.floor(Math.log10(Math.abs(value)));
	return `${value.toFixed(Math.max(0, 3 - magnitude))} ${unit.name}`;
}

/* From two minutes on: 2 min 03.5 s, 1 h 02 min 03 s. */
function formatLong(ns) {
	const sign = ns < 0 ? "−" : "";
	const seconds = Math.abs(ns) / 1e9;
	const hours = Math.floor(seconds / 3600);
	const minutes = Math.floor((seconds % 3600) / 60);
	const rest = seconds % 60;
	if (hours)
		return `${sign}${hours} h ${String(minutes).padStart(2, "0")} min ` +
			`${String(Math.floor(rest)).padStart(2, "0")} s`;
	return `${sign}${minutes} min ${rest.toFixed(1).padStart(4, "0")} s`;
}

export function formatCount(number) {
	return Number.isSafeInteger(number) ?
		String(number).replace(/\B(?=(\d{3})+$)/g, ",") :
		String(number);
}

/* 1 event, 2 events. */
export function counted(number, noun) {
	return `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/* A point in time with all its digits: 1.234 567 890 s. */
export function formatTime(ns) {
	const [whole, fraction] = (ns / 1e9).toFixed(9).split(".");
	return `${formatCount(Number(whole))}.${fraction.replace(/(\d{3})(?=\d)/g, "$1\u2009")} s`;
}

export function formatPercent(share) {
	const percent = share * 100;
	if (percent > 0 && percent < 0.1)
		return "<0.1 %";
	return `${percent.toFixed(percent < 10 && percent > 0 ? 1 : 0)} %`;
}

/* The smallest of 1, 2, 5 x 10^n that is at least @ns: a distance between ticks. */
function niceStep(ns) {
	const power = 10 ** Math.floor(Math.log10(Math.max(ns, 1)));
	for (const factor of [1, 2, 5])
		if (factor * power >= ns)
			return factor * power;
	return 10 * power;
}

/*
 * The ticks of an axis over [start, end] that has room for @most labels: {step, base, ticks: [{ns,
 * label}]}. Far from 0 and zoomed in, labels count from base (else 0), which the axis shows once.
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
