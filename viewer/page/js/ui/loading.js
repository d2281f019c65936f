// SPDX-License-Identifier: GPL-2.0
/*
 * Work that takes longer than a frame: loading windows, and what must read many of them. Of each
 * sort one at a time: the next ends the one before. While any goes on, a bar says how far it is.
 */
import { timeOfText } from "../data/items.js";
import { explain } from "./explain.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../data/windows.js").Progress} Progress */
/** @typedef {import("../data/windows.js").Wanted} Wanted */

/** @typedef {(wanted: Wanted, progress: Progress) => Promise<void>} Job */

export class Work {
	/** @param {HTMLElement} bar */
	constructor(bar) {
		this.bar = bar;
		/** @type {Map<string, {share: number}>} */
		this.current = new Map();	/* sort -> its job, an object of its own */
	}

	get isBusy() {
		return this.current.size > 0;
	}

	/** @param {string} sort @returns {boolean} */
	has(sort) {
		return this.current.has(sort);
	}

	/**
	 * Calls job(wanted, progress) and waits for it; wanted() says no once it has been ended.
	 * @param {string} sort
	 * @param {Job} job
	 * @returns {Promise<void>}
	 */
	async run(sort, job) {
		const own = { share: 0 };
		const wanted = () => this.current.get(sort) === own;
		this.current.set(sort, own);
		this.showBar();
		try {
			await job(wanted, (done, all) => {
				own.share = all ? done / all : 0;
				this.showBar();
			});
		} finally {
			if (wanted())
				this.end(sort);
		}
	}

	/** @param {string} sort */
	end(sort) {
		this.current.delete(sort);
		this.showBar();
	}

	/* Of several jobs, the one that has most to do. */
	showBar() {
		const shares = Array.from(this.current.values(), ({ share }) => share);
		const share = shares.length ? Math.min(...shares) : 1;
		this.bar.hidden = !shares.length;
		this.bar.setAttribute("aria-valuenow", String(Math.round(share * 100)));
		const filled = this.bar.firstElementChild;
		if (filled instanceof HTMLElement)
			filled.style.transform = `scaleX(${Math.max(share, 0.02)})`;
	}
}

/** Sees to it that what is in sight gets loaded, if it is not too much. */
export class Loading {
	/** @param {App} app */
	constructor(app) {
		this.app = app;
		this.wanted = "";
	}

	/** @param {number} start @param {number} end */
	fits(start, end) {
		const { pages } = this.app;
		return pages.isWhole || pages.rowsIn(pages.at(start), pages.at(end) + 1) <= pages.most.shown;
	}

	/* [first, past) of the windows that should be there, or null: whatever is there will do. */
	choose() {
		const { app } = this;
		const { pages, selectionText } = app;
		const { start, end } = app.aim();
		if (this.fits(start, end)) {
			const around = pages.around(start, end);
			/** @type {[number, number]} */
			const narrow = [pages.at(start), pages.at(end) + 1];
			const range = pages.rowsIn(...around) <= pages.most.shown * 1.25 ? around : narrow;
			return pages.lacks(...range) ? null : range;
		}
		const ns = selectionText && !app.selection ? timeOfText(selectionText) : null;
		return ns === null || pages.leftOut.has(pages.at(ns)) ? null : pages.around(ns, ns);
	}

	/* To be called when what is in sight, or selected, has changed. */
	look() {
		const { app } = this;
		const { pages, store, work } = app;
		if (pages.isWhole)
			return;
		const range = this.choose();
		const isThere = range && range[0] >= store.first && range[1] <= store.past && store.pieces.length;
		const missing = range && !isThere ? range : null;
		const key = missing ? missing.join() : "";
		if (key === this.wanted)
			return;
		this.wanted = key;
		if (missing)
			work.run("load", (...how) => this.load(missing, ...how)).catch(explain);
		else
			work.end("load");
	}

	/**
	 * @param {[number, number]} range
	 * @param {Wanted} wanted
	 * @param {Progress} progress
	 * @returns {Promise<void>}
	 */
	async load([first, past], wanted, progress) {
		const { app } = this;
		const store = await app.pages.storeOf(first, past, wanted, progress);
		if (!store || !await store.prepare(wanted))
			return;
		this.wanted = "";
		app.show(store);
	}
}
