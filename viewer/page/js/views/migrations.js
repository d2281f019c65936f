// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that went from CPU to CPU: how often, how far, and what it cost.
 */
import { formatCount, formatDuration } from "../data/units.js";
import { element } from "../ui/dom.js";
import { heatMap } from "../ui/heat.js";
import { countColumn, shareColumn } from "../ui/tables.js";
import { factList, leftOutNote, maybeCount, maybeTime, threadColumn } from "../ui/view_parts.js";

/** @typedef {import("../ui/panel.js").Found} Found */
/** @typedef {import("../ui/analysis.js").MigrationCosts} MigrationCosts */
/** @typedef {import("../ui/panel.js").View} View */

const DISTANCES = [
	"same CPU", "SMT sibling", "shared L2", "shared LLC", "same node", "other node",
];

/** @type {View} */
export const migrationsView = {
	name: "migrations",
	title: "Migrations",
	hint: "Threads that moved from CPU to CPU, and how far",
	has(analysis) {
		const own = analysis.part("migrations");
		return Boolean(own && own.total);
	},
	nodes(panel) {
		const own = panel.analysis.part("migrations");
		if (!own)
			return [];
		return [
			factList([
				["migrations", formatCount(own.total)],
				["ping-pong", formatCount(own.ping_pongs)],
				own.cost_ns ? ["cost", formatDuration(own.cost_ns)] : null,
				own.excess_misses ? ["excess misses", formatCount(Math.round(own.excess_misses)),
					own.event ? `excess ${own.event}` : "excess misses"] : null,
			]),
			element("div", { class: "tables" },
				migrationMatrix(panel, own), distanceTable(panel, own),
				panel.table("Who moved", [
					threadColumn(panel, "thread"),
					countColumn("migrations", (row) => row.migrations),
					countColumn("ping-pong", (row) => row.ping_pongs),
					maybeTime("cost", (row) => row.cost_ns),
					maybeCount("excess misses", (row) => row.misses),
				], own.threads || [])),
			leftOutNote(own.left_out_of_matrix, "migrations"),
			leftOutNote(own.left_out, "threads"),
		];
	},
};

/** @param {(number | null)[][] | undefined} distance @param {number} from @param {number} to */
function distanceName(distance, from, to) {
	const own = distance && distance[from] ? distance[from][to] : null;
	return own === null || own === undefined ? "distance not known" : DISTANCES[own] || "";
}

/**
 * Only CPUs that threads came from or went to.
 * @param {Found} panel @param {MigrationCosts} costs
 */
function migrationMatrix(panel, { matrix, distance }) {
	const cpus = matrix.map((_, cpu) => cpu).filter((cpu) =>
		matrix[cpu].some((count) => count) || matrix.some((line) => line[cpu]));
	const names = cpus.map((cpu) => `CPU ${cpu}`);
	return heatMap("Migrations, from CPU to CPU", {
		rows: names, columns: names, rowTitle: "from", columnTitle: "to",
		cell(row, column) {
			const [from, to] = [cpus[row], cpus[column]];
			const value = matrix[from][to];
			const own = distance && distance[from] ? distance[from][to] : null;
			return {
				value, text: value ? formatCount(value) : from === to ? "" : "·",
				className: own ? `distance distance-${own}` : "",
				title: from === to ? "" : `CPU ${from} → CPU ${to}: ${formatCount(value)}, ${
					distanceName(distance, from, to)}`,
			};
		},
		onclick: (row, column) => panel.show(panel.wholeSession(), [], [cpus[row], cpus[column]]),
	});
}

/**
 * How many went how far.
 * @param {Found} panel @param {MigrationCosts} costs
 */
function distanceTable(panel, { matrix, distance, total }) {
	const sums = new Map();
	matrix.forEach((line, from) => line.forEach((count, to) => {
		const name = distanceName(distance, from, to);
		const own = distance && distance[from] ? distance[from][to] : null;
		const sum = sums.get(name) || { name, own: own === null || own === undefined ? 9 : own, count: 0 };
		sum.count += count;
		sums.set(name, sum);
	}));
	const rows = [...sums.values()].filter(({ count }) => count).sort((a, b) => a.own - b.own);
	return panel.table("How far", [
		{ name: "distance", value: ({ own }) => own, nodes: ({ name, own }) => [
			element("span", { class: `swatch distance distance-${own}` }), name] },
		countColumn("migrations", ({ count }) => count),
		shareColumn("part", ({ count }) => total ? count / total : 0),
	], rows);
}
