// SPDX-License-Identifier: GPL-2.0
/*
 * Values that are made when they are first asked for.
 */

/* Makes a value once, when it is first asked for. */
export function keep(object, name, value) {
	Object.defineProperty(object, name, { value });
	return value;
}
