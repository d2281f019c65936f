// SPDX-License-Identifier: GPL-2.0
/*
 * Gaps of a CPU: where events were lost, or nothing is known.
 */
import { gapText } from "../data/texts.js";
import { pickRow } from "./pick.js";
import { eachStrip } from "./strips.js";
import { LEAST_TEXT_ROOM } from "./style.js";

/** @typedef {import("./types.js").Cpu} Cpu */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Painter} Painter */

/** @param {Cpu} cpu */
const gapsOf = ({ gaps }) => ({ start: gaps.start, rows: gaps.rows, end: (/** @type {number} */ row) => gaps.end[row] });

/** @param {Painter} painter @param {Cpu} cpu @param {number} top @param {number} height */
export function paintGaps(painter, cpu, top, height) {
	const { pen, theme, scale, app } = painter;
	/** @param {number} x @param {number} width */
	const paint = (x, width) => {
		pen.fillStyle = app.palette.hatch(pen, theme["alarm-paper"], theme.alarm, scale.ratio);
		pen.fillRect(x, top, Math.max(width, 3), height);
	};
	eachStrip(gapsOf(cpu), scale, (x, width, row) => {
		paint(x, width);
		paintGapText(painter, gapText(cpu.gaps, row), x, width, top, height);
	}, (column) => paint(scale.left + column / scale.ratio, 0));
}

/**
 * @param {Painter} painter @param {string} text @param {number} x @param {number} width
 * @param {number} top @param {number} height
 */
function paintGapText({ surface, theme, scale, pen }, text, x, width, top, height) {
	const left = Math.max(x, scale.left) + 4;
	const room = Math.min(x + width, surface.width) - left - 8;
	surface.setFont(11, "600");
	const fitted = room > LEAST_TEXT_ROOM ? surface.fitted(text, room) : "";
	if (!fitted)
		return;
	surface.fill(theme["alarm-paper"]);
	pen.fillRect(left - 2, top, surface.widthOf(fitted) + 8, height);
	surface.fill(theme.alarm);
	surface.text(fitted, left + 2, top + height / 2 + 0.5);
}

/** @param {Page} app @param {Cpu} cpu @param {number} x @returns {Item | null} */
export function pickGap(app, cpu, x) {
	const row = pickRow(gapsOf(cpu), app.scale(), x);
	return row >= 0 ? { kind: "gap", cpu: cpu.index, row } : null;
}
