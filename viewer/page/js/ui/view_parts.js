// SPDX-License-Identifier: GPL-2.0
/*
 * What the views of the panel have in common.
 */
import { doubtOf, estimateText, turnsText } from "../data/turn_figures.js";
import { formatCount, formatDuration, formatPercent } from "../data/units.js";
import { element } from "./dom.js";
import { column } from "./tables.js";
import { isTerm, term } from "./terms.js";

/** @typedef {import("../data/turn_figures.js").Estimate} Estimate */
/** @typedef {import("./analysis.js").ThreadRef} ThreadRef */
/** @typedef {import("./panel.js").AnalysisPanel} AnalysisPanel */
/**
 * @template R
 * @typedef {import("./tables.js").TableColumn<R>} TableColumn
 */
/**
 * @template R
 * @typedef {import("./tables.js").FigureColumn<R>} FigureColumn
 */
/** @typedef {(value: number) => string} Format */


export const FINDINGS_TAB = "findings";
export const FIGURES_TAB = "figures";
export const EVENTS_TAB = "events";
export const FLAME_TAB = "flame";

/**
 * What the colours of issue slots mean.
 * @param {string[][]} names as SLOT_NAMES
 */
export const slotSwatches = (names) => names.map(([key, name]) =>
	element("span", {}, element("span", { class: `swatch slots-${key}` }), name));

/**
 * A column of threads, with their colours; a click shows one.
 * @template {ThreadRef} R
 * @param {AnalysisPanel} panel
 * @param {string} title
 * @returns {TableColumn<R>}
 */
export function threadColumn(panel, title) {
	return {
		name: title, value: (row) => panel.threadName(row), nodes: (row) => panel.threadNodes(row),
	};
}

/**
 * @template R
 * @param {string} name
 * @param {(row: R) => string} value
 * @returns {TableColumn<R>}
 */
export const textColumn = (name, value) => ({ name, value, text: value, isText: true });

/** @type {(value: number | null | undefined) => value is number} */
export const isKnown = (value) => value !== null && value !== undefined;

/**
 * A figure that may not be known, as a fact.
 * @param {number | null | undefined} value
 * @param {Format} format
 * @returns {string}
 */
export const known = (value, format) => isKnown(value) ? format(value) : "unknown";

/**
 * Of figures that may not be known: these come last, and their place is empty.
 * @template R
 * @param {string} name
 * @param {(row: R) => number | null | undefined} value
 * @param {Format} format
 * @param {string} unit
 * @returns {FigureColumn<R>}
 */
export function maybeColumn(name, value, format, unit = "") {
	/** @param {R} row */
	const text = (row) => {
		const own = value(row);
		return isKnown(own) ? format(own) : "";
	};
	return column(name, (/** @type {R} */ row) => value(row) ?? -1, text, unit);
}

/**
 * @template R
 * @param {string} name
 * @param {(row: R) => number | null | undefined} value in ns
 * @returns {FigureColumn<R>}
 */
export const maybeTime = (name, value) => maybeColumn(name, value, formatDuration, "ns");

/**
 * @template R
 * @param {string} name
 * @param {(row: R) => number | null | undefined} value
 * @returns {FigureColumn<R>}
 */
export const maybeCount = (name, value) => maybeColumn(name, value, (own) => formatCount(Math.round(own)));

/**
 * @template R
 * @param {string} name
 * @param {(row: R) => number | null | undefined} value of 1
 * @returns {FigureColumn<R>}
 */
export const maybeShare = (name, value) => maybeColumn(name, value, formatPercent);

/**
 * Of an event that took turns.
 * @template R
 * @param {string} name
 * @param {(row: R) => Estimate} of
 * @returns {FigureColumn<R>}
 */
export const turnsColumn = (name, of) => ({
	name, value: (row) => of(row).amount ?? -1, text: (row) => estimateText(of(row)),
	hint: (row) => turnsText(of(row)), doubt: (row) => doubtOf(of(row)),
});

/**
 * Facts in a row: their terms, their values, and how they are called if not by the term.
 * @param {([name: string, value: string, text?: string] | null)[]} facts
 * @returns {HTMLElement}
 */
export function factList(facts) {
	return element("dl", { class: "key-facts" }, ...facts.map((fact) => {
		if (!fact)
			return null;
		const [name, value, text] = fact;
		return element("div", {}, element("dt", {}, isTerm(name) ? term(name, text) : text || name),
			element("dd", {}, value));
	}));
}

/** @param {number | undefined} nr @param {string} what @returns {HTMLParagraphElement | null} */
export function leftOutNote(nr, what) {
	return nr ? element("p", { class: "note" }, `${formatCount(nr)} more ${what} are not in the page: annot report has them.`) : null;
}
