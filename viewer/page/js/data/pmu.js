// SPDX-License-Identifier: GPL-2.0
/*
 * What was measured: how much of each event each CPU and each thread caused, over any time.
 *
 * A sampled event stands for `period` of itself at one instant; a counted one has an amount for
 * each slice, taken as spread evenly over it: a part of one may be off by as much as the slice has.
 */
import { keep } from "./lazy.js";
import { gallop, lowerBound } from "./row_search.js";
import { counted, formatCount } from "./units.js";

export const SAMPLE_HAS_ADDR = 0x01;	/* in samples.has */
export const SAMPLE_HAS_WEIGHT = 0x02;
export const SAMPLE_USER = 0x10;
export const SAMPLE_HIDDEN = 0x20;

const MOST_STRIPS = 4;		/* events that get a strip of their own */
const COUNTS_INSTRUCTIONS = /instr/i;

/* Amounts in time order: row i was caused in [start[i], end[i]]; sum[i]: of the rows before it. */
export class Series {
	constructor(rows, start, end, amountOf) {
		this.rows = rows.length;
		this.row = rows;
		this.start = Float64Array.from(rows, (row) => start[row]);
		this.end = start === end ? this.start : Float64Array.from(rows, (row) => end[row]);
		this.sum = new Float64Array(rows.length + 1);
		for (let i = 0; i < rows.length; i++)
			this.sum[i + 1] = this.sum[i] + amountOf(rows[i]);
	}

	/* What was caused before @ns; @from: a row at or before the one that is asked for. */
	before(ns, from = 0) {
		const i = gallop(this.start, from, this.rows, ns);
		this.at = Math.max(i - 1, 0);
		if (!i)
			return 0;
		const over = this.end[i - 1] - ns;
		if (over <= 0)
			return this.sum[i];
		const own = this.sum[i] - this.sum[i - 1];
		return this.sum[i] - own * over / (this.end[i - 1] - this.start[i - 1]);
	}

	amount(from, to) {
		return this.before(to) - this.before(from);
	}

	/*
	 * How far amount() may be off: what rows that the range cuts have may be all inside, or outside. Of a
	 * part [from, to) of @range, only the edges that the range has, too; a row that has both, for one.
	 */
	shared(from, to, range = [from, to]) {
		const { rows, start, end, sum } = this;
		const cut = new Set();
		for (const edge of [from, to].filter((ns, i) => ns === range[i])) {
			const i = gallop(start, 0, rows, edge) - 1;
			const isElsewhere = edge === range[1] && from > range[0] && start[i] < range[0];
			if (i >= 0 && end[i] > edge && !isElsewhere)
				cut.add(i);
		}
		return [...cut].reduce((error, i) => {
			const inside = Math.min(range[1], end[i]) - Math.max(range[0], start[i]);
			const share = inside / (end[i] - start[i]);
			return error + (sum[i + 1] - sum[i]) * (share < 1 ? Math.max(share, 1 - share) : 0);
		}, 0);
	}

	/* How many rows begin in [from, to). */
	count(from, to) {
		return lowerBound(this.start, to) - lowerBound(this.start, from);
	}
}

/* What a store holds of one event: a Series of each CPU and of each thread. */
export class EventRows {
	constructor(store, event) {
		this.store = store;
		this.event = event;
	}

	get cpus() {
		const { store } = this;
		return keep(this, "cpus", this.seriesBy((table, row) => table.cpu[row], store.cpus.length));
	}

	get threads() {
		const { store } = this;
		return keep(this, "threads", this.seriesBy((table, row) => table.thread[row] - 1,
			store.threads.length));
	}

	seriesBy(ownerOf, nrOwners) {
		const { event, store } = this;
		const table = event.counted ? store.sliceCounts : store.samples;
		const groups = Array.from({ length: nrOwners }, () => []);
		for (let row = 0; row < table.rows; row++) {
			const owner = ownerOf(table, row);
			if (owner >= 0 && owner < nrOwners && (event.counted || table.event[row] === event.index))
				groups[owner].push(row);
		}
		const counts = event.counted ? table.counts[event.counter] || [] : table.period;
		const end = event.counted ? table.end : table.start;
		return groups.map((rows) => new Series(rows, table.start, end, (row) => counts[row] || 0));
	}
}

/* An event: what the head tells of it, and its rows in the store that is shown. */
export class PmuEvent {
	constructor(event, index) {
		Object.assign(this, event);
		this.index = index;
		this.loaded = null;
		this.total = 0;		/* in the whole trace */
	}

	get cpus() {
		return this.loaded.cpus;
	}

	get threads() {
		return this.loaded.threads;
	}
}

export class Pmu {
	constructor(store) {
		this.events = store.events;
		this.measured = this.events.filter((event) => event.total > 0);
		this.shown = this.measured.slice(0, MOST_STRIPS);
		this.instructions = this.measured.filter((event) =>
			event.counted && COUNTS_INSTRUCTIONS.test(event.name));
	}

	/* The events that a thread's lane has strips for. */
	inThread(thread) {
		return this.shown.filter((event) => event.threads[thread].rows > 0);
	}

	/*
	 * Of one owner ("cpus" or "threads", index): [{event, amount, error (0: exact), samples}].
	 * [from, to) may be a part of @range, of which the parts are then added up.
	 */
	amounts(owners, index, from, to, range = [from, to]) {
		return this.measured.map((event) => {
			const series = event[owners][index];
			const samples = event.counted ? 0 : series.count(from, to);
			const amount = series.amount(from, to);
			const error = event.counted ? series.shared(from, to, range) : samplesError(amount, samples);
			return { event, amount, samples, error };
		});
	}

	/* Adds what all CPUs have of an event in [from, to) to {event, amount, samples, error}. */
	addAmounts(sums, from, to, range) {
		for (const series of this.events[sums.event.index].cpus) {
			sums.amount += series.amount(from, to);
			sums.samples += sums.event.counted ? 0 : series.count(from, to);
			sums.error += sums.event.counted ? series.shared(from, to, range) : 0;
		}
		if (!sums.event.counted)
			sums.error = samplesError(sums.amount, sums.samples);
	}
}

/* The truth is within it in 95 of 100 cases: as samples_error() of the command, of one period. */
function samplesError(amount, samples) {
	const n = samples + 1;
	const most = n * (1 - 1 / (9 * n) + 1.959964 / (3 * Math.sqrt(n))) ** 3;
	return samples ? amount / samples * (most - samples) : 0;
}

/* What two of an event have together. */
export function addAmount(a, b) {
	const [amount, samples] = [a.amount + b.amount, a.samples + b.samples];
	return { event: a.event, amount, samples,
		error: a.event.counted ? a.error + b.error : samplesError(amount, samples) };
}

const REASONS = new Map([
	[1, "not permitted"], [2, "this machine has no such event, or no PMU"], [13, "not permitted"],
	[16, "no counter free"], [19, "no PMU"], [22, "not valid here"], [28, "no counter free"],
	[95, "the PMU cannot do this"],
]);

export function refusal(event) {
	return REASONS.get(event.error) || `errno ${event.error}`;
}

/* 3.2 /µs: of @amount in @ns. */
export function formatDensity(amount, ns) {
	const perMicrosecond = ns > 0 ? amount / ns * 1e3 : 0;
	return `${formatFigure(perMicrosecond)}/µs`;
}

/* Three significant digits, or a whole number. */
export function formatFigure(value) {
	if (value >= 100 || value === 0)
		return formatCount(Math.round(value));
	return value < 0.001 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}

/* ≈ 12,000 ± 8,963 (12 samples), or of a counted event 1,234, if it is exact. */
export function formatAmount({ event, amount, samples, error }) {
	if (event.counted && !error)
		return formatCount(Math.round(amount));
	if (!event.counted && !samples)
		return "no sample";
	const about = `≈ ${formatCount(Math.round(amount))} ± ${formatCount(Math.round(error))}`;
	return event.counted ? about : `${about} (${counted(samples, "sample")})`;
}

/* 8.07 ± 0.3, 8.07 if it is exact, 8.07 ± ? if the error has no end (null). */
export function formatRatio(value, error) {
	if (error === 0)
		return formatFigure(value);
	return `${formatFigure(value)} ± ${error === null ? "?" : formatFigure(error)}`;
}

/* How far the ratio of the amounts may be off, when they are on opposite sides; null: it has no end. */
function ratioError(own, of) {
	if (of.error >= of.amount)
		return null;
	const ratio = own.amount / of.amount;
	return Math.max((own.amount + own.error) / (of.amount - of.error) - ratio,
		ratio - Math.max(own.amount - own.error, 0) / (of.amount + of.error));
}

/* As facts of an item: what its CPU or thread caused in [from, to), in @ns on a CPU. */
export function pmuFacts(store, owners, index, from, to, ns) {
	return amountFacts(store, store.pmu.amounts(owners, index, from, to), ns);
}

/* Of amounts of all measured events. */
export function amountFacts({ pmu }, amounts, ns) {
	const instructions = amounts.filter(({ event }) =>
		pmu.instructions.some(({ index }) => index === event.index)).reduce((sum, own) =>
		({ amount: sum.amount + own.amount, error: sum.error + own.error }), { amount: 0, error: 0 });
	return amounts.map((own) => {
		const parts = [formatAmount(own)];
		const isInstructions = pmu.instructions.some(({ index }) => index === own.event.index);
		if (own.amount && ns)
			parts.push(formatDensity(own.amount, ns));
		if (own.amount && instructions.amount && !isInstructions) {
			const error = ratioError(own, instructions);
			parts.push(`${formatRatio(own.amount / instructions.amount * 1e3,
				error === null ? null : error * 1e3)} per 1,000 instructions`);
		}
		return [own.event.name, parts.join(", ")];
	});
}

export const formatAddress = (address) => `0x${address.toString(16)}`;
