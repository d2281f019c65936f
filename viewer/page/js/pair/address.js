// SPDX-License-Identifier: GPL-2.0
/*
 * What the address of a page of two traces keeps: what that of A's page would, and by what both are
 * aligned: #...&a=TASK&n=NUMBER
 */

/** @typedef {import("./bar.js").Bar} Bar */

export class PairAddress {
	/** @param {Bar} bar */
	constructor(bar) {
		this.bar = bar;
		this.own = bar.pair.apps[0].address;
		this.written = "";
		this.own.put = (text) => this.write(text);
		this.read();
		window.addEventListener("hashchange", () => this.read());
	}

	/** @param {string} text */
	write(text) {
		const parameters = new URLSearchParams(text);
		const { key, place } = this.bar.alignment();
		if (key) {
			parameters.set("a", key);
			parameters.set("n", String(place + 1));
		}
		this.written = parameters.toString();
		history.replaceState(null, "", `#${this.written}`);
	}

	read() {
		const text = location.hash.slice(1);
		if (text === this.written)
			return;
		this.written = text;
		const parameters = new URLSearchParams(text);
		const key = parameters.get("a") || "";
		this.bar.align(this.bar.pair.nrShared(key) ? key : "", Number(parameters.get("n")) - 1);
		this.own.apply(text);
	}
}
