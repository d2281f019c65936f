// SPDX-License-Identifier: GPL-2.0
/*
 * The overlay that ? opens.
 */
import { SLOT_NAMES } from "../data/slots.js";
import { legend } from "./details.js";
import { element } from "./dom.js";
import { TERMS } from "./terms.js";
import { slotSwatches } from "./view_parts.js";

/** @type {[title: string, keys: [key: string, what: string][]][]} */
const HELP = [
	["Move", [
		["W / S", "zoom in / out, at the pointer"],
		["A / D", "move left / right"],
		["Ctrl + wheel", "zoom at the pointer; the plain wheel does too where nothing scrolls"],
		["Shift + wheel", "move left / right"],
		["drag", "move the lanes"],
		["F", "zoom to the selection; without a selection, show the findings"],
		["0", "the whole trace"],
		["Page Up / Down", "scroll the lanes"],
	]],
	["Look", [
		["click", "show the details of an item"],
		["← / →", "the previous / next item of the lane"],
		["↑ / ↓", "the lane above / below"],
		["Home / End", "the first / last lane"],
		["Enter", "open or close the group of the lane"],
		["[ / ]", "previous / next of the same name"],
		["E", "the other end of a message: the call that receives what is sent, or sends what is received"],
		["Shift + drag", "select a range of time, and show its figures"],
		["R", "select the visible range of time"],
		["M", "compact lanes"],
		["G", "group threads by process / by the CPU on which they ran most"],
		["Escape", "close, unselect"],
	]],
	["Find", [
		["/", "search spans, marks, events and threads"],
		["L", "show only threads whose name, number or process matches"],
		["Enter or N", "next hit"],
		["Shift + Enter or N", "last hit"],
		["Shift + F", "the findings"],
		["?", "this overlay"],
	]],
];

/** @param {HTMLElement} dialog */
export function fillHelp(dialog) {
	const body = element("div", { class: "help-body" });
	/** @type {HTMLElement} */
	let section = body;
	for (const [title, keys] of HELP) {
		const list = element("dl");
		for (const [key, what] of keys)
			list.append(element("dt", {}, ...keyCaps(key)), element("dd", {}, what));
		section = element("section", {}, element("h3", {}, title), list);
		body.append(section);
	}
	section.append(element("h3", {}, "Read"), legend(true), element("p", {},
		"A CPU's lane shows the thread and, below it, the span that ran. Arrows between CPUs are migrations. ",
		"The thin strip at its top shows interrupts, if the trace has events of them. ",
		"Below it are its idle states, the deeper the darker, and its frequency, if the trace has them. ",
		"A thread's lane has a strip of issue slots, if their events were counted: of each slice, or of all that share a pixel, how its ",
		"slots divide, from the foot up in the order below. Plain grey: not measured. Shades of grey: in doubt, for what the details tell. ",
		"Energy and other counters that the CPUs of a socket share have lanes of their own: what they counted a second. ",
		"A block device's lane shows how many requests are in flight. ",
		"Arrows between threads are messages (MPI): red where the receiver waited for a sender that had not begun, dashed where ",
		"send and receive contradict each other. ",
		"Fainter colours: many short slices in one pixel. Red hatching: events were lost, or a switch is missing. ",
		"The page's address keeps the view, the selection, the filter and the panel."),
	element("span", { class: "legend" }, ...slotSwatches(SLOT_NAMES)));
	dialog.append(element("h2", {}, "Keys and mouse"),
		element("form", { method: "dialog" }, element("button", {}, "Close")), body, glossary());
}

/* What the tooltips tell, for those who have no pointer. */
function glossary() {
	const list = element("dl");
	for (const [name, text] of Object.entries(TERMS))
		list.append(element("div", {}, element("dt", {}, name), element("dd", {}, `${text}.`)));
	return element("section", { class: "glossary" }, element("h3", {}, "Words"), list);
}

/** @param {string} text */
function keyCaps(text) {
	return text.split(/( \/ | \+ | or )/).map((part) =>
		/^ /.test(part) ? part : element("kbd", {}, part));
}
