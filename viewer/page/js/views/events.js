// SPDX-License-Identifier: GPL-2.0
/*
 * The events that nothing else shows, one in a row.
 */
import { EVENTS_TAB } from "../ui/view_parts.js";

/** @typedef {import("../ui/panel.js").View} View */

/** @type {View} */
export const eventsView = {
	name: EVENTS_TAB,
	title: "Events",
	hint: "The trace's other events, in time order",
	has: (analysis, { events }) => events.hasAny,
	nodes({ app: { events } }) {
		events.tell([]);
		return [events.element()];
	},
};
