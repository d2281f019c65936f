// SPDX-License-Identifier: GPL-2.0
/*
 * How long it took from being woken to being on a CPU.
 */
import { formatDuration } from "../data/units.js";
import { element } from "../ui/dom.js";
import { timeHistogram } from "../ui/plot.js";
import { countColumn } from "../ui/tables.js";
import { factList, known, leftOutNote, maybeTime, threadColumn } from "../ui/view_parts.js";

/** @typedef {import("../ui/panel.js").View} View */

/** @type {View} */
export const wakeupLatencyView = {
	name: "wakeup_latency",
	title: "Wakeups",
	hint: "Time from a wakeup to the next slice",
	has(analysis) {
		const own = analysis.part("wakeup_latency");
		return Boolean(own && own.threads && own.threads.length);
	},
	nodes(panel) {
		const own = panel.analysis.part("wakeup_latency");
		if (!own)
			return [];
		/** @type {[number, string][]} */
		const rules = [[own.median_ns || 0, "median"], [own.p99_ns || 0, "p99"]];
		return [
			factList([["median", known(own.median_ns, formatDuration)], ["p99", known(own.p99_ns, formatDuration)],
				["longest", known(own.max_ns, formatDuration)]]),
			element("div", { class: "tables" },
				own.histogram ? timeHistogram(own.histogram, { width: panel.room(520), height: 210,
					title: "from woken to running", noun: "wakeup", rules: rules.filter(([ns]) => ns > 0) }) : null,
				panel.table("Wakeups", [
					threadColumn(panel, "thread"),
					countColumn("wakeups", (row) => row.wakeups),
					maybeTime("median", (row) => row.median_ns),
					maybeTime("p99", (row) => row.p99_ns),
					maybeTime("longest", (row) => row.max_ns),
				], own.threads)),
			leftOutNote(own.left_out, "threads"),
		];
	},
};
