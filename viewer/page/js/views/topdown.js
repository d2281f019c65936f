// SPDX-License-Identifier: GPL-2.0
/*
 * Top-down: where the issue slots of the CPU went, as a bar for each task, thread and parallel region, with the figures and how
 * far off they may be. viewer/report/analyses/topdown_report.c declares the columns.
 */
import { SLOT_NAMES } from "../data/slots.js";
import { element } from "../ui/dom.js";
import { column } from "../ui/tables.js";
import { isKnown, leftOutNote, slotSwatches } from "../ui/view_parts.js";
import { numberOf, plainColumn, shownColumns, textOf } from "./plain.js";

/** @typedef {import("../ui/analysis.js").Analysis} Analysis */
/** @typedef {import("../ui/analysis.js").DescribedColumn} DescribedColumn */
/** @typedef {import("../ui/analysis.js").DescribedTable} DescribedTable */
/** @typedef {import("../ui/analysis.js").PlainRow} PlainRow */
/** @typedef {import("../ui/panel.js").Found} Found */
/** @typedef {import("../ui/panel.js").View} View */
/** @typedef {import("../ui/tables.js").TableColumn<PlainRow>} PlainColumn */

const NAME = "topdown";
const FIGURE = /^(.*)_pct$/;

/** @type {View} */
export const topdownView = {
	name: NAME,
	title: "Top-down",
	hint: "Where the issue slots of the CPU went, by task, thread and region",
	has: (analysis) => tablesOf(analysis).length > 0,
	nodes: (panel) => [
		slotLegend(["tasks", "threads", "regions"].flatMap((key) => panel.analysis.rows(NAME, key))),
		element("div", { class: "tables" }, ...tablesOf(panel.analysis).map(({ table, rows }) => slotTable(panel, table, rows))),
		leftOutNote(panel.analysis.rowsLeftOut(NAME), "rows"),
	],
};

/**
 * The tables in which any figure is known, and their rows.
 * @param {Analysis} analysis
 */
function tablesOf(analysis) {
	const described = analysis.described.find(({ name }) => name === NAME);
	return (described?.tables || [])
		.map((table) => ({ table, rows: analysis.rows(NAME, table.key) }))
		.filter(({ table, rows }) => rows.some((row) =>
			figuresIn(table.columns).some((key) => isKnown(numberOf(row, `${key}_pct`)))));
}

/**
 * The keys of figures that have an interval, without "_pct".
 * @param {DescribedColumn[]} columns
 */
function figuresIn(columns) {
	const keys = new Set(columns.map(({ key }) => key));
	return columns.flatMap(({ key = "" }) => FIGURE.exec(key)?.[1] ?? []).filter((key) => keys.has(`${key}_low_pct`));
}

/**
 * @param {Found} panel
 * @param {DescribedTable} table
 * @param {PlainRow[]} rows
 */
function slotTable(panel, { title, columns }, rows) {
	const figures = figuresIn(columns);
	/** @type {PlainColumn[]} */
	const shown = shownColumns(columns, rows).flatMap((own) => {
		const key = FIGURE.exec(own.key || "")?.[1];
		const plain = key && figures.includes(key) ? figureColumn(own, key) : plainColumn(panel, own, columns);
		return own.key === "on_cpu_ns" && rows.some((row) => partsOf(row).length) ? [plain, barColumn] : [plain];
	});
	/** @param {PlainRow} row */
	const doubt = (row) => textOf(row, "doubt");
	return panel.table(title, shown.map((own) => ({ ...own, doubt })), rows);
}

/**
 * Three digits, no more than two of them behind the point.
 * @param {number} percent
 */
const inPercent = (percent) => String(Number((Math.round(percent * 100) / 100).toPrecision(3)));

/**
 * 72.1 % (70.3 to 74): with its interval, where that has a width.
 * @param {PlainRow} row @param {string} key
 */
function withInterval(row, key) {
	const [value, low, high] = ["", "_low", "_high"].map((end) => numberOf(row, `${key}${end}_pct`));
	if (value === null)
		return "unknown";
	if (low === null || high === null)
		return `${inPercent(value)} % (interval not known)`;
	return low === high ? `${inPercent(value)} %` : `${inPercent(value)} % (${inPercent(low)} to ${inPercent(high)})`;
}

/**
 * 72.1 ± 2.2: with the larger half of its interval.
 * @param {PlainRow} row @param {string} key
 */
function withError(row, key) {
	const [value, low, high] = ["", "_low", "_high"].map((end) => numberOf(row, `${key}${end}_pct`));
	if (value === null)
		return "";
	if (low === null || high === null)
		return `${inPercent(value)} ± ?`;
	return low === high ? inPercent(value) : `${inPercent(value)} ± ${inPercent(Math.max(high - value, value - low))}`;
}

/** @param {DescribedColumn} own @param {string} key @returns {PlainColumn} */
function figureColumn({ heading = "", meaning }, key) {
	const { name, value, unit } = column(heading, (/** @type {PlainRow} */ row) => numberOf(row, `${key}_pct`) ?? -1, () => "", "%");
	return { name, value, unit, meaning, text: (row) => withError(row, key), hint: (row) => hintOf(row, `${heading} ${withInterval(row, key)}`) };
}

/**
 * What a figure is, and why it is in doubt.
 * @param {PlainRow} row @param {string} text
 */
const hintOf = (row, text) => [text, textOf(row, "doubt")].filter(Boolean).join("; ");

/**
 * The parts of a bar that are known.
 * @param {PlainRow} row
 */
function partsOf(row) {
	const isDivided = isKnown(numberOf(row, "memory_bound_pct")) && isKnown(numberOf(row, "core_bound_pct"));
	return SLOT_NAMES.flatMap(([key, name]) => {
		const percent = numberOf(row, `${key}_pct`);
		const isOther = key === "backend_bound" ? isDivided : !isDivided && (key === "memory_bound" || key === "core_bound");
		return percent === null || isOther ? [] : [{ key, name, percent: Math.max(percent, 0) }];
	});
}

/** @param {PlainRow} row */
const barText = (row) => hintOf(row, partsOf(row).map(({ key, name }) => `${name} ${withInterval(row, key)}`).join(", "));

/** @type {PlainColumn} */
const barColumn = {
	name: "slots", value: (row) => numberOf(row, "retiring_pct") ?? -1, hint: barText, parts: (row) => [slotBar(row)],
	meaning: "All issue slots: what is empty is unknown. Sorted by those that retired",
};

/**
 * All slots, divided; shares that are more together than all are drawn smaller.
 * @param {PlainRow} row
 */
function slotBar(row) {
	const parts = partsOf(row);
	const all = Math.max(parts.reduce((sum, { percent }) => sum + percent, 0), 100);
	return element("div", { class: "slots", role: "img", "aria-label": barText(row) },
		...parts.map(({ key, percent }) => element("span", {
			class: `part slots-${key}`, "data-part": key, style: { width: `${percent / all * 100}%` },
		})));
}

/** @param {PlainRow[]} rows */
function slotLegend(rows) {
	const seen = new Set(rows.flatMap((row) => partsOf(row).map(({ key }) => key)));
	return element("div", { class: "legend plot-legend" }, ...slotSwatches(SLOT_NAMES.filter(([key]) => seen.has(key))),
		element("span", {}, element("span", { class: "doubtful" }, "grey"), ": in doubt, for what its title says"));
}
