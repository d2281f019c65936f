#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# Places in names of annotations: of programs that are compiled here and say themselves where they call
# from, in all the ways that their files can be there or not. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
# shellcheck source=tests/unit/symbols/places.bash
. tests/unit/symbols/places.bash

stripped() {
	build stripped gcc -g -pie -fPIE
	strip "$work/stripped/program"
	names stripped | trace
	# What a library exports is known as long as it works.
	diff <(tasks) <({ by_address stripped | grep -v libplaces; by_line stripped | grep library; } | sort)
	silent
	strip "$work/stripped/libplaces.so"
	diff <(tasks) <({ by_address stripped | grep -v libplaces; by_function stripped | grep library; } | sort)
	silent
}

# Beside the file, and in .debug there.
separate_debug() {
	build separate gcc -g -fopenmp
	(
		cd "$work/separate" || exit
		objcopy --only-keep-debug program program.debug
		objcopy --strip-all --add-gnu-debuglink=program.debug program
	)
	shown separate by_line
	mkdir "$work/separate/.debug"
	mv "$work/separate/program.debug" "$work/separate/.debug"
	shown separate by_line
	rm "$work/separate/.debug/program.debug"
	diff <(tasks | grep -v library) <(by_address separate | grep -v libplaces)
}

# The file was built anew since: what is in it now is not what ran.
other_build_id() {
	build other gcc -g
	names other | trace
	gcc -g -O1 -Wl,--build-id -o "$work/other/program" $here/places_program.c -L"$work/other" -lplaces
	diff <(tasks) <({ by_address other | grep -v libplaces; by_line other | grep library; } | sort)
	warned "$work/other/program" "is not the file that was recorded"
}

# Two traces, and a page, which reads its trace several times: still one warning.
one_warning() {
	"$annot" diff "$work/trace.dat" "$work/trace.dat" >/dev/null 2>"$work/err"
	warned "$work/other/program" "is not the file that was recorded"
	"$annot" html --from +0s -o "$work/page.html" "$work/trace.dat" 2>"$work/err" >/dev/null
	grep -v ' of .*trace.dat$' "$work/err" >"$work/warnings"
	mv "$work/warnings" "$work/err"
	warned "$work/other/program" "is not the file that was recorded"
}

# So many digits of a build-id are too few to tell files apart.
build_ids() {
	names gcc-pie 40 | trace
	diff <(tasks) <(by_line gcc-pie)
	silent
	names gcc-pie 0 | trace
	diff <(tasks) <(by_line gcc-pie)
	silent
	names gcc-pie 14 | trace
	diff <(tasks) <(by_address gcc-pie)
	[ "$(grep -c "is not the file that was recorded" "$work/err")" -eq 2 ] || cat "$work/err"
}

# An id that is shorter must be that of the file in full.
short_build_id() {
	build short gcc -g -Wl,--build-id=0x12ab34cd
	shown short by_line
	names short 6 | trace
	diff <(tasks) <(by_address short)
}

# However annotations come into the trace; and all kinds of them.
forms() {
	local form
	for form in marker events drained batch raw; do
		{
			names gcc-pie
			names gcc-pie | sed -n 's/^begin for/mark reached/p; s/^wait task/counter count/p'
		} | trace
		diff <(tasks) <(by_line gcc-pie) || echo "form $form"
		diff <("$annot" convert --csv -o - "$work/trace.dat" 2>"$work/err" | tr -d '\r' |
			awk -F, '$1 == "mark" || $1 == "counter" { print $1, $9 }' | sort -u) \
			<(by_line gcc-pie | sed 's/^work for/mark reached/; s/^wait task/counter count/' | sort) || echo "form $form"
		silent
	done
}

# Two places of one line are one task.
one_task() {
	local line
	line=$(awk '$2 == "in_library" { print $3 }' "$work/gcc-pie/said")
	names gcc-pie | grep "begin.*libplaces" >"$work/names"
	# The byte before is of the same call.
	while read -r name; do
		printf '%s+0x%x\n' "${name%+*}" $((${name##*+} - 1))
	done <"$work/names" >>"$work/names.2"
	cat "$work/names" "$work/names.2" | trace
	[ "$(tasks)" = "work for places_library.c:$line" ] || tasks
	"$annot" report --json "$work/trace.dat" | grep -A 3 "places_library.c:$line" | grep -q '"instances": 2' ||
		echo "not two instances"
}

# In all that is made of a trace, only the resolved names.
everywhere() {
	local line name
	line=$(awk '$2 == "work" { print $3 }' "$work/gcc-pie/said")
	name="for places_program.c:$line"
	names gcc-pie | trace
	"$annot" report "$work/trace.dat" >"$work/report.txt"
	"$annot" report --show all "$work/trace.dat" >"$work/show.txt"
	"$annot" report --csv "$work/trace.dat" >"$work/report.csv"
	"$annot" report --by task --json "$work/trace.dat" >"$work/by.json"
	"$annot" convert --csv -o - "$work/trace.dat" >"$work/convert.csv" 2>/dev/null
	"$annot" convert --perfetto -o - "$work/trace.dat" >"$work/perfetto.json" 2>/dev/null
	"$annot" html -o - "$work/trace.dat" >"$work/page.html" 2>/dev/null
	"$annot" diff --all --json "$work/trace.dat" "$work/trace.dat" >"$work/diff.json"
	"$annot" samples --columns task "$work/trace.dat" >"$work/samples.txt"
	grep -qx "${name// /_} *" "$work/samples.txt" || echo "samples.txt has no $name"
	for file in report.csv by.json convert.csv perfetto.json page.html diff.json; do
		grep -qF "$name" "$work/$file" || echo "$file has no $name"
	done
	# In text, columns are narrow.
	grep -q "^for places_pr...:$line *work  " "$work/report.txt" || cat "$work/report.txt"
	grep -lF "gcc-pie/program" "$work"/{report.*,show.txt,by.json,convert.csv,perfetto.json,page.html,diff.json,samples.txt}
	true
}

# Options take the resolved name; and no other.
filters() {
	local line name raw
	line=$(awk '$2 == "work" { print $3 }' "$work/gcc-pie/said")
	name="for places_program.c:$line"
	names gcc-pie | trace
	raw=$(names gcc-pie | sed -n 's/^begin //p' | head -n 1)
	[ "$("$annot" samples --columns task --task "$name" "$work/trace.dat" | sed '1d; s/.* //')" = "${name// /_}" ] ||
		echo "samples --task"
	"$annot" html --task "$name" -o - "$work/trace.dat" 2>&1 >/dev/null | grep -v ' of .*trace.dat$'
	"$annot" samples --task "$raw" "$work/trace.dat" 2>/dev/null && echo "samples takes $raw"
	"$annot" html --task "$raw" -o - "$work/trace.dat" >/dev/null 2>&1 && echo "html takes $raw"
	true
}

# What is no place, or whose file is no file, is shown as it is, or by its file's name.
hostile_names() {
	mkfifo "$work/fifo"
	echo "no ELF" >"$work/text"
	head -c 6000 "$work/gcc-pie/program" >"$work/cut"
	cat >"$work/names" <<-EOF
	begin for @$work/fifo+0x10
	begin for @$work+0x10
	begin for @$work/gone+0x10
	begin for @$work/gone (deleted)+0x20
	begin for @$work/text+0x10
	begin for @/dev/null+0x10
	begin for @program+0x10
	begin for @./program+0x10
	begin for @[vdso]+0x10
	begin for @$work/gcc-pie/program+10
	begin for @$work/gcc-pie/program+0x
	begin for @$work/gcc-pie/program+0x00000000000001149
	begin for @$work/gcc-pie/program+0xffffffffffffffff
	begin for @$work/gcc-pie/program+0xfffffffffffffffe
	begin for @$work/gcc-pie/program+0x1
	EOF
	printf 'begin for @%s\x1b[31m+0x10\n' "$work/gone" >>"$work/names"
	trace <"$work/names"
	timeout 20 "$annot" report --json "$work/trace.dat" >/dev/null 2>"$work/err" || echo "exit status $?"
	diff <(tasks) <(sort <<-EOF
	work for fifo+0x10
	work for ${work##*/}+0x10
	work for gone+0x10
	work for gone (deleted)+0x20
	work for text+0x10
	work for null+0x10
	work for @program+0x10
	work for @./program+0x10
	work for @[vdso]+0x10
	work for @$work/gcc-pie/program+10
	work for @$work/gcc-pie/program+0x
	work for @$work/gcc-pie/program+0x00000000000001149
	work for program+0xffffffffffffffff
	work for program+0xfffffffffffffffe
	work for program+0x1
	$(printf 'work for @%s\x1b[31m+0x10' "$work/gone")
	EOF
	)
	diff <(sed "s,: its symbols are not known: ,: ,; s,^annot: warning: $work,W," "$work/err" | sort) - <<-EOF
	W/fifo: not a regular file
	W/gone: No such file or directory
	W/text: $(grep -o 'text: .*' "$work/err" | sed 's/.*not known: //')
	W: not a regular file
	annot: warning: /dev/null: not a regular file
	EOF
}

# Cut off in its middle, the headers being there: no crash, whatever is made of it.
cut_elf() {
	head -c 6000 "$work/gcc-pie/program" >"$work/cut"
	names gcc-pie 0 | sed "s,$work/gcc-pie/program,$work/cut," | trace
	"$annot" report "$work/trace.dat" >/dev/null 2>"$work/err" || echo "exit status $?"
}

# Each is warned of, up to a number that descriptors are enough for.
many_files() {
	for i in $(seq 400); do
		echo "begin for @$work/none/$i+0x$i"
	done >"$work/names"
	trace <"$work/names"
	diff <(tasks) <(sed 's,^begin for @.*/,work for ,' "$work/names" | sort)
	[ "$(grep -c "No such file" "$work/err")" -eq 256 ] || echo "$(grep -c "No such file" "$work/err") warnings"
	[ "$(grep -vc "No such file" "$work/err")" -eq 1 ] || grep -v "No such file" "$work/err"
}

# Names are cut at 255 bytes.
cut_names() {
	local name
	mkdir -p "$work/$(printf '%0120d' 0)"
	cp "$work/gcc-pie/program" "$work/$(printf '%0120d' 0)/program"
	names gcc-pie | head -n 1 | sed "s,/gcc-pie/,/$(printf '%0120d' 0)/," >"$work/names"
	for bytes in $(seq 1 $(($(wc -c <"$work/names") - 8))); do
		head -c $((bytes + 6)) "$work/names"
		echo
	done >"$work/cut"
	trace <"$work/cut"
	"$annot" report --json "$work/trace.dat" >/dev/null 2>"$work/err" || echo "exit status $?"
}

check "a position-independent program is built" build gcc-pie gcc -g -pie -fPIE
check "lines" shown gcc-pie by_line
check "one without lines is built" build gcc-bare gcc -pie -fPIE
check "functions" shown gcc-bare by_function
check "OpenMP is built" build omp gcc -g -fopenmp
check "lines of a part of a function" shown omp by_line
check "OpenMP without lines is built" build omp-bare gcc -fopenmp
check "that part itself, without lines" shown omp-bare by_function
check "C++ is built" build_in c++ cpp g++ -g
check "names of C++" shown cpp by_line
check "C++ without lines is built" build_in c++ cpp-bare g++
check "names of C++, without lines" shown cpp-bare by_function
check "stripped files" stripped
check "debug information in a file of its own" separate_debug
check "another build-id: said once, and not used" other_build_id
check "said once by commands that read a file several times" one_warning
check "build-ids in full, not told, and too short" build_ids
check "a file whose build-id is short" short_build_id
check "all forms and kinds of annotations" forms
check "two places of one line are one task" one_task
check "all that is made of a trace has the resolved names" everywhere
check "--task takes the resolved name" filters
check "names and paths that are not what they should be" hostile_names
check "a file that ends early" cut_elf
check "more files than are opened" many_files
check "names that are cut" cut_names
