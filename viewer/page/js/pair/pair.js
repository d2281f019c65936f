// SPDX-License-Identifier: GPL-2.0
/*
 * Two pages, A and B, of which each follows the other. A time of A is one of B, offset later: alignment
 * is what sets the offset.
 */
import { instanceText, readTasks, taskKey } from "../data/instances.js";
import { threadOf } from "../data/items.js";
import { matchThreads } from "../data/matching.js";
import { CPUS_KEY, DEVICES_KEY } from "../draw/lanes.js";
import { orderAs, sameGroups } from "./order.js";
import { scrollTopOf } from "./scrolling.js";

/** @typedef {import("../data/instances.js").Instance} Instance */
/** @typedef {import("../data/instances.js").Task} Task */
/** @typedef {import("../data/items.js").Item} Item */
/** @typedef {import("../data/items.js").SpanItem} SpanItem */
/** @typedef {import("../data/store.js").Store} Store */
/** @typedef {import("../ui/app.js").App} App */
/**
 * An instance of a task: its place, and both instances that have it, if there are any.
 * @typedef {{key: string, place: number, found: (Instance | undefined)[]}} Chosen
 */

export const NAMES = ["A", "B"];
const LEFT_SHARE = 0.15;	/* of the view, before what is aligned */
const LEAST_SHARE = 0.02;	/* of the view: who steps through instances of at least this keeps it */
const MOST_SHARE = 0.8;

export class Pair {
	/**
	 * @param {App[]} apps A and B
	 * @param {{selected: (chosen: Chosen | null, text: string) => void}} listener is told what is selected in both
	 */
	constructor(apps, listener) {
		this.apps = apps;
		this.listener = listener;
		this.offset = 0;
		this.isBusy = false;
		this.scrolledTo = [NaN, NaN];	/* by the other page: its event is still to come */
		this.matches = apps.map((app, side) =>
			matchThreads(app.store.threads, apps[1 - side].store.threads));
		/** @type {Map<string, Task>[]} until they are read, none */
		this.tasks = [new Map(), new Map()];
		apps.forEach((app, side) => {
			app.lanes.setOrder(side ? orderAs(apps[0].lanes, this.matches[1]) : app.lanes.arrange,
				new Map(this.lonely(side).map(({ index }) => [index, `only in ${NAMES[side]}`])));
			app.follower = this.followerOf(side);
		});
		apps[1].palette.takeColours(apps[0].palette, this.matches[1]);
		apps[1].themeChanged();
		this.followLanes(0);
		this.alignTimes();
	}

	async readTasks() {
		for (const [side, app] of this.apps.entries())
			this.tasks[side] = await readTasks(app.pages);
	}

	/**
	 * The threads of a side that the other does not have.
	 * @param {number} side
	 */
	lonely(side) {
		return this.apps[side].store.threads.filter(({ index }) => this.matches[side][index] < 0);
	}

	/* Of tasks that both have, A's: work before waiting, and first what has most instances in both. */
	sharedTasks() {
		const [ours, theirs] = this.tasks;
		return [...ours].filter(([key]) => theirs.has(key)).sort(([keyA, a], [keyB, b]) =>
			a.kind - b.kind || this.nrShared(keyB) - this.nrShared(keyA));
	}

	/**
	 * How many instances of a task both have.
	 * @param {string} key
	 */
	nrShared(key) {
		return Math.min(...this.tasks.map((tasks) => tasks.get(key)?.instances.length ?? 0));
	}

	/**
	 * What one side causes in the other causes nothing in turn.
	 * @param {() => void} follow
	 */
	once(follow) {
		if (this.isBusy)
			return;
		this.isBusy = true;
		try {
			follow();
		} finally {
			this.isBusy = false;
		}
	}

	/**
	 * A time of one side, in the other.
	 * @param {number} side @param {number} ns
	 */
	there(side, ns) {
		return side ? ns - this.offset : ns + this.offset;
	}

	/** @param {number} side @returns {import("../ui/app.js").Follower} */
	followerOf(side) {
		return {
			viewChanged: (animate) => this.once(() => this.followView(side, animate)),
			selectionChanged: (store, item) => this.once(() => this.followSelection(side, store, item)),
			rangeChanged: () => this.once(() => this.followRange(side)),
			lanesChanged: () => this.once(() => this.followLanes(side)),
			crosshairMoved: () => this.once(() => this.followCrosshair(side)),
			scrolled: () => this.followScroll(side),
		};
	}

	/** @param {number} side @param {boolean} animate */
	followView(side, animate) {
		const { start, end } = this.apps[side].aim();
		this.apps[1 - side].setView(this.there(side, start), this.there(side, end), { animate });
	}

	/** @param {number} side */
	followRange(side) {
		const { range } = this.apps[side];
		if (range)
			this.apps[1 - side].setRange(this.there(side, range.start), this.there(side, range.end));
	}

	/** @param {number} side */
	followCrosshair(side) {
		const { crosshair } = this.apps[side];
		this.apps[1 - side].point(crosshair === null ? null : this.there(side, crosshair));
	}

	/**
	 * The groups that both have: a side's key, and the other's.
	 * @param {number} side
	 */
	groupsOf(side) {
		return new Map([[CPUS_KEY, CPUS_KEY], [DEVICES_KEY, DEVICES_KEY],
			...sameGroups(this.apps[side].lanes, this.apps[1 - side].lanes, this.matches[side])]);
	}

	/** @param {number} side */
	followScroll(side) {
		const { lanes, scroller } = this.apps[side];
		const other = this.apps[1 - side];
		const isFollowing = scroller.scrollTop === this.scrolledTo[side];
		this.scrolledTo[side] = NaN;
		if (isFollowing)
			return;
		const before = other.scroller.scrollTop;
		other.scroller.scrollTop = scrollTopOf(lanes, scroller.scrollTop, other.lanes, this.matches[side],
			this.groupsOf(side));
		/* Which may be less than was asked for. */
		if (other.scroller.scrollTop !== before)
			this.scrolledTo[1 - side] = other.scroller.scrollTop;
	}

	/**
	 * Sizes, grouping, filter, and which groups are open.
	 * @param {number} side
	 */
	followLanes(side) {
		const own = this.apps[side].lanes;
		const other = this.apps[1 - side];
		const { lanes } = other;
		if (lanes.by !== own.by) {
			other.groupBy(own.by);
			const b = this.apps[1].lanes;
			b.setOrder(b.arrange, b.notes);
		}
		lanes.compact = own.compact;
		for (const [key, theirs] of this.groupsOf(side))
			if (own.closed.has(key))
				lanes.closed.add(theirs);
			else
				lanes.closed.delete(theirs);
		lanes.layout();
		other.filter.run(own.filter);
		for (const app of this.apps)
			app.layoutChanged();
	}

	/**
	 * The instance of the same task and number, or else the same thread.
	 * @param {number} side @param {Store} store @param {Item | null} item
	 */
	followSelection(side, store, item) {
		const chosen = item?.kind === "span" ? this.chosenBy(side, store, item) : null;
		const instance = chosen?.found[1 - side];
		const thread = item ? threadOf(store, item) : -1;
		const same = thread < 0 ? -1 : this.matches[side][thread];
		this.selectIn(1 - side, instance ? instanceText(instance) : !chosen && same >= 0 ? `thread.${same}` : "");
		this.listener.selected(chosen, item && !chosen && same < 0 ? this.lackText(side, store, thread) : "");
	}

	/** @param {number} side @param {Store} store @param {number} thread or -1 */
	lackText(side, store, thread) {
		return thread < 0 ? `${NAMES[1 - side]} has nothing that is the same` :
			`${store.threads[thread].comm} is only in ${NAMES[side]}`;
	}

	/** @param {number} side @param {string} text */
	selectIn(side, text) {
		const app = this.apps[side];
		if (!text)
			app.clear();
		else if (app.selectionText !== text)
			app.goTo(text, { scroll: true });
	}

	/**
	 * @param {number} side @param {Store} store @param {SpanItem} item
	 * @returns {Chosen | null} null: its task is not read yet
	 */
	chosenBy(side, store, { thread, row }) {
		const { start, depth, name, kind } = store.threads[thread].spans;
		const key = taskKey(store.string(name[row]), kind[row]);
		const place = this.tasks[side].get(key)?.placeOf({ thread, start: start[row], depth: depth[row] }) ?? -1;
		return place < 0 ? null : this.choose(key, place);
	}

	/** @param {string} key @param {number} place @returns {Chosen} */
	choose(key, place) {
		return { key, place, found: this.tasks.map((tasks) => tasks.get(key)?.instances[place]) };
	}

	/* Both begin at 0. */
	alignTimes() {
		this.setOffset(0);
		this.setAnchor(null);
		this.apps[0].fit();
	}

	/**
	 * The begins of an instance that both have stand below each other.
	 * @param {string} key of its task
	 * @param {number} place of the instance
	 */
	alignInstances(key, place) {
		const [a, b] = this.choose(key, place).found;
		if (!a || !b)
			return;
		this.setOffset(b.start - a.start);
		this.setAnchor(a.start);
		this.showInstance(a.start, Math.max(a.end - a.start, b.end - b.start));
		this.apps[0].goTo(instanceText(a), { scroll: true });
	}

	/**
	 * In a view of the length that there is, if that fits.
	 * @param {number} start @param {number} length
	 */
	showInstance(start, length) {
		const view = this.apps[0].aim();
		const span = view.end - view.start;
		const share = length / span;
		const wanted = share >= LEAST_SHARE && share <= MOST_SHARE ? span : length * 2;
		this.apps[0].setView(start - wanted * LEFT_SHARE, start + wanted * (1 - LEFT_SHARE), { animate: true });
	}

	/** @param {number} offset */
	setOffset(offset) {
		const [a, b] = this.apps;
		this.offset = offset;
		a.reach = { start: Math.min(0, -offset), end: Math.max(a.fullSpan(), b.fullSpan() - offset) };
		b.reach = { start: a.reach.start + offset, end: a.reach.end + offset };
	}

	/** @param {number | null} ns of A */
	setAnchor(ns) {
		this.apps.forEach((app, side) => app.anchor = ns === null ? null : side ? this.there(0, ns) : ns);
	}
}
