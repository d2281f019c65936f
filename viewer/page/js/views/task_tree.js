// SPDX-License-Identifier: GPL-2.0
/*
 * The tasks within tasks: as a flame graph, as wide as the time on CPU, and as a table. The state is
 * the number of the node that fills the width.
 */
import { formatRatio } from "../data/pmu.js";
import { counted, formatCount, formatDuration, formatPercent } from "../data/units.js";
import { hashString, NAME_COLOURS } from "../draw/palette.js";
import { element, swatch } from "../ui/dom.js";
import { column, countColumn, timeColumn } from "../ui/tables.js";
import { TreeTable } from "../ui/tree_table.js";
import { isKnown, maybeCount, turnsColumn } from "../ui/view_parts.js";

/** @typedef {import("../ui/panel.js").Found} Found */
/** @typedef {import("../ui/analysis.js").TaskNodes} TaskNodes */
/** @typedef {import("../ui/panel.js").View} View */
/** @typedef {import("../ui/analysis.js").TaskNode} TaskNode */

/** @typedef {{node: number, left: number, width: number, depth: number}} FlameBox left and width of 1; node -1: all */

const FLAME_ROW = 19;
const LEAST_FLAME_SHARE = 0.0008;

/** @type {View} */
export const taskTreeView = {
	name: "tasks",
	title: "Task tree",
	hint: "Tasks within tasks, and their time",
	analyses: ["task_tree"],
	has(analysis) {
		const own = analysis.part("task_tree");
		return Boolean(own && own.nodes.length);
	},
	nodes(panel) {
		const nodes = panel.analysis.part("task_tree");
		if (!nodes)
			return [];
		const tree = new TaskTree(panel, nodes);
		return [tree.flame(), tree.table()];
	},
};

/**
 * How often an event happened; an estimate, if it took turns with others.
 * @param {string} event @param {TaskNode[]} nodes
 * @returns {import("../ui/tables.js").FigureColumn<{own: TaskNode}>}
 */
function missColumn(event, nodes) {
	if (!nodes.some((own) => own.misses_error && event in own.misses_error))
		return maybeCount(event, ({ own }) => own.misses && own.misses[event]);
	return turnsColumn(event, ({ own }) => ({
		amount: own.misses?.[event] ?? null, error: own.misses_error?.[event] ?? null,
		share: own.misses_measured_share?.[event] ?? 0,
	}));
}

class TaskTree {
	/** @param {Found} panel @param {TaskNodes} tree */
	constructor(panel, { nodes, left_out: leftOut, threshold_pct: threshold }) {
		this.panel = panel;
		this.nodes = nodes;
		this.leftOut = leftOut;
		this.threshold = threshold;
		/** @type {number[][]} */
		this.children = nodes.map(() => []);
		/** @type {number[]} */
		this.roots = [];
		nodes.forEach(({ parent }, i) => (parent >= 0 ? this.children[parent] : this.roots).push(i));
		/** @param {number} a @param {number} b */
		const byTime = (a, b) => nodes[b].on_cpu_ns - nodes[a].on_cpu_ns;
		for (const list of [this.roots, ...this.children])
			list.sort(byTime);
		this.total = this.roots.reduce((sum, i) => sum + nodes[i].on_cpu_ns, 0);
	}

	/* The node that fills the width, or -1: all. */
	get zoomed() {
		const node = /^\d+$/.test(this.panel.state) ? Number(this.panel.state) : -1;
		return this.nodes[node] ? node : -1;
	}

	/** @param {number} node */
	pathTo(node) {
		/** @type {number[]} */
		const path = [];
		for (let own = node; own >= 0; own = this.nodes[own].parent)
			path.unshift(own);
		return path;
	}

	/* --- the flame graph --- */

	flame() {
		const { zoomed } = this;
		/** @type {FlameBox[]} */
		const boxes = [{ node: -1, left: 0, width: 1, depth: 0 }];
		let depth = 1;
		/* What leads to the node stands above it, as wide. */
		const path = this.pathTo(zoomed);
		for (const node of path)
			boxes.push({ node, left: 0, width: 1, depth: depth++ });
		const whole = zoomed < 0 ? this.total : this.nodes[zoomed].on_cpu_ns;
		this.place(boxes, zoomed < 0 ? this.roots : this.children[zoomed], { left: 0, depth, whole: Math.max(whole, 1) });
		const deepest = Math.max(...boxes.map((box) => box.depth));
		const flame = element("div", {
			class: "flame", role: "tree", "aria-label": "Tasks within tasks, as wide as their time on CPU",
			style: { height: `${(deepest + 1) * FLAME_ROW}px` },
			onkeydown: (event) => this.flameKey(event),
		}, ...boxes.map((box) => this.box(box)));
		return element("div", { class: "figures flame-figures" },
			element("div", { class: "figures-head" }, "Time on CPU, tasks within tasks: a click fills the width"), flame);
	}

	/**
	 * @param {FlameBox[]} boxes
	 * @param {number[]} list
	 * @param {{left: number, depth: number, whole: number}} place
	 */
	place(boxes, list, { left, depth, whole }) {
		let at = left;
		for (const node of list) {
			const width = this.nodes[node].on_cpu_ns / whole;
			if (width >= LEAST_FLAME_SHARE) {
				boxes.push({ node, left: at, width, depth });
				this.place(boxes, this.children[node], { left: at, depth: depth + 1, whole });
			}
			at += width;
		}
	}

	/** @param {FlameBox} box */
	box({ node, left, width, depth }) {
		const { zoomed } = this;
		const own = this.nodes[node];
		const name = own ? own.name : "all tasks";
		const ns = own ? own.on_cpu_ns : this.total;
		const said = `${name}: ${formatDuration(ns)} on CPU, ${formatPercent(this.total ? ns / this.total : 0)}${
			own ? `, ${counted(own.instances, "instance")}` : ""}`;
		return element("button", {
			type: "button", role: "treeitem", class: `flame-box${own && own.kind === "wait" ? " swatch-wait" : ""}`,
			"data-key": `flame ${node}`, "data-node": String(node), title: said, "aria-label": said,
			"aria-level": String(depth + 1), tabindex: node === zoomed ? "0" : "-1",
			style: {
				left: `${left * 100}%`, width: `${width * 100}%`, top: `${depth * FLAME_ROW}px`,
				background: own && own.kind !== "wait" ? this.colour(name) : "",
			},
			onclick: () => this.panel.change(node < 0 ? "" : String(node)),
		}, name);
	}

	/**
	 * As the lanes have it.
	 * @param {string} name
	 */
	colour(name) {
		const { store, palette } = this.panel.app;
		const id = store.strings.indexOf(name);
		return id < 0 ? NAME_COLOURS[hashString(name) % NAME_COLOURS.length] : palette.ofName(id);
	}

	/**
	 * Up to the outer task, down to the inner, and beside.
	 * @param {KeyboardEvent} event
	 */
	flameKey(event) {
		const own = event.target instanceof HTMLElement ? event.target.dataset.node : undefined;
		if (own === undefined)
			return;
		const node = Number(own);
		const beside = node < 0 ? [-1] : this.siblings(node);
		const at = beside.indexOf(node);
		const inner = node < 0 ? this.roots : this.children[node];
		const to = new Map([
			["ArrowUp", node < 0 ? undefined : this.nodes[node].parent], ["ArrowDown", inner[0]],
			["ArrowLeft", beside[at - 1]], ["ArrowRight", beside[at + 1]],
		]).get(event.key);
		if (!event.key.startsWith("Arrow"))
			return;
		event.preventDefault();
		event.stopPropagation();
		const flame = event.target instanceof HTMLElement ? event.target.closest(".flame") : null;
		const box = to === undefined ? null : flame?.querySelector(`[data-node="${to}"]`);
		if (box instanceof HTMLElement)
			box.focus();
	}

	/** @param {number} node */
	siblings(node) {
		const { parent } = this.nodes[node];
		return parent < 0 ? this.roots : this.children[parent];
	}

	/* --- the table --- */

	table() {
		const events = [...new Set(this.nodes.flatMap(({ misses }) => Object.keys(misses || {})))];
		/** @type {{node: number, depth: number, own: TaskNode}[]} */
		const rows = [];
		/** @param {number[]} list @param {number} depth */
		const add = (list, depth) => {
			for (const node of list) {
				rows.push({ node, depth, own: this.nodes[node] });
				add(this.children[node], depth + 1);
			}
		};
		add(this.roots, 0);
		const hasMpki = this.nodes.some(({ mpki }) => isKnown(mpki));
		const table = new TreeTable("Task tree", [
			countColumn("instances", ({ own }) => own.instances),
			timeColumn("inclusive", ({ own }) => own.inclusive_ns),
			timeColumn("exclusive", ({ own }) => own.exclusive_ns),
			timeColumn("on CPU", ({ own }) => own.on_cpu_ns),
			timeColumn("exclusive on CPU", ({ own }) => own.exclusive_on_cpu_ns),
			timeColumn("preempted", ({ own }) => own.preempted_ns),
			...events.map((event) => missColumn(event, this.nodes)),
			...hasMpki ? [column("MPKI", ({ own }) => own.mpki ?? -1, ({ own }) =>
				isKnown(own.mpki) ? formatRatio(own.mpki, own.mpki_error) : "")] : [],
		], rows, ({ own }) => [own.kind === "wait" ? element("span", { class: "swatch swatch-wait" }) :
			swatch(this.colour(own.name)), own.name]);
		return element("div", {}, table.element(), this.leftOut ? element("p", { class: "note" },
			`${formatCount(this.leftOut)} more are below ${this.threshold ?? 1} % of the time: annot report --threshold has them.`) : null);
	}
}
