// SPDX-License-Identifier: GPL-2.0
/*
 * The elements of the page that hold data -> their bytes.
 */
import { FORMAT_VERSION } from "./format.js";

export const BLOCK_POLL_MS = 10;

function bytesOfBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

async function inflate(bytes) {
	const stream = new DecompressionStream("gzip");
	const writer = stream.writable.getWriter();
	/* What is wrong with them, the reading end tells. */
	for (const written of [writer.write(bytes), writer.close()])
		written.catch(() => {});
	return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

export const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

/*
 * The element of a block that stands behind the script, which begins before it is there: once the
 * parser has passed its end. Null when the page has no such block.
 */
export async function blockElement(id) {
	for (;;) {
		const isParsed = document.readyState !== "loading";
		const element = document.getElementById(id);
		if (element && (isParsed || element.nextElementSibling))
			return element;
		if (isParsed)
			return null;
		await pause(BLOCK_POLL_MS);
	}
}

/* The bytes of a block, none when the page has no such block; with @free its text is given up. */
export async function readBlock(element, { free = false } = {}) {
	if (!element || !element.textContent)
		return new Uint8Array(0);
	const compressed = bytesOfBase64(element.textContent);
	if (free)
		element.remove();
	return inflate(compressed);
}

export function readHead() {
	const head = JSON.parse(document.getElementById("annot-head").textContent);
	if (head.format !== FORMAT_VERSION)
		throw new Error(`the page's data have format ${head.format}, but its script reads ${FORMAT_VERSION}`);
	return head;
}
