// SPDX-License-Identifier: GPL-2.0
/*
 * What the panel at the bottom shows while nothing is selected: findings, the views of each analysis,
 * and the figures. A view: {name, title, hint, has(analysis), nodes(panel)}; only those that have
 * something to show get a tab.
 *
 * The address tells it as p=NAME, or NAME.STATE with what the view itself keeps (panel.state).
 */
import { threadName } from "../data/texts.js";
import { counted, formatDuration, formatTime } from "../data/units.js";
import { readAnalysis, threadOfRow } from "./analysis.js";
import { element, swatch } from "./dom.js";
import { FINDINGS_TAB } from "./view_parts.js";
import { VIEWS } from "../views/all.js";
import { findingsList, showFinding } from "../views/findings.js";

export class InsightsPanel {
	constructor(app) {
		this.app = app;
		this.analysis = null;
		this.isRead = false;
		this.tab = FINDINGS_TAB;
		this.states = new Map();
		this.button = document.getElementById("findings-open");
		this.button.addEventListener("click", () => this.open(FINDINGS_TAB));
	}

	/* Once the first drawing can be seen. */
	async read() {
		await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
		this.analysis = await readAnalysis();
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
		return this.analysis ? VIEWS.filter((view) => view.has(this.analysis)) : [];
	}

	/* What a view keeps: of the address, and over its being shown anew. */
	get state() {
		return this.states.get(this.tab) || "";
	}

	keep(state) {
		this.states.set(this.tab, state);
		this.app.address.note();
	}

	/* Shows a view, whatever was selected. */
	open(name) {
		const { app } = this;
		this.tab = name;
		app.clear();
		app.details.panel.focus({ preventScroll: true });
		app.details.panel.scrollIntoView({ block: "nearest" });
	}

	/* No more of a finding on the lanes. */
	hide() {
		this.app.evidence.clear();
		if (this.tab === FINDINGS_TAB)
			this.keep("");
		this.app.changed();
	}

	/* --- the address --- */

	addressText() {
		if ((this.isRead && !this.analysis) || (this.tab === FINDINGS_TAB && !this.state))
			return "";
		return this.state ? `${this.tab}.${this.state}` : this.tab;
	}

	readAddress(text) {
		const [name, ...state] = text.split(".");
		const isKnown = VIEWS.some((view) => view.name === name);
		if (!isKnown && text)
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
			analysis.findings[this.state] : null;
		if (!finding)
			return;
		const { start, end } = app.aim();
		showFinding(this, finding);
		if (!(start <= 0 && end >= app.fullSpan()))
			app.setView(start, end);
	}

	/* --- what is shown --- */

	/* The tabs, and what the chosen one has. */
	nodes() {
		const chosen = this.views().find(({ name }) => name === this.tab) || this.views()[0];
		this.body = element("div", { class: `view view-${chosen.name}`, role: "tabpanel", "aria-label": chosen.title },
			...chosen.nodes(this).filter(Boolean));
		return [this.tabs(chosen), this.body];
	}

	/* For paper: the findings come first, whatever else is shown. */
	printedNodes() {
		const isShown = this.tab === FINDINGS_TAB && !this.app.selectionText && !this.app.range;
		return this.analysis && !isShown ? [element("div", { class: "view" }, ...findingsList(this))] : [];
	}

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

	countOf({ name }) {
		const nr = this.analysis.findings.length;
		return name === FINDINGS_TAB && !this.analysis.leftOut ? element("span", { class: "count" }, String(nr)) : null;
	}

	choose(name) {
		this.tab = name;
		this.app.details.show();
		this.app.address.note();
		const tab = document.getElementById(`tab-${name}`);
		tab.focus({ preventScroll: true });
		tab.scrollIntoView({ block: "nearest", inline: "nearest" });
	}

	tabKey(event, views, at) {
		const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: views.length - 1 }[event.key];
		if (to === undefined)
			return;
		event.preventDefault();
		event.stopPropagation();
		this.choose(views[(to + views.length) % views.length].name);
	}

	/* The view anew, with another state; the focus stays where it was. */
	change(state) {
		this.keep(state);
		const { panel } = this.app.details;
		const { scrollTop } = panel;
		const { key } = document.activeElement.dataset;
		const body = this.body;
		this.nodes();
		body.replaceWith(this.body);
		panel.scrollTop = scrollTop;
		const again = key && this.body.querySelector(`[data-key="${CSS.escape(key)}"]`);
		if (again)
			again.focus({ preventScroll: true });
	}

	/* --- what views have in common --- */

	/* A table whose order outlives it. */
	table(caption, columns, rows) {
		return this.app.details.table(caption, columns, rows);
	}

	threadName(row) {
		const thread = threadOfRow(this.app.store, row);
		return thread < 0 ? `thread ${row.tid}` : threadName(this.app.store, thread);
	}

	/* A thread, in its colour; a click shows it at the time that it is about, if any. */
	threadNodes(row, range = null) {
		const { app } = this;
		const thread = threadOfRow(app.store, row);
		if (thread < 0)
			return [this.threadName(row)];
		return [swatch(app.palette.ofThread(thread)), app.details.goButton(this.threadName(row),
			() => this.show(range || this.wholeSession(), [row]), "Show its lane")];
	}

	wholeSession() {
		const { session } = this.analysis;
		return { from_ns: session.from_ns, to_ns: session.to_ns };
	}

	/* Zooms to a stretch, on the lanes of threads and CPUs. */
	show({ from_ns: start, to_ns: end }, threads, cpus = []) {
		const { app } = this;
		app.evidence.show({
			start, end, cpus,
			threads: threads.map((row) => threadOfRow(app.store, row)).filter((thread) => thread >= 0),
		});
		app.announcer.textContent = `Shown: ${formatTime(start)}, ${formatDuration(end - start)}`;
	}

	/* The width for a drawing: no more than there is. */
	room(most) {
		return Math.max(Math.min(most, this.app.details.panel.clientWidth - 24), 240);
	}
}
