// SPDX-License-Identifier: GPL-2.0
/*
 * What the cure of a finding would gain, by a replay of the session: annot-what-if(1).
 */
import { formatDuration, formatPercent } from "../data/units.js";
import { element } from "../ui/dom.js";
import { TERMS } from "../ui/terms.js";

/** @typedef {import("../ui/analysis.js").Analysis} Analysis */
/** @typedef {import("../ui/analysis.js").Finding} Finding */

/**
 * In a few words; null: not known.
 * @param {Finding} finding
 */
export function gainOf({ gain_ns: gain }) {
	if (gain === null || gain === undefined)
		return null;
	return element("span", { class: "gain", title: TERMS.gain },
		gain > 0 ? `cured: ${formatDuration(gain)} shorter` : "cured: not shorter");
}

/**
 * As a shell wants it.
 * @param {string} word
 */
const quoted = (word) => /^[\w./:,@%+=-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;

/**
 * How long the session took, and how long it would take: bars on one scale, and how to ask for more.
 * @param {Analysis} analysis
 * @param {Finding} finding with a gain
 */
export function whatIfNodes(analysis, { gain_ns: gain, gain_least_ns: least, gain_most_ns: most, what_if: words }) {
	const { from_ns: from, to_ns: to } = analysis.session;
	const session = to - from;
	const predicted = session - (gain || 0);
	const interval = [session - (most || 0), session - (least || 0)];
	const longest = Math.max(session, interval[1]);
	return [
		element("div", { class: "what-if" },
			...whatIfBar("recorded", session, longest, formatDuration(session)),
			...whatIfBar("cured", predicted, longest,
				`${formatDuration(predicted)} (${interval.map(formatDuration).join(" to ")}), ${share(gain || 0, session)}`)),
		element("p", {}, `Predicted by a replay${replayError(analysis)}: `,
			element("code", {}, `annot what-if ${(words || []).map(quoted).join(" ")}`), " tells more."),
	];
}

/**
 * How far the replay is off that changes nothing; "": not known.
 * @param {Analysis} analysis
 */
function replayError(analysis) {
	const [replay] = analysis.rows("what_if", "replay");
	return replay ? ` that is off by ${formatPercent(Math.abs(Number(replay.replay_error_pct)) / 100)} where nothing is changed` : "";
}

/** @param {number} gain @param {number} session */
const share = (gain, session) => `${formatPercent(Math.abs(gain) / Math.max(session, 1))} ${gain < 0 ? "longer" : "shorter"}`;

/** @param {string} name @param {number} ns @param {number} longest @param {string} text */
const whatIfBar = (name, ns, longest, text) => [
	element("span", {}, name),
	element("span", { class: "what-if-bar", "aria-hidden": "true" },
		element("span", { style: { width: `${ns / Math.max(longest, 1) * 100}%` } })),
	element("span", {}, text),
];
