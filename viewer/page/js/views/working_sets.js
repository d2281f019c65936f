// SPDX-License-Identifier: GPL-2.0
/*
 * Working sets: how much memory tasks touch, against what the caches hold, and what they miss for it.
 */
import { formatPercent } from "../data/units.js";
import { element } from "../ui/dom.js";
import { curveSwatch, formatBytes, formatShort, Plot } from "../ui/plot.js";
import { column, countColumn } from "../ui/tables.js";
import { term } from "../ui/terms.js";
import { isKnown, known, textColumn } from "../ui/view_parts.js";

/** @typedef {import("../ui/analysis.js").CacheLevel} CacheLevel */
/** @typedef {import("../ui/panel.js").Found} Found */
/** @typedef {import("../ui/analysis.js").WorkingSet} WorkingSet */
/** @typedef {import("../ui/analysis.js").WorkingSets} WorkingSets */

const TASK_CLASSES = ["curve-a", "curve-b", "curve-c", "curve-d"];
const LEVEL_CLASSES = ["curve-a", "curve-b", "curve-c"];

/** @param {Found} panel @param {WorkingSets} own @returns {HTMLDivElement} */
export function workingSets(panel, own) {
	const levels = missLevels(own.tasks);
	return element("div", { class: "tables" }, workingSetCurves(panel, own), missesBySize(panel, own, levels),
		workingSetTable(panel, own, levels));
}

/**
 * Of which levels of cache something is known.
 * @param {WorkingSet[]} tasks
 */
function missLevels(tasks) {
	return [...new Set(tasks.flatMap(({ misses = [] }) => misses.map(({ level }) => level)))].sort();
}

/** @param {WorkingSet} task @param {string} name */
const missesOf = ({ misses = [] }, name) => misses.find(({ level }) => level === name);

/** @param {Found} panel @param {WorkingSets} own @param {string[]} levels */
function workingSetTable(panel, { tasks }, levels) {
	/**
	 * @param {string} name
	 * @param {string} meant
	 * @param {(task: WorkingSet) => number | null | undefined} value
	 * @param {(task: WorkingSet) => boolean | undefined} isBound
	 */
	const share = (name, meant, value, isBound = () => false) => ({
		...column(name, (/** @type {WorkingSet} */ task) => value(task) ?? -1, (task) => {
			const own = value(task);
			return isKnown(own) ? `${isBound(task) ? "≤ " : ""}${formatPercent(own)}` : "";
		}),
		term: meant,
	});
	return panel.table("Working sets", [
		textColumn("task", ({ name }) => name),
		countColumn("samples", ({ samples = 0 }) => samples),
		column("working set", ({ knee_bytes: knee }) => knee ?? -1, setWords, "bytes"),
		...levels.flatMap((level) => [
			share(`${level} expected`, "expected misses", (task) => missesOf(task, level)?.expected_per_load,
				(task) => missesOf(task, level)?.expected_is_upper_bound),
			share(`${level} measured`, "measured misses", (task) => missesOf(task, level)?.measured_per_load),
		]),
	], tasks);
}

/** @type {{[doubt: string]: string}} */
const DOUBTS = {
	seldom: "too few samples per line",
	in_order: "used in turn, too few samples",
	in_step: "maybe in step with the period",
};

/**
 * What is not known is between what samples hit and one line for each access.
 * @param {WorkingSet} task
 */
function setWords({ knee_bytes: knee, doubt, least_bytes: least, most_bytes: most }) {
	if (doubt)
		return `${known(least, formatBytes)} to ${known(most, formatBytes)}: ${DOUBTS[doubt] || doubt}`;
	return knee ? formatBytes(knee) : "";
}

/**
 * Those points of a curve that are known, and can be drawn.
 * @param {WorkingSet} task
 */
function surePoints({ points = [] }) {
	return points.filter(({ accesses, bytes, is_sure: isSure = true }) => isSure && accesses > 0 && bytes > 0);
}

/** @type {(knee: number, misses: number | null | undefined) => [number, number][]} */
const measuredPoint = (knee, misses) => isKnown(misses) ? [[knee, misses]] : [];

/**
 * What tasks miss of each level by their size: where that jumps is what the level holds.
 * @param {Found} panel @param {WorkingSets} own @param {string[]} levels
 */
function missesBySize(panel, { levels: caches = [], tasks }, levels) {
	const sized = tasks.flatMap((task) => task.knee_bytes ? [{ task, knee: task.knee_bytes }] : [])
		.sort((a, b) => a.knee - b.knee);
	const lines = levels.map((level, i) => ({
		level, className: LEVEL_CLASSES[i], cache: caches.find(({ name }) => name === level),
		points: sized.flatMap(({ task, knee }) => measuredPoint(knee, missesOf(task, level)?.measured_per_load)),
	})).filter(({ points }) => points.length > 1);
	if (!lines.length)
		return null;
	const sizes = [...sized.map(({ knee }) => knee), ...lines.flatMap(({ cache }) => cache?.bytes || [])];
	const plot = new Plot({
		width: panel.room(560), height: 220,
		x: { from: Math.min(...sizes) / 2, to: Math.max(...sizes) * 2, isLog: true, base: 4, format: formatBytes, title: "working set" },
		y: { from: 0, to: Math.max(1, ...lines.flatMap(({ points }) => points.map(([, misses]) => misses))) * 1.05,
			format: (misses) => formatPercent(misses), title: "misses per load" },
		label: `Misses per load by working set: ${lines.map(({ level, points }) => `${level} ${points.map(([bytes, misses]) =>
			`${formatPercent(misses)} at ${formatBytes(bytes)}`).join(", ")}`).join("; ")}`,
	});
	for (const { level, cache } of lines)
		if (cache?.bytes)
			plot.rule("x", cache.bytes, `${level} ${formatBytes(cache.bytes)}`, "capacity");
	for (const { points, className } of lines) {
		plot.line(points, className);
		for (const [bytes, misses] of points)
			plot.dot(bytes, misses, className);
	}
	return element("div", { class: "figures plot-figures" },
		element("div", { class: "figures-head" }, term("measured misses", "Misses per load"), " by working set, a point for each task"),
		plot.element,
		element("div", { class: "legend plot-legend" }, ...lines.map(({ level, className, cache }) =>
			element("span", {}, curveSwatch(className), level, heldWords(cache)))));
}

/**
 * ", holds 20 KiB, but not 48 KiB"
 * @param {CacheLevel | undefined} level
 */
function heldWords(level) {
	if (!level)
		return "";
	const { holds_bytes: held, holds_not_bytes: notHeld } = level;
	return [held ? `, holds ${formatBytes(held)}` : "", notHeld ? `, ${held ? "but " : "holds "}not ${formatBytes(notHeld)}` : ""].join("");
}

/**
 * How much memory each task touches within so many accesses, against what the caches hold.
 * @param {Found} panel @param {WorkingSets} own
 */
function workingSetCurves(panel, { levels = [], tasks }) {
	const shown = tasks.filter((task) => surePoints(task).length).slice(0, TASK_CLASSES.length);
	const points = shown.flatMap(surePoints);
	if (!points.length)
		return null;
	/** @param {number[]} values */
	const range = (values) => [Math.min(...values), Math.max(...values)];
	const knees = shown.flatMap(({ knee_bytes: knee, knee_accesses: accesses }) => knee && accesses || []);
	const [least, most] = range([...points.map(({ accesses }) => accesses), ...knees]);
	const [small, large] = range([...points.map(({ bytes }) => bytes), ...levels.map(({ bytes }) => bytes)]);
	const plot = new Plot({
		width: panel.room(560), height: 260,
		x: { from: least, to: Math.max(most, least * 2), isLog: true, format: formatShort, title: "accesses" },
		y: { from: small / 1.5, to: large * 2, isLog: true, base: 4, format: formatBytes, title: "memory touched" },
		label: `Working set: ${shown.map((task) => `${task.name} up to ${
			formatBytes(Math.max(...surePoints(task).map(({ bytes }) => bytes)))}`).join(", ")}`,
	});
	for (const { name, bytes } of levels)
		plot.rule("y", bytes, `${name} ${formatBytes(bytes)}`, "capacity");
	shown.forEach((task, i) => {
		if (task.knee_bytes && task.knee_accesses)
			plot.dot(task.knee_accesses, task.knee_bytes, TASK_CLASSES[i]);
	});
	shown.forEach((task, i) => plot.line(surePoints(task)
		.map(({ accesses, bytes }) => [accesses, bytes]), TASK_CLASSES[i]));
	return element("div", { class: "figures plot-figures" },
		element("div", { class: "figures-head" }, term("working set", "Working set"), " against the caches"),
		plot.element,
		element("div", { class: "legend plot-legend" }, ...shown.map(({ name, knee_bytes: knee }, i) =>
			element("span", {}, curveSwatch(TASK_CLASSES[i]), name,
				...knee ? [", ", term("knee"), ` at ${formatBytes(knee)}`] : [])),
			tasks.length > shown.length ? element("span", {}, `${tasks.length - shown.length} more in the table`) : null));
}
