// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of a made-up trace of 100 ns, cut at 50. Thread 0 has calls at 10-20, with another inside at 12-18, and at 60-70;
 * thread 1 has one at 30-40. The third message was told the wrong way round.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { MESSAGE_BACKWARD } from "../../../../viewer/page/js/data/codes.js";
import { callAt, countMessages, messagesIn, otherEndOf, receiveOf, sendOf } from "../../../../viewer/page/js/data/messages.js";
import { head, messages, pagesOf, slices, spans } from "./made_up.mjs";

const HEAD = head({
	threads: [{ tid: 7, comm: "A", depth: 2, spans: 3 }, { tid: 8, comm: "B", depth: 1, spans: 1 }],
	strings: ["call"], starts: [0, 50],
});
const FIRST = [...slices(0, [[2, 9, 1, 4]]), ...spans(0, [[10, 20, 2, 0, 0], [12, 18, 2, 0, 1]]), ...spans(1, [[30, 40, 2, 1, 0]]),
	...messages([[14, 35, 0, 1], [32, 39, 0, 1, 0, 0, 0, 0, 0, 0, MESSAGE_BACKWARD]])];
const SECOND = [...spans(0, [[60, 70, 2, 0, 0]])];
const REST = messages([[38, 65, 1, 0]]);
const pages = await pagesOf(HEAD, [FIRST, SECOND], REST);
const store = await pages.firstStore();

test("rows of windows and of the rest, by start", () => {
	assert.deepEqual([...store.messages.start], [14, 32, 38]);
	assert.deepEqual([...store.messages.end], [35, 39, 65]);
});

test("where each was sent and received", () => {
	assert.deepEqual([0, 1, 2].map((row) => sendOf(store.messages, row)), [{ thread: 0, ns: 14 }, { thread: 0, ns: 39 }, { thread: 1, ns: 38 }]);
	assert.deepEqual([0, 1, 2].map((row) => receiveOf(store.messages, row)), [{ thread: 1, ns: 35 }, { thread: 1, ns: 32 }, { thread: 0, ns: 65 }]);
});

test("what a thread sent and received in a time", () => {
	const plain = (...what) => Object.values(messagesIn(store, ...what)).map((rows) => [...rows]);
	assert.deepEqual(plain(0, 0, 100), [[0, 1], [2]]);
	assert.deepEqual(plain(0, 14, 38), [[0], []]);
	assert.deepEqual(plain(0, 65, 65), [[], [2]]);
	assert.deepEqual(plain(1, 30, 36), [[], [0, 1]]);
	assert.deepEqual(plain(1, 36, 100), [[2], []]);
});

test("how many are under way", () => {
	assert.deepEqual([[0, 13], [13, 14], [33, 34], [36, 38], [38.5, 38.75], [40, 64], [65, 66], [66, 90], [31.5, 31.9]]
		.map(([from, to]) => countMessages(store, from, to)), [0, 1, 2, 2, 2, 1, 1, 0, 1]);
});

test("a call is the innermost span, else a state", () => {
	assert.deepEqual(callAt(store, { thread: 0, ns: 14 }), { kind: "span", thread: 0, row: 1 });
	assert.deepEqual(callAt(store, { thread: 0, ns: 19 }), { kind: "span", thread: 0, row: 0 });
	assert.deepEqual(callAt(store, { thread: 1, ns: 5 }), { kind: "slice", cpu: 0, row: 0 });
	assert.equal(callAt(store, { thread: 0, ns: 5 }), null);
});

test("the other end of a message, of a call that sends, of one that receives", () => {
	assert.deepEqual(otherEndOf(store, { kind: "message", row: 2 }), { thread: 0, ns: 65 });
	assert.deepEqual(otherEndOf(store, { kind: "span", thread: 0, row: 0 }), { thread: 1, ns: 35 });
	assert.deepEqual(otherEndOf(store, { kind: "span", thread: 0, row: 2 }), { thread: 1, ns: 38 });
	assert.equal(otherEndOf(store, { kind: "slice", cpu: 0, row: 0 }), null);
	assert.equal(otherEndOf(store, { kind: "thread", thread: 0 }), null);
});
