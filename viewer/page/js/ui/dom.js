// SPDX-License-Identifier: GPL-2.0
/*
 * Elements. Text from a trace only ever becomes text: there is no way here to parse it as HTML.
 */
import { STATE_NAMES } from "../data/codes.js";
import { formatPercent } from "../data/units.js";

/** @typedef {Node | string | null | undefined} Child nothing is made of null */
/**
 * Attributes, of which null ones are left out; handlers and styles.
 * @typedef {{
 *	onclick?: ((event: MouseEvent) => void) | null, onkeydown?: (event: KeyboardEvent) => void,
 *	style?: Partial<CSSStyleDeclaration>, [attribute: string]: unknown,
 * }} Properties
 */

/** @type {(child: Child) => child is Node | string} */
export const isChild = (child) => child !== null && child !== undefined;

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Properties} properties
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, properties = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (name.startsWith("on"))
			node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
		else if (name === "class")
			node.className = String(value);
		else if (name === "style")
			Object.assign(node.style, value);
		else if (value !== undefined && value !== null)
			node.setAttribute(name, String(value));
	}
	node.append(...children.filter(isChild));
	return node;
}

/**
 * An element that the page's shell has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
	const found = document.getElementById(id);
	if (!found)
		throw new Error(`the page has no element ${id}`);
	return found;
}

/**
 * Until what was drawn last can be seen.
 * @returns {Promise<void>}
 */
export const shown = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** @param {string} colour @param {string} className @returns {HTMLSpanElement} */
export function swatch(colour, className = "") {
	return element("span", { class: `swatch ${className}`, style: { background: colour } });
}

/**
 * The same, of an element that is a canvas.
 * @param {string} id
 * @returns {HTMLCanvasElement}
 */
export function canvasById(id) {
	const canvas = byId(id);
	if (!(canvas instanceof HTMLCanvasElement))
		throw new Error(`the page's element ${id} is no canvas`);
	return canvas;
}

/**
 * The same, of a box for text.
 * @param {string} id
 * @returns {HTMLInputElement}
 */
export function inputById(id) {
	const input = byId(id);
	if (!(input instanceof HTMLInputElement))
		throw new Error(`the page's element ${id} is no input`);
	return input;
}

/**
 * The same, of a dialog.
 * @param {string} id
 * @returns {HTMLDialogElement}
 */
export function dialogById(id) {
	const dialog = byId(id);
	if (!(dialog instanceof HTMLDialogElement))
		throw new Error(`the page's element ${id} is no dialog`);
	return dialog;
}

/**
 * The little square that stands for a state, drawn as its strip is.
 * @param {number} state
 * @returns {HTMLSpanElement}
 */
export function stateSwatch(state) {
	return element("span", { class: `swatch state-${STATE_NAMES[state]}` });
}

/**
 * One bar, divided as the time was. Returns null when there was none.
 * @param {Float64Array} ns
 * @returns {HTMLDivElement | null}
 */
export function stateBar(ns) {
	const total = ns.reduce((sum, part) => sum + part, 0);
	if (!total)
		return null;
	const bar = element("div", { class: "state-bar", role: "img",
		"aria-label": Array.from(ns, (part, state) =>
			part ? `${STATE_NAMES[state]} ${formatPercent(part / total)}` : "")
			.filter(Boolean).join(", ") });
	ns.forEach((part, state) => {
		if (!part)
			return;
		const piece = stateSwatch(state);
		piece.style.width = `${part / total * 100}%`;
		bar.append(piece);
	});
	return bar;
}
