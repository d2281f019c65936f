// SPDX-License-Identifier: GPL-2.0
/*
 * How issue slots divide, in words.
 */
import { slotParts } from "./slots.js";
import { counted, formatPercent } from "./units.js";

/** @typedef {import("./slots.js").Slots} Slots */
/** @typedef {import("./turn_figures.js").Doubtful} Doubtful */

/** @param {number} share three digits, no more than two of them behind the point */
const inPercent = (share) => String(Number((Math.round(share * 1e4) / 100).toPrecision(3)));

/** @param {number} error */
function errorText(error) {
	if (Number.isNaN(error))
		return " ± ?";
	return error > 0 ? ` ± ${inPercent(error)}` : "";
}

/**
 * As facts: each part, and in how much of the time all events of a figure were counted together.
 * @param {Slots} slots @param {number} slices so many
 * @returns {[string, Doubtful][]}
 */
export function slotFacts(slots, slices) {
	const { measured, error, doubt } = slots;
	const parts = slotParts(slots);
	/** @type {(text: string) => Doubtful} */
	const own = (text) => ({ text, doubt });
	if (!parts.length)
		return [["issue slots", own(`${doubt}, in ${counted(slices, "slice")}`)]];
	return [
		...parts.map(({ name, share }) => /** @type {[string, Doubtful]} */ (
			[name, own(`${inPercent(share)} %${errorText(error)}`)])),
		["slots measured", own(`${formatPercent(measured)} of the time on a CPU, in ${counted(slices, "slice")}${
			doubt ? `: ${doubt}` : ""}`)],
	];
}

/**
 * The same of a part of the overview.
 * @param {Slots} slots @returns {[string, string][]}
 */
export function roughSlotFacts(slots) {
	const parts = slotParts(slots);
	if (!parts.length)
		return [["issue slots", slots.doubt]];
	const text = parts.map(({ name, share }) => `${name} ≈ ${inPercent(share)} %`).join(", ");
	return [["issue slots", [text, slots.doubt].filter(Boolean).join("; ")], ["slots measured", "unknown from afar"]];
}
