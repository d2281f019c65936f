// SPDX-License-Identifier: GPL-2.0
/*
 * Messages between ranks: who sent and received which, and in which call. The trace may tell a receive before its
 * send: then start and end of the row have changed places.
 */
import { MESSAGE_BACKWARD } from "./codes.js";
import { stateItem } from "./items.js";
import { lastAtMost, lowerBound } from "./row_search.js";

/** @typedef {import("./items.js").Item} Item */
/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./tables.js").Messages} Messages */
/** @typedef {{thread: number, ns: number}} MessageEnd where a message was sent or received */

/** @type {(messages: Messages, row: number) => number} */
export const sentAt = ({ flags, start, end }, row) => (flags[row] & MESSAGE_BACKWARD ? end : start)[row];

/** @type {(messages: Messages, row: number) => number} */
export const receivedAt = ({ flags, start, end }, row) => (flags[row] & MESSAGE_BACKWARD ? start : end)[row];

/** @param {Messages} messages @param {number} row @returns {MessageEnd} */
export function sendOf(messages, row) {
	return { thread: messages.sender[row], ns: sentAt(messages, row) };
}

/** @param {Messages} messages @param {number} row @returns {MessageEnd} */
export function receiveOf(messages, row) {
	return { thread: messages.receiver[row], ns: receivedAt(messages, row) };
}

/**
 * Those that a thread sent, and those that it received, from a time to another, both included: rows.
 * @param {Store} store @param {number} thread @param {number} from @param {number} to
 */
export function messagesIn(store, thread, from, to) {
	const { messages, messagesOf } = store;
	/** @param {number} ns */
	const isIn = (ns) => from <= ns && ns <= to;
	return {
		sent: messagesOf.sent.of(thread).filter((row) => isIn(sentAt(messages, row))),
		received: messagesOf.received.of(thread).filter((row) => isIn(receivedAt(messages, row))),
	};
}

/**
 * How many were under way in [from, to].
 * @param {Store} store @param {number} from @param {number} to
 */
export function countMessages({ messages, messageEnds }, from, to) {
	return lastAtMost(messages.start, to) + 1 - lowerBound(messageEnds, from);
}

/**
 * The innermost span of a thread around a time, which is the call that sends or receives; else its state; null: nothing
 * is known of it.
 * @param {Store} store @param {MessageEnd} end @returns {Item | null}
 */
export function callAt(store, { thread, ns }) {
	const row = store.spansAt(thread, ns).pop();
	if (row !== undefined)
		return { kind: "span", thread, row };
	const state = store.stateAt(thread, ns);
	return state < 0 ? null : stateItem(store, thread, state);
}

/**
 * Where the other end is of a message, or of the first one of a span; null: there is none. From a message, that is
 * where it was received.
 * @param {Store} store @param {Item} item @returns {MessageEnd | null}
 */
export function otherEndOf(store, item) {
	const { messages } = store;
	if (item.kind === "message")
		return receiveOf(messages, item.row);
	if (item.kind !== "span" || !messages.rows)
		return null;
	const { spans } = store.threads[item.thread];
	const { sent, received } = messagesIn(store, item.thread, spans.start[item.row], spans.end[item.row]);
	if (sent.length)
		return receiveOf(messages, sent[0]);
	return received.length ? sendOf(messages, received[0]) : null;
}
