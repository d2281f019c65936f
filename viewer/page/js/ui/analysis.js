// SPDX-License-Identifier: GPL-2.0
/*
 * What annot html found in the trace: an element of JSON behind the script, read only once the first
 * drawing is done. Its keys are described in viewer/report/analyses.h and its parts.
 */
import { BLOCK_POLL_MS, pause } from "../data/blocks.js";

const ownScript = document.currentScript;

/* The analysis, or null when the page has none. */
export async function readAnalysis() {
	let element = null;
	let isParsed = false;
	while (!element && !isParsed) {
		isParsed = document.readyState !== "loading";
		element = ownScript.nextElementSibling;
		/* It is whole once something follows it. */
		if (element && !isParsed && !element.nextElementSibling)
			element = null;
		if (!element && !isParsed)
			await pause(BLOCK_POLL_MS);
	}
	return element && element.id === "analysis" ? new Analysis(JSON.parse(element.textContent)) : null;
}

class Analysis {
	constructor(data) {
		this.data = data;
		this.leftOut = data.left_out || null;
		this.findings = data.findings || [];
		this.session = data.session || { from_ns: 0, to_ns: 0 };
		this.catalogue = data.catalogue || {};
	}

	/* Of the session's time, or 0. */
	share(ns) {
		const all = this.session.to_ns - this.session.from_ns;
		return all > 0 ? ns / all : 0;
	}

	/* A part by its key; null: it has nothing to show. */
	part(name) {
		return this.data[name] || null;
	}
}

/* The thread that {thread, tid} of the analysis means, as a number of the page's; -1: there is none. */
export function threadOfRow(store, { thread, tid }) {
	const { threads } = store;
	if (threads[thread] && (tid === undefined || threads[thread].tid === tid))
		return thread;
	return threads.findIndex((own) => own.tid === tid);
}
