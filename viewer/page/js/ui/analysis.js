// SPDX-License-Identifier: GPL-2.0
/*
 * What annot html found in the trace: an element of JSON behind the script, read only once the first
 * drawing is done. annot-report(1) describes its keys; viewer/report/table/table_columns.h has "analyses".
 */
import { BLOCK_POLL_MS, pause } from "../data/blocks.js";

/** @typedef {import("../data/store.js").Store} Store */
/** @typedef {import("../data/turn_figures.js").TurnPart} TurnPart of events that took turns, of the whole trace */

/** @typedef {{thread: number, tid?: number, comm?: string}} ThreadRef thread is a number of the report's */
/** @typedef {{from_ns: number, to_ns: number}} Stretch */
/** @typedef {{edges_ns: number[], counts: number[]}} Histogram */
/** @typedef {Stretch & {threads: number[], tids: number[], cpus: number[]}} FindingEvidence */
/**
 * @typedef {{
 *	kind: string, time_lost_ns: number, time_lost_at_most_ns?: number, cpu_time_lost_ns?: number, text: string, confidence: string, caveats: string[],
 *	gain_ns?: number | null, gain_least_ns?: number | null, gain_most_ns?: number | null, what_if?: string[] | null,
 *	evidence: FindingEvidence,
 * }} Finding a gain that is null is not known
 */
/** @typedef {{title: string, what: string, definition: string, how_to_see: string, cures: string[]}} Explanation */
/**
 * @typedef {{
 *	name: string, kind: string, is_barrier: boolean, instances: number, nr_threads: number,
 *	elapsed_ns: number, saved_ns: number, load_balance: number | null, imbalance_pct: number | null,
 *	imbalance_time_ns: number, parallel_efficiency: number | null,
 * }} RegionGroup
 */
/**
 * @typedef {ThreadRef & Stretch & {
 *	useful_ns: number, waiting_ns: number, preempted_ns: number, wakeup_ns: number, blocked_ns: number,
 *	unknown_ns: number, spinning_ns?: number, stolen_ns?: number,
 * }} RegionThread
 */
/**
 * @typedef {Stretch & {
 *	group: number, load_balance: number | null, imbalance_pct: number | null, imbalance_time_ns: number,
 *	parallel_efficiency: number | null, threads: RegionThread[], threads_left_out: number,
 *	last: ThreadRef & {why: string, behind_ns: number, text: string} | null,
 * }} RegionInstance
 */
/**
 * @typedef {{
 *	groups: RegionGroup[], instances: RegionInstance[], left_out: number,
 *	totals: {
 *		elapsed_ns: number, parallel_ns: number, serial_ns: number, saved_ns: number,
 *		serialisation_efficiency: number | null, load_balance_efficiency: number | null,
 *		scheduling_efficiency: number | null, parallel_efficiency: number | null,
 *	},
 * }} Regions
 */
/**
 * @typedef {ThreadRef & Stretch & {
 *	kind: string, waits_for: string | null, task: string | null, cause: string,
 * }} PathSegment
 */
/**
 * @typedef {Stretch & {
 *	group: string | null, elapsed_ns: number, segments: PathSegment[], left_out: number,
 *	threads: (ThreadRef & {on_path_ns: number, slack_ns: number})[],
 * }} CriticalPath
 */
/** @typedef {CriticalPath & {worst_region: CriticalPath | null, other_regions?: CriticalPath[]}} CriticalPaths */
/** @typedef {{thread: number, tid: number, comm: string, program?: string}} Side of an interference */
/**
 * @typedef {{
 *	victim: Side, by: Side, times: number, preempted_ns: number, queued_ns: number, longest_ns: number,
 * }} InterferencePair
 */
/**
 * @typedef {{
 *	victim_program: string, by_program: string | null, times: number, preempted_ns: number,
 *	queued_ns: number, lengthened_waits_ns: number, lost_ns: number,
 * }} InterferingProgram
 */
/** @typedef {{cpu: number, waits: number, wait_ns: number, longest_ns: number, histogram: Histogram}} RunQueue */
/**
 * @typedef {{
 *	pairs: InterferencePair[], programs?: InterferingProgram[], queues?: RunQueue[], left_out: number,
 * }} Interference
 */
/** @typedef {{median_ns: number | null, p99_ns: number | null, max_ns: number | null}} Latencies */
/**
 * @typedef {Latencies & {
 *	histogram: Histogram | null, threads: (ThreadRef & Latencies & {wakeups: number})[], left_out: number,
 * }} WakeupLatency
 */
/**
 * matrix and distance are from CPU to CPU; a distance that is not known is null.
 * @typedef {{
 *	total: number, ping_pongs: number, cost_ns: number, event: string | null,
 *	excess_misses: number | null, matrix: number[][], distance?: (number | null)[][],
 *	left_out_of_matrix: number, left_out: number,
 *	threads?: (ThreadRef & {migrations: number, ping_pongs: number, cost_ns: number, misses: number | null})[],
 * }} MigrationCosts
 */
/**
 * misses are by the event's name.
 * @typedef {{
 *	name: string, kind: string, parent: number, instances: number, inclusive_ns: number,
 *	exclusive_ns: number, on_cpu_ns: number, exclusive_on_cpu_ns: number, preempted_ns: number,
 *	misses: {[event: string]: number | null} | null, mpki: number | null, mpki_error: number | null,
 *	misses_error?: {[event: string]: number | null}, misses_measured_share?: {[event: string]: number},
 * }} TaskNode
 */
/** @typedef {{nodes: TaskNode[], threshold_pct: number, left_out: number}} TaskNodes */
/**
 * Of misses beyond the warm rate after a switch; low and high are an interval of per_switch.
 * @typedef {{
 *	after: string, switches: number, per_switch: number | null, low: number | null, high: number | null,
 *	ns_per_switch: number | null, p_value: number | null,
 * }} Excess
 */
/**
 * Misses over the time since a switch: a value for each of bins_us but the last, which has no end.
 * @typedef {{
 *	after: string, switches: number, rate_per_us: (number | null)[], error?: (number | null)[],
 * }} MissCurve
 */
/**
 * @typedef {{
 *	event: string, from: string, bins_us: (number | null)[], curves: MissCurve[],
 *	warm_rate_per_us: number | null, excess?: Excess[], tasks?: {task: string | null, excess: Excess[]}[],
 * }} SwitchMissesOfEvent
 */
/** @typedef {SwitchMissesOfEvent & {others?: SwitchMissesOfEvent[]}} SwitchMisses */
/** @typedef {{symbol: string | null, object: string | null, line: string | null}} Place of an instruction or of data */
/**
 * @typedef {Place & {
 *	ip: string, event: string | null, from: string, register: string | null, samples: number,
 *	level: string | null, sets: number, span_bytes: number, lines: number, agreeing: number,
 *	expected: number | null, p_value: number | null, is_conflict: boolean,
 * }} SetConflict
 */
/**
 * @typedef {Place & {
 *	address: string, cpus?: number[], tids?: number[], samples: number, stores: number, turns: number,
 *	is_false_sharing: boolean,
 * }} SharedLine
 */
/**
 * What a thread accesses in a line that is shared falsely.
 * @typedef {Place & ThreadRef & {
 *	field: string | null, address: string, line_address: string, samples: number, stores: number,
 * }} LineAccess
 */
/** @typedef {{name: string, bytes: number, holds_bytes: number | null, holds_not_bytes: number | null}} CacheLevel */
/**
 * Misses of a level for each load, as the curve lets expect them and as they were measured.
 * @typedef {{
 *	level: string, expected_per_load: number | null, expected_is_upper_bound: boolean,
 *	measured_per_load: number | null,
 * }} LevelMisses
 */
/**
 * How much memory is touched within so many accesses; the knee is where that becomes flat.
 * @typedef {{
 *	name: string, samples: number, points?: {accesses: number, bytes: number, is_sure?: boolean}[],
 *	doubt: string | null, least_bytes: number | null, most_bytes: number | null,
 *	knee_bytes: number | null, knee_accesses: number | null, misses?: LevelMisses[],
 * }} WorkingSet
 */
/** @typedef {{levels?: CacheLevel[], tasks: WorkingSet[]}} WorkingSets */
/** @typedef {{type: string, key?: string, heading?: string, meaning: string}} DescribedColumn */
/** @typedef {{key: string, title: string, noun: string, columns: DescribedColumn[]}} DescribedTable */
/** @typedef {{name: string, title: string, hint: string, tables: DescribedTable[]}} Described an analysis with tables */
/** @typedef {{[key: string]: string | number | boolean | number[] | null}} PlainRow of a described table */
/**
 * The parts that views show.
 * @typedef {{
 *	regions: Regions, critical_path: CriticalPaths, interference: Interference, wakeup_latency: WakeupLatency,
 *	migrations: MigrationCosts, task_tree: TaskNodes, switch_misses: SwitchMisses,
 *	set_conflicts: {rows: SetConflict[], left_out: number},
 *	false_sharing: {rows: SharedLine[], accesses?: LineAccess[], left_out: number}, working_set: WorkingSets,
 * }} Parts
 */
/**
 * All of it. What is not in a trace is null, what was not looked for is missing.
 * @typedef {{[K in keyof Parts]?: Parts[K] | null} & {
 *	left_out?: {events: number, most_events: number} | null, findings?: Finding[], turns?: TurnPart,
 *	session?: Stretch, catalogue?: {[kind: string]: Explanation | undefined},
 *	analyses?: Described[],
 * }} AnalysisData
 */

const ownScript = document.currentScript;

/* The analysis, or null when the page has none. */
/** @returns {Promise<Analysis | null>} */
export async function readAnalysis() {
	/** @type {Element | null} */
	let element = null;
	let isParsed = false;
	while (!element && !isParsed) {
		isParsed = document.readyState !== "loading";
		element = ownScript && ownScript.nextElementSibling;
		/* It is whole once something follows it. */
		if (element && !isParsed && !element.nextElementSibling)
			element = null;
		if (!element && !isParsed)
			await pause(BLOCK_POLL_MS);
	}
	return element && element.id === "analysis" ? new Analysis(JSON.parse(element.textContent || "{}")) : null;
}

/** What was found. */
export class Analysis {
	/** @param {AnalysisData} data */
	constructor(data) {
		this.data = data;
		this.leftOut = data.left_out || null;
		this.findings = data.findings || [];
		this.session = data.session || { from_ns: 0, to_ns: 0 };
		this.catalogue = data.catalogue || {};
		this.described = data.analyses || [];
		this.turns = data.turns || null;
	}

	/**
	 * Of the session's time, or 0.
	 * @param {number} ns
	 * @returns {number}
	 */
	share(ns) {
		const all = this.session.to_ns - this.session.from_ns;
		return all > 0 ? ns / all : 0;
	}

	/**
	 * A part by its key; null: it has nothing to show.
	 * @template {keyof Parts} K
	 * @param {K} name
	 * @returns {Parts[K] | null}
	 */
	part(name) {
		const part = /** @type {{[K in keyof Parts]?: Parts[K] | null}} */ (this.data)[name];
		return part || null;
	}

	/**
	 * The rows of a table that is described.
	 * @param {string} name
	 * @param {string} key
	 * @returns {PlainRow[]}
	 */
	rows(name, key) {
		const own = /** @type {{[name: string]: {[key: string]: PlainRow[] | undefined} | null | undefined}} */ (this.data)[name];
		return own && own[key] || [];
	}

	/**
	 * How many rows of described tables are not in the page.
	 * @param {string} name
	 * @returns {number}
	 */
	rowsLeftOut(name) {
		const own = /** @type {{[name: string]: {left_out?: number} | null | undefined}} */ (this.data)[name];
		return own && own.left_out || 0;
	}

	/**
	 * Why an analysis has nothing; "": it has, or it is not told.
	 * @param {string} name
	 * @returns {string}
	 */
	whyNotComputed(name) {
		const own = /** @type {{[name: string]: {not_computed?: string | null} | null | undefined}} */ (this.data)[name];
		return own && own.not_computed || "";
	}
}

/**
 * The thread that {thread, tid} of the analysis means, as a number of the page's; -1: there is none.
 * @param {Store} store
 * @param {ThreadRef} row
 * @returns {number}
 */
export function threadOfRow(store, { thread, tid }) {
	const { threads } = store;
	if (threads[thread] && (tid === undefined || threads[thread].tid === tid))
		return thread;
	return threads.findIndex((own) => own.tid === tid);
}
