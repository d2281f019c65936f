#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# Thread-local variables in annot samples and annot report: of a program that is compiled here and says itself where
# two threads have which, and of marks that tell it wrong. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
CC=${CC:-cc}
# shellcheck source=tests/unit/symbols/fields.bash
. tests/unit/symbols/fields.bash

id_of() { readelf -n "$1" | sed -n 's/.*Build ID: \(.\{16\}\).*/\1/p'; }

# What the first thread says, and the other one.
first() { sed '/^other$/,$d' "$work/$1/said"; }
other() { sed '1,/^other$/d' "$work/$1/said"; }

# The first line is of the program's block.
block_of() { sed -n 's/^block \(.*\) \(.*\)/\1 \2/p'; }	# prints BYTES ADDRESS

mark() {	# NANOSECOND TID BYTES ADDRESS BUILD-ID PATH
	echo "$1 $(($2 - 100)) $2 marker buf='I|100|@thread_local $3 $5 $6|$(($4))'"
}

samples() {	# NANOSECOND TID, of what is said
	sed -n 's/^data .* \(.*\)/\1/p' | awk -v ns="$1" -v tid="$2" \
		'{ print ns + NR, tid - 100, tid, "sample period=1000 has=0x11 addr=" $1 }'
}

# Thread 100 says it first, then 101; and 101 accesses what is 100's.
story() {	# DIRECTORY
	local program=$work/$1/program id first_block other_block
	id=${id-$(id_of "$program")}
	first_block=$(first "$1" | block_of) other_block=$(other "$1" | block_of)
	first "$1" >"$work/first_said"
	$here/symbols_trace.py "$work/first_said" | sed '/ sample /d; $d'
	cat <<-'EOF'
	2000 0 100 fork pid=101 comm=other clone_flags=0x10000
	2001 1 0 switch next_pid=101 next_comm=other
	EOF
	# shellcheck disable=SC2086
	{
		mark 2010 100 ${bytes:-${first_block% *}} ${first_block#* } "${id:--}" "${path:-$program}"
		mark 2020 101 ${bytes:-${other_block% *}} ${other_block#* } "${id:--}" "${path:-$program}"
	}
	first "$1" | samples 3000 100
	other "$1" | samples 4000 101
	${more:+$more "$1" $first_block $other_block}
	echo "9000 0 100 switch prev_state=1"
	echo "9000 1 101 switch prev_state=1"
}

trace() { story "$1" | sort -sn -k 1,1 | tests/lib/script_trace.py "$work/trace.dat"; }

# KIND FILE OBJECT TID SAMPLES THREADS
rows() {
	"$annot" report --by object --csv "$work/trace.dat" 2>"$work/err" | tr -d '\r' |
		awk -F , 'NR > 1 { print $3, $4, $2, $7, $8, $14 }' | LC_ALL=C sort
}

built() {	# DIRECTORY COMPILER FLAG...
	build "$1" thread_locals_program.c "${@:2}" && named "$1"
	[ "$(said "$1" | wc -l)" -eq 25 ] || echo "said: $(said "$1" | wc -l)"
}

by_variable() {
	trace c
	"$annot" report --by object --csv "$work/trace.dat" | tr -d '\r' | cut -d , -f 2-4,7,8,14 | LC_ALL=C sort |
		diff - <(cat <<-'EOF'
	counters,thread-local,program,100,4,2
	counters,thread-local,program,101,4,2
	globals,variable,program,100,1,1
	large,thread-local,program,100,1,2
	large,thread-local,program,101,1,2
	local_calls,thread-local,program,100,1,2
	local_calls,thread-local,program,101,1,2
	object,kind,file,tid,samples,threads
	point,thread-local,program,100,4,2
	point,thread-local,program,101,4,2
	total,thread-local,program,100,2,2
	total,thread-local,program,101,2,2
	EOF
	)
	"$annot" report --json "$work/trace.dat" >"$work/report.json"
	"$annot" report --by object --csv "$work/trace.dat" | tr -d '\r' >"$work/rows.csv"
	$here/data_objects.py "$work/report.json" "$work/rows.csv" | sed '/^6 objects, 11 users$/d'
}

# The marks are none that are shown.
not_shown() {
	"$annot" convert --csv "$work/trace.dat" | sed -n '/@thread_local/p'
	"$annot" report --json "$work/trace.dat" | sed -n '/@thread_local/p'
}

named_only() {	# KIND OBJECT: all samples but that of globals are of that
	"$annot" report --by object --csv "$work/trace.dat" 2>"$work/err" | tr -d '\r' | cut -d , -f 2-4,8 |
		grep -v '^globals,\|^object,' | LC_ALL=C sort | diff - <(printf '%s\n' "$2,$1,-,12" "$2,$1,-,12")
}

by_offset() {	# COMPILER FLAG...
	build without thread_locals_program.c "$@"
	trace without
	for name in counters+0x0 counters+0x38 point+0x10 total+0x7 large+0x270f local_calls+0x10; do
		[ "$(told | cut -d ' ' -f 2 | grep -cxF $name)" = 2 ] || echo "no two $name"
	done
	silent
}

stripped() {
	build stripped thread_locals_program.c "$CC" -g
	strip "$work/stripped/program"
	trace stripped
	"$annot" report --by object --csv "$work/trace.dat" 2>"$work/err" | tr -d '\r' | cut -d , -f 2-4,8 |
		grep ,thread-local, | diff - <(printf '%s\n' program,thread-local,-,12 program,thread-local,-,12)
	silent
}

# Symbols that a library must have for others stay.
stripped_library() {
	mkdir -p "$work/library"
	cp "$work/c/said" "$work/library/"
	"$CC" -g -fPIC -shared -Wl,--build-id -o "$work/library/program" $here/thread_locals_program.c &&
		strip "$work/library/program"
	trace library
	"$annot" report --by object --csv "$work/trace.dat" | tr -d '\r' | cut -d , -f 2-4 | grep ,thread-local, | sort -u |
		sed '/^counters,thread-local,program$/d; /^large,/d; /^point,/d; /^program,thread-local,-$/d'
}

unknown_file() {
	path=/nowhere/libgone.so trace c
	named_only thread-local libgone.so
	grep -q '^annot: .*libgone.so: its symbols are not known' "$work/err" || cat "$work/err"
}

other_file() {
	id=0123456789abcdef trace c
	named_only thread-local program
	grep -q 'is not the file that was recorded' "$work/err" || cat "$work/err"
}

without_id() {
	id='' trace c
	diff <(told) <(said c)
}

# So many bytes that they reach behind the file's: of what is there, only whose it is is known.
beyond() {	# DIRECTORY BYTES ADDRESS OTHER-BYTES OTHER-ADDRESS
	echo "5000 0 100 sample period=1000 has=0x11 addr=$(($3 + 0x$2 - 1))"
	echo "5001 0 100 sample period=1000 has=0x11 addr=$(($3 + 0x$2))"
	echo "5002 0 100 sample period=1000 has=0x11 addr=$(($3 + 0xfffff))"
}

too_many_bytes() {
	bytes=100000 more=beyond trace c
	rows | grep '^thread-local - ' | sed '/^thread-local - program 100 2 1$/d'
	[ "$(rows | grep -c '^thread-local program ')" = 10 ] || rows
}

# Marks that are damaged tell nothing. That they are hidden, not_shown() tells.
damaged() {
	local wrong
	for wrong in 0 ffffffffffffffff 12345678901234567 0x10 -1 ten; do
		bytes=$wrong trace c
		"$annot" report --by object --csv "$work/trace.dat" 2>"$work/err" | grep thread-local,
		not_shown
		silent
	done
	path=relative trace c
	"$annot" report --by object --csv "$work/trace.dat" 2>"$work/err" | grep thread-local,
	silent
}

# Ended, and told again by another thread; by a child; an object that the program names, within it or at its start.
changes() {	# DIRECTORY BYTES ADDRESS OTHER-BYTES OTHER-ADDRESS
	local counters
	counters=0x$(address_of c 'counters[0].hits')
	echo "5000 1 101 sample period=1000 has=0x11 addr=$counters" # of another thread
	echo "5010 0 100 marker buf='I|100|@object_bytes|8'"
	echo "5010 0 100 marker buf='I|100|@object own|$(($3))'"
	echo "5011 0 100 sample period=1000 has=0x11 addr=$3"
	echo "5012 0 100 sample period=1000 has=0x11 addr=$(($3 + 8))"
	echo "5013 0 100 marker buf='I|100|@object_end|$(($3))'"
	echo "5014 0 100 sample period=1000 has=0x11 addr=$3"
	echo "5020 0 100 fork pid=300 comm=child clone_flags=0"
	echo "5021 2 0 switch next_pid=300 next_comm=child"
	echo "5022 2 300 sample period=1000 has=0x11 addr=$counters"
	echo "5030 0 100 marker buf='I|100|@thread_local_end|$(($3))'"
	echo "5031 0 100 sample period=1000 has=0x11 addr=$counters"
	echo "5032 2 300 sample period=1000 has=0x11 addr=$counters"
	mark 5040 101 "$2" "$3" - "$work/$1/program"
	echo "5041 0 100 sample period=1000 has=0x11 addr=$counters"
	echo "5042 1 101 sample period=1000 has=0x11 addr=$counters"
}

address_of() { said "$1" | awk -v name="$2" '$2 == name { print $1; exit }'; }

told_by_change() {
	more=changes trace c
	"$annot" samples --columns time,data "$work/trace.dat" | awk '{ sub(/.*\./, "", $1) } $1 + 0 >= 4000 { print $1, $2 }' |
		diff - <(cat <<-'EOF'
	000004000 counters[0].hits_(thread-local_of_tid_100)
	000004011 own+0x0
	000004012 point.x
	000004014 point.kind
	000004022 counters[0].hits
	000004031 -
	000004032 counters[0].hits
	000004041 counters[0].hits_(thread-local_of_tid_101)
	000004042 counters[0].hits
	EOF
	)
	rows | awk '$4 == "own" || $3 == "own" || /tid/' | diff - <(cat <<-'EOF'
	object - own 100 1 1
	thread-local program counters (thread-local of tid 100) 101 1 1
	thread-local program counters (thread-local of tid 101) 100 1 1
	EOF
	)
}

# Both threads write to one line of what is the first one's.
shared() {	# DIRECTORY
	local first second i
	first=$(address_of "$1" 'counters[0].hits')
	second=$((0x$first + 16))
	for i in $(seq 20); do
		echo "$((6000 + i * 10)) 0 100 sample period=1000 has=0x15 data_src=4 addr=0x$first"
		echo "$((6005 + i * 10)) 1 101 sample period=1000 has=0x15 data_src=4 addr=$second"
	done
}

false_sharing() {
	more=shared story c | sed 's/name=miss /name=l1_cache_miss /' | sort -sn -k 1,1 | tests/lib/script_trace.py "$work/trace.dat"
	"$annot" report --show false_sharing "$work/trace.dat" | tr -s '\n ' ' ' >"$work/told"
	grep -qF 'falsely, at counters+0x0 (thread-local of tid 100), with counters[0].hits (written by prog) and counters[1].hits (written by other)' "$work/told" ||
		cat "$work/told"
}

# Each thread walks through the hits of its own counters.
walks() {	# DIRECTORY
	local i
	for i in $(seq 0 199); do
		echo "$((5000 + i)) 0 100 sample period=1000 has=0x11 addr=$((0x$(address_of "$1" 'counters[0].hits') + i % 4 * 16))"
		echo "$((5000 + i)) 1 101 sample period=1000 has=0x11 addr=$((0x$(other "$1" | sed -n 's/^data counters.0..hits 0x//p') + i % 4 * 16))"
	done
}

# Of an array of structures, all threads' are one. What is said has three samples of it of each thread more, two of misses.
use_of_lines() {
	more=walks story c | sed 's/name=miss /name=memory_loads /' | sort -sn -k 1,1 | tests/lib/script_trace.py "$work/trace.dat"
	"$annot" report --json "$work/trace.dat" |
		python3 -c 'import json, sys
for row in json.load(sys.stdin)["data_objects"]["lines"]:
    print(row["array"], row["file"], row["element_bytes"], row["used_bytes"], row["samples"], row["fields"])' |
		diff - <(echo "counters program 16 12 406 .hits 99 %, .misses 1 %")
}

check "two threads: fields" built c "$CC" -g
for form in "gcc -g -no-pie -fno-pie" "gcc -gdwarf-2" "gcc -g -O2 -flto" "gcc -g -mtls-dialect=gnu2 -fPIC" "clang -gdwarf-5" \
	"clang -gdwarf-4" "clang -gdwarf-5 -gsplit-dwarf"; do
	# shellcheck disable=SC2086
	check "$form" built other $form
done
check "by variable, and by thread" by_variable
check "the marks are not shown" not_shown
check "without debug information: offsets" by_offset "$CC" -g0
# What it writes there is no offset, but an address (R_X86_64_64).
check "gcc -gsplit-dwarf: offsets" by_offset gcc -g -gsplit-dwarf
check "without symbols: the file" stripped
check "without symbols, a library: those that others use" stripped_library
check "a file that is gone" unknown_file
check "another file" other_file
check "a file without a build-id" without_id
check "more bytes than the file's" too_many_bytes
check "damaged marks" damaged
check "what begins and ends" told_by_change
check "a line of it that threads share" false_sharing
check "how much of a line is used" use_of_lines
exit $failed
