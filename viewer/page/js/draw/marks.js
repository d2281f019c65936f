// SPDX-License-Identifier: GPL-2.0
/*
 * A thread's marks: diamonds, or lines where they are close together.
 */
import { firstRowFrom, lastAtMost } from "../data/row_search.js";
import { markText } from "../data/texts.js";
import { formatCount } from "../data/units.js";
import { runAt } from "./coarse.js";
import { DIMMED, LEAST_TEXT_ROOM, LEAST_TICK_DISTANCE, PICK_DISTANCE } from "./style.js";

/** @typedef {import("./types.js").Fact} Fact */
/** @typedef {import("./types.js").Grid} Grid */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("../data/overview.js").MarkRuns} MarkRuns */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */
/** @typedef {import("./types.js").Store} Store */
/** @typedef {import("./types.js").Thread} Thread */

/** @param {Painter} painter @param {Thread} thread @param {number} top @param {number} height */
export function paintMarks({ pen, surface, scale, theme, app }, thread, top, height) {
	const { marks, points } = thread;
	if (!points.length)
		return;
	surface.setFont(9);
	for (let i = firstRowFrom(points, marks.start, scale.ns(scale.left - 100)); i < points.length;) {
		const ns = marks.start[points[i]];
		if (ns > scale.end)
			break;
		const x = scale.snapped(ns);
		const next = Math.max(i + 1, firstRowFrom(points, marks.start, scale.ns(x + 1 / scale.ratio)));
		const following = next < points.length ? scale.x(marks.start[points[next]]) : Infinity;
		const name = marks.name[points[i]];
		pen.globalAlpha = app.isDimmed(name) ? DIMMED : 1;
		if (following - x >= LEAST_TICK_DISTANCE)
			paintDiamond(pen, x, top, height, app.palette.ofName(name), theme.ink);
		else
			surface.hairline(x, top, 0, height - 1, app.palette.ofName(name));
		const room = Math.min(following - 6, surface.width) - x - 8;
		if (height >= 12 && room > LEAST_TEXT_ROOM) {
			surface.fill(theme["ink-dim"]);
			surface.text(markText(app.store, thread, points[i]), x + 6, top + height / 2, room);
		}
		i = next;
	}
	pen.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} pen @param {number} x @param {number} top @param {number} height
 * @param {string} colour @param {string} edge
 */
function paintDiamond(pen, x, top, height, colour, edge) {
	const y = top + height / 2 - 0.5;
	const size = Math.min(4, height / 2 - 0.5);
	pen.beginPath();
	pen.moveTo(x, y - size);
	pen.lineTo(x + size, y);
	pen.lineTo(x, y + size);
	pen.lineTo(x - size, y);
	pen.closePath();
	pen.fillStyle = colour;
	pen.fill();
	pen.strokeStyle = edge;
	pen.lineWidth = 1;
	pen.stroke();
}

/**
 * A diamond stands in the middle of a bucket that has room.
 * @param {Painter} painter @param {Grid} grid @param {MarkRuns} marks @param {number} top
 * @param {number} height
 */
export function paintCoarseMarks(painter, grid, { from, name, count }, top, height) {
	const { pen, scale, surface, theme, app } = painter;
	surface.setFont(9);
	let run = Math.max(lastAtMost(from, grid.first[0]), 0);
	for (let piece = 0; piece < grid.pieces && run < count.length; piece++) {
		while (run < count.length && from[run + 1] <= grid.first[piece])
			run++;
		let first = run;
		while (first < count.length && from[first] < grid.past[piece] && !count[first])
			first++;
		if (first >= count.length || from[first] >= grid.past[piece])
			continue;
		const x = grid.left(grid.x[piece]);
		const width = (grid.x[piece + 1] - grid.x[piece]) / scale.ratio;
		const colour = app.palette.ofName(name[first]);
		pen.globalAlpha = app.isDimmed(name[first]) ? DIMMED : 1;
		if (width < LEAST_TICK_DISTANCE) {
			surface.hairline(x, top, 0, height - 1, colour);
			continue;
		}
		const middle = x + width / 2;
		paintDiamond(pen, middle, top, height, colour, theme.ink);
		if (height >= 12 && width / 2 > LEAST_TEXT_ROOM) {
			surface.fill(theme["ink-dim"]);
			surface.text(app.store.string(name[first]) + (count[first] > 1 ? ` ×${count[first]}` : ""),
				middle + 6, top + height / 2, width / 2 - 8);
		}
	}
	pen.globalAlpha = 1;
}

/** @param {Page} app @param {Thread} thread @param {number} x @returns {Item | null} */
export function pickMark(app, { index, points, marks }, x) {
	const scale = app.scale();
	const i = firstRowFrom(points, marks.start, scale.ns(x));
	/** @type {Item | null} */
	let nearest = null;
	let distance = PICK_DISTANCE + 3;
	for (const row of points.slice(Math.max(i - 1, 0), i + 1)) {
		const own = Math.abs(scale.x(marks.start[row]) - x);
		if (own < distance) {
			distance = own;
			nearest = { kind: "mark", thread: index, row };
		}
	}
	return nearest;
}

/**
 * What the overview tells of a bucket; marks: null if there are none.
 * @param {Store} store @param {MarkRuns | null} marks @param {number} bucket @returns {Fact[]}
 */
export function markFacts(store, marks, bucket) {
	const run = marks ? runAt(marks.from, bucket) : -1;
	return marks && run >= 0 && marks.count[run] ?
		[["marks", `${formatCount(marks.count[run])}, the first: ${store.string(marks.name[run])}`]] : [];
}
