// SPDX-License-Identifier: GPL-2.0
/*
 * Call stacks as a flame graph, the outermost caller at the top: time off the CPU by what was waited for, time on a
 * CPU, or samples; of the session or of a thread, of a task or its slowest instances, of the whole trace, the time in
 * sight, or the selected range. Two of them can be compared.
 *
 * The state is WHAT.THREAD.TASK.FROM.TO.NODE.INSTANCES, in numbers; an empty one is all. NODE fills the width.
 */
import { hasStacks, stackTree } from "../data/stacks.js";
import { threadName } from "../data/texts.js";
import { formatCount, formatDuration, formatPercent, formatTime } from "../data/units.js";
import { hashString, NAME_COLOURS } from "../draw/palette.js";
import { element } from "../ui/dom.js";
import { FLAME_TAB } from "../ui/view_parts.js";

/** @typedef {import("../data/stacks.js").Instances} Instances */
/** @typedef {import("../data/stacks.js").StackNode} StackNode */
/** @typedef {import("../data/stacks.js").StackScope} StackScope */
/** @typedef {import("../data/stacks.js").StackTree} StackTree */
/** @typedef {import("../data/stacks.js").StacksOf} StacksOf */
/** @typedef {import("../ui/dom.js").Child} Child */
/** @typedef {import("../ui/analysis.js").Finding} Finding */
/** @typedef {import("../ui/panel.js").Found} Found */
/** @typedef {import("../ui/panel.js").View} View */
/** @typedef {import("../data/store.js").Store} Store */

/** @typedef {{title: string, of: StacksOf, event: number, isTime: boolean}} What */
/** @typedef {{node: number, left: number, width: number, depth: number}} FlameBox left and width of 1; node -1: all */
/** @typedef {{title: string, shares: Map<string, number>}} Base what others are compared with: shares by path */

const FLAME_ROW = 19;
const LEAST_FLAME_SHARE = 0.0008;
const MOST_CHOICES = 200;	/* of threads, of tasks */
const SEPARATOR = "\u0000";
const PARTS = { what: 0, thread: 1, task: 2, from: 3, to: 4, node: 5, instances: 6 };

/** @type {{title: string, instances: Instances}[]} */
const INSTANCES = [
	{ title: "all instances", instances: "all" },
	{ title: "the slowest 10 %", instances: "slowest" },
	{ title: "the other 90 %", instances: "others" },
];

/* Findings that are about what runs, not about what waits. */
const MISS_KINDS = new Set(["switch-misses", "set-conflicts", "false-sharing", "working-set"]);
const CPU_KINDS = new Set(["imbalance", "serialisation", "serial-share", "loop-schedule", "spin-waste", "task-granularity",
	"frequency-drop", "smt-sharing"]);

/** @type {WeakMap<object, Base>} */
const bases = new WeakMap();
/** @type {WeakMap<object, string>} */
const searches = new WeakMap();

/** @type {View} */
export const flameGraphView = {
	name: FLAME_TAB,
	title: "Flame graph",
	hint: "Call stacks: which callers time off and on the CPU and misses belong to",
	has: (analysis, { store }) => hasStacks(store),
	nodes(panel) {
		const graph = new FlameGraph(panel);
		return [graph.controls(), graph.flame()];
	},
};

/** @param {Store} store @returns {What[]} */
function whatThereIs(store) {
	return [
		{ title: "Off CPU", of: "off-cpu", event: 0, isTime: true },
		{ title: "On CPU", of: "on-cpu", event: 0, isTime: true },
		...store.events.filter((event) => !event.counted && !event.error && !event.clock).map((event) =>
			/** @type {What} */ ({ title: event.name, of: "misses", event: event.index, isTime: false })),
		{ title: "Off CPU, by who ended it", of: "wakers", event: 0, isTime: true },
	];
}

/**
 * The state that shows the stacks of a finding: of what it is about, in its time, and of its thread if it has only one.
 * @param {Store} store
 * @param {Finding} finding
 */
export function flameStateOf(store, { kind, evidence: { threads, from_ns: from, to_ns: to } }) {
	const of = MISS_KINDS.has(kind) ? "misses" : CPU_KINDS.has(kind) ? "on-cpu" : "off-cpu";
	const what = Math.max(whatThereIs(store).findIndex((own) => own.of === of), 0);
	return [what, threads.length === 1 ? threads[0] : "", "", Math.floor(from), Math.ceil(to)].join(".");
}

class FlameGraph {
	/** @param {Found} panel */
	constructor(panel) {
		this.panel = panel;
		this.store = panel.app.store;
		this.choices = whatThereIs(this.store);
		this.what = this.choices[this.part("what")] || this.choices[0];
		this.tree = stackTree(this.store, this.scope());
		this.base = bases.get(panel) || null;
		/** @type {HTMLElement | null} */
		this.element = null;
		const node = this.part("node");
		this.zoomed = this.tree.nodes[node] ? node : -1;
	}

	/** @param {keyof typeof PARTS} name @returns {number} -1: not told */
	part(name) {
		const text = this.panel.state.split(".")[PARTS[name]] || "";
		return /^\d+$/.test(text) ? Number(text) : -1;
	}

	/** @param {{[name in keyof typeof PARTS]?: number}} parts */
	change(parts) {
		/* Another graph has other nodes. */
		const kept = { node: -1, ...parts };
		const state = Object.keys(PARTS).map((name) => {
			const key = /** @type {keyof typeof PARTS} */ (name);
			const value = kept[key] ?? this.part(key);
			return value < 0 ? "" : String(value);
		});
		this.panel.change(state.join(".").replace(/\.+$/, ""));
	}

	/* Of no task there are none. */
	instances() {
		return this.part("task") < 0 ? INSTANCES[0] : INSTANCES[this.part("instances")] || INSTANCES[0];
	}

	/** @returns {StackScope} */
	scope() {
		const { store } = this;
		const { range } = this.panel.app;
		const from = this.part("from");
		const to = this.part("to");
		const { start, end } = range || { start: from < 0 ? 0 : from, end: to < 0 ? store.duration : to };
		return {
			of: this.what.of, event: this.what.event, thread: this.part("thread"), task: this.part("task"),
			instances: this.instances().instances,
			from: Math.max(start, store.from), to: Math.min(end, store.to),
		};
	}

	/** @param {number} weight */
	amount(weight) {
		return this.what.isTime ? formatDuration(weight) : formatCount(Math.round(weight));
	}

	/* --- what is shown --- */

	controls() {
		const { panel, store } = this;
		const tasks = store.head.span_names.slice(0, MOST_CHOICES);
		const threads = store.threads.filter(({ onCpu }) => onCpu > 0)
			.sort((a, b) => Number(b.session) - Number(a.session) || b.onCpu - a.onCpu).slice(0, MOST_CHOICES);
		return element("div", { class: "flame-controls" },
			this.choice("what", this.choices.map(({ title }, i) => [i, title]), Math.max(this.part("what"), 0)),
			this.choice("thread", [[-1, "all threads of the session"],
				...threads.map(({ index }) => /** @type {[number, string]} */ ([index, threadName(store, index)]))],
			this.part("thread")),
			tasks.length ? this.choice("task", [[-1, "in and outside of spans"],
				...[...new Set(tasks.map(([name]) => name))].map((name) =>
					/** @type {[number, string]} */ ([name, `in ${store.string(name)}`]))], this.part("task")) : null,
			this.part("task") < 0 ? null : this.choice("instances",
				INSTANCES.map(({ title }, i) => [i, title]), INSTANCES.indexOf(this.instances())),
			panel.app.range ? element("span", { class: "flame-time" }, "the selected time") : this.timeButtons(),
			this.search(), this.compareButtons(), this.status());
	}

	/**
	 * @param {"what" | "thread" | "task" | "instances"} name
	 * @param {[number, string][]} options
	 * @param {number} chosen
	 */
	choice(name, options, chosen) {
		const select = element("select", {
			"aria-label": name, "data-key": `flame ${name}`, onkeydown: (event) => event.stopPropagation(),
		}, ...options.map(([value, text]) => element("option", {
			value: String(value), selected: value === chosen ? "" : null,
		}, text)));
		select.addEventListener("change", () => this.change({ [name]: Number(select.value) }));
		return select;
	}

	timeButtons() {
		const { app } = this.panel;
		const isPart = this.part("from") >= 0;
		/** @param {string} text @param {string} title @param {boolean} isOn @param {() => void} onclick */
		const button = (text, title, isOn, onclick) => element("button", {
			type: "button", title, "aria-pressed": String(isOn), "data-key": `flame ${text}`, onclick,
		}, text);
		return element("span", { class: "flame-time" },
			button("whole trace", "Of all time", !isPart, () => this.change({ from: -1, to: -1 })),
			button("time in sight", "Of what the lanes show now", isPart, () => {
				const { start, end } = app.aim();
				this.change({ from: Math.max(Math.floor(start), 0), to: Math.max(Math.ceil(end), 0) });
			}));
	}

	search() {
		const { panel } = this;
		const input = element("input", {
			type: "search", class: "event-filter flame-search", placeholder: "Find functions",
			"aria-label": "Find functions", autocomplete: "off", spellcheck: "false", "data-key": "flame search",
			value: searches.get(panel) || "", onkeydown: (event) => event.stopPropagation(),
		});
		input.addEventListener("input", () => {
			searches.set(panel, input.value);
			this.highlight();
		});
		return input;
	}

	compareButtons() {
		const { panel, base } = this;
		/** @param {string} text @param {string} title @param {() => void} onclick */
		const button = (text, title, onclick) => element("button", {
			type: "button", title, "data-key": "flame compare", onclick,
		}, text);
		if (!base)
			return button("compare", "Remember this graph: the next ones tell by colours how their shares differ", () => {
				bases.set(panel, { title: this.title(), shares: this.shares() });
				panel.change(panel.state);
			});
		return element("span", { class: "flame-base" }, `against ${base.title} `,
			element("span", { class: "flame-more" }, "more"), " ", element("span", { class: "flame-less" }, "less"), " ",
			button("stop comparing", "Colours by name again", () => {
				bases.delete(panel);
				panel.change(panel.state);
			}));
	}

	/* What is shown, in a few words. */
	title() {
		const { store } = this;
		const { thread, task, from, to, instances } = this.scope();
		return [this.what.title, thread >= 0 ? threadName(store, thread) : "", task >= 0 ? `in ${store.string(task)}` : "",
			instances === "all" ? "" : this.instances().title,
			from > 0 || to < store.duration ? `${formatTime(from)} to ${formatTime(to)}` : ""].filter(Boolean).join(", ");
	}

	status() {
		const { tree, store } = this;
		const all = tree.weight + tree.without;
		return element("span", { class: "flame-status", role: "status" },
			`${this.amount(tree.weight)} with stacks`,
			tree.without ? `, ${formatPercent(tree.without / all)} of all without` : "",
			store.isWhole ? "" : "; of the time that is loaded");
	}

	flame() {
		const { tree, zoomed } = this;
		if (!tree.nodes.length)
			return element("p", { class: "nothing" }, "No stacks here.");
		/** @type {FlameBox[]} */
		const boxes = [{ node: -1, left: 0, width: 1, depth: 0 }];
		let depth = 1;
		/* What leads to the node stands above it, as wide. */
		for (const node of this.pathTo(zoomed))
			boxes.push({ node, left: 0, width: 1, depth: depth++ });
		this.place(boxes, this.childrenOf(zoomed),
			{ left: 0, depth, whole: Math.max(zoomed < 0 ? tree.weight : tree.nodes[zoomed].weight, 1) });
		const deepest = boxes.reduce((most, box) => Math.max(most, box.depth), 0);
		this.element = element("div", {
			class: "flame", role: "tree", "aria-label": "Call stacks, callers above what they call",
			style: { height: `${(deepest + 1) * FLAME_ROW}px` },
			onkeydown: (event) => this.flameKey(event),
		}, ...boxes.map((box) => this.box(box)));
		this.highlight();
		return element("div", { class: "figures flame-figures flame-stacks" }, this.element);
	}

	/** @param {number} node @returns {number[]} */
	childrenOf(node) {
		return node < 0 ? this.tree.roots : this.tree.nodes[node].children;
	}

	/** @param {number} node */
	pathTo(node) {
		/** @type {number[]} */
		const path = [];
		for (let own = node; own >= 0; own = this.tree.nodes[own].parent)
			path.unshift(own);
		return path;
	}

	/**
	 * @param {FlameBox[]} boxes
	 * @param {number[]} list
	 * @param {{left: number, depth: number, whole: number}} place
	 */
	place(boxes, list, { left, depth, whole }) {
		let at = left;
		for (const node of list) {
			const { weight, children } = this.tree.nodes[node];
			const width = weight / whole;
			if (width >= LEAST_FLAME_SHARE) {
				boxes.push({ node, left: at, width, depth });
				this.place(boxes, children, { left: at, depth: depth + 1, whole });
			}
			at += width;
		}
	}

	/** @param {FlameBox} box */
	box({ node, left, width, depth }) {
		const { tree, zoomed } = this;
		const own = tree.nodes[node];
		const name = own ? own.name : this.title();
		const share = own ? own.weight / Math.max(tree.weight, 1) : 1;
		const difference = own && this.base ? share - (this.base.shares.get(this.pathText(node)) || 0) : null;
		const said = own ? [`${name}${own.kind === "inlined" ? " (inlined)" : ""}: ${this.amount(own.weight)}, ${formatPercent(share)}`,
			`itself ${this.amount(own.self)}`, own.object,
			difference === null ? "" : `${difference < 0 ? "−" : "+"}${formatPercent(Math.abs(difference))} of all`,
		].filter(Boolean).join(", ") : `${name}: ${this.amount(tree.weight)}`;
		return element("button", {
			type: "button", role: "treeitem", class: `flame-box${own ? ` flame-${own.kind}` : ""}`,
			"data-key": `flame box ${node}`, "data-node": String(node), title: said, "aria-label": said,
			"aria-level": String(depth + 1), tabindex: node === zoomed ? "0" : "-1",
			style: {
				left: `${left * 100}%`, width: `${width * 100}%`, top: `${depth * FLAME_ROW}px`,
				background: own ? this.colour(own, difference) : "", color: difference === null ? "" : "#16181d",
			},
			onclick: () => this.change({ node }),
		}, name);
	}

	/** @param {StackNode} node @param {number | null} difference of shares; null: nothing is compared */
	colour({ name, kind }, difference) {
		if (difference !== null) {
			const percent = Math.min(Math.round(Math.sqrt(Math.abs(difference)) * 100), 100);
			return `color-mix(in srgb, var(--flame-${difference < 0 ? "less" : "more"}) ${percent}%, #e4e7ec)`;
		}
		return kind === "user" || kind === "inlined" ? NAME_COLOURS[hashString(name) % NAME_COLOURS.length] : "";
	}

	/* --- comparing --- */

	/** @param {number} node */
	pathText(node) {
		return this.pathTo(node).map((own) => this.tree.nodes[own].name).join(SEPARATOR);
	}

	shares() {
		const { nodes, weight } = this.tree;
		return new Map(nodes.map((own, node) => [this.pathText(node), own.weight / Math.max(weight, 1)]));
	}

	/* --- search, keys --- */

	/* Those whose name has what is searched. */
	highlight() {
		const text = (searches.get(this.panel) || "").toLowerCase();
		/** @param {number} node */
		const fits = (node) => Boolean(text) && node >= 0 && this.tree.nodes[node].name.toLowerCase().includes(text);
		for (const box of this.element ? this.element.children : [])
			if (box instanceof HTMLElement) {
				box.classList.toggle("flame-hit", fits(Number(box.dataset.node)));
				box.classList.toggle("flame-miss", Boolean(text) && !fits(Number(box.dataset.node)));
			}
	}

	/**
	 * Up to the caller, down to what it calls, and beside.
	 * @param {KeyboardEvent} event
	 */
	flameKey(event) {
		const own = event.target instanceof HTMLElement ? event.target.dataset.node : undefined;
		if (own === undefined || !event.key.startsWith("Arrow"))
			return;
		const node = Number(own);
		const beside = node < 0 ? [-1] : this.childrenOf(this.tree.nodes[node].parent);
		const at = beside.indexOf(node);
		const to = new Map([
			["ArrowUp", node < 0 ? undefined : this.tree.nodes[node].parent], ["ArrowDown", this.childrenOf(node)[0]],
			["ArrowLeft", beside[at - 1]], ["ArrowRight", beside[at + 1]],
		]).get(event.key);
		event.preventDefault();
		event.stopPropagation();
		const box = to === undefined ? null : this.element?.querySelector(`[data-node="${to}"]`);
		if (box instanceof HTMLElement)
			box.focus();
	}
}
