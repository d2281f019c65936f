// SPDX-License-Identifier: GPL-2.0
/*
 * How long instances of tasks take. Bars of a histogram can be chosen: the lanes then show these instances.
 */
import { SPAN_WAIT, SPAN_WORK } from "../data/codes.js";
import { counted, formatDuration } from "../data/units.js";
import { element } from "../ui/dom.js";
import { timeHistogram } from "../ui/plot.js";
import { plainNodes } from "./plain.js";

/** @typedef {{task: string, kind: string}} Task */
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
		const tasks = tasksOf(panel.analysis.rows(NAME, "histogram"));
		return [
			element("p", { class: "hint" }, "Press bars of a histogram: instances of that length keep their colour in the lanes.",
				...chosenNodes(panel)),
			element("div", { class: "histograms" }, ...tasks.slice(0, MOST_HISTOGRAMS).map((task) => histogramOf(panel, task))),
			...plainNodes(panel, NAME),
		];
	},
};

/** @type {(name: string, kind: number) => string} */
const titleOf = (name, kind) => kind === SPAN_WAIT ? `${name} (wait)` : name;

/** @param {PlainRow[]} rows @returns {Task[]} */
function tasksOf(rows) {
	const tasks = new Map(rows.map(({ task, kind }) => [`${kind} ${task}`, { task: String(task), kind: String(kind) }]));
	return [...tasks.values()];
}

/**
 * What is chosen, and the way back.
 * @param {Found} panel
 */
function chosenNodes(panel) {
	const { lengths, store } = panel.app;
	return lengths ? [
		element("strong", { class: "chosen-lengths" }, ` ${titleOf(store.string(lengths.name), lengths.kind)}: ${formatDuration(lengths.least_ns)} to ${
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

/** @param {Found} panel @param {Task} of */
function histogramOf(panel, { task, kind }) {
	const { analysis, app } = panel;
	const name = app.store.strings.indexOf(task);
	const code = kind === "wait" ? SPAN_WAIT : SPAN_WORK;
	/** @type {(row: PlainRow) => boolean} */
	const isOwn = (row) => row.task === task && row.kind === kind;
	/** @type {[number, string][]} */
	const rules = analysis.rows(NAME, "tasks")
		.filter((row) => isOwn(row) && RULES.has(String(row.percentile)))
		.map((row) => [Number(row.ns), String(row.percentile)]);
	return timeHistogram(stepsOf(analysis.rows(NAME, "histogram").filter(isOwn)), {
		width: panel.room(420), height: 170, title: `duration of ${titleOf(task, code)}`, noun: "instance", rules,
		brush: {
			isChosen: ({ from, to }) => app.lengths?.name === name && app.lengths.kind === code &&
				app.lengths.least_ns <= from && to <= app.lengths.most_ns,
			chosen(range) {
				app.lightLengths(range && { name, kind: code, least_ns: range.from, most_ns: range.to });
				app.details.show();
				app.announcer.textContent = range ?
					`${counted(range.count, "instance")} of ${titleOf(task, code)} keep their colour` : "all are shown";
			},
		},
	});
}
