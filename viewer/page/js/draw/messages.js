// SPDX-License-Identifier: GPL-2.0
/*
 * Messages between the lanes of threads: from the call that sends to the call that receives.
 */
import { MESSAGE_CONTRADICTORY } from "../data/codes.js";
import { callAt, countMessages, messagesIn, receiveOf, sendOf } from "../data/messages.js";
import { formatCount } from "../data/units.js";
import { DIMMED } from "./style.js";

/** @typedef {import("../data/messages.js").MessageEnd} MessageEnd */
/** @typedef {import("./types.js").Lane} Lane */
/** @typedef {import("./types.js").Painter} Painter */

const MOST_ARROWS = 300;	/* more would hide the lanes: then a line says how many there are */
const CALM_ARROWS = 40;		/* from there on they grow fainter, and need room: pixels of width for each */
const LEAST_ARROW_ROOM = 4;
const LEAST_ARROW_DISTANCE = 2;	/* pixels */
const FAR_OUT = 200;		/* pixels beside the lanes: there a line is cut off */
const PICK_ARROW_DISTANCE = 4;

/** @typedef {{row: number, x0: number, y0: number, x1: number, y1: number}} Arrow */

export class MessageArrows {
	/** @param {Painter} painter */
	constructor(painter) {
		this.painter = painter;
		this.unseen = 0;
		/** @type {Arrow[]} */
		this.drawn = [];	/* of the last drawing, to be picked from */
	}

	/** @param {number} height @param {Lane[]} visible */
	paint(height, visible) {
		const { app } = this.painter;
		this.unseen = 0;
		this.drawn = [];
		if (!app.showsDetail() || !app.store.messages.rows)
			return;
		const chosen = this.chosen();
		const rows = this.inSight(chosen);
		this.drawn = this.place(rows, height);
		const faint = this.drawn.length > CALM_ARROWS ? 0.5 : 0.9;
		const isApart = chosen.size > 0 && chosen.size < rows.length;
		/* What is chosen lies above the others. */
		this.drawn.sort((a, b) => Number(chosen.has(a.row)) - Number(chosen.has(b.row)) || a.row - b.row);
		for (const arrow of this.drawn)
			this.paintArrow(arrow, isApart && !chosen.has(arrow.row) ? DIMMED : isApart ? 1 : faint);
		this.painter.pen.globalAlpha = 1;
		this.paintCount(visible);
	}

	/* Of what is selected: a message, those of a span, or those of a thread in sight. */
	chosen() {
		const { app, scale } = this.painter;
		const { store, selection } = app;
		if (!selection)
			return new Set();
		if (selection.kind === "message")
			return new Set([selection.row]);
		const thread = app.selectedThread();
		const spans = selection.kind === "span" ? store.threads[thread].spans : null;
		if (thread < 0)
			return new Set();
		const { sent, received } = messagesIn(store, thread, spans ? spans.start[selection.row ?? 0] : scale.start,
			spans ? spans.end[selection.row ?? 0] : scale.end);
		return new Set([...sent, ...received]);
	}

	/**
	 * Rows of all that are under way, as long as these can be told apart; else of those that are @chosen.
	 * @param {Set<number>} chosen
	 */
	inSight(chosen) {
		const { app, scale } = this.painter;
		const nr = countMessages(app.store, scale.start, scale.end);
		const rows = nr <= MOST_ARROWS ? this.underWay() : null;
		if (rows && this.haveRoom(rows))
			return rows;
		const own = chosen.size <= MOST_ARROWS ? [...chosen] : [];
		this.unseen = own.length ? 0 : nr;
		return own;
	}

	underWay() {
		const { app, scale } = this.painter;
		const { start, end } = app.store.messages;
		const rows = [];
		for (let row = 0; row < start.length && start[row] <= scale.end; row++)
			if (end[row] >= scale.start)
				rows.push(row);
		return rows;
	}

	/** @param {number[]} rows */
	haveRoom(rows) {
		const { app, scale } = this.painter;
		const { start, end } = app.store.messages;
		if (rows.length <= CALM_ARROWS)
			return true;
		const from = Math.max(start[rows[0]], scale.start);
		const to = rows.reduce((last, row) => Math.max(last, Math.min(end[row], scale.end)), 0);
		return scale.x(to) - scale.x(from) >= rows.length * LEAST_ARROW_ROOM;
	}

	/** @param {number[]} rows @param {number} height */
	place(rows, height) {
		const { app, scale } = this.painter;
		const { messages } = app.store;
		const seen = new Set();
		const arrows = [];
		for (const row of rows) {
			const [from, to] = [sendOf(messages, row), receiveOf(messages, row)];
			const [y0, y1] = [this.middleOf(from), this.middleOf(to)];
			if (y0 === null || y1 === null || Math.max(y0, y1) < 0 || Math.min(y0, y1) > height)
				continue;
			const [x0, x1] = [scale.x(from.ns), scale.x(to.ns)];
			/* One that would lie upon another of the same two threads shows nothing more. */
			const key = [from.thread, to.thread, Math.round(x0 / LEAST_ARROW_DISTANCE),
				Math.round(x1 / LEAST_ARROW_DISTANCE)].join(" ");
			if (seen.has(key))
				continue;
			seen.add(key);
			arrows.push(this.cut({ row, x0, y0, x1, y1 }));
		}
		return arrows;
	}

	/**
	 * The height of a call in its lane; null: the lane is not there.
	 * @param {MessageEnd} end
	 */
	middleOf(end) {
		const { app } = this.painter;
		const lane = app.lanes.find(`thread ${end.thread}`);
		const call = lane ? callAt(app.store, end) : null;
		if (!lane)
			return null;
		const box = call ? lane.kind.boxOf(app, lane, call) : null;
		return lane.top - app.scrollTop + (box ? box.top + box.height / 2 : lane.height / 2);
	}

	/**
	 * What lies far beside the lanes is cut off: a canvas is exact near its pixels only.
	 * @param {Arrow} arrow
	 */
	cut({ row, x0, y0, x1, y1 }) {
		const { scale } = this.painter;
		const [least, most] = [scale.left - FAR_OUT, scale.left + scale.width + FAR_OUT];
		/** @param {number} x */
		const at = (x) => {
			const own = Math.min(Math.max(x, least), most);
			return { x: own, y: own === x || x0 === x1 ? null : y0 + (y1 - y0) * (own - x0) / (x1 - x0) };
		};
		const [from, to] = [at(x0), at(x1)];
		return { row, x0: from.x, y0: from.y ?? y0, x1: to.x, y1: to.y ?? y1 };
	}

	/** @param {Arrow} arrow @param {number} alpha */
	paintArrow({ row, x0, y0, x1, y1 }, alpha) {
		const { pen, app, theme } = this.painter;
		const { late, flags } = app.store.messages;
		const isMarked = [app.selection, app.hover].some((item) => item?.kind === "message" && item.row === row);
		const size = app.lanes.compact ? 5 : 7;
		const length = Math.hypot(x1 - x0, y1 - y0) || 1;
		const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
		const neck = Math.max(length - size, 0);
		pen.globalAlpha = isMarked ? 1 : alpha;
		pen.lineCap = "round";
		pen.beginPath();
		pen.moveTo(x0, y0);
		pen.lineTo(x0 + dx * neck, y0 + dy * neck);
		if (isMarked)
			this.stroke(theme.paper, 5.5);
		pen.setLineDash(flags[row] & MESSAGE_CONTRADICTORY ? [4, 4] : []);
		this.stroke(late[row] ? theme.alarm : theme.ink, isMarked ? 2.5 : 1.25);
		pen.setLineDash([]);
		pen.fillStyle = pen.strokeStyle;
		pen.beginPath();
		pen.arc(x0, y0, size / 3, 0, 2 * Math.PI);
		pen.fill();
		pen.beginPath();
		pen.moveTo(x1, y1);
		pen.lineTo(x1 - dx * size - dy * size / 2, y1 - dy * size + dx * size / 2);
		pen.lineTo(x1 - dx * size + dy * size / 2, y1 - dy * size - dx * size / 2);
		pen.closePath();
		pen.fill();
		pen.lineCap = "butt";
	}

	/** @param {string} colour @param {number} thickness */
	stroke(colour, thickness) {
		const { pen } = this.painter;
		pen.strokeStyle = colour;
		pen.lineWidth = thickness;
		pen.stroke();
	}

	/**
	 * In the first heading of threads in sight, when the arrows are too many to be drawn.
	 * @param {Lane[]} visible
	 */
	paintCount(visible) {
		const { surface, theme, app, scale } = this.painter;
		const heading = visible.find((lane) => lane.members && lane.open);
		if (!this.unseen || !heading)
			return;
		surface.setFont(11);
		surface.fill(theme["ink-dim"]);
		surface.text(this.told(), scale.left + 10, heading.top - app.scrollTop + heading.height / 2);
	}

	/* What stands there; "" if all are drawn that are to be drawn. */
	told() {
		return this.unseen ? `${formatCount(this.unseen)} messages are visible: zoom in, or select a call, to see them` : "";
	}

	/**
	 * The message whose arrow passes within a few pixels of a point, or -1.
	 * @param {number} x @param {number} y
	 */
	pick(x, y) {
		let nearest = -1;
		let distance = PICK_ARROW_DISTANCE;
		for (const { row, x0, y0, x1, y1 } of this.drawn) {
			const square = (x1 - x0) ** 2 + (y1 - y0) ** 2 || 1;
			const along = Math.min(Math.max(((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / square, 0), 1);
			const own = Math.hypot(x0 + (x1 - x0) * along - x, y0 + (y1 - y0) * along - y);
			if (own <= distance) {
				distance = own;
				nearest = row;
			}
		}
		return nearest;
	}
}
