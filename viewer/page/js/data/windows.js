// SPDX-License-Identifier: GPL-2.0
/*
 * The pieces in which the page holds a trace: the windows, each decoded when it is asked for; the
 * rest, which is what crosses the cuts between them; and the overview of the whole.
 *
 * A piece, decoded, has the tables of its owners, with holes where an owner has nothing. Of the rest,
 * looseStates stand in place of states.
 */
import { blockElement, pause, readBlock, readHead } from "./blocks.js";
import { EMPTY_TABLES, OVERVIEW_KINDS, readTables, tableSteps, TABLE_KINDS } from "./format.js";
import { buildStates } from "./implied.js";
import { readOverview } from "./overview.js";
import { Cpu, Thread } from "./owners.js";
import { PmuEvent } from "./pmu.js";
import { lastAtMost } from "./row_search.js";
import { SlotPlan } from "./slots.js";
import { Store } from "./store.js";
import { inTurns } from "./turns.js";
import { unitOfRate } from "./uncore.js";
import { NO_WAKEUPS, wakeupsOf } from "./wakeups.js";

/** @typedef {import("./overview.js").Overview} Overview */
/** @typedef {import("./owners.js").SeriesHead} SeriesHead */
/** @typedef {import("./tables.js").CpuTables} CpuTables */
/** @typedef {import("./devices.js").DeviceHead} DeviceHead */
/** @typedef {import("./blocks.js").Head} Head */
/** @typedef {import("./tables.js").Block<import("./tables.js").OverviewTables>} OverviewBlock */
/** @typedef {import("./tables.js").Tables} Tables */
/** @typedef {import("./tables.js").ThreadTables} ThreadTables */

const MOST_ROWS = {
	whole: 1500000,		/* a trace of no more is loaded as a whole */
	shown: 1200000,		/* else so many at a time */
	kept: 2500000,		/* decoded, in case that they are wanted again */
};

export const LEFT_OUT = "The page has only an overview of this time (annot html --max-bytes)";

/* Tables that belong to no CPU or thread. */
/** @type {(keyof Tables)[]} */
const WHOLE_TABLES = ["migrations", "messages", "blockIo", "uncoreReadings", "samples", "sliceCounts", "pmuGaps", "traceEvents", "frames"];
/** @type {(keyof Tables)[]} */
const CPU_TABLES = ["slices", "gaps", "interrupts", "idle", "frequencies", "cpuWakeups"];

/** @typedef {{-readonly [K in keyof CpuTables]?: CpuTables[K]}} CpuPiece */
/** @typedef {{-readonly [K in keyof ThreadTables]?: ThreadTables[K]}} ThreadPiece */
/** @typedef {() => boolean} Wanted whether what was begun is still wanted */
/** @typedef {(done: number, all: number) => void} Progress is told how much of all is done */
/** @typedef {Partial<typeof MOST_ROWS>} Limits how many rows are loaded at once */

/** What one block of the page has. */
export class Piece {
	constructor() {
		/** @type {(CpuPiece | undefined)[]} */
		this.cpus = [];
		/** @type {(ThreadPiece | undefined)[]} */
		this.threads = [];
		this.migrations = EMPTY_TABLES.migrations;
		this.messages = EMPTY_TABLES.messages;
		this.blockIo = EMPTY_TABLES.blockIo;
		this.uncoreReadings = EMPTY_TABLES.uncoreReadings;
		this.samples = EMPTY_TABLES.samples;
		this.sliceCounts = EMPTY_TABLES.sliceCounts;
		this.pmuGaps = EMPTY_TABLES.pmuGaps;
		this.traceEvents = EMPTY_TABLES.traceEvents;
		this.frames = EMPTY_TABLES.frames;
		this.wakeups = NO_WAKEUPS;
	}

	/** @param {Uint8Array} bytes */
	static decode(bytes) {
		const piece = new Piece();
		/** @param {import("./tables.js").Block<Tables>} block */
		const add = (block) => piece.add(block);
		readTables(bytes, TABLE_KINDS, add);
		for (const thread of piece.threads)
			if (thread)
				piece.addDrains(thread);
		piece.wakeups = wakeupsOf(piece.cpus);
		return piece;
	}

	/** @param {import("./tables.js").Block<Tables>} block */
	add({ name, owner, table }) {
		if (WHOLE_TABLES.includes(name)) {
			Object.assign(this, { [name]: table });
			return;
		}
		const owners = CPU_TABLES.includes(name) ? this.cpus : this.threads;
		owners[owner] = { ...owners[owner], [name]: table };
	}

	/**
	 * When a record came into the trace is one more column of its table.
	 * @param {ThreadPiece} thread
	 */
	addDrains(thread) {
		if (thread.spanDrains && thread.spans)
			thread.spans.after = thread.spanDrains.after;
		if (thread.markDrains && thread.marks)
			thread.marks.after = thread.markDrains.after;
	}

	/**
	 * A table of one CPU; an empty one where it has none.
	 * @template {keyof CpuTables} K
	 * @param {number} cpu
	 * @param {K} name
	 * @returns {CpuTables[K]}
	 */
	ofCpu(cpu, name) {
		const own = this.cpus[cpu];
		return own?.[name] || EMPTY_TABLES[name];
	}

	/**
	 * A table of one thread; an empty one where it has none.
	 * @template {keyof ThreadTables} K
	 * @param {number} thread
	 * @param {K} name
	 * @returns {ThreadTables[K]}
	 */
	ofThread(thread, name) {
		const own = this.threads[thread];
		return own?.[name] || EMPTY_TABLES[name];
	}
}

/** All of the page's data: what is the same whatever is loaded, and the way to load it. */
export class Windows {
	/** @param {Head} head @param {Limits} limits */
	constructor(head, limits = {}) {
		this.head = head;
		this.most = { ...MOST_ROWS, ...limits };
		this.start = Float64Array.from(head.windows.start);
		this.rows = head.windows.rows;
		this.nr = this.start.length;
		/** @type {Set<number>} */
		this.leftOut = new Set(head.windows.left_out);	/* of the page: nothing but the overview is there */
		this.duration = head.trace.duration_ns;
		this.strings = head.strings;
		this.rest = new Piece();
		/** @type {Overview | null} */
		this.overview = null;
		this.isRough = false;	/* that is the one for the first drawing, and there is a fine one */
		/** @type {Promise<void> | null} */
		this.refining = null;
		/** @type {Map<number, Piece>} */
		this.pieces = new Map();	/* by window; the one used last stands last */
		/** @type {Map<number, Promise<Piece>>} */
		this.loading = new Map();
		this.isWhole = !this.leftOut.size &&
			(this.nr === 1 || this.rowsIn(0, this.nr) <= this.most.whole);
		/* What is the same whatever is loaded: lanes rest on it. */
		const series = groupSeries(head.series, head.threads.tid.length);
		this.threads = head.threads.tid.map((tid, index) => new Thread(head, index, series[index]));
		this.cpus = head.cpus.map((seen, index) => new Cpu(index, Boolean(seen),
			(head.event_cpus || []).some(([cpu]) => cpu === index), Boolean(head.power?.idle[index]),
			head.power?.most_khz[index] || 0));
		this.mostKhz = this.cpus.reduce((most, cpu) => Math.max(most, cpu.mostKhz), 0);
		/** @type {DeviceHead[]} */
		this.devices = (head.devices || []).map(([name, most]) => ({ name, most }));
		/** @type {import("./uncore.js").UncoreCounter[]} */
		this.uncore = (head.uncore || []).map(({ name, unit, cpu, scale, most_per_s: mostPerS }) => ({
			name, unit: unitOfRate(unit ? head.strings[unit] : ""), cpu, scale, mostPerS,
		}));
		this.events = (head.pmu || []).map((event, index) => new PmuEvent(event, index));
		this.slotPlan = head.slots ? new SlotPlan(head.slots, head.pmu || []) : null;
		/** @type {import("./turn_figures.js").TurnFigures | null} */
		this.turnFigures = null;	/* once the analysis is read, if any event took turns */
	}

	/**
	 * The head and what stands before the script; both blocks are inflated at the same time.
	 * @param {Limits} [limits]
	 * @returns {Promise<Windows>}
	 */
	static async open(limits) {
		const pages = new Windows(readHead(), limits);
		const [rest, overview] = await Promise.all([
			readBlock(document.getElementById("annot-rest"), { free: true }),
			!pages.isWhole && pages.head.overview ?
				readOverviewBlock(document.getElementById("annot-overview"), pages.head) : null,
		]);
		pages.rest = Piece.decode(rest);
		pages.overview = overview;
		pages.isRough = overview !== null && pages.head.fine_overview !== null;
		return pages;
	}

	/* Reads the fine overview, if there is one; whoever wants it meanwhile waits for the same. */
	refine() {
		this.refining = this.refining || (this.isRough ? this.readFineOverview() : Promise.resolve());
		return this.refining;
	}

	async readFineOverview() {
		this.overview = await readOverviewBlock(await blockElement("annot-overview-fine"),
			{ ...this.head, overview: this.head.fine_overview });
		this.isRough = false;
	}

	/* The store to begin with: all, or nothing yet. */
	async firstStore() {
		const store = new Store(this, 0, this.isWhole && await this.loadAll(0, this.nr) || []);
		for (const event of store.events)
			this.events[event.index].total = this.totalOf(event);
		return store.show();
	}

	/**
	 * How much of an event there was, over the whole trace.
	 * @param {PmuEvent} event
	 * @returns {number}
	 */
	totalOf({ index, cpus }) {
		const { overview } = this;
		const totals = overview ?
			this.cpus.map((cpu) => overview.ofCpu(index, cpu.index)).map((own) => own ? own.total() : 0) :
			cpus.map((own) => own.sum[own.rows]);
		return totals.reduce((sum, own) => sum + own, 0);
	}

	/**
	 * When a window ends.
	 * @param {number} window
	 * @returns {number}
	 */
	end(window) {
		return window + 1 < this.nr ? this.start[window + 1] : this.duration;
	}

	/**
	 * The window in which a time lies.
	 * @param {number} ns
	 * @returns {number}
	 */
	at(ns) {
		return Math.max(lastAtMost(this.start, ns), 0);
	}

	/**
	 * How many rows windows [first, past) have.
	 * @param {number} first
	 * @param {number} past
	 * @returns {number}
	 */
	rowsIn(first, past) {
		let rows = 0;
		for (let window = first; window < past; window++)
			rows += this.rows[window];
		return rows;
	}

	/**
	 * Whether any of windows [first, past) is not in the page.
	 * @param {number} first
	 * @param {number} past
	 * @returns {boolean}
	 */
	lacks(first, past) {
		for (let window = first; window < past; window++)
			if (this.leftOut.has(window))
				return true;
		return false;
	}

	/**
	 * [first, past) of the windows of a time, with their neighbours, if these are in the page.
	 * @param {number} start
	 * @param {number} end
	 * @returns {[number, number]}
	 */
	around(start, end) {
		const [first, past] = [this.at(start), this.at(end) + 1];
		return [
			first > 0 && !this.leftOut.has(first - 1) ? first - 1 : first,
			past < this.nr && !this.leftOut.has(past) ? past + 1 : past,
		];
	}

	/* One that is in the page, as [first, past), or none: for what is told of the whole trace. */
	any() {
		const first = this.start.findIndex((ns, window) => !this.leftOut.has(window));
		return first < 0 ? [0, 0] : [first, first + 1];
	}

	/**
	 * A window's piece: kept as long as few others were asked for since.
	 * @param {number} window
	 * @returns {Promise<Piece>}
	 */
	async load(window) {
		let piece = this.pieces.get(window);
		if (!piece) {
			const loading = this.loading.get(window) || this.decode(window);
			this.loading.set(window, loading);
			piece = await loading;
			this.loading.delete(window);
		}
		this.pieces.delete(window);
		this.pieces.set(window, piece);
		this.forget();
		return piece;
	}

	/** @param {number} window @returns {Promise<Piece>} */
	async decode(window) {
		const piece = Piece.decode(await readBlock(await blockElement(`annot-block-${window}`),
			{ free: this.isWhole }));
		await pause();
		buildStates(piece, this.threads.length);
		return piece;
	}

	forget() {
		let rows = 0;
		for (const window of this.pieces.keys())
			rows += this.rows[window];
		for (const window of this.pieces.keys()) {
			if (rows <= this.most.kept || this.pieces.size === 1)
				return;
			rows -= this.rows[window];
			this.pieces.delete(window);
		}
	}

	/**
	 * The pieces of windows [first, past), or null when @wanted() came to say no meanwhile. Other
	 * work gets its turn after each.
	 * @param {number} first
	 * @param {number} past
	 * @param {Wanted} wanted
	 * @param {Progress} progress
	 * @returns {Promise<Piece[] | null>}
	 */
	async loadAll(first, past, wanted = () => true, progress = () => {}) {
		const pieces = [];
		for (let window = first; window < past; window++) {
			progress(window - first, past - first);
			const isThere = this.pieces.has(window);
			pieces.push(await this.load(window));
			if (!isThere)
				await pause();
			if (!wanted())
				return null;
		}
		return pieces;
	}

	/**
	 * A store of them, beside the one that is shown; null as loadAll(), or when one is not there.
	 * @param {number} first
	 * @param {number} past
	 * @param {Wanted} [wanted]
	 * @param {Progress} [progress]
	 * @returns {Promise<Store | null>}
	 */
	async storeOf(first, past, wanted, progress) {
		if (this.lacks(first, past))
			return null;
		await this.refine();
		const pieces = await this.loadAll(first, past, wanted, progress);
		return pieces && new Store(this, first, pieces);
	}
}

/** @param {Element | null} element @param {Head} head */
async function readOverviewBlock(element, head) {
	/** @type {OverviewBlock[]} */
	const tables = [];
	/** @param {OverviewBlock} block */
	const add = (block) => tables.push(block);
	await inTurns(tableSteps(await readBlock(element, { free: true }), OVERVIEW_KINDS, add));
	return readOverview(tables, head);
}

/**
 * The head's counters by thread.
 * @param {Head["series"]} series @param {number} nrThreads
 */
function groupSeries(series, nrThreads) {
	/** @type {SeriesHead[][]} */
	const groups = Array.from({ length: nrThreads }, () => []);
	for (const [thread, name, , min, max] of series)
		groups[thread].push({ name, min, max });
	return groups;
}
