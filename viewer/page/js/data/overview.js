// SPDX-License-Identifier: GPL-2.0
/*
 * The whole trace in buckets of equal length, as the page holds it beside the rows: what is painted
 * when there is more in sight than is loaded. The tables are described in viewer/page/data.h.
 *
 * What holds for several buckets in a row stands once, as a run: run i is buckets from[i] to
 * from[i + 1].
 */
import { NR_STATES, STATE } from "./codes.js";
import { OVERVIEW_KINDS } from "./format.js";
import { gallop } from "./row_search.js";

/** @typedef {import("./tables.js").CounterOverview} CounterOverview */
/** @typedef {import("./tables.js").DensityOverview} DensityOverview */
/** @typedef {import("./blocks.js").Head} Head */
/** @typedef {import("./row_search.js").Numbers} Numbers */
/** @typedef {import("./tables.js").SpanOverview} SpanOverview */
/** @typedef {import("./tables.js").OverviewTables} OverviewTables */
/** @typedef {import("./tables.js").StateOverview} StateOverview */

/** Of a bucket: all of it. */
export const FULL_SHARE = 255;
const NO_BUCKETS = { buckets: 0, bucket_ns: 1 };
/** @typedef {{thread: Uint32Array, busy: Uint8Array}} CpuBuckets who had most of a bucket (+ 1), and how busy it was */
/** @typedef {{from: Uint32Array, share: Uint8Array[], states: number[]}} StateRuns share[state][run], of those in states */
/**
 * Those of one depth of a thread's spans.
 * @typedef {{depth: number, from: Uint32Array, name: Uint32Array, kind: Uint8Array, share: Uint8Array}} SpanRuns
 */
/** @typedef {import("./tables.js").KernelOverview} KernelOverview */
/** @typedef {{from: Uint32Array, state: Uint8Array, share: Uint8Array}} IdleRuns */
/** @typedef {{from: Uint32Array, least: Uint32Array, most: Uint32Array, mean: Uint32Array}} FrequencyRuns in kHz; 0: not known */
/** @typedef {{from: Uint32Array, kind: Uint8Array, share: Uint8Array}} InterruptRuns */
/** @typedef {{from: Uint32Array, mean: Float64Array}} DeviceRuns how many requests were in flight, in the mean */
/** @typedef {{from: Uint32Array, perS: Float64Array, known: Uint8Array}} UncoreRuns counts a second, where they are known */
/** @typedef {{idle: IdleRuns | null, frequencies: FrequencyRuns | null}} PowerOverview of a CPU */
/** @typedef {{from: Uint32Array, min: Float64Array, max: Float64Array, last: Float64Array}} CounterRuns */
/** @typedef {{from: Uint32Array, name: Uint32Array, count: Uint32Array}} MarkRuns */
/**
 * @typedef {{
 *	stateTable: StateOverview | null, states: StateRuns | null, levels: SpanRuns[], kernelLevels: SpanRuns[], marks: MarkRuns | null,
 *	counters: Map<number, CounterRuns>,
 * }} ThreadOverview
 */

/**
 * Of rows [first, past) of a table: from[], one longer than there are rows.
 * @param {Uint32Array} run @param {number} first @param {number} past
 */
function runStarts(run, first = 0, past = run.length) {
	const from = new Uint32Array(past - first + 1);
	for (let i = first; i < past; i++)
		from[i - first + 1] = from[i - first] + run[i];
	return from;
}

/**
 * Rows that belong together, as tables of their own: [first, past) of each value of @keys.
 * @param {Numbers} keys
 */
function stretches(keys) {
	const parts = [];
	for (let first = 0; first < keys.length;) {
		let past = first + 1;
		while (past < keys.length && keys[past] === keys[first])
			past++;
		parts.push({ key: keys[first], first, past });
		first = past;
	}
	return parts;
}

/**
 * The shares of a thread's states: share[state][run]; what is missing to 255 is unknown.
 * @param {StateOverview} table
 */
function stateRuns(table) {
	const share = [new Uint8Array(table.rows), table.running, table.preempted, table.runnable,
		table.sleeping, table.uninterruptible, table.stopped, table.dead];
	const known = new Uint16Array(table.rows);
	/* Most threads are ever in few states only. */
	const states = [];
	for (let state = STATE.RUNNING; state < NR_STATES; state++) {
		const own = share[state];
		let any = 0;
		for (let i = 0; i < table.rows; i++) {
			known[i] += own[i];
			any |= own[i];
		}
		if (any)
			states.push(state);
	}
	states.unshift(STATE.UNKNOWN);
	for (let i = 0; i < table.rows; i++)
		share[STATE.UNKNOWN][i] = Math.max(FULL_SHARE - known[i], 0);
	return { from: runStarts(table.run), share, states };
}

/**
 * @param {SpanOverview | KernelOverview} table
 */
function spanRuns(table) {
	return stretches(table.depth).map(({ key, first, past }) => ({
		depth: key, from: runStarts(table.run, first, past), name: table.name.slice(first, past),
		kind: table.kind.slice(first, past), share: table.share.slice(first, past),
	}));
}

/**
 * Of each counter, by name.
 * @param {CounterOverview} table
 */
function counterRuns(table) {
	/** @type {Map<number, CounterRuns>} */
	const counters = new Map();
	for (const { key, first, past } of stretches(table.name))
		counters.set(key, {
			from: runStarts(table.run, first, past), min: table.min.slice(first, past),
			max: table.max.slice(first, past), last: table.last.slice(first, past),
		});
	return counters;
}

/** An amount over time, spread evenly in each bucket: what density strips ask of a Series. */
export class RunSeries {
	/** @param {Overview} overview @param {DensityOverview} table */
	constructor(overview, table) {
		this.bucketNs = overview.bucketNs;
		this.from = runStarts(table.run);
		this.rows = table.rows;
		this.perBucket = table.sum;
		this.min = table.min;
		this.max = table.max;
		this.start = Float64Array.from(this.from.subarray(0, table.rows), (bucket) => bucket * this.bucketNs);
		this.sum = new Float64Array(table.rows + 1);
		for (let i = 0; i < table.rows; i++)
			this.sum[i + 1] = this.sum[i] + table.sum[i] * table.run[i];
		this.at = 0;
	}

	/** @param {number} ns @param {number} from */
	before(ns, from = 0) {
		const run = gallop(this.start, from, this.rows, ns) - 1;
		this.at = Math.max(run, 0);
		if (run < 0)
			return 0;
		const buckets = Math.min((ns - this.start[run]) / this.bucketNs,
			this.from[run + 1] - this.from[run]);
		return this.sum[run] + this.perBucket[run] * buckets;
	}

	total() {
		return this.sum[this.rows];
	}
}

/** All of the trace, in buckets. */
export class Overview {
	/** @param {Head} head */
	constructor(head) {
		const { buckets, bucket_ns: bucketNs } = head.overview || NO_BUCKETS;
		this.buckets = buckets;
		this.bucketNs = bucketNs;
		this.duration = head.trace.duration_ns;
		this.nrCpus = head.cpus.length;
		this.nrThreads = head.threads.tid.length;
		this.session = head.threads.session;
		/** @type {CpuBuckets[]} */
		this.cpus = Array.from({ length: this.nrCpus }, () => ({
			thread: new Uint32Array(this.buckets), busy: new Uint8Array(this.buckets),
		}));
		/** @type {PowerOverview[]} */
		this.power = Array.from({ length: this.nrCpus }, () => ({ idle: null, frequencies: null }));
		/** @type {(InterruptRuns | null)[]} by CPU */
		this.interrupts = new Array(this.nrCpus).fill(null);
		/** @type {Map<number, DeviceRuns>} by name */
		this.devices = new Map();
		/** @type {Map<number, UncoreRuns>} by place in pages.uncore */
		this.uncore = new Map();
		/** @type {ThreadOverview[]} */
		this.threads = Array.from({ length: this.nrThreads }, () => ({
			stateTable: null, states: null, levels: [], kernelLevels: [], marks: null, counters: new Map(),
		}));
		const events = (head.pmu || []).length;
		/** @type {(RunSeries | null)[][]} */
		this.cpuSeries = Array.from({ length: events }, () => new Array(this.nrCpus).fill(null));
		/** @type {(RunSeries | null)[][]} */
		this.threadSeries = Array.from({ length: events }, () => new Array(this.nrThreads).fill(null));
		/* [i]: CPU time, in buckets, before bucket i: of all CPUs, and of the session's threads. */
		this.busy = new Float64Array(this.buckets + 1);
		this.sessionBusy = this.busy;
		/** @type {Map<number, {name: Int32Array, kind: Uint8Array}>} */
		this.tasks = new Map();
		/** @type {Map<string, Float64Array>} */
		this.groups = new Map();
	}

	/** @param {import("./tables.js").Block<OverviewTables>} block */
	addTable(block) {
		const { owner } = block;
		switch (block.name) {
		case "cpuOverview":
			this.cpus[owner] = { thread: block.table.thread, busy: block.table.busy };
			break;
		case "interruptOverview":
			this.interrupts[owner] = {
				from: runStarts(block.table.run), kind: block.table.kind, share: block.table.share,
			};
			break;
		case "idleOverview":
			this.power[owner].idle = {
				from: runStarts(block.table.run), state: block.table.state, share: block.table.share,
			};
			break;
		case "frequencyOverview":
			this.power[owner].frequencies = {
				from: runStarts(block.table.run), least: block.table.least, most: block.table.most,
				mean: block.table.mean,
			};
			break;
		case "deviceOverview":
			this.devices.set(owner, {
				from: runStarts(block.table.run),
				mean: Float64Array.from(block.table.inFlight, (thousandths) => thousandths / 1000),
			});
			break;
		case "uncoreOverview":
			this.uncore.set(owner, {
				from: runStarts(block.table.run), perS: Float64Array.from(block.table.perS),
				known: block.table.known,
			});
			break;
		case "stateOverview":
			this.threads[owner].stateTable = block.table;
			break;
		case "spanOverview":
			this.threads[owner].levels = spanRuns(block.table);
			break;
		case "kernelOverview":
			this.threads[owner].kernelLevels = spanRuns(block.table);
			break;
		case "cpuDensity":
			this.addSeries(this.cpuSeries, block);
			break;
		case "threadDensity":
			this.addSeries(this.threadSeries, block);
			break;
		case "counterOverview":
			this.threads[owner].counters = counterRuns(block.table);
			break;
		case "markOverview":
			this.threads[owner].marks = {
				from: runStarts(block.table.run), name: block.table.name, count: block.table.count,
			};
			break;
		}
	}

	/**
	 * The owner tells the event, too.
	 * @param {(RunSeries | null)[][]} all @param {{owner: number, table: DensityOverview}} block
	 */
	addSeries(all, { owner, table }) {
		const nr = all[0].length;
		all[Math.floor(owner / nr)][owner % nr] = new RunSeries(this, table);
	}

	/* Once all tables are there. */
	finish() {
		for (const { busy } of this.cpus)
			for (let i = 0; i < this.buckets; i++)
				this.busy[i + 1] += busy[i] / FULL_SHARE;
		for (let i = 0; i < this.buckets; i++)
			this.busy[i + 1] += this.busy[i];
		this.sessionBusy = this.runningOf([...this.session.keys()].filter((thread) =>
			this.session[thread]));
	}

	/**
	 * Of a thread, made when it is first asked for; null: it was never seen.
	 * @param {number} thread
	 */
	statesOf(thread) {
		const own = this.threads[thread];
		if (own.stateTable && !own.states)
			own.states = stateRuns(own.stateTable);
		return own.states;
	}

	/**
	 * The time that some threads ran, as sums like those of busy.
	 * @param {Iterable<number>} threads
	 */
	runningOf(threads) {
		const sums = new Float64Array(this.buckets + 1);
		for (const thread of threads) {
			const { stateTable } = this.threads[thread];
			if (!stateTable)
				continue;
			const { run, running, rows } = stateTable;
			let bucket = 0;
			for (let row = 0; row < rows; row++) {
				const past = bucket + run[row];
				for (; running[row] && bucket < past; bucket++)
					sums[bucket + 1] += running[row] / FULL_SHARE;
				bucket = past;
			}
		}
		for (let i = 0; i < this.buckets; i++)
			sums[i + 1] += sums[i];
		return sums;
	}

	/**
	 * The same of a group of them, kept by its key.
	 * @param {string} key @param {number[]} threads
	 */
	runningOfGroup(key, threads) {
		const sums = this.groups.get(key) || this.runningOf(threads);
		this.groups.set(key, sums);
		return sums;
	}

	/**
	 * Of such sums: ns in [from, to).
	 * @param {Float64Array} sums @param {number} from @param {number} to
	 */
	timeIn(sums, from, to) {
		/** @param {number} ns */
		const upTo = (ns) => {
			const place = Math.min(Math.max(ns / this.bucketNs, 0), this.buckets);
			const bucket = Math.min(Math.floor(place), this.buckets - 1);
			return sums[bucket] + (sums[bucket + 1] - sums[bucket]) * (place - bucket);
		};
		return (upTo(to) - upTo(from)) * this.bucketNs;
	}

	/**
	 * ns in which a CPU was busy, in all.
	 * @param {number} cpu
	 */
	busyOfCpu(cpu) {
		return this.cpus[cpu].busy.reduce((sum, share) => sum + share, 0) / FULL_SHARE * this.bucketNs;
	}

	/**
	 * An event's amount over time of a CPU or a thread; null where there is none.
	 * @param {number} event @param {number} cpu
	 */
	ofCpu(event, cpu) {
		return this.cpuSeries[event][cpu];
	}

	/** @param {number} event @param {number} thread */
	ofThread(event, thread) {
		return this.threadSeries[event][thread];
	}

	/**
	 * The innermost spans of who ran on a CPU: by bucket {name: Int32Array (-1: none), kind}.
	 * @param {number} cpu
	 */
	tasksOf(cpu) {
		const tasks = this.tasks.get(cpu) || this.findTasks(cpu);
		this.tasks.set(cpu, tasks);
		return tasks;
	}

	/**
	 * Buckets are gone through in order, so each thread's place in its runs only moves on.
	 * @param {number} cpu
	 */
	findTasks(cpu) {
		const name = new Int32Array(this.buckets).fill(-1);
		const kind = new Uint8Array(this.buckets);
		/** @type {Map<number, Uint32Array>} */
		const places = new Map();
		const { thread, busy } = this.cpus[cpu];
		for (let bucket = 0; bucket < this.buckets; bucket++) {
			if (!thread[bucket] || !busy[bucket])
				continue;
			const { levels } = this.threads[thread[bucket] - 1];
			const place = places.get(thread[bucket]) || new Uint32Array(levels.length);
			places.set(thread[bucket], place);
			levels.forEach((level, i) => {
				while (place[i] + 1 < level.share.length && level.from[place[i] + 1] <= bucket)
					place[i]++;
				const run = place[i];
				if (run < level.share.length && level.share[run]) {
					name[bucket] = level.name[run];
					kind[bucket] = level.kind[run];
				}
			});
		}
		return { name, kind };
	}

	/**
	 * The bucket in which @ns lies.
	 * @param {number} ns
	 */
	bucketAt(ns) {
		return Math.min(Math.max(Math.floor(ns / this.bucketNs), 0), this.buckets - 1);
	}
}

/**
 * An overview of decoded tables; the head says what they are of.
 * @param {{kind: number, owner: number, table: {rows: number}}[]} tables kind is a key of OVERVIEW_KINDS
 * @param {Head} head
 * @returns {Overview}
 */
export function readOverview(tables, head) {
	const overview = new Overview(head);
	for (const { kind, owner, table } of tables) {
		const { name } = OVERVIEW_KINDS[/** @type {keyof typeof OVERVIEW_KINDS} */ (kind)];
		overview.addTable(/** @type {import("./tables.js").Block<OverviewTables>} */ ({ name, kind, owner, table }));
	}
	overview.finish();
	return overview;
}
