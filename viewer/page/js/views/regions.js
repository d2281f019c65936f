// SPDX-License-Identifier: GPL-2.0
/*
 * Parallel regions: how well the threads shared the work, who came last, and why. The state is
 * GROUP.INSTANCE, numbers of the analysis' lists.
 */
import { formatDuration, formatPercent, formatTime } from "../data/units.js";
import { threadOfRow } from "../ui/analysis.js";
import { element } from "../ui/dom.js";
import { countColumn, timeColumn } from "../ui/tables.js";
import { term, TERMS } from "../ui/terms.js";
import { factList, isKnown, known, leftOutNote, maybeShare, maybeTime, textColumn, threadColumn } from "../ui/view_parts.js";

/** @typedef {import("../ui/analysis.js").CriticalPath} CriticalPath */
/** @typedef {import("../ui/analysis.js").CriticalPaths} CriticalPaths */
/** @typedef {import("../ui/panel.js").Found} Found */
/** @typedef {import("../ui/analysis.js").RegionGroup} RegionGroup */
/** @typedef {import("../ui/analysis.js").RegionInstance} RegionInstance */
/** @typedef {import("../ui/analysis.js").RegionThread} RegionThread */
/** @typedef {import("../ui/analysis.js").Regions} Regions */
/** @typedef {import("../ui/panel.js").View} View */
/** @typedef {import("../ui/analysis.js").Stretch} Stretch */

/** @typedef {{group: number, instance: number}} Chosen numbers of the analysis' lists */

/** @type {[part: string, name: keyof typeof TERMS, ns: (row: RegionThread, instance: Stretch) => number][]} */
const PARTS_OF_TIME = [
	["late", "late start", ({ from_ns: from }, { from_ns: begin }) => Math.max(from - begin, 0)],
	["useful", "useful", (row) => row.useful_ns],
	["stolen", "stolen", (row) => row.stolen_ns || 0],
	["preempted", "preempted", (row) => row.preempted_ns],
	["runnable", "runnable", (row) => row.wakeup_ns],
	["blocked", "blocked", (row) => row.blocked_ns],
	["unknown", "unknown", (row) => row.unknown_ns],
	["waiting", "waiting", (row) => row.waiting_ns],
];

/** @type {View} */
export const regionsView = {
	name: "regions",
	title: "Regions",
	hint: "Parallel regions: load balance, and the last thread",
	analyses: ["regions", "critical_path"],
	has(analysis) {
		const regions = analysis.part("regions");
		return Boolean(regions && regions.groups.length);
	},
	nodes(panel) {
		const regions = panel.analysis.part("regions");
		if (!regions)
			return [];
		const chosen = chosenInstance(panel, regions);
		const instance = regions.instances[chosen.instance];
		return [
			regionTotals(regions.totals),
			element("div", { class: "columns" },
				element("div", { class: "column" },
					groupTable(panel, regions, chosen),
					instanceTable(panel, regions, chosen),
					leftOutNote(regions.left_out, "instances")),
				element("div", { class: "column" },
					instance ? instanceChart(panel, regions.groups[instance.group], instance) : null,
					...criticalPaths(panel, regions, instance))),
		];
	},
};

/**
 * That of the address; else the worst of its group.
 * @param {Found} panel @param {Regions} regions
 */
function chosenInstance({ state }, { groups, instances }) {
	const [group, instance] = state.split(".").map((text) => /^\d+$/.test(text) ? Number(text) : -1);
	const own = groups[group] ? group : 0;
	if (instances[instance] && instances[instance].group === own)
		return { group: own, instance };
	return { group: own, instance: worstInstance(instances, own) };
}

/** @param {RegionInstance[]} instances @param {number} group */
function worstInstance(instances, group) {
	let worst = -1;
	instances.forEach((own, i) => {
		if (own.group === group &&
		    (worst < 0 || own.imbalance_time_ns > instances[worst].imbalance_time_ns))
			worst = i;
	});
	return worst;
}

/** @param {Regions["totals"]} totals */
function regionTotals(totals) {
	/** @type {(name: string, value: number | null) => [string, string] | null} */
	const share = (name, value) => isKnown(value) ? [name, formatPercent(value)] : null;
	return factList([
		["session", formatDuration(totals.elapsed_ns)],
		["parallel", formatDuration(totals.parallel_ns)],
		["saved", formatDuration(totals.saved_ns), "saved by perfect balance"],
		["serial", formatDuration(totals.serial_ns)],
		share("parallel efficiency", totals.parallel_efficiency),
		share("load balance efficiency", totals.load_balance_efficiency),
		share("serialisation efficiency", totals.serialisation_efficiency),
		share("scheduling efficiency", totals.scheduling_efficiency),
	]);
}

/** @param {Found} panel @param {Regions} regions @param {Chosen} chosen */
function groupTable(panel, { groups, instances }, chosen) {
	/** @param {number} group */
	const choose = (group) => panel.change(`${group}.${worstInstance(instances, group)}`);
	return panel.table("Regions", [
		{ name: "region", value: ({ name }) => name, nodes: (row) => [
			element("button", { class: "link", type: "button", "data-key": `group ${groups.indexOf(row)}`,
				"aria-pressed": String(groups[chosen.group] === row), title: `Instances of ${row.name}`,
				onclick: () => choose(groups.indexOf(row)) }, row.name),
			row.kind === "serial" ? element("span", { class: "tag", title: TERMS.serial }, "serial") : null,
			row.is_barrier ? element("span", { class: "tag", title: TERMS["to barrier"] }, "to barrier") : null,
		].filter(Boolean) },
		countColumn("instances", (row) => row.instances),
		countColumn("threads", (row) => row.nr_threads),
		timeColumn("elapsed", (row) => row.elapsed_ns),
		maybeTime("saved", (row) => row.saved_ns),
		maybeShare("load balance", (row) => row.load_balance),
		maybeShare("imbalance %", (row) => row.imbalance_pct === null ? null : row.imbalance_pct / 100),
		maybeTime("imbalance time", (row) => row.imbalance_time_ns),
		maybeShare("parallel efficiency", (row) => row.parallel_efficiency),
	], groups);
}

/** @param {Found} panel @param {Regions} regions @param {Chosen} chosen */
function instanceTable(panel, { groups, instances }, chosen) {
	const rows = instances.filter(({ group }) => group === chosen.group);
	/** @param {RegionInstance} row */
	const go = (row) => {
		panel.change(`${chosen.group}.${instances.indexOf(row)}`);
		showInstance(panel, row);
	};
	return panel.table(`Instances of ${groups[chosen.group].name}`, [
		{ name: "start", unit: "ns", value: (row) => row.from_ns, nodes: (row) => [
			element("button", { class: "link", type: "button", title: "Show it",
				"data-key": `instance ${instances.indexOf(row)}`,
				"aria-pressed": String(instances[chosen.instance] === row),
				onclick: () => go(row) }, formatTime(row.from_ns))] },
		timeColumn("elapsed", (row) => row.to_ns - row.from_ns),
		maybeShare("load balance", (row) => row.load_balance),
		maybeTime("imbalance time", (row) => row.imbalance_time_ns),
		textColumn("last thread", (row) => row.last ? panel.threadName(row.last) : ""),
		textColumn("why", (row) => row.last ? row.last.why : ""),
	], rows);
}

/** @param {Found} panel @param {RegionInstance} instance */
function showInstance(panel, instance) {
	const rows = [...instance.threads];
	const { last } = instance;
	if (last)
		rows.sort((a, b) => Number(b.thread === last.thread) - Number(a.thread === last.thread));
	panel.show(instance, rows);
}

/**
 * What each thread did from the begin of the region to its end.
 * @param {Found} panel @param {RegionGroup} group @param {RegionInstance} instance
 */
function instanceChart(panel, group, instance) {
	const elapsed = Math.max(instance.to_ns - instance.from_ns, 1);
	const { last } = instance;
	return element("div", { class: "figures stacks" },
		element("div", { class: "figures-head" },
			element("strong", {}, group.name), ` at ${formatTime(instance.from_ns)}, ${formatDuration(elapsed)}`,
			element("button", { type: "button", class: "copy", title: "Zoom to this instance",
				onclick: () => showInstance(panel, instance) }, "show")),
		last ? element("p", { class: "sentence" }, last.text) : null,
		factList([
			["load balance", known(instance.load_balance, formatPercent)],
			["imbalance time", formatDuration(instance.imbalance_time_ns)],
			["imbalance %", known(instance.imbalance_pct, (percent) => formatPercent(percent / 100))],
			["parallel efficiency", known(instance.parallel_efficiency, formatPercent)],
			last && last.behind_ns ? ["behind", formatDuration(last.behind_ns), "last one behind by"] : null,
		]),
		element("div", { class: "stack-rows" }, ...instance.threads.map((row) =>
			stackRow(panel, instance, row, elapsed))),
		leftOutNote(instance.threads_left_out, "threads"),
		element("div", { class: "legend" }, ...PARTS_OF_TIME.map(([part, name]) =>
			element("span", {}, element("span", { class: `swatch part-${part}` }), term(name)))));
}

/** @param {Found} panel @param {RegionInstance} instance @param {RegionThread} row @param {number} elapsed */
function stackRow(panel, instance, row, elapsed) {
	const isLast = Boolean(instance.last && instance.last.thread === row.thread);
	const parts = PARTS_OF_TIME.map(([part, name, ns]) => ({ part, name, ns: ns(row, instance) || 0 }))
		.filter(({ ns }) => ns > 0);
	const spun = row.spinning_ns ? `, of which spinning ${formatDuration(row.spinning_ns)}` : "";
	const said = parts.map(({ name, ns }) => `${name} ${formatDuration(ns)}`).join(", ") + spun;
	return element("div", { class: "stack-row" },
		element("span", { class: "stack-name" }, ...panel.threadNodes(row, instance),
			isLast ? element("span", { class: "tag", title: TERMS["last thread"] }, "last") : null),
		element("button", {
			class: "stack", type: "button", title: said, "aria-label": `${panel.threadName(row)}: ${said}`,
			onclick: () => panel.show(instance, [row]),
		}, ...parts.map(({ part, ns }) => element("span", {
			class: `part part-${part}`, style: { width: `${ns / elapsed * 100}%` },
		}))),
		element("span", { class: "stack-figure", title: TERMS.useful }, formatDuration(row.useful_ns)));
}

/**
 * The chains that decide when the chosen instance ends, and the session: on the lanes, and what slack there is.
 * @param {Found} panel @param {Regions} regions @param {RegionInstance | undefined} instance
 */
function criticalPaths(panel, regions, instance) {
	const all = panel.analysis.part("critical_path");
	if (!all)
		return [];
	const own = instance ? pathOfInstance(all, regions, instance) : null;
	return [
		own && own.segments.length ? criticalPath(panel, own, `${own.group} at ${formatTime(own.from_ns)}`) :
			instance ? noPath(regions, instance) : null,
		all.segments.length ? criticalPath(panel, all, "the session") : null,
	];
}

/** @param {CriticalPaths} paths @param {Regions} regions @param {RegionInstance} instance */
function pathOfInstance({ worst_region: worst, other_regions: others = [] }, { groups }, instance) {
	return [worst, ...others].find((path) => path && path.group === groups[instance.group].name &&
		path.from_ns === instance.from_ns && path.to_ns === instance.to_ns);
}

/**
 * The page has those of the worst instances only.
 * @param {Regions} regions @param {RegionInstance} instance
 */
function noPath({ groups }, instance) {
	return element("p", { class: "note" }, `The critical path of this instance is not in the page: ` +
		`annot report --region "${groups[instance.group].name}:N" prints that of the Nth instance.`);
}

/** @param {Found} panel @param {CriticalPath} path @param {string} where */
function criticalPath(panel, path, where) {
	const { app } = panel;
	const segments = path.segments.map((row) => ({
		thread: threadOfRow(app.store, row), start: row.from_ns, end: row.to_ns,
	})).filter(({ thread }) => thread >= 0);
	return element("div", { class: "figures" },
		element("div", { class: "figures-head" },
			element("span", {}, term("critical path", "Critical path"), ` of ${where}, ${formatDuration(path.elapsed_ns)}`),
			element("button", { type: "button", class: "copy", title: `Draw the critical path of ${where} over the lanes`,
				onclick: () => app.evidence.showPath(segments, { start: path.from_ns, end: path.to_ns }) },
			"show on the lanes")),
		panel.table(`On the critical path of ${where}`, [
			threadColumn(panel, "thread"),
			timeColumn("on path", (row) => row.on_path_ns),
			maybeTime("slack", (row) => row.slack_ns),
		], path.threads),
		panel.table(`Steps of the critical path of ${where}`, [
			{ name: "start", unit: "ns", value: (row) => row.from_ns, nodes: (row) => [
				app.details.goButton(formatTime(row.from_ns), () => panel.show(row, [row]), "Show it")] },
			timeColumn("duration", (row) => row.to_ns - row.from_ns),
			textColumn("thread", (row) => panel.threadName(row)),
			textColumn("state", (row) => row.waits_for ? `${row.kind} on ${row.waits_for}` : row.kind),
			textColumn("task", (row) => row.task || ""),
			textColumn("begins by", (row) => row.cause),
		], path.segments),
		leftOutNote(path.left_out, "steps"));
}
