// SPDX-License-Identifier: GPL-2.0
/*
 * The trace, or as much of it as is loaded, for all other modules: they ask here, and nowhere else
 * do they touch how the data is held. Rows are named by (owner, row) of a store; times are
 * nanoseconds since the trace began.
 */
import { NR_STATES, STATE } from "./codes.js";
import { deviceRows } from "./devices.js";
import { eventText } from "./event_texts.js";
import { byStart, joinTables, rowsWithin } from "./join.js";
import { stolenByThread } from "./interrupts.js";
import { keep } from "./lazy.js";
import { CpuRows, ThreadRows } from "./owners.js";
import { EventRows, Pmu } from "./pmu.js";
import { firstRowFrom, lastAtMost, lowerBound } from "./row_search.js";
import { slotRowsOf } from "./slots.js";
import { inTurns } from "./turns.js";
import { uncoreRows } from "./uncore.js";

/** @typedef {import("./windows.js").Piece} Piece */
/** @typedef {import("./tables.js").Slices} Slices */
/** @typedef {import("./windows.js").Wanted} Wanted */
/** @typedef {import("./windows.js").Windows} Windows */

/** @typedef {import("./tables.js").BlockIo} BlockIo */
/** @typedef {import("./tables.js").Messages} Messages */
/** @typedef {import("./tables.js").Migrations} Migrations */
/** @typedef {import("./tables.js").PmuGaps} PmuGaps */
/** @typedef {import("./tables.js").Samples} Samples */
/** @typedef {import("./tables.js").SliceCounts} SliceCounts */
/** @typedef {import("./tables.js").TraceEvents} TraceEvents */
/** @typedef {import("./tables.js").Wakeups} Wakeups */
/** @typedef {import("./join.js").OrderKey} OrderKey */
/** @typedef {{of(owner: number): Uint32Array}} RowGroups row numbers by owner */
/**
 * Time in each state, and what happened, in a stretch of a thread's life; stolen: by interrupts, of its
 * time on CPUs.
 * @typedef {{
 *	ns: Float64Array, switches: number, preemptions: number, migrations: number, stolen: number,
 * }} Account
 */

/**
 * Row numbers by owner: rows of owner i are rows[first[i]] ... rows[first[i + 1] - 1], ascending.
 * @param {Uint32Array} owners @param {number} nrOwners
 */
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
	/** @param {number} owner */
	const of = (owner) => rows.subarray(first[owner], first[owner + 1]);
	return { of };
}

/**
 * An owner of the page's, with rows of its own.
 * @template {object} T, L
 * @param {T} owner @param {L} loaded @returns {T}
 */
function withRows(owner, loaded) {
	return Object.assign(Object.create(owner), { loaded });
}

/**
 * Gives the rows of @others to @owners, which are as many.
 * @template L @template {{loaded: L}} T
 * @param {T[]} owners @param {T[]} others
 */
function takeRows(owners, others) {
	others.forEach(({ loaded }, i) => owners[i].loaded = loaded);
	return owners;
}

/**
 * Of some windows that follow each other, from @first on: their rows, and those of the rest that
 * have a part in their time. A table is put together when it is first asked for. A store has threads,
 * CPUs and events for itself until it is shown: then those of the page are its own.
 */
export class Store {
	/** @param {Windows} pages @param {number} first @param {Piece[]} pieces */
	constructor(pages, first, pieces) {
		this.pages = pages;
		this.head = pages.head;
		this.strings = pages.strings;
		this.duration = pages.duration;
		this.first = first;
		this.past = first + pieces.length;
		this.pieces = pieces;
		this.from = pieces.length ? pages.start[first] : -1;
		this.to = pieces.length ? pages.end(this.past - 1) : -1;
		this.threads = pages.threads.map((thread, i) => withRows(thread, new ThreadRows(this, i)));
		this.cpus = pages.cpus.map((cpu, i) => withRows(cpu, new CpuRows(this, i)));
		this.events = pages.events.map((event) => withRows(event, new EventRows(this, event)));
		this.pmu = new Pmu(this);
	}

	/* In place of the one that was shown before, whose rows are then out of reach. */
	show() {
		this.threads = takeRows(this.pages.threads, this.threads);
		this.cpus = takeRows(this.pages.cpus, this.cpus);
		this.events = takeRows(this.pages.events, this.events);
		this.pmu = new Pmu(this);
		return this;
	}

	/**
	 * Is all that is seen of [start, end] here?
	 * @param {number} start
	 * @param {number} end
	 * @returns {boolean}
	 */
	covers(start, end) {
		return this.isWhole || (this.from <= Math.max(start, 0) && Math.min(end, this.duration) <= this.to);
	}

	/**
	 * And all that begins in it, too? What begins at a cut may be in the window before.
	 * @param {number} start
	 * @param {number} end
	 * @returns {boolean}
	 */
	hasAll(start, end) {
		return this.covers(start, end) && (this.first === 0 || start > this.from);
	}

	get isWhole() {
		return this.past - this.first === this.pages.nr;
	}

	/**
	 * Do rows that begin at @ns stand here, with all that begin before or after them?
	 * @param {number} ns
	 * @returns {boolean}
	 */
	isInside(ns) {
		return (this.first === 0 || ns > this.from) && (this.past === this.pages.nr || ns < this.to);
	}

	/**
	 * A table of all pieces, and of what the rest has in their time.
	 * @template {import("./join.js").OrderedTable} T
	 * @param {(piece: Piece) => T} tableOf
	 * @param {OrderKey} [key]
	 * @returns {T}
	 */
	join(tableOf, key) {
		return joinTables(this.pieces.map(tableOf),
			rowsWithin(tableOf(this.pages.rest), this.from, this.to), key);
	}

	/** @returns {Migrations} */
	get migrations() {
		return keep(this, "migrations", this.join((piece) => piece.migrations));
	}

	/** @returns {Messages} */
	get messages() {
		return keep(this, "messages", this.join((piece) => piece.messages));
	}

	/**
	 * In the order of their begins.
	 * @returns {BlockIo}
	 */
	get blockIo() {
		return keep(this, "blockIo", byStart(this.join((piece) => piece.blockIo, "end")));
	}

	/**
	 * In the order of pages.devices.
	 * @returns {import("./devices.js").DeviceRows[]}
	 */
	get devices() {
		const { devices } = this.pages;
		const placeOf = new Map(devices.map(({ name }, place) => [name, place]));
		const groups = groupRows(Uint32Array.from(this.blockIo.device,
			(name) => placeOf.get(name) ?? devices.length), devices.length + 1);
		return keep(this, "devices", devices.map((_, place) => deviceRows(this.blockIo, groups.of(place))));
	}

	/**
	 * In the order of pages.uncore.
	 * @returns {import("./uncore.js").UncoreRows[]}
	 */
	get uncore() {
		return keep(this, "uncore", uncoreRows(this.uncoreReadings, this.pages.uncore));
	}

	/** @returns {import("./tables.js").UncoreReadings} */
	get uncoreReadings() {
		return keep(this, "uncoreReadings", byStart(this.join((piece) => piece.uncoreReadings, "end")));
	}

	/** @returns {Wakeups} */
	get wakeups() {
		return keep(this, "wakeups", this.join((piece) => piece.wakeups));
	}

	/** @returns {(import("./pmu.js").Series | undefined)[]} */
	get stolen() {
		return keep(this, "stolen", stolenByThread(this.cpus.map(({ interrupts }) => interrupts)));
	}

	/** @returns {Samples} */
	get samples() {
		return keep(this, "samples", this.join((piece) => piece.samples));
	}

	/** @returns {SliceCounts} */
	get sliceCounts() {
		return keep(this, "sliceCounts", this.join((piece) => piece.sliceCounts, "end"));
	}

	/** @returns {PmuGaps} */
	get pmuGaps() {
		return keep(this, "pmuGaps", joinTables(this.pieces.map((piece) => piece.pmuGaps),
			this.pages.rest.pmuGaps));
	}

	/**
	 * By thread; null: no figures of issue slots can be computed.
	 * @returns {import("./slots.js").SlotRows[] | null}
	 */
	get slots() {
		const { slotPlan } = this.pages;
		return keep(this, "slots", slotPlan && slotRowsOf(slotPlan, this));
	}

	/**
	 * Events of kinds that nothing else shows: those of the rest are here wherever they are.
	 * @returns {TraceEvents}
	 */
	get traceEvents() {
		return keep(this, "traceEvents", joinTables(this.pieces.map((piece) => piece.traceEvents),
			this.pages.rest.traceEvents));
	}

	/** @returns {RowGroups} */
	get traceEventsOn() {
		return keep(this, "traceEventsOn",
			groupRows(Uint32Array.from(this.traceEvents.cpu), this.cpus.length));
	}

	/**
	 * By thread + 1; 0: none.
	 * @returns {RowGroups}
	 */
	get traceEventsIn() {
		return keep(this, "traceEventsIn", groupRows(this.traceEvents.thread, this.threads.length + 1));
	}

	/** @returns {RowGroups} */
	get migrationsOf() {
		return keep(this, "migrationsOf", groupRows(this.migrations.thread, this.threads.length));
	}

	/**
	 * By the threads that sent them, and by those that received them.
	 * @returns {{sent: RowGroups, received: RowGroups}}
	 */
	get messagesOf() {
		const { sender, receiver } = this.messages;
		return keep(this, "messagesOf", {
			sent: groupRows(sender, this.threads.length), received: groupRows(receiver, this.threads.length),
		});
	}

	/**
	 * The ends of all messages, which ascend.
	 * @returns {Float64Array}
	 */
	get messageEnds() {
		return keep(this, "messageEnds", this.messages.end.slice().sort());
	}

	/** @returns {Uint32Array} */
	get sessionMoves() {
		const { thread: mover, rows: nr } = this.migrations;
		const inSession = this.threads.map((thread) => thread.session);
		const rows = new Uint32Array(nr);
		let at = 0;
		for (let row = 0; row < nr; row++)
			if (inSession[mover[row]])
				rows[at++] = row;
		return keep(this, "sessionMoves", rows.slice(0, at));
	}

	/** @returns {RowGroups} */
	get wakeupsOf() {
		return keep(this, "wakeupsOf", groupRows(this.wakeups.wakee, this.threads.length));
	}

	/**
	 * What a counter was before what is loaded, as the overview has it: to the bucket before; or null.
	 * @param {number} thread
	 * @param {number} name
	 */
	counterBefore(thread, name) {
		const { overview } = this.pages;
		const runs = this.first > 0 && overview ? overview.threads[thread].counters.get(name) : null;
		if (!overview || !runs)
			return null;
		const run = lastAtMost(runs.from, overview.bucketAt(this.from) - 1);
		return run >= 0 && runs.min[run] <= runs.max[run] ? runs.last[run] : null;
	}

	/**
	 * Puts together what a drawing asks for, giving others their turn; false: @wanted() said no.
	 * @param {Wanted} wanted
	 * @returns {Promise<boolean>}
	 */
	prepare(wanted) {
		return inTurns(this.steps(), wanted);
	}

	* steps() {
		for (const thread of this.threads) {
			yield () => thread.states;
			yield () => thread.levels;
			yield () => thread.kernelLevels;
			yield () => [thread.points, thread.counters];
		}
		for (const cpu of this.cpus)
			yield () => [cpu.slices, cpu.busy, cpu.interruptLevels, cpu.idle, cpu.frequencies];
		yield () => this.sessionMoves;
		yield () => [this.migrationsOf, this.stolen];
		yield () => [this.messagesOf, this.messageEnds];
		yield () => this.devices;
		yield () => this.uncore;
		for (const cpu of this.cpus)
			yield () => cpu.tasks;
		for (const event of this.events)
			yield () => [event.cpus, event.threads];
		yield () => this.slots;
		yield () => [this.traceEventsOn, this.traceEventsIn];
	}

	/**
	 * What an event says.
	 * @param {number} row of traceEvents
	 * @returns {string} empty: it could not be printed
	 */
	eventText(row) {
		return eventText(this.traceEvents.text[row]);
	}

	/** @param {number} id */
	string(id) {
		return this.strings[id];
	}

	/**
	 * The end of a row of thread states.
	 * @param {number} thread
	 * @param {number} row
	 */
	stateEnd(thread, row) {
		const { states } = this.threads[thread];
		return row + 1 < states.rows ? states.start[row + 1] : states.end;
	}

	/**
	 * The row of thread states that holds at @ns, or -1 before the first.
	 * @param {number} thread
	 * @param {number} ns
	 * @returns {number}
	 */
	stateAt(thread, ns) {
		return lastAtMost(this.threads[thread].states.start, ns);
	}

	/**
	 * The row of CPU slices in which @ns lies, or -1.
	 * @param {number} cpu
	 * @param {number} ns
	 * @returns {number}
	 */
	sliceAt(cpu, ns) {
		const { slices } = this.cpus[cpu];
		const row = lastAtMost(slices.start, ns);
		return row >= 0 && (ns < slices.end[row] || slices.start[row] === ns) ? row : -1;
	}

	/**
	 * The slice that is the same as a running state, as {cpu, row}, or null.
	 * @param {number} thread
	 * @param {number} row
	 */
	sliceOfState(thread, row) {
		const { states } = this.threads[thread];
		const cpu = states.cpu[row];
		if (states.state[row] !== STATE.RUNNING || cpu < 0 || cpu >= this.cpus.length)
			return null;
		const slice = this.sliceAt(cpu, states.start[row]);
		return slice >= 0 && this.cpus[cpu].slices.thread[slice] === thread ?
			{ cpu, row: slice } : null;
	}

	/**
	 * Time in each state and what happened in [from, to) of a thread's life: the same figures
	 * as model_account() gives the report. What happens at the very end of the trace belongs to
	 * the ranges that reach it.
	 * @param {number} thread
	 * @param {number} from
	 * @param {number} to
	 * @returns {Account}
	 */
	account(thread, from, to) {
		const { states } = this.threads[thread];
		const result = {
			ns: new Float64Array(NR_STATES), switches: 0, preemptions: 0, migrations: 0,
			stolen: this.stolen[thread]?.amount(from, to) || 0,
		};
		const last = to >= this.duration ? Infinity : to;
		let known = 0;
		for (let row = Math.max(lowerBound(states.start, from) - 1, 0);
		     row < states.rows && states.start[row] < last; row++) {
			const start = states.start[row];
			const state = states.state[row];
			const ns = Math.max(Math.min(this.stateEnd(thread, row), to) - Math.max(start, from), 0);
			result.ns[state] += ns;
			known += ns;
			if (start >= from && state >= STATE.PREEMPTED && state !== STATE.RUNNABLE)
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

	/**
	 * The spans around @ns of a thread, the outermost first: rows.
	 * @param {number} thread
	 * @param {number} ns
	 */
	spansAt(thread, ns) {
		/** @type {number[]} */
		const rows = [];
		for (const level of this.threads[thread].levels) {
			const i = lastAtMost(level.start, ns);
			if (i < 0 || level.end[i] <= ns)
				break;
			rows.push(level.row[i]);
		}
		return rows;
	}

	/**
	 * The same of what a thread does in the kernel.
	 * @param {number} thread
	 * @param {number} ns
	 */
	kernelSlicesAt(thread, ns) {
		/** @type {number[]} */
		const rows = [];
		for (const level of this.threads[thread].kernelLevels) {
			const i = lastAtMost(level.start, ns);
			if (i >= 0 && level.end[i] > ns)
				rows.push(level.row[i]);
		}
		return rows;
	}

	/**
	 * The interrupts around one, the outermost first: rows.
	 * @param {number} cpu
	 * @param {number} row
	 */
	interruptsAround(cpu, row) {
		const { interrupts, interruptLevels } = this.cpus[cpu];
		return interruptLevels.slice(0, interrupts.depth[row]).flatMap((level) => {
			const i = lastAtMost(level.start, interrupts.start[row]);
			return i >= 0 && level.end[i] >= interrupts.end[row] ? [level.row[i]] : [];
		});
	}

	/**
	 * The innermost span of its thread when a slice began, or -1.
	 * @param {number} cpu
	 * @param {number} row
	 */
	taskOfSlice(cpu, row) {
		return this.cpus[cpu].tasks[row];
	}

	/**
	 * Slices and spans are both in time order: each thread's place in its spans only moves on.
	 * @param {Slices} slices
	 * @returns {Int32Array}
	 */
	findTasks(slices) {
		const levelsOf = this.threads.map((thread) => thread.depth ? thread.levels : []);
		const places = levelsOf.map((levels) => new Int32Array(levels.length).fill(-1));
		const tasks = new Int32Array(slices.rows).fill(-1);
		for (let row = 0; row < slices.rows; row++) {
			const levels = levelsOf[slices.thread[row]];
			const place = places[slices.thread[row]];
			const ns = slices.start[row];
			for (let depth = 0; depth < levels.length; depth++) {
				const level = levels[depth];
				let i = place[depth];
				while (i + 1 < level.rows && level.start[i + 1] <= ns)
					i++;
				place[depth] = i;
				if (i >= 0 && level.end[i] > ns)
					tasks[row] = level.row[i];
			}
		}
		return tasks;
	}

	/**
	 * Who woke @thread for what it did at @ns: {ns, waker} (waker -1: idle or an interrupt), or null.
	 * @param {number} thread
	 * @param {number} ns
	 */
	wakeupBefore(thread, ns) {
		const rows = this.wakeupsOf.of(thread);
		const i = firstRowFrom(rows, this.wakeups.start, ns + 1) - 1;
		if (i < 0)
			return null;
		return { ns: this.wakeups.start[rows[i]], waker: this.wakeups.waker[rows[i]] - 1 };
	}

	/**
	 * The row of a thread's migration onto a CPU at @ns, or -1.
	 * @param {number} thread
	 * @param {number} ns
	 */
	migrationAt(thread, ns) {
		const rows = this.migrationsOf.of(thread);
		const i = firstRowFrom(rows, this.migrations.start, ns);
		return i < rows.length && this.migrations.start[rows[i]] === ns ? rows[i] : -1;
	}

	/**
	 * ns of [from, to) in which a CPU ran something; with @session, a thread of the session.
	 * @param {number} cpu
	 * @param {number} from
	 * @param {number} to
	 * @param {boolean} session
	 * @returns {number}
	 */
	busyTime(cpu, from, to, session) {
		const { slices, busy } = this.cpus[cpu];
		const sums = session ? busy.session : busy.all;
		/** @param {number} ns */
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

	/* Of the whole trace. */
	counts() {
		const { counts, series } = this.head;
		return {
			cpus: this.cpus.filter((cpu) => cpu.seen).length,
			threads: this.threads.length,
			slices: counts.slices,
			gaps: counts.gaps,
			states: counts.states,
			spans: counts.spans,
			marks: counts.marks,
			counters: series.length,
			migrations: counts.migrations,
			wakeups: counts.wakeups,
			samples: counts.samples,
			sliceCounts: counts.slice_counts,
			interrupts: counts.interrupts,
			traceEvents: (this.head.event_names || []).reduce((sum, [, nr]) => sum + nr, 0),
		};
	}
}
