// SPDX-License-Identifier: GPL-2.0
/*
 * Which lanes there are, in what order, and where: top and height in the scrolled content. Rests on
 * the figures of the page's head alone, so that the lanes stay where they are whatever is loaded.
 */
import { MOST_DEVICES } from "../data/codes.js";
import { heightsOf, laneKinds } from "./kinds/all.js";

/** @typedef {import("./types.js").Overview} Overview */
/** @typedef {import("./types.js").PlainLane} PlainLane */
/** @typedef {import("./types.js").Store} Store */
/** @typedef {import("./types.js").Thread} Thread */

const COMPACT_ABOVE_THREADS = 24;
const MOST_OPEN_CPUS = 64;	/* more lanes than these are not open from the start */
const MOST_OPEN_DEVICES = 8;
const MOST_OPEN_UNCORE = 8;
const MOST_OPEN_THREADS = 300;
/** @typedef {import("./types.js").Lane} Lane */
/** @typedef {{key: string, label: string, note: string, threads: Thread[]}} Group */

export const CPUS_KEY = "cpus";
export const DEVICES_KEY = "devices";
export const UNCORE_KEY = "uncore";
export const OTHERS_KEY = "others";
export const GROUPED_BY = ["process", "cpu"];

export class Lanes {
	/** @param {Store} store @param {Overview | null} overview */
	constructor(store, overview = null) {
		this.store = store;
		this.overview = overview;
		this.filter = "";
		this.by = GROUPED_BY[0];
		this.found = 0;
		/** @type {(groups: Group[], by: string) => Group[]} the order of lanes, if it is not as found */
		this.arrange = (groups) => groups;
		/** @type {Map<number, string>} what is told of threads in place of their numbers */
		this.notes = new Map();
		this.compact = store.threads.filter((thread) => thread.session).length > COMPACT_ABOVE_THREADS;
		this.groups = this.findGroups();
		this.closed = this.closedAtFirst();
		this.heights = heightsOf("normal");
		/** @type {Lane[]} */
		this.lanes = [];
		/** @type {Map<string, number>} each lane's place in lanes, by its id */
		this.places = new Map();
		this.height = 0;
		this.layout();
	}

	findGroups() {
		const inSession = this.store.threads.filter((thread) => thread.session);
		const others = this.store.threads.filter((thread) => !thread.session);
		const groups = this.by === "cpu" ? groupsByCpu(inSession) : groupsByProcess(inSession);
		if (others.length) {
			others.sort((a, b) => b.onCpu - a.onCpu || a.index - b.index);
			groups.push({ key: OTHERS_KEY, label: "Other threads", note: "", threads: others });
		}
		return this.arrange(groups, this.by);
	}

	/**
	 * @arrange and @notes: as the fields are.
	 * @param {(groups: Group[], by: string) => Group[]} arrange @param {Map<number, string>} notes
	 */
	setOrder(arrange, notes) {
		this.arrange = arrange;
		this.notes = notes;
		this.groups = this.findGroups();
		this.layout();
	}

	/**
	 * @by: one of GROUPED_BY.
	 * @param {string} by
	 */
	groupBy(by) {
		this.by = by;
		this.groups = this.findGroups();
		this.closed = this.closedAtFirst();
		this.layout();
	}

	/* What one looks for first is open, as long as it is not too much; the first process always. */
	closedAtFirst() {
		const closed = new Set([OTHERS_KEY]);
		let open = 0;
		if (this.shownCpus().length > MOST_OPEN_CPUS)
			closed.add(CPUS_KEY);
		if (this.store.pages.devices.length > MOST_OPEN_DEVICES)
			closed.add(DEVICES_KEY);
		if (this.store.pages.uncore.length > MOST_OPEN_UNCORE)
			closed.add(UNCORE_KEY);
		for (const { key, threads } of this.groups) {
			if (open && open + threads.length > MOST_OPEN_THREADS)
				closed.add(key);
			else
				open += threads.length;
		}
		return closed;
	}

	shownCpus() {
		return this.store.cpus.filter((cpu) => cpu.seen || cpu.gaps.rows || cpu.hasIdle || cpu.mostKhz);
	}

	/* A filter opens what it finds, and what it does not find is not there; CPUs always are. */
	layout() {
		const fits = laneFilter(this.filter);
		this.heights = heightsOf(this.compact ? "compact" : "normal");
		this.lanes = [];
		this.places = new Map();
		this.height = 0;
		this.found = 0;
		this.addCpus();
		this.addUncore();
		this.addDevices();
		for (const group of this.groups) {
			const { key, label, note, threads } = group;
			const members = fits ? threads.filter((thread) => fits(thread, group)) : threads;
			const open = fits !== null || !this.closed.has(key);
			this.found += members.length;
			if (!members.length)
				continue;
			this.add(laneKinds.group.layout(this, {
				key, label, note, count: members.length, open, members, strangers: key === OTHERS_KEY,
			}));
			if (open)
				members.forEach((thread) => this.addThread(thread));
		}
		this.height += 8;
	}

	/** @param {PlainLane} lane */
	add(lane) {
		lane.top = this.height;
		this.places.set(lane.id, this.lanes.length);
		this.lanes.push(/** @type {Lane} */ (lane));
		this.height += lane.height;
	}

	addCpus() {
		const cpus = this.shownCpus();
		const open = !this.closed.has(CPUS_KEY);
		this.add(laneKinds.group.layout(this, {
			key: CPUS_KEY, label: "CPUs", note: "", count: cpus.length, open, members: null, strangers: false,
		}));
		if (open)
			for (const cpu of cpus)
				this.add(laneKinds.cpu.layout(this, cpu));
	}

	/* Most traces have none. */
	addUncore() {
		const { uncore } = this.store.pages;
		const open = !this.closed.has(UNCORE_KEY);
		if (!uncore.length)
			return;
		this.add(laneKinds.group.layout(this, {
			key: UNCORE_KEY, label: "Energy and sockets", note: "", count: uncore.length, open, members: [],
			strangers: false,
		}));
		if (open)
			uncore.forEach((_, place) => this.add(laneKinds.uncore.layout(this, place)));
	}

	/* Most traces have none. */
	addDevices() {
		const { devices } = this.store.pages;
		const open = !this.closed.has(DEVICES_KEY);
		if (!devices.length)
			return;
		this.add(laneKinds.group.layout(this, {
			key: DEVICES_KEY, label: "Block devices", note: devices.length < MOST_DEVICES ? "" : "first",
			count: devices.length, open, members: [], strangers: false,
		}));
		if (open)
			devices.forEach((_, place) => this.add(laneKinds.device.layout(this, place)));
	}

	/** @param {Thread} thread */
	addThread(thread) {
		this.add(laneKinds.thread.layout(this, thread));
		for (let nr = 0; nr < thread.series.length; nr++)
			this.add(laneKinds.counter.layout(this, { thread, nr }));
	}

	/**
	 * The events that a thread's lane has strips for.
	 * @param {number} index
	 */
	densitiesOf(index) {
		const { store: { pmu }, overview } = this;
		return overview ? pmu.shown.filter((event) => overview.ofThread(event.index, index)) : pmu.inThread(index);
	}

	/**
	 * Whether a thread has slices whose issue slots are known.
	 * @param {number} index
	 */
	hasSlots(index) {
		const { store, store: { pages: { slotPlan } }, overview } = this;
		if (!slotPlan)
			return false;
		return overview ? store.events.some((event) => slotPlan.uses(event) && overview.ofThread(event.index, index)) :
			Boolean(store.slots?.[index].rows);
	}

	/** @param {string} key */
	toggle(key) {
		if (!this.closed.delete(key))
			this.closed.add(key);
		this.layout();
	}

	/** @param {string} text */
	setFilter(text) {
		this.filter = text;
		this.layout();
	}

	/**
	 * Opens the group in which a thread stands, if it is closed. Whether a filter hides its lane.
	 * @param {number} index
	 */
	reveal(index) {
		const thread = this.store.threads[index];
		const group = this.groups.find((g) => g.threads.some((own) => own.index === index));
		const fits = laneFilter(this.filter);
		if (!group)
			return false;
		if (this.closed.delete(group.key))
			this.layout();
		return fits !== null && !fits(thread, group);
	}

	/** @param {boolean} compact */
	setCompact(compact) {
		this.compact = compact;
		this.layout();
	}

	/** @param {string | null} id @returns {Lane | undefined} */
	find(id) {
		return this.lanes[this.place(id)];
	}

	/**
	 * Where a lane stands in the order of all, or -1.
	 * @param {string | null} id
	 */
	place(id) {
		return (id === null ? undefined : this.places.get(id)) ?? -1;
	}

	/**
	 * The first lane whose foot is below @y: its place.
	 * @param {number} y
	 */
	firstBelow(y) {
		let from = 0;
		let to = this.lanes.length;
		while (from < to) {
			const middle = (from + to) >>> 1;
			if (this.lanes[middle].top + this.lanes[middle].height <= y)
				from = middle + 1;
			else
				to = middle;
		}
		return from;
	}

	/**
	 * The lane at a height of the content, or undefined.
	 * @param {number} y @returns {Lane | undefined}
	 */
	at(y) {
		return y < 0 ? undefined : this.lanes[this.firstBelow(y)];
	}

	/**
	 * Those with anything between two heights.
	 * @param {number} top @param {number} bottom
	 */
	between(top, bottom) {
		const first = this.firstBelow(top);
		let last = first;
		while (last < this.lanes.length && this.lanes[last].top < bottom)
			last++;
		return this.lanes.slice(first, last);
	}
}

/**
 * By number where any of them annotates, as a program starts them; else who ran most comes first.
 * @param {Thread[]} threads @param {boolean} annotates
 */
function sortThreads(threads, annotates) {
	threads.sort((a, b) => (annotates ? 0 : b.onCpu - a.onCpu) || a.tid - b.tid || a.index - b.index);
}

/** @param {Thread[]} threads @param {(thread: Thread) => number} keyOf */
function sortIntoGroups(threads, keyOf) {
	const annotates = threads.some(isAnnotating);
	/** @type {Map<number, Thread[]>} */
	const groups = new Map();
	for (const thread of threads) {
		const key = keyOf(thread);
		const members = groups.get(key);
		if (members)
			members.push(thread);
		else
			groups.set(key, [thread]);
	}
	for (const members of groups.values())
		sortThreads(members, annotates);
	return groups;
}

/** @param {Thread} thread */
const isAnnotating = (thread) => thread.nrSpans > 0 || thread.nrMarks > 0;

/** @param {Thread[]} threads */
const sumOnCpu = (threads) => threads.reduce((sum, { onCpu }) => sum + onCpu, 0);

/**
 * Those that annotate come first; where none does, those that ran most.
 * @param {Thread[]} threads @returns {Group[]}
 */
function groupsByProcess(threads) {
	const groups = Array.from(sortIntoGroups(threads, (thread) => thread.tgid || thread.tid), ([tgid, members]) => {
		const leader = members.find((thread) => thread.tid === tgid) || members[0];
		return {
			key: `process ${tgid}`,
			label: leader.comm || `process ${tgid}`,
			note: `process ${tgid}`,
			threads: members,
			annotates: members.some((thread) => thread.nrSpans > 0),
		};
	});
	if (!threads.some(isAnnotating))
		return groups.sort((a, b) => sumOnCpu(b.threads) - sumOnCpu(a.threads));
	return groups.sort((a, b) => Number(b.annotates) - Number(a.annotates));
}

/**
 * By the CPU on which each ran most.
 * @param {Thread[]} threads @returns {Group[]}
 */
function groupsByCpu(threads) {
	const groups = [...sortIntoGroups(threads, (thread) => thread.mainCpu)];
	return groups.sort(([a], [b]) => a < 0 ? 1 : b < 0 ? -1 : a - b).map(([cpu, members]) => ({
		key: `mainly ${cpu}`,
		label: cpu < 0 ? "Never ran" : `On CPU ${cpu}`,
		note: cpu < 0 ? "" : "mostly",
		threads: members,
	}));
}

/**
 * Of a text: whether a thread is to be shown, by its name, its number or its process; null: all.
 * @param {string} text @returns {((thread: Thread, group: Group) => boolean) | null}
 */
function laneFilter(text) {
	const words = text.toLowerCase().split(/\s+/).filter(Boolean);
	return words.length ? (thread, group) => {
		const names = `${thread.comm} ${thread.tid} ${group.label} ${group.note}`.toLowerCase();
		return words.every((word) => names.includes(word));
	} : null;
}
