# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154	# scripts set $work
#
# To be sourced: a command that has to refuse what it was given, with one line on standard error that has WORDS, and nothing
# on standard output. Prints what is wrong. $work is a folder for what it says.

refused() {	# STATUS WORDS COMMAND...
	local wanted=$1 words=$2 status=0
	shift 2
	"$@" >"$work/out" 2>"$work/err" || status=$?
	[ $status -eq "$wanted" ] || echo "$*: exit status $status, not $wanted"
	[ ! -s "$work/out" ] || echo "$*: something on stdout"
	[ "$(wc -l <"$work/err")" -eq 1 ] && grep -qF -- "$words" "$work/err" ||
		echo "$*: not one line with \"$words\": $(cat "$work/err")"
}
