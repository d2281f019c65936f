// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of figures that can be sorted by any column and copied as text.
 */
import { formatCount, formatDuration, formatPercent } from "../data/units.js";
import { element } from "./dom.js";
import { meaning } from "./terms.js";

/** @typedef {import("./dom.js").Child} Child */

export const MOST_TABLE_ROWS = 200;

/**
 * A column: value(row) is what rows are sorted by and what is copied, text(row) what is shown, or parts(row); nodes(row)
 * makes the row's heading instead. unit is told where values are copied, for there they are plain
 * numbers; meaning explains it, else term does, else its name. hint(row) says more of a figure, doubt(row) why it is
 * not to be relied on: such a one is grey.
 * @template R
 * @typedef {{
 *	name: string, unit?: string, value(row: R): number | string, text?(row: R): string,
 *	nodes?(row: R): Child[], parts?(row: R): Child[], isText?: boolean, term?: string, meaning?: string,
 *	hint?(row: R): string, doubt?(row: R): string,
 * }} TableColumn
 */
/**
 * One that has a text.
 * @template R
 * @typedef {TableColumn<R> & {text(row: R): string}} FigureColumn
 */
/** @typedef {{column: number, descending: boolean}} TableOrder */

/**
 * A column of figures.
 * @template R
 * @param {string} name
 * @param {(row: R) => number} value
 * @param {(row: R) => string} text
 * @param {string} unit
 * @returns {FigureColumn<R>}
 */
export const column = (name, value, text, unit = "") => ({ name, value, text, unit });

/**
 * @template R
 * @param {string} name
 * @param {(row: R) => number} value
 * @returns {FigureColumn<R>}
 */
export const countColumn = (name, value) => column(name, value, (row) => formatCount(Math.round(value(row))));

/**
 * @template R
 * @param {string} name
 * @param {(row: R) => number} value in ns
 * @returns {FigureColumn<R>}
 */
export const timeColumn = (name, value) => column(name, value, (row) => formatDuration(value(row)), "ns");

/**
 * @template R
 * @param {string} name
 * @param {(row: R) => number} value of 1
 * @returns {FigureColumn<R>}
 */
export const shareColumn = (name, value) => column(name, value, (row) => formatPercent(value(row)));

/**
 * @template R
 * @param {TableColumn<R>} own
 * @param {R} row
 */
export function figureCell(own, row) {
	const doubt = own.doubt?.(row);
	return element("td", {
		class: [own.isText ? "text" : "", doubt ? "doubtful" : ""].filter(Boolean).join(" "),
		title: [own.hint?.(row), doubt].find(Boolean),
	}, ...own.parts ? own.parts(row) : [own.text?.(row)]);
}

/**
 * A table that a click on a heading sorts.
 * @template R
 */
export class FigureTable {
	/**
	 * @param {string} caption
	 * @param {TableColumn<R>[]} columns
	 * @param {R[]} rows
	 * @param {TableOrder | null} order null: as given
	 * @param {(order: TableOrder) => void} reordered is told of a new one
	 */
	constructor(caption, columns, rows, order, reordered) {
		this.caption = caption;
		this.columns = columns;
		this.rows = rows;
		this.order = order;
		this.reordered = reordered;
		this.body = element("tbody");
		this.headings = columns.map((own, i) => element("th", { scope: "col", class: own.isText ? "text" : "" },
			element("button", { type: "button", class: "sort",
				title: [own.meaning || meaning(own.term || own.name), `Sort by ${own.name}`].filter(Boolean).join(". "),
				onclick: () => this.sortBy(i) }, own.name)));
		this.fill();
	}

	element() {
		return element("div", { class: "figures", role: "group", "aria-label": this.caption },
			element("div", { class: "figures-head" },
				element("span", {}, `${this.caption} (${formatCount(this.rows.length)})`),
				element("button", { type: "button", class: "copy", title: "Copy the table as text",
					"aria-label": `Copy the table ${this.caption} as text`,
					onclick: () => this.copy() }, "copy")),
			element("div", { class: "figures-scroll" }, element("table", { "aria-label": this.caption },
				element("thead", {}, element("tr", {}, ...this.headings)), this.body)));
	}

	/**
	 * The greatest first, but names from A to Z; once more turns it around.
	 * @param {number} index
	 */
	sortBy(index) {
		const { order } = this;
		this.order = { column: index, descending: order?.column === index ? !order.descending : index > 0 };
		this.reordered(this.order);
		this.fill();
	}

	sorted() {
		if (!this.order)
			return this.rows;
		const { value } = this.columns[this.order.column];
		const sign = this.order.descending ? -1 : 1;
		/** @type {(a: number | string, b: number | string) => number} */
		const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b :
			String(a).localeCompare(String(b));
		return [...this.rows].sort((a, b) => sign * compare(value(a), value(b)));
	}

	fill() {
		const shown = this.sorted().slice(0, MOST_TABLE_ROWS);
		const { order } = this;
		this.headings.forEach((heading, i) => {
			const direction = order?.descending ? "descending" : "ascending";
			heading.setAttribute("aria-sort", order?.column === i ? direction : "none");
		});
		this.body.replaceChildren(...shown.map((row) => element("tr", {},
			...this.columns.map((own) => own.nodes ?
				element("th", { scope: "row" }, ...own.nodes(row)) : figureCell(own, row)))));
		const unseen = this.rows.length - shown.length;
		if (unseen)
			this.body.append(element("tr", {}, element("td", { colspan: this.columns.length, class: "more" },
				`and ${formatCount(unseen)} more: copy the table to get all of them`)));
	}

	/* All rows in the order shown, figures as plain numbers, with tabs between. */
	text() {
		const lines = [this.columns.map(({ name, unit }) => unit ? `${name} (${unit})` : name)];
		for (const row of this.sorted())
			lines.push(this.columns.map(({ value }) => String(value(row)).replace(/\s+/g, " ")));
		return lines.map((cells) => cells.join("\t")).join("\n");
	}

	copy() {
		/** @param {ClipboardEvent} event */
		const give = (event) => {
			event.clipboardData?.setData("text/plain", this.text());
			event.preventDefault();
		};
		document.addEventListener("copy", give, { once: true });
		document.execCommand("copy");
		document.removeEventListener("copy", give);
	}
}
