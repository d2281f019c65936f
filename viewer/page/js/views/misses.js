// SPDX-License-Identifier: GPL-2.0
/*
 * Where and why it misses: after switches, in sets that conflict, in lines that are shared, and for
 * want of capacity.
 */
const CURVE_CLASSES = { same: "curve-a", "other program": "curve-b", migration: "curve-c" };
const CURVE_NAMES = {
	same: "after resuming on the same CPU", "other program": "after another program ran there",
	migration: "after a migration",
};
const MOST_OF_ERRORS = 1.4;	/* so much higher than the curves is the drawing */
const TASK_CLASSES = ["curve-a", "curve-b", "curve-c", "curve-d"];

const missesView = {
	name: "misses",
	title: "Misses",
	hint: "Cache misses after switches, set conflicts, false sharing, working sets",
	has: (analysis) => missParts(analysis).length > 0,
	nodes: (panel) => missParts(panel.analysis).map((nodes) => nodes(panel)),
};

/* What makes the nodes of each part that has anything. */
function missParts(analysis) {
	const parts = [];
	const has = (name, list, nodes) => {
		const own = analysis.part(name);
		if (own && own[list] && own[list].length)
			parts.push((panel) => nodes(panel, own));
	};
	has("switch_misses", "curves", switchMisses);
	has("set_conflicts", "rows", setConflicts);
	has("false_sharing", "rows", falseSharing);
	has("working_set", "tasks", workingSets);
	return parts;
}

function switchMisses(panel, own) {
	const curves = own.curves.filter(({ rate_per_us: rates }) => rates.some((rate) => rate !== null));
	return element("div", { class: "tables" },
		element("div", { class: "figures plot-figures" },
			element("div", { class: "figures-head" }, `${own.event} after a thread was switched in (by ${own.from})`),
			curves.length ? switchCurves(panel, { ...own, curves }) : null, curveLegend(curves)),
		excessTable(panel, own));
}

/* Each value stands in the middle of its stretch of time; errors may reach beyond the drawing. */
function switchCurves(panel, { event, bins_us: edges, curves, warm_rate_per_us: warm }) {
	const highest = Math.max(...curves.flatMap(({ rate_per_us: rates }) => rates), warm || 0) * MOST_OF_ERRORS || 1;
	const plot = new Plot({
		width: panel.room(560), height: 240,
		x: { from: 0, to: edges.at(-1), format: (us) => shortTime(us * 1e3) === "0 ns" ? "0" : shortTime(us * 1e3),
			title: "time since switched in" },
		y: { from: 0, to: highest, format: formatShort, title: "per µs" },
		label: `${event} per microsecond since the switch: ${curves.map(({ after, rate_per_us: rates }) =>
			`${CURVE_NAMES[after] || after} from ${formatShort(rates[0] || 0)} to ${
				formatShort(rates.at(-1) || 0)}`).join("; ")}`,
	});
	for (const { after, rate_per_us: rates, error } of curves) {
		const className = CURVE_CLASSES[after] || "curve-d";
		const known = rates.map((rate, i) => ({ rate, slack: error && error[i] || 0,
			us: (edges[i] + edges[i + 1]) / 2 })).filter(({ rate }) => rate !== null);
		plot.band(known.map(({ us, rate, slack }) => [us, Math.max(rate - slack, 0),
			Math.min(rate + slack, highest)]), className);
		plot.line(known.map(({ us, rate }) => [us, rate]), className);
	}
	if (warm !== null && warm !== undefined)
		plot.rule("y", warm, `warm rate ${formatShort(warm)}`);
	return plot.element;
}

function curveLegend(curves) {
	return element("div", { class: "legend plot-legend" }, ...curves.map(({ after, switches }) =>
		element("span", {}, curveSwatch(CURVE_CLASSES[after] || "curve-d"),
			`${CURVE_NAMES[after] || after} (${counted(switches, "switch").replace("switchs", "switches")})`)),
		element("span", {}, element("span", { class: "swatch rule-swatch" }), term("warm rate")));
}

/* A piece of the line: its dashes tell it apart, too. */
function curveSwatch(className) {
	return shape("svg", { class: "plot swatch-line", width: 26, height: 10, "aria-hidden": "true" },
		shape("line", { class: `line ${className}`, x1: 1, x2: 25, y1: 5, y2: 5 }));
}

/* Of all tasks, and of each. */
function excessTable(panel, { excess = [], tasks = [] }) {
	const rows = [{ task: "all tasks", excess }, ...tasks].flatMap(({ task, excess: own }) =>
		own.map((row) => ({ ...row, task: task || "outside of tasks" })))
		.filter((row) => row.per_switch !== null && row.switches !== 0);
	if (!rows.length)
		return null;
	return panel.table("Excess misses", [
		{ name: "after", value: ({ after }) => after, nodes: ({ after }) =>
			[curveSwatch(CURVE_CLASSES[after] || "curve-d"), CURVE_NAMES[after] || after] },
		textColumn("task", ({ task }) => task),
		maybeCount("switches", ({ switches }) => switches),
		column("per switch", (row) => row.per_switch, (row) =>
			`${formatShort(row.per_switch)} [${formatShort(row.low)}, ${formatShort(row.high)}]`),
		maybeTime("time per switch", (row) => row.ns_per_switch),
		column("p value", (row) => row.p_value ?? 1, (row) => formatChance(row.p_value)),
	], rows);
}

function formatChance(value) {
	if (value === null || value === undefined)
		return "";
	return value < 1e-4 ? "<0.0001" : String(Number(value.toPrecision(2)));
}

const verdict = (is, words) => is ? element("span", { class: "tag tag-alarm" }, words) : null;

function setConflicts(panel, { rows, left_out: leftOut }) {
	return element("div", {}, panel.table("Set conflicts", [
		{ name: "symbol", value: (row) => row.symbol || "", nodes: (row) => [row.symbol || "?",
			verdict(row.is_conflict, "conflict")].filter(Boolean) },
		textColumn("source", (row) => row.line || row.object || ""),
		textColumn("event", (row) => row.event || ""),
		countColumn("samples", (row) => row.samples),
		textColumn("cache", (row) => row.level ? `L${row.level}` : ""),
		maybeCount("sets", (row) => row.sets),
		column("set span", (row) => row.span_bytes || 0, (row) => row.span_bytes ? formatBytes(row.span_bytes) : "", "bytes"),
		maybeShare("agreeing", (row) => row.agreeing),
		maybeShare("expected", (row) => row.expected),
		column("p value", (row) => row.p_value ?? 1, (row) => formatChance(row.p_value)),
	], rows), leftOutNote(leftOut, "instructions"));
}

function falseSharing(panel, { rows, left_out: leftOut }) {
	return element("div", {}, panel.table("Lines that several CPUs use", [
		{ name: "line", value: (row) => String(row.symbol || row.address), nodes: (row) => [
			String(row.symbol || row.address), verdict(row.is_false_sharing, "false sharing")].filter(Boolean) },
		textColumn("address", (row) => String(row.address ?? "")),
		textColumn("CPUs", (row) => (row.cpus || []).join(", ")),
		textColumn("threads", (row) => (row.tids || []).join(", ")),
		countColumn("samples", (row) => row.samples),
		countColumn("stores", (row) => row.stores),
	], rows), leftOutNote(leftOut, "lines"));
}

/* How much memory each task touches within so many accesses, against what the caches hold. */
function workingSets(panel, { levels = [], tasks }) {
	const shown = tasks.filter(({ points }) => points && points.length).slice(0, TASK_CLASSES.length);
	const points = shown.flatMap((task) => task.points).filter(({ accesses, bytes }) => accesses > 0 && bytes > 0);
	if (!points.length)
		return null;
	const range = (values) => [Math.min(...values), Math.max(...values)];
	const [least, most] = range(points.map(({ accesses }) => accesses));
	const [small, large] = range([...points.map(({ bytes }) => bytes), ...levels.map(({ bytes }) => bytes)]);
	const plot = new Plot({
		width: panel.room(560), height: 260,
		x: { from: least, to: Math.max(most, least * 2), isLog: true, format: formatShort, title: "accesses" },
		y: { from: small / 1.5, to: large * 2, isLog: true, base: 4, format: formatBytes, title: "memory touched" },
		label: `Working set: ${shown.map((task) => `${task.name} up to ${
			formatBytes(Math.max(...task.points.map(({ bytes }) => bytes)))}`).join(", ")}`,
	});
	for (const { name, bytes } of levels)
		plot.rule("y", bytes, `${name} ${formatBytes(bytes)}`, "capacity");
	shown.forEach((task, i) => plot.line(task.points.filter(({ accesses, bytes }) => accesses > 0 && bytes > 0)
		.map(({ accesses, bytes }) => [accesses, bytes]), TASK_CLASSES[i]));
	return element("div", { class: "figures plot-figures" },
		element("div", { class: "figures-head" }, term("working set", "Working set"), " against the caches"),
		plot.element,
		element("div", { class: "legend plot-legend" }, ...shown.map(({ name }, i) =>
			element("span", {}, curveSwatch(TASK_CLASSES[i]), name))));
}
