#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# TIMED
#
# Programs whose waits the front of POSIX threads tells: what they measure is what they tell, and what their calls
# return is the same without it.
set -u

cd "$(dirname "$0")/../../.." || exit 1
# shellcheck source=tests/lib/raw.bash
. tests/lib/raw.bash
here=tests/unit/attach
preload=$PWD/build/libannot/libannot.so.0:$PWD/build/libannot/attach/pthread.so

compile() {	# NAME [OPTION...]
	local name=$1
	shift
	${CC:-cc} -D_GNU_SOURCE -std=gnu11 -O1 -g -Wall -Wextra -Werror "$here/$name.c" "$@" -lpthread
}

compiles() {
	local name
	for name in pthread_waits pthread_results pthread_ends pthread_runtime; do
		compile $name -o "$work/$name"
	done
	for name in libgomp.so.1 libtbb.so.12 mca_btl_x.so libother.so; do
		compile pthread_runtime -DAS_LIBRARY -shared -fPIC -o "$work/$name"
	done
	compile first_annotation -Iinclude -shared -fPIC -o "$work/first.so" -Lbuild/libannot -lannot
	compile pthread_early -shared -fPIC -fno-builtin -o "$work/early.so"
	${CXX:-c++} -std=c++17 -O1 -g -Wall -Wextra -Werror "$here/pthread_cpp.cc" -o "$work/pthread_cpp" -lpthread
}

attached() {	# COMMAND...: is recorded
	recorded LD_PRELOAD="$preload:$work/first.so" "$@"
}

spans() {	# PROGRAM
	$here/raw_spans.py "$raw" "$work/$1"
}

# Of each word, thread and line: as many waits as were made, and none longer; in sum they are as long, within
# PERCENT. A thread may be preempted between its own measurement and ours.
same_waits() {	# NUMBER PERCENT SCENARIO
	attached "$work/pthread_waits" "$3" >"$work/made" || echo "exit status $?"
	[ "$(wc -l <"$work/made")" -ge "$1" ] || echo "only $(wc -l <"$work/made") waits were made"
	spans pthread_waits >"$work/told" || tail "$work/told"
	awk -v percent="$2" '
		{ key = $1 " in " $2 " at line " $3; keys[key] }
		FILENAME ~ /made$/ { made[key]++; made_ns[key] += $4; total_ns += $4 }
		FILENAME ~ /told$/ { told[key]++; told_ns[key] += $4; told_total_ns += $4 }
		END {
			for (key in keys) {
				if (made[key] != told[key])
					print key ": " made[key] + 0 " made, " told[key] + 0 " told"
				if (told_ns[key] > made_ns[key])
					print key ": told are " told_ns[key] " ns, made " made_ns[key]
			}
			if (told_total_ns < (1 - percent / 100) * total_ns)
				print "told are " told_total_ns " ns, made " total_ns
		}' "$work/made" "$work/told"
}

nothing_uncontended() {
	attached "$work/pthread_waits" uncontended || echo "exit status $?"
	spans pthread_waits
}

same_results() {
	timeout 60 "$work/pthread_results" >"$work/bare" || echo "exit status $?"
	attached "$work/pthread_results" >"$work/attached" || echo "exit status $?"
	diff "$work/bare" "$work/attached"
	[ "$(wc -l <"$work/bare")" -gt 250 ] || echo "only $(wc -l <"$work/bare") results"
	spans pthread_results >"$work/told" || tail "$work/told"
	[ "$(wc -l <"$work/told")" -gt 100 ] || echo "only $(wc -l <"$work/told") waits are told"
}

same_results_unrecorded() {
	timeout 60 env ANNOT_BACKEND=off LD_PRELOAD="$preload" "$work/pthread_results" >"$work/attached" ||
		echo "exit status $?"
	diff "$work/bare" "$work/attached"
}

# Each wait has ended before the thread cleans up.
waits_end_when_cancelled() {
	attached "$work/pthread_ends" cancel >"$work/made" || echo "exit status $?"
	[ "$(wc -l <"$work/made")" -eq 12 ] || cat "$work/made"
	spans pthread_ends >"$work/told" || tail "$work/told"
	awk 'FILENAME ~ /told$/ { end[$1 " " $2] = $5 }
		FILENAME ~ /made$/ && !(end[$1 " " $2] > 0 && end[$1 " " $2] <= $4) {
			print $0 ": told until " end[$1 " " $2] }' "$work/told" "$work/made"
}

exits_beside_waits() {
	local status=0
	attached "$work/pthread_ends" exit || status=$?
	[ $status -eq 3 ] || echo "exit status $status"
	spans pthread_ends >"$work/told"
	[ "$(grep -c 'does not end' "$work/told")" -eq 12 ] || cat "$work/told"
}

waits_beside_the_loader() {
	attached "$work/pthread_ends" loader || echo "exit status $?"
	diff <(printf '%s\n' join join semaphore) <(spans pthread_ends | cut -d ' ' -f 1 | grep -v mutex | sort)
}

cpp_is_told_where_it_waits() {
	attached "$work/pthread_cpp" >"$work/made" || echo "exit status $?"
	[ "$(wc -l <"$work/made")" -eq 8 ] || cat "$work/made"
	spans pthread_cpp | cut -d ' ' -f 1-3 | sort >"$work/told"
	sort "$work/made" | diff - "$work/told"
}

leaves_runtimes_alone() {
	attached "$work/pthread_runtime" "$work"/{libgomp.so.1,libtbb.so.12,mca_btl_x.so} || echo "exit status $?"
	spans pthread_runtime
}

tells_of_other_libraries() {
	attached "$work/pthread_runtime" "$work/libother.so" || echo "exit status $?"
	diff <(printf '%s\n' barrier barrier join mutex) <(spans pthread_runtime | cut -d ' ' -f 1 | sort)
}

keeps_the_older_condition() {
	attached "$work/pthread_old" || echo "exit status $?"
}

works_early() {	# BACKEND
	recorded ANNOT_BACKEND="$1" LD_PRELOAD="$preload:$work/early.so" "$work/pthread_results" \
		>"$work/attached" 2>"$work/err" || echo "exit status $?"
	diff "$work/bare" "$work/attached"
	diff <(echo right) "$work/err"
}

check "the programs compile" compiles
check "locks and semaphores that are held: waits are as long as the program measures" same_waits 84 2 held
check "barriers: threads wait for the last one" same_waits 33 2 barrier
check "conditions: each wait is told" same_waits 300 20 condition
check "joins with and without a time" same_waits 3 2 join
check "what is to be had at once is no wait" nothing_uncontended
check "all calls return what they do otherwise" same_results
check "so they do while nothing records" same_results_unrecorded
check "a wait ends when its thread is cancelled" waits_end_when_cancelled
check "a program exits while its threads wait" exits_beside_waits
check "a thread waits while another holds the loader's lock" waits_beside_the_loader
check "C++: waits are told where the program makes them" cpp_is_told_where_it_waits
check "runtimes that others tell about are left alone" leaves_runtimes_alone
check "other libraries are not" tells_of_other_libraries
check "an allocator that locks, before all else" works_early raw
check "so it does while nothing records" works_early off
if [ "$(uname -m)" = x86_64 ]; then
	check "a program for the older condition variables compiles" compile pthread_old -o "$work/pthread_old"
	check "it keeps them" keeps_the_older_condition
else
	skip "older condition variables" "this machine's C library has one kind"
fi
