// SPDX-License-Identifier: GPL-2.0
/*
 * What kinds of lanes do unless they say otherwise.
 */
export const plainKind = {
	/* A line at the foot; nothing under the labels, which have their own. */
	paintGround({ surface, scale, theme }, lane, y, width) {
		surface.hairline(scale.left, y + lane.height - 1, width, 0, theme.line);
	},
};
