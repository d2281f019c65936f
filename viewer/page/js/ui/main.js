// SPDX-License-Identifier: GPL-2.0
/*
 * Starts the page. Its one hook for scripts, as those of tests/browser, is window.annot:
 *
 *   ready	a Promise of the App, fulfilled after the first drawing, rejected when the page cannot be
 *		shown; that drawing is marked as "annot-drawn" in the browser's performance timeline
 *
 * A script that sets window.annot = {limits: {whole, shown, kept}} before this one runs limits how many
 * rows are loaded at once: see MOST_ROWS in data/windows.js.
 */
import { GAP_LOST, GAP_MISSING } from "../data/codes.js";
import { counted, formatCount, formatDuration } from "../data/units.js";
import { LEFT_OUT, Windows } from "../data/windows.js";
import { App } from "./app.js";
import { legend } from "./details.js";
import { byId, dialogById, element, shown } from "./dom.js";
import { explain } from "./explain.js";
import { fillHelp } from "./help.js";
import { attachSplitter, attachStrips, Keys, LaneInput } from "./input.js";

/** @param {App} app */
function fillHeader(app) {
	const { store } = app;
	const { head } = store;
	const { trace } = head;
	const facts = byId("facts");
	/** @param {string} value @param {string} label @param {string} title */
	const fact = (value, label, title) => facts.append(element("span", { title },
		element("b", {}, value), label ? ` ${label}` : ""));
	/** @param {number} number @param {string} noun @param {string} title */
	const count = (number, noun, title) => fact(formatCount(number), noun + (number === 1 ? "" : "s"), title);
	const fileName = trace.file.replace(/.*\//, "");
	const title = byId("title");
	title.textContent = head.title;
	title.title = trace.file;
	fact(formatDuration(trace.duration_ns), "", "Duration");
	count(store.counts().cpus, "CPU", "CPUs that wrote events");
	count(store.threads.filter((thread) => thread.session).length, "thread",
		"Threads of the session; other threads are in a group of their own");
	count(trace.events, "event", "Events read from the file");
	fact(trace.clock, "clock", "Clock of the trace");
	if (fileName !== head.title)
		fact(fileName, "", `File: ${trace.file}`);
	fillWarnings(app, byId("warnings"));
}

/**
 * A kind of gaps, as in gaps.kind.
 * @param {App} app @param {number} kind
 */
function showFirstGap(app, kind) {
	const cpu = app.store.cpus.find(({ gaps }) => gaps.rows && gaps.kind.includes(kind));
	if (cpu)
		app.select({ kind: "gap", cpu: cpu.index, row: cpu.gaps.kind.indexOf(kind) }, { reveal: true });
}

/**
 * What makes the picture incomplete is said before anything else.
 * @param {App} app @param {HTMLElement} list
 */
function fillWarnings(app, list) {
	const { trace, windows } = app.store.head;
	if (trace.lost_events || trace.lost_gaps)
		list.append(element("button", {
			type: "button", title: "Show the first gap", onclick: () => showFirstGap(app, GAP_LOST),
		}, `${trace.lost_events ? counted(trace.lost_events, "event") : "Events"} lost in ${
			counted(trace.lost_gaps, "gap")}`));
	if (trace.missing_switches)
		list.append(element("button", {
			type: "button", title: "Show the first place: nothing is known of the CPU there",
			onclick: () => showFirstGap(app, GAP_MISSING),
		}, `${formatCount(trace.missing_switches)} ${
			trace.missing_switches === 1 ? "switch" : "switches"} missing`));
	if (trace.lost_annotations)
		list.append(element("span", { title: "Spans may be missing, or end too late" },
			`${counted(trace.lost_annotations, "annotation")} lost`));
	if (trace.altered_annotations)
		list.append(element("span", { title: "They had an impossible time" },
			`${counted(trace.altered_annotations, "annotation")} altered`));
	const { left_out: leftOut, start } = windows;
	if (leftOut.length)
		list.append(element("span", { title: LEFT_OUT },
			`Detail left out in ${formatCount(leftOut.length)} of ${counted(start.length, "window")}`));
	if (trace.truncated)
		list.append(element("span", {}, "The file is truncated: the end of the trace is missing"));
}

/** @param {App} app */
function attachTheme(app) {
	const dark = matchMedia("(prefers-color-scheme: dark)");
	const calm = matchMedia("(prefers-reduced-motion: reduce)");
	dark.addEventListener("change", () => app.themeChanged());
	window.addEventListener("beforeprint", () => app.setPrinting(true));
	window.addEventListener("afterprint", () => app.setPrinting(false));
	byId("print-legend").append(legend(app.store.counts().interrupts > 0));
	calm.addEventListener("change", () => app.calm = calm.matches);
	app.calm = calm.matches;
}

/** @param {App} app @param {HTMLDialogElement} help */
function attachButtons(app, help) {
	/** @param {string} id @param {() => void} action */
	const onClick = (id, action) => byId(id).addEventListener("click", action);
	onClick("search-next", () => app.search.step(1));
	onClick("search-last", () => app.search.step(-1));
	onClick("compact", () => app.toggleCompact());
	onClick("by-cpu", () => app.toggleGrouping());
	onClick("whole", () => app.fit());
	onClick("help-open", () => help.showModal());
}

async function start() {
	const pages = await Windows.open(window.annot?.limits);
	const store = await pages.firstStore();
	const app = new App(pages, store);
	const help = dialogById("help");
	fillHeader(app);
	fillHelp(help);
	attachTheme(app);
	attachButtons(app, help);
	attachStrips(app);
	attachSplitter(app);
	new LaneInput(app);
	new Keys(app, help);
	byId("loading").hidden = true;
	app.layoutChanged();
	app.details.show();
	new ResizeObserver(() => app.measure()).observe(app.scroller);
	app.measure();
	document.addEventListener("scroll", () => app.measure(), { passive: true });
	app.address.read();
	window.addEventListener("hashchange", () => app.address.read());
	app.scroller.focus({ preventScroll: true });
	performance.mark("annot-drawn");
	if (pages.isRough)
		app.work.run("refine", async () => {
			await shown();
			await app.refine();
		}).catch(explain);
	app.analyses.read().catch(explain);
	return app;
}

const ready = start();
window.annot = { limits: {}, ...window.annot, ready };
ready.catch(explain);
