// SPDX-License-Identifier: GPL-2.0
/*
 * Which events a text lets pass: "system:event", where * stands for anything; expressions of fields,
 * such as prio < 100 or comm ~ sh; and words, each in the event's name, text or thread. All must fit.
 */

/** @typedef {{name: string, text: string, thread: string}} FilteredEvent */
/** @typedef {(event: FilteredEvent) => boolean} EventTest */
/** @typedef {number | string} FieldValue */

/** @type {{[operator: string]: (own: FieldValue, wanted: FieldValue) => boolean}} */
const COMPARISONS = {
	"=": (own, wanted) => own === wanted,
	"==": (own, wanted) => own === wanted,
	"!=": (own, wanted) => own !== wanted,
	"<": (own, wanted) => own < wanted,
	"<=": (own, wanted) => own <= wanted,
	">": (own, wanted) => own > wanted,
	">=": (own, wanted) => own >= wanted,
	"~": (own, wanted) => String(own).toLowerCase().includes(String(wanted).toLowerCase()),
};

const EXPRESSION = /(?:^|\s)([a-z_]\w*)\s*(==|!=|<=|>=|=|<|>|~)\s*("[^"]*"|[^\s"]+)/gi;
const EVENT_NAME = /^[\w*.-]+:[\w*.-]+$/;
const NUMBER = /^-?(?:0x[0-9a-f]+|\d+(?:\.\d+)?)$/i;
/* name=value, as most formats print fields; a value goes on to the next blank, or is in quotes. */
const VALUE = "\\s?=\\s?(\"[^\"]*\"|[^\\s,)\\]}]+)";

/**
 * A number where it is written as one, in decimal or hexadecimal; else the text, without quotes.
 * @param {string} text
 * @returns {FieldValue}
 */
function valueOf(text) {
	if (!NUMBER.test(text))
		return text.replace(/^"(.*)"$/, "$1");
	return text.startsWith("-") ? -Number(text.slice(1)) : Number(text);
}

/**
 * An event without the field does not fit, whatever is asked of it.
 * @param {string} field @param {string} operator @param {string} value
 * @returns {EventTest}
 */
function fieldTest(field, operator, value) {
	const pattern = new RegExp(`(?:^|[^\\w])${field}${VALUE}`);
	const wanted = valueOf(value);
	const compare = COMPARISONS[operator];
	return ({ text }) => {
		const found = pattern.exec(text);
		if (!found)
			return false;
		const own = valueOf(found[1]);
		return operator === "~" || typeof own === typeof wanted ? compare(own, wanted) :
			compare(found[1], value);
	};
}

/** @param {string} word @returns {EventTest} */
function nameTest(word) {
	const pattern = new RegExp(`^${word.replace(/[.]/g, "\\.").replace(/\*/g, ".*")}$`, "i");
	return ({ name }) => pattern.test(name);
}

/** @param {string} word @returns {EventTest} */
function wordTest(word) {
	const wanted = word.toLowerCase();
	return ({ name, text, thread }) => [name, text, thread].some((own) => own.toLowerCase().includes(wanted));
}

/**
 * What a filter lets pass; null: it says nothing.
 * @param {string} filter
 * @returns {EventTest | null}
 */
export function eventTest(filter) {
	/** @type {EventTest[]} */
	const tests = [];
	const words = filter.replace(/&&/g, " ").replace(EXPRESSION, (_, field, operator, value) => {
		tests.push(fieldTest(field, operator, value));
		return " ";
	}).split(/\s+/).filter(Boolean);
	for (const word of words)
		tests.push(EVENT_NAME.test(word) ? nameTest(word) : wordTest(word));
	return tests.length ? (event) => tests.every((fits) => fits(event)) : null;
}
