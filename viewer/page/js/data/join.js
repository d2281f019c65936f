// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of the same kind, of windows that follow each other, as one; and the rows of the rest put
 * in where they belong by time. Columns are copied stretch by stretch, never row by row.
 */
import { lastAtMost } from "./row_search.js";

/** @typedef {import("./tables.js").LooseStates} LooseStates */
/** @typedef {import("./tables.js").StateRows} StateRows */
/** @typedef {import("./tables.js").States} States */
/**
 * A table that can be joined with others of its kind: its rows stand in the order of start, or of end.
 * @typedef {{
 *	rows: number, start: Float64Array, end?: Float64Array, depth?: Uint8Array, after?: Float64Array,
 *	counts?: Float64Array[],
 * }} OrderedTable
 */
/** @typedef {"start" | "end"} OrderKey */
/** @typedef {{table: OrderedTable, from: number, past: number}} Stretch rows [from, past) of a table */
/**
 * A column that is only copied: whatever it holds, it is taken for one of doubles.
 * @typedef {Float64Array & {exact?: Map<number, string>}} CopiedColumn
 */

/**
 * All columns of a table but its counts, which are as many as the table has events.
 * @param {OrderedTable} table
 * @returns {[string, CopiedColumn][]}
 */
function columnsOf(table) {
	const { rows, counts, ...columns } = table;
	return Object.entries(/** @type {{[name: string]: CopiedColumn}} */ (/** @type {object} */ (columns)));
}

/**
 * A column by its name, if the table has it.
 * @param {OrderedTable} table @param {string} name
 */
function columnOf(table, name) {
	const columns = /** @type {{[name: string]: CopiedColumn | undefined}} */ (/** @type {object} */ (table));
	return columns[name];
}

/** @param {CopiedColumn} like @param {number} rows @returns {CopiedColumn} */
function newColumn(like, rows) {
	const Column = /** @type {Float64ArrayConstructor} */ (like.constructor);
	return new Column(rows);
}

/** @param {OrderedTable} table @param {OrderKey} key */
const timesOf = (table, key) => table[key] || table.start;

/**
 * The first row of @table that stands behind row @i of @loose: at one time, windows' rows come first.
 * @param {OrderedTable} table @param {OrderKey} key @param {OrderedTable} loose @param {number} i
 */
function placeIn(table, key, loose, i) {
	const ns = timesOf(loose, key)[i];
	const times = timesOf(table, key);
	let row = lastAtMost(times, ns) + 1;
	/* But a span stands before those inside of it. */
	if (table.depth && loose.depth)
		while (row > 0 && times[row - 1] === ns && table.depth[row - 1] > loose.depth[i])
			row--;
	return row;
}

/**
 * The stretches of @tables and @loose, in order.
 * @param {OrderedTable[]} tables @param {OrderedTable} loose @param {OrderKey} key
 */
function stretchesOf(tables, loose, key) {
	/** @type {Stretch[]} */
	const stretches = [];
	let next = 0;
	/** @param {OrderedTable} table @param {number} from @param {number} past */
	const add = (table, from, past) => {
		if (past > from)
			stretches.push({ table, from, past });
	};
	for (const table of tables) {
		let at = 0;
		while (next < loose.rows) {
			const place = placeIn(table, key, loose, next);
			if (place === table.rows)
				break;
			add(table, at, place);
			add(loose, next, next + 1);
			at = place;
			next++;
		}
		add(table, at, table.rows);
	}
	add(loose, next, loose.rows);
	return stretches;
}

/**
 * Puts a column of each stretch into @joined, one behind the other: 0 stays where a table has none.
 * @param {Stretch[]} stretches
 * @param {(table: OrderedTable) => CopiedColumn | undefined} columnIn
 * @param {CopiedColumn} joined
 */
function joinColumn(stretches, columnIn, joined) {
	let at = 0;
	for (const { table, from, past } of stretches) {
		const column = columnIn(table);
		if (column)
			joined.set(from || past < column.length ? column.subarray(from, past) : column, at);
		at += past - from;
	}
	return joined;
}

/**
 * The values of a column that no double holds: row -> text.
 * @param {Stretch[]} stretches @param {string} name
 */
function joinExact(stretches, name) {
	/** @type {Map<number, string>} */
	const exact = new Map();
	let at = 0;
	for (const { table, from, past } of stretches) {
		for (const [row, text] of columnOf(table, name)?.exact || [])
			if (row >= from && row < past)
				exact.set(row - from + at, text);
		at += past - from;
	}
	return exact;
}

/**
 * As many columns as the widest has; what a narrow one lacks is 0.
 * @param {Stretch[]} stretches @param {number} rows
 */
function joinCounts(stretches, rows) {
	const most = Math.max(...stretches.map(({ table }) => table.counts ? table.counts.length : 0));
	return Array.from({ length: most }, (_, i) =>
		joinColumn(stretches, ({ counts }) => counts && counts[i], new Float64Array(rows)));
}

/**
 * What is joined with nothing is not copied.
 * @template {OrderedTable} T
 * @param {T[]} tables of windows that follow each other
 * @param {T} loose rows of the rest
 * @param {OrderKey} key the column by which the rows stand in order
 * @returns {T}
 */
export function joinTables(tables, loose, key = "start") {
	const stretches = stretchesOf(tables, loose, key);
	if (!stretches.length)
		return tables[0] || loose;
	const [{ from, past }] = stretches;
	const table = /** @type {T} */ (stretches[0].table);
	if (stretches.length === 1 && from === 0 && past === table.rows)
		return table;
	const rows = stretches.reduce((sum, own) => sum + own.past - own.from, 0);
	/** @type {{[name: string]: CopiedColumn}} */
	const columns = {};
	for (const [name, column] of columnsOf(table)) {
		if (name === "after")
			continue;
		columns[name] = joinColumn(stretches, (own) => columnOf(own, name), newColumn(column, rows));
		if (column.exact)
			columns[name].exact = joinExact(stretches, name);
	}
	if (stretches.some((own) => own.table.after))
		columns.after = joinColumn(stretches, (own) => own.after, new Float64Array(rows));
	const counts = table.counts ? { counts: joinCounts(stretches, rows) } : {};
	return { ...table, rows, ...columns, ...counts };
}

/**
 * The rows of a table that have a part in [from, to].
 * @template {OrderedTable} T
 * @param {T} table
 * @param {number} from
 * @param {number} to
 * @returns {T}
 */
export function rowsWithin(table, from, to) {
	const { start, end = start } = table;
	/** @type {number[]} */
	const rows = [];
	for (let row = 0; row < table.rows; row++)
		if (start[row] <= to && end[row] >= from)
			rows.push(row);
	return rows.length === table.rows ? table : takeRows(table, rows);
}

/**
 * @template {OrderedTable} T
 * @param {T} table @param {number[]} rows @returns {T}
 */
function takeRows(table, rows) {
	/** @type {{[name: string]: CopiedColumn}} */
	const columns = {};
	for (const [name, column] of columnsOf(table))
		columns[name] = chooseRows(column, rows);
	const counts = table.counts ? { counts: table.counts.map((own) => chooseRows(own, rows)) } : {};
	return { ...table, rows: rows.length, ...columns, ...counts };
}

/**
 * The rows of a table in the order of their begins.
 * @template {OrderedTable} T
 * @param {T} table
 * @returns {T}
 */
export function byStart(table) {
	const { start } = table;
	const rows = Array.from({ length: table.rows }, (_, row) => row).sort((a, b) => start[a] - start[b] || a - b);
	return rows.every((row, i) => row === i) ? table : takeRows(table, rows);
}

/** @param {CopiedColumn} column @param {number[]} rows */
function chooseRows(column, rows) {
	const chosen = newColumn(column, rows.length);
	rows.forEach((row, i) => chosen[i] = column[row]);
	if (!column.exact)
		return chosen;
	chosen.exact = new Map();
	for (const [i, row] of rows.entries()) {
		const text = column.exact.get(row);
		if (text !== undefined)
			chosen.exact.set(i, text);
	}
	return chosen;
}

/**
 * A thread's states. The last one of them ends at @to, the end of what is loaded, if it is none of the
 * rest.
 * @param {StateRows[]} tables
 * @param {LooseStates} loose
 * @param {number} to
 * @returns {States}
 */
export function joinStates(tables, loose, to) {
	const joined = joinTables(tables, loose);
	const last = loose.rows - 1;
	const isLoose = last >= 0 &&
		!tables.some((table) => table.rows && table.start[table.rows - 1] > loose.start[last]);
	return {
		rows: joined.rows, start: joined.start, state: joined.state, cpu: joined.cpu,
		end: isLoose ? loose.end[last] : to,
	};
}
