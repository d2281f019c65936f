// SPDX-License-Identifier: GPL-2.0
/*
 * What stands above both traces: their lengths, by what they are aligned, and what only one has.
 */
import { SPAN_WAIT } from "../data/codes.js";
import { counted, formatDuration, formatPercent } from "../data/units.js";
import { byId, element, inputById } from "../ui/dom.js";
import { NAMES, Pair } from "./pair.js";

/** @typedef {import("../ui/app.js").App} App */
/** @typedef {import("./pair.js").Chosen} Chosen */

const MOST_LISTED = 200;

/**
 * How much longer B is than A.
 * @param {number} a @param {number} b ns
 */
function differenceText(a, b) {
	const sign = b < a ? "−" : "+";
	const share = a ? `, ${sign}${formatPercent(Math.abs(b - a) / a)}` : "";
	return a === b ? "no difference" : `${sign}${formatDuration(Math.abs(b - a))}${share}`;
}

export class Bar {
	/** @param {App[]} apps */
	constructor(apps) {
		this.pair = new Pair(apps, { selected: (chosen, text) => this.showSelected(chosen, text) });
		this.task = /** @type {HTMLSelectElement} */ (byId("task"));
		this.number = inputById("number");
		/** @type {Chosen | null} what both have of the selection */
		this.selected = null;
		this.showLengths();
		this.showLonely();
		this.task.addEventListener("change", () => this.align(this.task.value, 0));
		this.number.addEventListener("change", () => this.align(this.task.value, Number(this.number.value) - 1));
		byId("last-instance").addEventListener("click", () => this.step(-1));
		byId("next-instance").addEventListener("click", () => this.step(1));
		byId("align-selected").addEventListener("click", () =>
			this.selected && this.align(this.selected.key, this.selected.place));
		this.showAlignment();
	}

	async readTasks() {
		const { pair } = this;
		await pair.readTasks();
		const tasks = pair.sharedTasks();
		this.task.append(...tasks.map(([key, { name, kind }]) => element("option", { value: key },
			`${name}${kind === SPAN_WAIT ? " (waiting)" : ""}`)));
		if (!tasks.length)
			this.task.title = "No task is in both traces";
		this.task.disabled = !tasks.length;
	}

	showLengths() {
		const { apps } = this.pair;
		const lengths = apps.map(({ store }) => store.duration);
		apps.forEach(({ store: { head } }, side) => byId("lengths").append(
			element("span", { class: "side", title: head.trace.file }, element("b", { class: "badge" }, NAMES[side]),
				element("span", { class: "file" }, head.title), element("b", {}, formatDuration(lengths[side])))));
		byId("lengths").append(element("span", { id: "difference", title: "Length of B, less that of A" },
			differenceText(lengths[0], lengths[1])));
	}

	/* Threads that one side only has. */
	showLonely() {
		for (const [side, name] of NAMES.entries()) {
			const threads = this.pair.lonely(side);
			const list = threads.slice(0, MOST_LISTED).map(({ index, comm, tid }) => element("li", {},
				element("button", {
					type: "button", class: "link",
					onclick: () => this.pair.apps[side].goTo(`thread.${index}`, { scroll: true }),
				}, `${comm || "(no name)"} ${tid}`)));
			const more = threads.length - list.length;
			if (threads.length)
				byId("lonely").append(element("details", { "data-side": name },
					element("summary", {}, `Only in ${name}: ${counted(threads.length, "thread")}`),
					element("ul", {}, ...list, more ? element("li", {}, `${counted(more, "more")}`) : null)));
		}
	}

	/** @param {number} step */
	step(step) {
		this.align(this.task.value, Number(this.number.value) - 1 + step);
	}

	/**
	 * By an instance, by its place; without a task's key, by time.
	 * @param {string} key @param {number} place
	 */
	align(key, place) {
		const { pair } = this;
		const last = pair.nrShared(key) - 1;
		const chosen = Math.min(Math.max(Math.trunc(place) || 0, 0), Math.max(last, 0));
		this.task.value = key;
		this.number.value = String(chosen + 1);
		if (key)
			pair.alignInstances(key, chosen);
		else
			pair.alignTimes();
		this.showAlignment();
	}

	/* By what both are aligned, as align() takes it. */
	alignment() {
		return { key: this.task.value, place: Number(this.number.value) - 1 };
	}

	showAlignment() {
		const { key, place } = this.alignment();
		const nr = this.pair.nrShared(key);
		byId("instances").hidden = !key;
		this.number.max = String(nr);
		byId("count").textContent = `of ${nr}`;
		for (const [id, isEnd] of /** @type {[string, boolean][]} */ ([
			["last-instance", place <= 0], ["next-instance", place >= nr - 1]]))
			byId(id).toggleAttribute("disabled", isEnd);
	}

	/**
	 * @param {Chosen | null} chosen @param {string} text what else is to be told
	 */
	showSelected(chosen, text) {
		this.selected = chosen && chosen.found.every(Boolean) ? chosen : null;
		byId("align-selected").toggleAttribute("disabled", !this.selected);
		byId("told").textContent = chosen ? this.chosenText(chosen) : text;
	}

	/** @param {Chosen} chosen */
	chosenText({ key, place, found: [a, b] }) {
		const { tasks } = this.pair;
		const name = (tasks[0].get(key) ?? tasks[1].get(key))?.name;
		if (a && b) {
			const [before, after] = [a.end - a.start, b.end - b.start];
			return `${name} ${place + 1}: ${formatDuration(before)} in A, ${formatDuration(after)} in B: ${
				differenceText(before, after)}`;
		}
		const lacking = a ? 1 : 0;
		const nr = tasks[lacking].get(key)?.instances.length ?? 0;
		return nr ? `${name} ${place + 1}: ${NAMES[lacking]} has ${counted(nr, "instance")}` :
			`${name} is only in ${NAMES[1 - lacking]}`;
	}
}
