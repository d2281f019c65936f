#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The command line of annot as a whole: help, version, wrong words, man pages, completion,
# installation. TAP.
set -u	# no pipefail: grep -q ends before who writes to it does

cd "$(dirname "$0")/../../.." || exit
annot=$PWD/build/annot
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

commands() { "$annot" --help | sed -n '/^Commands/,/^$/s/^  \([a-z-]\+\) .*/\1/p'; }

# Runs annot; fails unless it exits with STATUS.
expect_status() {	# STATUS ARGUMENT...
	local wanted=$1 status=0
	shift
	"$annot" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
	[ $status -eq "$wanted" ] || echo "annot $*: exit status $status, not $wanted"
}

# A wrong command line: one line on stderr that has WORD in it, nothing on stdout, status 2.
refuses() {	# WORD ARGUMENT...
	local word=$1
	shift
	expect_status 2 "$@"
	[ ! -s "$work/out" ] || echo "annot $*: prints on stdout: $(cat "$work/out")"
	[ "$(wc -l <"$work/err")" -eq 1 ] || echo "annot $*: not one line on stderr: $(cat "$work/err")"
	grep -qF -- "$word" "$work/err" || echo "annot $*: does not name $word: $(cat "$work/err")"
}

version() {
	local wanted
	wanted=$(sed -n 's/^VERSION := //p' Makefile)
	expect_status 0 --version
	[ "$(cat "$work/out")" = "annot $wanted" ] || echo "says '$(cat "$work/out")', not 'annot $wanted'"
	[ ! -s "$work/err" ] || cat "$work/err"
}

lists_commands() {
	local wanted
	for wanted in doctor record attach html report events samples convert stat list; do
		commands | grep -qx $wanted || echo "--help does not list $wanted"
	done
}

help_of() {	# [COMMAND]
	expect_status 0 "$@" --help
	[ ! -s "$work/err" ] || cat "$work/err"
	[ "$(head -c 6 "$work/out")" = usage: ] || echo "does not begin with usage:"
	LC_ALL=C.UTF-8 awk -v what="annot $*" 'length > 80 { print what ": " length " columns: " $0 }' "$work/out"
	grep -n $'\t' "$work/out" | sed 's/^/has a tab: /'
	cp "$work/out" "$work/by-option"
	expect_status 0 help "$@"
	cmp "$work/out" "$work/by-option"
}

no_arguments() {
	expect_status 2
	[ ! -s "$work/out" ] || echo "prints on stdout"
	"$annot" --help | cmp - "$work/err"
}

wrong_words() {
	local command
	refuses "'recrod'; did you mean 'record'" recrod
	refuses "'nonsense'" nonsense
	refuses "'nonsense'" help nonsense
	refuses "'--verison'; did you mean '--version'" --verison
	refuses "'-x'" -x
	refuses "'html'" help record html
	for command in $(commands); do
		refuses "'--no-such-option'" "$command" --no-such-option
		refuses "'-Z'" "$command" -Z
		refuses "'-Z'" "$command" -Zh
		refuses "'--hepl'; did you mean '--help'" "$command" --hepl
		refuses "'--help'" "$command" --help=me
		refuses "'-o'" "$command" -o
		refuses "'--output'" "$command" --output
	done
}

record_values() {
	local value
	for value in 0 -1 4k "" 99999999999999999999; do
		refuses "--buffer-size-kb '$value'" record -b "$value" true
	done
	for value in counter uptime x86-tsc; do
		refuses "--clock '$value' counts " record --clock "$value" true
	done
	for value in 0 -1 1s "" nan inf; do
		refuses "--duration '$value'" record --duration "$value" true
	done
}

pmu_values() {
	local value
	for value in 0 -1 1k "" 99999999999999999999; do
		refuses "--period '$value'" record -e page_faults -c "$value" true
		refuses "--max-samples '$value'" record -e page_faults --max-samples "$value" true
		refuses "--freq '$value'" record -F "$value" true
		refuses "--interval '$value'" stat -I "$value" -e page_faults
		refuses "--interval-count '$value'" stat --interval-count "$value" -e page_faults
		refuses "--pid '$value'" record -p "$value"
	done
	for value in "" a 1- 3-1 1,,2 99999; do
		refuses "--cpu '$value'" stat -C "$value" -e page_faults
	done
}

pmu_options() {
	refuses "either -p or a command" record -p 1 true
	refuses "--attach needs a command" record --attach
	refuses "--attach needs a command" record --attach=mpi -p 1
	refuses "--attach 'opnmp': did you mean 'openmp'?" record --attach=mpi,opnmp true
	refuses "--attach ''" record --attach= true
	refuses "either --user or --kernel" record -e page_faults --user --kernel true
	refuses "--freq '10001': not a number of samples a second from 1 to 10000" record -F 10001 true
	refuses "-e is missing" record -c 100 true
	refuses "-e is missing" record -F 999 -c 100 true
	refuses "event 'cpu_clock' is named twice" record -F 999 -e cpu_clock true
	refuses "-e is missing" record --max-samples 100 --count page_faults true
	refuses "-e is missing" record --registers true
	refuses "-e or --count is missing" record --user true
	[ "$(uname -m)" != x86_64 ] || refuses "the smallest period" record -e r00c0 -c 1 true
	refuses "-e is missing" stat
	refuses "takes no arguments, but got 'x'" doctor x
	refuses "-e is missing" stat -- true
	refuses "one filter or event at a time, not also 'b'" list a b
}

convert_options() {
	refuses "--perfetto, --csv, --folded, --pprof or --speedscope is missing" convert x.dat
	refuses "only one of --perfetto, --csv, --folded, --pprof and --speedscope" convert --csv --perfetto x.dat
	refuses "only one of --perfetto, --csv, --folded, --pprof and --speedscope" convert --pprof off-cpu --folded off-cpu x.dat
	refuses "--folded 'of-cpu'" convert --folded of-cpu x.dat
	refuses "--speedscope 'of-cpu'" convert --speedscope of-cpu x.dat
	refuses "--event needs misses" convert --pprof on-cpu -e miss x.dat
	refuses "--event and --all need --folded, --pprof or --speedscope" convert --csv --all x.dat
	refuses "the trace is missing" convert --csv
	refuses "not also 'y.dat'" convert --perfetto x.dat y.dat
}

part_options() {
	local command value
	for command in html "convert --csv"; do
		for value in '' + x 1h -1 1,5 1e99; do
			# shellcheck disable=SC2086	# a command and its option
			refuses "--from '$value'" $command --from "$value" x.dat
			# shellcheck disable=SC2086
			refuses "--to '$value'" $command --to "$value" x.dat
		done
		# shellcheck disable=SC2086
		refuses "--from '+2ms' is not before --to '+2000us'" $command --from +2ms --to +2000us x.dat
	done
	for value in '' a 3-1 99999; do
		refuses "--cpu '$value'" html --cpu "$value" x.dat
	done
	for value in '' 0 -1 3x 3kk 99999999999999999999 99999999999G; do
		refuses "--max-bytes '$value'" html --max-bytes "$value" x.dat
	done
	refuses "--thread ''" html --thread= x.dat
	refuses "--task ''" html --task= x.dat
	refuses "'--thread'" convert --csv --thread 1 x.dat
	refuses "--thread ''" events --thread= x.dat
	refuses "--cpu '3-1'" events --cpu 3-1 x.dat
	refuses "--from 'soon'" events --from soon x.dat
}

# The same names, wrong, in each command that takes them.
pmu_names() {
	local command
	for command in "record -e" "record --count" "stat -e"; do
		# shellcheck disable=SC2086	# a command and its option
		{
			refuses "event 'page_fault': no such event; did you mean 'page_faults'?" $command page_fault
			refuses "event 'nonsense': no such event" $command page_faults,nonsense
			refuses "event 'page_faults:x': no such mask or modifier" $command page_faults:x
			refuses "event 'page_faults:u' is named twice" $command page_faults:u,page_faults:u
			refuses "event ''" $command page_faults,
		}
	done
	refuses "63 characters at most" record -e "page_faults$(printf ':u%.0s' {1..30})" true
	LIBPFM_FORCE_PMU=skl refuses "event 'MEM_LOAD_RETIRED': it needs a mask" record -e MEM_LOAD_RETIRED true
	refuses "no CPU 'ivb_eq'; did you mean 'ivb_ep'?" list --pmu ivb_eq
	LIBPFM_FORCE_PMU=nonsense refuses "no CPU 'nonsense'" stat -e page_faults
}

full_disk() {
	local status=0
	"$annot" --help >/dev/full 2>"$work/err" || status=$?
	[ $status -eq 1 ] || echo "exit status $status, not 1"
	[ "$(wc -l <"$work/err")" -eq 1 ] || echo "not one line on stderr: $(cat "$work/err")"
}

page_of() { echo "viewer/man/annot${1:+-$1}.1"; }

# The options that a help text or a rendered man page defines: a line for each, with its letter and its
# argument: "-o --output FILE", "--attach[=LIST]". The page has arguments in small letters.
defined_options() {
	awk 'function option(word, value) {
		value = index(word, "[=")
		return value ? substr(word, 1, value - 1) toupper(substr(word, value)) : word
	}
	/^ +(-[[:alnum:]], )?--[[:alnum:]]/ {
		sub(/^ +/, "")
		sub(/  .*/, "")
		nr = split($0, parts, ", ")
		letter = ""
		for (i = 1; i <= nr; i++) {
			split(parts[i] " ", words, " ")
			if (words[1] ~ /^--/)
				print letter option(words[1]), toupper(words[2])
			letter = words[1] ~ /^--/ ? "" : words[1] " "
		}
	}' | sort -u
}

man_page() {	# [COMMAND]
	local page
	page=$(page_of "$@")
	[ -f "$page" ] || { echo "no $page"; return; }
	LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l "$page" >"$work/rendered"
	col -bx <"$work/rendered" >"$work/page"
	[ -s "$work/page" ] || echo "$page: renders to nothing"
	diff <("$annot" "$@" --help | defined_options) <(defined_options <"$work/page") |
		sed -n 's/^< /only in the help: /p; s/^> /only in the man page: /p'
	grep -q '^EXAMPLES' "$work/page" || echo "$page: no examples"
}

# What the completion offers for the line "annot WORD..." with the cursor at the last WORD's end.
complete_line() (	# WORD...
	# shellcheck disable=SC2317	# called by _annot; the real one works in a completing shell only
	compopt() { :; }
	# shellcheck source=/dev/null
	. viewer/completion/annot
	COMP_WORDS=("$annot" "$@")
	COMP_CWORD=$#
	_annot
	printf '%s\n' "${COMPREPLY[@]}" | sort -u
)

completes_commands() {
	diff <({ commands; echo help; } | sort -u) <(complete_line '')
	[ "$(complete_line rec)" = record ] || echo "rec: $(complete_line rec)"
	[ "$(complete_line help htm)" = html ] || echo "help htm: $(complete_line help htm)"
}

completes_options() {	# [COMMAND]
	diff <("$annot" "$@" --help | defined_options | grep -o -e '--[a-z0-9-]*' | sort) <(complete_line "$@" --)
}

# The value of an option is not the file or command that follows.
completes_values() {
	local command option
	for command in $(commands); do
		"$annot" "$command" --help | sed -nE 's/^ +(-., )?(--[a-z-]+) [A-Z].*/\2/p' >"$work/with-value"
		while read -r option; do
			complete_line "$command" "$option" value -- | grep -q . ||
				echo "$command $option value: nothing offered"
		done <"$work/with-value"
	done
}

completes_files() {
	mkdir "$work/files"
	touch "$work/files/one.dat" "$work/files/two.txt"
	[ "$(complete_line html "$work/files/")" = "$work/files/one.dat" ] ||
		echo "html: $(complete_line html "$work/files/")"
	complete_line record --clock '' | grep -qx mono || echo "record --clock: no mono"
	[ "$(complete_line stat -e page_faults,minor)" = page_faults,minor_faults ] ||
		echo "stat -e page_faults,minor: $(complete_line stat -e page_faults,minor)"
	complete_line record -e page_f | grep -qx page_faults || echo "record -e page_f: no page_faults"
	[ "$(complete_line explain imb)" = imbalance ] || echo "explain imb: $(complete_line explain imb)"
	[ "$(complete_line report --by sy)" = symbol ] || echo "report --by sy: $(complete_line report --by sy)"
	[ "$(complete_line samples --columns ip,wei)" = ip,weight ] ||
		echo "samples --columns ip,wei: $(complete_line samples --columns ip,wei)"
	[ "$(complete_line record --attach = kok)" = kokkos ] || echo "record --attach=kok: $(complete_line record --attach = kok)"
	complete_line record --attach = | grep -qx openmp || echo "record --attach=: no openmp"
	[ "$(complete_line attach --env = itt,mp)" = itt,mpi ] || echo "attach --env=itt,mp: $(complete_line attach --env = itt,mp)"
	complete_line record --attach sle | grep -qx sleep || echo "record --attach sle: no sleep"
	[ "$(complete_line record --clock = mono_)" = mono_raw ] || echo "record --clock=mono_: $(complete_line record --clock = mono_)"
	complete_line record sle | grep -qx sleep || echo "record sle: no sleep"
}

installs() {
	local root=$work/root file plugins
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s install-viewer DESTDIR="$root" PREFIX=/usr >/dev/null
	for file in bin/annot share/bash-completion/completions/annot share/man/man1/annot.1 \
		share/man/man1/annot-record.1 share/man/man1/annot-attach.1 share/man/man1/annot-html.1 share/man/man1/annot-report.1 \
		share/man/man1/annot-list.1 share/man/man1/annot-stat.1 share/man/man1/annot-samples.1 share/man/man1/annot-events.1 \
		share/man/man1/annot-convert.1 share/man/man1/annot-explain.1 share/man/man1/annot-doctor.1; do
		[ -f "$root/usr/$file" ] || echo "no /usr/$file"
	done
	[ -x "$root/usr/bin/annot" ] || echo "/usr/bin/annot cannot be executed"
	plugins=$(pkg-config --variable=libdir libtraceevent)/traceevent/plugins
	[ -f "$root$plugins/plugin_annot.so" ] || echo "no $plugins/plugin_annot.so"
	find "$root" -type f | grep -v "^$root/usr/\(bin\|share\)/\|/plugin_annot.so$" |
		sed 's/^/strange place: /'
	"$root/usr/bin/annot" --version | grep -q '^annot ' || echo "the installed annot does not run"
}

check "--version says name and version" version
check "--help lists the commands" lists_commands
check "no arguments: usage on stderr" no_arguments
check "wrong words are named in one line" wrong_words
check "record refuses values that are none" record_values
check "values of what is measured that are none" pmu_values
check "options of what is measured that do not go together" pmu_options
check "what to convert, and to what" convert_options
check "a part of a trace that is none" part_options
check "events that are none" pmu_names
check "a full disk is noticed" full_disk
for command in "" $(commands); do
	check "help${command:+ of $command} fits 80 columns" help_of ${command:+"$command"}
	if command -v man >/dev/null; then
		check "man page and help${command:+ of $command} agree" man_page ${command:+"$command"}
	else
		echo "ok - man page and help${command:+ of $command} agree # SKIP no man-db"
	fi
	check "all options${command:+ of $command} are completed" completes_options ${command:+"$command"}
done
check "commands are completed" completes_commands
check "options' values are passed over" completes_values
check "files, clocks and commands are completed" completes_files
check "installs where a distribution expects it" installs
