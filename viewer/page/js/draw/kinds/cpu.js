// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes of CPUs: slices, then a strip for each of densities.
 */
export const cpuKind = {
	name: "cpu",
	heights: { normal: { cpu: 31 }, compact: { cpu: 19 } },

	layout(lanes, { index }) {
		const { heights } = lanes;
		const densities = lanes.store.pmu.shown;
		return {
			id: `cpu ${index}`, kind: cpuKind, label: `CPU ${index}`, note: "", indent: 1,
			densities, densityTop: heights.cpu, height: heights.cpu + densities.length * heights.density,
			get cpu() {
				return lanes.store.cpus[index];
			},
		};
	},
};
