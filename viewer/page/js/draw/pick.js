// SPDX-License-Identifier: GPL-2.0
/*
 * Where items are drawn, and which one is at a point.
 */
import { laneOf, threadOf, timeOf } from "../data/items.js";
import { eachStrip, Scale, summarise } from "./strips.js";
import { PICK_DISTANCE } from "./style.js";

/** @typedef {import("./types.js").Box} Box */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Rows} Rows */

/**
 * Where an item is drawn: [{lane, start, end, top, height}], top below the lane's.
 * @param {Page} app @param {Item} item @returns {Box[]}
 */
export function boxesOf(app, item) {
	const [start, end] = timeOf(app.store, item);
	const ids = new Set([laneOf(app.store, item), `thread ${threadOf(app.store, item)}`]);
	const boxes = [];
	for (const id of ids) {
		const lane = app.lanes.find(id);
		const box = lane ? lane.kind.boxOf(app, lane, item) : null;
		if (box)
			boxes.push({ lane: id, start, end, ...box });
	}
	return boxes;
}

/**
 * Of @rows the one under the pointer, or the nearest that is within reach; -1 if none.
 * @param {Rows} rows @param {Scale} scale @param {number} x
 */
export function pickRow(rows, scale, x) {
	const narrow = new Scale(scale.ns(x - PICK_DISTANCE), scale.ns(x + PICK_DISTANCE),
		x - PICK_DISTANCE, 2 * PICK_DISTANCE, scale.ratio);
	let nearest = -1;
	let distance = Infinity;
	/** @param {number} left @param {number} width @param {number} row */
	const look = (left, width, row) => {
		const own = Math.max(left - x, x - (left + width), 0);
		if (own < distance) {
			distance = own;
			nearest = row;
		}
	};
	eachStrip(rows, narrow, look, (column, from, to) =>
		look(narrow.left + column / narrow.ratio, 1 / narrow.ratio, summarise(rows, from, to).row));
	return nearest;
}

/**
 * The item at a point of the canvas, or null. Arrows of messages lie above all.
 * @param {Page} app @param {number} x @param {number} y @returns {Item | null}
 */
export function pickItem(app, x, y) {
	const lane = x < app.labelWidth ? undefined : app.lanes.at(y + app.scrollTop);
	if (!lane)
		return null;
	const message = app.painter.messages.pick(x, y);
	if (message >= 0)
		return { kind: "message", row: message };
	return app.showsDetail() ? lane.kind.pick(app, lane, x, y + app.scrollTop - lane.top) :
		lane.kind.pickCoarse(app, lane, x);
}
