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

export const FULL_SHARE = 255;
const EMPTY_RUNS = { rows: 0 };

/* Of rows [first, past) of a table: from[], one longer than there are rows. */
function runStarts(run, first = 0, past = run.length) {
	const from = new Uint32Array(past - first + 1);
	for (let i = first; i < past; i++)
		from[i - first + 1] = from[i - first] + run[i];
	return from;
}

/* Rows that belong together, as tables of their own: [first, past) of each value of @keys. */
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

/* The shares of a thread's states: share[state][run]; what is missing to 255 is unknown. */
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

/* [{depth, from, name, kind, share}] */
function spanRuns(table) {
	return stretches(table.depth).map(({ key, first, past }) => ({
		depth: key, from: runStarts(table.run, first, past), name: table.name.slice(first, past),
		kind: table.kind.slice(first, past), share: table.share.slice(first, past),
	}));
}

/* name -> {from, min, max, last} */
function counterRuns(table) {
	return new Map(stretches(table.name).map(({ key, first, past }) => [key, {
		from: runStarts(table.run, first, past), min: table.min.slice(first, past),
		max: table.max.slice(first, past), last: table.last.slice(first, past),
	}]));
}

/* An amount over time, spread evenly in each bucket: what density strips ask of a Series. */
class RunSeries {
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

class Overview {
	constructor(head) {
		this.buckets = head.overview.buckets;
		this.bucketNs = head.overview.bucket_ns;
		this.duration = head.trace.duration_ns;
		this.nrCpus = head.cpus.length;
		this.nrThreads = head.threads.tid.length;
		this.session = head.threads.session;
		this.cpus = Array.from({ length: this.nrCpus }, () => ({
			thread: new Uint32Array(this.buckets), busy: new Uint8Array(this.buckets),
		}));
		this.threads = Array.from({ length: this.nrThreads }, () => ({
			stateTable: null, levels: [], marks: null, counters: new Map(),
		}));
		const events = (head.pmu || []).length;
		this.cpuSeries = Array.from({ length: events }, () => new Array(this.nrCpus).fill(null));
		this.threadSeries = Array.from({ length: events }, () => new Array(this.nrThreads).fill(null));
	}

	addTable({ kind, owner, table }) {
		const series = (all, nr) =>
			all[Math.floor(owner / nr)][owner % nr] = new RunSeries(this, table);
		switch (OVERVIEW_KINDS[kind].name) {
		case "cpuOverview":
			this.cpus[owner] = { thread: table.thread, busy: table.busy };
			break;
		case "stateOverview":
			this.threads[owner].stateTable = table;
			break;
		case "spanOverview":
			this.threads[owner].levels = spanRuns(table);
			break;
		case "cpuDensity":
			series(this.cpuSeries, this.nrCpus);
			break;
		case "threadDensity":
			series(this.threadSeries, this.nrThreads);
			break;
		case "counterOverview":
			this.threads[owner].counters = counterRuns(table);
			break;
		case "markOverview":
			this.threads[owner].marks = {
				from: runStarts(table.run), name: table.name, count: table.count,
			};
			break;
		}
	}

	/* sums[i]: CPU time, in buckets, before bucket i: of all CPUs, and of the session's threads. */
	finish() {
		this.busy = new Float64Array(this.buckets + 1);
		for (const { busy } of this.cpus)
			for (let i = 0; i < this.buckets; i++)
				this.busy[i + 1] += busy[i] / FULL_SHARE;
		for (let i = 0; i < this.buckets; i++)
			this.busy[i + 1] += this.busy[i];
		this.sessionBusy = this.runningOf([...this.session.keys()].filter((thread) =>
			this.session[thread]));
		this.tasks = new Map();
		this.groups = new Map();
	}

	/* Of a thread, {from, share[state], states}, made when it is first asked for; null: it was never seen. */
	statesOf(thread) {
		const own = this.threads[thread];
		if (own.stateTable && !own.states)
			own.states = stateRuns(own.stateTable);
		return own.states || null;
	}

	/* The time that some threads ran, as sums like those of busy. */
	runningOf(threads) {
		const sums = new Float64Array(this.buckets + 1);
		for (const thread of threads) {
			const { run, running, rows } = this.threads[thread].stateTable || EMPTY_RUNS;
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

	/* The same of a group of them, kept by its key. */
	runningOfGroup(key, threads) {
		if (!this.groups.has(key))
			this.groups.set(key, this.runningOf(threads));
		return this.groups.get(key);
	}

	/* Of such sums: ns in [from, to). */
	timeIn(sums, from, to) {
		const upTo = (ns) => {
			const place = Math.min(Math.max(ns / this.bucketNs, 0), this.buckets);
			const bucket = Math.min(Math.floor(place), this.buckets - 1);
			return sums[bucket] + (sums[bucket + 1] - sums[bucket]) * (place - bucket);
		};
		return (upTo(to) - upTo(from)) * this.bucketNs;
	}

	/* ns in which a CPU was busy, in all. */
	busyOfCpu(cpu) {
		return this.cpus[cpu].busy.reduce((sum, share) => sum + share, 0) / FULL_SHARE * this.bucketNs;
	}

	/* An event's amount over time of a CPU or a thread; null where there is none. */
	ofCpu(event, cpu) {
		return this.cpuSeries[event][cpu];
	}

	ofThread(event, thread) {
		return this.threadSeries[event][thread];
	}

	/* The innermost spans of who ran on a CPU: by bucket {name: Int32Array (-1: none), kind}. */
	tasksOf(cpu) {
		if (!this.tasks.has(cpu))
			this.tasks.set(cpu, this.findTasks(cpu));
		return this.tasks.get(cpu);
	}

	/* Buckets are gone through in order, so each thread's place in its runs only moves on. */
	findTasks(cpu) {
		const name = new Int32Array(this.buckets).fill(-1);
		const kind = new Uint8Array(this.buckets);
		const places = new Map();
		const { thread, busy } = this.cpus[cpu];
		for (let bucket = 0; bucket < this.buckets; bucket++) {
			if (!thread[bucket] || !busy[bucket])
				continue;
			const { levels } = this.threads[thread[bucket] - 1];
			if (!places.has(thread[bucket]))
				places.set(thread[bucket], new Uint32Array(levels.length));
			const place = places.get(thread[bucket]);
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

	/* The bucket in which @ns lies. */
	bucketAt(ns) {
		return Math.min(Math.max(Math.floor(ns / this.bucketNs), 0), this.buckets - 1);
	}
}

/* Of the decoded tables [{kind: 20 ... 26, owner, table}] of the page whose head says what they are. */
export function readOverview(tables, head) {
	const overview = new Overview(head);
	for (const table of tables)
		overview.addTable(table);
	overview.finish();
	return overview;
}
