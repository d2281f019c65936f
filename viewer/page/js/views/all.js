// SPDX-License-Identifier: GPL-2.0
/*
 * The views, in the order of their tabs.
 */
const VIEWS = [
	findingsView, regionsView, interferenceView, wakeupsView, migrationsView, missesView, taskTreeView, figuresView,
];
