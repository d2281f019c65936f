// SPDX-License-Identifier: GPL-2.0
/**
 * Says why the page cannot be shown.
 * @param {Error} error
 */
import { byId } from "./dom.js";

/** @param {Error} error */
export function explain(error) {
	const loading = byId("loading");
	loading.hidden = false;
	loading.textContent = typeof DecompressionStream === "undefined" ?
		"This page needs a browser of 2023 or later: Chrome 80, Firefox 113, Safari 16.4." :
		`This page cannot be shown: ${error.message}`;
	loading.classList.add("failed");
}
