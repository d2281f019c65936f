// SPDX-License-Identifier: GPL-2.0
/*
 * The texts of events (traceEvents), each once, however many events of whatever windows have it. They
 * stay when a window is forgotten: rows of others may have the same.
 */

/** @type {string[]} */
const texts = [""];
/** @type {Map<string, number>} */
const numbers = new Map([["", 0]]);

/**
 * The number by which rows have a text.
 * @param {string} text
 * @returns {number}
 */
export function internText(text) {
	const found = numbers.get(text);
	if (found !== undefined)
		return found;
	numbers.set(text, texts.length);
	texts.push(text);
	return texts.length - 1;
}

/** @param {number} number @returns {string} */
export const eventText = (number) => texts[number];
