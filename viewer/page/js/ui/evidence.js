// SPDX-License-Identifier: GPL-2.0
/*
 * What the lanes show of a finding: a stretch of time on the lanes that it is about, and the course of
 * a critical path over them.
 */
import { CPUS_KEY } from "../draw/lanes.js";
import { LEAST_VIEW_NS } from "../draw/strips.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../draw/lanes.js").Lane} Lane */
/** @typedef {import("../draw/paint.js").Painter} Painter */

const EVIDENCE_MARGIN = 0.15;	/* of its length, to either side */
const MOST_REVEALED_THREADS = 64;
const PATH_THICKNESS = 3;

/** @typedef {{thread: number, start: number, end: number}} PathStep of a critical path */

export class Evidence {
	/** @param {App} app */
	constructor(app) {
		this.app = app;
		/** @type {{start: number, end: number} | null} */
		this.range = null;
		/** @type {number[]} */
		this.threads = [];
		/** @type {Set<string>} */
		this.lanes = new Set();
		/** @type {PathStep[]} */
		this.path = [];
	}

	clear() {
		this.range = null;
		this.threads = [];
		this.lanes = new Set();
		this.path = [];
	}

	isShown() {
		return this.range !== null || this.path.length > 0;
	}

	/**
	 * Threads are numbers of the page's, the most important first.
	 * @param {{start: number, end: number, threads?: number[], cpus?: number[]}} shown
	 */
	show({ start, end, threads = [], cpus = [] }) {
		const { app } = this;
		this.clear();
		this.range = { start, end };
		this.threads = threads.filter((thread) => app.store.threads[thread]);
		this.lanes = new Set([...this.threads.map((thread) => `thread ${thread}`),
			...cpus.map((cpu) => `cpu ${cpu}`)]);
		this.reveal(cpus.length > 0);
		this.zoom(start, end);
	}

	/**
	 * @param {PathStep[]} segments in the order of time
	 * @param {{start: number, end: number}} range
	 */
	showPath(segments, range) {
		this.show({ ...range, threads: [...new Set(segments.map(({ thread }) => thread))] });
		this.path = segments;
		this.app.requestFrame();
	}

	/** @param {number} start @param {number} end */
	zoom(start, end) {
		const margin = Math.max((end - start) * EVIDENCE_MARGIN, LEAST_VIEW_NS / 2);
		this.app.setView(start - margin, end + margin, { animate: true });
	}

	/** @param {boolean} withCpus */
	reveal(withCpus) {
		const { app } = this;
		for (const thread of this.threads.slice(0, MOST_REVEALED_THREADS))
			app.showThread(thread);
		if (withCpus && app.lanes.closed.has(CPUS_KEY))
			app.lanes.toggle(CPUS_KEY);
		app.layoutChanged();
		this.scroll();
	}

	/* All of its lanes, if they fit; else those of threads; else the thread that matters most. */
	scroll() {
		const { app } = this;
		const all = app.lanes.lanes.filter(({ id }) => this.lanes.has(id));
		const threads = all.filter(({ thread }) => thread);
		const main = app.lanes.find(`thread ${this.threads[0]}`);
		/** @param {Lane[]} lanes */
		const fits = (lanes) => lanes.length > 0 &&
			lanes[lanes.length - 1].top + lanes[lanes.length - 1].height - lanes[0].top <= app.height;
		const shown = [all, threads].find(fits) || [main || all[0]].filter(Boolean);
		if (!shown.length)
			return;
		app.scrollToLane(shown[shown.length - 1]);
		app.scrollToLane(shown[0]);
		app.scrollTop = app.scroller.scrollTop;
	}

	/**
	 * Calls use(left, top, width, height) for the stretch on each of its lanes in sight.
	 * @param {Painter} painter
	 * @param {Lane[]} visible
	 * @param {(left: number, top: number, width: number, height: number) => void} use
	 */
	eachPlace({ scale, app }, visible, use) {
		if (!this.range)
			return;
		const left = scale.snapped(this.range.start);
		const width = Math.max(scale.snapped(this.range.end) - left, 2);
		for (const lane of visible)
			if (this.lanes.has(lane.id))
				use(left, lane.top - app.scrollTop, width, lane.height - 1);
	}

	/**
	 * Below what is in the lanes, so that colours stay what they are.
	 * @param {Painter} painter
	 * @param {Lane[]} visible
	 */
	paintGround(painter, visible) {
		painter.surface.fill(painter.theme.shade);
		this.eachPlace(painter, visible, (...place) => painter.pen.fillRect(...place));
	}

	/** @param {Painter} painter @param {Lane[]} visible */
	paintFrame(painter, visible) {
		if (!this.range)
			return;
		const { scale, theme, pen, surface } = painter;
		pen.strokeStyle = theme.accent;
		pen.lineWidth = 1;
		this.eachPlace(painter, visible, (left, top, width, height) =>
			pen.strokeRect(left - 0.5, top + 0.5, width + 1, height - 1));
		for (const ns of [this.range.start, this.range.end])
			surface.hairline(scale.snapped(ns), 0, 0, surface.height, theme.accent);
		this.paintPath(painter);
	}

	/**
	 * A line through the lanes of those whose work the end waited for.
	 * @param {Painter} painter
	 */
	paintPath({ scale, theme, pen, app }) {
		/** @param {number} thread */
		const middleOf = (thread) => {
			const lane = app.lanes.find(`thread ${thread}`);
			return lane ? lane.top - app.scrollTop + 2 + app.lanes.heights.strip / 2 : null;
		};
		if (!this.path.length)
			return;
		pen.beginPath();
		let before = null;
		for (const { thread, start, end } of this.path) {
			const y = middleOf(thread);
			if (y === null) {
				before = null;
				continue;
			}
			if (before === null)
				pen.moveTo(scale.x(start), y);
			else
				pen.lineTo(scale.x(start), y);
			pen.lineTo(scale.x(end), y);
			before = thread;
		}
		pen.lineJoin = "round";
		pen.strokeStyle = theme.paper;
		pen.lineWidth = PATH_THICKNESS + 3;
		pen.stroke();
		pen.strokeStyle = theme.path;
		pen.lineWidth = PATH_THICKNESS;
		pen.stroke();
	}
}
