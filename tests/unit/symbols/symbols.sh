#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# Names of functions, lines and variables in annot report --by: of a program that is compiled here
# and says itself where its things are, in all the ways that its files can be there or not. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
CC=${CC:-cc}
CXX=${CXX:-c++}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DEBUGINFOD_URLS

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

# A program and its library in DIRECTORY, and what it says.
build() {	# DIRECTORY FLAG...
	local directory=$work/$1
	shift
	mkdir -p "$directory"
	$CC -g -O0 -fPIC -shared -Wl,--build-id -o "$directory/libplaces.so" tests/unit/symbols/symbols_library.c &&
		$CC -g -O0 -Wl,--build-id "$@" -o "$directory/program" tests/unit/symbols/symbols_program.c \
			-L"$directory" -lplaces -Wl,-rpath,"$directory" &&
		"$directory/program" >"$directory/said"
}

# The same of a program in C++.
build_cpp() {
	mkdir -p "$work/cpp"
	$CC -g -O0 -fPIC -shared -Wl,--build-id -o "$work/cpp/libplaces.so" tests/unit/symbols/symbols_library.c &&
		$CXX -g -O0 -Wl,--build-id -o "$work/cpp/program" tests/unit/symbols/symbols_cpp.cc \
			-L"$work/cpp" -lplaces -Wl,-rpath,"$work/cpp" &&
		"$work/cpp/program" >"$work/cpp/said"
}

# A trace of what the program in DIRECTORY said.
trace() {	# DIRECTORY OPTION...
	local directory=$work/$1
	shift
	tests/unit/symbols/symbols_trace.py "$@" "$directory/said" >"$work/script" &&
		tests/lib/script_trace.py "$work/trace.dat" <"$work/script"
}

# The rows of the ranking, as "labels: samples"; those of samples of data left out.
rows() {	# KEY
	"$annot" report --by "$1" --csv "$work/trace.dat" 2>"$work/err" | tr -d '\r' |
		awk -F, 'NR > 1 { printf "%s", $2; for (i = 3; i < NF - 4; i++) printf " %s", $i; print ": " $(NF - 4) }' |
		grep -v '^\[unknown\] \[unknown\]\|^- \[unknown\] \[unknown\]\|^(no address)'
}

expect() {	# KEY ROW...
	local key=$1
	shift
	diff <(rows "$key" | sort) <(printf '%s\n' "$@" | sort)
}

silent() { [ ! -s "$work/err" ] || cat "$work/err"; }

# Exactly one warning, which names FILE and has TEXT in it.
warned() {	# FILE TEXT
	[ "$(wc -l <"$work/err")" -eq 1 ] && grep -F "annot: warning: $1: " "$work/err" | grep -qF -- "$2" ||
		echo "not one warning of $1 with \"$2\": $(cat "$work/err")"
}

functions() {	# DIRECTORY OPTION...
	trace "$@"
	expect symbol "hot program: 3" "cold program: 2" "in_library libplaces.so: 1"
	silent
}

cpp_names() {
	trace cpp
	expect symbol "shop::till<int>::hot program: 3" "shop::basket::operator() program: 2"
	silent
	rows address | grep -q '^shop::stock+0xc3[0-9a-f]* ' || echo "no shop::stock: $(rows address)"
	"$annot" report --by symbol --json "$work/trace.dat" | grep -qF '"symbol": "shop::basket::operator()"' ||
		echo "not in JSON: $("$annot" report --by symbol --json "$work/trace.dat" | grep symbol)"
	"$annot" samples --columns symbol "$work/trace.dat" | grep -q '^shop::basket::operator()+0x' ||
		echo "not in samples: $("$annot" samples --columns symbol "$work/trace.dat")"
}

# The lines that the compiler counted, by the place of their marks in the sources.
lines() {	# DIRECTORY
	local hot cold library
	read -r hot cold library < <(awk '$1 == "code" { print $4 }' "$work/$1/said" | paste -s -d ' ')
	trace "$1"
	expect line "symbols_program.c:$hot hot program: 3" "symbols_program.c:$cold cold program: 2" \
		"symbols_library.c:$library in_library libplaces.so: 1"
	silent
	sed -n "${hot}p" tests/unit/symbols/symbols_program.c | grep -q 'return_address()' || echo "line $hot?"
}

# clang writes no .debug_aranges, by which libdwfl finds lines.
clang_lines() {
	CC=clang build clang -pie -fPIE
	! readelf -S "$work/clang/program" | grep debug_aranges
	lines clang
}

# Where each of the program's data is, from the symbol's start, by the beginning of its cache line.
data() {	# DIRECTORY OPTION...
	local page address
	trace "$@"
	rows address | sed 's/ -: / /; s/: / /' >"$work/rows"
	for name in zeroed filled library_table; do
		address=$(offset_of "$1" $name)
		grep -qxF "$name+$address program 1" "$work/rows" ||
			echo "no $name+$address: $(paste -s -d ';' "$work/rows")"
	done
	page=$(awk '$1 == "data" && $2 == "heap" { print substr($3, 1, length($3) - 3) "000" }' "$work/$1/said")
	grep -q "^$page \[.*\] 100 1$" "$work/rows" || echo "no page $page of the heap: $(cat "$work/rows")"
}

# Whose each of them is. Where data that are no variables are mapped, is told only if that was recorded.
owners() {	# DIRECTORY OPTION...
	trace "$@"
	"$annot" report --by object --csv "$work/trace.dat" 2>"$work/err" | tr -d '\r' |
		awk -F, 'NR > 1 && $2 != "(no address)" { print $2, $3, $4, $(NF - 13) }' | LC_ALL=C sort >"$work/rows"
	{
		[ "${2-}" = -c ] && echo "[unknown] unknown - 4" ||
			printf '%s\n' "[heap] heap - 1" "[stack] stack - 1" "[unknown] unknown - 1" \
				"symbols_program.c file - 1"
		printf '%s variable program 1\n' zeroed filled library_table
	} | LC_ALL=C sort | diff "$work/rows" -
	silent
}

# The address that the program said is a variable's start and: 50000 of zeroed, 200 of filled,
# 64 of library_table.
offset_of() {	# DIRECTORY NAME
	local address start
	declare -A within=([zeroed]=50000 [filled]=200 [library_table]=64)
	address=$(awk -v name="$2" '$1 == "data" && $2 == name { print $3 }' "$work/$1/said")
	start=$((address - within[$2]))
	printf '0x%x' $(((address & ~63) - start))
}

# Two threads write to different words of the cache line in which the program's datum is: named is
# where the line begins.
shared_line() {	# DIRECTORY
	local address
	trace "$1"
	address=$(awk '$1 == "data" && $2 == "filled" { print $3 }' "$work/$1/said")
	{
		sed 's/name=miss /name=stores /; $d' "$work/script"
		echo "1490 0 100 fork pid=101 comm=prog clone_flags=0x10000"
		echo "1500 1 0 switch next_pid=101 next_comm=prog"
		echo "1550 1 101 marker buf='I|100|x'"
		for i in $(seq 10); do
			echo "$((1600 + i * 10)) 0 100 sample period=1000 has=0x11 addr=$(((address & ~63) + 8))"
			echo "$((1605 + i * 10)) 1 101 sample period=1000 has=0x11 addr=$(((address & ~63) + 16))"
		done
		echo "2000 0 100 switch prev_state=1"
		echo "2000 1 101 switch prev_state=1"
	} >"$work/shared"
	tests/lib/script_trace.py "$work/trace.dat" <"$work/shared"
	address=filled+$(offset_of "$1" filled)
	"$annot" report --show false_sharing "$work/trace.dat" >"$work/told" 2>"$work/err"
	grep -q "^$address  *2  *2[01]  *2[01]  *19  *yes  *0$" "$work/told" ||
		echo "no line $address: $(grep -A 3 '^FALSE SHARING' "$work/told")"
	silent
}

stripped() {
	build stripped -pie -fPIE
	strip "$work/stripped/program"
	trace stripped
	# What a library exports is known as long as it works.
	expect symbol "[unknown] program: 5" "in_library libplaces.so: 1"
	silent
	expect line "- [unknown] program: 5" "symbols_library.c:16 in_library libplaces.so: 1"
}

separate_debug() {
	build separate -pie -fPIE
	(
		cd "$work/separate" || exit
		objcopy --only-keep-debug program program.debug
		objcopy --strip-all --add-gnu-debuglink=program.debug program
	)
	functions separate
	lines separate
}

# The file was built anew since: what is in it now is not what ran.
other_build_id() {
	build other -pie -fPIE
	trace other
	$CC -g -O0 -pie -fPIE -Wl,--build-id -DOTHER=1 -Dhot=warm -o "$work/other/program" \
		tests/unit/symbols/symbols_program.c -L"$work/other" -lplaces
	expect symbol "[unknown] program: 5" "in_library libplaces.so: 1"
	warned "$work/other/program" "is not the file that was recorded"
}

# What was told of it has no build-id: it is taken for the one that ran.
no_build_id() {
	functions pie -b "$work/pie/program="
}

missing_file() {
	trace pie -p "$work/pie/program=$work/gone"
	expect symbol "[unknown] gone: 5" "in_library libplaces.so: 1"
	warned "$work/gone" "No such file"
}

deleted_file() {
	trace pie -p "$work/pie/program=$work/pie/program (deleted)"
	expect symbol "[unknown] program (deleted): 5" "in_library libplaces.so: 1"
	silent
}

# Code that a program made itself is of no file.
made_code() {
	trace pie -p "$work/pie/program=//anon"
	expect symbol "[unknown] //anon: 5" "in_library libplaces.so: 1"
	silent
}

# A path in a trace is anything.
fifo() {
	mkfifo "$work/fifo"
	trace pie -p "$work/pie/program=$work/fifo"
	expect symbol "[unknown] fifo: 5" "in_library libplaces.so: 1"
	warned "$work/fifo" "not a regular file"
}

no_elf() {
	echo "no ELF" >"$work/text"
	trace pie -p "$work/pie/program=$work/text" -b "$work/pie/program="
	expect symbol "[unknown] text: 5" "in_library libplaces.so: 1"
	warned "$work/text" "its symbols are not known"
}

# Cut off in its middle, the headers being there: no crash, whatever is made of it.
cut_elf() {
	head -c 6000 "$work/pie/program" >"$work/cut"
	trace pie -p "$work/pie/program=$work/cut" -b "$work/pie/program="
	"$annot" report --by line "$work/trace.dat" >/dev/null 2>"$work/err" || echo "exit status $?"
}

kernel_trace() {	# OPTION...
	cat >"$work/script" <<-'EOF'
	1000 0 0 config text='event=0 name=miss mode=sample period=10 kernel=1'
	1000 0 0 switch next_pid=100 next_comm=prog
	1001 0 100 marker buf='annot|session'
	1002 0 100 sample period=10 ip=0xffffffff81000010
	1003 0 100 sample period=10 ip=0xffffffff81000fff
	1004 0 100 sample period=10 ip=0xffffffff81001000
	1005 0 100 sample period=10 ip=0xffffffffc0000004
	1006 0 100 sample period=10 ip=0xffffffff80ffffff
	1007 0 100 sample period=10 ip=0 has=0x20
	1008 0 100 sample period=10 ip=0xffffffff81002008
	1008 0 100 sample period=10 ip=0xffffffff81001f08
	1009 0 100 sample period=10 ip=0xffffffff81000010 addr=0xffffffff81002050 has=1
	1010 0 100 sample period=10 ip=0xffffffff81000010 addr=0xffff888000001234 has=1
	1011 0 100 switch prev_state=1
	EOF
	tests/lib/script_trace.py "$@" "$work/trace.dat" <"$work/script"
}

kernel_rows() {	# KEY
	"$annot" report --by "$1" --csv "$work/trace.dat" 2>&1 | tr -d '\r' | awk -F, 'NR > 1 { print $2, $3, $(NF - 4) }'
}

kernel() {	# OPTION...
	cat >"$work/kallsyms" <<-'EOF'
	ffffffff81001000 t schedule
	ffffffff81000000 T _text
	ffffffff81000000 T startup_64
	ffffffff81002000 D some_data
	ffffffff81001f00 A absolute
	not a line
	ffffffffc0000000 t _RNvCs4Cv8Wi1oAIB_9rust_tool5probe	[annot]
	EOF
	kernel_trace -k "$work/kallsyms" "$@"
	diff <(kernel_rows symbol) - <<-'EOF'
	_text [kernel] 4
	[unknown] [kernel] 2
	schedule [kernel] 2
	[hidden] [kernel] 1
	rust_tool::probe [annot] 1
	EOF
	diff <(kernel_rows address | grep -v 'no address' | sort) - <<-'EOF'
	0xffff888000001000 [kernel] 1
	some_data+0x40 [kernel] 1
	EOF
}

# As a user who may not see addresses finds them.
hidden_kernel() {
	sed -i 's/^f[0-9a-f]*/0000000000000000/' "$work/kallsyms"
	kernel_trace -k "$work/kallsyms"
	diff <(kernel_rows symbol) <(printf '%s\n' "[unknown] [kernel] 9" "[hidden] [kernel] 1")
	kernel_trace
	diff <(kernel_rows symbol) <(printf '%s\n' "[unknown] [kernel] 9" "[hidden] [kernel] 1")
}

check "a position-independent program is built" build pie -pie -fPIE
check "one at a fixed address is built" build fixed -no-pie -fno-pie
check "one whose segments share pages is built" build dense -pie -fPIE -Wl,-z,noseparate-code,-z,norelro
for program in pie fixed dense; do
	check "$program: functions" functions $program
	check "$program: functions, with recorded mappings of code only" functions $program -c
	check "$program: lines" lines $program
	check "$program: data" data $program
	check "$program: data, with recorded mappings of code only" data $program -c
	check "$program: whose data" owners $program
	check "$program: whose data, with recorded mappings of code only" owners $program -c
	check "$program: a line that threads share" shared_line $program
done
check "lines of a program that clang compiled" clang_lines
check "a program in C++ is built" build_cpp
check "names of C++" cpp_names
check "a stripped program" stripped
check "debug information in a file of its own" separate_debug
check "another build-id: said once, and not used" other_build_id
check "a mapping without a build-id" no_build_id
check "a file that is not there" missing_file
check "a file that was deleted" deleted_file
check "code that is of no file" made_code
check "a FIFO for a file" fifo
check "a file that is no ELF" no_elf
check "a file that ends early" cut_elf
check "the kernel's symbols" kernel
check "the kernel's symbols in a version 6" kernel -m little,8,6
check "the kernel's symbols of another byte order" kernel -m big,8,7
check "the kernel's symbols not to be seen" hidden_kernel
