// SPDX-License-Identifier: GPL-2.0
/*
 * Starts a page of two traces. Its one hook for scripts is window.annot.pair: a Promise of the Pair,
 * fulfilled once both pages are drawn and their tasks are read.
 */
import { byId } from "../ui/dom.js";
import { explain } from "../ui/explain.js";
import { PairAddress } from "./address.js";
import { Bar } from "./bar.js";
import { openPage } from "./frames.js";
import { NAMES } from "./pair.js";

/** @param {string} name */
function templateOf(name) {
	const template = byId(`page-${name.toLowerCase()}`);
	if (!(template instanceof HTMLTemplateElement))
		throw new Error(`the page's element ${template.id} is no template`);
	return template;
}

async function start() {
	const place = byId("frames");
	const apps = await Promise.all(NAMES.map((name) => openPage(place, templateOf(name), name)));
	const bar = new Bar(apps);
	byId("loading").hidden = true;
	await bar.readTasks();
	new PairAddress(bar);
	return bar.pair;
}

const pair = start();
window.annot = { ...window.annot, pair };
pair.catch(explain);
