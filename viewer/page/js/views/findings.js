// SPDX-License-Identifier: GPL-2.0
/*
 * The findings: what cost how much, why, and where it shows.
 */
import { hasStacks } from "../data/stacks.js";
import { formatCount, formatDuration, formatPercent } from "../data/units.js";
import { element } from "../ui/dom.js";
import { TERMS } from "../ui/terms.js";
import { FINDINGS_TAB, FLAME_TAB } from "../ui/view_parts.js";
import { flameStateOf } from "./flame_graph.js";
import { gainOf, whatIfNodes } from "./finding_gain.js";

/** @typedef {import("../ui/analysis.js").Analysis} Analysis */
/** @typedef {import("../ui/analysis.js").Explanation} Explanation */
/** @typedef {import("../ui/analysis.js").Finding} Finding */
/** @typedef {import("../ui/panel.js").Found} Found */
/** @typedef {import("../ui/panel.js").AnalysisPanel} AnalysisPanel */
/** @typedef {import("../ui/panel.js").View} View */

/** @type {{[confidence: string]: number}} */
const CONFIDENCE_DOTS = { low: 1, medium: 2, high: 3 };

/** @type {View} */
export const findingsView = {
	name: FINDINGS_TAB,
	title: "Findings",
	hint: "The causes that cost the most time",
	has: () => true,
	nodes(panel) {
		const { analysis, app } = panel;
		if (analysis.findings.length)
			return findingsList(panel);
		return [...findingsList(panel), ...app.details.ofWhole()];
	},
};

/** @param {Found} panel @returns {HTMLParagraphElement[] | HTMLOListElement[]} */
export function findingsList(panel) {
	const { analysis } = panel;
	if (analysis.leftOut)
		return [element("p", { class: "verdict" }, `Not looked for: the trace has about ${
			formatCount(analysis.leftOut.events)} events and annotations. There was room for the timeline of ${
			formatCount(analysis.leftOut.most_events)}, in memory and on the disk. `,
		element("code", {}, "annot html --force-findings"), " looks for them all the same.")];
	if (!analysis.findings.length)
		return [element("p", { class: "verdict good" }, "Nothing found that costs 1 % of the time or more.")];
	const most = Math.max(...analysis.findings.map(atMost));
	return [element("ol", { class: "findings" },
		...analysis.findings.map((finding, i) => findingItem(panel, finding, i, most)))];
}

/** @param {Found} panel @param {Finding} finding @param {number} rank @param {number} most */
function findingItem(panel, finding, rank, most) {
	const { analysis } = panel;
	const { kind, text, confidence, caveats } = finding;
	const item = element("li", { class: "finding" },
		element("span", { class: "rank", "aria-hidden": "true" }, String(rank + 1)),
		lostTime(analysis, finding, most),
		element("div", { class: "said" },
			element("p", { class: "sentence" }, text),
			element("p", { class: "notes" },
				kindLabel(analysis, kind), confidenceLabel(confidence), gainOf(finding),
				...caveats.map((caveat) => element("span", { class: "caveat" }, caveat)))),
		element("div", { class: "does" }, ...findingButtons(panel, finding, rank)));
	item.classList.toggle("shown", panel.tab === FINDINGS_TAB && panel.state === String(rank));
	return item;
}

/**
 * What is lost, or the most that may be.
 * @param {Finding} finding
 */
const atMost = ({ time_lost_ns: lost, time_lost_at_most_ns: most = lost }) => most;

/** @param {Analysis} analysis @param {Finding} finding @param {number} most */
function lostTime(analysis, finding, most) {
	const lost = atMost(finding);
	const isBound = lost > finding.time_lost_ns;
	if (!lost && finding.cpu_time_lost_ns)
		return element("div", { class: "lost" },
			element("strong", { title: TERMS["CPU time only"] }, "CPU time"),
			element("span", {}, formatDuration(finding.cpu_time_lost_ns)));
	return element("div", { class: "lost" },
		element("strong", { title: isBound ? TERMS["at most"] : TERMS["time lost"] },
			`${isBound ? "≤ " : ""}${formatDuration(lost)}`),
		element("span", { title: TERMS["share of the session"] }, formatPercent(analysis.share(lost))),
		element("span", { class: "lost-bar", "aria-hidden": "true" },
			element("span", { style: { width: `${lost / Math.max(most, 1) * 100}%` } })));
}

/** @param {string} kind */
const kindText = (kind) => kind.replace(/-/g, " ");

/** @param {Analysis} analysis @param {string} kind */
function kindLabel({ catalogue }, kind) {
	return element("span", { class: "kind", title: catalogue[kind]?.title, "data-kind": kind }, kindText(kind));
}

/** @param {string} confidence */
function confidenceLabel(confidence) {
	const dots = CONFIDENCE_DOTS[confidence] || 0;
	return element("span", { class: "confidence", title: TERMS.confidence },
		element("span", { class: "dots", "aria-hidden": "true" }, "●".repeat(dots), "○".repeat(3 - dots)),
		` ${confidence} confidence`);
}

/** @param {Found} panel @param {Finding} finding @param {number} rank */
function findingButtons(panel, finding, rank) {
	const explained = panel.analysis.catalogue[finding.kind];
	const show = element("button", {
		type: "button", title: "Zoom to the best evidence", onclick: () => {
			panel.keep(String(rank));
			for (const item of panel.body.querySelectorAll(".finding"))
				item.classList.toggle("shown", item === show.closest(".finding"));
			showFinding(panel, finding);
		},
	}, "show");
	const buttons = [show, ...stacksButtons(panel, finding)];
	if (finding.what_if)
		buttons.push(toggleButton("what if", "What its cure would gain", () => whatIfNodes(panel.analysis, finding)));
	if (explained)
		buttons.push(toggleButton("explain", `What ${kindText(finding.kind)} is, and what helps`,
			() => explanationNodes(explained)));
	return buttons;
}

/** @param {Found} panel @param {Finding} finding */
function stacksButtons(panel, finding) {
	const { store } = panel.app;
	return hasStacks(store) ? [element("button", {
		type: "button", title: "The call stacks of its threads, in its time", onclick: () => {
			showFinding(panel, finding);
			panel.openIn(FLAME_TAB, flameStateOf(store, finding));
		},
	}, "stacks")] : [];
}

/**
 * Its evidence: time, threads and CPUs.
 * @param {AnalysisPanel} panel
 * @param {Finding} finding
 */
export function showFinding(panel, { evidence }) {
	const threads = evidence.threads.map((thread, i) => ({ thread, tid: evidence.tids[i] }));
	panel.show(evidence, threads, evidence.cpus);
}

/**
 * Shows what @make makes below the sentence, and takes it away again.
 * @param {string} name @param {string} title @param {() => HTMLElement[]} make
 */
function toggleButton(name, title, make) {
	const button = element("button", { type: "button", title, "aria-expanded": "false" }, name);
	/** @type {HTMLElement | null} */
	let shown = null;
	button.addEventListener("click", () => {
		const said = button.closest(".finding")?.querySelector(".said");
		button.setAttribute("aria-expanded", String(!shown));
		if (shown) {
			shown.remove();
			shown = null;
			return;
		}
		shown = element("div", { class: "explanation" }, ...make());
		said?.append(shown);
	});
	return button;
}

/**
 * What it is, how it is found, what helps.
 * @param {Explanation} explanation
 */
const explanationNodes = ({ what, definition, how_to_see: howToSee, cures }) => [
	element("p", {}, what),
	element("p", {}, element("b", {}, "How annot finds it: "), definition),
	element("p", {}, element("b", {}, "How to see it: "), howToSee),
	element("p", {}, element("b", {}, "Known cures:")),
	element("ul", {}, ...cures.map((cure) => element("li", {}, cure))),
];
