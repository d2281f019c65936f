// SPDX-License-Identifier: GPL-2.0
/*
 * What the address keeps, so that a view can be bookmarked and sent:
 * #t=START-END&s=ITEM&r=RANGE&q=TEXT&f=TEXT&g=cpu&p=PANEL
 */
import { GROUPED_BY } from "../draw/lanes.js";

/** @typedef {import("./app.js").App} App */

const STATE_DELAY_MS = 250;

export class AddressState {
	/** @param {App} app */
	constructor(app) {
		this.app = app;
		this.timer = 0;
		this.written = "";
		/* A page within another one has no address of its own. */
		this.put = (/** @type {string} */ text) => {
			if (location.protocol !== "about:")
				history.replaceState(null, "", `#${text}`);
		};
	}

	/* Soon, and once for many changes. */
	note() {
		if (!this.timer)
			this.timer = setTimeout(() => this.write(), STATE_DELAY_MS);
	}

	text() {
		const { app } = this;
		const parameters = new URLSearchParams();
		const { start, end } = app.aim();
		if (!app.seesAll())
			parameters.set("t", `${Math.round(start)}-${Math.round(end)}`);
		if (app.selectionText)
			parameters.set("s", app.selectionText);
		if (app.range)
			parameters.set("r", `${Math.round(app.range.start)}-${Math.round(app.range.end)}`);
		if (app.matches)
			parameters.set("q", app.search.input.value);
		if (app.lanes.filter)
			parameters.set("f", app.lanes.filter);
		if (app.analyses.addressText())
			parameters.set("p", app.analyses.addressText());
		if (app.lanes.by !== GROUPED_BY[0])
			parameters.set("g", app.lanes.by);
		return parameters.toString();
	}

	write() {
		this.timer = 0;
		this.written = this.text();
		this.put(this.written);
	}

	read() {
		const text = location.hash.slice(1);
		if (text !== this.written)
			this.apply(text);
	}

	/** @param {string} text */
	apply(text) {
		const { app } = this;
		const parameters = new URLSearchParams(text);
		/** @param {string} name */
		const times = (name) => {
			const found = /^(-?\d{1,15})-(-?\d{1,15})$/.exec(parameters.get(name) || "");
			/** @type {[number, number] | null} */
			const both = found && [Number(found[1]), Number(found[2])];
			return both;
		};
		const range = times("r");
		const by = parameters.get("g") || "";
		app.groupBy(GROUPED_BY.includes(by) ? by : GROUPED_BY[0]);
		app.filter.run(parameters.get("f") || "");
		app.search.run(parameters.get("q") || "");
		const [start, end] = times("t") || [app.reach.start, app.reach.end];
		app.setView(start, end);
		app.analyses.readAddress(parameters.get("p") || "");
		app.goTo(parameters.get("s") || "", { scroll: true, range });
	}
}
