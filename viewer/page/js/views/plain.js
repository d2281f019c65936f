// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of an analysis that has no view of its own, from what it tells of their columns
 * (viewer/report/table/table_columns.h).
 */
import { formatCount, formatDuration, formatTime } from "../data/units.js";
import { element } from "../ui/dom.js";
import { formatShort } from "../ui/plot.js";
import { leftOutNote, maybeColumn, textColumn } from "../ui/view_parts.js";

/** @typedef {import("../ui/analysis.js").Analysis} Analysis */
/** @typedef {import("../ui/analysis.js").Described} Described */
/** @typedef {import("../ui/analysis.js").DescribedColumn} DescribedColumn */
/** @typedef {import("../ui/analysis.js").DescribedTable} DescribedTable */
/** @typedef {import("../ui/analysis.js").PlainRow} PlainRow */
/** @typedef {import("../ui/panel.js").Found} Found */
/** @typedef {import("../ui/panel.js").View} View */
/** @typedef {import("../ui/tables.js").TableColumn<PlainRow>} PlainColumn */

/** @type {(row: PlainRow, key: string) => number | null} */
export function numberOf(row, key) {
	const value = row[key];
	return typeof value === "number" ? value : null;
}

/** @type {(row: PlainRow, key: string) => string} */
export function textOf(row, key) {
	const value = row[key];
	return typeof value === "string" ? value : "";
}

/** @type {(row: PlainRow, key: string) => string} */
function listOf(row, key) {
	const value = row[key];
	return Array.isArray(value) ? value.join(", ") : "";
}

/** @type {(row: PlainRow) => import("../ui/analysis.js").ThreadRef} */
const threadOf = (row) => ({ thread: numberOf(row, "thread") ?? -1, tid: numberOf(row, "tid") ?? -1 });

/** @type {(row: PlainRow) => string} */
const placeOf = (row) => textOf(row, "symbol") || textOf(row, "line") || textOf(row, "object") || "?";

/**
 * Of each type that figures have: how they are read, and in which unit they are copied.
 * @type {{[type: string]: {format(value: number): string, unit?: string} | undefined}}
 */
const FIGURES = {
	cpu: { format: String },
	count: { format: formatCount },
	number: { format: formatShort },
	time: { format: formatDuration, unit: "ns" },
	change: { format: (value) => value > 0 ? `+${formatDuration(value)}` : formatDuration(value), unit: "ns" },
	from: { format: formatTime, unit: "ns" },
	to: { format: formatTime, unit: "ns" },
};

/**
 * Of each other type but threads: its text.
 * @type {{[type: string]: ((row: PlainRow, key: string) => string) | undefined}}
 */
const TEXTS = {
	threads: (row) => listOf(row, "tids"),
	cpus: listOf,
	address: textOf,
	place: placeOf,
	text: textOf,
	flag: (row, key) => row[key] ? "yes" : "no",
};

/**
 * @param {Analysis} analysis
 * @param {View[]} others the views of their own
 * @returns {View[]}
 */
export function plainViews(analysis, others) {
	const shown = new Set(others.flatMap(({ name, analyses }) => analyses || [name]));
	return analysis.described.filter(({ name }) => !shown.has(name)).map(plainView);
}

/**
 * @param {Described} described
 * @returns {View}
 */
function plainView({ name, title, hint, tables }) {
	return {
		name, title, hint: hint[0].toUpperCase() + hint.slice(1),
		has: (analysis) => tables.some(({ key }) => analysis.rows(name, key).length > 0),
		nodes: (panel) => plainNodes(panel, name),
	};
}

/**
 * The tables of an analysis.
 * @param {Found} panel @param {string} name
 */
export function plainNodes(panel, name) {
	const tables = panel.analysis.described.find((described) => described.name === name)?.tables || [];
	return [
		element("div", { class: "tables" }, ...tables
			.filter(({ key }) => panel.analysis.rows(name, key).length > 0)
			.map((table) => plainTable(panel, table, panel.analysis.rows(name, table.key)))),
		leftOutNote(panel.analysis.rowsLeftOut(name), tables.length === 1 ? `${tables[0].noun}s` : "rows"),
	];
}

/**
 * Of the columns that are not unknown in all rows.
 * @param {Found} panel
 * @param {DescribedTable} table
 * @param {PlainRow[]} rows
 */
function plainTable(panel, { title, columns }, rows) {
	return panel.table(title, shownColumns(columns, rows).map((own) => plainColumn(panel, own, columns)), rows);
}

/** @param {DescribedColumn[]} columns @param {PlainRow[]} rows */
export const shownColumns = (columns, rows) =>
	columns.filter(({ key, heading }) => heading && (!key || rows.some((row) => row[key] !== null)));

/**
 * @param {Found} panel
 * @param {DescribedColumn} own
 * @param {DescribedColumn[]} columns all of its table
 * @returns {PlainColumn}
 */
export function plainColumn(panel, { type, key = "", heading = "", meaning }, columns) {
	const figure = FIGURES[type];
	const text = TEXTS[type];
	if (figure)
		return { ...maybeColumn(heading, (/** @type {PlainRow} */ row) => numberOf(row, key), figure.format, figure.unit), meaning };
	if (text)
		return { ...textColumn(heading, (/** @type {PlainRow} */ row) => text(row, key)), meaning };
	return { ...threadColumn(panel, heading, columns), meaning };
}

/**
 * A click shows the thread where its row shows best, beside the CPUs of the row.
 * @param {Found} panel
 * @param {string} heading
 * @param {DescribedColumn[]} columns
 * @returns {PlainColumn}
 */
function threadColumn(panel, heading, columns) {
	/** @type {(row: PlainRow, type: string) => number[]} */
	const valuesOf = (row, type) => columns.filter((own) => own.type === type)
		.flatMap(({ key = "" }) => numberOf(row, key) ?? []);
	return {
		name: heading, value: (row) => panel.threadName(threadOf(row)),
		nodes(row) {
			const [from] = valuesOf(row, "from");
			const [to] = valuesOf(row, "to");
			const range = from === undefined || to === undefined ? null : { from_ns: from, to_ns: to };
			return panel.threadNodes(threadOf(row), range, valuesOf(row, "cpu"));
		},
	};
}
