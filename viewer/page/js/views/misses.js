// SPDX-License-Identifier: GPL-2.0
/*
 * Where and why it misses: after switches, in sets that conflict, in lines that are shared, and for
 * want of capacity.
 */
import { counted } from "../data/units.js";
import { element } from "../ui/dom.js";
import { curveSwatch, formatBytes, formatShort, Plot, shortTime } from "../ui/plot.js";
import { column, countColumn } from "../ui/tables.js";
import { term } from "../ui/terms.js";
import { isKnown, known, leftOutNote, maybeCount, maybeTime, textColumn, threadColumn } from "../ui/view_parts.js";
import { workingSets } from "./working_sets.js";

/** @typedef {import("../ui/analysis.js").Analysis} Analysis */
/** @typedef {import("../ui/panel.js").Found} Found */
/** @typedef {import("../ui/analysis.js").LineAccess} LineAccess */
/** @typedef {import("../ui/analysis.js").MissCurve} MissCurve */
/** @typedef {import("../ui/analysis.js").Parts} Parts */
/** @typedef {import("../ui/analysis.js").SetConflict} SetConflict */
/** @typedef {import("../ui/analysis.js").SharedLine} SharedLine */
/** @typedef {import("../ui/analysis.js").SwitchMissesOfEvent} SwitchMissesOfEvent */
/** @typedef {import("../ui/dom.js").Child} Child */
/** @typedef {import("../ui/panel.js").View} View */
/** @typedef {MissCurve & {points: {us: number, rate: number, slack: number}[]}} Curve with what is drawn of it */

/** @type {{[after: string]: string}} */
const CURVE_CLASSES = { same: "curve-a", "other program": "curve-b", migration: "curve-c" };
/** @type {{[after: string]: string}} */
const CURVE_NAMES = {
	same: "after resuming on the same CPU", "other program": "after another program ran there",
	migration: "after a migration",
};
const MOST_OF_ERRORS = 1.4;	/* so much higher than the curves is the drawing */

/** @type {View} */
export const missesView = {
	name: "misses",
	title: "Misses",
	hint: "Cache misses after switches, set conflicts, false sharing, working sets",
	analyses: ["switch_misses", "set_conflicts", "false_sharing", "working_set"],
	has: (analysis) => missParts(analysis).length > 0,
	nodes: (panel) => missParts(panel.analysis).map((nodes) => nodes(panel)),
};

/**
 * What makes the nodes of each part that has anything.
 * @param {Analysis} analysis
 */
function missParts(analysis) {
	/** @type {((panel: Found) => Child)[]} */
	const parts = [];
	const switches = analysis.part("switch_misses");
	for (const own of switches ? [switches, ...switches.others || []] : [])
		if (excessRows(own).length)
			parts.push((panel) => switchMisses(panel, own));
	const conflicts = analysis.part("set_conflicts");
	if (conflicts && conflicts.rows.length)
		parts.push((panel) => setConflicts(panel, conflicts));
	const shared = analysis.part("false_sharing");
	if (shared && shared.rows.length)
		parts.push((panel) => falseSharing(panel, shared));
	const sets = analysis.part("working_set");
	if (sets && sets.tasks.length)
		parts.push((panel) => workingSets(panel, sets));
	return parts;
}

/** @param {Found} panel @param {SwitchMissesOfEvent} own */
function switchMisses(panel, own) {
	const edges = own.bins_us.filter(isKnown);
	const curves = own.curves.map((curve) => ({ ...curve, points: pointsOf(curve, edges) }))
		.filter(({ points }) => points.length);
	return element("div", { class: "tables" },
		curves.length ? element("div", { class: "figures plot-figures" },
			element("div", { class: "figures-head" }, `${own.event} after a thread was switched in (by ${own.from})`),
			switchCurves(panel, own, edges, curves), curveLegend(curves)) : null,
		excessTable(panel, own));
}

/**
 * Each value stands in the middle of its stretch of time; the last one has no end and is not drawn.
 * @param {MissCurve} curve @param {number[]} edges
 */
function pointsOf({ rate_per_us: rates, error }, edges) {
	/** @type {Curve["points"]} */
	const points = [];
	edges.slice(1).forEach((edge, i) => {
		const rate = rates[i];
		if (isKnown(rate))
			points.push({ us: (edges[i] + edge) / 2, rate, slack: error && error[i] || 0 });
	});
	return points;
}

/**
 * Errors may reach beyond the drawing.
 * @param {Found} panel
 * @param {SwitchMissesOfEvent} own
 * @param {number[]} edges
 * @param {Curve[]} curves
 */
function switchCurves(panel, { event, warm_rate_per_us: warm }, edges, curves) {
	const rates = curves.flatMap(({ points }) => points.map(({ rate }) => rate));
	const highest = Math.max(...rates, warm || 0) * MOST_OF_ERRORS || 1;
	const plot = new Plot({
		width: panel.room(560), height: 240,
		x: { from: edges[1] / 2, to: edges[edges.length - 1], isLog: true, format: (us) => shortTime(us * 1e3),
			title: "time since switched in" },
		y: { from: 0, to: highest, format: formatShort, title: "misses per µs" },
		label: `${event} per microsecond since the switch: ${curves.map(({ after, points }) =>
			`${CURVE_NAMES[after] || after} from ${formatShort(points[0].rate)} to ${
				formatShort(points[points.length - 1].rate)}`).join("; ")}`,
	});
	for (const { after, points } of curves) {
		const className = CURVE_CLASSES[after] || "curve-d";
		plot.band(points.map(({ us, rate, slack }) => [us, Math.max(rate - slack, 0),
			Math.min(rate + slack, highest)]), className);
		plot.line(points.map(({ us, rate }) => [us, rate]), className);
	}
	if (isKnown(warm))
		plot.rule("y", warm, `warm rate ${formatShort(warm)}`);
	return plot.element;
}

/** @param {Curve[]} curves */
function curveLegend(curves) {
	return element("div", { class: "legend plot-legend" }, ...curves.map(({ after, switches }) =>
		element("span", {}, curveSwatch(CURVE_CLASSES[after] || "curve-d"),
			`${CURVE_NAMES[after] || after} (${counted(switches, "switch").replace("switchs", "switches")})`)),
		element("span", {}, element("span", { class: "swatch rule-swatch" }), term("warm rate")));
}

/**
 * Of all tasks, and of each.
 * @param {SwitchMissesOfEvent} own
 */
function excessRows({ excess = [], tasks = [] }) {
	return [{ task: "all tasks", excess }, ...tasks].flatMap(({ task, excess: own }) =>
		own.map((row) => ({ ...row, task: task || "outside of tasks" })))
		.filter((row) => row.per_switch !== null && row.switches !== 0);
}

/** @param {Found} panel @param {SwitchMissesOfEvent} own */
function excessTable(panel, own) {
	return panel.table(`Excess of ${own.event}`, [
		{ name: "after", value: ({ after }) => after, nodes: ({ after }) =>
			[curveSwatch(CURVE_CLASSES[after] || "curve-d"), CURVE_NAMES[after] || after] },
		textColumn("task", ({ task }) => task),
		maybeCount("switches", ({ switches }) => switches),
		column("per switch", (row) => row.per_switch ?? -1, (row) =>
			`${known(row.per_switch, formatShort)} [${known(row.low, formatShort)}, ${known(row.high, formatShort)}]`),
		maybeTime("time per switch", (row) => row.ns_per_switch),
		column("p value", (row) => row.p_value ?? 1, (row) => formatChance(row.p_value)),
	], excessRows(own));
}

/** @param {number | null} value */
function formatChance(value) {
	if (!isKnown(value))
		return "";
	return value > 0 && value < 1e-4 ? "<0.0001" : String(Number(value.toPrecision(2)));
}

/** @param {boolean} is @param {string} words */
const verdict = (is, words) => is ? element("span", { class: "tag tag-alarm" }, words) : null;

/**
 * The symbol, or what there is instead.
 * @param {SetConflict} row
 */
function placeName({ symbol, object, ip }) {
	return symbol || [object || "?", ip].filter(Boolean).join(" ");
}

/** @param {Found} panel @param {Parts["set_conflicts"]} own */
function setConflicts(panel, { rows, left_out: leftOut }) {
	return element("div", {}, panel.table("Set conflicts", [
		{ name: "symbol", value: placeName, nodes: (row) => [placeName(row),
			verdict(row.is_conflict, "conflict")].filter(Boolean) },
		textColumn("source", (row) => row.line || row.object || ""),
		textColumn("event", (row) => row.event || ""),
		textColumn("told by", (row) => row.from === "register" ? `register ${row.register}` : row.from || ""),
		countColumn("samples", (row) => row.samples),
		textColumn("cache", (row) => row.level || ""),
		maybeCount("sets", (row) => row.sets),
		column("set span", (row) => row.span_bytes || 0, (row) => row.span_bytes ? formatBytes(row.span_bytes) : "", "bytes"),
		maybeCount("lines", (row) => row.lines),
		maybeCount("agreeing", (row) => row.agreeing),
		column("expected", (row) => row.expected ?? -1, (row) => formatChance(row.expected)),
		column("p value", (row) => row.p_value ?? 1, (row) => formatChance(row.p_value)),
	], rows), leftOutNote(leftOut, "instructions"));
}

/** @param {SharedLine} row */
const lineName = ({ symbol, object, address }) => symbol || object || address || "?";

/** @param {Found} panel @param {Parts["false_sharing"]} own */
function falseSharing(panel, { rows, accesses = [], left_out: leftOut }) {
	return element("div", {}, panel.table("Lines that several CPUs use", [
		{ name: "line", value: lineName, nodes: (row) => [lineName(row), verdict(row.is_false_sharing, "false sharing")].filter(Boolean) },
		textColumn("address", (row) => row.address || ""),
		textColumn("CPUs", (row) => (row.cpus || []).join(", ")),
		textColumn("threads", (row) => (row.tids || []).join(", ")),
		countColumn("samples", (row) => row.samples),
		countColumn("stores", (row) => row.stores),
		maybeCount("turns", (row) => row.turns),
	], rows), accesses.length ? accessTable(panel, accesses) : null, leftOutNote(leftOut, "rows"));
}

/**
 * The field, or what there is instead.
 * @param {LineAccess} row
 */
const dataName = ({ field, symbol, address }) => field || (symbol ? `${symbol} ${address}` : address);

/** @param {Found} panel @param {LineAccess[]} accesses */
const accessTable = (panel, accesses) => panel.table("Data in falsely shared lines", [
	textColumn("data", dataName),
	textColumn("line", (row) => row.line_address),
	threadColumn(panel, "thread"),
	countColumn("samples", (row) => row.samples),
	countColumn("stores", (row) => row.stores),
], accesses);
