// SPDX-License-Identifier: GPL-2.0
/*
 * How long it took from being woken to being on a CPU.
 */
import { formatDuration } from "../data/units.js";
import { element } from "../ui/dom.js";
import { timeHistogram } from "../ui/plot.js";
import { countColumn, timeColumn } from "../ui/tables.js";
import { factList, leftOutNote, threadColumn } from "../ui/view_parts.js";

export const wakeupsView = {
	name: "wakeups",
	title: "Wakeups",
	hint: "Time from a wakeup to the next slice",
	has(analysis) {
		const own = analysis.part("wakeups");
		return Boolean(own && own.threads && own.threads.length);
	},
	nodes(panel) {
		const own = panel.analysis.part("wakeups");
		const rules = [[own.median_ns, "median"], [own.p99_ns, "p99"]].filter(([ns]) => ns > 0);
		return [
			factList([["median", formatDuration(own.median_ns)], ["p99", formatDuration(own.p99_ns)],
				["longest", formatDuration(own.max_ns)]]),
			element("div", { class: "tables" },
				own.histogram ? timeHistogram(own.histogram, { width: panel.room(520), height: 210,
					title: "from woken to running", noun: "wakeup", rules }) : null,
				panel.table("Wakeups", [
					threadColumn(panel, "thread"),
					countColumn("wakeups", (row) => row.wakeups),
					timeColumn("median", (row) => row.median_ns),
					timeColumn("p99", (row) => row.p99_ns),
					timeColumn("longest", (row) => row.max_ns),
				], own.threads)),
			leftOutNote(own.left_out, "threads"),
		];
	},
};
