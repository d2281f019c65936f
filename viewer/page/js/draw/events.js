// SPDX-License-Identifier: GPL-2.0
/*
 * Events that nothing else shows: ticks in the colour of their system. Where several share a pixel, the
 * tick is the taller, the more there are.
 */
import { firstRowFrom } from "../data/row_search.js";
import { MOST_LOOKED_AT } from "./strips.js";
import { DIMMED, LEAST_TICK_DISTANCE, PICK_DISTANCE } from "./style.js";

/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */

const FULL_TICK_EVENTS = 64;	/* in a pixel */
const LEAST_TICK_SHARE = 0.6;	/* of the height */

/**
 * Which of [from, past) is painted for all of them: the first that was searched for.
 * @param {Page} app @param {Uint32Array} rows @param {number} from @param {number} past
 */
function shownOf(app, rows, from, past) {
	const end = Math.min(past, from + MOST_LOOKED_AT);
	for (let i = from; i < end; i++)
		if (!app.isEventDimmed(rows[i]))
			return rows[i];
	return rows[from];
}

/**
 * @param {Painter} painter @param {Uint32Array} rows of traceEvents @param {number} top
 * @param {number} height
 */
export function paintEvents({ pen, surface, scale, app }, rows, top, height) {
	const { start, name } = app.store.traceEvents;
	for (let i = firstRowFrom(rows, start, scale.ns(scale.left - 2)); i < rows.length;) {
		const ns = start[rows[i]];
		if (ns > scale.end)
			break;
		const x = scale.snapped(ns);
		const next = Math.max(i + 1, firstRowFrom(rows, start, scale.ns(x + 0.5 / scale.ratio)));
		const following = next < rows.length ? scale.x(start[rows[next]]) : Infinity;
		const row = shownOf(app, rows, i, next);
		const share = Math.min(Math.log2(next - i) / Math.log2(FULL_TICK_EVENTS), 1);
		const tall = Math.round(height * (LEAST_TICK_SHARE + (1 - LEAST_TICK_SHARE) * share));
		pen.globalAlpha = app.isEventDimmed(row) ? DIMMED : 1;
		surface.hairline(x, top + height - tall, following - x >= LEAST_TICK_DISTANCE ? 2 : 0, tall,
			app.palette.ofName(name[row]));
		i = next;
	}
	pen.globalAlpha = 1;
}

/**
 * The event under the pointer, or null.
 * @param {Page} app @param {Uint32Array} rows @param {number} x @returns {Item | null}
 */
export function pickEvent(app, rows, x) {
	const { start } = app.store.traceEvents;
	const scale = app.scale();
	const i = firstRowFrom(rows, start, scale.ns(x));
	/** @type {Item | null} */
	let nearest = null;
	let distance = PICK_DISTANCE + 2;
	for (const row of rows.subarray(Math.max(i - 1, 0), i + 1)) {
		const own = Math.abs(scale.x(start[row]) - x);
		if (own < distance) {
			distance = own;
			nearest = { kind: "event", row };
		}
	}
	return nearest;
}
