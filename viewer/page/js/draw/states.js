// SPDX-License-Identifier: GPL-2.0
/*
 * The strip of a thread's states, and its moves to other CPUs.
 */
import { NR_STATES, STATE, STATE_NAMES } from "../data/codes.js";
import { stateItem } from "../data/items.js";
import { FULL_SHARE } from "../data/overview.js";
import { formatPercent } from "../data/units.js";
import { bucketsOf, eachRun, runAt } from "./coarse.js";
import { pickRow } from "./pick.js";
import { eachStrip, MOST_LOOKED_AT } from "./strips.js";
import { LEAST_TICK_DISTANCE } from "./style.js";

/** @typedef {import("./types.js").Fact} Fact */
/** @typedef {import("./types.js").Grid} Grid */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */
/** @typedef {import("./types.js").Rows} Rows */
/** @typedef {import("../data/overview.js").StateRuns} StateRuns */
/** @typedef {import("../data/tables.js").States} States */
/** @typedef {import("./types.js").Thread} Thread */

const STACKED_STATES = [STATE.RUNNING, STATE.PREEMPTED, STATE.RUNNABLE, STATE.UNINTERRUPTIBLE, STATE.STOPPED];

/* Of one column; one array for all columns, since thousands are made in a frame. */
const shares = new Float64Array(NR_STATES);

/** @param {Thread} thread @returns {Rows} */
function statesOf({ states: { start, rows, end } }) {
	return { start, rows, end: (row) => row + 1 < rows ? start[row + 1] : end };
}

/** @param {Painter} painter @param {Thread} thread @param {number} top @param {number} height */
export function paintStates(painter, thread, top, height) {
	const { pen, scale, columns, surface } = painter;
	const { states } = thread;
	const rows = statesOf(thread);
	surface.setFont(9);
	pen.globalAlpha = painter.laneAlpha;
	columns.begin(scale, Math.round(height * scale.ratio));
	eachStrip(rows, scale, (x, width, row) => {
		paintState(painter, states.state[row], x, width, top, height);
		if (height >= 12 && width >= 18)
			paintStateText(painter, states, row, x, width, top + height / 2 + 0.5);
	}, (column, from, to) => stackStates(painter, column, rows, states.state, from, to));
	columns.flush(pen, scale, top, height);
	pen.globalAlpha = 1;
}

/**
 * @param {Painter} painter @param {number} state @param {number} x @param {number} width
 * @param {number} top @param {number} height
 */
function paintState({ pen, surface, theme, scale, app }, state, x, width, top, height) {
	if (state === STATE.DEAD)
		return;
	if (state === STATE.SLEEPING) {
		surface.fill(theme.sleeping);
		pen.fillRect(x, top + height / 2 - 1, width, 2);
		return;
	}
	if (state === STATE.UNKNOWN && width > 2)
		pen.fillStyle = app.palette.hatch(pen, theme.paper, theme.unknown, scale.ratio);
	else
		surface.fill(app.palette.ofState(state));
	const lower = state === STATE.RUNNABLE ? Math.round(height / 3) : 0;
	pen.fillRect(x, top + lower, width, height - lower);
}

/**
 * @param {Painter} painter @param {States} states @param {number} row @param {number} x
 * @param {number} width @param {number} y
 */
function paintStateText(painter, states, row, x, width, y) {
	const state = states.state[row];
	if (state === STATE.RUNNING)
		painter.textInside(width > 52 ? `CPU ${states.cpu[row]}` : String(states.cpu[row]),
			x, width, y, painter.theme.paper);
	else if (state === STATE.PREEMPTED && width > 64)
		painter.textInside("preempted", x, width, y, painter.theme.paper);
}

/**
 * Of the time of the rows that share a pixel.
 * @param {Painter} painter @param {number} column @param {Rows} rows @param {Uint8Array} state
 * @param {number} from @param {number} to
 */
function stackStates(painter, column, rows, state, from, to) {
	const step = Math.ceil((to - from) / MOST_LOOKED_AT);
	let total = 0;
	shares.fill(0);
	for (let row = from; row < to; row += step) {
		const ns = rows.end(row) - rows.start[row];
		shares[state[row]] += ns;
		total += ns;
	}
	stackShares(painter, column, column + 1, total);
}

/**
 * Each state's share of the height: running at the foot, then what it waited for.
 * @param {Painter} painter @param {number} column @param {number} past @param {number} total
 */
function stackShares({ columns, statePixels }, column, past, total) {
	let foot = columns.rows;
	const middle = Math.floor(columns.rows / 2);
	if (shares[STATE.SLEEPING])
		columns.fill(column, past, statePixels[STATE.SLEEPING], middle - 1, middle + 1);
	for (const state of STACKED_STATES) {
		if (!shares[state])
			continue;
		const head = Math.max(foot - Math.max(Math.round(shares[state] / total * columns.rows), 1), 0);
		columns.fill(column, past, statePixels[state], head, foot);
		foot = head;
	}
}

/**
 * @param {Painter} painter @param {Grid} grid @param {StateRuns} states @param {number} top
 * @param {number} height
 */
export function paintCoarseStates(painter, grid, { from, share, states }, top, height) {
	const { pen, scale, columns } = painter;
	pen.globalAlpha = painter.laneAlpha;
	columns.begin(scale, Math.round(height * scale.ratio));
	shares.fill(0);
	eachRun(from, grid, (x0, x1, run) => {
		/* Nothing is drawn of the time before a thread was seen, as there is no row of it. */
		if (run === 0 && share[STATE.UNKNOWN][run] === FULL_SHARE)
			return;
		for (const state of states) {
			if (share[state][run] === FULL_SHARE) {
				paintState(painter, state, grid.left(x0), (x1 - x0) / scale.ratio, top, height);
				return;
			}
			shares[state] = share[state][run];
		}
		stackShares(painter, x0, x1, FULL_SHARE);
	}, (x0, x1, first, piece) => {
		let total = 0;
		shares.fill(0);
		for (let run = first; run < share[0].length && from[run] < grid.past[piece]; run++) {
			const buckets = bucketsOf(from, run, grid, piece);
			total += buckets * FULL_SHARE;
			for (const state of states)
				shares[state] += share[state][run] * buckets;
		}
		stackShares(painter, x0, x1, total);
	});
	columns.flush(pen, scale, top, height);
	pen.globalAlpha = 1;
}

/** @param {Page} app @param {Thread} thread @param {number} x @returns {Item | null} */
export function pickState(app, thread, x) {
	const row = pickRow(statesOf(thread), app.scale(), x);
	return row >= 0 ? stateItem(app.store, thread.index, row) : null;
}

/**
 * What the overview tells of a bucket.
 * @param {StateRuns | null} runs @param {number} bucket @returns {Fact[]}
 */
export function stateFacts(runs, bucket) {
	const run = runs ? runAt(runs.from, bucket) : -1;
	/** @type {Fact[]} */
	const facts = [];
	for (let state = STATE.RUNNING; runs && run >= 0 && state < NR_STATES; state++)
		if (runs.share[state][run])
			facts.push([STATE_NAMES[state], formatPercent(runs.share[state][run] / FULL_SHARE), state]);
	return facts;
}

/**
 * Where the thread came onto another CPU: a tick below its states, while there is room for each.
 * @param {Painter} painter @param {Thread} thread @param {number} top
 */
export function paintMoves({ pen, scale, theme, arrows, app }, { index }, top) {
	const { start } = app.store.migrations;
	const rows = arrows.inSight(app.store.migrationsOf.of(index));
	if (rows.length * LEAST_TICK_DISTANCE > scale.width)
		return;
	pen.fillStyle = theme.ink;
	pen.beginPath();
	for (const row of rows) {
		const x = scale.x(start[row]);
		pen.moveTo(x, top - 4);
		pen.lineTo(x + 3, top + 1);
		pen.lineTo(x - 3, top + 1);
	}
	pen.fill();
}
