// SPDX-License-Identifier: GPL-2.0
/*
 * Search: by the names of spans, marks and counters, and by threads' names and numbers. A space
 * separates words that must all be found.
 */
import { itemKinds, timeOf } from "../data/items.js";
import { counted, formatCount } from "../data/units.js";
import { Hits } from "./hits.js";
import { courseOfHits } from "./steps.js";

export class Search {
	constructor(app, input, status) {
		this.app = app;
		this.input = input;
		this.status = status;
		this.found = { store: null, names: null, hits: null };
	}

	/* Finds @text in the names. Returns {spans, threads}: how many of each. */
	run(text) {
		const { app } = this;
		const words = text.toLowerCase().split(/\s+/).filter(Boolean);
		if (this.input.value !== text)
			this.input.value = text;
		app.matches = words.length ? this.match(words) : null;
		this.showStatus();
		app.requestFrame();
		return app.matches ?
			{ spans: app.matches.total, threads: app.matches.threadList.length } :
			{ spans: 0, threads: 0 };
	}

	match(words) {
		const { store } = this.app;
		const fits = (text) => words.every((word) => text.includes(word));
		const names = Uint8Array.from(store.strings, (name) => fits(name.toLowerCase()) ? 1 : 0);
		const threads = Uint8Array.from(store.threads, (thread) =>
			fits(`${thread.comm.toLowerCase()} ${thread.tid}`) ? 1 : 0);
		const total = nrOfNames(store.pages, names);
		return {
			names, threads, total, anyName: total > 0,
			threadList: store.threads.filter((thread) => threads[thread.index]),
		};
	}

	/* Those among what is loaded. */
	hits() {
		const { app } = this;
		if (this.found.store !== app.store || this.found.names !== app.matches.names)
			this.found = { store: app.store, names: app.matches.names,
				hits: new Hits(app.store, app.matches.names) };
		return this.found.hits;
	}

	/*
	 * On to the next (1) or last (-1) hit: spans and marks; threads when there are none. A Promise
	 * where it must be searched for in what is not loaded.
	 */
	step(step) {
		const { app } = this;
		const { matches } = app;
		if (!matches)
			return null;
		if (matches.total)
			return app.follow(this.course(step), step);
		if (matches.threadList.length)
			app.select({ kind: "thread", thread: this.nextThread(step).index }, { reveal: true });
		return null;
	}

	/* From what is selected, if it is a hit; else from the edge of what is in sight. */
	course(step) {
		const { app } = this;
		const { start, end } = app.aim();
		const place = app.selected();
		const isHit = place && (place.item.kind === "span" || place.item.kind === "mark") &&
			app.matches.names[itemKinds[place.item.kind].table(place.store, place.item).name[place.item.row]];
		return isHit ?
			courseOfHits(app.selectionText, timeOf(place.store, place.item)[0], app.matches.names) :
			courseOfHits("", Math.floor(step > 0 ? start : end), app.matches.names);
	}

	nextThread(step) {
		const { selection, matches } = this.app;
		const list = matches.threadList;
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
			const rank = app.store.isWhole ? this.hits().rank(app.selection) : 0;
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

/* How many spans, marks and values of counters have the names that are @wanted, in the whole trace. */
export function nrOfNames({ head }, wanted) {
	let total = 0;
	for (const [name, , count] of head.span_names)
		total += wanted[name] ? count : 0;
	for (const [name, count] of head.mark_names)
		total += wanted[name] ? count : 0;
	return total;
}
