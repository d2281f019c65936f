// SPDX-License-Identifier: GPL-2.0
/*
 * How long instances of tasks take. Bars of a histogram can be chosen: the lanes then show these instances.
 */
import { counted, formatDuration } from "../data/units.js";
import { element } from "../ui/dom.js";
import { timeHistogram } from "../ui/plot.js";
import { plainNodes } from "./plain.js";

/** @typedef {import("../ui/analysis.js").Histogram} Histogram */
/** @typedef {import("../ui/analysis.js").PlainRow} PlainRow */
/** @typedef {import("../ui/panel.js").Found} Found */
/** @typedef {import("../ui/panel.js").View} View */

const NAME = "percentiles";
const MOST_HISTOGRAMS = 12;
const RULES = new Set(["p50", "p99"]);

/** @type {View} */
export const percentilesView = {
	name: NAME,
	title: "Percentiles",
	hint: "How long instances of tasks take: p50 to p99.9, and a histogram",
	has: (analysis) => analysis.rows(NAME, "tasks").length > 0,
	nodes(panel) {
		const tasks = [...new Set(panel.analysis.rows(NAME, "histogram").map(({ task }) => String(task)))];
		return [
			element("p", { class: "hint" }, "Press bars of a histogram: instances of that length keep their colour in the lanes.",
				...chosenNodes(panel)),
			element("div", { class: "histograms" }, ...tasks.slice(0, MOST_HISTOGRAMS).map((task) => histogramOf(panel, task))),
			...plainNodes(panel, NAME),
		];
	},
};

/**
 * What is chosen, and the way back.
 * @param {Found} panel
 */
function chosenNodes(panel) {
	const { lengths, store } = panel.app;
	return lengths ? [
		element("strong", { class: "chosen-lengths" }, ` ${store.string(lengths.name)}: ${formatDuration(lengths.least_ns)} to ${
			formatDuration(lengths.most_ns)}. `),
		element("button", { type: "button", title: "Escape", onclick: () => panel.showAllLengths() }, "show all"),
	] : [];
}

/**
 * Of steps that stand side by side; those without instances have none.
 * @param {PlainRow[]} rows
 * @returns {Histogram}
 */
function stepsOf(rows) {
	/** @param {PlainRow} row */
	const belowOf = ({ least_ns: least, below_ns: below }) => below === null ? Number(least) * 10 : Number(below);
	const edges = [...new Set(rows.flatMap((row) => [Number(row.least_ns), belowOf(row)]))].sort((a, b) => a - b);
	const counts = edges.slice(1).map((_, i) =>
		Number(rows.find(({ least_ns: least }) => least === edges[i])?.instances || 0));
	return { edges_ns: edges, counts };
}

/** @param {Found} panel @param {string} task */
function histogramOf(panel, task) {
	const { analysis, app } = panel;
	const name = app.store.strings.indexOf(task);
	/** @type {[number, string][]} */
	const rules = analysis.rows(NAME, "tasks")
		.filter((row) => row.task === task && RULES.has(String(row.percentile)))
		.map((row) => [Number(row.ns), String(row.percentile)]);
	return timeHistogram(stepsOf(analysis.rows(NAME, "histogram").filter((row) => row.task === task)), {
		width: panel.room(420), height: 170, title: `duration of ${task}`, noun: "instance", rules,
		brush: {
			isChosen: ({ from, to }) => app.lengths?.name === name && app.lengths.least_ns <= from && to <= app.lengths.most_ns,
			chosen(range) {
				app.lightLengths(range && { name, least_ns: range.from, most_ns: range.to });
				app.details.show();
				app.announcer.textContent = range ?
					`${counted(range.count, "instance")} of ${task} keep their colour` : "all are shown";
			},
		},
	});
}
