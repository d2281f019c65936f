# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154	# $work is the script's that has this
#
# To be sourced: makes "$work/trace.dat" with the call stack that tests/unit/report/stacks_program.c says itself, and the
# kernel's symbols that it needs.

told_stacks() {	# [OPTION OF script_trace.py...]
	cat >"$work/kallsyms" <<-'SYMBOLS'
	ffffffff81000000 T __schedule
	ffffffff81001000 T schedule
	ffffffff81002000 t futex_wait_queue.isra.0
	ffffffff81003000 T pipe_read
	ffffffff81004000 T __x64_sys_futex
	SYMBOLS
	"${CC:-cc}" -g -O2 -fno-omit-frame-pointer -fno-optimize-sibling-calls -Wl,--build-id -o "$work/program" \
		tests/unit/report/stacks_program.c && "$work/program" >"$work/said" &&
		tests/unit/report/stacks_trace.py "$work/said" >"$work/script" &&
		tests/lib/script_trace.py "$@" -k "$work/kallsyms" "$work/trace.dat" <"$work/script"
}
