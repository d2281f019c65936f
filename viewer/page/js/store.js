// SPDX-License-Identifier: GPL-2.0
/*
 * The trace, for all other modules: they ask here, and nowhere else do they touch how the data is
 * held. Rows are named by (owner, row); times are nanoseconds since the trace began.
 */
const STATE = {
	UNKNOWN: 0, RUNNING: 1, PREEMPTED: 2, WOKEN: 3, BLOCKED: 4, BLOCKED_IO: 5, STOPPED: 6, DEAD: 7,
};
const STATE_NAMES = [
	"unknown", "running", "preempted", "woken", "blocked", "blocked (I/O)", "stopped", "exited",
];
const NR_STATES = STATE_NAMES.length;

const SPAN_WAIT = 1;		/* in spans.kind */
const SPAN_HAS_VALUE = 1;	/* in spans.flags */
const SPAN_OPEN_END = 2;
const MARK_IS_COUNTER = 1;	/* in marks.flags */
const MARK_HAS_VALUE = 2;

/* Tables that belong to no CPU or thread. */
const WHOLE_TABLES = ["migrations", "wakeups", "samples", "sliceCounts", "pmuGaps"];

/* The first index in [from, to) whose value is at least @value, else @to. */
function lowerBound(array, value, from = 0, to = array.length) {
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (array[middle] < value)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* The last index whose value is at most @value, or -1. */
function lastAtMost(array, value, from = 0, to = array.length) {
	const low = from;
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (array[middle] <= value)
			from = middle + 1;
		else
			to = middle;
	}
	return from > low ? from - 1 : -1;
}

/* Row numbers by owner: rows of owner i are rows[first[i]] ... rows[first[i + 1] - 1], ascending. */
function groupRows(owners, nrOwners) {
	const first = new Uint32Array(nrOwners + 1);
	for (let i = 0; i < owners.length; i++)
		first[owners[i] + 1]++;
	for (let i = 0; i < nrOwners; i++)
		first[i + 1] += first[i];
	const next = first.slice();
	const rows = new Uint32Array(owners.length);
	for (let i = 0; i < owners.length; i++)
		rows[next[owners[i]]++] = i;
	return { of: (owner) => rows.subarray(first[owner], first[owner + 1]) };
}

class Store {
	constructor(head) {
		this.head = head;
		this.strings = head.strings;
		this.duration = head.trace.duration_ns;
		this.cpus = head.cpus.map((seen, index) => ({
			index, seen: Boolean(seen), slices: emptyTable("slices"), gaps: emptyTable("gaps"),
		}));
		this.threads = head.threads.tid.map((tid, index) => ({
			index,
			tid,
			tgid: head.threads.tgid[index],
			comm: this.strings[head.threads.comm[index]],
			parent: head.threads.parent[index],
			session: Boolean(head.threads.session[index]),
			unmatched: head.threads.unmatched[index],
			states: emptyTable("states"),
			stateEdits: emptyTable("stateEdits"),
			spans: emptyTable("spans"),
			marks: emptyTable("marks"),
			spanDrains: emptyTable("spanDrains"),
			markDrains: emptyTable("markDrains"),
		}));
		for (const kind of WHOLE_TABLES)
			this[kind] = emptyTable(kind);
	}

	static async load() {
		const store = new Store(readHead());
		await readBlocks((block) => store.addTable(block));
		store.finish();
		return store;
	}

	addTable({ kind, owner, table }) {
		if (kind === "slices" || kind === "gaps")
			this.cpus[owner][kind] = table;
		else if (WHOLE_TABLES.includes(kind))
			this[kind] = table;
		else
			this.threads[owner][kind] = table;
	}

	finish() {
		buildStates(this);
		this.pmu = new Pmu(this);
		this.migrationsOf = groupRows(this.migrations.thread, this.threads.length);
		this.sessionMoves = Uint32Array.from(this.migrations.thread.keys())
			.filter((row) => this.threads[this.migrations.thread[row]].session);
		this.wakeupsOf = groupRows(this.wakeups.wakee, this.threads.length);
		for (const thread of this.threads) {
			thread.levels = spanLevels(thread.spans);
			thread.points = markRows(thread.marks, false);
			thread.counters = counterSeries(thread.marks);
			thread.onCpu = this.account(thread.index, 0, this.duration).ns[STATE.RUNNING];
			addLaneFigures(thread);
		}
		for (const cpu of this.cpus)
			cpu.busy = busySums(cpu.slices, this.threads);
	}

	string(id) {
		return this.strings[id];
	}

	/* The end of a row of thread states. */
	stateEnd(thread, row) {
		const { states } = this.threads[thread];
		return row + 1 < states.rows ? states.start[row + 1] : this.duration;
	}

	/* The row of thread states that holds at @ns, or -1 before the first. */
	stateAt(thread, ns) {
		return lastAtMost(this.threads[thread].states.start, ns);
	}

	/* The row of CPU slices in which @ns lies, or -1. */
	sliceAt(cpu, ns) {
		const { slices } = this.cpus[cpu];
		const row = lastAtMost(slices.start, ns);
		return row >= 0 && (ns < slices.end[row] || slices.start[row] === ns) ? row : -1;
	}

	/* The slice that is the same as a running state, as {cpu, row}, or null. */
	sliceOfState(thread, row) {
		const { states } = this.threads[thread];
		const cpu = states.cpu[row];
		if (states.state[row] !== STATE.RUNNING || cpu < 0 || cpu >= this.cpus.length)
			return null;
		const slice = this.sliceAt(cpu, states.start[row]);
		return slice >= 0 && this.cpus[cpu].slices.thread[slice] === thread ?
			{ cpu, row: slice } : null;
	}

	/* The thread's next (step 1) or last (step -1) running state from @row on, or -1. */
	runningState(thread, row, step) {
		const { states } = this.threads[thread];
		while (row >= 0 && row < states.rows && states.state[row] !== STATE.RUNNING)
			row += step;
		return row < states.rows ? row : -1;
	}

	/*
	 * Time in each state and what happened in [from, to) of a thread's life: the same figures
	 * as model_account() gives the report. What happens at the very end of the trace belongs to
	 * the ranges that reach it.
	 */
	account(thread, from, to) {
		const { states } = this.threads[thread];
		const result = { ns: new Float64Array(NR_STATES), switches: 0, preemptions: 0, migrations: 0 };
		const last = to >= this.duration ? Infinity : to;
		let known = 0;
		for (let row = Math.max(lowerBound(states.start, from) - 1, 0);
		     row < states.rows && states.start[row] < last; row++) {
			const start = states.start[row];
			const state = states.state[row];
			const ns = Math.max(Math.min(this.stateEnd(thread, row), to) - Math.max(start, from), 0);
			result.ns[state] += ns;
			known += ns;
			if (start >= from && state >= STATE.PREEMPTED && state !== STATE.WOKEN)
				result.switches++;
			if (start >= from && state === STATE.PREEMPTED)
				result.preemptions++;
		}
		result.ns[STATE.UNKNOWN] += to - from - known;
		const moves = this.migrationsOf.of(thread);
		result.migrations = firstRowFrom(moves, this.migrations.start, last) -
			firstRowFrom(moves, this.migrations.start, from);
		return result;
	}

	/* The spans around @ns of a thread, the outermost first: rows. */
	spansAt(thread, ns) {
		const rows = [];
		for (const level of this.threads[thread].levels) {
			const i = lastAtMost(level.start, ns);
			if (i < 0 || level.end[i] <= ns)
				break;
			rows.push(level.row[i]);
		}
		return rows;
	}

	/* The innermost span of its thread when a slice began, or -1. */
	taskOfSlice(cpu, row) {
		const owner = this.cpus[cpu];
		owner.tasks = owner.tasks || this.findTasks(owner.slices);
		return owner.tasks[row];
	}

	/* Slices and spans are both in time order: each thread's place in its spans only moves on. */
	findTasks(slices) {
		const places = this.threads.map((thread) => new Int32Array(thread.levels.length).fill(-1));
		return Int32Array.from(slices.thread, (thread, row) => {
			const ns = slices.start[row];
			let innermost = -1;
			this.threads[thread].levels.forEach((level, depth) => {
				let i = places[thread][depth];
				while (i + 1 < level.rows && level.start[i + 1] <= ns)
					i++;
				places[thread][depth] = i;
				if (i >= 0 && level.end[i] > ns)
					innermost = level.row[i];
			});
			return innermost;
		});
	}

	/* Who woke @thread for what it did at @ns: {ns, waker} (waker -1: idle or an interrupt), or null. */
	wakeupBefore(thread, ns) {
		const rows = this.wakeupsOf.of(thread);
		const i = firstRowFrom(rows, this.wakeups.start, ns + 1) - 1;
		if (i < 0)
			return null;
		return { ns: this.wakeups.start[rows[i]], waker: this.wakeups.waker[rows[i]] - 1 };
	}

	/* The row of a thread's migration onto a CPU at @ns, or -1. */
	migrationAt(thread, ns) {
		const rows = this.migrationsOf.of(thread);
		const i = firstRowFrom(rows, this.migrations.start, ns);
		return i < rows.length && this.migrations.start[rows[i]] === ns ? rows[i] : -1;
	}

	/* ns of [from, to) in which a CPU ran something; with @session, a thread of the session. */
	busyTime(cpu, from, to, session) {
		const { slices, busy } = this.cpus[cpu];
		const sums = session ? busy.session : busy.all;
		const upTo = (ns) => {
			const row = lastAtMost(slices.start, ns);
			if (row < 0)
				return 0;
			const counts = sums[row + 1] > sums[row];
			const missing = counts ? Math.max(slices.end[row] - ns, 0) : 0;
			return sums[row + 1] - missing;
		};
		return upTo(to) - upTo(from);
	}

	counts() {
		const sum = (list, rows) => list.reduce((total, item) => total + rows(item), 0);
		return {
			cpus: this.cpus.filter((cpu) => cpu.seen).length,
			threads: this.threads.length,
			slices: sum(this.cpus, (cpu) => cpu.slices.rows),
			gaps: sum(this.cpus, (cpu) => cpu.gaps.rows),
			states: sum(this.threads, (thread) => thread.states.rows),
			spans: sum(this.threads, (thread) => thread.spans.rows),
			marks: sum(this.threads, (thread) => thread.points.length),
			counters: sum(this.threads, (thread) => thread.counters.length),
			migrations: this.migrations.rows,
			wakeups: this.wakeups.rows,
			samples: this.samples.rows,
			sliceCounts: this.sliceCounts.rows,
		};
	}
}

/* The first place in @rows whose row's time is at least @ns. */
function firstRowFrom(rows, times, ns) {
	let from = 0;
	let to = rows.length;
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (times[rows[middle]] < ns)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Spans by depth: those of one depth do not overlap, so each level can be searched by time. */
function spanLevels(spans) {
	const sizes = [];
	for (let i = 0; i < spans.rows; i++)
		sizes[spans.depth[i]] = (sizes[spans.depth[i]] || 0) + 1;
	const levels = Array.from(sizes, (size = 0) => ({
		start: new Float64Array(size), end: new Float64Array(size), row: new Uint32Array(size), rows: 0,
	}));
	for (let i = 0; i < spans.rows; i++) {
		const level = levels[spans.depth[i]];
		level.start[level.rows] = spans.start[i];
		level.end[level.rows] = spans.end[i];
		level.row[level.rows++] = i;
	}
	return levels;
}

function markRows(marks, counters) {
	const wanted = counters ? MARK_IS_COUNTER : 0;
	const rows = [];
	for (let i = 0; i < marks.rows; i++)
		if ((marks.flags[i] & MARK_IS_COUNTER) === wanted)
			rows.push(i);
	return Uint32Array.from(rows);
}

/* A thread's counters, one series a name: [{name, start, value, row, rows, min, max}]. */
function counterSeries(marks) {
	const rowsByName = new Map();
	for (const row of markRows(marks, true)) {
		const rows = rowsByName.get(marks.name[row]);
		if (rows)
			rows.push(row);
		else
			rowsByName.set(marks.name[row], [row]);
	}
	return Array.from(rowsByName, ([name, rows]) => {
		const value = Float64Array.from(rows, (row) => marks.value[row]);
		return {
			name,
			rows: rows.length,
			start: Float64Array.from(rows, (row) => marks.start[row]),
			value,
			row: Uint32Array.from(rows),
			min: value.reduce((a, b) => Math.min(a, b), 0),
			max: value.reduce((a, b) => Math.max(a, b), 0),
		};
	});
}

/* What the layout of lanes asks for. */
function addLaneFigures(thread) {
	thread.depth = thread.levels.length;
	thread.nrSpans = thread.spans.rows;
	thread.hasMarks = thread.points.length > 0;
	thread.series = thread.counters;
}

/* sums[i]: the time on CPU in slices before row i. */
function busySums(slices, threads) {
	const all = new Float64Array(slices.rows + 1);
	const session = new Float64Array(slices.rows + 1);
	for (let i = 0; i < slices.rows; i++) {
		const length = slices.end[i] - slices.start[i];
		all[i + 1] = all[i] + length;
		session[i + 1] = session[i] + (threads[slices.thread[i]].session ? length : 0);
	}
	return { all, session };
}
