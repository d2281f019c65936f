// SPDX-License-Identifier: GPL-2.0
/*
 * Who took the CPU from whom, and how long threads waited for each CPU.
 */
import { formatCount, formatDuration } from "../data/units.js";
import { threadOfRow } from "../ui/analysis.js";
import { element } from "../ui/dom.js";
import { heatMap } from "../ui/heat.js";
import { shortTime, timeHistogram } from "../ui/plot.js";
import { countColumn, timeColumn } from "../ui/tables.js";
import { leftOutNote, maybeTime, textColumn } from "../ui/view_parts.js";

/** @typedef {import("../ui/panel.js").Found} Found */
/** @typedef {import("../ui/analysis.js").InterferencePair} InterferencePair */
/** @typedef {import("../ui/analysis.js").InterferingProgram} InterferingProgram */
/** @typedef {import("../ui/analysis.js").RunQueue} RunQueue */
/** @typedef {import("../ui/analysis.js").Side} Side */
/** @typedef {import("../ui/analysis.js").ThreadRef} ThreadRef */
/** @typedef {import("../ui/panel.js").View} View */

const MOST_OF_INTERFERENCE = 16;	/* rows and columns of the matrix: those with the most time */

/** @type {View} */
export const interferenceView = {
	name: "interference",
	title: "Interference",
	hint: "Which program took the CPU from which",
	has(analysis) {
		const own = analysis.part("interference");
		return Boolean(own && (own.pairs.length || (own.queues || []).some(({ waits }) => waits)));
	},
	nodes(panel) {
		const own = panel.analysis.part("interference");
		if (!own)
			return [];
		const { pairs, programs = [], queues = [], left_out: leftOut } = own;
		return [element("div", { class: "tables" },
			pairs.length ? interferenceMatrix(panel, pairs) : null,
			pairs.length ? pairTable(panel, pairs) : null,
			programs.length ? programTable(panel, programs) : null,
			queues.length ? queueTable(panel, queues) : null,
			...queuePlots(panel, queues)), leftOutNote(leftOut, "pairs")];
	},
};

/**
 * While the victim was preempted, or woken and not switched in yet.
 * @param {InterferencePair} pair
 */
const takenTime = (pair) => pair.preempted_ns + (pair.queued_ns || 0);

/** @param {ThreadRef} side */
const sideKey = ({ thread, tid }) => `${thread} ${tid}`;

/**
 * Of victims or those they lost to: the ones with the most time first.
 * @param {InterferencePair[]} pairs @param {"victim" | "by"} side
 */
function sidesOf(pairs, side) {
	const sides = new Map();
	for (const pair of pairs) {
		const own = sides.get(sideKey(pair[side])) || { row: pair[side], ns: 0 };
		own.ns += takenTime(pair);
		sides.set(sideKey(pair[side]), own);
	}
	return [...sides.values()].sort((a, b) => b.ns - a.ns).slice(0, MOST_OF_INTERFERENCE).map(({ row }) => row);
}

/** @param {Found} panel @param {Side} row */
const sideName = (panel, row) => threadOfRow(panel.app.store, row) < 0 ? `${row.comm} ${row.tid}` : panel.threadName(row);

/** @param {Found} panel @param {InterferencePair[]} pairs */
function interferenceMatrix(panel, pairs) {
	const victims = sidesOf(pairs, "victim");
	const others = sidesOf(pairs, "by");
	const sums = new Map(pairs.map((pair) => [`${sideKey(pair.victim)} ${sideKey(pair.by)}`, pair]));
	/** @param {number} row @param {number} column */
	const pairAt = (row, column) => sums.get(`${sideKey(victims[row])} ${sideKey(others[column])}`);
	return heatMap("Which program waited, and which ran meanwhile", {
		rows: victims.map((row) => sideName(panel, row)), columns: others.map((row) => sideName(panel, row)),
		rowTitle: "victim", columnTitle: "by",
		cell(row, column) {
			const pair = pairAt(row, column);
			return pair ? {
				value: takenTime(pair), text: shortTime(takenTime(pair)),
				title: `${sideName(panel, pair.by)} ran instead of ${sideName(panel, pair.victim)} for ${
					formatDuration(takenTime(pair))}; took the CPU from it ${formatCount(pair.times)} ×`,
			} : { value: 0, text: "" };
		},
		onclick: (row, column) => panel.show(panel.wholeSession(), [victims[row], others[column]]),
	});
}

/** @param {Found} panel @param {InterferencePair[]} pairs */
function pairTable(panel, pairs) {
	return panel.table("Which program took whose CPU", [
		{ name: "victim", value: ({ victim }) => sideName(panel, victim), nodes: ({ victim, by }) => [
			panel.app.details.goButton(sideName(panel, victim),
				() => panel.show(panel.wholeSession(), [victim, by]), "Show both lanes")] },
		textColumn("by", ({ by }) => sideName(panel, by)),
		textColumn("program", ({ by }) => by.program || ""),
		countColumn("times", (pair) => pair.times),
		timeColumn("preempted", (pair) => pair.preempted_ns),
		maybeTime("queued", (pair) => pair.queued_ns),
		timeColumn("longest", (pair) => pair.longest_ns),
	], pairs);
}

/** @param {Found} panel @param {InterferingProgram[]} programs */
function programTable(panel, programs) {
	return panel.table("Programs", [
		{ name: "victim", value: (row) => row.victim_program, nodes: (row) => [row.victim_program] },
		textColumn("by", (row) => row.by_program || "nobody known"),
		countColumn("times", (row) => row.times),
		timeColumn("preempted", (row) => row.preempted_ns),
		maybeTime("queued", (row) => row.queued_ns),
		maybeTime("waits lengthened", (row) => row.lengthened_waits_ns),
		maybeTime("time lost", (row) => row.lost_ns),
	], programs);
}

/** @param {Found} panel @param {RunQueue[]} queues */
function queueTable(panel, queues) {
	return panel.table("Run queues", [
		{ name: "CPU", value: ({ cpu }) => cpu, nodes: ({ cpu }) => [panel.app.details.goButton(`CPU ${cpu}`,
			() => panel.show(panel.wholeSession(), [], [cpu]), "Show its lane")] },
		countColumn("waits", (row) => row.waits),
		timeColumn("waited", (row) => row.wait_ns),
		timeColumn("longest", (row) => row.longest_ns),
	], queues);
}

/**
 * Of the CPUs on which threads waited longest.
 * @param {Found} panel @param {RunQueue[]} queues
 */
function queuePlots(panel, queues) {
	const MOST = 4;
	return [...queues].filter(({ histogram }) => histogram && histogram.edges_ns)
		.sort((a, b) => b.wait_ns - a.wait_ns).slice(0, MOST)
		.map(({ cpu, histogram }) => timeHistogram(histogram, {
			width: panel.room(300), height: 150, title: `waits for CPU ${cpu}`, noun: "wait",
		})).filter(Boolean);
}
