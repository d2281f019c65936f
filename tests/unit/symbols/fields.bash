# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the tests of fields of variables: to be sourced first, at the top of the tree. Programs are compiled that say
# themselves what is where.

annot=${ANNOT:-build/annot}
here=tests/unit/symbols
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DEBUGINFOD_URLS

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

# A program in DIRECTORY, and what it says. The second source is always in C.
build() {	# DIRECTORY SOURCE COMPILER FLAG...
	local directory=$work/$1 source=$2 language=c
	shift 2
	case $source in
	*.cc) language=c++ ;;
	*.f90) language=f95 ;;
	esac
	mkdir -p "$directory"
	"$@" -c -o "$directory/first.o" -x $language $here/"$source" &&
		"$@" -c -o "$directory/second.o" -x c $here/fields_second.c &&
		"$@" -Wl,--build-id -o "$directory/program" "$directory/first.o" "$directory/second.o" &&
		"$directory/program" >"$directory/said"
}

trace() {	# DIRECTORY
	$here/symbols_trace.py "$work/$1/said" | tests/lib/script_trace.py "$work/trace.dat"
}

# "ADDRESS NAME" of each sample, as annot names it. Compilers that optimize a program as one number its static variables.
told() {
	"$annot" samples --columns addr,data "$work/trace.dat" 2>"$work/err" |
		sed -E '1d; s/ +/ /g; s/ $//; s/ state(\.lto_priv)?\.[0-9]+/ state/'
}

# As the program says.
said() {	# DIRECTORY
	sed -n 's/^data \(.*\) 0x\(.*\)/\L\2\E \1/p' "$work/$1/said"
}

silent() { [ ! -s "$work/err" ] || cat "$work/err"; }

named() {	# DIRECTORY
	trace "$1"
	diff <(told) <(said "$1")
	[ "$(said "$1" | wc -l)" -gt 20 ] || echo "little was said"
	silent
}

built() {	# DIRECTORY SOURCE COMPILER FLAG...
	build "$@"
	named "$1"
}

# The end of a trace in which two threads write to one line: at addresses FIRST and SECOND.
share_line() {	# NANOSECOND FIRST SECOND
	local i
	echo "$1 0 100 fork pid=101 comm=other clone_flags=0x10000"
	echo "$(($1 + 1)) 1 0 switch next_pid=101 next_comm=other"
	for i in $(seq 20); do
		echo "$(($1 + 1000 + i * 10)) 0 100 sample period=1000 has=0x15 data_src=4 addr=$2"
		echo "$(($1 + 1005 + i * 10)) 1 101 sample period=1000 has=0x15 data_src=4 addr=$3"
	done
	echo "$(($1 + 6000)) 0 100 switch prev_state=1"
	echo "$(($1 + 6000)) 1 101 switch prev_state=1"
}
