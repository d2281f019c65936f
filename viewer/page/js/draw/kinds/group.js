// SPDX-License-Identifier: GPL-2.0
/*
 * Headings of groups: each opens and closes the lanes that follow it.
 */
export const groupKind = {
	name: "group",
	heights: { normal: { group: 26 }, compact: { group: 22 } },

	/* @group: {key, label, note, count, open, members, strangers}; members are threads, null: the CPUs. */
	layout({ heights }, group) {
		return { ...group, id: group.key, kind: groupKind, indent: 0, height: heights.group };
	},
};
