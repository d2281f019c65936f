// SPDX-License-Identifier: GPL-2.0
/*
 * What was measured: how much of each event each CPU and each thread caused, over any time.
 *
 * A sampled event stands for `period` of itself at one instant; a counted one has an amount for
 * each slice, taken as spread evenly over it: a part of one may be off by as much as the slice has.
 */
import { keep, loadedRows } from "./lazy.js";
import { gallop, lowerBound } from "./row_search.js";
import { doubtOf, estimateOfTurns, estimateText, turnsText } from "./turn_figures.js";
import { counted, formatCount } from "./units.js";

/** @typedef {import("./blocks.js").HeadEvent} HeadEvent */
/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./turn_figures.js").Doubtful} Doubtful */
/** @typedef {import("./turn_figures.js").Estimate} Estimate */
/** @typedef {import("./turn_figures.js").TurnTimes} TurnTimes */

export const SAMPLE_HAS_ADDR = 0x01;	/* in samples.has */
export const SAMPLE_HAS_WEIGHT = 0x02;
export const SAMPLE_USER = 0x10;
export const SAMPLE_HIDDEN = 0x20;

const MOST_STRIPS = 4;		/* events that get a strip of their own */
/** @typedef {import("./tables.js").Samples} Samples */
/** @typedef {import("./tables.js").SliceCounts} SliceCounts */
/** @typedef {"cpus" | "threads"} Owners */
/**
 * What was caused of an event: the error is 0 if that is exact, of samples their number is told. Of one that took turns, turns has
 * the time in which the amount was counted, and told what annot tells of all.
 * @typedef {{
 *	event: PmuEvent, amount: number, samples: number, error: number, turns?: TurnTimes, told?: Estimate,
 * }} Amount
 */
/** @typedef {{amounts: Float64Array, turns: (TurnTimes | null)[]}} Caused of all measured events, added up */

const COUNTS_INSTRUCTIONS = /instr/i;

/** @param {number[]} rows @param {(row: number) => number} amountOf */
function sumsOf(rows, amountOf) {
	const sums = new Float64Array(rows.length + 1);
	for (let i = 0; i < rows.length; i++)
		sums[i + 1] = sums[i] + amountOf(rows[i]);
	return sums;
}

/** Amounts in time order: row i was caused in [start[i], end[i]]; sum[i]: of the rows before it. */
export class Series {
	/**
	 * @param {number[]} rows
	 * @param {Float64Array} start
	 * @param {Float64Array} end
	 * @param {(row: number) => number} amountOf
	 */
	constructor(rows, start, end, amountOf) {
		this.rows = rows.length;
		this.row = rows;
		this.start = Float64Array.from(rows, (row) => start[row]);
		this.end = start === end ? this.start : Float64Array.from(rows, (row) => end[row]);
		this.at = 0;	/* the row at which before() was last */
		this.sum = sumsOf(rows, amountOf);
	}

	/**
	 * The same rows, with other amounts.
	 * @param {(row: number) => number} amountOf
	 * @returns {Series}
	 */
	alike(amountOf) {
		return Object.assign(Object.create(this), { at: 0, sum: sumsOf(this.row, amountOf) });
	}

	/**
	 * What was caused before @ns; @from: a row at or before the one that is asked for.
	 * @param {number} ns
	 * @param {number} from
	 * @returns {number}
	 */
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

	/** @param {number} from @param {number} to @returns {number} */
	amount(from, to) {
		return this.before(to) - this.before(from);
	}

	/**
	 * How far amount() may be off: what rows that the range cuts have may be all inside, or outside. Of a
	 * part [from, to) of @range, only the edges that the range has, too; a row that has both, for one.
	 * @param {number} from
	 * @param {number} to
	 * @param {number[]} range
	 */
	shared(from, to, range = [from, to]) {
		const { rows, start, end, sum } = this;
		/** @type {Set<number>} */
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

	/**
	 * How many rows begin in [from, to).
	 * @param {number} from
	 * @param {number} to
	 * @returns {number}
	 */
	count(from, to) {
		return lowerBound(this.start, to) - lowerBound(this.start, from);
	}
}

/** Of an event that took turns: amounts are those of rows in which it was counted to their end, else 0. */
export class TurnSeries extends Series {
	/**
	 * @param {number[]} rows
	 * @param {Float64Array} start
	 * @param {Float64Array} end
	 * @param {(row: number) => number} amountOf
	 * @param {(row: number) => boolean} isWhole
	 */
	constructor(rows, start, end, amountOf, isWhole) {
		super(rows, start, end, (row) => isWhole(row) ? amountOf(row) : 0);
		/** @param {number} row */
		const lengthOf = (row) => end[row] - start[row];
		this.ns = this.alike(lengthOf);
		this.countedNs = this.alike((row) => isWhole(row) ? lengthOf(row) : 0);
	}

	/** @param {number} from @param {number} to @returns {TurnTimes} */
	times(from, to) {
		return { countedNs: this.countedNs.amount(from, to), ns: this.ns.amount(from, to) };
	}
}

/** What a store holds of one event: a Series of each CPU and of each thread. */
export class EventRows {
	/** @param {Store} store @param {PmuEvent} event */
	constructor(store, event) {
		this.store = store;
		this.event = event;
	}

	/** @returns {Series[]} */
	get cpus() {
		const { store } = this;
		return keep(this, "cpus", this.seriesBy(({ cpu }, row) => cpu[row], store.cpus.length));
	}

	/** @returns {Series[]} */
	get threads() {
		const { store } = this;
		return keep(this, "threads", this.seriesBy(({ thread }, row) => thread[row] - 1,
			store.threads.length));
	}

	/** @param {(table: Samples | SliceCounts, row: number) => number} ownerOf @param {number} nrOwners */
	seriesBy(ownerOf, nrOwners) {
		const { event, store } = this;
		const { samples, sliceCounts } = store;
		const table = event.counted ? sliceCounts : samples;
		/** @type {number[][]} */
		const groups = Array.from({ length: nrOwners }, () => []);
		for (let row = 0; row < table.rows; row++) {
			const owner = ownerOf(table, row);
			if (owner >= 0 && owner < nrOwners && (event.counted || samples.event[row] === event.index))
				groups[owner].push(row);
		}
		const counts = event.counted ? sliceCounts.counts[event.counter] || [] : samples.period;
		const end = event.counted ? sliceCounts.end : samples.start;
		/** @param {number} row */
		const amountOf = (row) => counts[row] || 0;
		return groups.map((rows) => event.shared ?
			new TurnSeries(rows, table.start, end, amountOf, (row) => !(sliceCounts.invalid[row] & 1 << event.counter)) :
			new Series(rows, table.start, end, amountOf));
	}
}

/** An event: what the head tells of it, and its rows in the store that is shown. */
export class PmuEvent {
	/** @param {HeadEvent} event @param {number} index */
	constructor(event, index) {
		this.name = event.name;
		this.counted = event.counted;
		this.clock = event.clock;	/* its period is time on a CPU, in ns */
		this.ratio = event.ratio;	/* how many events a sample stands for is not known */
		this.shared = event.shared;	/* it took turns with others: the counts are a part */
		this.user = event.user;
		this.kernel = event.kernel;
		this.asked = event.asked;
		this.precise = event.precise;
		this.period = event.period;
		this.error = event.error;
		this.lost = event.lost;
		this.counter = event.counter;
		this.index = index;
		/** @type {EventRows | null} */
		this.loaded = null;
		this.total = 0;		/* in the whole trace */
	}

	get cpus() {
		return loadedRows(this).cpus;
	}

	get threads() {
		return loadedRows(this).threads;
	}
}

/** The events of a store: those that happened at all, and what of them is shown. */
export class Pmu {
	/** @param {Store} store */
	constructor(store) {
		this.events = store.events;
		this.measured = this.events.filter((event) => event.total > 0);
		/* Those of issue slots have a strip that divides these. */
		this.shown = this.measured.filter((event) => !store.pages.slotPlan?.uses(event)).slice(0, MOST_STRIPS);
		this.instructions = this.measured.filter((event) =>
			event.counted && COUNTS_INSTRUCTIONS.test(event.name));
	}

	/**
	 * The events that a thread's lane has strips for.
	 * @param {number} thread
	 */
	inThread(thread) {
		return this.shown.filter((event) => event.threads[thread].rows > 0);
	}

	/**
	 * Of one owner ("cpus" or "threads", index): [{event, amount, error (0: exact), samples}].
	 * [from, to) may be a part of @range, of which the parts are then added up.
	 * @param {Owners} owners
	 * @param {number} index
	 * @param {number} from
	 * @param {number} to
	 * @param {number[]} range
	 */
	amounts(owners, index, from, to, range = [from, to]) {
		return this.measured.map((event) => {
			const series = event[owners][index];
			const samples = event.counted ? 0 : series.count(from, to);
			const amount = series.amount(from, to);
			const error = event.counted ? series.shared(from, to, range) : samplesError(amount, samples);
			return series instanceof TurnSeries ?
				{ event, amount, samples, error, turns: series.times(from, to) } : { event, amount, samples, error };
		});
	}

	/** @returns {Caused} nothing yet */
	nothingCaused() {
		return {
			amounts: new Float64Array(this.measured.length),
			turns: this.measured.map(({ shared }) => shared ? { countedNs: 0, ns: 0 } : null),
		};
	}

	/**
	 * Adds what one owner has of each event in [from, to).
	 * @param {Caused} sums
	 * @param {Owners} owners
	 * @param {number} index
	 * @param {number} from
	 * @param {number} to
	 */
	addCaused({ amounts, turns }, owners, index, from, to) {
		this.measured.forEach((event, e) => {
			const series = event[owners][index];
			const own = turns[e];
			amounts[e] += series.amount(from, to);
			if (own && series instanceof TurnSeries)
				addTimes(own, series.times(from, to));
		});
	}

	/**
	 * Adds what all CPUs have of an event in [from, to) to {event, amount, samples, error}.
	 * @param {Amount} sums
	 * @param {number} from
	 * @param {number} to
	 * @param {number[]} range
	 */
	addAmounts(sums, from, to, range) {
		for (const series of this.events[sums.event.index].cpus) {
			if (series instanceof TurnSeries)
				addTimes(sums.turns = sums.turns || { countedNs: 0, ns: 0 }, series.times(from, to));
			sums.amount += series.amount(from, to);
			sums.samples += sums.event.counted ? 0 : series.count(from, to);
			sums.error += sums.event.counted ? series.shared(from, to, range) : 0;
		}
		if (!sums.event.counted)
			sums.error = samplesError(sums.amount, sums.samples);
	}
}

/** @param {TurnTimes} sums @param {TurnTimes} own */
function addTimes(sums, own) {
	sums.countedNs += own.countedNs;
	sums.ns += own.ns;
}

/**
 * The truth is within it in 95 of 100 cases: as samples_error() of the command, of one period.
 * @param {number} amount @param {number} samples
 */
function samplesError(amount, samples) {
	const n = samples + 1;
	const most = n * (1 - 1 / (9 * n) + 1.959964 / (3 * Math.sqrt(n))) ** 3;
	return samples ? amount / samples * (most - samples) : 0;
}

/**
 * What two of an event have together.
 * @param {Amount} a
 * @param {Amount} b
 * @returns {Amount}
 */
export function addAmount(a, b) {
	const [amount, samples] = [a.amount + b.amount, a.samples + b.samples];
	const error = a.event.counted ? a.error + b.error : samplesError(amount, samples);
	if (!a.turns || !b.turns)
		return { event: a.event, amount, samples, error };
	return { event: a.event, amount, samples, error,
		turns: { countedNs: a.turns.countedNs + b.turns.countedNs, ns: a.turns.ns + b.turns.ns } };
}

/**
 * What is known of it.
 * @param {Amount} own
 * @returns {Estimate}
 */
export function estimateOf({ amount, error, turns, told }) {
	return told || (turns ? estimateOfTurns(amount, error, turns) : { amount, error, share: 1 });
}

const REASONS = new Map([
	[1, "not permitted"], [2, "this machine has no such event, or no PMU"], [13, "not permitted"],
	[16, "no counter free"], [19, "no PMU"], [22, "not valid here"], [28, "no counter free"],
	[95, "the PMU cannot do this"],
]);

/** @param {PmuEvent} event @returns {string} */
export function refusal(event) {
	return REASONS.get(event.error) || `errno ${event.error}`;
}

/**
 * 3.2 /µs: of @amount in @ns.
 * @param {number} amount
 * @param {number} ns
 * @returns {string}
 */
export function formatDensity(amount, ns) {
	const perMicrosecond = ns > 0 ? amount / ns * 1e3 : 0;
	return `${formatFigure(perMicrosecond)}/µs`;
}

/**
 * Three significant digits, or a whole number.
 * @param {number} value
 * @returns {string}
 */
export function formatFigure(value) {
	if (value >= 100 || value === 0)
		return formatCount(Math.round(value));
	return value < 0.001 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}

/**
 * ≈ 12,000 ± 8,963 (12 samples), or of a counted event 1,234, if it is exact.
 * @param {Amount} own
 * @returns {string}
 */
export function formatAmount(own) {
	const { event, amount, samples, error } = own;
	if (own.turns)
		return estimateText(estimateOf(own));
	if (event.counted && !error)
		return formatCount(Math.round(amount));
	if (!event.counted && !samples)
		return "no sample";
	if (event.ratio)
		return counted(samples, "sample");
	const about = `≈ ${formatCount(Math.round(amount))} ± ${formatCount(Math.round(error))}`;
	return event.counted ? about : `${about} (${counted(samples, "sample")})`;
}

/**
 * 8.07 ± 0.3, 8.07 if it is exact, 8.07 ± ? if the error has no end (null).
 * @param {number} value
 * @param {number | null} error
 * @returns {string}
 */
export function formatRatio(value, error) {
	if (error === 0)
		return formatFigure(value);
	return `${formatFigure(value)} ± ${error === null ? "?" : formatFigure(error)}`;
}

/**
 * How far the ratio of the amounts may be off, when they are on opposite sides; null: it has no end.
 * @param {{amount: number, error: number | null}} own @param {{amount: number, error: number | null}} of
 */
function ratioError(own, of) {
	if (own.error === null || of.error === null || of.error >= of.amount)
		return null;
	const ratio = own.amount / of.amount;
	return Math.max((own.amount + own.error) / (of.amount - of.error) - ratio,
		ratio - Math.max(own.amount - own.error, 0) / (of.amount + of.error));
}

/**
 * As facts of an item: what its CPU or thread caused in [from, to), in @ns on a CPU.
 * @param {Store} store
 * @param {Owners} owners
 * @param {number} index
 * @param {number} from
 * @param {number} to
 * @param {number} ns
 * @returns {[string, string | Doubtful][]}
 */
export function pmuFacts(store, owners, index, from, to, ns) {
	return amountFacts(store, store.pmu.amounts(owners, index, from, to), ns);
}

/**
 * Of those amounts that are known: their sum.
 * @param {Amount[]} amounts
 */
function sumOf(amounts) {
	const estimates = amounts.map(estimateOf);
	return {
		amount: estimates.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
		error: estimates.reduce((/** @type {number | null} */ sum, { error }) =>
			sum === null || error === null ? null : sum + error, 0),
	};
}

/**
 * Of amounts of all measured events.
 * @param {Store} store
 * @param {Amount[]} amounts
 * @param {number} ns
 * @returns {[string, string | Doubtful][]}
 */
export function amountFacts({ pmu }, amounts, ns) {
	/** @param {Amount} own */
	const isInstructions = ({ event }) => pmu.instructions.some(({ index }) => index === event.index);
	const instructions = sumOf(amounts.filter(isInstructions));
	return amounts.map((own) => {
		const { amount, error, share } = estimateOf(own);
		const parts = [formatAmount(own)];
		if (amount && ns && !own.event.ratio)
			parts.push(formatDensity(amount, ns));
		if (amount && instructions.amount && !isInstructions(own) && !own.event.ratio) {
			const off = ratioError({ amount, error }, instructions);
			parts.push(`${formatRatio(amount / instructions.amount * 1e3,
				off === null ? null : off * 1e3)} per 1,000 instructions`);
		}
		if (own.turns && share < 1)
			parts.push(turnsText(estimateOf(own)));
		const text = parts.join(", ");
		return [own.event.name, own.turns ? { text, doubt: doubtOf(estimateOf(own)) } : text];
	});
}

/** @param {bigint} address @returns {string} */
export const formatAddress = (address) => `0x${address.toString(16)}`;
