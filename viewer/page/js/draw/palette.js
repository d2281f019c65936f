// SPDX-License-Identifier: GPL-2.0
/*
 * Colours. The theme's come from the style sheet's custom properties; those of names are chosen
 * here from twelve fills that carry dark text and leave the strong green, orange and yellow to the
 * states.
 *
 * Any two of them stay apart, with all cones or without one kind of them: by 0.08 and more in OKLab
 * (B. Ottosson, 2020), the states' by 0.1, as protanopes, deuteranopes and tritanopes see them by
 * G. M. Machado et al., A Physiologically-based Model for Simulation of Color Vision Deficiency,
 * IEEE TVCG 15(6), 2009. tests/browser/test_colours.py computes it. Nothing is told by colour alone:
 * spans bear their names, states differ in height and place, waits and losses are hatched.
 */
import { SPAN_WAIT } from "../data/codes.js";
import { SLOT_NAMES } from "../data/slots.js";
import { penOf } from "./surface.js";

/** @typedef {import("./types.js").Store} Store */
/** @typedef {import("./types.js").Thread} Thread */

export const NAME_COLOURS = [
	"#7c8be5", "#c77475", "#6dcde6", "#bbffb5", "#ffcc6c", "#95a7ff",
	"#95aa40", "#a97cad", "#bfba81", "#d293a8", "#b0dbbc", "#85eaff",
];
const MOST_RESERVED_COLOURS = 5;
const GREY_OF_COLOUR = 0.65;	/* the rest is paper's */

/** @param {string} key of SLOT_NAMES */
const slotColour = (key) => `slots-${key.replaceAll("_", "-")}`;

const THEME_KEYS = [
	"ink", "ink-dim", "ink-faint", "paper", "panel", "lane", "lane-alt", "line", "line-strong",
	"accent", "idle", "alarm", "alarm-paper", "running", "preempted", "runnable", "sleeping",
	"uninterruptible", "stopped", "unknown", "wait", "wait-line", "other", "other-alt", "shade", "busy",
	"miss-a", "miss-b", "miss-c", "miss-d", "path", "softirq", "tasklet", "hardirq", "vector",
	...SLOT_NAMES.map(([key]) => slotColour(key)),
];

/**
 * A small, fast hash of a string (FNV-1a): the same name has the same colour in every page.
 * @param {string} text
 */
export function hashString(text) {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return hash >>> 0;
}

/**
 * Colours of keys: each gets the one that its hash says or, where it is taken, the next free one,
 * until all are taken. Earlier keys should be the more important ones. @taken: slots that are not
 * free, and grows.
 * @param {string[]} keys @param {Set<number>} taken
 */
function assignColours(keys, taken = new Set()) {
	/** @type {Map<string, string>} */
	const colours = new Map();
	for (const key of keys) {
		let slot = hashString(key) % NAME_COLOURS.length;
		while (taken.has(slot) && taken.size < NAME_COLOURS.length)
			slot = (slot + 1) % NAME_COLOURS.length;
		taken.add(slot);
		colours.set(key, NAME_COLOURS[slot]);
	}
	return colours;
}

/** @param {string} colour @returns {number} 0 to 255 (ITU-R BT.601) */
function luma(colour) {
	const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
	return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/**
 * As dark as a colour, but without it, and nearer to the paper.
 * @param {string} colour @param {string} paper
 */
function greyOf(colour, paper) {
	const grey = Math.round(luma(colour) * GREY_OF_COLOUR + luma(paper) * (1 - GREY_OF_COLOUR));
	return `#${grey.toString(16).padStart(2, "0").repeat(3)}`;
}

export class Palette {
	/** @param {Store} store */
	constructor(store) {
		this.store = store;
		this.nameColours = this.colourNames();
		this.eventColours = this.colourEvents();
		this.byProcess = false;
		this.threadColours = this.colourThreads();
		/** @type {Record<string, string>} */
		this.theme = {};
		/** @type {string[]} */
		this.stateColours = [];
		/** @type {Map<string, CanvasPattern>} */
		this.hatches = new Map();
		/** @type {Map<string, number>} */
		this.pixels = new Map();
		/** @type {Record<"sure" | "doubtful", Record<string, string>>} of parts of issue slots, by their keys */
		this.slotColours = { sure: {}, doubtful: {} };
		this.readTheme();
	}

	/* The names with the most time come first; waits are not coloured, but marks may share a name. */
	colourNames() {
		/** @type {Map<number, number>} */
		const total = new Map();
		/** @param {number} name @param {number} ns */
		const add = (name, ns) => total.set(name, (total.get(name) || 0) + ns);
		if (!this.store.isWhole)
			return this.colourNamesOfHead(this.store.head);
		for (const { spans, marks } of this.store.threads) {
			for (let i = 0; i < spans.rows; i++)
				if (spans.kind[i] !== SPAN_WAIT)
					add(spans.name[i], spans.end[i] - spans.start[i]);
			for (let i = 0; i < marks.rows; i++)
				add(marks.name[i], 0);
		}
		return this.assign([...total].sort(([, a], [, b]) => b - a).map(([name]) => name));
	}

	/**
	 * The most frequent ones first: times are not known before all is read.
	 * @param {import('../data/blocks.js').Head} head
	 */
	colourNamesOfHead({ span_names: spans, mark_names: marks }) {
		const works = spans.filter(([, kind]) => kind !== SPAN_WAIT).sort((a, b) => b[2] - a[2]);
		return this.assign([...new Set([...works, ...marks].map(([name]) => name))]);
	}

	/** @param {number[]} names @returns {Map<number, string>} */
	assign(names) {
		const byText = assignColours(names.map((id) => this.store.string(id)));
		return new Map(names.map((id) => [id, byText.get(this.store.string(id)) || NAME_COLOURS[0]]));
	}

	/* A colour for each system of events. */
	colourEvents() {
		const names = (this.store.head.event_names || []).map(([name]) => name);
		/** @param {number} name */
		const systemOf = (name) => this.store.string(name).split(":")[0];
		const colours = assignColours([...new Set(names.map(systemOf))]);
		return new Map(names.map((name) => [name, colours.get(systemOf(name)) || NAME_COLOURS[0]]));
	}

	/*
	 * One program: a colour for each thread. Several: one for each process. None of those that the
	 * most important names have, so that a colour means one thing. Strangers are grey.
	 */
	colourThreads() {
		/** @param {Thread} thread */
		const processOf = (thread) => String(thread.tgid || thread.tid);
		const session = this.store.threads.filter((thread) => thread.session);
		const annotating = new Set(session.filter((thread) => thread.nrSpans).map(processOf));
		const processes = new Set(session.sort((a, b) => b.onCpu - a.onCpu).map(processOf));
		const ofNames = [...this.nameColours.values()].slice(0, MOST_RESERVED_COLOURS);
		this.byProcess = annotating.size > 1 || (annotating.size === 0 && processes.size > 1);
		if (this.byProcess) {
			const taken = new Set(ofNames.map((colour) => NAME_COLOURS.indexOf(colour)));
			const colours = assignColours([...processes], taken);
			return new Map(session.map((thread) => [thread.index, colours.get(processOf(thread))]));
		}
		const free = NAME_COLOURS.filter((colour) => !ofNames.includes(colour));
		session.sort((a, b) => a.tid - b.tid || a.index - b.index);
		return new Map(session.map((thread, i) => [thread.index, free[i % free.length]]));
	}

	/**
	 * What another trace has, too, gets the colour that it has there.
	 * @param {Palette} other
	 * @param {Int32Array} matches of the threads here
	 */
	takeColours(other, matches) {
		const byText = new Map([...other.nameColours].map(([id, colour]) => [other.store.string(id), colour]));
		for (const [id, own] of this.nameColours)
			this.nameColours.set(id, byText.get(this.store.string(id)) ?? own);
		for (const [index, own] of this.threadColours)
			this.threadColours.set(index, other.threadColours.get(matches[index]) ?? own);
	}

	readTheme() {
		const style = getComputedStyle(document.documentElement);
		this.theme = {};
		for (const key of THEME_KEYS)
			this.theme[key] = style.getPropertyValue(`--${key}`).trim();
		this.stateColours = [
			this.theme.unknown, this.theme.running, this.theme.preempted, this.theme.runnable,
			this.theme.sleeping, this.theme.uninterruptible, this.theme.stopped, this.theme.paper,
		];
		this.hatches = new Map();
		this.pixels = new Map();
		const sure = SLOT_NAMES.map(([key]) => [key, this.theme[slotColour(key)]]);
		this.slotColours = {
			sure: Object.fromEntries(sure),
			doubtful: Object.fromEntries(sure.map(([key, colour]) => [key, greyOf(colour, this.theme.paper)])),
		};
	}

	/**
	 * A colour (#rrggbb) as a pixel of ImageData, on a little-endian machine as all are.
	 * @param {string} colour @param {number} alpha
	 */
	pixel(colour, alpha = 1) {
		let pixel = this.pixels.get(colour);
		if (pixel === undefined) {
			const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
			pixel = blue << 16 | green << 8 | red;
			this.pixels.set(colour, pixel);
		}
		return (Math.round(alpha * 255) << 24 | pixel) >>> 0;
	}

	/** @param {number} id */
	ofName(id) {
		return this.nameColours.get(id) || this.eventColours.get(id) || NAME_COLOURS[0];
	}

	/** @param {number} index */
	ofThread(index) {
		return this.threadColours.get(index) ||
			(index % 2 ? this.theme.other : this.theme["other-alt"]);
	}

	/** @param {number} state */
	ofState(state) {
		return this.stateColours[state];
	}

	/**
	 * Diagonal lines, the same on every density of display.
	 * @param {CanvasRenderingContext2D} context @param {string} background @param {string} line
	 * @param {number} ratio @returns {CanvasPattern}
	 */
	hatch(context, background, line, ratio) {
		const key = `${background} ${line} ${ratio}`;
		const known = this.hatches.get(key);
		if (known)
			return known;
		const tile = document.createElement("canvas");
		const size = Math.round(6 * ratio);
		tile.width = tile.height = size;
		const pen = penOf(tile);
		pen.fillStyle = background;
		pen.fillRect(0, 0, size, size);
		pen.strokeStyle = line;
		pen.lineWidth = 1.1 * ratio;
		pen.beginPath();
		for (const shift of [-size, 0, size]) {
			pen.moveTo(shift - 1, size + 1);
			pen.lineTo(shift + size + 1, -1);
		}
		pen.stroke();
		const pattern = /** @type {CanvasPattern} */ (context.createPattern(tile, "repeat"));
		pattern.setTransform(new DOMMatrix().scale(1 / ratio));
		this.hatches.set(key, pattern);
		return pattern;
	}
}
