// SPDX-License-Identifier: GPL-2.0
/*
 * The views, in the order of their tabs: those of analyses, then what is of the whole trace.
 */
import { eventsView } from "./events.js";
import { figuresView } from "./figures.js";
import { findingsView } from "./findings.js";
import { flameGraphView } from "./flame_graph.js";
import { interferenceView } from "./interference.js";
import { migrationsView } from "./migrations.js";
import { missesView } from "./misses.js";
import { percentilesView } from "./percentiles.js";
import { plainViews } from "./plain.js";
import { regionsView } from "./regions.js";
import { taskTreeView } from "./task_tree.js";
import { topdownView } from "./topdown.js";
import { wakeupLatencyView } from "./wakeup_latency.js";
import { whatIfView } from "./what_if.js";

/** @typedef {import("../ui/panel.js").View} View */

/** @type {View[]} */
const FIRST = [findingsView, whatIfView, regionsView, interferenceView, wakeupLatencyView, migrationsView, percentilesView,
	topdownView, missesView];
/** @type {View[]} */
const LAST = [flameGraphView, taskTreeView, eventsView, figuresView];

/**
 * Analyses that no view shows have a plain one each.
 * @param {import("../ui/analysis.js").Analysis} analysis
 */
export function viewsOf(analysis) {
	return [...FIRST, ...plainViews(analysis, [...FIRST, ...LAST]), ...LAST];
}
