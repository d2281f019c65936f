// SPDX-License-Identifier: GPL-2.0
/*
 * Figures over time: CPU use as an area, the time axis.
 */
import { gallop, lowerBound } from "../data/row_search.js";
import { formatDuration, formatTime } from "../data/units.js";
import { NARROW_LABELS } from "./style.js";
import { Surface } from "./surface.js";

/** @typedef {import("./types.js").Cpu} Cpu */
/** @typedef {import("./types.js").Overview} Overview */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */
/** @typedef {import("./types.js").Scale} Scale */

/**
 * How busy the CPUs were, as an area; the session's part of it in its own colour. From an overview, or
 * from the rows.
 * @param {Pick<Painter, "pen" | "scale" | "theme" | "app">} painter @param {Overview | null} overview
 * @param {number} left @param {number} top @param {number} height
 */
export function paintCpuUse(painter, overview, left, top, height) {
	const { pen, scale, theme, app } = painter;
	const nrCpus = app.store.cpus.filter((cpu) => cpu.seen).length;
	const times = Float64Array.from({ length: Math.ceil(scale.width) + 1 }, (_, column) =>
		Math.min(Math.max(scale.ns(left + column), 0), app.store.duration));
	const { busy, session } = overview ?
		busyInOverview(overview, times) : busyInRows(app.store.cpus, times);
	const areas = [{ sums: busy, colour: theme.other }, { sums: session, colour: theme.busy }];
	for (let column = 0; column + 1 < times.length; column++) {
		const most = (times[column + 1] - times[column]) * nrCpus;
		if (!most)
			continue;
		for (const { sums, colour } of areas) {
			const own = Math.min((sums[column + 1] - sums[column]) / most, 1) * height;
			pen.fillStyle = colour;
			pen.fillRect(left + column, top + height - own, 1, own);
		}
	}
}

/**
 * CPU time before each of @times, which ascend: {busy, session}.
 * @param {Overview} overview @param {Float64Array} times
 */
function busyInOverview(overview, times) {
	/** @param {Float64Array} sums */
	const before = (sums) => times.map((ns) => overview.timeIn(sums, 0, ns));
	return { busy: before(overview.busy), session: before(overview.sessionBusy) };
}

/** @param {Cpu[]} cpus @param {Float64Array} times */
function busyInRows(cpus, times) {
	const found = { busy: new Float64Array(times.length), session: new Float64Array(times.length) };
	for (const { slices, busy } of cpus) {
		let past = lowerBound(slices.start, times[0]);
		for (let i = 0; i < times.length; i++) {
			past = gallop(slices.start, past, slices.rows, times[i]);
			if (!past)
				continue;
			const missing = Math.max(slices.end[past - 1] - times[i], 0);
			const isSession = busy.session[past] > busy.session[past - 1];
			found.busy[i] += busy.all[past] - missing;
			found.session[i] += busy.session[past] - (isSession ? missing : 0);
		}
	}
	return found;
}

export class Axis {
	/** @param {Page} app @param {HTMLCanvasElement} canvas */
	constructor(app, canvas) {
		this.app = app;
		this.surface = new Surface(canvas);
	}

	/** @param {number} width @param {number} height */
	paint(width, height) {
		const { app, surface } = this;
		const { pen } = surface;
		const { theme } = app.palette;
		const scale = app.scale();
		const { ticks, base } = app.axisTicks();
		surface.begin(width, height, app.ratio, theme.panel);
		surface.setFont(11);
		for (const tick of ticks) {
			const x = scale.x(tick.ns);
			surface.hairline(x, height - 6, 0, 6, theme["line-strong"]);
			surface.fill(theme["ink-dim"]);
			surface.text(tick.label, x + 4, height / 2 + 1);
		}
		this.paintRange(scale, height, theme);
		this.paintCrosshair(scale, width, height, theme);
		surface.fill(theme.panel);
		pen.fillRect(0, 0, scale.left - 1, height);
		surface.hairline(scale.left - 1, 0, 0, height, theme["line-strong"]);
		surface.hairline(0, height - 1, width, 0, theme["line-strong"]);
		this.paintCorner(base, scale, height, theme);
	}

	/**
	 * What the labels count from, and how much time is in sight.
	 * @param {number} base @param {Scale} scale @param {number} height
	 * @param {Record<string, string>} theme
	 */
	paintCorner(base, scale, height, theme) {
		const { surface, app } = this;
		const span = formatDuration(app.view.end - app.view.start);
		surface.setFont(11);
		surface.fill(theme["ink-faint"]);
		if (scale.left >= NARROW_LABELS)
			surface.text(base ? formatTime(base) : "in sight", 12, height / 2 + 1);
		surface.fill(theme["ink-dim"]);
		surface.text(span, scale.left - 12 - surface.widthOf(span), height / 2 + 1);
	}

	/** @param {Scale} scale @param {number} height @param {Record<string, string>} theme */
	paintRange(scale, height, theme) {
		const { app, surface } = this;
		if (!app.range)
			return;
		const from = scale.snapped(app.range.start);
		const to = scale.snapped(app.range.end);
		surface.fill(theme.accent);
		surface.pen.fillRect(from, height - 4, Math.max(to - from, 1), 4);
		const text = formatDuration(app.range.end - app.range.start);
		surface.setFont(11, "600");
		const width = surface.widthOf(text) + 10;
		const x = Math.min(Math.max((from + to - width) / 2, scale.left + 2), surface.width - width - 2);
		surface.pen.fillRect(x, 3, width, height - 9);
		surface.fill(theme.paper);
		surface.text(text, x + 5, height / 2 - 1);
	}

	/**
	 * @param {Scale} scale @param {number} width @param {number} height
	 * @param {Record<string, string>} theme
	 */
	paintCrosshair(scale, width, height, theme) {
		const { app, surface } = this;
		if (app.crosshair === null)
			return;
		const x = scale.x(app.crosshair);
		const text = formatTime(app.crosshair);
		surface.setFont(11);
		const textWidth = surface.widthOf(text) + 8;
		const left = Math.min(Math.max(x - textWidth / 2, scale.left), width - textWidth);
		surface.fill(theme.ink);
		surface.pen.fillRect(left, 3, textWidth, height - 7);
		surface.pen.fillRect(x - 0.5, height - 4, 1, 4);
		surface.fill(theme.paper);
		surface.text(text, left + 4, height / 2);
	}
}
