// SPDX-License-Identifier: GPL-2.0
/*
 * The search box, and the way from hit to hit.
 */
import { timeOf } from "../data/items.js";
import { matchText } from "../data/search.js";
import { counted, formatCount } from "../data/units.js";
import { Hits } from "./hits.js";
import { courseOfHits, isNamed, nameOfRow } from "./steps.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../data/items.js").Item} Item */
/** @typedef {import("../data/search.js").Matches} Matches */
/** @typedef {import("../data/store.js").Store} Store */

export class Search {
	/** @param {App} app @param {HTMLInputElement} input @param {HTMLElement} status */
	constructor(app, input, status) {
		this.app = app;
		this.input = input;
		this.status = status;
		/** @type {{names: Uint8Array, hits: Hits} | null} */
		this.found = null;
	}

	/**
	 * Finds @text in the names. Returns {spans, threads}: how many of each.
	 * @param {string} text
	 */
	run(text) {
		const { app } = this;
		if (this.input.value !== text)
			this.input.value = text;
		app.matches = matchText(app.store, text);
		this.showStatus();
		app.requestFrame();
		return app.matches ?
			{ spans: app.matches.total, threads: app.matches.threadList.length } :
			{ spans: 0, threads: 0 };
	}

	/**
	 * Those among what is loaded.
	 * @param {Matches} matches
	 * @returns {Hits}
	 */
	hits({ names, isText }) {
		const { store } = this.app;
		if (!this.found || this.found.hits.store !== store || this.found.names !== names)
			this.found = { names, hits: new Hits(store, names, isText) };
		return this.found.hits;
	}

	/**
	 * On to the next (1) or last (-1) hit: spans, marks and events; threads when there are none. A Promise
	 * where it must be searched for in what is not loaded.
	 * @param {number} step
	 */
	step(step) {
		const { app } = this;
		const { matches } = app;
		if (!matches)
			return null;
		if (matches.total)
			return app.follow(this.course(matches, step), step);
		if (matches.threadList.length)
			app.select({ kind: "thread", thread: this.nextThread(matches, step).index }, { reveal: true });
		return null;
	}

	/**
	 * From what is selected, if it is a hit; else from the edge of what is in sight.
	 * @param {Matches} matches
	 * @param {number} step
	 */
	course({ names, isText }, step) {
		const { app } = this;
		const { start, end } = app.aim();
		const place = app.selected();
		return place && app.selectionText && isHit(place.store, place.item, names, isText) ?
			courseOfHits(app.selectionText, timeOf(place.store, place.item)[0], names, isText) :
			courseOfHits("", Math.floor(step > 0 ? start : end), names, isText);
	}

	/** @param {Matches} matches @param {number} step */
	nextThread({ threadList: list }, step) {
		const { selection } = this.app;
		const at = selection && selection.kind === "thread" ?
			list.findIndex((thread) => thread.index === selection.thread) : -1;
		if (at < 0)
			return list[step > 0 ? 0 : list.length - 1];
		return list[(at + step + list.length) % list.length];
	}

	showStatus() {
		const { app } = this;
		const { matches } = app;
		this.status.textContent = "";
		this.status.classList.toggle("none", false);
		if (!matches)
			return;
		const { total, threadList } = matches;
		if (total) {
			const rank = app.store.isWhole ? this.hits(matches).rank(app.selection) : 0;
			this.status.textContent = rank ? `${formatCount(rank)} of ${formatCount(total)}` :
				`${formatCount(total)} found`;
		} else if (threadList.length) {
			this.status.textContent = counted(threadList.length, "thread");
		} else {
			this.status.textContent = "nothing found";
			this.status.classList.toggle("none", true);
		}
	}
}

/**
 * @param {Store} store @param {Item} item @param {Uint8Array} names
 * @param {(text: number) => boolean} isText
 */
function isHit(store, item, names, isText) {
	if (item.kind === "event" && isText(store.traceEvents.text[item.row]))
		return true;
	return isNamed(item) && names[nameOfRow(store, item)] === 1;
}
