// SPDX-License-Identifier: GPL-2.0
/*
 * Headings of groups: each opens and closes the lanes that follow it.
 */
import { paintCpuUse } from "../chart.js";
import { plainKind } from "./plain.js";

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

	paint: paintUse,
	paintCoarse: paintUse,
};

/* Of a closed group: how busy its threads kept CPUs, or how busy the CPUs were, in place of their lanes. */
function paintUse(painter, lane, y) {
	if (lane.open)
		return;
	if (lane.members)
		painter.groupUse.paint(lane, y + 3, lane.height - 6);
	else
		paintCpuUse(painter, !painter.detailed, painter.scale.left, y + 3, lane.height - 6);
}
