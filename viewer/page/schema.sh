#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: schema.sh module|reference COMMAND...
#
# The schema of the page's tables, which COMMAND prints (schema.in, preprocessed), as a module of the
# page's script or as a reference in Markdown. A table of number 0 and a column of the encoding "none"
# are not in the page.
set -eu

# A line for each entry; a text in quotes that stands in several pieces becomes one, without quotes.
entries()
{
	tr '\n@' ' \n' | sed 's/\([^\\]\)" *"/\1/g; s/ *| */|/g; s/\([^\\]\)" *$/\1/; s/ *$//; s/|"/|/g; s/\\"/"/g'
}

module()
{
	awk -F'|' '
	function begin(name, bracket) {
		return "export const " name " = /** @type {const} */ (" bracket "\n"
	}
	function end_table() {
		if (in_table)
			print " } },"
		in_table = 0
	}
	BEGIN {
		print "// SPDX-License-Identifier: GPL-2.0"
		print "/* Made of viewer/model/tables.def: the version of the format, and its tables by number. */"
	}
	$1 == "version" { print "export const FORMAT_VERSION = " $2 ";" }
	$1 == "encoding" { print (encodings++ ? "\t" : begin("ENCODINGS", "[") "\t") "\"" $2 "\"," }
	$1 == "table" && !tables++ { printf "%s", "]);\n" begin("TABLE_KINDS", "{") }
	$1 == "table" || $1 == "overview" { end_table() }
	$1 == "overview" { printf "%s", "});\n" begin("OVERVIEW_KINDS", "{") }
	$1 == "table" && $2 { printf "\t%s: { name: \"%s\", columns: {", $2, $3; in_table = 1 }
	$1 == "column" && in_table && $2 != "none" { printf " %s: \"%s\",", $3, $2 }
	END {
		end_table()
		print "});"
	}'
}

reference()
{
	awk -F'|' '
	function shown(text) {
		gsub(/[<>*_]/, "\\\\&", text)
		return text
	}
	$1 == "version" {
		print "# The tables of a page, format version " $2 "\n"
		print "Made of `viewer/model/tables.def`. `viewer/page/data.h` says where tables stand.\n"
		print "## Encodings\n\n| encoding | a value is |\n|---|---|"
	}
	$1 == "encoding" { print "| `" $2 "` | " shown($3) " |" }
	$1 == "overview" { print "\n# Tables of the overview" }
	$1 == "table" { in_table = $2 }
	$1 == "table" && in_table {
		print "\n## " $2 ": " $3 "\n\n" shown($5) " Its owner: " $4 ".\n"
		print "| column | encoding | meaning |\n|---|---|---|"
	}
	$1 == "column" && in_table && $2 != "none" { print "| `" $3 "` | `" $2 "` | " shown($4) " |" }'
}

form=$1
shift
schema=$("$@")
printf '%s\n' "$schema" | entries | "$form"
