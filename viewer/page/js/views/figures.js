// SPDX-License-Identifier: GPL-2.0
/*
 * The sums over the whole trace: tasks, threads, CPUs, events.
 */
import { FIGURES_TAB } from "../ui/view_parts.js";

/** @typedef {import("../ui/panel.js").View} View */

/** @type {View} */
export const figuresView = {
	name: FIGURES_TAB,
	title: "Figures",
	hint: "Sums over the whole trace: spans, threads, CPUs, events",
	has: () => true,
	nodes: ({ app }) => app.details.ofWhole(),
};
