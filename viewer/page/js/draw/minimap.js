// SPDX-License-Identifier: GPL-2.0
/*
 * The whole trace in one strip: how busy the CPUs were, where events were lost, and the part that
 * is in sight, as a window that can be dragged, resized or drawn anew.
 */
import { paintCpuUse } from "./chart.js";
import { eachStrip, Scale } from "./strips.js";
import { Surface } from "./surface.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */
/** @typedef {import("./types.js").Range} Range */

/** @typedef {"start" | "end" | "move" | "draw"} Grip of the window: an edge, all of it, or a new one */

const EDGE_GRIP = 6;

export class Minimap {
	/** @param {Page} app @param {HTMLCanvasElement} canvas */
	constructor(app, canvas) {
		this.app = app;
		this.surface = new Surface(canvas);
		this.still = document.createElement("canvas");
		this.stillKey = "";
		/** @type {{grip: Grip, ns: number, x: number, view: Range} | null} */
		this.drag = null;
	}

	scale() {
		return new Scale(0, this.app.fullSpan(), this.app.labelWidth, this.app.laneWidth(), this.app.ratio);
	}

	/** @param {number} width @param {number} height */
	paint(width, height) {
		const { app, surface } = this;
		const { theme } = app.palette;
		surface.begin(width, height, app.ratio, theme.panel);
		this.refreshStill(width, height, theme);
		surface.pen.drawImage(this.still, 0, 0, width, height);
		this.paintWindow(height, theme);
	}

	/**
	 * All that does not follow the view, drawn once for each size and theme.
	 * @param {number} width @param {number} height @param {Record<string, string>} theme
	 */
	refreshStill(width, height, theme) {
		const { app } = this;
		const key = `${width} ${height} ${app.ratio} ${theme.paper}`;
		if (key === this.stillKey)
			return;
		this.stillKey = key;
		const surface = new Surface(this.still);
		surface.begin(width, height, app.ratio, theme.panel);
		const painter = { pen: surface.pen, surface, theme, app, scale: this.scale() };
		surface.fill(theme.paper);
		surface.pen.fillRect(app.labelWidth, 0, width - app.labelWidth, height);
		paintCpuUse(painter, app.pages.overview, app.labelWidth, 5, height - 6);
		this.paintGaps(painter);
		surface.setFont(11, "600");
		surface.fill(theme.ink);
		surface.text("Whole trace", 12, height / 2 - 7, app.labelWidth - 16);
		surface.setFont(10);
		surface.fill(theme["ink-dim"]);
		surface.text("busy CPUs", 12, height / 2 + 8, app.labelWidth - 16);
		surface.hairline(app.labelWidth - 1, 0, 0, height, theme["line-strong"]);
		surface.hairline(0, height - 1, width, 0, theme.line);
	}

	/** @param {Pick<Painter, "pen" | "scale" | "theme" | "app">} painter */
	paintGaps({ pen, theme, app, scale }) {
		/** @param {number} x @param {number} width */
	const paint = (x, width) => {
			pen.fillStyle = theme.alarm;
			pen.fillRect(x, 0, Math.max(width, 2), 4);
		};
		for (const { gaps } of app.store.cpus)
			eachStrip({ start: gaps.start, rows: gaps.rows, end: (row) => gaps.end[row] }, scale,
				paint, (column) => paint(scale.left + column / scale.ratio, 0));
	}

	/** @param {number} height @param {Record<string, string>} theme */
	paintWindow(height, theme) {
		const { app, surface } = this;
		const { pen } = surface;
		const scale = this.scale();
		const from = Math.min(Math.max(scale.x(app.view.start), app.labelWidth), surface.width - 2);
		const to = Math.max(Math.min(scale.x(app.view.end), surface.width), from + 2);
		pen.globalAlpha = 0.72;
		surface.fill(theme.panel);
		pen.fillRect(app.labelWidth, 0, from - app.labelWidth, height - 1);
		pen.fillRect(to, 0, surface.width - to, height - 1);
		pen.globalAlpha = 1;
		pen.strokeStyle = theme.accent;
		pen.lineWidth = 1.5;
		pen.strokeRect(from + 0.75, 0.75, Math.max(to - from - 1.5, 1), height - 2.5);
		surface.fill(theme.accent);
		for (const x of [from, to - 4])
			pen.fillRect(x, height / 2 - 9, 4, 18);
	}

	/**
	 * What a press at @x would do: "start" or "end" (an edge), "move", or "draw" a new window.
	 * @param {number} x @returns {Grip}
	 */
	gripAt(x) {
		const scale = this.scale();
		const from = scale.x(this.app.view.start);
		const to = scale.x(this.app.view.end);
		if (Math.abs(x - from) <= EDGE_GRIP)
			return "start";
		if (Math.abs(x - to) <= EDGE_GRIP)
			return "end";
		return x > from && x < to && !this.app.seesAll() ? "move" : "draw";
	}

	/** @param {number} x */
	press(x) {
		const ns = this.scale().ns(x);
		this.drag = { grip: this.gripAt(x), ns, x, view: { ...this.app.view } };
	}

	/** @param {number} x */
	move(x) {
		const { drag, app } = this;
		const ns = this.scale().ns(x);
		if (!drag || (drag.grip === "draw" && Math.abs(x - drag.x) < 3))
			return;
		if (drag.grip === "start")
			app.setView(Math.min(ns, drag.view.end), drag.view.end);
		else if (drag.grip === "end")
			app.setView(drag.view.start, Math.max(ns, drag.view.start));
		else if (drag.grip === "move")
			app.setView(drag.view.start + ns - drag.ns, drag.view.end + ns - drag.ns);
		else
			app.setView(Math.min(ns, drag.ns), Math.max(ns, drag.ns));
	}

	/**
	 * A press without a move, outside of the window, brings the window there.
	 * @param {number} x
	 */
	release(x) {
		const { drag, app } = this;
		this.drag = null;
		if (!drag || drag.grip !== "draw" || Math.abs(x - drag.x) >= 3)
			return;
		const half = (drag.view.end - drag.view.start) / 2;
		app.setView(drag.ns - half, drag.ns + half);
	}
}
