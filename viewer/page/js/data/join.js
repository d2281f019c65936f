// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of the same kind, of windows that follow each other, as one; and the rows of the rest put
 * in where they belong by time. Columns are copied stretch by stretch, never row by row.
 */

/* The first row of @table that stands behind row @i of @loose: at one time, windows' rows come first. */
function placeIn(table, key, loose, i) {
	const ns = loose[key][i];
	let row = table[key].length;
	for (let from = 0; from < row;) {
		const middle = (from + row) >>> 1;
		if (table[key][middle] <= ns)
			from = middle + 1;
		else
			row = middle;
	}
	/* But a span stands before those inside of it. */
	if (table.depth)
		while (row > 0 && table[key][row - 1] === ns && table.depth[row - 1] > loose.depth[i])
			row--;
	return row;
}

/* [{table, from, past}]: the stretches of @tables and @loose, in order. */
function stretchesOf(tables, loose, key) {
	const stretches = [];
	let next = 0;
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

function joinColumn(stretches, columnOf, rows, Column) {
	const joined = new Column(rows);
	let at = 0;
	for (const { table, from, past } of stretches) {
		const column = columnOf(table);
		if (column)
			joined.set(from || past < column.length ? column.subarray(from, past) : column, at);
		at += past - from;
	}
	return joined;
}

/* The values that no double holds: row -> text. */
function joinExact(stretches, name) {
	const exact = new Map();
	let at = 0;
	for (const { table, from, past } of stretches) {
		if (table[name].exact.size)
			for (const [row, text] of table[name].exact)
				if (row >= from && row < past)
					exact.set(row - from + at, text);
		at += past - from;
	}
	return exact;
}

/* As many columns as the widest has; what a narrow one lacks is 0. */
function joinCounts(stretches, rows) {
	const most = Math.max(...stretches.map(({ table }) => table.counts.length));
	return Array.from({ length: most }, (_, i) =>
		joinColumn(stretches, (table) => table.counts[i], rows, Float64Array));
}

/* @key: the column by which the rows stand in order. What is joined with nothing is not copied. */
export function joinTables(tables, loose, key = "start") {
	const stretches = stretchesOf(tables, loose, key);
	if (!stretches.length)
		return tables[0] || loose;
	const [{ table, from, past }] = stretches;
	if (stretches.length === 1 && from === 0 && past === table.rows)
		return table;
	const rows = stretches.reduce((sum, own) => sum + own.past - own.from, 0);
	const joined = { rows };
	for (const name of Object.keys(table)) {
		if (name === "rows" || name === "after")
			continue;
		if (name === "counts") {
			joined.counts = joinCounts(stretches, rows);
			continue;
		}
		joined[name] = joinColumn(stretches, (own) => own[name], rows, table[name].constructor);
		if (table[name].exact)
			joined[name].exact = joinExact(stretches, name);
	}
	if (stretches.some((own) => own.table.after))
		joined.after = joinColumn(stretches, (own) => own.after, rows, Float64Array);
	return joined;
}

/* The rows of a table that have a part in [from, to]. */
export function rowsWithin(table, from, to) {
	const { start, end = start } = table;
	const rows = [];
	for (let row = 0; row < table.rows; row++)
		if (start[row] <= to && end[row] >= from)
			rows.push(row);
	if (rows.length === table.rows)
		return table;
	const chosen = { rows: rows.length };
	for (const [name, column] of Object.entries(table)) {
		if (name === "rows")
			continue;
		if (name === "counts")
			chosen.counts = column.map((own) => chooseRows(own, rows));
		else
			chosen[name] = chooseRows(column, rows);
	}
	return chosen;
}

function chooseRows(column, rows) {
	const chosen = new column.constructor(rows.length);
	rows.forEach((row, i) => chosen[i] = column[row]);
	if (column.exact) {
		chosen.exact = new Map();
		rows.forEach((row, i) => {
			if (column.exact.has(row))
				chosen.exact.set(i, column.exact.get(row));
		});
	}
	return chosen;
}

/*
 * A thread's states: each lasts until the next one starts, the last one until .end. @to: the end of
 * what is loaded, where the last one is none of the rest.
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
