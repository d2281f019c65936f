// SPDX-License-Identifier: GPL-2.0
/*
 * What the page uses of browsers, and tsc does not know of.
 */

/** Of the Compression Streams standard: in browsers since 2023. */
declare class DecompressionStream {
	constructor(format: "gzip" | "deflate" | "deflate-raw");
	readonly readable: ReadableStream<Uint8Array>;
	readonly writable: WritableStream<Uint8Array>;
}

interface Uint8ArrayConstructor {
	/** In browsers since 2025; atob() does it in older ones. */
	fromBase64?(text: string): Uint8Array;
}

interface Window {
	/** The page's hook for scripts: viewer/page/js/ui/main.js. Of a page of two traces: pair. */
	annot?: {
		limits?: import("./data/windows.js").Limits;
		ready?: Promise<import("./ui/app.js").App>;
		pair?: Promise<import("./pair/pair.js").Pair>;
	};
}
