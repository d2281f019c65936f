# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the tests of places in names of annotations: to be sourced first, at the top of the tree. Programs are compiled
# that say themselves where they call from.

annot=${ANNOT:-build/annot}
here=tests/unit/symbols
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DEBUGINFOD_URLS
export LC_ALL=C

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

# A program and its library in DIRECTORY, by COMPILER, in LANGUAGE, and what it says. The library is
# always in C, and takes no flag of a program.
build() {	# DIRECTORY COMPILER FLAG...
	build_in c "$@"
}

build_in() {	# LANGUAGE DIRECTORY COMPILER FLAG...
	local language=$1 directory=$work/$2 compiler=$3 flag library_flags=()
	shift 3
	for flag; do
		case $flag in *pie | *PIE) ;; *) library_flags+=("$flag") ;; esac
	done
	mkdir -p "$directory"
	"$compiler" -x c -O0 -Wl,--build-id "${library_flags[@]}" -fPIC -shared -o "$directory/libplaces.so" \
		$here/places_library.c &&
		"$compiler" -O0 -Wl,--build-id "$@" -o "$directory/program" -x "$language" $here/places_program.c \
			-x none -L"$directory" -lplaces -Wl,-rpath,"$directory" &&
		"$directory/program" >"$directory/said"
}

build_id() { readelf -n "$1" 2>/dev/null | sed -n 's/.*Build ID: //p'; }

# The name of each place that the program in DIRECTORY said, as "KIND NAME": @ in work, & in waits. The
# build-id has DIGITS, 16 if not told.
names() {	# DIRECTORY [DIGITS]
	local id
	while read -r _ _ _ _ address path; do
		id=$(build_id "$path")
		id=${id:0:${2-16}}
		echo "begin for @$path${id:+#}$id+$address"
		echo "wait task &$path${id:+#}$id+$address"
	done <"$work/$1/said"
}

trace() { $here/names_trace.py "${form-marker}" "$work/trace.dat"; }

# The tasks of the trace, as "work NAME" and "wait NAME", in the order of names.
tasks() {
	"$annot" report --json "$work/trace.dat" 2>"$work/err" | python3 -c '
import json, sys
for task in json.load(sys.stdin)["tasks"]:
    print(task["kind"], task["name"])' | sort
}

silent() { [ ! -s "$work/err" ] || cat "$work/err"; }

# Exactly one warning, which names FILE and has TEXT in it.
warned() {	# FILE TEXT
	[ "$(wc -l <"$work/err")" -eq 1 ] && grep -F "annot: warning: $1: " "$work/err" | grep -qF -- "$2" ||
		echo "not one warning of $1 with \"$2\": $(cat "$work/err")"
}

source_of() { case $1 in */libplaces.so) echo places_library.c ;; *) echo places_program.c ;; esac }

# What is true of the program in DIRECTORY: with lines.
by_line() {	# DIRECTORY
	while read -r _ name line _ _ path; do
		echo "work for $(source_of "$path"):$line"
		echo "wait task $name $(source_of "$path"):$line"
	done <"$work/$1/said" | sort -u
}

# Without lines: by function and offset. gcc's part of main has a symbol, and a start, of its own.
by_function() {	# DIRECTORY
	local name offset address path start
	while read -r _ name _ offset address path; do
		if [ "$offset" = -1 ]; then
			start=$(nm "$path" | awk '$3 == "main._omp_fn.0" { print $1 }')
			name=main._omp_fn.0
			offset=$((address - 0x$start))
		fi
		printf 'work for %s+0x%x\n' "$name" "$offset"
		printf 'wait task %s+0x%x\n' "$name" "$offset"
	done <"$work/$1/said" | sort -u
}

# Without symbols: by file and address.
by_address() {	# DIRECTORY
	while read -r _ _ _ _ address path; do
		echo "work for ${path##*/}+$address"
		echo "wait task ${path##*/}+$address"
	done <"$work/$1/said" | sort -u
}

shown() {	# DIRECTORY TRUTH
	names "$1" | trace
	[ "$(wc -l <"$work/$1/said")" -ge 2 ] || echo "it said nothing"
	diff <(tasks) <("$2" "$1")
	silent
}
