#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The fall-back in batches in programs that use the shared library, and end in all sorts of ways.
set -u

cd "$(dirname "$0")/../../.." || exit 1
# shellcheck source=tests/lib/raw.bash
. tests/lib/raw.bash
export ANNOT_BACKEND=raw ANNOT_TRACEFS=$work/tracefs

compiles() {
	${CC:-cc} -D_GNU_SOURCE -Iinclude -O2 tests/unit/libannot/libannot_ends.c -Lbuild/libannot -lannot \
		-Wl,-rpath,"$PWD/build/libannot" -o "$work/shared" &&
		${CC:-cc} -D_GNU_SOURCE -Iinclude -O2 tests/unit/libannot/libannot_ends.c build/libannot/libannot.a \
			-o "$work/static"
}
if ! compiles >"$tap_log" 2>&1; then
	fail "the programs compile"
fi

# Runs COMMAND after what the one before it annotated has been removed.
check_afresh() {	# NAME COMMAND...
	raw_empty
	check "$@"
}

# All that was annotated is there once, and of one thread.
annotates() {	# EXPECTED COMMAND...
	local expected=$1
	shift
	"$@" || echo "exit status $?"
	tests/unit/libannot/read_raw.py "$raw" >"$work/got"
	diff <(printf '%b\n' "$expected") <(cut -d ' ' -f 3- "$work/got")
	[ "$(cut -d ' ' -f 1,2 "$work/got" | sort -u | wc -l)" -eq 1 ] || cat "$work/got"
	[ ! -s "$ANNOT_TRACEFS/trace_marker" ] || echo "some of it is text"
}

all='B work 1\nI mark\nE'
for way in "return from main" execve execv execvp execvpe execl execlp execle fexecve execveat \
	_exit _Exit "execve that fails" spawn "flush and system call"; do
	check_afresh "$way" annotates "$all" "$work/shared" "$way"
done
check_afresh "statically linked" annotates "$all" "$work/static" "return from main"
check_afresh "statically linked, annot_flush() before the end" annotates "$all" \
	"$work/static" "flush and system call"

child_that_exits_at_once() {
	"$work/shared" fork || echo "exit status $?"
	tests/unit/libannot/read_raw.py "$raw" >"$work/got"
	diff <(printf 'B work 1\nI mark\nI child\nE\n') <(cut -d ' ' -f 3- "$work/got")
	[ "$(cut -d ' ' -f 1,2 "$work/got" | sort -u | wc -l)" -eq 2 ] || cat "$work/got"
}
check_afresh "a child that ends by _exit()" child_that_exits_at_once

opened_while_it_runs() {
	annotates "I loaded" python3 -c "import ctypes
library = ctypes.CDLL('build/libannot/libannot.so.0')
library.annot_emit(None, 3, b'loaded', ctypes.c_int64(0))"
}
check_afresh "a program that opens the library while it runs" opened_while_it_runs

without_rseq() {
	GLIBC_TUNABLES=glibc.pthread.rseq=0 ANNOT_DEBUG=1 "$work/shared" 2>"$work/err" || echo "exit status $?"
	grep -q 'annot: marker: .*; no batches: no restartable sequences' "$work/err" || cat "$work/err"
	grep -qE '^B\|[0-9]+\|work\|1I\|[0-9]+\|markE\|[0-9]+$' "$ANNOT_TRACEFS/trace_marker" ||
		cat "$ANNOT_TRACEFS/trace_marker"
	[ ! -s "$raw" ] || echo "trace_marker_raw was written"
}
check_afresh "without restartable sequences each is written as text" without_rseq
