// SPDX-License-Identifier: GPL-2.0
/*
 * Search: by the names of spans, marks and counters, and by threads' names and numbers. A space
 * separates words that must all be found.
 */
class Search {
	constructor(app, input, status) {
		this.app = app;
		this.input = input;
		this.status = status;
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
			{ spans: app.matches.hits.total, threads: app.matches.threadList.length } :
			{ spans: 0, threads: 0 };
	}

	match(words) {
		const { store } = this.app;
		const fits = (text) => words.every((word) => text.includes(word));
		const names = Uint8Array.from(store.strings, (name) => fits(name.toLowerCase()) ? 1 : 0);
		const threads = Uint8Array.from(store.threads, (thread) =>
			fits(`${thread.comm.toLowerCase()} ${thread.tid}`) ? 1 : 0);
		const hits = new Hits(store, names);
		return {
			names, threads, hits, anyName: hits.total > 0,
			threadList: store.threads.filter((thread) => threads[thread.index]),
		};
	}

	/* On to the next (1) or last (-1) hit: spans and marks; threads when there are none. */
	step(step) {
		const { app } = this;
		const { matches } = app;
		if (!matches)
			return;
		if (matches.hits.total)
			app.select(matches.hits.step(app.selection, step > 0 ? app.view.start : app.view.end, step),
				{ reveal: true });
		else if (matches.threadList.length)
			app.select({ kind: "thread", thread: this.nextThread(step).index }, { reveal: true });
		this.showStatus();
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
		const { hits, threadList } = matches;
		if (hits.total) {
			const rank = hits.rank(app.selection);
			this.status.textContent = rank ? `${formatCount(rank)} of ${formatCount(hits.total)}` :
				`${formatCount(hits.total)} found`;
		} else if (threadList.length) {
			this.status.textContent = counted(threadList.length, "thread");
		} else {
			this.status.textContent = "nothing found";
			this.status.classList.toggle("none", true);
		}
	}
}
