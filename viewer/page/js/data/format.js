// SPDX-License-Identifier: GPL-2.0
/*
 * The page's data blocks -> tables of typed arrays. The format is described in viewer/page/data.h.
 */
export const FORMAT_VERSION = 5;

export const TABLE_KINDS = {
	1: { name: "slices", columns: { start: "idle", end: "splitLength", thread: "id", endState: "u8" } },
	2: { name: "gaps", columns: { start: "time", end: "length", events: "count", kind: "u8" } },
	3: { name: "states", columns: { start: "time", state: "u8", cpu: "cpu" } },
	4: {
		name: "spans",
		columns: {
			start: "time", end: "length", name: "id", kind: "u8", depth: "u8",
			flags: "u8", value: "value",
		},
	},
	5: { name: "marks", columns: { start: "time", name: "id", flags: "u8", value: "value" } },
	6: {
		name: "migrations",
		columns: { start: "time", left: "waited", thread: "id", from: "cpu", to: "cpu" },
	},
	7: { name: "cpuWakeups", columns: { step: "id", since: "split", waker: "id", wakee: "id" } },
	8: { name: "spanDrains", columns: { after: "count" } },
	9: { name: "markDrains", columns: { after: "count" } },
	10: {
		name: "samples",
		columns: {
			start: "time", thread: "id", cpu: "cpu", event: "u8", has: "u8", period: "count",
			ip: "address", addr: "address", weight: "count",
		},
	},
	11: {
		name: "sliceCounts",
		columns: {
			start: "time", end: "length", thread: "id", cpu: "cpu", invalid: "id", counts: "counts",
		},
	},
	12: {
		name: "pmuGaps",
		columns: { start: "time", end: "length", cpu: "cpu", event: "u8", state: "u8" },
	},
	13: { name: "stateEdits", columns: { putIn: "count", leftOut: "count", kept: "count" } },
	14: {
		name: "looseStates",
		columns: { start: "time", end: "length", state: "u8", cpu: "cpu" },
	},
};

/* Those of the overview, data/overview.js. */
export const OVERVIEW_KINDS = {
	20: { name: "cpuOverview", columns: { thread: "id", busy: "u8" } },
	21: {
		name: "stateOverview",
		columns: {
			run: "id", running: "u8", preempted: "u8", runnable: "u8", sleeping: "u8", uninterruptible: "u8",
			stopped: "u8", dead: "u8",
		},
	},
	22: {
		name: "spanOverview",
		columns: { depth: "u8", run: "id", name: "id", kind: "u8", share: "u8" },
	},
	23: { name: "cpuDensity", columns: { run: "id", sum: "count", min: "count", max: "count" } },
	24: { name: "threadDensity", columns: { run: "id", sum: "count", min: "count", max: "count" } },
	25: {
		name: "counterOverview",
		columns: { name: "id", run: "id", min: "value", max: "value", last: "value" },
	},
	26: { name: "markOverview", columns: { run: "id", name: "id", count: "id" } },
};

/* Numbers are doubles: exact up to 2^53, which nanoseconds reach after 104 days. */
class BlockReader {
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
		const value = this.varint();
		if (value <= 0x7fffffff)
			return value >>> 1 ^ -(value & 1);
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

const columnReaders = {
	u8(reader, rows) {
		const column = reader.bytes.slice(reader.at, reader.at + rows);
		reader.at += rows;
		return column;
	},
	id(reader, rows) {
		const column = new Uint32Array(rows);
		for (let i = 0; i < rows; i++)
			column[i] = reader.varint();
		return column;
	},
	count(reader, rows) {
		const column = new Float64Array(rows);
		for (let i = 0; i < rows; i++)
			column[i] = reader.varint();
		return column;
	},
	cpu(reader, rows) {
		const column = new Int16Array(rows);
		for (let i = 0; i < rows; i++)
			column[i] = reader.zigzag();
		return column;
	},
	address(reader, rows) {
		const column = new BigUint64Array(rows);
		for (let i = 0; i < rows; i++)
			column[i] = reader.exactVarint();
		return column;
	},
	/* As many columns as the table's owner says. */
	counts(reader, rows, table, owner) {
		return Array.from({ length: owner }, () => columnReaders.count(reader, rows));
	},
	time(reader, rows) {
		const column = new Float64Array(rows);
		let before = 0;
		for (let i = 0; i < rows; i++)
			column[i] = before += reader.zigzag();
		return column;
	},
	/* Only a distance until the column of lengths makes times of both. */
	idle(reader, rows) {
		const column = new Float64Array(rows);
		for (let i = 0; i < rows; i++)
			column[i] = reader.zigzag();
		return column;
	},
	length(reader, rows, table) {
		const column = new Float64Array(rows);
		for (let i = 0; i < rows; i++)
			column[i] = table.start[i] + reader.varint();
		return column;
	},
	split(reader, rows) {
		const low = columnReaders.u8(reader, rows);
		const column = new Float64Array(rows);
		for (let i = 0; i < rows; i++)
			column[i] = reader.varint() * 256 + low[i];
		return column;
	},
	/* Of starts that are "idle". */
	splitLength(reader, rows, table) {
		const { start } = table;
		const column = columnReaders.split(reader, rows);
		let before = 0;
		for (let i = 0; i < rows; i++) {
			start[i] += before;
			before = column[i] += start[i];
		}
		return column;
	},
	waited(reader, rows, table) {
		const column = new Float64Array(rows);
		for (let i = 0; i < rows; i++)
			column[i] = table.start[i] - reader.varint();
		return column;
	},
	/* What a double cannot hold stands as text in the column's own map: row -> decimal. */
	value(reader, rows) {
		const column = new Float64Array(rows);
		column.exact = new Map();
		for (let i = 0; i < rows; i++) {
			const at = reader.at;
			column[i] = reader.zigzag();
			if (Number.isSafeInteger(column[i]))
				continue;
			reader.at = at;
			column.exact.set(i, reader.exactZigzag());
		}
		return column;
	},
};

function readTable(reader, kinds) {
	const number = reader.u8();
	const kind = kinds[number];
	if (!kind)
		throw new Error("the page holds a kind of table that its script does not know");
	const owner = reader.varint();
	const rows = reader.varint();
	const table = { rows };
	for (const [name, encoding] of Object.entries(kind.columns))
		table[name] = columnReaders[encoding](reader, rows, table, owner);
	return { kind: number, name: kind.name, owner, table };
}

/* Calls use({kind, name, owner, table}) for each table of a block. */
export function readTables(bytes, kinds, use) {
	const reader = new BlockReader(bytes);
	while (!reader.done())
		use(readTable(reader, kinds));
}

export const EMPTY_TABLES = Object.fromEntries(Object.values(TABLE_KINDS).map((kind) => {
	const table = { rows: 0 };
	for (const [name, encoding] of Object.entries(kind.columns))
		table[name] = columnReaders[encoding](new BlockReader(new Uint8Array(0)), 0, table, 0);
	return [kind.name, table];
}));
