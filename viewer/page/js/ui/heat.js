// SPDX-License-Identifier: GPL-2.0
/*
 * A matrix as a table whose cells are the darker the greater they are.
 */
import { formatCount } from "../data/units.js";
import { element } from "./dom.js";

const MOST_HEAT_LINES = 48;

/** @typedef {{value: number, text: string, title?: string, className?: string}} HeatCell */
/**
 * Names of rows and columns, and what each of them is; onclick is called for cells that are not 0.
 * @typedef {{
 *	rows: string[], columns: string[], rowTitle: string, columnTitle: string,
 *	cell(row: number, column: number): HeatCell, onclick?(row: number, column: number): void,
 * }} HeatMap
 */

/**
 * Only a table of its first MOST_HEAT_LINES lines and columns is made.
 * @param {string} caption
 * @param {HeatMap} map
 * @returns {HTMLDivElement}
 */
export function heatMap(caption, { rows, columns, rowTitle, columnTitle, cell, onclick }) {
	const shownRows = rows.slice(0, MOST_HEAT_LINES);
	const shownColumns = columns.slice(0, MOST_HEAT_LINES);
	const cells = shownRows.map((_, row) => shownColumns.map((_other, column) => cell(row, column)));
	const most = Math.max(...cells.flat().map(({ value }) => value || 0), 1);
	const table = element("table", { class: "heat", "aria-label": caption },
		element("thead", {}, element("tr", {},
			element("th", { scope: "col", class: "corner" }, `${rowTitle} ↓  ${columnTitle} →`),
			...shownColumns.map((name) => element("th", { scope: "col", title: name }, name)))),
		element("tbody", {}, ...cells.map((line, row) => element("tr", {},
			element("th", { scope: "row", title: shownRows[row] }, shownRows[row]),
			...line.map((own, column) => heatCell(own, most, onclick ? () => onclick(row, column) : null))))));
	const unseen = rows.length + columns.length - shownRows.length - shownColumns.length;
	return element("div", { class: "figures heat-figures" },
		element("div", { class: "figures-head" }, caption),
		element("div", { class: "figures-scroll", tabindex: "0", role: "group", "aria-label": caption }, table),
		unseen ? element("p", { class: "note" }, `${formatCount(unseen)} more rows and columns are left out: annot report --json has them.`) : null);
}

/** @param {HeatCell} cell @param {number} most @param {(() => void) | null} onclick */
function heatCell({ value, text, title, className = "" }, most, onclick) {
	const share = (value || 0) / most;
	const inner = onclick && value ?
		element("button", { type: "button", class: "link", onclick }, text) : element("span", {}, text);
	return element("td", { title, class: className },
		element("span", { class: "heat-ink", style: { opacity: String(share && 0.08 + 0.42 * share) } }), inner);
}
