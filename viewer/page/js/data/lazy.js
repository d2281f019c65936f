// SPDX-License-Identifier: GPL-2.0
/*
 * Values that are made when they are first asked for, and what of the trace is loaded.
 */

/**
 * To be called by the getter of that name: from then on the object has the value itself.
 * @template T
 * @param {object} object
 * @param {string} name
 * @param {T} value
 * @returns {T}
 */
export function keep(object, name, value) {
	Object.defineProperty(object, name, { value });
	return value;
}

/**
 * What a thread, a CPU or an event has loaded: there is nothing to ask for before a store is shown.
 * @template T
 * @param {{loaded: T | null}} owner
 * @returns {T}
 */
export function loadedRows({ loaded }) {
	if (!loaded)
		throw new Error("rows were asked for before a store was shown");
	return loaded;
}
