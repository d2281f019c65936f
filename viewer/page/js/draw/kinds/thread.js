// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes of threads: states, densities, marks and spans below each other.
 */
const LEAST_LANE_HEIGHT = 17;

export const threadKind = {
	name: "thread",
	heights: {
		normal: { strip: 13, span: 18, marks: 13, pad: 5 },
		compact: { strip: 5, span: 13, marks: 8, pad: 3 },
	},

	layout(lanes, thread) {
		const { heights } = lanes;
		const { index } = thread;
		const densities = lanes.densitiesOf(index);
		const marksTop = heights.strip + 2 + densities.length * heights.density;
		const spansTop = marksTop + (thread.hasMarks ? heights.marks : 0);
		return {
			id: `thread ${index}`, kind: threadKind, indent: 1,
			label: thread.comm || "(no name)", note: String(thread.tid),
			densities, densityTop: heights.strip + 4, marksTop, spansTop,
			height: Math.max(spansTop + heights.span * thread.depth + heights.pad, LEAST_LANE_HEIGHT),
			get thread() {
				return lanes.store.threads[index];
			},
		};
	},
};
