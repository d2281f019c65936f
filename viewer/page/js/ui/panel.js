// SPDX-License-Identifier: GPL-2.0
/*
 * What the panel at the bottom shows while nothing is selected: findings, the views of each analysis,
 * and the figures. Only views that have something to show get a tab. A view shows the analyses of the
 * names in `analyses`, or else the one of its own name.
 *
 * The address tells it as p=NAME, or NAME.STATE with what the view itself keeps (panel.state).
 */
import { threadName } from "../data/texts.js";
import { TurnFigures } from "../data/turn_figures.js";
import { counted, formatDuration, formatTime } from "../data/units.js";
import { readAnalysis, threadOfRow } from "./analysis.js";
import { byId, element, shown, swatch } from "./dom.js";
import { EVENTS_TAB, FINDINGS_TAB, FLAME_TAB } from "./view_parts.js";
import { viewsOf } from "../views/all.js";
import { findingsList, showFinding } from "../views/findings.js";

/** @typedef {import("./dom.js").Child} Child */
/** @typedef {import("./analysis.js").Analysis} Analysis */
/** @typedef {import("./app.js").App} App */
/** @typedef {import("./analysis.js").Stretch} Stretch */
/** @typedef {import("./analysis.js").ThreadRef} ThreadRef */
/**
 * @template R
 * @typedef {import("./tables.js").TableColumn<R>} TableColumn
 */

/**
 * @typedef {{
 *	name: string, title: string, hint: string, analyses?: string[], has(analysis: Analysis, app: App): boolean,
 *	nodes(panel: Found): Child[],
 * }} View
 */
/** @typedef {AnalysisPanel & {analysis: Analysis}} Found a panel that has something to show */

export class AnalysisPanel {
	/** @param {App} app */
	constructor(app) {
		this.app = app;
		/** @type {Analysis | null} */
		this.analysis = null;
		/** @type {View[]} */
		this.all = [];	/* also those without data */
		this.isRead = false;
		this.tab = FINDINGS_TAB;
		/** @type {Map<string, string>} */
		this.states = new Map();
		this.body = element("div");
		this.button = byId("findings-open");
		this.button.addEventListener("click", () => this.open(FINDINGS_TAB));
	}

	/* Once the first drawing can be seen. */
	async read() {
		await shown();
		this.analysis = await readAnalysis();
		this.all = this.analysis ? viewsOf(this.analysis) : [];
		if (this.analysis?.turns)
			this.app.pages.turnFigures = new TurnFigures(this.analysis.turns, this.app.pages.events, this.app.pages.threads);
		this.isRead = true;
		this.showButton();
		if (!this.views().some(({ name }) => name === this.tab))
			this.tab = FINDINGS_TAB;
		this.showAddressed();
		this.app.details.show();
		performance.mark("annot-findings");
	}

	showButton() {
		const { analysis, button } = this;
		if (!analysis || analysis.leftOut)
			return;
		const nr = analysis.findings.length;
		button.hidden = false;
		button.textContent = nr ? counted(nr, "finding") : "No findings";
		button.classList.toggle("some", nr > 0);
	}

	/* Those with data. */
	views() {
		const { analysis } = this;
		return analysis ? this.all.filter((view) => view.has(analysis, this.app)) : [];
	}

	/* What a view keeps: of the address, and over its being shown anew. */
	get state() {
		return this.states.get(this.tab) || "";
	}

	/** @param {string} state */
	keep(state) {
		this.states.set(this.tab, state);
		this.app.address.note();
	}

	/**
	 * Shows a view, whatever was selected.
	 * @param {string} name
	 */
	open(name) {
		const { app } = this;
		this.tab = name;
		app.clear();
		app.details.panel.focus({ preventScroll: true });
		app.details.panel.scrollIntoView({ block: "nearest" });
	}

	/**
	 * The same, with what the view keeps; what the lanes show of a finding stays.
	 * @param {string} name
	 * @param {string} state
	 */
	openIn(name, state) {
		this.states.set(name, state);
		this.choose(name);
	}

	/* No more of a finding on the lanes. */
	hide() {
		this.app.evidence.clear();
		if (this.tab === FINDINGS_TAB)
			this.keep("");
		this.app.changed();
	}

	/* Spans of any length have their colour again. */
	showAllLengths() {
		this.app.lightLengths(null);
		this.app.details.show();
	}

	/* --- the address --- */

	addressText() {
		if ((this.isRead && !this.analysis) || (this.tab === FINDINGS_TAB && !this.state))
			return "";
		return this.state ? `${this.tab}.${this.state}` : this.tab;
	}

	/** @param {string} text */
	readAddress(text) {
		const [name, ...state] = text.split(".");
		/* Before, read() leaves a tab that there is not. */
		if (text && this.isRead && !this.all.some((view) => view.name === name))
			return;
		this.tab = text ? name : FINDINGS_TAB;
		this.states.set(this.tab, state.join("."));
		if (this.isRead) {
			this.showAddressed();
			this.app.details.show();
		}
	}

	/* The lanes of the finding that the address names; the view is the address's own. */
	showAddressed() {
		const { app, analysis } = this;
		const finding = this.tab === FINDINGS_TAB && analysis && /^\d+$/.test(this.state) ?
			analysis.findings[Number(this.state)] : null;
		if (!finding)
			return;
		const { start, end } = app.aim();
		showFinding(this, finding);
		if (!(start <= 0 && end >= app.fullSpan()))
			app.setView(start, end);
	}

	/* --- what is shown --- */

	/* The tabs, and what the chosen one has; nothing before the analysis has been read. */
	nodes() {
		if (!hasFound(this))
			return [];
		const chosen = this.views().find(({ name }) => name === this.tab) || this.views()[0];
		this.body = element("div", { class: `view view-${chosen.name}`, role: "tabpanel", "aria-label": chosen.title },
			...chosen.nodes(this));
		return [this.tabs(chosen), this.body];
	}

	/**
	 * What is told of a selection: the list of events stays beside it, a flame graph above it, of the selected time.
	 * @param {Child[]} told
	 * @returns {Child[] | null} null: the list is there and tells it
	 */
	withEvents(told) {
		const { events } = this.app;
		const chosen = this.views().find(({ name }) => name === this.tab);
		if (chosen?.name === FLAME_TAB && this.app.range && hasFound(this)) {
			this.body = element("div", { class: `view view-${chosen.name}` }, ...chosen.nodes(this), ...told);
			return [this.tabs(chosen), this.body];
		}
		if (chosen?.name !== EVENTS_TAB)
			return told;
		events.tell(told);
		return events.isShown ? null : [this.tabs(chosen), events.element()];
	}

	/**
	 * For paper: the findings come first, whatever else is shown.
	 * @returns {HTMLElement[]}
	 */
	printedNodes() {
		const isShown = this.tab === FINDINGS_TAB && !this.app.selectionText && !this.app.range;
		return hasFound(this) && !isShown ? [element("div", { class: "view" }, ...findingsList(this))] : [];
	}

	/** @param {View} chosen @returns {HTMLDivElement} */
	tabs(chosen) {
		const list = element("div", { class: "tabs", role: "tablist", "aria-label": "What was found" });
		const views = this.views();
		views.forEach((view, i) => list.append(element("button", {
			type: "button", role: "tab", title: view.hint, id: `tab-${view.name}`,
			"aria-selected": String(view === chosen), tabindex: view === chosen ? "0" : "-1",
			onclick: () => this.choose(view.name),
			onkeydown: (event) => this.tabKey(event, views, i),
		}, view.title, this.countOf(view))));
		return list;
	}

	/** @param {View} view @returns {HTMLSpanElement | null} */
	countOf({ name }) {
		const { analysis } = this;
		return name === FINDINGS_TAB && analysis && !analysis.leftOut ?
			element("span", { class: "count" }, String(analysis.findings.length)) : null;
	}

	/** @param {string} name */
	choose(name) {
		this.tab = name;
		this.app.details.show();
		this.app.address.note();
		const tab = byId(`tab-${name}`);
		tab.focus({ preventScroll: true });
		tab.scrollIntoView({ block: "nearest", inline: "nearest" });
	}

	/** @param {KeyboardEvent} event @param {View[]} views @param {number} at */
	tabKey(event, views, at) {
		const to = new Map([["ArrowLeft", at - 1], ["ArrowRight", at + 1], ["Home", 0], ["End", views.length - 1]])
			.get(event.key);
		if (to === undefined)
			return;
		event.preventDefault();
		event.stopPropagation();
		this.choose(views[(to + views.length) % views.length].name);
	}

	/**
	 * The view anew, with another state; the focus stays where it was.
	 * @param {string} state
	 */
	change(state) {
		this.keep(state);
		const { panel } = this.app.details;
		const { scrollTop } = panel;
		const focused = document.activeElement;
		const key = focused instanceof HTMLElement ? focused.dataset.key : undefined;
		const body = this.body;
		this.nodes();
		body.replaceWith(this.body);
		panel.scrollTop = scrollTop;
		const again = key && this.body.querySelector(`[data-key="${CSS.escape(key)}"]`);
		if (again instanceof HTMLElement)
			again.focus({ preventScroll: true });
	}

	/* --- what views have in common --- */

	/**
	 * A table whose order outlives it.
	 * @template R
	 * @param {string} caption
	 * @param {TableColumn<R>[]} columns
	 * @param {R[]} rows
	 * @returns {HTMLElement}
	 */
	table(caption, columns, rows) {
		return this.app.details.table(caption, columns, rows);
	}

	/** @param {ThreadRef} row @returns {string} */
	threadName(row) {
		const thread = threadOfRow(this.app.store, row);
		if (thread >= 0)
			return threadName(this.app.store, thread);
		return row.tid === undefined || row.tid < 0 ? "unknown" : `thread ${row.tid}`;
	}

	/**
	 * A thread, in its colour; a click shows it at the time that it is about, if any, with CPUs.
	 * @param {ThreadRef} row
	 * @param {Stretch | null} range
	 * @param {number[]} cpus
	 */
	threadNodes(row, range = null, cpus = []) {
		const { app } = this;
		const thread = threadOfRow(app.store, row);
		if (thread < 0)
			return [this.threadName(row)];
		return [swatch(app.palette.ofThread(thread)), app.details.goButton(this.threadName(row),
			() => this.show(range || this.wholeSession(), [row], cpus), "Show its lane")];
	}

	wholeSession() {
		const { from_ns, to_ns } = this.analysis ? this.analysis.session : { from_ns: 0, to_ns: this.app.store.duration };
		return { from_ns, to_ns };
	}

	/**
	 * Zooms to a stretch, on the lanes of threads and CPUs.
	 * @param {Stretch} stretch
	 * @param {ThreadRef[]} threads
	 * @param {number[]} cpus
	 */
	show({ from_ns: start, to_ns: end }, threads, cpus = []) {
		const { app } = this;
		app.evidence.show({
			start, end, cpus,
			threads: threads.map((row) => threadOfRow(app.store, row)).filter((thread) => thread >= 0),
		});
		app.announcer.textContent = `Shown: ${formatTime(start)}, ${formatDuration(end - start)}`;
	}

	/**
	 * The width for a drawing: no more than there is.
	 * @param {number} most
	 * @returns {number}
	 */
	room(most) {
		return Math.max(Math.min(most, this.app.details.panel.clientWidth - 24), 240);
	}
}

/** @type {(panel: AnalysisPanel) => panel is Found} */
const hasFound = (panel) => panel.analysis !== null;
