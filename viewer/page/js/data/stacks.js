// SPDX-License-Identifier: GPL-2.0
/*
 * Call stacks by their callers, and what belongs to them in a stretch of time. What is weighed is said in
 * viewer/analysis/stacks/stack_weights.h.
 */
import { FRAME_INLINED, FRAME_KERNEL, STATE } from "./codes.js";
import { lastAtMost } from "./row_search.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./owners.js").Thread} Thread */
/** @typedef {"off-cpu" | "on-cpu" | "misses" | "wakers"} StacksOf */
/** @typedef {"all" | "slowest" | "others"} Instances of a task: the slowest tenth of them, or the others */
/**
 * What to weigh: of one thread, or of the session (-1); inside of spans of a name, or of all time (-1).
 * @typedef {{
 *	of: StacksOf, event: number, from: number, to: number, thread: number, task: number, instances: Instances,
 * }} StackScope
 */
/** @typedef {{cause: number, user: number, kernel: number, weight: number, nr: number}} StackWeight */
/** @typedef {[from: number, to: number]} Stretch */
/**
 * A function, or what was waited for, with all that it calls; self: without. parent is a node, or -1.
 * @typedef {{
 *	name: string, object: string, kind: "cause" | "user" | "inlined" | "kernel", parent: number, children: number[],
 *	weight: number, self: number, nr: number,
 * }} StackNode
 */
/** @typedef {{nodes: StackNode[], roots: number[], weight: number, nr: number, without: number}} StackTree */

const SLOWEST_SHARE = 0.1;
const NOT_TOLD = "[stack is not in the trace]";

/** @type {Set<number>} */
const BLOCKED = new Set([STATE.SLEEPING, STATE.UNINTERRUPTIBLE, STATE.STOPPED]);

/**
 * Whether the page has any stacks. Row 0 is none.
 * @param {Store} store
 */
export const hasStacks = (store) => store.pages.rest.frames.rows > 1;

/**
 * The clock whose samples are a profile: they tell where time on a CPU goes, and their periods are ns.
 * @param {Store} store
 */
export const profileOf = (store) => store.events.find((event) => event.clock && !event.counted && !event.error) || null;

/**
 * Whether it is time off the CPU, whose outermost level is what was waited for.
 * @param {StacksOf} of
 */
const hasCauses = (of) => of === "off-cpu" || of === "wakers";

/** What of one key belongs together. */
class Weights {
	constructor() {
		/** @type {Map<string, StackWeight>} */
		this.rows = new Map();
		this.without = 0;
	}

	/** @param {number} cause @param {number} user @param {number} kernel @param {number} weight */
	add(cause, user, kernel, weight) {
		if (!user && !kernel) {
			this.without += weight;
			return;
		}
		const key = `${cause} ${user} ${kernel}`;
		const row = this.rows.get(key);
		if (row) {
			row.weight += weight;
			row.nr++;
		} else {
			this.rows.set(key, { cause, user, kernel, weight, nr: 1 });
		}
	}
}

/**
 * From which length on an instance is one of the slowest tenth, of which there is at least one.
 * @param {Thread[]} threads @param {StackScope} scope
 */
function slowLength(threads, { task, instances, from, to }) {
	/** @type {number[]} */
	const lengths = [];
	for (const { spans } of instances === "all" ? [] : threads)
		for (let row = 0; row < spans.rows; row++)
			if (spans.name[row] === task && spans.end[row] > from && spans.start[row] < to)
				lengths.push(spans.end[row] - spans.start[row]);
	lengths.sort((a, b) => b - a);
	return lengths[Math.max(Math.floor(lengths.length * SLOWEST_SHARE), 1) - 1] ?? 0;
}

/**
 * The stretches of [from, to] in which a thread is in a span of that name; nested ones are one.
 * @param {Thread} thread @param {StackScope} scope @param {number} slow length of the slowest instances, at least
 * @returns {Stretch[]}
 */
function stretchesOf({ spans }, { task, from, to, instances }, slow) {
	if (task < 0)
		return [[from, to]];
	/** @type {Stretch[]} */
	const stretches = [];
	for (let row = 0; row < spans.rows; row++) {
		const start = Math.max(spans.start[row], from);
		const end = Math.min(spans.end[row], to);
		const last = stretches[stretches.length - 1];
		const isSlow = spans.end[row] - spans.start[row] >= slow;
		if (spans.name[row] !== task || end <= start || (instances !== "all" && isSlow !== (instances === "slowest")))
			continue;
		if (last && start <= last[1])
			last[1] = Math.max(last[1], end);
		else
			stretches.push([start, end]);
	}
	return stretches;
}

/**
 * How much of [start, end] lies in the stretches.
 * @param {Stretch[]} stretches @param {number} start @param {number} end
 */
function overlap(stretches, start, end) {
	let ns = 0;
	for (const [from, to] of stretches)
		ns += Math.max(Math.min(end, to) - Math.max(start, from), 0);
	return ns;
}

/** @param {Thread} thread @param {(state: number, start: number, end: number) => void} each */
function walkStates({ states }, each) {
	for (let row = 0; row < states.rows; row++)
		each(states.state[row], states.start[row], row + 1 < states.rows ? states.start[row + 1] : states.end);
}

/**
 * The stack of who ended a sleep; 0: not known.
 * @param {Thread} thread @param {number} start @param {number} end
 */
export function wakerStack({ wakerStacks }, start, end) {
	const at = lastAtMost(wakerStacks.start, end);
	return at >= 0 && wakerStacks.start[at] > start ? wakerStacks.stack[at] : 0;
}

/** @param {Weights} weights @param {Thread} thread @param {Stretch[]} stretches @param {StacksOf} of */
function weighOffCpu(weights, thread, stretches, of) {
	const { stackPoints: points, causes } = thread;
	walkStates(thread, (state, start, end) => {
		const ns = BLOCKED.has(state) ? overlap(stretches, start, end) : 0;
		if (!ns)
			return;
		const row = lastAtMost(causes.start, start);
		const cause = row >= 0 && causes.start[row] === start ? causes.cause[row] : 0;
		const at = lastAtMost(points.start, start);
		const isThere = at >= 0 && points.start[at] === start;
		if (of === "wakers")
			weights.add(cause, wakerStack(thread, start, end), 0, ns);
		else
			weights.add(cause, isThere ? points.user[at] : 0, isThere ? points.kernel[at] : 0, ns);
	});
}

/** @param {Weights} weights @param {Thread} thread @param {Stretch[]} stretches */
function weighOnCpu(weights, thread, stretches) {
	const { stackPoints: points } = thread;
	/** @param {number} user @param {number} kernel @param {number} start @param {number} end */
	const add = (user, kernel, start, end) => {
		const ns = overlap(stretches, start, end);
		if (ns)
			weights.add(0, user, kernel, ns);
	};
	walkStates(thread, (state, start, end) => {
		if (state !== STATE.RUNNING)
			return;
		let from = start;
		for (let at = lastAtMost(points.start, start) + 1; at < points.rows && points.start[at] <= end; at++) {
			add(points.user[at], points.kernel[at], from, points.start[at]);
			from = points.start[at];
		}
		add(0, 0, from, end);
	});
}

/** @param {Weights} weights @param {Store} store @param {number} event @param {Map<number, Stretch[]>} stretches */
function weighSamples(weights, { events, samples }, event, stretches) {
	/* Of instructions, how many a sample stands for is not known. */
	const isRatio = events[event].ratio;
	for (let row = 0; row < samples.rows; row++) {
		const own = samples.event[row] === event && stretches.get(samples.thread[row] - 1);
		const ns = samples.start[row];
		if (own && own.some(([from, to]) => from <= ns && ns <= to))
			weights.add(0, samples.stack[row], 0, isRatio ? 1 : samples.period[row]);
	}
}

/** @param {Store} store @param {StackScope} scope */
function weigh(store, scope) {
	const weights = new Weights();
	const clock = scope.of === "on-cpu" ? profileOf(store) : null;
	/** @type {Map<number, Stretch[]>} */
	const stretches = new Map();
	const threads = store.threads.filter(({ index, session }) => scope.thread >= 0 ? index === scope.thread : session);
	const slow = slowLength(threads, scope);
	for (const thread of threads) {
		const own = stretchesOf(thread, scope, slow);
		stretches.set(thread.index, own);
		if (hasCauses(scope.of))
			weighOffCpu(weights, thread, own, scope.of);
		else if (scope.of === "on-cpu" && !clock)
			weighOnCpu(weights, thread, own);
	}
	if (scope.of === "misses" || clock)
		weighSamples(weights, store, clock ? clock.index : scope.event, stretches);
	return weights;
}

/**
 * The rows of a stack's frames, the outermost first.
 * @param {ArrayLike<number>} parents @param {number} frame
 */
function framesOf(parents, frame) {
	/** @type {number[]} */
	const frames = [];
	for (let at = frame; at; at = parents[at])
		frames.push(at);
	return frames.reverse();
}

/**
 * A stack in one line: its functions, the innermost first.
 * @param {Store} store @param {number} stack
 */
export function stackText(store, stack) {
	const { frames } = store.pages.rest;
	return framesOf(frames.parent, stack).reverse()
		.map((frame) => frames.symbol[frame] ? store.string(frames.symbol[frame]) : NOT_TOLD).join(" < ");
}

/** Grows a tree, stack by stack. */
class Grower {
	/** @param {Store} store */
	constructor(store) {
		this.store = store;
		this.frames = store.pages.rest.frames;
		/** @type {StackNode[]} */
		this.nodes = [];
		/** @type {number[]} */
		this.roots = [];
		/** @type {Map<string, number>} */
		this.places = new Map();
	}

	/** @param {number} parent @param {string} key @param {() => Pick<StackNode, "name" | "object" | "kind">} made */
	need(parent, key, made) {
		const place = `${parent} ${key}`;
		let node = this.places.get(place);
		if (node === undefined) {
			node = this.nodes.length;
			this.places.set(place, node);
			this.nodes.push({ ...made(), parent, children: [], weight: 0, self: 0, nr: 0 });
			(parent < 0 ? this.roots : this.nodes[parent].children).push(node);
		}
		return node;
	}

	/** @param {number} parent @param {number} frame */
	needFrame(parent, frame) {
		const { frames, store } = this;
		const flags = frames.flags[frame];
		return this.need(parent, `${frames.symbol[frame]} ${frames.object[frame]}`, () => ({
			name: frames.symbol[frame] ? store.string(frames.symbol[frame]) : NOT_TOLD,
			object: frames.object[frame] ? store.string(frames.object[frame]) : "",
			kind: flags & FRAME_KERNEL ? "kernel" : flags & FRAME_INLINED ? "inlined" : "user",
		}));
	}

	/** @param {StackWeight} row @param {boolean} byCause */
	add({ cause, user, kernel, weight, nr }, byCause) {
		const { parent: parents } = this.frames;
		let node = byCause ? this.need(-1, `cause ${cause}`, () => ({
			name: cause ? this.store.string(cause) : "unknown", object: "", kind: "cause",
		})) : -1;
		for (const frame of [...framesOf(parents, user), ...framesOf(parents, kernel)])
			node = this.needFrame(node, frame);
		this.nodes[node].self += weight;
		for (; node >= 0; node = this.nodes[node].parent) {
			this.nodes[node].weight += weight;
			this.nodes[node].nr += nr;
		}
	}
}

/**
 * Of what is loaded. Siblings stand with the heaviest first.
 * @param {Store} store
 * @param {StackScope} scope
 * @returns {StackTree}
 */
export function stackTree(store, scope) {
	const { rows, without } = weigh(store, scope);
	const grower = new Grower(store);
	for (const row of rows.values())
		grower.add(row, hasCauses(scope.of));
	const { nodes, roots } = grower;
	/** @param {number} a @param {number} b */
	const byWeight = (a, b) => nodes[b].weight - nodes[a].weight;
	for (const list of [roots, ...nodes.map(({ children }) => children)])
		list.sort(byWeight);
	/** @param {"weight" | "nr"} what */
	const sum = (what) => roots.reduce((all, node) => all + nodes[node][what], 0);
	return { nodes, roots, weight: sum("weight"), nr: sum("nr"), without };
}
