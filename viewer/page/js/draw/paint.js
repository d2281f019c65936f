// SPDX-License-Identifier: GPL-2.0
/*
 * Draws the lanes in sight. Nothing here knows of mouse or keys; what is selected, hovered or
 * searched for comes from the app.
 */
import { STATE_NAMES } from "../data/codes.js";
import { Arrows } from "./arrows.js";
import { Grid } from "./coarse.js";
import { GroupUse } from "./groups.js";
import { Labels } from "./labels.js";
import { MessageArrows } from "./messages.js";
import { boxesOf } from "./pick.js";
import { Columns } from "./strips.js";
import { LEAST_TEXT_ROOM } from "./style.js";
import { Surface } from "./surface.js";

/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Lane} Lane */
/** @typedef {import("./types.js").Page} Page */

export class Painter {
	/** @param {Page} app @param {HTMLCanvasElement} canvas */
	constructor(app, canvas) {
		this.app = app;
		this.surface = new Surface(canvas);
		this.columns = new Columns();
		this.arrows = new Arrows(this);
		this.messages = new MessageArrows(this);
		this.labels = new Labels(this);
		this.scale = app.scale();
		this.pen = this.surface.pen;
		this.theme = app.palette.theme;
		this.statePixels = [0];
		this.groupUse = new GroupUse(this, []);
		/** @type {Grid | null} where the overview is painted */
		this.grid = null;
		this.laneAlpha = 1;	/* of a thread's lane, while it is painted */
	}

	/** @param {number} width @param {number} height */
	paint(width, height) {
		const { app, surface } = this;
		const { theme } = app.palette;
		this.scale = app.scale();
		this.pen = surface.pen;
		this.theme = theme;
		this.statePixels = STATE_NAMES.map((_, state) => app.palette.pixel(app.palette.ofState(state)));
		surface.begin(width, height, app.ratio, theme.paper);
		const visible = app.lanes.between(app.scrollTop, app.scrollTop + height);
		this.groupUse = new GroupUse(this, visible);
		const { overview } = app.pages;
		this.grid = overview && !app.showsDetail() ? new Grid(overview, this.scale) : null;
		this.paintOutside(height);
		this.paintGrid(height);
		surface.clipped(this.scale.left, 0, width - this.scale.left, height, () => {
			app.evidence.paintGround(this, visible);
			for (const lane of visible)
				this.paintLane(lane, lane.top - app.scrollTop, width);
			this.arrows.paint(height);
			this.messages.paint(height, visible);
			app.evidence.paintFrame(this, visible);
			this.paintSelection(visible);
			this.paintOverlay(height);
		});
		this.labels.paint(visible, height);
		this.paintFocus(width, height);
	}

	/**
	 * Whoever goes by keys sees that they speak to the lanes.
	 * @param {number} width @param {number} height
	 */
	paintFocus(width, height) {
		if (!this.app.byKeys || document.activeElement !== this.app.scroller)
			return;
		this.pen.strokeStyle = this.theme.accent;
		this.pen.lineWidth = 2;
		this.pen.strokeRect(1, 1, width - 2, height - 2);
	}

	/**
	 * What is in sight before the trace's begin and after its end.
	 * @param {number} height
	 */
	paintOutside(height) {
		const { scale, surface, pen, theme } = this;
		const from = scale.snapped(0);
		const to = scale.snapped(this.app.fullSpan());
		surface.fill(theme["line"]);
		if (from > scale.left)
			pen.fillRect(scale.left, 0, from - scale.left, height);
		if (to < surface.width)
			pen.fillRect(to, 0, surface.width - to, height);
	}

	/** @param {number} height */
	paintGrid(height) {
		const { start, end } = this.app.view;
		for (const tick of this.app.axisTicks().ticks)
			if (tick.ns >= start && tick.ns <= end)
				this.surface.hairline(this.scale.x(tick.ns), 0, 0, height, this.theme.line);
	}

	/** @param {Lane} lane @param {number} y @param {number} width */
	paintLane(lane, y, width) {
		const { kind } = lane;
		kind.paintGround(this, lane, y, width);
		if (this.grid)
			kind.paintCoarse(this, this.grid, lane, y);
		else
			kind.paint(this, lane, y);
		this.pen.globalAlpha = 1;
	}

	waitPattern() {
		const { theme, pen } = this;
		return this.app.palette.hatch(pen, theme.wait, theme["wait-line"], this.scale.ratio);
	}

	/**
	 * @param {string} text @param {number} x @param {number} width @param {number} y
	 * @param {string} colour
	 */
	textInside(text, x, width, y, colour) {
		const left = Math.max(x, this.scale.left) + 4;
		const right = Math.min(x + width, this.surface.width) - 3;
		if (right - left < LEAST_TEXT_ROOM - 7)
			return 0;
		this.surface.fill(colour);
		return this.surface.text(text, left, y, right - left);
	}

	/** @param {Lane[]} visible */
	paintSelection(visible) {
		const { app } = this;
		if (app.hover)
			this.outline(app.hover, visible, 1);
		if (app.selection)
			this.outline(app.selection, visible, 2);
	}

	/** @param {Item} item @param {Lane[]} visible @param {number} thickness */
	outline(item, visible, thickness) {
		for (const box of boxesOf(this.app, item)) {
			const lane = visible.find((candidate) => candidate.id === box.lane);
			if (!lane)
				continue;
			const x = this.scale.snapped(box.start);
			const width = Math.max(this.scale.snapped(box.end) - x, 3);
			const y = lane.top - this.app.scrollTop + box.top;
			this.pen.strokeStyle = this.theme.ink;
			this.pen.lineWidth = thickness;
			this.pen.strokeRect(x - thickness / 2 + 0.5, y - thickness / 2 + 0.5,
				width + thickness - 1, box.height + thickness - 1);
		}
	}

	/** @param {number} height */
	paintOverlay(height) {
		const { app, pen, theme } = this;
		if (app.range) {
			const from = this.scale.snapped(app.range.start);
			const to = this.scale.snapped(app.range.end);
			pen.fillStyle = theme.shade;
			pen.fillRect(from, 0, to - from, height);
			this.surface.hairline(from, 0, 0, height, theme.accent);
			this.surface.hairline(to, 0, 0, height, theme.accent);
		}
		if (app.anchor !== null) {
			pen.fillStyle = theme.accent;
			pen.fillRect(this.scale.snapped(app.anchor) - 1, 0, 2, height);
		}
		if (app.crosshair !== null)
			this.surface.hairline(this.scale.x(app.crosshair), 0, 0, height, theme["ink-faint"]);
	}
}
