// SPDX-License-Identifier: GPL-2.0
/*
 * How the issue slots of slices divide, from their counts, by the formulas of top-down that the head has.
 *
 * It is as viewer/analysis/topdown/metric_estimate.h has it: a slice counts for a figure if all of its events were counted in all of
 * it, and the share of the time in which they were is told. Where that is not all of it, the error is that of a jackknife over blocks
 * of neighbouring slices (Efron, Stein: The Jackknife Estimate of Variance, 1981), in place of the bootstrap, which is too slow for
 * each column of pixels.
 */
import { lowerBound } from "./row_search.js";

/** @typedef {import("./blocks.js").HeadSlots} HeadSlots */
/** @typedef {import("./tables.js").SliceCounts} SliceCounts */
/** @typedef {import("./store.js").Store} Store */

/** Parts of all slots, in the order in which they are stacked: the back end stands for memory and core, if these are not known. */
export const SLOT_NAMES = [
	["retiring", "retiring"], ["bad_speculation", "bad speculation"], ["frontend_bound", "front-end bound"],
	["memory_bound", "memory bound"], ["core_bound", "core bound"], ["backend_bound", "back-end bound"],
	["smt_contention", "SMT contention"],
];
const [RETIRING, BAD, FRONT, MEMORY, CORE, BACKEND, SMT] = SLOT_NAMES.keys();

/* As TOPDOWN_RELIABLE, TOPDOWN_MOST_ERROR, MOST_SUM_ERROR, METRIC_ALL_MEASURED, METRIC_LEAST_BLOCKS and NEARLY_ALL. */
const RELIABLE = 0.9;
const MOST_ERROR = 0.1;
const MOST_SUM_ERROR = 0.1;
const ALL_MEASURED = 0.9999;
const LEAST_BLOCKS = 10;
const NEARLY_ALL = 0.99;

const MOST_BLOCKS = 16;
const STUDENT = 2.262;	/* 95 %, of LEAST_BLOCKS: of more it is less */
const MOST_KEPT = 16384;

/**
 * What is known: shares by the place in SLOT_NAMES, NaN: unknown; measured and error: the least and the greatest of those that are
 * known, error NaN: too few slices; doubt: why they are not to be relied on, "": they are.
 * @typedef {{shares: Float64Array, measured: number, error: number, doubt: string}} Slots
 */
/** @typedef {(values: ArrayLike<number>, from: number) => number} Formula of the inputs, the first of which is at a place */
/** @typedef {{place: number, formula: Formula, group: number}} Figure of the events in a group of counters */

/** @type {Record<string, (a: number, b: number) => number>} */
const OPERATIONS = {
	"+": (a, b) => a + b,
	"-": (a, b) => a - b,
	"*": (a, b) => a * b,
	"/": (a, b) => b === 0 ? NaN : a / b,
	min: Math.min,
	max: Math.max,
	d_ratio: (a, b) => b === 0 || Number.isNaN(a / b) ? 0 : a / b,
};

/**
 * The value of what is on top of a stack of formulas, of which steps in postfix notation are put one after the other.
 * @param {HeadSlots["figures"][string]} steps @returns {Formula}
 */
function formulaOf(steps) {
	/** @type {Formula[]} */
	const stack = [];
	for (const step of steps) {
		if (typeof step === "number") {
			stack.push(() => step);
		} else if (typeof step === "object") {
			const [input] = step;
			stack.push((values, from) => values[from + input]);
		} else {
			const operation = OPERATIONS[step];
			const [a, b] = stack.splice(-2);
			if (!operation)
				throw new Error(`the page's formulas have an operation that its script does not know: ${step}`);
			stack.push((values, from) => operation(a(values, from), b(values, from)));
		}
	}
	return stack[0];
}

/** Which figures there are, and what they are computed from. */
export class SlotPlan {
	/** @param {HeadSlots} head @param {{counted: boolean, shared: boolean, counter: number}[]} events */
	constructor({ inputs, figures, turns, whole_core: wholeCore }, events) {
		this.inputs = inputs;	/* of each the columns of counts that are added up */
		this.turns = turns;
		this.wholeCore = wholeCore;
		this.shared = events.filter(({ counted, shared }) => counted && shared)	/* counters, as bits, of events that took turns */
			.reduce((mask, { counter }) => mask | 1 << counter, 0);
		/** @type {number[]} counters, as bits, that are needed together; the first: all of them */
		this.groups = [inputs.flat().reduce((mask, counter) => mask | 1 << counter, 0)];
		/** @type {Figure[]} */
		this.figures = SLOT_NAMES.flatMap(([key], place) => figures[key] ?
			[{ place, formula: formulaOf(figures[key]), group: this.groupOf(figures[key]) }] : []);
	}

	/** @param {HeadSlots["figures"][string]} steps */
	groupOf(steps) {
		const mask = steps.flatMap((step) => typeof step === "object" ? this.inputs[step[0]] : [])
			.reduce((sum, counter) => sum | 1 << counter, 0);
		const known = this.groups.indexOf(mask);
		return known < 0 ? this.groups.push(mask) - 1 : known;
	}

	/**
	 * Whether an event is one of those that figures are computed from.
	 * @param {{counted: boolean, counter: number}} event
	 */
	uses({ counted, counter }) {
		return counted && Boolean(this.groups[0] & 1 << counter);
	}
}

/**
 * Sums of slices: of each group those in which its counters counted all the time. They are used again and again, as thousands are
 * made in a frame.
 */
class SlotSums {
	/** @param {SlotPlan} plan */
	constructor(plan) {
		this.plan = plan;
		this.nrInputs = plan.inputs.length;
		this.ns = 0;
		this.countedNs = new Float64Array(plan.groups.length);
		this.values = new Float64Array(plan.groups.length * this.nrInputs);	/* of each group, those of all inputs */
		this.rest = new Float64Array(this.nrInputs);	/* of one group, without a part */
	}

	clear() {
		this.ns = 0;
		this.countedNs.fill(0);
		this.values.fill(0);
		return this;
	}

	/** @param {SliceCounts} table @param {number} row */
	add({ start, end, invalid, counts }, row) {
		const { groups, inputs } = this.plan;
		const ns = end[row] - start[row];
		/* Most have all: these are in the first group only, until settle(). */
		const isWhole = !(invalid[row] & groups[0]);
		this.ns += ns;
		for (let group = 0; group < (isWhole ? 1 : groups.length); group++) {
			if (invalid[row] & groups[group])
				continue;
			const from = group * this.nrInputs;
			this.countedNs[group] += ns;
			for (let input = 0; input < this.nrInputs; input++)
				for (const counter of inputs[input])
					this.values[from + input] += counts[counter]?.[row] || 0;
		}
	}

	/* Once all are added. */
	settle() {
		for (let group = 1; group < this.countedNs.length; group++) {
			this.countedNs[group] += this.countedNs[0];
			for (let input = 0; input < this.nrInputs; input++)
				this.values[group * this.nrInputs + input] += this.values[input];
		}
		return this;
	}

	/** @param {Figure} figure */
	value({ formula, group }) {
		return formula(this.values, group * this.nrInputs);
	}

	/**
	 * The same without a part of it.
	 * @param {Figure} figure @param {SlotSums} part
	 */
	valueWithout({ formula, group }, part) {
		const { rest } = this;
		const from = group * this.nrInputs;
		for (let input = 0; input < this.nrInputs; input++)
			rest[input] = this.values[from + input] - part.values[from + input];
		return formula(rest, 0);
	}
}

/**
 * Half of the interval of a figure of @all; NaN: too few blocks have it.
 * @param {Figure} figure @param {SlotSums} all @param {SlotSums[]} blocks
 */
function errorOf(figure, all, blocks) {
	const value = all.value(figure);
	let nr = 0;
	let sum = 0;
	let squares = 0;
	for (const part of blocks) {
		if (!part.countedNs[figure.group])
			continue;
		const change = all.valueWithout(figure, part) - value;
		nr++;
		sum += change;
		squares += change * change;
	}
	if (nr < LEAST_BLOCKS)
		return NaN;
	const variance = Math.max(squares - sum * sum / nr, 0) * (nr - 1) / nr;
	return STUDENT * Math.sqrt(variance * (1 - all.countedNs[figure.group] / all.ns));
}

/** @param {SlotPlan} plan @param {Slots} slots as far as they are known @returns {string} as topdown_doubt_text() */
function doubtOf({ turns, wholeCore }, { shares, measured, error }) {
	const sum = shares[RETIRING] + shares[BAD] + shares[FRONT] + shares[BACKEND] + (shares[SMT] || 0);
	if (shares.every(Number.isNaN))
		return "not measured";
	if (shares[RETIRING] <= 0)
		return "nothing retired: the events do not count here";
	if (Math.abs(sum - 1) > MOST_SUM_ERROR)
		return "the shares do not add up to 100";
	if (!turns && measured < RELIABLE)
		return "measured for less than 90 % of the time";
	if (Number.isNaN(error))
		return "too few slices for an interval";
	if (turns && error > MOST_ERROR)
		return "too little of it measured: off by more than 10 points";
	return wholeCore ? "counted as if no other thread shared the core" : "";
}

/**
 * @param {SlotSums} all settled @param {() => SlotSums[]} blocksOf of which @all is made; not called if all was measured
 * @returns {Slots}
 */
function slotsOf(all, blocksOf) {
	const { plan } = all;
	/** @type {Slots} */
	const slots = { shares: new Float64Array(SLOT_NAMES.length).fill(NaN), measured: 1, error: 0, doubt: "" };
	/** @type {SlotSums[] | null} */
	let blocks = null;
	for (const figure of plan.figures) {
		const { place, group } = figure;
		const measured = all.countedNs[group] / all.ns;
		const share = measured > 0 ? all.value(figure) : NaN;
		if (Number.isNaN(share))
			continue;
		slots.shares[place] = share;
		slots.measured = Math.min(slots.measured, measured);
		if (measured < ALL_MEASURED)
			slots.error = Math.max(slots.error, errorOf(figure, all, blocks = blocks || blocksOf()));
	}
	slots.doubt = doubtOf(plan, slots);
	return slots;
}

/**
 * The parts of a bar, in the order of their stack: those that are known, none of them less than 0, no more together than 1.
 * @param {Slots} slots
 */
export function slotParts({ shares }) {
	const isDivided = !Number.isNaN(shares[MEMORY]) && !Number.isNaN(shares[CORE]);
	const parts = SLOT_NAMES.flatMap(([key, name], place) => {
		const isOther = place === BACKEND ? isDivided : !isDivided && (place === MEMORY || place === CORE);
		return isOther || Number.isNaN(shares[place]) ? [] : [{ key, name, share: Math.max(shares[place], 0) }];
	});
	const all = Math.max(parts.reduce((sum, { share }) => sum + share, 0), 1);
	return parts.map((part) => ({ ...part, share: part.share / all }));
}

/** The slices of a thread that have counts, in the order of time. */
export class SlotRows {
	/** @param {SlotPlan} plan @param {SliceCounts} table @param {number[]} row of the table */
	constructor(plan, table, row) {
		this.plan = plan;
		this.table = table;
		this.row = row;
		this.rows = row.length;
		this.start = Float64Array.from(row, (own) => table.start[own]);
		this.ends = Float64Array.from(row, (own) => table.end[own]);
		this.all = new SlotSums(plan);
		/** @type {SlotSums[]} */
		this.parts = [];
		/** @type {Map<number, Slots & {past: number}>} by the first row: what is drawn is asked for again */
		this.kept = new Map();
	}

	/** @param {number} row */
	end(row) {
		return this.ends[row];
	}

	/** @param {SlotSums} sums @param {number} first @param {number} past */
	addUp(sums, first, past) {
		sums.clear();
		for (let i = first; i < past; i++)
			sums.add(this.table, this.row[i]);
		return sums.settle();
	}

	/** @param {number} first @param {number} past */
	blocks(first, past) {
		const nr = Math.min(past - first, MOST_BLOCKS);
		const edge = (/** @type {number} */ block) => first + Math.floor(block * (past - first) / nr);
		while (this.parts.length < nr)
			this.parts.push(new SlotSums(this.plan));
		return this.parts.slice(0, nr).map((sums, block) => this.addUp(sums, edge(block), edge(block + 1)));
	}

	/**
	 * Of rows [first, past), which are one or more.
	 * @param {number} first @param {number} past @returns {Slots}
	 */
	of(first, past) {
		const known = this.kept.get(first);
		if (known?.past === past)
			return known;
		const slots = slotsOf(this.addUp(this.all, first, past), () => this.blocks(first, past));
		if (this.kept.size >= MOST_KEPT)
			this.kept.clear();
		this.kept.set(first, { ...slots, past });
		return slots;
	}

	/**
	 * Of what lies in [from, to): slices of which 99 % do or more; what lies in others is not measured. null: there is none.
	 * @param {number} from @param {number} to @returns {(Slots & {slices: number}) | null}
	 */
	within(from, to) {
		let first = lowerBound(this.ends, from);
		let past = lowerBound(this.start, to);
		let partialNs = 0;
		/** @param {number} row */
		const isIn = (row) => {
			const inside = Math.max(Math.min(this.ends[row], to) - Math.max(this.start[row], from), 0);
			if (inside >= NEARLY_ALL * (this.ends[row] - this.start[row]))
				return true;
			partialNs += inside;
			return false;
		};
		if (first < past && !isIn(first))
			first++;
		if (first < past && !isIn(past - 1))
			past--;
		if (first >= past)
			return null;
		const sums = this.addUp(this.all, first, past);
		sums.ns += partialNs;
		return { ...slotsOf(sums, () => this.blocks(first, past)), slices: past - first };
	}
}

/**
 * Of each thread of a store.
 * @param {SlotPlan} plan @param {Store} store
 */
export function slotRowsOf(plan, { sliceCounts, threads }) {
	/** @type {number[][]} */
	const rows = threads.map(() => []);
	for (let row = 0; row < sliceCounts.rows; row++) {
		const thread = sliceCounts.thread[row] - 1;
		if (thread >= 0 && thread < rows.length && sliceCounts.end[row] > sliceCounts.start[row])
			rows[thread].push(row);
	}
	return rows.map((own) => new SlotRows(plan, sliceCounts, own));
}

/**
 * Of amounts of the overview, which does not tell how much of the time was measured, nor what was counted together of events that
 * took turns.
 * @param {SlotPlan} plan @param {ArrayLike<number>} values of the inputs @returns {Slots}
 */
export function roughSlots(plan, values) {
	const shares = new Float64Array(SLOT_NAMES.length).fill(NaN);
	for (const { place, formula, group } of plan.figures)
		if (!(plan.groups[group] & plan.shared))
			shares[place] = formula(values, 0);
	const slots = { shares, measured: 1, error: 0, doubt: "" };
	const isUnknown = plan.shared && shares.every(Number.isNaN);
	return { ...slots, doubt: isUnknown ? "unknown from afar, as events took turns" : doubtOf(plan, slots) };
}
