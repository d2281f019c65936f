// SPDX-License-Identifier: GPL-2.0
/*
 * Which threads of two traces are the same: by the name of the process and which of that name it is, and
 * then by the name of the thread and which of that name it is in the process. Numbers of threads say
 * only who came first.
 */

/** @typedef {{index: number, tid: number, tgid: number, comm: string}} NamedThread */

/**
 * A name, and the how manieth of it this is.
 * @param {Map<string, number>} counts @param {string} name
 */
function numbered(counts, name) {
	const nr = (counts.get(name) || 0) + 1;
	counts.set(name, nr);
	return `${name}\0${nr}`;
}

/** @param {NamedThread} thread */
const processOf = ({ tgid, tid }) => tgid || tid;

/**
 * By the index of each thread: what no other has.
 * @param {NamedThread[]} threads
 */
function keysOf(threads) {
	/** @type {Map<string, number>} */
	const counts = new Map();
	/** @type {Map<number, string>} */
	const processes = new Map();
	const leaders = new Map(threads.filter(({ tid, tgid }) => tid === tgid).map(({ tid, comm }) => [tid, comm]));
	/** @type {string[]} */
	const keys = new Array(threads.length);
	for (const thread of [...threads].sort((a, b) => processOf(a) - processOf(b) || a.tid - b.tid || a.index - b.index)) {
		const number = processOf(thread);
		const process = processes.get(number) ?? numbered(counts, leaders.get(number) ?? thread.comm);
		processes.set(number, process);
		keys[thread.index] = numbered(counts, `${process}\0${thread.comm}`);
	}
	return keys;
}

/**
 * Of each thread, the one of the others that is the same: its index, or -1.
 * @param {NamedThread[]} threads
 * @param {NamedThread[]} others
 * @returns {Int32Array}
 */
export function matchThreads(threads, others) {
	const places = new Map(keysOf(others).map((key, index) => [key, index]));
	return Int32Array.from(keysOf(threads), (key) => places.get(key) ?? -1);
}
