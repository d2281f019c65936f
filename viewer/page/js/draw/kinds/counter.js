// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes of counters: the values of one over time. Its min and max are of the whole trace, its series of
 * what is loaded.
 */
export const counterKind = {
	name: "counter",
	heights: { normal: { counter: 34 }, compact: { counter: 22 } },

	layout(lanes, { thread: { index }, series: { name, min, max } }) {
		return {
			id: `counter ${index} ${name}`, kind: counterKind, name, min, max, indent: 2,
			label: lanes.store.string(name), note: "", height: lanes.heights.counter,
			get thread() {
				return lanes.store.threads[index];
			},
			get series() {
				return this.thread.counters.find((series) => series.name === name);
			},
		};
	},
};
