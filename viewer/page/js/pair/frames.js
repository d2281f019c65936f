// SPDX-License-Identifier: GPL-2.0
/*
 * A page that stands in a template -> a frame in which it runs.
 */
import { element } from "../ui/dom.js";

/** @typedef {import("../ui/app.js").App} App */

/**
 * The document of a new frame, which has the origin of this one.
 * @param {HTMLElement} place @param {string} title
 * @returns {Promise<Window>}
 */
function openFrame(place, title) {
	return new Promise((resolve, reject) => {
		const frame = element("iframe", { title, srcdoc: "<!DOCTYPE html><html lang=\"en\"></html>" });
		frame.addEventListener("load", () => frame.contentWindow ? resolve(frame.contentWindow) :
			reject(new Error("a frame without a window")), { once: true });
		place.append(frame);
	});
}

/**
 * Moves the page into the frame; its data are not copied. Its script runs last, once all stands there.
 * @param {HTMLElement} place
 * @param {HTMLTemplateElement} template
 * @param {string} name of the side
 * @returns {Promise<App>}
 */
export async function openPage(place, template, name) {
	const frame = await openFrame(place, `Trace ${name}`);
	const { head, body, documentElement: root } = frame.document;
	const { content } = template;
	const script = content.querySelector("script:not([type])");
	/* The policy is that of this page, which frames have, too. */
	for (const left of content.querySelectorAll("meta[http-equiv], noscript"))
		left.remove();
	script?.remove();
	root.className = "paired";
	const title = content.querySelector("h1");
	if (title instanceof HTMLElement)
		title.dataset.side = name;
	head.append(...content.querySelectorAll("meta, link, title, style"));
	body.append(content);
	if (script)
		body.append(script);
	template.remove();
	if (!frame.annot?.ready)
		throw new Error(`the page of trace ${name} does not run`);
	return frame.annot.ready;
}
