// SPDX-License-Identifier: GPL-2.0
/*
 * What there is to say of an item.
 */
import {
	BLOCK_FAILED, BLOCK_OPEN_BEGIN, BLOCK_OPEN_END, GAP_MISSING, IDLE_OPEN_BEGIN, IDLE_OPEN_END, INTERRUPT_KINDS, INTERRUPT_OPEN_END, INTERRUPT_STEALS, KERNEL, KERNEL_HAS_VALUE, KERNEL_MARK,
	KERNEL_NAMES, KERNEL_OPEN_BEGIN, KERNEL_OPEN_END, KERNEL_TEXTLESS, MARK_HAS_VALUE, MARK_IS_COUNTER,
	MESSAGE_CONTRADICTORY, SPAN_HAS_VALUE, SPAN_OPEN_END, SPAN_WAIT, STATE, STATE_NAMES,
} from "../data/codes.js";
import { requestText } from "../data/devices.js";
import { slotRows, stateItem, timeOf } from "../data/items.js";
import { callAt, messagesIn, receivedAt, receiveOf, sendOf, sentAt } from "../data/messages.js";
import {
	amountFacts, formatAddress, pmuFacts, SAMPLE_HAS_ADDR, SAMPLE_HAS_WEIGHT, SAMPLE_HIDDEN,
	SAMPLE_USER,
} from "../data/pmu.js";
import { frequencyIn, frequencyText, idleName } from "../data/power.js";
import { rateOf, rateText } from "../data/uncore.js";
import { lastAtMost } from "../data/row_search.js";
import { slotFacts } from "../data/slot_facts.js";
import { stackText, wakerStack } from "../data/stacks.js";
import { eventThreadName, gapText, kernelError, kernelText, kernelValueText, spanText, threadName, valueText } from "../data/texts.js";
import { counted, formatCount, formatDuration, formatGhz, formatPercent, formatTime } from "../data/units.js";
import { kernelColour } from "../draw/kernel.js";
import { FREQUENCY_COLOUR, idleColour } from "../draw/power.js";
import { INTERRUPT_COLOURS, STRIP_COLOURS } from "../draw/style.js";
import { element, stateSwatch, swatch } from "./dom.js";

/** @typedef {import("../data/store.js").Account} Account */
/** @typedef {import("../data/pmu.js").Amount} Amount */
/** @typedef {import("../data/items.js").Item} Item */
/** @typedef {import("../data/tables.js").Marks} Marks */
/** @typedef {import("../draw/palette.js").Palette} Palette */
/** @typedef {import("../data/tables.js").Spans} Spans */
/** @typedef {import("../data/store.js").Store} Store */

/** @typedef {import("../data/turn_figures.js").Doubtful} Doubtful */
/** @typedef {string | {text: string, item: Item} | Doubtful} FactValue plain, a link, or what may be in doubt */
/** @typedef {[label: string, value: FactValue, state?: number]} Fact */
/**
 * What there is to say of an item: where its colour comes from (the first that is told: state, alarm,
 * interrupt, strip, colour, waits, name, thread), and the time in each state inside of it.
 * @typedef {{
 *	title: string, subtitle: string, facts: Fact[], state?: number, alarm?: boolean, interrupt?: number,
 *	strip?: number, colour?: string, waits?: boolean, name?: number, thread?: number,
 *	ns?: Float64Array | null, named?: boolean,
 * }} Description
 */
/** @typedef {{account: Account | null, amounts: Amount[] | null}} ItemSums of all of a span or a thread, as far as known */

/** @param {Store} store @param {number} index */
function processName(store, index) {
	const { tgid, tid } = store.threads[index];
	const leader = store.threads.find((thread) => thread.tid === tgid);
	if (!tgid || tgid === tid)
		return "";
	return leader ? `${leader.comm} ${tgid}` : `process ${tgid}`;
}

/** @type {(store: Store, index: number) => FactValue} */
const threadLink = (store, index) => ({
	text: threadName(store, index), item: { kind: "thread", thread: index },
});

/** @param {Account} account @returns {Fact[]} */
function accountFacts(account) {
	/** @type {Fact[]} */
	const facts = [];
	for (const state of [STATE.RUNNING, STATE.PREEMPTED, STATE.RUNNABLE, STATE.SLEEPING, STATE.UNINTERRUPTIBLE,
		STATE.STOPPED, STATE.UNKNOWN]) {
		const always = state <= STATE.SLEEPING && state !== STATE.UNKNOWN;
		if (account.ns[state] || always)
			facts.push([state === STATE.RUNNING ? "on CPU" : STATE_NAMES[state],
				formatDuration(account.ns[state]), state]);
	}
	if (account.stolen)
		facts.push(["of it, in interrupts", formatDuration(account.stolen)]);
	facts.push(["switched out", `${formatCount(account.switches)} ×${
		account.preemptions ? `, ${formatCount(account.preemptions)} × preempted` : ""}`]);
	facts.push(["migrations", formatCount(account.migrations)]);
	return facts;
}

/** @param {number} start @param {number} end @returns {Fact[]} */
function timeFacts(start, end) {
	return [["start", formatTime(start)], ["duration", formatDuration(end - start)]];
}

/**
 * When a record that waited in its thread's ring came into the trace.
 * @param {Spans | Marks} table @param {number} row @param {number} ns
 * @returns {Fact[]}
 */
function drainFacts({ after }, row, ns) {
	return after && after[row] ?
		[["drained", `${formatDuration(after[row])} later, at ${formatTime(ns + after[row])}`]] : [];
}

/**
 * Who ran on a CPU in [from, to), the longest first: [[thread, ns]].
 * @param {Store} store
 * @param {number} cpu
 * @param {number} from
 * @param {number} to
 */
function whoRan(store, cpu, from, to) {
	const { slices } = store.cpus[cpu];
	/** @type {Map<number, number>} */
	const total = new Map();
	for (let row = Math.max(lastAtMost(slices.start, from), 0);
	     row < slices.rows && slices.start[row] < to; row++) {
		const ns = Math.min(slices.end[row], to) - Math.max(slices.start[row], from);
		if (ns > 0)
			total.set(slices.thread[row], (total.get(slices.thread[row]) || 0) + ns);
	}
	return [...total].sort((a, b) => b[1] - a[1]);
}

/** @param {Store} store @param {number} thread @param {number} ns @param {number} since @returns {Fact[]} */
function wakeFacts(store, thread, ns, since) {
	const wakeup = store.wakeupBefore(thread, ns);
	if (!wakeup || wakeup.ns < since)
		return [];
	const by = wakeup.waker < 0 ? "idle CPU or an interrupt" : threadLink(store, wakeup.waker);
	const stack = wakerStack(store.threads[thread], since, ns);
	return [["woken by", by], ["woken at", formatTime(wakeup.ns)],
		...stack ? [/** @type {Fact} */ (["woken in", stackText(store, stack)])] : []];
}

/** @param {Store} store @param {number} thread @param {number} from @param {number} to @returns {Fact[]} */
function stolenFacts(store, thread, from, to) {
	const stolen = store.stolen[thread]?.amount(from, to);
	return stolen ? [["in interrupts", `${formatDuration(stolen)}, ${formatPercent(stolen / (to - from))}`]] : [];
}

/**
 * How the issue slots of a thread divide in [from, to), if all of it is loaded and any slice lies in it.
 * @param {Store} store @param {number} thread @param {number} from @param {number} to @returns {Fact[]}
 */
function slotFactsWithin(store, thread, from, to) {
	const slots = store.covers(from, to) && store.slots?.[thread]?.within(from, to);
	return slots ? slotFacts(slots, slots.slices) : [];
}

/**
 * The CPU's frequency while a slice ran, as far as it is known.
 * @param {Store} store @param {number} cpu @param {number} from @param {number} to @returns {Fact[]}
 */
function frequencyFacts(store, cpu, from, to) {
	const { known, mean, least, most } = frequencyIn(store.cpus[cpu].frequencies, from, to);
	return known ? [["frequency", frequencyText(mean, least, most)]] : [];
}

/**
 * What a thread sleeps for, by its system call or the kernel's stack.
 * @param {Store} store @param {number} thread @param {number} start
 * @returns {Fact[]}
 */
function causeFacts(store, thread, start) {
	const { causes } = store.threads[thread];
	const row = lastAtMost(causes.start, start);
	if (row < 0 || causes.start[row] !== start)
		return [];
	/** @type {Fact[]} */
	const facts = [["waits for", causes.cause[row] ? store.string(causes.cause[row]) : "unknown"]];
	if (causes.object[row])
		facts.push(["object", store.string(causes.object[row])]);
	if (causes.holder[row])
		facts.push(["held by", threadLink(store, causes.holder[row] - 1)]);
	if (causes.systemCall[row])
		facts.push(["system call", store.string(causes.systemCall[row])]);
	if (causes.frames[row])
		facts.push(["kernel stack", store.string(causes.frames[row])]);
	return facts;
}

/**
 * The program's calls that led to a state: those of the moment at which it began.
 * @param {Store} store @param {number} thread @param {number} start
 * @returns {Fact[]}
 */
function callFacts(store, thread, start) {
	const { stackPoints: points } = store.threads[thread];
	const at = lastAtMost(points.start, start);
	return at >= 0 && points.start[at] === start && points.user[at] ? [["call stack", stackText(store, points.user[at])]] : [];
}

/**
 * How long a slice's thread had waited for it, from the states just before.
 * @param {Store} store @param {number} thread @param {number} start
 * @returns {Fact[]}
 */
function waitFacts(store, thread, start) {
	/** @type {Fact[]} */
	const facts = [];
	const { states } = store.threads[thread];
	let row = store.stateAt(thread, start) - 1;
	let since = start;
	for (; row >= 0 && states.state[row] !== STATE.RUNNING && states.state[row] !== STATE.UNKNOWN; row--) {
		facts.unshift([`${STATE_NAMES[states.state[row]]} before`,
			{ text: formatDuration(store.stateEnd(thread, row) - states.start[row]),
				item: { kind: "state", thread, row } }]);
		since = states.start[row];
	}
	return [...facts, ...wakeFacts(store, thread, start, since)];
}

const MOST_MESSAGES = 6;	/* of a span that are listed one by one */

/**
 * The time at which a message was sent or received, as a link to the call, if that is loaded.
 * @param {Store} store @param {import("../data/messages.js").MessageEnd} end @returns {FactValue}
 */
function endFact(store, end) {
	const item = store.covers(end.ns, end.ns) ? callAt(store, end) : null;
	if (!item)
		return formatTime(end.ns);
	const name = item.kind === "span" ? `, in ${spanText(store, store.threads[end.thread], item.row)}` : "";
	return { text: formatTime(end.ns) + name, item };
}

/**
 * From the send to the receive; what the trace tells the other way round has none.
 * @param {Store} store @param {number} row
 */
function latencyText({ messages }, row) {
	const ns = receivedAt(messages, row) - sentAt(messages, row);
	return ns < 0 ? `received ${formatDuration(-ns)} before it was sent` : formatDuration(ns);
}

/**
 * Whether the receiver waited for a sender that had not begun yet.
 * @param {Store} store @param {number} row
 */
function lateText({ messages }, row) {
	if (messages.flags[row] & MESSAGE_CONTRADICTORY)
		return "unknown";
	return messages.late[row] ? `the receiver waited ${formatDuration(messages.late[row])} for it to begin` : "no";
}

/**
 * Messages that a span sent and received: a link to each, or how many they are.
 * @param {Store} store @param {number} thread @param {number} from @param {number} to @returns {Fact[]}
 */
function messageFacts(store, thread, from, to) {
	const { messages } = store;
	if (!messages.rows)
		return [];
	const { sent, received } = messagesIn(store, thread, from, to);
	/** @type {(label: string, rows: Uint32Array, ranks: Uint32Array, direction: string) => Fact[]} */
	const list = (label, rows, ranks, direction) => rows.length > MOST_MESSAGES ?
		[[label, counted(rows.length, "message")]] :
		Array.from(rows, (row) => [label, {
			text: `${direction} rank ${ranks[row]}: ${counted(messages.bytes[row], "byte")}, tag ${
				formatCount(messages.tag[row])}${messages.late[row] ? ", late" : ""}`,
			item: { kind: "message", row },
		}]);
	return [...list("sent", sent, messages.receiverRank, "to"),
		...list("received", received, messages.senderRank, "from")];
}

/* What the text of each kind is. */
const KERNEL_TEXTS = ["arguments", "called by", "work", "how it waits", "access", "text", "priority", "path", "step"];

/** @param {Store} store @param {number} thread @param {number} row @returns {Fact} */
function kernelValueFact(store, thread, row) {
	const own = store.threads[thread];
	const { kind, value } = own.kernelSlices;
	const text = kernelValueText(store, own, row);
	const error = kernelError(store, own, row);
	if (kind[row] === KERNEL.LOCK || kind[row] === KERNEL.FAULT)
		return ["address", text];
	return ["result", error ? `${error} (${valueText(value, row)})` : text];
}

/** @param {Account} account @returns {Fact[]} */
function kernelTimeFacts({ ns }) {
	const blocked = ns[STATE.SLEEPING] + ns[STATE.UNINTERRUPTIBLE] + ns[STATE.STOPPED];
	const waiting = ns[STATE.PREEMPTED] + ns[STATE.RUNNABLE];
	/** @type {Fact[]} */
	const facts = [["on CPU", formatDuration(ns[STATE.RUNNING]), STATE.RUNNING]];
	if (blocked)
		facts.push(["blocked", formatDuration(blocked), STATE.SLEEPING]);
	if (waiting)
		facts.push(["waiting for a CPU", formatDuration(waiting), STATE.RUNNABLE]);
	return facts;
}

const ENDINGS = ["unknown", "still running at the end of the trace", "preempted, or yielded", "runnable",
	"sleeping", "uninterruptible", "stopped", "exited"];

/**
 * Of slices.priority: the kernel's number + 2, or 0.
 * @param {number} priority
 */
function priorityText(priority) {
	const prio = priority - 2;
	if (!priority)
		return "unknown";
	if (prio < 0)
		return "deadline";
	return prio < 100 ? `real-time, priority ${99 - prio}` : `nice ${prio - 120}`;
}

/**
 * What describes items of a kind.
 * @template I
 * @typedef {{describe(store: Store, item: I, sums: ItemSums | null): Description}["describe"]} Describe
 */

/** @type {{[K in Item["kind"]]: Describe<Extract<Item, {kind: K}>>}} */
const factsOf = {
	slice(store, { cpu, row }) {
		const { slices } = store.cpus[cpu];
		const thread = slices.thread[row];
		const [start, end] = [slices.start[row], slices.end[row]];
		/** @type {Fact[]} */
		const facts = timeFacts(start, end);
		const spans = store.spansAt(thread, start);
		const move = store.migrationAt(thread, start);
		facts.push(["priority", priorityText(slices.priority[row])]);
		facts.push(...stolenFacts(store, thread, start, end));
		facts.push(...frequencyFacts(store, cpu, start, end));
		facts.push(["ended", ENDINGS[slices.endState[row]]]);
		facts.push(...waitFacts(store, thread, start));
		if (move >= 0)
			facts.push(["migrated", { text: `from CPU ${store.migrations.from[move]}`,
				item: { kind: "migration", row: move } }]);
		if (row > 0)
			facts.push(["before on this CPU", sliceLink(store, cpu, row - 1, start)]);
		if (row + 1 < slices.rows)
			facts.push(["after on this CPU", sliceLink(store, cpu, row + 1, end)]);
		facts.push(...pmuFacts(store, "cpus", cpu, start, end, end - start));
		facts.push(...slotFactsWithin(store, thread, start, end));
		for (const span of spans)
			facts.push(["inside", { text: spanText(store, store.threads[thread], span),
				item: { kind: "span", thread, row: span } }]);
		return {
			title: threadName(store, thread), thread,
			subtitle: `ran on CPU ${cpu}`, facts,
		};
	},
	state(store, { thread, row }) {
		const { states } = store.threads[thread];
		const state = states.state[row];
		const [start, end] = timeOf(store, { kind: "state", thread, row });
		/** @type {Fact[]} */
		const facts = timeFacts(start, end);
		const cpu = states.cpu[row];
		facts.push(["thread", threadLink(store, thread)]);
		if (cpu >= 0)
			facts.push([state === STATE.RUNNABLE ? "CPU" : "last CPU", String(cpu)]);
		if (state === STATE.RUNNABLE)
			facts.push(...wakeFacts(store, thread, start, start - 1));
		else if (state === STATE.SLEEPING || state === STATE.UNINTERRUPTIBLE)
			facts.push(...causeFacts(store, thread, start), ...callFacts(store, thread, start), ...wakeFacts(store, thread, end, start));
		if ((state === STATE.PREEMPTED || state === STATE.RUNNABLE) && cpu >= 0 && cpu < store.cpus.length)
			for (const [other, ns] of whoRan(store, cpu, start, end).slice(0, 4))
				facts.push([`on CPU ${cpu} meanwhile`, {
					text: `${threadName(store, other)}, ${formatDuration(ns)}`,
					item: { kind: "thread", thread: other },
				}]);
		for (const span of store.spansAt(thread, start))
			facts.push(["inside", { text: spanText(store, store.threads[thread], span),
				item: { kind: "span", thread, row: span } }]);
		return { title: STATE_NAMES[state], state, subtitle: threadName(store, thread), facts };
	},
	span(store, { thread, row }, sums) {
		const { spans } = store.threads[thread];
		const [start, end] = [spans.start[row], spans.end[row]];
		const { account, amounts } = sums || figuresOf(store, thread, start, end);
		const around = store.spansAt(thread, start).filter((other) => spans.depth[other] < spans.depth[row]);
		/** @type {Fact[]} */
		const facts = timeFacts(start, end);
		if (spans.flags[row] & SPAN_HAS_VALUE)
			facts.push(["value", valueText(spans.value, row)]);
		facts.push(...messageFacts(store, thread, start, end));
		if (account && spans.kind[row] === SPAN_WAIT)
			facts.push(["spinning", `${formatDuration(account.ns[STATE.RUNNING] - account.stolen)} of ${
				formatDuration(end - start)}`]);
		if (account)
			facts.push(...accountFacts(account), ...amountFacts(store, amounts || [], account.ns[STATE.RUNNING]),
				...slotFactsWithin(store, thread, start, end));
		else
			facts.push(["figures", "of data that are not all loaded"]);
		for (const outer of around)
			facts.push(["inside", { text: spanText(store, store.threads[thread], outer),
				item: { kind: "span", thread, row: outer } }]);
		if (spans.flags[row] & SPAN_OPEN_END)
			facts.push(["end", "not seen in the trace"]);
		facts.push(...drainFacts(spans, row, start));
		return {
			title: spanText(store, store.threads[thread], row), name: spans.name[row],
			waits: spans.kind[row] === SPAN_WAIT,
			subtitle: `${spans.kind[row] === SPAN_WAIT ? "wait" : "work"} span of ${
				threadName(store, thread)}`,
			facts, ns: account && account.ns, named: true,
		};
	},
	mark(store, { thread, row }) {
		const { marks } = store.threads[thread];
		const isCounter = Boolean(marks.flags[row] & MARK_IS_COUNTER);
		/** @type {Fact[]} */
		const facts = [["time", formatTime(marks.start[row])]];
		if (marks.flags[row] & MARK_HAS_VALUE)
			facts.push(["value", valueText(marks.value, row)]);
		facts.push(["thread", threadLink(store, thread)]);
		for (const span of store.spansAt(thread, marks.start[row]))
			facts.push(["inside", { text: spanText(store, store.threads[thread], span),
				item: { kind: "span", thread, row: span } }]);
		facts.push(...drainFacts(marks, row, marks.start[row]));
		return {
			title: store.string(marks.name[row]), name: marks.name[row],
			subtitle: isCounter ? "counter" : "mark", facts, named: true,
		};
	},
	kernel(store, { thread, row }) {
		const own = store.threads[thread];
		const { kind, flags, name, text, depth, start: starts, end: ends } = own.kernelSlices;
		const [start, end] = [starts[row], ends[row]];
		const isMark = Boolean(flags[row] & KERNEL_MARK);
		const { account } = isMark ? { account: null } : figuresOf(store, thread, start, end);
		/** @type {Fact[]} */
		const facts = isMark ? [["time", formatTime(start)]] : timeFacts(start, end);
		if (text[row])
			facts.push([KERNEL_TEXTS[kind[row]], store.string(text[row])]);
		if (flags[row] & KERNEL_TEXTLESS)
			facts.push([KERNEL_TEXTS[kind[row]], "left out: too many differ"]);
		if (flags[row] & KERNEL_HAS_VALUE)
			facts.push(kernelValueFact(store, thread, row));
		if (account)
			facts.push(...kernelTimeFacts(account));
		if (flags[row] & KERNEL_OPEN_BEGIN)
			facts.push(["begin", "not seen in the trace"]);
		if (flags[row] & KERNEL_OPEN_END)
			facts.push(["end", "not seen in the trace"]);
		facts.push(["thread", threadLink(store, thread)]);
		for (const outer of store.kernelSlicesAt(thread, start).filter((other) => depth[other] < depth[row]))
			facts.push(["inside", { text: kernelText(store, own, outer), item: { kind: "kernel", thread, row: outer } }]);
		for (const span of store.spansAt(thread, start))
			facts.push(["inside", { text: spanText(store, own, span), item: { kind: "span", thread, row: span } }]);
		return {
			title: store.string(name[row]), colour: kernelColour(kind[row], name[row]),
			subtitle: `${KERNEL_NAMES[kind[row]]}, ${threadName(store, thread)}`,
			facts, ns: account && account.ns, name: name[row], named: true,
		};
	},
	gap(store, { cpu, row }) {
		const { gaps } = store.cpus[cpu];
		return {
			title: gapText(gaps, row), alarm: true, subtitle: `on CPU ${cpu}`,
			facts: [
				...timeFacts(gaps.start[row], gaps.end[row]),
				["meaning", gaps.kind[row] === GAP_MISSING ?
					"the event at its end contradicts the event at its start: nothing is known of this CPU here" :
					"the ring buffer overflowed: nothing is known of this CPU here"],
			],
		};
	},
	interrupt(store, { cpu, row }) {
		const { interrupts } = store.cpus[cpu];
		const [start, end] = [interrupts.start[row], interrupts.end[row]];
		const kind = INTERRUPT_KINDS[interrupts.kind[row]] || "interrupt";
		const thread = interrupts.thread[row] - 1;
		/** @type {Fact[]} */
		const facts = timeFacts(start, end);
		if (interrupts.reason[row])
			facts.push(["sent", store.string(interrupts.reason[row])]);
		facts.push(["kind", kind], ["interrupted", thread < 0 ? "idle, or not known" : threadLink(store, thread)]);
		if (thread >= 0 && !interrupts.depth[row] && !(interrupts.flags[row] & INTERRUPT_STEALS))
			facts.push(["takes no time", "softirqs are the work of this thread"]);
		for (const outer of store.interruptsAround(cpu, row))
			facts.push(["inside", { text: store.string(interrupts.name[outer]),
				item: { kind: "interrupt", cpu, row: outer } }]);
		if (interrupts.flags[row] & INTERRUPT_OPEN_END)
			facts.push(["end", "not seen: it lasted until here at least"]);
		return {
			title: store.string(interrupts.name[row]) || kind, interrupt: interrupts.kind[row],
			subtitle: `${kind} on CPU ${cpu}`, facts,
		};
	},
	idle(store, { cpu, row }) {
		const { idle } = store.cpus[cpu];
		const facts = timeFacts(idle.start[row], idle.end[row]);
		if (idle.flags[row] & IDLE_OPEN_BEGIN)
			facts.push(["begin", "not seen: it lasted from here at least"]);
		if (idle.flags[row] & IDLE_OPEN_END)
			facts.push(["end", "not seen: it lasted until here at least"]);
		return {
			title: idleName(idle.state[row]), colour: idleColour(idle.state[row]), subtitle: `CPU ${cpu}`, facts,
		};
	},
	frequency(store, { cpu, row }) {
		const { frequencies } = store.cpus[cpu];
		const facts = timeFacts(frequencies.start[row], frequencies.end[row]);
		facts.push(["of the highest in the trace", formatPercent(frequencies.khz[row] / store.pages.mostKhz)]);
		return {
			title: formatGhz(frequencies.khz[row]), colour: FREQUENCY_COLOUR, subtitle: `frequency of CPU ${cpu}`,
			facts,
		};
	},
	request(store, { row }) {
		const { blockIo } = store;
		const [thread, flags] = [blockIo.thread[row] - 1, blockIo.flags[row]];
		const [start, end] = [blockIo.start[row], blockIo.end[row]];
		/** @type {Fact[]} */
		const facts = [["queued, or issued", formatTime(start)]];
		if (!(flags & (BLOCK_OPEN_BEGIN | BLOCK_OPEN_END)))
			facts.push(["latency", formatDuration(end - start)]);
		if (flags & BLOCK_OPEN_BEGIN)
			facts.push(["begin", "not in this part of the trace: it was in flight from here at least"]);
		if (flags & BLOCK_OPEN_END)
			facts.push(["completed", "not seen"]);
		if (flags & BLOCK_FAILED)
			facts.push(["result", "it failed"]);
		facts.push(["issued by", thread < 0 ? "idle CPU, or not known" : threadLink(store, thread)],
			["on CPU", String(blockIo.cpu[row])]);
		return {
			title: requestText(blockIo, row), name: blockIo.device[row],
			subtitle: `request to ${store.string(blockIo.device[row])}`, facts,
		};
	},
	reading(store, { row }) {
		const { uncoreReadings: readings } = store;
		const counter = store.pages.uncore[readings.counter[row]];
		const [lasted, running] = [readings.lasted[row], readings.running[row]];
		const perS = running ? rateOf(counter, readings.count[row], lasted) : NaN;
		const facts = timeFacts(readings.start[row], readings.end[row]);
		if (running < lasted)
			facts.push(["counted", running ? `in ${formatPercent(running / lasted)} of the time, and scaled up` : "not at all"]);
		facts.push(["whose", "of all threads on CPUs of the socket or die: more is not known"]);
		return {
			title: rateText(counter, perS), name: counter.name,
			subtitle: `${store.string(counter.name)}, counted by CPU ${counter.cpu}`, facts,
		};
	},
	migration(store, { row }) {
		const { migrations } = store;
		const thread = migrations.thread[row];
		const state = store.stateAt(thread, migrations.start[row]);
		return {
			title: `CPU ${migrations.from[row]} → CPU ${migrations.to[row]}`, thread,
			subtitle: `migration of ${threadName(store, thread)}`,
			facts: [
				["thread", threadLink(store, thread)],
				["ran again", { text: formatTime(migrations.start[row]),
					item: stateItem(store, thread, state) }],
				["off CPU before", formatDuration(migrations.start[row] - migrations.left[row])],
				...waitFacts(store, thread, migrations.start[row]),
			],
		};
	},
	message(store, { row }) {
		const { messages } = store;
		const { bytes, tag, senderRank, receiverRank, call, flags } = messages;
		const [sender, receiver] = [messages.sender[row], messages.receiver[row]];
		/** @type {Fact[]} */
		const facts = [
			["bytes", formatCount(bytes[row])],
			["tag", formatCount(tag[row])],
			["from", threadLink(store, sender)],
			["to", threadLink(store, receiver)],
			["sent", endFact(store, sendOf(messages, row))],
			["received", endFact(store, receiveOf(messages, row))],
			["latency", latencyText(store, row)],
			["in the receiving call", formatDuration(call[row])],
			["late sender", lateText(store, row)],
		];
		if (flags[row] & MESSAGE_CONTRADICTORY)
			facts.push(["doubtful", "this send and this receive contradict each other: they may be of different messages"]);
		return {
			title: `rank ${senderRank[row]} → rank ${receiverRank[row]}`, thread: sender,
			subtitle: `message of ${counted(bytes[row], "byte")}`, facts,
		};
	},
	sample(store, { row }) {
		const { samples, pmu } = store;
		const thread = samples.thread[row] - 1;
		const event = pmu.events[samples.event[row]];
		const has = samples.has[row];
		/** @type {Fact[]} */
		const facts = [
			["time", formatTime(samples.start[row])],
			["stands for", `${formatCount(samples.period[row])} of it`],
			["CPU", String(samples.cpu[row])],
			["thread", thread < 0 ? "idle" : threadLink(store, thread)],
			["instruction", has & SAMPLE_HIDDEN && !samples.ip[row] ? "hidden by the kernel" :
				`${formatAddress(samples.ip[row])} (${has & SAMPLE_USER ? "user" : "kernel"})`],
			["address", has & SAMPLE_HAS_ADDR ? formatAddress(samples.addr[row]) : "not told"],
		];
		if (has & SAMPLE_HAS_WEIGHT)
			facts.push(["latency", `${formatCount(samples.weight[row])} cycles`]);
		for (const span of thread < 0 ? [] : store.spansAt(thread, samples.start[row]))
			facts.push(["inside", { text: spanText(store, store.threads[thread], span),
				item: { kind: "span", thread, row: span } }]);
		return {
			title: event ? event.name : "sample", strip: pmu.shown.indexOf(event),
			subtitle: `sample, ${event && event.precise ? `precise (level ${event.precise})` :
				"with skid"}`, facts,
		};
	},
	slots(store, item) {
		const { thread, nr, row } = item;
		const rows = slotRows(store, thread);
		const past = Math.min(row + nr, rows.rows);
		const [start, end] = timeOf(store, item);
		/** @type {Fact[]} */
		const facts = [...slotFacts(rows.of(row, past), past - row), ...timeFacts(start, end), ["thread", threadLink(store, thread)]];
		for (const span of store.spansAt(thread, start))
			facts.push(["inside", { text: spanText(store, store.threads[thread], span),
				item: { kind: "span", thread, row: span } }]);
		return { title: "issue slots", thread, subtitle: `${past - row === 1 ? "a slice" : "slices"} of ${threadName(store, thread)}`, facts };
	},
	event(store, { row }) {
		const { start, thread: threads, cpu, name } = store.traceEvents;
		const thread = threads[row] - 1;
		/** @type {Fact[]} */
		const facts = [
			["time", formatTime(start[row])],
			["CPU", String(cpu[row])],
			["thread", thread < 0 ? eventThreadName(store, row) : threadLink(store, thread)],
			["text", store.eventText(row) || "it could not be printed"],
		];
		for (const span of thread < 0 ? [] : store.spansAt(thread, start[row]))
			facts.push(["inside", { text: spanText(store, store.threads[thread], span),
				item: { kind: "span", thread, row: span } }]);
		return { title: store.string(name[row]), name: name[row], subtitle: "event", facts, named: true };
	},
	thread(store, { thread }, sums) {
		const { totals, nrSpans, nrMarks, nrKernelSlices, unmatched, unmatchedInKernel, parent, tgid } = store.threads[thread];
		const { amounts } = sums || figuresOf(store, thread, 0, store.duration);
		/** @type {Fact[]} */
		const facts = accountFacts(totals);
		facts.push(...amountFacts(store, (amounts || []).map((own) => ofWholeThread(store, thread, own)), totals.ns[STATE.RUNNING]));
		facts.push(["spans", formatCount(nrSpans)]);
		if (nrMarks)
			facts.push(["marks", formatCount(nrMarks)]);
		if (nrKernelSlices)
			facts.push(["in the kernel", formatCount(nrKernelSlices)]);
		if (unmatchedInKernel)
			facts.push(["ends there without a begin", formatCount(unmatchedInKernel)]);
		if (unmatched)
			facts.push(["ends without a begin", formatCount(unmatched)]);
		if (tgid)
			facts.push(["process", processName(store, thread) || String(tgid)]);
		if (parent >= 0)
			facts.push(["created by", threadLink(store, parent)]);
		return {
			title: threadName(store, thread), thread,
			subtitle: "thread, over the whole trace", facts, ns: totals.ns,
		};
	},
};

/**
 * A slice on the same CPU, and how far it is from @ns.
 * @param {Store} store
 * @param {number} cpu
 * @param {number} row
 * @param {number} ns
 * @returns {FactValue}
 */
function sliceLink(store, cpu, row, ns) {
	const { slices } = store.cpus[cpu];
	const idle = slices.end[row] <= ns ? ns - slices.end[row] : slices.start[row] - ns;
	return {
		text: threadName(store, slices.thread[row]) + (idle > 0 ? `, ${formatDuration(idle)} idle between` : ""),
		item: { kind: "slice", cpu, row },
	};
}

/**
 * All that there is to say of an item.
 * @param {Store} store
 * @param {Item} item
 * @param {ItemSums | null} sums of a span or a thread of which the store has only a part
 * @returns {Description}
 */
export function describe(store, item, sums = null) {
	/** @type {Describe<Item>} */
	const describeItem = factsOf[item.kind];
	return describeItem(store, item, sums);
}

/**
 * What a thread did in [from, to), and caused; nothing if that is more than the store has.
 * @param {Store} store
 * @param {number} thread
 * @param {number} from
 * @param {number} to
 * @returns {ItemSums}
 */
function figuresOf(store, thread, from, to) {
	return store.hasAll(from, to) ? {
		account: store.account(thread, from, to), amounts: store.pmu.amounts("threads", thread, from, to),
	} : { account: null, amounts: null };
}

/**
 * What a thread caused in the whole trace, as annot tells it.
 * @param {Store} store @param {number} thread @param {Amount} own @returns {Amount}
 */
function ofWholeThread({ pages }, thread, own) {
	const told = pages.turnFigures?.ofThread(thread, own.event);
	return told ? { ...own, told } : own;
}

/**
 * Why a value is not to be relied on; "": it is, or nothing is known against it.
 * @param {FactValue} value
 */
export const doubtOfFact = (value) => typeof value !== "string" && "doubt" in value ? value.doubt : "";

/** @param {Palette} palette @param {Description} description @returns {HTMLSpanElement} */
export function swatchOf(palette, description) {
	if (description.state !== undefined)
		return stateSwatch(description.state);
	if (description.alarm)
		return element("span", { class: "swatch swatch-alarm" });
	if (description.interrupt !== undefined)
		return swatch(palette.theme[INTERRUPT_COLOURS[description.interrupt]]);
	if (description.strip !== undefined)
		return swatch(palette.theme[STRIP_COLOURS[Math.max(description.strip, 0)]]);
	if (description.colour)
		return swatch(description.colour);
	if (description.waits)
		return element("span", { class: "swatch swatch-wait" });
	return swatch(description.name !== undefined ?
		palette.ofName(description.name) : palette.ofThread(description.thread ?? -1));
}
