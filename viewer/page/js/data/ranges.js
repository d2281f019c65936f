// SPDX-License-Identifier: GPL-2.0
/*
 * The figures of a range of time. Spans that cross its edges count with the part that is inside.
 *
 * A range that is longer than what is loaded is added up part by part, each from a store of its own:
 * what lasts counts in each part with what it has there, what happens in the part where it begins.
 */
import { pause } from "./blocks.js";
import { NR_STATES, SPAN_WAIT, STATE } from "./codes.js";
import { itemToText } from "./items.js";
import { lastAtMost, lowerBound } from "./row_search.js";

/** @typedef {import("./store.js").Account} Account */
/** @typedef {import("./owners.js").Level} Level */
/** @typedef {import("./windows.js").Progress} Progress */
/** @typedef {import("./tables.js").Slices} Slices */
/** @typedef {import("./tables.js").Spans} Spans */
/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./owners.js").Thread} Thread */
/** @typedef {import("./windows.js").Wanted} Wanted */
/** @typedef {import("./windows.js").Windows} Windows */

/** @typedef {import("./pmu.js").Amount} Amount */
/** @typedef {import("./pmu.js").Caused} Caused */
/** @typedef {import("./pmu.js").PmuEvent} PmuEvent */
/**
 * What a thread did, how much of each measured event, and how long it was on a CPU inside wait spans.
 * @typedef {Caused & {account: Account, spinning: number}} Sums
 */
/** @typedef {Partial<Caused> & {thread: number, account: Account, spinning?: number, total: number}} ThreadSums */
/**
 * What is known of the spans of one name and kind without reading them.
 * @typedef {{name: number, waits: boolean, count: number}} TaskCount
 */
/**
 * All spans of one name and kind: longest is the item of the longest one, as text; place tells which
 * of equals comes first.
 * @typedef {TaskCount & Caused & {
 *	wall: number, longestNs: number, longest: string | null, place: number[], ns: Float64Array,
 * }} TaskSums
 */
/**
 * lost: ns in which events were lost; switches: from a thread to another or to idle.
 * @typedef {Caused & {
 *	cpu: number, busy: number, lost: number, idle: number, total: number, switches: number,
 *	migrationsIn: number,
 * }} CpuSums
 */
/**
 * The figures of a range: of those that were there, the largest first; onCpu is the time of all CPUs.
 * @typedef {{
 *	isShort?: undefined, threads: ThreadSums[], tasks: TaskSums[], cpus: CpuSums[], events: Amount[],
 *	onCpu: number,
 * }} Statistics
 */
/**
 * What is known of the whole trace without reading it.
 * @typedef {{
 *	isShort: true, threads: ThreadSums[], tasks: TaskCount[], cpus: CpuSums[], events: {event: PmuEvent}[],
 * }} HeadStatistics
 */

class RangeSums {
	/** @param {Windows} pages @param {number} from @param {number} to */
	constructor(pages, from, to) {
		this.from = from;
		this.to = to;
		/** @type {(Sums | null)[]} */
		this.threads = pages.threads.map(() => null);
		/** @type {Map<number, TaskSums>} */
		this.tasks = new Map();
		/** @type {Amount[]} */
		this.events = pages.events.map((event) => ({ event, amount: 0, samples: 0, error: 0 }));
		/** @type {CpuSums[]} */
		this.cpus = pages.cpus.filter((cpu) => cpu.seen || cpu.gaps.rows).map(({ index }) => ({
			cpu: index, busy: 0, lost: 0, idle: 0, total: to - from, switches: 0, migrationsIn: 0,
			amounts: new Float64Array(0), turns: [],
		}));
	}

	/**
	 * The store has all rows of [from, to).
	 * @param {Store} store @param {number} from @param {number} to
	 */
	add(store, from, to) {
		for (const thread of store.threads) {
			if (!thread.session && !thread.nrSpans)
				continue;
			const sums = this.threads[thread.index] = this.threads[thread.index] ||
				{ account: newAccount(), ...store.pmu.nothingCaused(), spinning: 0 };
			addAccount(sums.account, store.account(thread.index, from, to));
			store.pmu.addCaused(sums, "threads", thread.index, from, to);
			for (const level of thread.levels)
				sums.spinning += this.addSpans(store, thread, level, from, to);
		}
		for (const sums of this.events)
			store.pmu.addAmounts(sums, from, to, [this.from, this.to]);
		this.addCpus(store, from, to);
	}

	/**
	 * What each CPU did. As in Store.account(), what happens at the very end of the trace belongs to
	 * the ranges that reach it.
	 * @param {Store} store @param {number} from @param {number} to
	 */
	addCpus(store, from, to) {
		const last = to >= store.duration ? Infinity : to;
		const arrived = countArrivals(store, from, last);
		for (const sums of this.cpus) {
			const { index, slices, gaps } = store.cpus[sums.cpu];
			sums.busy += store.busyTime(index, from, to, false);
			for (let row = 0; row < gaps.rows; row++)
				sums.lost += Math.max(Math.min(gaps.end[row], to) - Math.max(gaps.start[row], from), 0);
			sums.switches += countSwitches(slices, from, last);
			sums.migrationsIn += arrived[index];
			if (!sums.turns.length)
				Object.assign(sums, store.pmu.nothingCaused());
			store.pmu.addCaused(sums, "cpus", index, from, to);
		}
	}

	/**
	 * Adds the spans of one depth. They follow each other, as the states do, so both are walked at
	 * once: the cost is that of the rows in the range, not of a search for each span. Returns for how long the thread was
	 * on a CPU, and not in
	 * interrupts, in those that wait, and are in no other that does.
	 * @param {Store} store
	 * @param {Thread} thread
	 * @param {Level} level
	 * @param {number} from
	 * @param {number} to
	 */
	addSpans(store, thread, level, from, to) {
		const { spans, states, index } = thread;
		let state = Math.max(lastAtMost(states.start, from), 0);
		let spinning = 0;
		for (let i = Math.max(lastAtMost(level.start, from), 0); i < level.rows && level.start[i] < to; i++) {
			const start = Math.max(level.start[i], from);
			const end = Math.min(level.end[i], to);
			if (end <= start && level.end[i] < from)
				continue;
			const row = level.row[i];
			const task = this.taskOf(store, spans, row);
			if (from === this.from || level.start[i] >= from)
				this.countSpan(store, task, thread, row);
			task.wall += Math.max(end - start, 0);
			store.pmu.addCaused(task, "threads", index, start, end);
			while (state + 1 < states.rows && states.start[state + 1] <= start)
				state++;
			const isOuterWait = task.waits && !isInWait(store, thread, row, start);
			if (isOuterWait)
				spinning -= store.stolen[index]?.amount(start, end) || 0;
			for (let s = state; s < states.rows && states.start[s] < end; s++) {
				const ns = Math.max(
					Math.min(store.stateEnd(index, s), end) - Math.max(states.start[s], start), 0);
				task.ns[states.state[s]] += ns;
				if (isOuterWait && states.state[s] === STATE.RUNNING)
					spinning += ns;
			}
		}
		return spinning;
	}

	/**
	 * In the part in which it begins, with its length in the whole range. Of equals the first stays.
	 * @param {Store} store
	 * @param {TaskSums} task
	 * @param {Thread} thread
	 * @param {number} row
	 */
	countSpan(store, task, { spans, index }, row) {
		const ns = Math.min(spans.end[row], this.to) - Math.max(spans.start[row], this.from);
		const place = [index, spans.depth[row], spans.start[row]];
		task.count++;
		if (ns < task.longestNs || (ns === task.longestNs && !isBefore(place, task.place)))
			return;
		task.longestNs = ns;
		task.place = place;
		task.longest = itemToText(store, { kind: "span", thread: index, row });
	}

	/** @param {Store} store @param {Spans} spans @param {number} row */
	taskOf(store, spans, row) {
		const waits = spans.kind[row] === SPAN_WAIT;
		const key = spans.name[row] * 2 + (waits ? 1 : 0);
		let task = this.tasks.get(key);
		if (!task) {
			task = {
				name: spans.name[row], waits, count: 0, wall: 0, longestNs: -1, longest: null, place: [],
				ns: new Float64Array(NR_STATES), ...store.pmu.nothingCaused(),
			};
			this.tasks.set(key, task);
		}
		return task;
	}

	/** @returns {Statistics} */
	result() {
		const threads = seenThreads(this.threads, this.to - this.from);
		for (const own of this.cpus)
			own.idle = Math.max(own.total - own.busy - own.lost, 0);
		return {
			threads, tasks: [...this.tasks.values()].sort((a, b) => b.wall - a.wall),
			cpus: this.cpus, events: this.events, onCpu: this.cpus.reduce((sum, { busy }) => sum + busy, 0),
		};
	}
}

/**
 * Whether a wait span that is open at @ns is inside another one.
 * @param {Store} store @param {Thread} thread @param {number} row @param {number} ns
 */
function isInWait(store, { spans, index }, row, ns) {
	return store.spansAt(index, ns).some((other) =>
		spans.depth[other] < spans.depth[row] && spans.kind[other] === SPAN_WAIT);
}

/**
 * Of what each thread did, or null: those that did anything, in @total ns; the busiest first.
 * @param {((Partial<Caused> & {account: Account, spinning?: number}) | null)[]} sums @param {number} total
 */
function seenThreads(sums, total) {
	/** @type {ThreadSums[]} */
	const threads = [];
	sums.forEach((own, thread) => {
		const seen = own ? own.account.ns.reduce((sum, ns, state) =>
			state === STATE.UNKNOWN || state === STATE.DEAD ? sum : sum + ns, 0) : 0;
		if (own && seen > 0)
			threads.push({ thread, ...own, total });
	});
	return threads.sort((a, b) => b.account.ns[STATE.RUNNING] - a.account.ns[STATE.RUNNING]);
}

/**
 * What is known of the whole trace without reading it: less than rangeStatistics() tells.
 * @param {Windows} pages
 * @returns {HeadStatistics}
 */
export function headStatistics(pages) {
	const tasks = pages.head.span_names.map(([name, kind, count]) => ({ name, waits: kind === SPAN_WAIT, count }));
	const accounts = pages.threads.map(({ session, nrSpans, totals }) =>
		session || nrSpans ? { account: totals } : null);
	return {
		isShort: true, tasks: tasks.sort((a, b) => b.count - a.count),
		threads: seenThreads(accounts, pages.duration), cpus: [], events: pages.events.map((event) => ({ event })),
	};
}

/**
 * How many migrations led to each CPU in [from, last).
 * @param {Store} store @param {number} from @param {number} last
 */
function countArrivals({ migrations, cpus }, from, last) {
	const arrived = new Uint32Array(cpus.length);
	for (let row = lowerBound(migrations.start, from);
	     row < migrations.rows && migrations.start[row] < last; row++)
		arrived[migrations.to[row]]++;
	return arrived;
}

/**
 * Slices that end in [from, last) because their thread left the CPU.
 * @param {Slices} slices @param {number} from @param {number} last
 */
function countSwitches(slices, from, last) {
	let switches = 0;
	for (let row = lowerBound(slices.end, from); row < slices.rows && slices.end[row] < last; row++)
		if (slices.endState[row] >= STATE.PREEMPTED && slices.endState[row] !== STATE.RUNNABLE)
			switches++;
	return switches;
}

/** @param {number[]} a @param {number[]} b */
function isBefore(a, b) {
	const at = a.findIndex((value, i) => value !== b[i]);
	return at >= 0 && a[at] < b[at];
}

/** @returns {Account} of no time */
export function newAccount() {
	return { ns: new Float64Array(NR_STATES), switches: 0, preemptions: 0, migrations: 0, stolen: 0 };
}

/** @param {Account} sums @param {Account} account */
export function addAccount(sums, account) {
	account.ns.forEach((ns, state) => sums.ns[state] += ns);
	sums.switches += account.switches;
	sums.preemptions += account.preemptions;
	sums.migrations += account.migrations;
	sums.stolen += account.stolen;
}

/**
 * @param {Store} store
 * @param {number} from
 * @param {number} to
 * @returns {Statistics}
 */
export function rangeStatistics(store, from, to) {
	const sums = new RangeSums(store.pages, from, to);
	sums.add(store, from, to);
	return sums.result();
}

/**
 * Calls use(store, from, to) for parts of [from, to), cut at windows' cuts, one after the other.
 * What begins at a cut may be in the window before it, so that one is in the store, too. Whether it
 * came to the end: false when @wanted() said no.
 * @param {Windows} pages
 * @param {number} from
 * @param {number} to
 * @param {(store: Store, from: number, to: number) => void} use
 * @param {Wanted} wanted
 * @param {Progress} progress
 * @returns {Promise<boolean>}
 */
export async function eachPart(pages, from, to, use, wanted, progress) {
	const [first, last] = [pages.at(from), pages.at(Math.max(to, from))];
	for (let window = first; window <= last; window++) {
		progress(window - first, last - first + 1);
		const store = await pages.storeOf(Math.max(window - 1, 0), window + 1, wanted);
		if (!store)
			return false;
		use(store, window === first ? from : pages.start[window], window === last ? to : pages.end(window));
		await pause();
	}
	return wanted();
}

/**
 * As rangeStatistics(), of any range; null when @wanted() said no.
 * @param {Windows} pages
 * @param {number} from
 * @param {number} to
 * @param {Wanted} wanted
 * @param {Progress} progress
 * @returns {Promise<Statistics | null>}
 */
export async function rangeStatisticsFar(pages, from, to, wanted, progress) {
	const sums = new RangeSums(pages, from, to);
	const isDone = await eachPart(pages, from, to, (store, start, end) => sums.add(store, start, end),
		wanted, progress);
	return isDone ? sums.result() : null;
}
