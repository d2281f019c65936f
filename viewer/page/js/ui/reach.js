// SPDX-License-Identifier: GPL-2.0
/*
 * How much of the trace must be loaded to tell all of an item, and telling it when that is more than
 * what is shown.
 */
import { STATE } from "../data/codes.js";
import { itemFromText, timeOf, timeOfText } from "../data/items.js";
import { addAmount } from "../data/pmu.js";
import { addAccount, eachPart, newAccount } from "../data/ranges.js";
import { describe } from "./facts.js";

/** @typedef {import("../data/store.js").Account} Account */
/** @typedef {import("../data/pmu.js").Amount} Amount */
/** @typedef {import("./facts.js").Description} Description */
/** @typedef {import("../data/items.js").Item} Item */
/** @typedef {import("../data/windows.js").Progress} Progress */
/** @typedef {import("../data/store.js").Store} Store */
/** @typedef {import("../data/windows.js").Wanted} Wanted */
/** @typedef {import("../data/windows.js").Windows} Windows */

/**
 * Of a thread's states before one: how far back waitFacts() goes. Is it sure of what it finds?
 * @param {Store} store @param {number} thread @param {number} ns
 */
function knowsWait(store, thread, ns) {
	const { states } = store.threads[thread];
	let row = store.stateAt(thread, ns) - 1;
	let since = ns;
	for (; row >= 0 && states.state[row] !== STATE.RUNNING && states.state[row] !== STATE.UNKNOWN; row--)
		since = states.start[row];
	if (row < 0 && since <= store.from)
		return false;
	return since > store.from || store.wakeupBefore(thread, ns) !== null;
}

/**
 * {before, after}: on which side of a store there is more of what an item's facts tell.
 * @param {Store} store @param {Item} item
 */
function lackingOf(store, item) {
	if (store.isWhole || item.kind === "thread" || item.kind === "gap")
		return { before: false, after: false };
	const [start, end] = timeOf(store, item);
	const lacking = { before: start <= store.from && item.kind !== "migration", after: end >= store.to };
	if (item.kind === "slice") {
		const { slices } = store.cpus[item.cpu];
		lacking.before = lacking.before || item.row === 0 || !knowsWait(store, slices.thread[item.row], start);
		lacking.after = lacking.after || item.row + 1 === slices.rows;
	} else if (item.kind === "migration") {
		lacking.before = !knowsWait(store, store.migrations.thread[item.row], store.migrations.start[item.row]);
	}
	return {
		before: lacking.before && store.first > 0,
		after: lacking.after && store.past < store.pages.nr,
	};
}

/** @param {Store} store @param {Item} item @returns {boolean} */
export function knowsAll(store, item) {
	const { before, after } = lackingOf(store, item);
	return !before && !after;
}

/**
 * What a thread did in [from, to), by parts: {account, amounts}; null: not wanted any more.
 * @param {Windows} pages
 * @param {number} thread
 * @param {number} from
 * @param {number} to
 * @param {Wanted} wanted
 * @param {Progress} progress
 */
async function sumsOf(pages, thread, from, to, wanted, progress) {
	/** @type {{account: Account, amounts: Amount[] | null}} */
	const sums = { account: newAccount(), amounts: null };
	const isDone = await eachPart(pages, from, to, (store, start, end) => {
		addAccount(sums.account, store.account(thread, start, end));
		const own = store.pmu.amounts("threads", thread, start, end, [from, to]);
		sums.amounts = sums.amounts ? sums.amounts.map((sum, i) => addAmount(sum, own[i])) : own;
	}, wanted, progress);
	return isDone ? sums : null;
}

/**
 * All that is to be told of the item that a text names: {description, store, item}, found in a store
 * that grows as far as it must. A span or a thread may be longer than any store: it is added up.
 * @param {Windows} pages
 * @param {string} text
 * @param {Wanted} wanted
 * @param {Progress} progress
 * @returns {Promise<{store: Store, item: Item, description: Description} | null>}
 */
export async function describeFar(pages, text, wanted, progress) {
	const ns = timeOfText(text);
	let [first, past] = ns === null ? pages.any() : pages.around(ns, ns);
	for (;;) {
		const store = await pages.storeOf(first, past, wanted);
		const item = store && itemFromText(store, text);
		if (!item)
			return null;
		const { before, after } = item.kind === "span" ? { before: false, after: false } : lackingOf(store, item);
		const more = past - first;
		/** @type {[number, number]} */
		const wider = [before ? Math.max(first - more, 0) : first, after ? Math.min(past + more, pages.nr) : past];
		if ((before || after) && pages.rowsIn(...wider) <= pages.most.shown && !pages.lacks(...wider)) {
			[first, past] = wider;
			continue;
		}
		return describeIn(pages, store, item, wanted, progress);
	}
}

/**
 * @param {Windows} pages
 * @param {Store} store
 * @param {Item} item
 * @param {Wanted} wanted
 * @param {Progress} progress
 */
async function describeIn(pages, store, item, wanted, progress) {
	const [from, to] = item.kind === "span" ? timeOf(store, item) : [0, pages.duration];
	const isSummed = item.kind === "span" ? !knowsAll(store, item) :
		item.kind === "thread" && store.pmu.measured.length > 0;
	const sums = isSummed ? await sumsOf(pages, item.thread ?? -1, from, to, wanted, progress) : null;
	if (!wanted())
		return null;
	return { store, item, description: describe(store, item, sums) };
}
