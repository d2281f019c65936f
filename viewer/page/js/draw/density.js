// SPDX-License-Identifier: GPL-2.0
/*
 * Strips of miss density: how much of an event in each window of time, as bars; where there is
 * room for each of them, the samples themselves.
 */
import { formatDensity, SAMPLE_USER, Series } from "../data/pmu.js";
import { lowerBound } from "../data/row_search.js";
import { counted, formatCount } from "../data/units.js";
import { runAt } from "./coarse.js";
import { PICK_DISTANCE, STRIP_COLOURS } from "./style.js";

/** @typedef {import("./types.js").Fact} Fact */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Lane} Lane */
/** @typedef {import("./types.js").Overview} Overview */
/** @typedef {import("../data/pmu.js").Owners} Owners */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").PmuEvent} PmuEvent */
/** @typedef {import("../data/items.js").SampleItem} SampleItem */
/** @typedef {import("./types.js").Scale} Scale */
/** @typedef {import("./types.js").Strips} Strips */

/** @typedef {Series | import("../data/overview.js").RunSeries} Amounts of an event, on a CPU or in a thread */

export const DENSITY_HEIGHTS = { normal: { density: 15 }, compact: { density: 8 } };
const BAR_WIDTH = 3;
const LEAST_SAMPLE_DISTANCE = 5;

/* All strips of an event have one scale: the most that any CPU has in a window of the view. */
export class DensityScales {
	/** @param {Page} app */
	constructor(app) {
		this.app = app;
		this.key = "";
		/** @type {number[]} by event */
		this.most = [];
	}

	/**
	 * In events per ns.
	 * @param {PmuEvent} event
	 */
	of(event) {
		const { view, width } = this.app;
		const key = `${view.start} ${view.end} ${width} ${this.app.showsDetail()}`;
		if (key !== this.key) {
			this.key = key;
			this.most = [];
		}
		if (this.most[event.index] === undefined)
			this.most[event.index] = this.highest(event);
		return this.most[event.index];
	}

	/** @param {PmuEvent} event */
	highest(event) {
		const scale = this.app.scale();
		let most = 0;
		for (const { index } of this.app.store.cpus) {
			const series = amountsOf(this.app, event, "cpus", index);
			if (series)
				eachWindow(series, scale, (start, length, amount) => {
					most = Math.max(most, amount / length);
				});
		}
		return most;
	}
}

/**
 * An event's amounts of one of "cpus" or "threads", as they are painted now; null: none.
 * @param {Page} app @param {PmuEvent} event @param {Owners} owners @param {number} index
 * @returns {Amounts | null}
 */
function amountsOf(app, event, owners, index) {
	const { overview } = app.pages;
	return overview && !app.showsDetail() ? coarseAmountsOf(overview, event, owners, index) : event[owners][index];
}

/** @param {Overview} overview @param {PmuEvent} event @param {Owners} owners @param {number} index */
function coarseAmountsOf(overview, event, owners, index) {
	return owners === "cpus" ? overview.ofCpu(event.index, index) : overview.ofThread(event.index, index);
}

/**
 * What the overview tells of a lane's events in a bucket, each as a fact.
 * @param {Overview} overview @param {Lane & Strips} lane @param {Owners} owners @param {number} index
 * @param {number} bucket @returns {Fact[]}
 */
export function densityFacts(overview, lane, owners, index, bucket) {
	return lane.densities.map((event) => {
		const series = coarseAmountsOf(overview, event, owners, index);
		const run = series ? runAt(series.from, bucket) : -1;
		if (!series || run < 0 || !series.perBucket[run])
			return [event.name, "none"];
		const amount = series.perBucket[run];
		if (event.ratio)
			return [event.name, counted(Math.round(amount / event.period), "sample")];
		/* What happened in the turns of others is not in it. */
		if (event.shared)
			return [event.name, `≥ ${formatCount(amount)}, ≥ ${formatDensity(amount, overview.bucketNs)}`];
		return [event.name, `${formatCount(amount)}, ${formatDensity(amount, overview.bucketNs)}; at most ${
			formatDensity(series.max[run] * 8, overview.bucketNs)}`];
	});
}

/** @param {Scale} scale */
const windowOf = (scale) => scale.perPixel * scale.ratio * BAR_WIDTH;

/**
 * Windows lie at multiples of their length, so that bars keep their heights when the view moves.
 * @param {Amounts} series @param {Scale} scale
 * @param {(start: number, length: number, amount: number) => void} use
 */
function eachWindow(series, scale, use) {
	const length = windowOf(scale);
	let at = Math.floor(scale.start / length);
	let before = series.before(at * length);
	while (at * length < scale.end) {
		const upTo = series.before((at + 1) * length, series.at);
		if (upTo > before)
			use(at * length, length, upTo - before);
		before = upTo;
		at++;
	}
}

/**
 * Are there so few that each can be seen?
 * @param {PmuEvent} event @param {Series} series @param {Scale} scale
 */
function showsSamples(event, series, scale) {
	return !event.counted &&
		series.count(scale.start, scale.end) * LEAST_SAMPLE_DISTANCE <= scale.width;
}

/**
 * The strips of a lane of one of "cpus" or "threads", the first at @top.
 * @param {Painter} painter @param {Lane & Strips} lane @param {Owners} owners @param {number} index
 * @param {number} top
 */
export function paintDensities(painter, lane, owners, index, top) {
	const { density } = painter.app.lanes.heights;
	lane.densities.forEach((event, i) => {
		const series = amountsOf(painter.app, event, owners, index);
		if (series)
			paintDensity(painter, event, series, top + i * density, density - 2);
	});
}

/**
 * @param {Painter} painter @param {PmuEvent} event @param {Amounts} series @param {number} top
 * @param {number} height
 */
function paintDensity(painter, event, series, top, height) {
	const { pen, scale, theme, surface, app } = painter;
	surface.fill(theme[STRIP_COLOURS[app.store.pmu.shown.indexOf(event)]]);
	if (series instanceof Series && showsSamples(event, series, scale)) {
		paintSamples(painter, series, top, height);
	} else {
		const most = app.densities.of(event);
		eachWindow(series, scale, (start, length, amount) => {
			const x = scale.snapped(start);
			const tall = Math.max(Math.min(amount / length / most, 1) * height, 1);
			pen.fillRect(x, top + height - tall, scale.snapped(start + length) - x, tall);
		});
	}
	surface.hairline(scale.left, top + height, scale.width, 0, theme.line);
}

/**
 * The kernel's are half as tall.
 * @param {Painter} painter @param {Series} series @param {number} top @param {number} height
 */
function paintSamples({ pen, scale, app }, series, top, height) {
	const { has } = app.store.samples;
	for (let i = lowerBound(series.start, scale.start);
	     i < series.rows && series.start[i] <= scale.end; i++) {
		const tall = has[series.row[i]] & SAMPLE_USER ? height : height / 2;
		pen.fillRect(scale.snapped(series.start[i]) - 1, top + height - tall, 2, tall);
	}
}

/**
 * Where an event was not measured on a CPU.
 * @param {Painter} painter @param {number} cpu @param {PmuEvent[]} events @param {number} top
 */
export function paintPmuGaps(painter, cpu, events, top) {
	const { pen, scale, theme, app } = painter;
	const { pmuGaps } = app.store;
	const { density } = app.lanes.heights;
	for (let row = 0; row < pmuGaps.rows; row++) {
		const strip = events.findIndex((event) => event.index === pmuGaps.event[row]);
		if (strip < 0 || pmuGaps.cpu[row] !== cpu || pmuGaps.end[row] < scale.start ||
		    pmuGaps.start[row] > scale.end)
			continue;
		const x = scale.snapped(pmuGaps.start[row]);
		pen.fillStyle = app.palette.hatch(pen, theme["alarm-paper"], theme.alarm, scale.ratio);
		pen.fillRect(x, top + strip * density, Math.max(scale.snapped(pmuGaps.end[row]) - x, 3),
			density - 2);
	}
}

/**
 * Of a sample: the strip of a lane in which it stands, {top, height}; or null.
 * @param {Page} app @param {Lane & Strips} lane @param {SampleItem} item @returns {Place | null}
 */
export function strip(app, lane, { row }) {
	const { density } = app.lanes.heights;
	const nr = lane.densities.findIndex((event) => event.index === app.store.samples.event[row]);
	return nr < 0 ? null : { top: lane.densityTop + nr * density, height: density - 2 };
}

/**
 * The sample under the pointer in a lane's strips, or null; @y from the first strip's top.
 * @param {Page} app @param {PmuEvent[]} events @param {(event: PmuEvent) => Series} seriesOf
 * @param {number} x @param {number} y @returns {Item | null}
 */
export function pickSample(app, events, seriesOf, x, y) {
	const event = events[Math.floor(y / app.lanes.heights.density)];
	const scale = app.scale();
	if (!event || event.counted)
		return null;
	const series = seriesOf(event);
	const i = lowerBound(series.start, scale.ns(x));
	/** @type {Item | null} */
	let nearest = null;
	let distance = PICK_DISTANCE + 2;
	for (const candidate of [i - 1, i]) {
		if (candidate < 0 || candidate >= series.rows)
			continue;
		const own = Math.abs(scale.x(series.start[candidate]) - x);
		if (own < distance) {
			distance = own;
			nearest = { kind: "sample", row: series.row[candidate] };
		}
	}
	return nearest;
}
