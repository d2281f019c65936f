// SPDX-License-Identifier: GPL-2.0
/*
 * The list of all events that nothing else shows, in time order: only the rows in sight are elements. It
 * follows what is selected on the lanes, and a row that is chosen here is selected there.
 */
import { eventTest } from "../data/event_filter.js";
import { timeOf } from "../data/items.js";
import { lowerBound } from "../data/row_search.js";
import { eventThreadName } from "../data/texts.js";
import { counted, formatCount, formatTime } from "../data/units.js";
import { element, isChild, swatch } from "./dom.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./dom.js").Child} Child */
/** @typedef {import("../data/store.js").Store} Store */

const ROW_HEIGHT = 20;
const MOST_HEIGHT = 4000000;	/* browsers have a limit for what is scrolled */
const FILTER_DELAY_MS = 150;
const ROWS_BEFORE = 2;		/* what is scrolled to stands below so many */
const HEADINGS = ["time", "CPU", "thread", "event", "text"];

export class EventList {
	/** @param {App} app */
	constructor(app) {
		this.app = app;
		/** @type {Store | null} */
		this.store = null;	/* of which the rows are */
		this.rows = new Uint32Array();
		this.filter = "";
		this.timer = 0;
		this.scrolled = 0;	/* what the scroller loses while it is not in the page */
		this.input = element("input", {
			type: "search", class: "event-filter", placeholder: "Filter: irq:*   prio < 100   text",
			title: "All must fit: system:event, * stands for anything; fields, as prio < 100 or comm ~ sh; words",
			"aria-label": "Show only events that fit", autocomplete: "off", spellcheck: "false",
			oninput: () => this.soon(),
			onkeydown: (event) => event.stopPropagation(),
		});
		this.status = element("span", { class: "event-status", role: "status" });
		this.spacer = element("div", { class: "event-spacer" });
		this.body = element("div", { class: "event-rows" });
		this.scroller = element("div", {
			class: "event-scroller", tabindex: "0", role: "table", "aria-label": "Events",
			onscroll: () => this.paint(), onkeydown: (event) => this.key(event),
			onclick: (event) => this.click(event),
		}, this.spacer, this.body);
		this.beside = element("div", { class: "event-beside", hidden: "" });
		this.outer = element("div", { class: "event-split" },
			element("div", { class: "event-list" },
				element("div", { class: "event-head" }, this.input, this.status, this.leftOut(), this.early()),
				element("div", { class: "event-row event-headings", "aria-hidden": "true" },
					...HEADINGS.map((name) => element("span", {}, name))),
				this.scroller),
			this.beside);
		new ResizeObserver(() => this.paint()).observe(this.scroller);
	}

	/* Is there anything to show or to tell? */
	get hasAny() {
		const { event_names: names = [], left_out_events: leftOut = [], early_events: early = 0 } = this.app.pages.head;
		return names.length + leftOut.length + early > 0;
	}

	/* What is not in the page, and how it gets there. */
	leftOut() {
		const { left_out_events: leftOut = [] } = this.app.pages.head;
		if (!leftOut.length)
			return null;
		const nr = leftOut.reduce((sum, [, own]) => sum + own, 0);
		const lines = leftOut.map(([name, own]) => `${this.app.store.string(name)}: ${formatCount(own)}`);
		const [[first]] = leftOut;
		const what = leftOut.length === 1 ? this.app.store.string(first) : counted(leftOut.length, "type");
		return element("span", { class: "event-left-out", title: lines.join("\n") },
			`${counted(nr, "event")} of ${what} left out: `, element("code", {}, "annot html --events"));
	}

	/* What comes before the page begins. */
	early() {
		const { early_events: nr = 0 } = this.app.pages.head;
		if (!nr)
			return null;
		return element("span", {
			class: "event-early",
			title: "The page begins with the first event that annot decodes. annot events prints all.",
		}, `${counted(nr, "earlier event")} left out`);
	}

	/**
	 * What is told of a selection stands beside the list.
	 * @param {Child[]} nodes
	 */
	tell(nodes) {
		this.beside.replaceChildren(...nodes.filter(isChild));
		this.beside.hidden = !nodes.length;
		if (this.isShown) {
			this.follow();
			this.paint();
		}
	}

	get isShown() {
		return this.outer.isConnected;
	}

	/** @returns {HTMLElement} */
	element() {
		queueMicrotask(() => this.attached());
		return this.outer;
	}

	/* The page has it again: it stands where it stood, or where the selection is. */
	attached() {
		this.scroller.scrollTop = this.scrolled;
		if (this.store !== this.app.store)
			this.find();
		this.follow();
		this.paint();
	}

	/* Other rows are loaded; those of before have other numbers. */
	storeChanged() {
		if (!this.isShown)
			return;
		this.find();
		this.follow();
		this.paint();
	}

	soon() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.run(this.input.value), FILTER_DELAY_MS);
	}

	/** @param {string} filter */
	run(filter) {
		if (this.input.value !== filter)
			this.input.value = filter;
		this.filter = filter;
		this.find();
		this.follow();
		this.paint();
	}

	/* The rows that the filter lets pass. */
	find() {
		const { store } = this.app;
		const { rows: nr, name } = store.traceEvents;
		const fits = eventTest(this.filter);
		const rows = new Uint32Array(nr);
		let found = 0;
		for (let row = 0; row < nr; row++)
			if (!fits || fits({ name: store.string(name[row]), text: store.eventText(row),
				thread: eventThreadName(store, row) }))
				rows[found++] = row;
		this.store = store;
		this.rows = rows.subarray(0, found);
		this.spacer.style.height = `${this.height()}px`;
		this.showStatus(nr);
	}

	/** @param {number} nr that the store has */
	showStatus(nr) {
		const all = this.app.store.counts().traceEvents;
		const loaded = nr < all ? ` of the ${formatCount(nr)} that are loaded, of ${formatCount(all)}` : "";
		this.status.textContent = this.filter || loaded ?
			`${formatCount(this.rows.length)}${loaded || ` of ${formatCount(nr)}`}` : counted(nr, "event");
	}

	height() {
		return Math.min(this.rows.length * ROW_HEIGHT, MOST_HEIGHT);
	}

	/* How many rows are scrolled by a pixel. */
	rowsPerPixel() {
		const room = this.height() - this.scroller.clientHeight;
		return room > 0 ? Math.max(this.rows.length - this.visible(), 0) / room : 0;
	}

	/* Whole rows in sight. */
	visible() {
		return Math.floor(this.scroller.clientHeight / ROW_HEIGHT);
	}

	top() {
		return this.scroller.scrollTop * this.rowsPerPixel();
	}

	paint() {
		const { scroller, body, rows } = this;
		if (!this.isShown)
			return;
		this.scrolled = scroller.scrollTop;
		const top = this.top();
		const first = Math.floor(top);
		const past = Math.min(first + this.visible() + 2, rows.length);
		scroller.setAttribute("aria-rowcount", String(rows.length));
		body.style.top = `${scroller.scrollTop - (top - first) * ROW_HEIGHT}px`;
		body.replaceChildren(...Array.from(rows.subarray(first, past), (row, i) => this.rowElement(row, first + i)));
	}

	/** @param {number} row @param {number} place */
	rowElement(row, place) {
		const { app, store } = this;
		if (!store)
			return element("div");
		const { start, cpu, name } = store.traceEvents;
		const { selection, range } = app;
		const isSelected = selection?.kind === "event" && selection.row === row;
		const isInRange = range && start[row] >= range.start && start[row] <= range.end;
		const said = store.eventText(row);
		return element("div", {
			class: `event-row${isInRange ? " in-range" : ""}`, role: "row", "aria-rowindex": place + 1,
			"aria-selected": String(isSelected), "data-place": place,
		}, ...[
			formatTime(start[row]), String(cpu[row]), eventThreadName(store, row),
		].map((own) => element("span", { role: "cell" }, own)),
		element("span", { role: "cell" }, swatch(app.palette.ofName(name[row])), store.string(name[row])),
		element("span", { role: "cell", title: said }, said));
	}

	/** @param {MouseEvent} event */
	click({ target }) {
		const row = target instanceof Element ? target.closest("[data-place]") : null;
		if (row instanceof HTMLElement)
			this.choose(Number(row.dataset.place));
	}

	/** @param {number} place */
	choose(place) {
		if (place < 0 || place >= this.rows.length)
			return;
		this.app.select({ kind: "event", row: this.rows[place] }, { reveal: true });
		this.scroller.focus({ preventScroll: true });
	}

	/* The place of the event that is selected, or where it would stand. */
	place() {
		const { selection } = this.app;
		return selection?.kind === "event" ? lowerBound(this.rows, selection.row) : Math.floor(this.top());
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		const page = Math.max(this.visible() - 1, 1);
		const to = new Map([
			["ArrowDown", this.place() + 1], ["ArrowUp", this.place() - 1],
			["PageDown", Math.min(this.place() + page, this.rows.length - 1)],
			["PageUp", Math.max(this.place() - page, 0)], ["Home", 0], ["End", this.rows.length - 1],
		]).get(event.key);
		if (to === undefined || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		event.stopPropagation();
		this.choose(to);
	}

	/* To what is selected, if that is not in sight. */
	follow() {
		const { app, store, rows } = this;
		const { selection, range } = app;
		if (!store || (!selection && !range))
			return;
		const ns = range ? range.start : timeOf(store, /** @type {import("../data/items.js").Item} */ (selection))[0];
		const row = selection?.kind === "event" && !range ? selection.row : lowerBound(store.traceEvents.start, ns);
		this.scrollTo(lowerBound(rows, row));
	}

	/** @param {number} place */
	scrollTo(place) {
		const top = this.top();
		const perPixel = this.rowsPerPixel();
		if (!perPixel || (place >= top && place < top + this.visible()))
			return;
		this.scroller.scrollTop = Math.max(place - ROWS_BEFORE, 0) / perPixel;
	}
}
