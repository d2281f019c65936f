// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of figures that can be sorted by any column and copied as text.
 *
 * A column: {name, unit, value, text, nodes, isText, term}: value(row) is what rows are sorted by and what is
 * copied, text(row) what is shown; nodes(row) makes the row's heading instead. unit is told where
 * values are copied, for there they are plain numbers; term is what explains it, if not its name.
 */
import { formatCount, formatDuration, formatPercent } from "../data/units.js";
import { element } from "./dom.js";
import { meaning } from "./terms.js";

export const MOST_TABLE_ROWS = 200;

export const column = (name, value, text, unit = "") => ({ name, value, text, unit });
export const countColumn = (name, value) => column(name, value, (row) => formatCount(Math.round(value(row))));
export const timeColumn = (name, value) => column(name, value, (row) => formatDuration(value(row)), "ns");
export const shareColumn = (name, value) => column(name, value, (row) => formatPercent(value(row)));

export class FigureTable {
	/* @order: {column, descending} or null: as given; @reordered is told of a new one. */
	constructor(caption, columns, rows, order, reordered) {
		this.caption = caption;
		this.columns = columns;
		this.rows = rows;
		this.order = order;
		this.reordered = reordered;
		this.body = element("tbody");
		this.headings = columns.map((own, i) => element("th", { scope: "col", class: own.isText ? "text" : "" },
			element("button", { type: "button", class: "sort",
				title: [meaning(own.term || own.name), `Sort by ${own.name}`].filter(Boolean).join(". "),
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

	/* The greatest first, but names from A to Z; once more turns it around. */
	sortBy(index) {
		const again = this.order && this.order.column === index;
		this.order = { column: index, descending: again ? !this.order.descending : index > 0 };
		this.reordered(this.order);
		this.fill();
	}

	sorted() {
		if (!this.order)
			return this.rows;
		const { value } = this.columns[this.order.column];
		const sign = this.order.descending ? -1 : 1;
		const compare = (a, b) => typeof a === "string" ? a.localeCompare(b) : a - b;
		return [...this.rows].sort((a, b) => sign * compare(value(a), value(b)));
	}

	fill() {
		const shown = this.sorted().slice(0, MOST_TABLE_ROWS);
		this.headings.forEach((heading, i) => {
			const own = this.order && this.order.column === i;
			heading.setAttribute("aria-sort", !own ? "none" : this.order.descending ?
				"descending" : "ascending");
		});
		this.body.replaceChildren(...shown.map((row) => element("tr", {},
			...this.columns.map((own) => own.nodes ?
				element("th", { scope: "row" }, ...own.nodes(row)) :
				element("td", { class: own.isText ? "text" : "" }, own.text(row))))));
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
		const give = (event) => {
			event.clipboardData.setData("text/plain", this.text());
			event.preventDefault();
		};
		document.addEventListener("copy", give, { once: true });
		document.execCommand("copy");
		document.removeEventListener("copy", give);
	}
}
