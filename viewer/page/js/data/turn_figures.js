// SPDX-License-Identifier: GPL-2.0
/*
 * Events that took turns, as there were too few counters: what happened in the turns of others is an estimate.
 *
 * How far off that may be, the page has only of the whole trace, from annot (viewer/report/turn_figures_json.h). Of a part of
 * it, the rate is taken for that of the turns in it, and nothing is known of the error.
 */
import { formatCount, formatPercent } from "./units.js";

/** @typedef {import("./pmu.js").PmuEvent} PmuEvent */
/** @typedef {import("./owners.js").Thread} Thread */
/** @typedef {{countedNs: number, ns: number}} TurnTimes the time in which an event was counted, of that on a CPU */
/**
 * What is known of an amount: null, nothing. share: of the time, that in which it was counted.
 * @typedef {{amount: number | null, error: number | null, share: number}} Estimate
 */
/** @typedef {{text: string, doubt: string}} Doubtful a text, and why it is not to be relied on; "": it is */
/** @typedef {[count: number | null, error: number | null, share: number]} TurnFigure */
/**
 * As annot writes them: figures are in the order of events.
 * @typedef {{
 *	events: {index: number, name: string}[], all: TurnFigure[],
 *	tasks: {name: string, kind: string, figures: TurnFigure[]}[],
 *	threads: {thread: number, tid: number, figures: TurnFigure[]}[],
 * }} TurnPart
 */

/*
 * As TOPDOWN_RELIABLE: from 0.9 on it is good. VTune has a MUX reliability, too, of which its manual says that less than 0.7 may be
 * not reliable (VTune Profiler User Guide: MUX Reliability). Ours is 1 less the error as a part of the amount.
 */
const LEAST_RELIABILITY = 0.9;
const MOST_TIMES_OFF = 10;	/* a greater error is told as such */

/**
 * Of what was counted in some of the time; @error is for edges that cut slices.
 * @param {number} counted
 * @param {number} error
 * @param {TurnTimes} times
 * @returns {Estimate}
 */
export function estimateOfTurns(counted, error, { countedNs, ns }) {
	/* Of parts of slices, times are no whole numbers. */
	if (ns - countedNs < 1)
		return { amount: counted, error, share: 1 };
	return { amount: countedNs > 0 ? counted / countedNs * ns : null, error: null, share: countedNs / ns };
}

/** @param {Estimate} estimate */
const reliabilityOf = ({ amount, error }) =>
	amount !== null && error !== null && error < amount ? 1 - error / amount : 0;

/**
 * ± 12 %, as far as it is known.
 * @param {Estimate} estimate
 */
function errorText({ amount, error }) {
	if (error === null || amount === null)
		return "± ?";
	if (amount > 0 && error <= amount * MOST_TIMES_OFF)
		return `± ${formatPercent(error / amount)}`;
	return `± ${formatCount(Math.round(error))}`;
}

/** @param {Estimate} estimate */
const isExact = ({ error, share }) => share >= 1 && error === 0;

/**
 * How an estimate comes: counted for 31 % of the time: ± 12 %.
 * @param {Estimate} estimate
 */
export function turnsText(estimate) {
	const { amount, error, share } = estimate;
	if (isExact(estimate))
		return "counted all the time";
	if (share >= 1)
		return `of parts of slices: ${errorText(estimate)}`;
	const how = amount === null ? "it had no counter here" :
		error === null ? "how far off this is, is not known" : errorText(estimate);
	return `counted for ${formatPercent(share)} of the time: ${how}`;
}

/**
 * Why an estimate is not to be relied on; "": it is.
 * @param {Estimate} estimate
 */
export function doubtOf(estimate) {
	return isExact(estimate) || reliabilityOf(estimate) >= LEAST_RELIABILITY ? "" : turnsText(estimate);
}

/**
 * ≈ 12,000 ± 12 %, or 12,000 if it is exact.
 * @param {Estimate} estimate
 */
export function estimateText(estimate) {
	if (estimate.amount === null)
		return "unknown";
	const amount = formatCount(Math.round(estimate.amount));
	return isExact(estimate) ? amount : `≈ ${amount} ${errorText(estimate)}`;
}

/** What annot tells of the whole trace. */
export class TurnFigures {
	/** @param {TurnPart} part @param {PmuEvent[]} events @param {Thread[]} threads */
	constructor(part, events, threads) {
		this.all = part.all;
		/** @type {Map<number, number>} where the figure of an event stands */
		this.places = new Map();
		part.events.forEach(({ index, name }, place) => {
			if (events[index]?.name === name)
				this.places.set(index, place);
		});
		this.tasks = new Map(part.tasks.map(({ name, kind, figures }) => [`${kind} ${name}`, figures]));
		this.threads = new Map(part.threads.map(({ thread, tid, figures }) =>
			[threads[thread]?.tid === tid ? thread : threads.findIndex((own) => own.tid === tid), figures]));
	}

	/**
	 * @param {TurnFigure[] | undefined} figures
	 * @param {PmuEvent} event
	 * @returns {Estimate | null} null: nothing is told
	 */
	find(figures, { index }) {
		const figure = figures?.[this.places.get(index) ?? -1];
		if (!figure)
			return null;
		const [amount, error, share] = figure;
		return { amount, error, share };
	}

	/** @param {PmuEvent} event */
	ofAll(event) {
		return this.find(this.all, event);
	}

	/** @param {string} name @param {boolean} waits @param {PmuEvent} event */
	ofTask(name, waits, event) {
		return this.find(this.tasks.get(`${waits ? "wait" : "work"} ${name}`), event);
	}

	/** @param {number} thread @param {PmuEvent} event */
	ofThread(thread, event) {
		return this.find(this.threads.get(thread), event);
	}
}
