// SPDX-License-Identifier: GPL-2.0
/*
 * What the views of the panel have in common.
 */
import { formatCount, formatDuration, formatPercent } from "../data/units.js";
import { element } from "./dom.js";
import { column } from "./tables.js";
import { term, TERMS } from "./terms.js";

export const FINDINGS_TAB = "findings";
export const FIGURES_TAB = "figures";

export function threadColumn(panel, title, of = (row) => row) {
	return {
		name: title, value: (row) => panel.threadName(of(row)), nodes: (row) => panel.threadNodes(of(row)),
	};
}

export const textColumn = (name, value) => ({ name, value, text: value, isText: true });

/* Of figures that may not be known. */
export function maybeTime(name, value) {
	return column(name, (row) => value(row) ?? -1,
		(row) => value(row) === null || value(row) === undefined ? "" : formatDuration(value(row)), "ns");
}

export function maybeCount(name, value) {
	return column(name, (row) => value(row) ?? -1,
		(row) => value(row) === null || value(row) === undefined ? "" : formatCount(Math.round(value(row))));
}

export function maybeShare(name, value) {
	return column(name, (row) => value(row) ?? -1,
		(row) => value(row) === null || value(row) === undefined ? "" : formatPercent(value(row)));
}

/* A list of {label, value, hint}: facts in a row. */
export function factList(facts) {
	return element("dl", { class: "key-facts" }, ...facts.filter(Boolean).map(([name, value, text]) =>
		element("div", {}, element("dt", {}, TERMS[name] ? term(name, text) : text || name),
			element("dd", {}, value))));
}

export function leftOutNote(nr, what) {
	return nr ? element("p", { class: "note" }, `${formatCount(nr)} more ${what} are not in the page: annot report has them.`) : null;
}
