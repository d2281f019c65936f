// SPDX-License-Identifier: GPL-2.0
/*
 * A table whose rows stand within others, which open and close.
 */
import { formatCount } from "../data/units.js";
import { element } from "./dom.js";
import { figureCell, MOST_TABLE_ROWS } from "./tables.js";
import { isTerm, term } from "./terms.js";

const OPEN_DEPTH = 3;	/* of levels that are open at first */

/** @typedef {import("./dom.js").Child} Child */
/**
 * @template R
 * @typedef {import("./tables.js").FigureColumn<R>} FigureColumn
 */

/**
 * Its rows are in order, each behind the one that it is within.
 * @template {{node: number, depth: number}} R
 */
export class TreeTable {
	/**
	 * @param {string} caption
	 * @param {FigureColumn<R>[]} columns without the first
	 * @param {R[]} rows
	 * @param {(row: R) => Child[]} name the nodes of the first column
	 */
	constructor(caption, columns, rows, name) {
		this.caption = caption;
		this.columns = columns;
		this.rows = rows;
		this.name = name;
		this.closed = new Set(rows.filter((row, i) => row.depth >= OPEN_DEPTH - 1 && this.hasInner(i))
			.map(({ node }) => node));
		this.body = element("tbody");
		this.fill();
	}

	/** @param {number} i */
	hasInner(i) {
		return i + 1 < this.rows.length && this.rows[i + 1].depth > this.rows[i].depth;
	}

	element() {
		return element("div", { class: "figures" },
			element("div", { class: "figures-head" }, `${this.caption} (${formatCount(this.rows.length)})`),
			element("div", { class: "figures-scroll" }, element("table", { "aria-label": this.caption, role: "treegrid" },
				element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "task"),
					...this.columns.map(({ name }) => element("th", { scope: "col" },
						isTerm(name) ? term(name) : name)))), this.body)));
	}

	fill() {
		/** @type {HTMLElement[]} */
		const shown = [];
		let hiddenBelow = Infinity;
		this.rows.forEach((row, i) => {
			if (row.depth > hiddenBelow)
				return;
			hiddenBelow = this.closed.has(row.node) ? row.depth : Infinity;
			if (shown.length < MOST_TABLE_ROWS)
				shown.push(this.line(row, this.hasInner(i)));
		});
		this.body.replaceChildren(...shown);
	}

	/** @param {R} row @param {boolean} hasInner */
	line(row, hasInner) {
		const isOpen = !this.closed.has(row.node);
		const inner = element("span", { class: "tree-name", style: { paddingLeft: `${row.depth * 16}px` } },
			hasInner ? element("button", {
				type: "button", class: "twist", "aria-expanded": String(isOpen), "data-node": String(row.node),
				"aria-label": isOpen ? "Close" : "Open", onclick: () => this.toggle(row.node),
			}, isOpen ? "▾" : "▸") : element("span", { class: "twist" }), ...this.name(row));
		return element("tr", { "aria-level": String(row.depth + 1) },
			element("th", { scope: "row" }, inner),
			...this.columns.map((own) => figureCell(own, row)));
	}

	/** @param {number} node */
	toggle(node) {
		if (!this.closed.delete(node))
			this.closed.add(node);
		this.fill();
		const button = this.body.querySelector(`[data-node="${node}"]`);
		if (button instanceof HTMLElement)
			button.focus();
	}
}
