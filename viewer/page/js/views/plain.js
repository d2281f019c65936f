// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of an analysis that has no view of its own, from what it tells of their columns
 * (viewer/report/table_columns.h).
 */
import { formatTime } from "../data/units.js";
import { element } from "../ui/dom.js";
import { formatShort } from "../ui/plot.js";
import { column } from "../ui/tables.js";
import { leftOutNote, maybeCount, maybeTime, textColumn } from "../ui/view_parts.js";

/** @typedef {import("../ui/analysis.js").Analysis} Analysis */
/** @typedef {import("../ui/analysis.js").Description} Description */
/** @typedef {import("../ui/analysis.js").DescribedTable} Table */
/** @typedef {import("../ui/analysis.js").DescribedColumn} Column */
/** @typedef {import("../ui/analysis.js").DescribedRow} Row */
/** @typedef {import("../ui/panel.js").AnalysisPanel} Panel */
/** @typedef {import("../ui/panel.js").View} View */
/** @typedef {import("../ui/tables.js").TableColumn<Row>} RowColumn */

/**
 * Of each type, a column of the page's tables.
 * @type {Record<string, (panel: Panel, column: Column, columns: Column[]) => RowColumn>}
 */
const COLUMN_TYPES = {
	thread: threadColumn,
	threads: (panel, { heading }) => textColumn(heading, (row) => row.tids.join(", ")),
	cpu: (panel, { key, heading }) => column(heading, (row) => row[key] ?? -1, (row) => String(row[key] ?? "")),
	cpus: (panel, { key, heading }) => textColumn(heading, (row) => row[key].join(", ")),
	count: (panel, { key, heading }) => maybeCount(heading, (row) => row[key]),
	number: (panel, { key, heading }) =>
		column(heading, (row) => row[key] ?? -1, (row) => row[key] === null ? "" : formatShort(row[key])),
	time: (panel, { key, heading }) => maybeTime(heading, (row) => row[key]),
	from: pointColumn,
	to: pointColumn,
	address: (panel, { key, heading }) => textColumn(heading, (row) => row[key] ?? ""),
	place: (panel, { heading }) => textColumn(heading, ({ symbol, line, object }) => symbol ?? line ?? object ?? "?"),
	text: (panel, { key, heading }) => textColumn(heading, (row) => row[key] ?? ""),
	flag: (panel, { key, heading }) => textColumn(heading, (row) => row[key] ? "yes" : "no"),
};

/**
 * The views of analyses that @others do not show.
 * @param {Analysis} analysis
 * @param {View[]} others
 * @returns {View[]}
 */
export function plainViews(analysis, others) {
	const shown = new Set(others.flatMap(({ name, analyses }) => analyses || [name]));
	return analysis.descriptions.filter(({ name }) => !shown.has(name)).map(plainView);
}

/** @param {Description} description @returns {View} */
function plainView({ name, title, hint, tables }) {
	/** @type {(analysis: Analysis, table: Table) => Row[]} */
	const rowsOf = (analysis, { key }) => analysis.described(name)?.[key] ?? [];
	return {
		name, title, hint: hint[0].toUpperCase() + hint.slice(1),
		has: (analysis) => tables.some((table) => rowsOf(analysis, table).length),
		nodes: (panel) => [
			element("div", { class: "tables" }, ...tables.map((table) =>
				plainTable(panel, table, rowsOf(panel.analysis, table)))),
			leftOutNote(panel.analysis.described(name)?.left_out, tables.length > 1 ? "rows" : `${tables[0].noun}s`),
		],
	};
}

/** @param {Panel} panel @param {Table} table @param {Row[]} rows */
function plainTable(panel, { title, columns }, rows) {
	/** @param {Column} column */
	const isKnown = ({ key }) => !key || rows.some((row) => row[key] !== null);
	return panel.table(title, columns.filter((own) => own.heading && isKnown(own))
		.map((own) => ({ ...COLUMN_TYPES[own.type](panel, own, columns), meaning: own.meaning })), rows);
}

/** @param {Panel} panel @param {Column} column @returns {RowColumn} */
function pointColumn(panel, { key, heading }) {
	return column(heading, (row) => row[key], (row) => formatTime(row[key]), "ns");
}

/**
 * A click shows the thread where its row shows best, beside the CPUs of the row.
 * @param {Panel} panel
 * @param {Column} column
 * @param {Column[]} columns
 * @returns {RowColumn}
 */
function threadColumn(panel, { heading }, columns) {
	/** @param {string} type */
	const keysOf = (type) => columns.filter((own) => own.type === type).map(({ key }) => key);
	const [from, to, cpus] = [keysOf("from")[0], keysOf("to")[0], keysOf("cpu")];
	return {
		name: heading, value: (row) => panel.threadName(row),
		nodes: (row) => panel.threadNodes(row, from && to ? { from_ns: row[from], to_ns: row[to] } : null,
			cpus.map((key) => row[key]).filter((cpu) => cpu !== null)),
	};
}
