// SPDX-License-Identifier: GPL-2.0
/*
 * Made-up blocks and pages. How columns are written is told anew here, from viewer/page/data.h, so
 * that the reader is held against something that is not itself.
 */
import { buildStates } from "../../../../viewer/page/js/data/implied.js";
import { Piece, Windows } from "../../../../viewer/page/js/data/windows.js";

export const SLICES = 1, GAPS = 2, STATES = 3, SPANS = 4, MARKS = 5, MIGRATIONS = 6, CPU_WAKEUPS = 7, SAMPLES = 10,
	SLICE_COUNTS = 11, STATE_EDITS = 13, LOOSE_STATES = 14, MESSAGES = 15, INTERRUPTS = 16, IDLE = 17, FREQUENCIES = 27,
	BLOCK_IO = 43;

export function varint(value) {
	const bytes = [];
	let rest = BigInt(value);
	for (; rest >= 0x80n; rest >>= 7n)
		bytes.push(Number(rest & 0x7fn) | 0x80);
	return [...bytes, Number(rest)];
}

export const zigzag = (value) => varint(BigInt(value) >= 0n ? BigInt(value) * 2n : -BigInt(value) * 2n - 1n);

/* Its columns are arrays of bytes. */
export const table = (kind, owner, rows, ...columns) => [kind, ...varint(owner), ...varint(rows), ...columns.flat()];

export const varints = (values) => values.flatMap(varint);
export const zigzags = (values) => values.flatMap(zigzag);
export const times = (values) => zigzags(values.map((ns, i) => ns - (i ? values[i - 1] : 0)));
const low = (values) => values.map((value) => value % 256);
const high = (values) => varints(values.map((value) => Math.floor(value / 256)));

/* @rows: [[start, end, thread, endState]], all with priority 0. */
export function slices(cpu, rows) {
	const idle = rows.map(([start], i) => start - (i ? rows[i - 1][1] : 0));
	const lengths = rows.map(([start, end]) => end - start);
	return table(SLICES, cpu, rows.length, zigzags(idle), low(lengths), high(lengths), varints(rows.map((row) => row[2])),
		rows.map((row) => row[3]), rows.map(() => 0));
}

/* @rows: [[start, end, thread + 1, name, kind, depth, flags, reason]] */
export const interrupts = (cpu, rows) => table(INTERRUPTS, cpu, rows.length, times(rows.map((row) => row[0])),
	varints(rows.map(([start, end]) => end - start)), varints(rows.map((row) => row[2])), varints(rows.map((row) => row[3])),
	varints(rows.map((row) => row[7] || 0)), rows.map((row) => row[4]), rows.map((row) => row[5]), rows.map((row) => row[6]));

/* @rows: [[start, end, state, flags]] */
export const idle = (cpu, rows) => table(IDLE, cpu, rows.length, times(rows.map((row) => row[0])),
	varints(rows.map(([start, end]) => end - start)), rows.map((row) => row[2]), rows.map((row) => row[3] || 0));

/* @rows: [[start, end, khz]] */
export const frequencies = (cpu, rows) => table(FREQUENCIES, cpu, rows.length, times(rows.map((row) => row[0])),
	varints(rows.map(([start, end]) => end - start)), varints(rows.map((row) => row[2])));

/* @rows: [[start, end, device, bytes, thread + 1, cpu, op, flags]], by end */
export const blockIo = (rows) => table(BLOCK_IO, 0, rows.length, times(rows.map((row) => row[0])),
	varints(rows.map(([start, end]) => end - start)), ...[2, 3, 4].map((i) => varints(rows.map((row) => row[i]))),
	zigzags(rows.map((row) => row[5] || 0)), rows.map((row) => row[6] || 0), rows.map((row) => row[7] || 0));

/* @rows: [[start, end, name, kind, depth, flags, value]] */
export const spans = (thread, rows) => table(SPANS, thread, rows.length, times(rows.map((row) => row[0])),
	varints(rows.map(([start, end]) => end - start)), varints(rows.map((row) => row[2])),
	rows.map((row) => row[3]), rows.map((row) => row[4]), rows.map((row) => row[5] || 0), zigzags(rows.map((row) => row[6] || 0)));

/* @rows: [[start, name, flags, value]] */
export const marks = (thread, rows) => table(MARKS, thread, rows.length, times(rows.map((row) => row[0])),
	varints(rows.map((row) => row[1])), rows.map((row) => row[2]), zigzags(rows.map((row) => row[3] || 0)));

/* @rows: [[start, left, thread, from, to]] */
export const migrations = (rows) => table(MIGRATIONS, 0, rows.length, times(rows.map((row) => row[0])),
	varints(rows.map(([start, left]) => start - left)), varints(rows.map((row) => row[2])),
	zigzags(rows.map((row) => row[3])), zigzags(rows.map((row) => row[4])));

/* @rows: [[start, end, sender, receiver, senderRank, receiverRank, tag, bytes, call, late, flags]] */
export const messages = (rows) => table(MESSAGES, 0, rows.length, times(rows.map((row) => row[0])),
	varints(rows.map(([start, end]) => end - start)), ...[2, 3, 4, 5, 6, 7, 8, 9].map((i) => varints(rows.map((row) => row[i] || 0))),
	rows.map((row) => row[10] || 0));

/* @rows: [[step, since, waker, wakee]] */
export const cpuWakeups = (cpu, rows) => table(CPU_WAKEUPS, cpu, rows.length, varints(rows.map((row) => row[0])),
	low(rows.map((row) => row[1])), high(rows.map((row) => row[1])), varints(rows.map((row) => row[2])),
	varints(rows.map((row) => row[3])));

/* @rows: [[start, thread + 1, cpu, event, has, period, ip, addr, weight]], without a stack */
export const samples = (rows) => table(SAMPLES, 0, rows.length, times(rows.map((row) => row[0])),
	varints(rows.map((row) => row[1])), zigzags(rows.map((row) => row[2])), rows.map((row) => row[3]),
	rows.map((row) => row[4]), ...[5, 6, 7, 8].map((i) => varints(rows.map((row) => row[i]))), rows.map(() => 0));

/* @rows: [[start, end, thread + 1, cpu, invalid, count...]], by end, with @nr counts */
export const sliceCounts = (nr, rows) => table(SLICE_COUNTS, nr, rows.length, times(rows.map((row) => row[0])),
	varints(rows.map(([start, end]) => end - start)), varints(rows.map((row) => row[2])), zigzags(rows.map((row) => row[3])),
	varints(rows.map((row) => row[4])), ...Array.from({ length: nr }, (_, i) => varints(rows.map((row) => row[5 + i]))));

/* @rows: [[start, state, cpu]] */
export const states = (thread, rows) => table(STATES, thread, rows.length, times(rows.map((row) => row[0])),
	rows.map((row) => row[1]), zigzags(rows.map((row) => row[2])));

/* @rows: [[putIn, leftOut, kept]] */
export const stateEdits = (thread, rows) => table(STATE_EDITS, thread, rows.length,
	...[0, 1, 2].map((i) => varints(rows.map((row) => row[i]))));

/* @rows: [[start, end, state, cpu]] */
export const looseStates = (thread, rows) => table(LOOSE_STATES, thread, rows.length, times(rows.map((row) => row[0])),
	varints(rows.map(([start, end]) => end - start)), rows.map((row) => row[2]), zigzags(rows.map((row) => row[3])));

/* @threads: [{tid, comm, depth, ...}]; @strings after those of threads' names begin at their number. */
export function head({ threads, cpus = 1, duration = 100, strings = [], starts = [0], spanNames = [], markNames = [], series = [], pmu = [] }) {
	const of = (name, missing) => threads.map((thread) => thread[name] ?? missing);
	return {
		format: 0, title: "made up", strings: [...threads.map(({ comm }) => comm), ...strings],
		cpus: new Array(cpus).fill(1), pmu,
		trace: { file: "made-up.dat", clock: "local", duration_ns: duration, events: 0 },
		threads: {
			tid: of("tid", 0), tgid: of("tgid", 0), comm: threads.map((_, i) => i), parent: of("parent", -1),
			session: of("session", 1), unmatched: of("unmatched", 0), depth: of("depth", 0), spans: of("spans", 0),
			marks: of("marks", 0), main_cpu: of("mainCpu", 0), switches: of("switches", 0), preemptions: of("preemptions", 0),
			migrations: of("migrations", 0), stolen: of("stolen", 0), ns: threads.flatMap(() => new Array(8).fill(0)),
		},
		windows: { start: starts, rows: starts.map(() => 10), left_out: [] },
		overview: null, counts: {}, span_names: spanNames, mark_names: markNames, series,
	};
}

/* A page of windows, of which all are decoded: one block for each, and the rest. */
export async function pagesOf(head, blocks, rest = []) {
	const pages = new Windows(head, { whole: Infinity });
	pages.rest = Piece.decode(Uint8Array.from(rest));
	blocks.forEach((bytes, window) => {
		const piece = Piece.decode(Uint8Array.from(bytes));
		buildStates(piece, head.threads.tid.length);
		pages.pieces.set(window, piece);
	});
	return pages;
}

export const storeOf = async (...what) => (await pagesOf(...what)).firstStore();
