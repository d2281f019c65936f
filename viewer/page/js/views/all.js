// SPDX-License-Identifier: GPL-2.0
/*
 * The views, in the order of their tabs.
 */
import { figuresView } from "./figures.js";
import { findingsView } from "./findings.js";
import { interferenceView } from "./interference.js";
import { migrationsView } from "./migrations.js";
import { missesView } from "./misses.js";
import { regionsView } from "./regions.js";
import { taskTreeView } from "./task_tree.js";
import { wakeupsView } from "./wakeups.js";

/** @type {import("../ui/panel.js").View[]} */
export const VIEWS = [
	findingsView, regionsView, interferenceView, wakeupsView, migrationsView, missesView, taskTreeView, figuresView,
];
