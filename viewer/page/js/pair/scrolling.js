// SPDX-License-Identifier: GPL-2.0
/*
 * Where one page is scrolled to -> where the other is, so that lanes of the same stand at the same height.
 */

/** @typedef {import("../draw/lanes.js").Lanes} Lanes */
/** @typedef {import("../draw/types.js").Lane} Lane */

/**
 * The lane of the other page that shows the same; undefined: none does.
 * @param {Lane} lane @param {Lanes} other
 * @param {Int32Array} matches of own threads @param {Map<string, string>} groups the other's keys of groups, by own
 */
function sameLane(lane, other, matches, groups) {
	if (groups.has(lane.id))
		return other.find(groups.get(lane.id) ?? "");
	const [kind, thread] = lane.id.split(" ");
	return other.find(kind === "thread" ? `thread ${matches[Number(thread)]}` : lane.id);
}

/**
 * What is at the top of one page shall be there in the other: the lane that begins last above it, and
 * that both have; or else the first one that both have.
 * @param {Lanes} own @param {number} scrollTop @param {Lanes} other
 * @param {Int32Array} matches @param {Map<string, string>} groups
 */
export function scrollTopOf(own, scrollTop, other, matches, groups) {
	const pairs = own.lanes.filter(({ id }) => !id.startsWith("counter "))
		.map((lane) => ({ lane, same: sameLane(lane, other, matches, groups) })).filter(({ same }) => same);
	const { lane, same } = pairs.filter(({ lane: { top } }) => top <= scrollTop).at(-1) ?? pairs[0] ?? {};
	return lane && same ? same.top + scrollTop - lane.top : scrollTop;
}
