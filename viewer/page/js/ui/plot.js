// SPDX-License-Identifier: GPL-2.0
/*
 * Small drawings with axes: histograms and curves. Colours come from the style sheet, by class.
 */
import { counted, formatDuration, unitFor } from "../data/units.js";
import { brushBars } from "./brush.js";

/** @typedef {import("./brush.js").Brush} Brush */
/** @typedef {import("./analysis.js").Histogram} Histogram */

const SVG = "http://www.w3.org/2000/svg";
const PLOT_MARGIN = { left: 58, right: 14, top: 22, bottom: 36 };
const TICK_ROOM = { x: 62, y: 26 };

/**
 * From from to to, as a logarithm or not; base is that of a logarithm's ticks, and counts have none
 * between whole numbers.
 * @typedef {{
 *	from: number, to: number, isLog?: boolean, isCount?: boolean, base?: number,
 *	format(value: number): string, title: string,
 * }} PlotAxis
 */

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {{[name: string]: string | number}} attributes
 * @param {...(Node | string)} children
 */
function shape(tag, attributes = {}, ...children) {
	const node = document.createElementNS(SVG, tag);
	for (const [name, value] of Object.entries(attributes))
		node.setAttribute(name, String(value));
	node.append(...children);
	return node;
}

/**
 * 32 KiB, 1.5 MiB
 * @param {number} bytes
 * @returns {string}
 */
export function formatBytes(bytes) {
	const units = ["B", "KiB", "MiB", "GiB", "TiB"];
	const at = Math.min(Math.max(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), 0), units.length - 1);
	const value = bytes / 2 ** (10 * at);
	return `${Number.isInteger(value) ? value : value.toPrecision(3)} ${units[at]}`;
}

/**
 * 950, 1.2 k, 34 M
 * @param {number} number
 * @returns {string}
 */
export function formatShort(number) {
	const units = ["", " k", " M", " G", " T"];
	const at = Math.abs(number) < 1000 ? 0 :
		Math.min(Math.floor(Math.log10(Math.abs(number)) / 3), units.length - 1);
	return `${Number((number / 1000 ** at).toPrecision(3))}${units[at]}`;
}

/**
 * A value's place in [0, 1].
 * @param {PlotAxis} axis @param {number} value
 */
function placeOn({ from, to, isLog }, value) {
	return isLog ? Math.log(Math.max(value, from) / from) / Math.log(to / from) : (value - from) / (to - from);
}

/**
 * What to write on an axis that has room for @most labels; @base: of the logarithm; @isCount: whole numbers.
 * @param {PlotAxis} axis @param {number} most
 */
function ticksOf({ from, to, isLog, isCount = false, base = 10 }, most) {
	const ticks = [];
	if (!isLog) {
		const step = Math.max(niceFraction((to - from) / Math.max(most, 1)), isCount ? 1 : 0);
		for (let i = Math.ceil(from / step - 1e-9); i * step <= to * (1 + 1e-9); i++)
			ticks.push(i * step);
		return ticks;
	}
	const [first, last] = [from, to].map((value) => Math.log(value) / Math.log(base));
	const step = Math.max(Math.ceil((last - first) / Math.max(most, 1)), 1);
	for (let power = Math.ceil(first - 1e-9); power <= last + 1e-9; power += step)
		ticks.push(base ** power);
	return ticks;
}

/**
 * As niceStep(), also below 1.
 * @param {number} value
 */
function niceFraction(value) {
	const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-12)));
	return power * ([1, 2, 5].find((factor) => factor * power >= value) || 10);
}

/** A drawing with two axes. */
export class Plot {
	/**
	 * @param {{width: number, height: number, x: PlotAxis, y: PlotAxis, label: string}} parts label is
	 *	what is told instead of the picture
	 */
	constructor({ width, height, x, y, label }) {
		this.width = width;
		this.height = height;
		this.axes = { x, y };
		this.element = shape("svg", {
			class: "plot", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label,
		});
		this.right = width - PLOT_MARGIN.right;
		this.bottom = height - PLOT_MARGIN.bottom;
		this.paintAxes();
	}

	/** @param {number} value @returns {number} */
	x(value) {
		return PLOT_MARGIN.left + placeOn(this.axes.x, value) * (this.right - PLOT_MARGIN.left);
	}

	/** @param {number} value @returns {number} */
	y(value) {
		return this.bottom - placeOn(this.axes.y, value) * (this.bottom - PLOT_MARGIN.top);
	}

	/** @param {...Node} nodes */
	add(...nodes) {
		this.element.append(...nodes);
	}

	/**
	 * @param {number} x
	 * @param {number} y
	 * @param {string} words
	 * @param {"start" | "middle" | "end"} anchor
	 * @param {string} className
	 */
	text(x, y, words, anchor = "start", className = "") {
		this.add(shape("text", { x, y, "text-anchor": anchor, class: className }, words));
	}

	paintAxes() {
		const { x, y } = this.axes;
		for (const value of ticksOf(x, Math.floor((this.right - PLOT_MARGIN.left) / TICK_ROOM.x))) {
			this.add(shape("line", { x1: this.x(value), x2: this.x(value), y1: PLOT_MARGIN.top, y2: this.bottom, class: "grid" }));
			this.text(this.x(value), this.bottom + 14, x.format(value), "middle");
		}
		for (const value of ticksOf(y, Math.floor((this.bottom - PLOT_MARGIN.top) / TICK_ROOM.y))) {
			this.add(shape("line", { x1: PLOT_MARGIN.left, x2: this.right, y1: this.y(value), y2: this.y(value), class: "grid" }));
			this.text(PLOT_MARGIN.left - 6, this.y(value) + 4, y.format(value), "end");
		}
		this.add(shape("line", { x1: PLOT_MARGIN.left, x2: this.right, y1: this.bottom, y2: this.bottom, class: "axis" }));
		this.text((PLOT_MARGIN.left + this.right) / 2, this.height - 5, x.title, "middle", "title");
		this.text(2, 11, y.title, "start", "title");
	}

	/**
	 * From @from to @to on the x axis, as high as @value.
	 * @param {number} from
	 * @param {number} to
	 * @param {number} value
	 * @param {string} className
	 * @param {string} title
	 */
	bar(from, to, value, className, title) {
		const left = this.x(from);
		this.add(shape("rect", {
			class: className, x: left, width: Math.max(this.x(to) - left - 1, 1),
			y: this.y(value), height: this.bottom - this.y(value),
		}, shape("title", {}, title)));
	}

	/**
	 * All the height from @from to @to on the x axis, to be pressed.
	 * @param {number} from @param {number} to @param {string} title
	 */
	target(from, to, title) {
		const left = this.x(from);
		const target = shape("rect", {
			class: "target", x: left, width: Math.max(this.x(to) - left, 1), y: PLOT_MARGIN.top,
			height: this.bottom - PLOT_MARGIN.top, tabindex: "0", role: "button", "aria-label": title, "aria-pressed": "false",
		}, shape("title", {}, title));
		this.element.setAttribute("role", "group");
		this.add(target);
		return target;
	}

	/** @param {[number, number][]} points @param {string} className */
	line(points, className) {
		this.add(shape("polyline", { class: `line ${className}`, points: this.path(points) }));
	}

	/**
	 * Places of [x, y], as SVG has them.
	 * @param {[number, number][]} points
	 */
	path(points) {
		return points.map(([x, y]) => `${this.x(x).toFixed(2)},${this.y(y).toFixed(2)}`).join(" ");
	}

	/**
	 * Points are [x, low, high].
	 * @param {[number, number, number][]} points
	 * @param {string} className
	 */
	band(points, className) {
		/** @type {[number, number][]} */
		const upper = points.map(([x, , high]) => [x, high]);
		/** @type {[number, number][]} */
		const lower = points.map(([x, low]) => [x, low]);
		this.add(shape("polygon", { class: `band ${className}`, points: this.path([...upper, ...lower.reverse()]) }));
	}

	/** @param {number} x @param {number} y @param {string} className */
	dot(x, y, className) {
		this.add(shape("circle", { class: `dot ${className}`, cx: this.x(x), cy: this.y(y), r: 4.5 }));
	}

	/**
	 * A line over all at one value of an axis, with its name.
	 * @param {"x" | "y"} axis
	 * @param {number} value
	 * @param {string} words
	 * @param {string} className
	 * @param {number} row
	 */
	rule(axis, value, words, className = "", row = 0) {
		const isX = axis === "x";
		const at = this[axis](value);
		this.add(shape("line", {
			class: `rule ${className}`, x1: isX ? at : PLOT_MARGIN.left, x2: isX ? at : this.right,
			y1: isX ? PLOT_MARGIN.top : at, y2: isX ? this.bottom : at,
		}));
		if (!isX) {
			this.text(this.right - 4, at - 4, words, "end", "on-plot");
			return;
		}
		const isFar = at > (PLOT_MARGIN.left + this.right) / 2;
		this.text(at + (isFar ? -5 : 5), PLOT_MARGIN.top + 10 + 14 * row, words, isFar ? "end" : "start", "on-plot");
	}
}

/**
 * A piece of the line: its dashes tell it apart, too.
 * @param {string} className
 * @returns {SVGSVGElement}
 */
export function curveSwatch(className) {
	return shape("svg", { class: "plot swatch-line", width: 26, height: 10, "aria-hidden": "true" },
		shape("line", { class: `line ${className}`, x1: 1, x2: 25, y1: 5, y2: 5 }));
}

/**
 * How many of each length, on a logarithmic axis; with one count more than edges, the first and the
 * last one are of what lies beyond.
 * @param {Histogram} histogram
 * @param {{width: number, height: number, title: string, noun: string, rules?: [number, string][], brush?: Brush}} parts
 *	noun is one of what is counted; rules are ns and what they are called; with a brush, bars can be chosen
 * @returns {SVGElement | null} null: nothing was counted
 */
export function timeHistogram({ edges_ns: edges, counts }, { width, height, title, noun, rules = [], brush }) {
	const bounds = counts.length > edges.length ?
		[edges[0] / 2, ...edges, edges[edges.length - 1] * 2] : edges;
	const used = counts.map((count, i) => ({ count, from: bounds[i], to: bounds[i + 1] }))
		.filter(({ count }) => count);
	if (!used.length)
		return null;
	const least = Math.max(used[0].from, used[0].to / 10, 1);
	const most = Math.max(used[used.length - 1].to, least * 2, ...rules.map(([ns]) => ns));
	const highest = Math.max(...used.map(({ count }) => count));
	const plot = new Plot({
		width, height,
		x: { from: least, to: most, isLog: true, format: shortTime, title },
		y: { from: 0, to: highest * 1.08, isCount: true, format: formatShort, title: `${noun}s` },
		label: `${title}: ${used.map(({ count, from, to }) =>
			`${formatDuration(from)} to ${formatDuration(to)} ${count}`).join(", ")}`,
	});
	const bars = used.map(({ count, from, to }) => {
		const said = `${formatDuration(from)} to ${formatDuration(to)}: ${counted(count, noun)}`;
		const left = Math.max(from, least);
		plot.bar(left, to, count, "bar", said);
		return { from, to, count, said, target: brush ? plot.target(left, to, said) : null };
	});
	if (brush)
		brushBars(bars, brush);
	rules.forEach(([ns, name], i) => plot.rule("x", ns, `${name} ${formatDuration(ns)}`, "", i));
	return plot.element;
}

/**
 * 10 µs, without digits that say nothing.
 * @param {number} ns
 * @returns {string}
 */
export function shortTime(ns) {
	const unit = unitFor(ns);
	return `${Number((ns / unit.ns).toPrecision(3))} ${unit.name}`;
}
