// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes of values over time: counters, requests in flight.
 */
import { lastAtMost, lowerBound } from "../data/row_search.js";
import { formatCount } from "../data/units.js";
import { MOST_LOOKED_AT } from "./strips.js";
import { DIMMED, INDENT, NARROW_LABELS } from "./style.js";

/** @typedef {import("./labels.js").Labels} Labels */
/** @typedef {import("./types.js").Painter} Painter */
/** @typedef {import("./types.js").SeriesLane} SeriesLane */

/** @param {Labels} labels @param {SeriesLane} lane @param {number} y */
export function paintSeriesLabel({ painter, width }, lane, y) {
	const { surface, theme } = painter;
	const x = INDENT * lane.indent;
	const middle = y + lane.height / 2;
	const isNarrow = width < NARROW_LABELS;
	surface.setFont(10);
	surface.fill(theme["ink-dim"]);
	surface.text(lane.label, x, middle, width - x - (isNarrow ? 4 : 70));
	if (isNarrow)
		return;
	surface.fill(theme["ink-faint"]);
	const most = `≤ ${lane.most ?? formatCount(lane.max)}`;
	surface.text(most, width - 12 - surface.widthOf(most), middle);
}

/* Draws values from left to right: an area below what they were, a line for how they moved. */
export class SeriesSteps {
	/** @param {Painter} painter @param {SeriesLane} lane @param {number} y */
	constructor(painter, lane, y) {
		this.pen = painter.pen;
		this.least = Math.min(lane.min, 0);
		this.span = Math.max(lane.max, 0) - this.least || 1;
		this.height = lane.height - 8;
		this.foot = y + 4 + this.height;
		this.colour = painter.app.palette.ofName(lane.name);
		this.alpha = painter.app.isDimmed(lane.name) ? DIMMED : 1;
	}

	/** @param {number} value */
	level(value) {
		return this.foot - (value - this.least) / this.span * this.height;
	}

	/**
	 * From @x to @until, beginning between @low and @high and ending as @last.
	 * @param {number} x @param {number} until @param {number} low @param {number} high @param {number} last
	 */
	paint(x, until, low, high, last) {
		const { pen } = this;
		const ground = this.level(0);
		const y = this.level(last);
		const upper = this.level(high);
		pen.fillStyle = this.colour;
		pen.globalAlpha = this.alpha * 0.3;
		pen.fillRect(x, Math.min(y, ground), until - x, Math.abs(ground - y));
		pen.globalAlpha = this.alpha;
		pen.fillRect(x, y - 1, until - x, 1.5);
		pen.fillRect(x, upper - 1, 1, this.level(low) - upper + 1.5);
		pen.globalAlpha = 1;
	}
}

/**
 * The least and most of each pixel, joined by the steps.
 * @param {Painter} painter @param {SeriesLane} lane
 * @param {{rows: number, start: Float64Array, value: Float64Array, before: number | null}} series @param {number} y
 */
export function paintSeries(painter, lane, series, y) {
	const { scale, app } = painter;
	const thin = 1 / scale.ratio;
	const end = Math.min(scale.x(app.store.duration), painter.surface.width);
	const steps = new SeriesSteps(painter, lane, y);
	let i = Math.max(lastAtMost(series.start, scale.start), 0);

	if (series.before !== null && !(series.start[0] <= scale.start)) {
		const { before } = series;
		steps.paint(scale.left, series.rows ? scale.snapped(series.start[0]) : end, before, before, before);
	}
	while (i < series.rows && series.start[i] <= scale.end) {
		const x = scale.snapped(series.start[i]);
		const next = Math.max(i + 1, lowerBound(series.start, scale.ns(x + thin), i, series.rows));
		const until = next < series.rows ? scale.snapped(series.start[next]) : end;
		let low = series.value[i];
		let high = low;
		const step = Math.max(1, Math.floor((next - i) / MOST_LOOKED_AT));
		for (let row = i; row < next; row += step) {
			low = Math.min(low, series.value[row]);
			high = Math.max(high, series.value[row]);
		}
		const before = i ? series.value[i - 1] : series.before ?? 0;
		steps.paint(x, until, Math.min(low, before), Math.max(high, before), series.value[next - 1]);
		i = next;
	}
}
