// SPDX-License-Identifier: GPL-2.0
/*
 * Migrations between CPU lanes: from where a thread left one CPU to where it ran on the next.
 */
import { firstRowFrom } from "../data/row_search.js";
import { formatCount } from "../data/units.js";
import { CPUS_KEY } from "./lanes.js";
import { DIMMED } from "./style.js";

/** @typedef {import("./types.js").Painter} Painter */

const MOST_ARROWS = 240;	/* more would hide the lanes: then a line says how many there are */
const CALM_ARROWS = 60;		/* from there on they grow fainter */
const LEAST_ARROW_DISTANCE = 3;	/* pixels */
const LONGEST_CURVE = 70;	/* pixels; what was away for longer gets a dotted tail */

/** @typedef {{row: number, x0: number, y0: number, x1: number, y1: number}} Arrow */

export class Arrows {
	/** @param {Painter} painter */
	constructor(painter) {
		this.painter = painter;
		this.unseen = 0;
		/** @type {Arrow[]} */
		this.drawn = [];	/* [{row, x0, y0, x1, y1}] of the last drawing, to be picked from */
	}

	/** @param {number} height */
	paint(height) {
		const { pen, theme, app } = this.painter;
		const selected = app.selection && app.selection.kind === "migration" ? app.selection.row : -1;
		const lit = app.litThreads();
		this.unseen = 0;
		this.drawn = app.showsDetail() ? this.choose(height) : [];
		const faint = this.drawn.length > CALM_ARROWS ? 0.4 : 0.85;
		for (const arrow of this.drawn) {
			const thread = app.store.migrations.thread[arrow.row];
			const chosen = arrow.row === selected;
			pen.globalAlpha = chosen ? 1 : lit && !lit(thread) ? faint * DIMMED : faint;
			this.paintArrow(arrow, chosen ? 2.5 : 1.25, theme.ink);
		}
		pen.globalAlpha = 1;
		this.paintCount();
	}

	/* In the heading of the CPUs, when the arrows are too many to be drawn. */
	paintCount() {
		const { surface, theme, app } = this.painter;
		const heading = app.lanes.find(CPUS_KEY);
		if (!this.unseen || !heading || !heading.open || heading.top + heading.height < app.scrollTop)
			return;
		surface.setFont(11);
		surface.fill(theme["ink-dim"]);
		surface.text(`${formatCount(this.unseen)} migrations are visible: zoom in, or select a thread, to see them`,
			this.painter.scale.left + 10, heading.top - app.scrollTop + heading.height / 2);
	}

	/**
	 * The session's, or those of a selected thread; as long as they are few enough to be told apart.
	 * @param {number} height
	 */
	choose(height) {
		const { app } = this.painter;
		const { store } = app;
		const all = this.inSight(store.sessionMoves);
		const thread = app.selectedThread();
		const chosen = thread >= 0 ? this.inSight(store.migrationsOf.of(thread)) : new Uint32Array();
		/** @type {Uint32Array | number[]} */
		let rows = all;
		if (all.length > MOST_ARROWS) {
			rows = chosen.length > MOST_ARROWS ? [] : chosen;
			this.unseen = rows.length ? 0 : all.length;
		} else if (chosen.length && !store.threads[thread].session) {
			rows = [...all, ...chosen.subarray(0, MOST_ARROWS)];
		}
		return this.place(rows, height);
	}

	/** @param {Uint32Array} rows */
	inSight(rows) {
		const { scale, app } = this.painter;
		const times = app.store.migrations.start;
		return rows.subarray(firstRowFrom(rows, times, scale.start), firstRowFrom(rows, times, scale.end));
	}

	/** @param {Iterable<number>} rows @param {number} height */
	place(rows, height) {
		const { app, scale } = this.painter;
		const { migrations } = app.store;
		const centres = this.laneCentres();
		const arrows = [];
		const lastX = new Map();
		for (const row of rows) {
			const y0 = centres.get(migrations.from[row]);
			const y1 = centres.get(migrations.to[row]);
			if (y0 === undefined || y1 === undefined || Math.max(y0, y1) < 0 || Math.min(y0, y1) > height)
				continue;
			const x0 = scale.x(migrations.left[row]);
			const x1 = scale.x(migrations.start[row]);
			const pair = `${migrations.from[row]} ${migrations.to[row]}`;
			/* One that would lie upon another of the same two CPUs shows nothing more. */
			if (x1 - (lastX.get(pair) ?? -Infinity) < LEAST_ARROW_DISTANCE)
				continue;
			lastX.set(pair, x1);
			arrows.push({ row, x0, y0, x1, y1 });
		}
		return arrows;
	}

	laneCentres() {
		const { app } = this.painter;
		const centres = new Map();
		for (const { index } of app.store.cpus) {
			const lane = app.lanes.find(`cpu ${index}`);
			if (lane)
				centres.set(index, lane.top - app.scrollTop + lane.height / 2 - 0.5);
		}
		return centres;
	}

	/** @param {Arrow} arrow @param {number} thickness @param {string} colour */
	paintArrow({ x0, y0, x1, y1 }, thickness, colour) {
		const { pen, app } = this.painter;
		const size = app.lanes.compact ? 2.2 : 3.5;
		const down = y1 > y0 ? 1 : -1;
		const from = Math.max(x0, x1 - LONGEST_CURVE);
		const bend = Math.min(Math.abs(y1 - y0) / 2, 30);
		pen.strokeStyle = pen.fillStyle = colour;
		pen.lineWidth = thickness;
		if (from > x0) {
			pen.setLineDash([1, 4]);
			pen.beginPath();
			pen.moveTo(x0, y0);
			pen.lineTo(from, y0);
			pen.stroke();
			pen.setLineDash([]);
		}
		pen.beginPath();
		pen.moveTo(from, y0);
		pen.bezierCurveTo(from + 2, y0 + down * bend, x1 - 2, y1 - down * bend, x1, y1 - down * size);
		pen.stroke();
		pen.beginPath();
		pen.arc(x0, y0, size / 2, 0, 2 * Math.PI);
		pen.fill();
		pen.beginPath();
		pen.moveTo(x1, y1);
		pen.lineTo(x1 - size, y1 - down * size * 2);
		pen.lineTo(x1 + size, y1 - down * size * 2);
		pen.closePath();
		pen.fill();
	}

	/**
	 * The migration whose arrow passes within a few pixels of a point, or -1.
	 * @param {number} x @param {number} y
	 */
	pick(x, y) {
		let nearest = -1;
		let distance = 5;
		for (const { row, x0, y0, x1, y1 } of this.drawn) {
			const from = Math.max(x0, x1 - LONGEST_CURVE);
			const along = Math.min(Math.max((y - y0) / (y1 - y0), 0), 1);
			const smooth = along * along * (3 - 2 * along);
			const own = Math.hypot(from + (x1 - from) * smooth - x, y0 + (y1 - y0) * along - y);
			if (own < distance) {
				distance = own;
				nearest = row;
			}
		}
		return nearest;
	}
}
