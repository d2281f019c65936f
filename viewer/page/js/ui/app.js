// SPDX-License-Identifier: GPL-2.0
/*
 * The state of the page: what is in sight, selected, hovered, searched for; and the one place from
 * which everything is drawn, at most once a frame.
 */
import { itemFromText, itemToText, laneOf, threadOf, timeOf, timeOfText } from "../data/items.js";
import { callAt, otherEndOf } from "../data/messages.js";
import { axisTicks } from "../data/units.js";
import { Axis } from "../draw/chart.js";
import { DensityScales } from "../draw/density.js";
import { CPUS_KEY, GROUPED_BY, Lanes } from "../draw/lanes.js";
import { Minimap } from "../draw/minimap.js";
import { Painter } from "../draw/paint.js";
import { Palette } from "../draw/palette.js";
import { LEAST_VIEW_NS, Scale } from "../draw/strips.js";
import { AddressState } from "./address.js";
import { Details } from "./details.js";
import { byId, canvasById, inputById } from "./dom.js";
import { Evidence } from "./evidence.js";
import { EventList } from "./event_list.js";
import { explain } from "./explain.js";
import { describe } from "./facts.js";
import { LaneFilter } from "./filter.js";
import { Loading, Work } from "./loading.js";
import { AnalysisPanel } from "./panel.js";
import { Search } from "./search.js";
import { courseByName, courseInLane, stepFar, stepHere } from "./steps.js";

/** @typedef {import("./steps.js").Course} Course */
/** @typedef {import("../data/items.js").Item} Item */
/** @typedef {import("../draw/types.js").Lane} Lane */
/** @typedef {import("../draw/types.js").LaneKind<any>} LaneKind */
/** @typedef {import("../draw/types.js").Range} Range */
/** @typedef {import("./search.js").Matches} Matches */
/** @typedef {import("../data/store.js").Store} Store */
/** @typedef {import("../data/windows.js").Windows} Windows */
/**
 * What wants to know of changes here: the page of another trace that follows them.
 * @typedef {object} Follower
 * @property {(animate: boolean) => void} viewChanged
 * @property {(store: Store, item: Item | null) => void} selectionChanged
 * @property {() => void} rangeChanged
 * @property {() => void} lanesChanged
 * @property {() => void} crosshairMoved
 * @property {() => void} scrolled
 */

const ANIMATION_MS = 110;
const PRINT_RATIO = 2;
const LABEL_WIDTH = 216;
const LEAST_LABEL_WIDTH = 84;
const MOST_LABEL_SHARE = 0.3;	/* of the window's width */

export class App {
	/** @param {Windows} pages @param {Store} store */
	constructor(pages, store) {
		this.pages = pages;
		this.store = store;
		this.work = new Work(byId("progress"));
		this.loading = new Loading(this);
		this.palette = new Palette(store);
		this.lanes = new Lanes(store, this.pages.overview);
		/** @type {Range} */
		this.view = { start: 0, end: this.fullSpan() };
		/** @type {Range} what the view may show */
		this.reach = { ...this.view };
		/** @type {Follower | null} */
		this.follower = null;
		/** @type {{from: Range, to: Range, since: number} | null} */
		this.target = null;
		/** @type {Range | null} */
		this.range = null;
		/** @type {Item | null} */
		this.selection = null;
		/** @type {Item | null} */
		this.hover = null;
		/** @type {LaneKind | null} of the lane in which an item is hovered */
		this.hoverKind = null;
		/** @type {import("./search.js").Matches | null} */
		this.matches = null;
		/**
		 * Instances of which length keep their colour: of one task, from least_ns on, below most_ns; null: all.
		 * @type {{name: number, kind: number, least_ns: number, most_ns: number} | null}
		 */
		this.lengths = null;
		/** @type {number | null} */
		this.crosshair = null;
		/** @type {number | null} where another page has what this one has here */
		this.anchor = null;
		this.isCoarse = false;		/* the overview is painted wherever there is one */
		/** @type {string | null} */
		this.selectionText = null;	/* also of an item that is not loaded: then selection is null */
		/** @type {string | null} */
		this.focusedLane = null;
		this.calm = false;
		this.frame = 0;
		this.axisHeight = this.minimapHeight = 0;
		this.bounds = new DOMRect();
		this.scrollTop = 0;
		this.printing = false;
		this.byKeys = false;	/* whether the last thing done was done with keys */
		this.width = this.height = 1;
		this.labelWidth = LABEL_WIDTH;
		this.ratio = window.devicePixelRatio || 1;
		this.scroller = byId("lanes");
		this.content = byId("lanes-content");
		/** @type {Painter} */
		this.painter = new Painter(this, canvasById("lanes-canvas"));
		/** @type {DensityScales} */
		this.densities = new DensityScales(this);
		this.evidence = new Evidence(this);
		/** @type {Axis} */
		this.axis = new Axis(this, canvasById("axis"));
		/** @type {Minimap} */
		this.minimap = new Minimap(this, canvasById("minimap"));
		this.details = new Details(this, byId("details"));
		this.events = new EventList(this);
		this.analyses = new AnalysisPanel(this);
		this.search = new Search(this, inputById("search"), byId("search-status"));
		this.filter = new LaneFilter(this, inputById("filter"), byId("filter-status"));
		this.address = new AddressState(this);
		this.tooltip = byId("tooltip");
		this.announcer = byId("announcer");
	}

	/* A trace of one event has no duration, but something to look at. */
	fullSpan() {
		return Math.max(this.store.duration, 1000);
	}

	laneWidth() {
		return Math.max(this.width - this.labelWidth, 1);
	}

	scale() {
		return new Scale(this.view.start, this.view.end, this.labelWidth, this.laneWidth(), this.ratio);
	}

	axisTicks() {
		return axisTicks(this.view.start, this.view.end, Math.floor(this.laneWidth() / 110));
	}

	seesAll() {
		const { start, end } = this.aim();
		return start <= this.reach.start && end >= this.reach.end;
	}

	/* --- what is loaded --- */

	/* Whether the store has all rows that are in sight; if not, the overview is painted. */
	showsDetail() {
		return this.pages.overview === null ||
			(!this.isCoarse && this.store.covers(this.view.start, this.view.end));
	}

	/**
	 * From now on @store is what is painted, and what items are of.
	 * @param {Store} store
	 */
	show(store) {
		const hoverText = this.hover && itemToText(this.store, this.hover);
		this.store = store.show();
		this.lanes.store = store;
		this.densities.key = "";
		this.selection = this.selectionText ? itemFromText(store, this.selectionText) : null;
		this.hover = hoverText ? itemFromText(store, hoverText) : null;
		this.tooltip.hidden = this.tooltip.hidden || !this.hover;
		this.details.showMore();
		this.events.storeChanged();
		this.loading.look();
		this.requestFrame();
	}

	/* The overview in full detail takes the place of that of the first drawing. */
	async refine() {
		await this.pages.refine();
		this.lanes.overview = this.pages.overview;
		this.densities.key = "";
		this.minimap.stillKey = "";
		this.requestFrame();
	}

	/* --- what is in sight --- */

	/** @param {number} start @param {number} end @returns {{ start: number; end: number; }} */
	clamped(start, end) {
		const { reach } = this;
		const span = Math.min(Math.max(end - start, LEAST_VIEW_NS), reach.end - reach.start);
		const centred = end - start < LEAST_VIEW_NS ? (start + end - span) / 2 : start;
		const from = Math.min(Math.max(centred, reach.start), reach.end - span);
		return { start: from, end: from + span };
	}

	/** @param {number} start @param {number} end @param {{animate?: boolean}} options */
	setView(start, end, { animate = false } = {}) {
		const view = this.clamped(start, end);
		if (animate && !this.calm) {
			this.target = { from: { ...this.view }, to: view, since: performance.now() };
		} else {
			this.target = null;
			this.view = view;
		}
		this.address.note();
		this.loading.look();
		this.follower?.viewChanged(animate);
		this.requestFrame();
	}

	/* All there is. */
	fit() {
		this.setView(this.reach.start, this.reach.end, { animate: true });
	}

	/* Where the view is or will be once it has come to rest. */
	aim() {
		return this.target ? this.target.to : this.view;
	}

	/** @param {number} factor @param {number | null} ns @param {{animate?: boolean}} options */
	zoom(factor, ns = null, options = { animate: true }) {
		const { start, end } = this.aim();
		const centre = ns === null ? (start + end) / 2 : Math.min(Math.max(ns, start), end);
		this.setView(centre - (centre - start) * factor, centre + (end - centre) * factor, options);
	}

	/** @param {number} share @param {{animate?: boolean}} options */
	pan(share, options = { animate: true }) {
		const { start, end } = this.aim();
		const distance = (end - start) * share;
		this.setView(start + distance, end + distance, options);
	}

	zoomToSelection() {
		const place = this.selected();
		const times = this.range ? [this.range.start, this.range.end] :
			place && timeOf(place.store, place.item);
		if (!times)
			return;
		const margin = Math.max((times[1] - times[0]) * 0.1, LEAST_VIEW_NS / 2);
		this.setView(times[0] - margin, times[1] + margin, { animate: true });
	}

	/** @param {number} now */
	animate(now) {
		const { target } = this;
		if (!target)
			return;
		const done = Math.min((now - target.since) / ANIMATION_MS, 1);
		const eased = 1 - (1 - done) ** 3;
		/** @param {number} a @param {number} b */
		const between = (a, b) => a + (b - a) * eased;
		this.view = done >= 1 ? target.to : {
			start: between(target.from.start, target.to.start),
			end: between(target.from.end, target.to.end),
		};
		if (done >= 1)
			this.target = null;
		else
			this.requestFrame();
	}

	/* --- what is selected --- */

	/**
	 * @reveal: open, scroll and move so that it can be seen; @scroll: but leave the time. The item may
	 * be of another @store than the one that is shown.
	 * @param {Item | null} item
	 * @param {{reveal?: boolean, scroll?: boolean, store?: Store}} options
	 */
	select(item, { reveal = false, scroll = false, store = this.store } = {}) {
		this.work.end("go");
		this.selectionText = item && itemToText(store, item);
		this.selection = store === this.store || this.selectionText === null ? item :
			itemFromText(this.store, this.selectionText);
		this.range = null;
		if (item) {
			this.focusedLane = laneOf(store, item);
			if (reveal || scroll)
				this.revealLane(store, item);
			if (reveal)
				this.revealTime(store, item);
		}
		this.announce(store, item);
		this.follower?.selectionChanged(store, item);
		this.changed();
	}

	/**
	 * Selects what a text names, wherever it is: in its own time where that must be loaded.
	 * @param {string} text
	 * @param {{reveal?: boolean, scroll?: boolean, range?: [number, number] | null}} options
	 */
	goTo(text, { reveal = false, scroll = false, range = null } = {}) {
		const item = itemFromText(this.store, text);
		const ns = timeOfText(text);
		const view = this.aim();
		/** @param {Item | null} found @param {Store} store */
		const select = (found, store) => {
			/* Who has gone on meanwhile stays there. */
			this.select(found, { reveal: reveal && view === this.aim(), scroll, store });
			if (range)
				this.setRange(...range);
		};
		if (item || ns === null || this.pages.isWhole) {
			select(item, this.store);
			return;
		}
		this.work.run("go", async (wanted) => {
			const store = await this.pages.storeOf(...this.pages.around(ns, ns), wanted);
			if (store)
				select(itemFromText(store, text), store);
		}).catch(explain);
	}

	/**
	 * Selects what a lane has at a time, in which nothing may be loaded.
	 * @param {Lane} lane
	 * @param {number} ns
	 */
	selectInLane(lane, ns) {
		const { itemAt } = lane.kind;
		if (!itemAt)
			return;
		this.withStoreAt(ns, (store) => {
			const item = itemAt(store, lane, ns);
			if (item)
				this.select(item, { reveal: true, store });
			this.focusedLane = lane.id;
		});
	}

	/**
	 * Selects the call at the other end of a message, or of the first one of a call.
	 */
	goOtherEnd() {
		const place = this.selected();
		const end = place && otherEndOf(place.store, place.item);
		if (!end)
			return;
		this.withStoreAt(end.ns, (store) => {
			const call = callAt(store, end);
			if (call)
				this.select(call, { reveal: true, store });
		});
	}

	/**
	 * Calls @use with a store that has a time: the one that is shown, or one that is loaded for it.
	 * @param {number} ns
	 * @param {(store: Store) => void} use
	 */
	withStoreAt(ns, use) {
		if (this.store.covers(ns, ns)) {
			use(this.store);
			return;
		}
		this.work.run("go", async (wanted) => {
			const store = await this.pages.storeOf(...this.pages.around(ns, ns), wanted);
			if (store)
				use(store);
		}).catch(explain);
	}

	/* What is selected, and in which store it was found; or null. */
	selected() {
		if (this.selection)
			return { store: this.store, item: this.selection };
		return this.selectionText ? this.details.placeOf(this.selectionText) : null;
	}

	/**
	 * One step (1 or -1) on a course: a Promise where other windows must be asked.
	 * @param {Course | null} course
	 * @param {number} step
	 * @returns {Promise<void> | null}
	 */
	follow(course, step) {
		if (!course)
			return null;
		const found = stepHere(this.store, course, step);
		if (found)
			this.select(found, { reveal: true });
		if (found !== undefined)
			return null;
		return this.work.run("go", async (wanted, progress) => {
			const text = await stepFar(this.pages, course, step, wanted, progress);
			if (text && wanted())
				this.goTo(text, { reveal: true });
		}).catch(explain);
	}

	/** @param {number} step @returns {"" | Promise<void> | null} */
	goNeighbour(step) {
		const place = this.selected();
		return place && this.follow(courseInLane(place.store, place.item), step);
	}

	/** @param {number} step @returns {"" | Promise<void> | null} */
	goSameName(step) {
		const place = this.selected();
		return place && this.follow(courseByName(place.store, place.item), step);
	}

	/** @param {number} start @param {number} end */
	setRange(start, end) {
		const full = this.store.duration;
		/** @param {number} ns */
		const clamp = (ns) => Math.min(Math.max(ns, 0), full);
		this.range = { start: clamp(Math.min(start, end)), end: clamp(Math.max(start, end)) };
		this.follower?.rangeChanged();
		this.changed();
	}

	clear() {
		this.work.end("go");
		this.selection = this.selectionText = this.range = null;
		this.follower?.selectionChanged(this.store, null);
		this.changed();
	}

	/**
	 * Where the pointer is in time; null: nowhere.
	 * @param {number | null} ns
	 */
	point(ns) {
		this.crosshair = ns;
		this.follower?.crosshairMoved();
		this.requestFrame();
	}

	changed() {
		this.details.show();
		this.loading.look();
		this.search.showStatus();
		this.address.note();
		this.requestFrame();
	}

	/** @param {Store} store @param {Item | null} item */
	announce(store, item) {
		if (!item)
			return;
		const { title, subtitle, facts } = describe(store, item);
		const spoken = facts.filter(([label]) => label === "start" || label === "duration")
			.map(([label, value]) => `${label} ${value}`);
		this.announcer.textContent = [title, subtitle, ...spoken].join(", ");
	}

	/** @param {Store} store @param {Item} item */
	revealLane(store, item) {
		const thread = threadOf(store, item);
		if (item.kind !== "slice" && item.kind !== "gap" && item.kind !== "interrupt" && item.kind !== "event" &&
		    item.kind !== "migration" && thread >= 0)
			this.showThread(thread);
		else if (this.lanes.closed.has(CPUS_KEY))
			this.lanes.toggle(CPUS_KEY);
		if (item.kind === "message")
			this.showThread(store.messages.sender[item.row]);
		this.layoutChanged();
		if (item.kind === "message")
			this.scrollToLane(this.lanes.find(`thread ${store.messages.sender[item.row]}`));
		this.scrollToLane(this.lanes.find(laneOf(store, item)));
	}

	/**
	 * Whatever hides the lane of a thread is undone.
	 * @param {number} thread
	 */
	showThread(thread) {
		if (this.lanes.reveal(thread))
			this.filter.run("");
	}

	/**
	 * The lane that keys speak of.
	 * @param {Lane} lane
	 */
	focusLane(lane) {
		this.focusedLane = lane.id;
		this.scrollToLane(lane);
		this.announcer.textContent = [lane.label, lane.note].join(" ");
		this.requestFrame();
	}

	/** @param {Lane | undefined} lane */
	scrollToLane(lane) {
		if (!lane)
			return;
		if (lane.top < this.scroller.scrollTop)
			this.scroller.scrollTop = lane.top - this.lanes.heights.group;
		else if (lane.top + lane.height > this.scroller.scrollTop + this.height)
			this.scroller.scrollTop = lane.top + lane.height - this.height + 4;
	}

	/** @param {Store} store @param {Item} item */
	revealTime(store, item) {
		if (item.kind === "thread")
			return;
		const [from, to] = timeOf(store, item);
		const { start, end } = this.aim();
		const span = end - start;
		const length = Math.max(to - from, LEAST_VIEW_NS / 4);
		const pixels = length / span * this.laneWidth();
		const isPoint = from === to && this.loading.fits(start, end);
		if (from >= start && to <= end && (pixels >= 3 || isPoint))
			return;
		let wanted = pixels < 8 && from !== to ? length * 6 : Math.max(span, length * 1.2);
		const middle = (from + to) / 2;
		while (from === to && !this.loading.fits(middle - wanted / 2, middle + wanted / 2) &&
		       wanted > LEAST_VIEW_NS)
			wanted /= 2;
		this.setView(middle - wanted / 2, middle + wanted / 2, { animate: true });
	}

	selectedThread() {
		const place = this.selected();
		return place ? threadOf(place.store, place.item) : -1;
	}

	/**
	 * Whose slices keep their colour while the others fade; null: everyone's.
	 * @returns {((thread: number) => boolean) | null}
	 */
	litThreads() {
		const { matches, hover, selection } = this;
		if (matches && !matches.anyName && matches.threadList.length)
			return (thread) => matches.threads[thread] === 1;
		const hovered = hover && this.hoverKind ? this.hoverKind.litThread(this.store, hover) : -1;
		if (hovered >= 0)
			return (thread) => thread === hovered;
		if (selection && selection.kind === "thread")
			return (thread) => thread === selection.thread;
		return null;
	}

	/**
	 * @param {number} name
	 * @param {number} [kind] of spans
	 * @returns {boolean}
	 */
	isDimmed(name, kind) {
		if (this.lengths)
			return name !== this.lengths.name || (kind !== undefined && kind !== this.lengths.kind);
		return Boolean(this.matches && this.matches.anyName && !this.matches.names[name]);
	}

	/** @param {import("../data/tables.js").Spans} spans @param {number} row @returns {boolean} */
	isSpanDimmed(spans, row) {
		const isDimmed = this.isDimmed(spans.name[row], spans.kind[row]);
		if (isDimmed || !this.lengths)
			return isDimmed;
		const ns = spans.end[row] - spans.start[row];
		return ns < this.lengths.least_ns || ns >= this.lengths.most_ns;
	}

	/**
	 * Only instances of such a length keep their colour; null: all do.
	 * @param {{name: number, kind: number, least_ns: number, most_ns: number} | null} lengths
	 */
	lightLengths(lengths) {
		this.lengths = lengths;
		this.requestFrame();
	}

	/**
	 * Whether another event was searched for than those in a row of traceEvents.
	 * @param {number} row @returns {boolean}
	 */
	isEventDimmed(row) {
		const { matches } = this;
		if (!matches || !matches.anyName)
			return false;
		const { name, text } = this.store.traceEvents;
		return !matches.names[name[row]] && !matches.isText(text[row]);
	}

	/* --- lanes --- */

	/** @param {string} key */
	toggleGroup(key) {
		this.lanes.toggle(key);
		this.layoutChanged();
	}

	toggleCompact() {
		this.lanes.setCompact(!this.lanes.compact);
		this.layoutChanged();
	}

	toggleGrouping() {
		this.groupBy(GROUPED_BY[(GROUPED_BY.indexOf(this.lanes.by) + 1) % GROUPED_BY.length]);
		this.announcer.textContent = `Threads grouped by ${this.lanes.by}`;
	}

	/** @param {string} by */
	groupBy(by) {
		if (this.lanes.by === by)
			return;
		this.lanes.groupBy(by);
		this.layoutChanged();
		this.address.note();
	}

	layoutChanged() {
		this.content.style.height = `${this.lanes.height}px`;
		byId("compact").setAttribute("aria-pressed", String(this.lanes.compact));
		byId("by-cpu").setAttribute("aria-pressed", String(this.lanes.by === "cpu"));
		this.follower?.lanesChanged();
		this.requestFrame();
	}

	/* --- drawing --- */

	requestFrame() {
		if (this.frame)
			return;
		this.frame = requestAnimationFrame((now) => {
			this.frame = 0;
			this.animate(now);
			this.draw();
		});
	}

	/* Now; a frame that was asked for has nothing more to draw then, unless something moves. */
	draw() {
		if (this.frame && !this.target) {
			cancelAnimationFrame(this.frame);
			this.frame = 0;
		}
		this.ratio = window.devicePixelRatio || 1;
		if (this.printing)
			this.ratio = Math.max(this.ratio, PRINT_RATIO);
		this.painter.paint(this.width, this.printing ?
			Math.min(this.height, this.lanes.height - this.scrollTop) : this.height);
		this.axis.paint(this.width, this.axisHeight);
		this.minimap.paint(this.width, this.minimapHeight);
	}

	/* The only place where the layout is asked for sizes. */
	measure() {
		if (this.printing)
			return;
		const before = `${this.width} ${this.height} ${this.ratio}`;
		this.width = this.scroller.clientWidth;
		this.labelWidth = Math.round(Math.min(LABEL_WIDTH,
			Math.max(this.width * MOST_LABEL_SHARE, LEAST_LABEL_WIDTH)));
		this.height = this.scroller.clientHeight;
		this.axisHeight = byId("axis-row").clientHeight;
		this.minimapHeight = byId("minimap-row").clientHeight;
		this.bounds = this.scroller.getBoundingClientRect();
		if (`${this.width} ${this.height} ${window.devicePixelRatio || 1}` !== before)
			this.draw();
	}

	/**
	 * On paper: light, sharp, and no longer than there are lanes.
	 * @param {boolean} printing
	 */
	setPrinting(printing) {
		this.printing = printing;
		document.documentElement.classList.toggle("printing", printing);
		this.themeChanged();
		this.draw();
	}

	themeChanged() {
		this.palette.readTheme();
		this.details.show();
		this.requestFrame();
	}
}
