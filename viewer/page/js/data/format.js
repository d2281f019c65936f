// SPDX-License-Identifier: GPL-2.0
/*
 * The page's data blocks -> tables of typed arrays. Which tables and columns there are stands in
 * viewer/model/tables.def, of which tables.mjs is made; viewer/page/data.h describes the rest.
 */
import { internText } from "./event_texts.js";
import { ENCODINGS, FORMAT_VERSION, OVERVIEW_KINDS, TABLE_KINDS } from "../../../../build/viewer/page/tables.mjs";

export { ENCODINGS, FORMAT_VERSION, OVERVIEW_KINDS, TABLE_KINDS };

/* Numbers are doubles: exact up to 2^53, which nanoseconds reach after 104 days. */
class BlockReader {
	/** @param {Uint8Array} bytes */
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	done() {
		return this.at >= this.bytes.length;
	}

	u8() {
		return this.bytes[this.at++];
	}

	varint() {
		const { bytes } = this;
		let byte = bytes[this.at++];
		if (byte < 0x80)
			return byte;
		let value = byte & 0x7f;
		let scale = 0x80;
		do {
			byte = bytes[this.at++];
			value += (byte & 0x7f) * scale;
			scale *= 0x80;
		} while (byte >= 0x80);
		return value;
	}

	zigzag() {
		const from = this.at;
		const value = this.varint();
		if (value <= 0x7fffffff)
			return value >>> 1 ^ -(value & 1);
		/* Its lowest bit, the sign, is lost. */
		if (value > Number.MAX_SAFE_INTEGER) {
			this.at = from;
			return Number(this.exactZigzag());
		}
		return value % 2 ? -(value + 1) / 2 : value / 2;
	}

	/* A zigzag of any 64 bits, in decimal. */
	exactZigzag() {
		const value = this.exactVarint();
		return String(value & 1n ? -(value >> 1n) - 1n : value >> 1n);
	}

	/* A varint of any 64 bits. */
	exactVarint() {
		let value = 0n;
		let shift = 0n;
		let byte;
		do {
			byte = this.bytes[this.at++];
			value |= BigInt(byte & 0x7f) << shift;
			shift += 7n;
		} while (byte >= 0x80);
		return value;
	}
}

/**
 * @typedef {Float64Array & {exact: Map<number, string>}} ValueColumn
 *	What a double cannot hold stands as text in the column's own map: row -> decimal.
 */

/** @type {(reader: BlockReader, rows: number) => Uint8Array} */
function readBytes(reader, rows) {
	const column = reader.bytes.slice(reader.at, reader.at + rows);
	reader.at += rows;
	return column;
}

/** @type {(reader: BlockReader, rows: number) => Uint32Array} */
function readIds(reader, rows) {
	const column = new Uint32Array(rows);
	for (let i = 0; i < rows; i++)
		column[i] = reader.varint();
	return column;
}

/** @type {(reader: BlockReader, rows: number) => Float64Array} */
function readNumbers(reader, rows) {
	const column = new Float64Array(rows);
	for (let i = 0; i < rows; i++)
		column[i] = reader.varint();
	return column;
}

/** @type {(reader: BlockReader, rows: number) => BigUint64Array} */
function readAddresses(reader, rows) {
	const column = new BigUint64Array(rows);
	for (let i = 0; i < rows; i++)
		column[i] = reader.exactVarint();
	return column;
}

/** @type {(reader: BlockReader, rows: number) => Int16Array} */
function readCpus(reader, rows) {
	const column = new Int16Array(rows);
	for (let i = 0; i < rows; i++)
		column[i] = reader.zigzag();
	return column;
}

/** @type {(reader: BlockReader, rows: number) => ValueColumn} */
function readValues(reader, rows) {
	const column = Object.assign(new Float64Array(rows), { exact: new Map() });
	for (let i = 0; i < rows; i++) {
		const at = reader.at;
		column[i] = reader.zigzag();
		if (Number.isSafeInteger(column[i]))
			continue;
		reader.at = at;
		column.exact.set(i, reader.exactZigzag());
	}
	return column;
}

/** @type {(reader: BlockReader, rows: number) => Float64Array} */
function readTimes(reader, rows) {
	const column = new Float64Array(rows);
	let before = 0;
	for (let i = 0; i < rows; i++)
		column[i] = before += reader.zigzag();
	return column;
}

/** @type {(reader: BlockReader, rows: number) => Float64Array} */
function readDistances(reader, rows) {
	const column = new Float64Array(rows);
	for (let i = 0; i < rows; i++)
		column[i] = reader.zigzag();
	return column;
}

/** @type {(reader: BlockReader, rows: number, table: {start: Float64Array}) => Float64Array} */
function readEnds(reader, rows, table) {
	const column = new Float64Array(rows);
	for (let i = 0; i < rows; i++)
		column[i] = table.start[i] + reader.varint();
	return column;
}

/** @type {(reader: BlockReader, rows: number, table: {start: Float64Array}) => Float64Array} */
function readBefore(reader, rows, table) {
	const column = new Float64Array(rows);
	for (let i = 0; i < rows; i++)
		column[i] = table.start[i] - reader.varint();
	return column;
}

/** @type {(reader: BlockReader, rows: number) => Float64Array} */
function readSplit(reader, rows) {
	const low = readBytes(reader, rows);
	const column = new Float64Array(rows);
	for (let i = 0; i < rows; i++)
		column[i] = reader.varint() * 256 + low[i];
	return column;
}

/**
 * Makes times of the starts, too, which are distances until then.
 * @type {(reader: BlockReader, rows: number, table: {start: Float64Array}) => Float64Array}
 */
function readBusyEnds(reader, rows, { start }) {
	const column = readSplit(reader, rows);
	let before = 0;
	for (let i = 0; i < rows; i++) {
		start[i] += before;
		before = column[i] += start[i];
	}
	return column;
}

/** @type {(reader: BlockReader, rows: number, table: {thread: Uint32Array}) => Uint8Array} */
function readSteady(reader, rows, { thread }) {
	const column = readBytes(reader, rows);
	const before = new Uint8Array(thread.reduce((nr, own) => Math.max(nr, own + 1), 0));
	for (let i = 0; i < rows; i++)
		column[i] = before[thread[i]] += column[i];
	return column;
}

/** @type {(reader: BlockReader, rows: number, table: object, owner: number) => Float64Array[]} */
function readCounts(reader, rows, table, owner) {
	return Array.from({ length: owner }, () => readNumbers(reader, rows));
}

/** @type {(reader: BlockReader, rows: number) => Uint32Array} numbers of event_texts.js */
function readTexts(reader, rows) {
	const column = readIds(reader, rows);
	const lengths = readIds(reader, column.reduce((most, place) => Math.max(most, place + 1), 0));
	const decoder = new TextDecoder();
	const numbers = lengths.map((length) => {
		const bytes = readBytes(reader, length);
		return internText(decoder.decode(bytes));
	});
	return column.map((place) => numbers[place]);
}

/* By the names of tables.def, which says how values stand in a block. */
const columnReaders = {
	u8: readBytes,
	id: readIds,
	thread: readIds,
	count: readNumbers,
	address: readAddresses,
	cpu: readCpus,
	value: readValues,
	time: readTimes,
	length: readEnds,
	waited: readBefore,
	idle: readDistances,
	split: readSplit,
	busy: readBusyEnds,
	lag: readNumbers,
	flags: readBytes,
	edit: readNumbers,
	steady: readSteady,
	text: readTexts,
	counts: readCounts,
};

/**
 * @typedef {typeof ENCODINGS[number]} Encoding
 * @typedef {Readonly<Record<string, Encoding>>} Columns	name -> encoding
 * @typedef {Readonly<Record<number, {name: string, columns: Columns}>>} Kinds	by number
 */

/**
 * @template {Columns} C
 * @typedef {{rows: number} & {-readonly [N in keyof C]: ReturnType<typeof columnReaders[C[N]]>}} TableOf
 */

/**
 * The tables of a block, and those of the overview, by name.
 * @typedef {{
 *	[N in keyof typeof TABLE_KINDS as typeof TABLE_KINDS[N]["name"]]:
 *		TableOf<typeof TABLE_KINDS[N]["columns"]>
 * }} Tables
 * @typedef {{
 *	[N in keyof typeof OVERVIEW_KINDS as typeof OVERVIEW_KINDS[N]["name"]]:
 *		TableOf<typeof OVERVIEW_KINDS[N]["columns"]>
 * }} OverviewTables
 */

/**
 * @param {BlockReader} reader
 * @param {Columns} columns
 * @param {number} rows
 * @param {number} owner
 * @returns {{rows: number}} with the columns, of which those that count from others stand behind them
 */
function readColumns(reader, columns, rows, owner) {
	const table = /** @type {TableOf<{start: "time", thread: "id"}>} */ ({ rows });
	for (const [name, encoding] of Object.entries(columns))
		Object.assign(table, { [name]: columnReaders[encoding](reader, rows, table, owner) });
	return table;
}

/** @param {BlockReader} reader @param {Kinds} kinds */
function readTable(reader, kinds) {
	const number = reader.u8();
	const kind = kinds[number];
	if (!kind)
		throw new Error("the page contains a kind of table that its script does not know");
	const owner = reader.varint();
	const rows = reader.varint();
	return { kind: number, name: kind.name, owner, table: readColumns(reader, kind.columns, rows, owner) };
}

/**
 * Calls @use for each table of a block, step by step; T is those that @kinds describe.
 * @template T
 * @param {Uint8Array} bytes
 * @param {Kinds} kinds
 * @param {(block: import("./tables.js").Block<T>) => void} use
 */
export function* tableSteps(bytes, kinds, use) {
	const reader = new BlockReader(bytes);
	while (!reader.done())
		yield () => use(/** @type {import("./tables.js").Block<T>} */ (/** @type {unknown} */ (readTable(reader, kinds))));
}

/**
 * The same, at once.
 * @template T
 * @param {Uint8Array} bytes
 * @param {Kinds} kinds
 * @param {(block: import("./tables.js").Block<T>) => void} use
 */
export function readTables(bytes, kinds, use) {
	for (const step of tableSteps(bytes, kinds, use))
		step();
}

/**
 * By name, tables without rows.
 * @type {Tables}
 */
export const EMPTY_TABLES = Object.assign({}, ...Object.values(TABLE_KINDS).map((kind) =>
	({ [kind.name]: readColumns(new BlockReader(new Uint8Array(0)), kind.columns, 0, 0) })));
