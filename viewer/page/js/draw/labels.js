// SPDX-License-Identifier: GPL-2.0
/*
 * The column of labels to the left of the lanes, and which lane has the keyboard's attention.
 */
import { formatDensity } from "../data/pmu.js";
import { INDENT, NARROW_LABELS, STRIP_COLOURS } from "./style.js";

/** @typedef {import("./types.js").Lane} Lane */
/** @typedef {import("./types.js").Painter} Painter */
/** @typedef {import("./types.js").Strips} Strips */

export class Labels {
	/** @param {Painter} painter */
	constructor(painter) {
		this.painter = painter;
	}

	get width() {
		return this.painter.scale.left;
	}

	/** @param {Lane[]} visible @param {number} height */
	paint(visible, height) {
		const { app, surface, pen, theme } = this.painter;
		surface.fill(theme.panel);
		pen.fillRect(0, 0, this.width, height);
		for (const lane of visible)
			this.paintLabel(lane, lane.top - app.scrollTop);
		surface.hairline(this.width - 1, 0, 0, height, theme["line-strong"]);
	}

	/** @param {Lane} lane @param {number} y */
	paintLabel(lane, y) {
		const { app, surface, pen, theme } = this.painter;
		if (app.evidence.lanes.has(lane.id)) {
			surface.fill(theme.shade);
			pen.fillRect(0, y, this.width - 1, lane.height);
		}
		if (app.focusedLane === lane.id) {
			surface.fill(theme.shade);
			pen.fillRect(0, y, this.width - 1, lane.height);
			surface.fill(theme.accent);
			pen.fillRect(0, y, 3, lane.height);
		}
		surface.hairline(0, y + lane.height - 1, this.width, 0, theme.line);
		lane.kind.paintLabel(this, lane, y);
	}

	/** @param {Lane & {slotsTop: number}} lane @param {number} y */
	paintSlots(lane, y) {
		const { app, surface, theme } = this.painter;
		const { slots } = app.lanes.heights;
		if (slots < 12 || this.width < NARROW_LABELS)
			return;
		surface.setFont(9);
		surface.fill(theme["ink-dim"]);
		surface.text("issue slots", INDENT * lane.indent + 12, y + lane.slotsTop + slots / 2 - 1, this.width);
	}

	/**
	 * What each strip shows, and how much a full one is.
	 * @param {Lane & Strips} lane @param {number} y
	 */
	paintDensities(lane, y) {
		const { app, surface, theme } = this.painter;
		const { density } = app.lanes.heights;
		if (density < 12 || this.width < NARROW_LABELS)
			return;
		surface.setFont(9);
		lane.densities.forEach((event, i) => {
			const middle = y + lane.densityTop + i * density + density / 2 - 1;
			const most = event.ratio ? "" : `≤ ${formatDensity(app.densities.of(event), 1)}`;
			const right = this.width - 12 - surface.widthOf(most);
			surface.fill(theme["ink-faint"]);
			surface.text(most, right, middle);
			surface.fill(theme[STRIP_COLOURS[app.store.pmu.shown.indexOf(event)]]);
			surface.text(event.name, INDENT * lane.indent + 12, middle, right - INDENT * 2 - 12);
		});
	}

	/**
	 * A label at @x, and at the right end a @figure; @strong: it was searched for.
	 * @param {Lane} lane @param {number} x @param {number} middle @param {string} figure
	 * @param {boolean} strong
	 */
	paintRow(lane, x, middle, figure, strong = false) {
		const { surface, theme } = this.painter;
		const isNarrow = this.width < NARROW_LABELS;
		let right = this.width - 4;
		if (!isNarrow) {
			surface.setFont(10);
			surface.fill(theme["ink-faint"]);
			right = this.width - 12 - surface.widthOf(figure);
			surface.text(figure, right, middle);
		}
		surface.setFont(11, strong ? "700" : "400");
		surface.fill(strong ? theme.accent : theme.ink);
		const width = surface.text(lane.label, x, middle, right - x - (lane.note && !isNarrow ? 46 : 4));
		if (!lane.note || isNarrow)
			return;
		surface.setFont(10);
		surface.fill(theme["ink-dim"]);
		surface.text(lane.note, x + width + 6, middle, right - x - width - 12);
	}
}
