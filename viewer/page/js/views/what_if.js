// SPDX-License-Identifier: GPL-2.0
/*
 * What is worth making faster: the causal profile, by a replay of the session.
 */
import { formatDuration, formatPercent } from "../data/units.js";
import { element } from "../ui/dom.js";
import { formatShort } from "../ui/plot.js";
import { factList } from "../ui/view_parts.js";

/** @typedef {import("../ui/analysis.js").PlainRow} PlainRow */
/** @typedef {import("../ui/panel.js").View} View */

/** @type {View} */
export const whatIfView = {
	name: "what_if",
	title: "What if",
	hint: "What is worth making faster, by a replay of the session",
	has: (analysis) => analysis.rows("what_if", "tasks").length > 0 ||
		(analysis.whyNotComputed("what_if") !== "" && analysis.session.to_ns > analysis.session.from_ns),
	nodes({ analysis }) {
		const why = analysis.whyNotComputed("what_if");
		if (why)
			return [element("p", { class: "verdict" }, `Not computed: ${why}.`)];
		const [replay] = analysis.rows("what_if", "replay");
		const tasks = analysis.rows("what_if", "tasks");
		return [
			factList([["recorded", formatDuration(Number(replay.recorded_ns))],
				["replayed unchanged", formatDuration(Number(replay.replayed_ns))],
				["off by", formatPercent(Math.abs(Number(replay.replay_error_pct)) / 100)]]),
			element("p", {}, "1 % less work in a task makes the session shorter by so many percent:"),
			element("ul", { class: "gains", "aria-label": "What is worth making faster" }, ...tasks.map(gainItem)),
		];
	},
};

/**
 * A bar as long as the gain: 1 is all there can be.
 * @param {PlainRow} row
 */
function gainItem(row) {
	const gain = Number(row.gain_pct_per_pct);
	return element("li", {},
		element("span", { class: "gain-name" }, String(row.name)),
		element("span", { class: "what-if-bar", "aria-hidden": "true" },
			element("span", { style: { width: `${Math.min(Math.max(gain, 0), 1) * 100}%` } })),
		element("span", {}, `${formatShort(gain)} %`),
		element("span", { class: "gain-work" }, `${formatDuration(Number(row.work_ns))} of work`));
}
