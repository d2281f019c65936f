// SPDX-License-Identifier: GPL-2.0
/*
 * The lanes of B in the order in which A has those of the same threads.
 */
import { GROUPED_BY, OTHERS_KEY } from "../draw/lanes.js";

/** @typedef {import("../draw/lanes.js").Group} Group */
/** @typedef {import("../draw/lanes.js").Lanes} Lanes */
/** @typedef {import("../draw/types.js").Thread} Thread */

/**
 * For Lanes.setOrder(): what A does not have comes last.
 * @param {Lanes} lanes of A
 * @param {Int32Array} matches of B's threads
 * @returns {(groups: Group[], by: string) => Group[]}
 */
export function orderAs(lanes, matches) {
	return (groups, by) => {
		const places = new Map(lanes.groups.flatMap(({ threads }) => threads)
			.map(({ index }, place) => [index, place]));
		/** @param {Thread} thread */
		const placeOf = ({ index }) => places.get(matches[index]) ?? Infinity;
		/** @param {Group} group */
		const first = ({ key, threads }) => key === OTHERS_KEY ? Infinity : Math.min(...threads.map(placeOf));
		const ordered = groups.map((group) => ({
			...group, threads: [...group.threads].sort((a, b) => compare(placeOf(a), placeOf(b))),
		}));
		return by === GROUPED_BY[0] ? ordered.sort((a, b) => compare(first(a), first(b))) : ordered;
	};
}

/**
 * Infinity is as large as itself.
 * @param {number} a @param {number} b
 */
const compare = (a, b) => a === b ? 0 : a - b;

/**
 * The keys of groups of one page, with those of the same groups of the other.
 * @param {Lanes} own
 * @param {Lanes} other
 * @param {Int32Array} matches of own threads
 * @returns {[string, string][]}
 */
export function sameGroups(own, other, matches) {
	/** @type {Map<number, string>} */
	const keys = new Map(other.groups.flatMap(({ key, threads }) =>
		threads.map(({ index }) => /** @type {[number, string]} */ ([index, key]))));
	return own.groups.flatMap(({ key, threads }) => {
		const found = threads.map(({ index }) => keys.get(matches[index])).find((theirs) => theirs !== undefined);
		return found === undefined ? [] : [/** @type {[string, string]} */ ([key, found])];
	});
}
