// SPDX-License-Identifier: GPL-2.0
/*
 * Rows of time -> rectangles, never more than two for each pixel of a lane: what is at least a
 * pixel wide is drawn itself, what is narrower is merged with all that falls into the same pixel.
 */
import { gallop, lastAtMost } from "../data/row_search.js";
import { penOf } from "./surface.js";

/** @typedef {import("./types.js").Rows} Rows */

export const LEAST_VIEW_NS = 50;

export const MOST_LOOKED_AT = 24;	/* of the rows that share a pixel */

/* The part of time that a canvas shows. Positions are snapped to the display's own pixels. */
export class Scale {
	/**
	 * @param {number} start @param {number} end @param {number} left @param {number} width
	 * @param {number} ratio
	 */
	constructor(start, end, left, width, ratio) {
		this.start = start;
		this.end = end;
		this.left = left;
		this.width = width;
		this.ratio = ratio;
		this.perPixel = (end - start) / (width * ratio);	/* ns per pixel of the display */
	}

	/** @param {number} ns */
	x(ns) {
		return this.left + (ns - this.start) / this.perPixel / this.ratio;
	}

	/**
	 * On the edge of a pixel of the display, and not far outside of the canvas.
	 * @param {number} ns
	 */
	snapped(ns) {
		const pixel = Math.round((ns - this.start) / this.perPixel);
		const most = this.width * this.ratio + 8;
		return this.left + Math.min(Math.max(pixel, -8), most) / this.ratio;
	}

	/** @param {number} x */
	ns(x) {
		return this.start + (x - this.left) * this.ratio * this.perPixel;
	}
}

/*
 * Of rows [from, to): {row: the longest, ns: the sum of their lengths}, from at most
 * MOST_LOOKED_AT of them, evenly spread. One object for all calls: thousands are made in a frame.
 */
const summary = { row: 0, ns: 0 };

/** @param {Rows} rows @param {number} from @param {number} to */
export function summarise(rows, from, to) {
	const step = Math.ceil((to - from) / MOST_LOOKED_AT);
	let length = -1;
	summary.ns = 0;
	for (let row = from; row < to; row += step) {
		const own = rows.end(row) - rows.start[row];
		summary.ns += own;
		if (own > length) {
			length = own;
			summary.row = row;
		}
	}
	summary.ns *= (to - from) / Math.ceil((to - from) / step);
	return summary;
}

/**
 * Shows what of @rows is in sight: draw(x, width, row) for a row that is at least a pixel wide,
 * merge(column, from, to) for rows [from, to) that share a pixel, counted from scale.left. @rows:
 * {start[], end(row), rows}, in order and not overlapping.
 * @param {Rows} rows @param {Scale} scale
 * @param {(x: number, width: number, row: number) => void} draw
 * @param {(column: number, from: number, to: number) => void} merge
 */
export function eachStrip(rows, scale, draw, merge) {
	const { start } = rows;
	const pixel = scale.perPixel;
	let row = Math.max(lastAtMost(start, scale.start), 0);

	while (row < rows.rows && start[row] < scale.end) {
		const end = rows.end(row);
		if (end <= scale.start && end > start[row]) {
			row++;
			continue;
		}
		if (end - start[row] >= pixel) {
			const x = scale.snapped(start[row]);
			draw(x, Math.max(scale.snapped(end) - x, 1 / scale.ratio), row);
			row++;
			continue;
		}
		const column = Math.round((start[row] - scale.start) / pixel);
		const nextPixel = scale.start + (column + 0.5) * pixel;
		let next = gallop(start, row + 1, rows.rows, nextPixel);
		const last = next - 1;
		/* The last one may be wide, and then stands for itself. */
		if (last > row && rows.end(last) - start[last] >= pixel)
			next = last;
		merge(column, row, next);
		row = next;
	}
}

/*
 * The pixels of what was merged: thousands of columns, put onto the canvas at once. A column holds
 * one colour for its whole height (rows = 1) or a stack of them.
 */
export class Columns {
	constructor() {
		this.canvas = document.createElement("canvas");
		this.pen = penOf(this.canvas);
		/** @type {ImageData | null} */
		this.image = null;
		this.pixels = new Uint32Array();
		this.width = this.rows = 0;
		this.used = false;
	}

	/** @param {Scale} scale @param {number} rows */
	begin(scale, rows) {
		const width = Math.ceil(scale.width * scale.ratio) + 1;
		if (!this.image || this.image.width !== width || this.image.height !== rows) {
			this.canvas.width = width;
			this.canvas.height = rows;
			this.image = new ImageData(width, rows);
			this.pixels = new Uint32Array(this.image.data.buffer);
		} else {
			this.pixels.fill(0);
		}
		this.width = width;
		this.rows = rows;
		this.used = false;
	}

	/**
	 * Colours are numbers, as Palette.pixel() makes them. Rows count from the top.
	 * @param {number} column @param {number} colour @param {number} from @param {number} to
	 */
	set(column, colour, from = 0, to = this.rows) {
		this.fill(column, column + 1, colour, from, to);
	}

	/**
	 * The same for columns [first, past).
	 * @param {number} first @param {number} past @param {number} colour @param {number} from
	 * @param {number} to
	 */
	fill(first, past, colour, from = 0, to = this.rows) {
		const start = Math.max(first, 0);
		const end = Math.min(past, this.width);
		if (start >= end)
			return;
		this.used = true;
		for (let row = from; row < to; row++)
			this.pixels.fill(colour, row * this.width + start, row * this.width + end);
	}

	/**
	 * @param {CanvasRenderingContext2D} pen @param {Scale} scale @param {number} top
	 * @param {number} height
	 */
	flush(pen, scale, top, height) {
		if (!this.used || !this.image)
			return;
		this.pen.putImageData(this.image, 0, 0);
		pen.imageSmoothingEnabled = false;
		pen.drawImage(this.canvas, scale.left, top, this.width / scale.ratio, height);
	}
}
