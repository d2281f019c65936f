// SPDX-License-Identifier: GPL-2.0
/*
 * Choosing bars of a histogram that stand side by side: press one, and go on to others.
 */

/** @typedef {{from: number, to: number, count: number, target: SVGElement | null}} Bar */
/** @typedef {{from: number, to: number, count: number}} Chosen */
/**
 * chosen is told of what was chosen, in full, once the pointer is up; null: nothing is. isChosen tells what was before.
 * @typedef {{isChosen(bar: Bar): boolean, chosen(range: Chosen | null): void}} Brush
 */

/** @param {Bar[]} bars in order @param {Brush} brush */
export function brushBars(bars, { isChosen, chosen }) {
	let first = -1;
	let last = -1;
	/** @param {number} from @param {number} to */
	const mark = (from, to) => bars.forEach(({ target }, i) => target?.setAttribute("aria-pressed", String(i >= from && i <= to)));
	/** @param {number} a @param {number} b */
	const choose = (a, b) => {
		const taken = bars.slice(Math.min(a, b), Math.max(a, b) + 1);
		chosen({ from: taken[0].from, to: taken[taken.length - 1].to, count: taken.reduce((sum, { count }) => sum + count, 0) });
	};
	const release = () => {
		if (first >= 0)
			choose(first, last);
		first = -1;
	};
	bars.forEach(({ target }, i) => {
		target?.setAttribute("aria-pressed", String(isChosen(bars[i])));
		target?.addEventListener("pointerdown", (event) => {
			event.preventDefault();
			first = last = i;
			mark(i, i);
			addEventListener("pointerup", release, { once: true });
		});
		target?.addEventListener("pointerenter", () => {
			if (first < 0)
				return;
			last = i;
			mark(Math.min(first, i), Math.max(first, i));
		});
		target?.addEventListener("keydown", (event) => {
			if (event.key !== "Enter" && event.key !== " ")
				return;
			event.preventDefault();
			event.stopPropagation();
			if (isChosen(bars[i]))
				chosen(null);
			else
				choose(i, i);
		});
	});
}
