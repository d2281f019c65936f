// SPDX-License-Identifier: GPL-2.0
/*
 * The box that says which threads have lanes.
 */
import { formatCount } from "../data/units.js";

/** @typedef {import("./app.js").App} App */

export class LaneFilter {
	/** @param {App} app @param {HTMLInputElement} input @param {HTMLElement} status */
	constructor(app, input, status) {
		this.app = app;
		this.input = input;
		this.status = status;
		input.addEventListener("input", () => this.run(input.value));
		input.addEventListener("keydown", (event) => this.key(event));
	}

	/** @param {string} text */
	run(text) {
		const { app, input } = this;
		if (text === app.lanes.filter)
			return;
		app.lanes.setFilter(text);
		if (input.value !== text)
			input.value = text;
		this.showStatus();
		app.layoutChanged();
		app.address.note();
	}

	showStatus() {
		const { found, filter } = this.app.lanes;
		this.status.textContent = filter.trim() ? formatCount(found) : "";
		this.status.classList.toggle("none", !found);
	}

	/**
	 * Enter goes on to the lanes, Escape shows all of them again.
	 * @param {KeyboardEvent} event
	 */
	key(event) {
		event.stopPropagation();
		if (event.key === "Escape")
			this.run("");
		else if (event.key === "Enter")
			this.focusFirst();
		else
			return;
		this.app.scroller.focus();
		event.preventDefault();
	}

	focusFirst() {
		const { app } = this;
		const lane = app.lanes.lanes.find((candidate) => candidate.thread);
		if (lane)
			app.focusLane(lane);
	}
}
