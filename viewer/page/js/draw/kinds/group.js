// SPDX-License-Identifier: GPL-2.0
/*
 * Headings of groups: each opens and closes the lanes that follow it.
 */
import { formatCount } from "../../data/units.js";
import { paintCpuUse } from "../chart.js";
import { plainKind } from "./plain.js";

/** @typedef {import("../types.js").Grid} Grid */
/** @typedef {import("../types.js").GroupLane} GroupLane */
/** @typedef {import("../types.js").GroupOf} GroupOf */
/** @typedef {import("../types.js").Painter} Painter */

/** @type {import("../types.js").LaneKindOf<GroupLane, GroupOf>} */
export const groupKind = {
	...plainKind,
	name: "group",
	heights: { normal: { group: 26 }, compact: { group: 22 } },

	/* @group: {key, label, note, count, open, members, strangers}; members are threads, null: the CPUs. */
	layout({ heights }, group) {
		return { ...group, id: group.key, kind: groupKind, indent: 0, height: heights.group };
	},

	paintGround({ surface, pen, theme }, lane, y, width) {
		surface.fill(theme.panel);
		pen.fillRect(0, y, width, lane.height);
		surface.hairline(0, y, width, 0, theme.line);
	},

	paint: (painter, lane, y) => paintUse(painter, null, lane, y),
	paintCoarse: paintUse,

	paintLabel({ painter, width }, lane, y) {
		const { surface, pen, theme } = painter;
		const middle = y + lane.height / 2;
		surface.fill(theme["ink-dim"]);
		pen.beginPath();
		if (lane.open) {
			pen.moveTo(9, middle - 2.5);
			pen.lineTo(18, middle - 2.5);
			pen.lineTo(13.5, middle + 3);
		} else {
			pen.moveTo(11, middle - 4.5);
			pen.lineTo(11, middle + 4.5);
			pen.lineTo(16.5, middle);
		}
		pen.fill();
		surface.setFont(12, "600");
		surface.fill(theme.ink);
		const count = formatCount(lane.count);
		const left = width - 12 - surface.widthOf(count);
		const written = surface.text(lane.label, 24, middle, left - 32);
		surface.setFont(10);
		surface.fill(theme["ink-dim"]);
		surface.text(count, left, middle);
		surface.text(lane.note, 24 + written + 8, middle, left - written - 40);
	},

	click: ({ key }) => ({ toggles: key }),
};

/**
 * Of a closed group: how busy its threads kept CPUs, or how busy the CPUs were, in place of their lanes.
 * @param {Painter} painter @param {Grid | null} grid @param {GroupLane} lane @param {number} y
 */
function paintUse(painter, grid, lane, y) {
	if (lane.open)
		return;
	if (lane.members)
		painter.groupUse.paint(grid, lane, lane.members, y + 3, lane.height - 6);
	else
		paintCpuUse(painter, grid ? grid.overview : null, painter.scale.left, y + 3, lane.height - 6);
}
