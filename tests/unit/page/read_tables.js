// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the tables of a block as the page's script does, and prints them: a line with kind, owner and
 * number of rows, then a line for each column.
 *
 * usage: node read_tables.js tables|overview FILE
 */
import { readFileSync } from "node:fs";
import { eventText } from "../../../viewer/page/js/data/event_texts.js";
import { OVERVIEW_KINDS, readTables, TABLE_KINDS } from "../../../viewer/page/js/data/format.js";

const textOf = (column) => Array.isArray(column) ? column.map(textOf).join(" ") :
	Array.from(column, (value, row) => column.exact?.get(row) ?? String(value)).join(" ");

const kinds = process.argv[2] === "tables" ? TABLE_KINDS : OVERVIEW_KINDS;
const printed = (kind, name, column) => kinds[kind].columns[name] === "text" ?
	Array.from(column, eventText).join(" ") : textOf(column);

readTables(readFileSync(process.argv[3]), kinds, ({ kind, owner, table }) => {
	const { rows, ...columns } = table;
	console.log(`${kind} ${owner} ${rows}`);
	for (const [name, column] of Object.entries(columns))
		console.log(`${name}: ${printed(kind, name, column)}`);
});
