# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the tests of fields of blocks of memory: to be sourced after fields.bash. Programs are compiled that say themselves what they allocate,
# and what is where in it.

allocate() {	# DIRECTORY SOURCE COMPILER FLAG...
	local directory=$work/$1 source=$2 language=c
	shift 2
	case $source in *.cc) language=c++ ;; esac
	mkdir -p "$directory"
	"$@" -c -o "$directory/program.o" -x $language $here/"$source" &&
		"$CC" -c -O2 -o "$directory/allocate.o" $here/blocks_allocate.c &&
		"$@" -Wl,--build-id -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -o "$directory/program" \
			"$directory/program.o" "$directory/allocate.o" &&
		"$directory/program" >"$directory/said"
}

trace_blocks() {	# DIRECTORY [EVENT]
	$here/symbols_trace.py "$work/$1/said" | sed "s/name=miss /name=${2-miss} /" |
		$here/blocks_trace.py "$work/$1/said" "$work/$1/program" |
		tests/lib/script_trace.py "$work/trace.dat"
}

# What is behind the name of the block, of each sample.
told_fields() {
	"$annot" samples --columns data "$work/trace.dat" 2>"$work/err" | sed -E '1d; s/^heap_[^ ]*\.(c|cc|h):[0-9]+//; s/ +$//'
}

said_fields() { sed -n 's/^datum \(.*\) 0x.*/\1/p' "$work/$1/said"; }

blocks() {	# DIRECTORY SOURCE COMPILER FLAG...
	allocate "$@"
	trace_blocks "$1"
	diff <(told_fields) <(said_fields "$1")
	[ "$(said_fields "$1" | wc -l)" -gt 5 ] || echo "little was said"
	silent
}
