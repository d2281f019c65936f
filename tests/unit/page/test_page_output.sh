#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# annot html: where the page goes, and what is left behind when it cannot go there. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
here=$PWD
annot=$here/build/annot
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
PYTHONPATH=tests/browser /usr/bin/python3 -B -c "
import scene, sys
scene.save(sys.argv[1])" "$work/scene.dat" || exit
cd "$work" || exit

# Runs FUNCTION in a new directory that holds only scene.dat.
check_afresh() {	# NAME FUNCTION
	rm -rf "$work/in"
	mkdir "$work/in"
	cp "$work/scene.dat" "$work/in/"
	cd "$work/in" || exit
	check "$1" "$2"
	cd "$work" || exit
}

# Runs annot html, its streams in ../out and ../err; fails unless it exits with STATUS.
html() {	# STATUS ARGUMENT...
	local wanted=$1 status=0
	shift
	"$annot" html "$@" >../out 2>../err || status=$?
	[ $status -eq "$wanted" ] || echo "exit status $status, not $wanted: $(cat ../err)"
}

one_line() {	# STREAM TEXT
	[ "$(wc -l <"../$1")" -eq 1 ] || echo "not one line: $(cat "../$1")"
	grep -qF -- "$2" "../$1" || echo "nothing of '$2' in: $(cat "../$1")"
}

silent() { [ ! -s "../$1" ] || echo "std$1 is not empty: $(cat "../$1")"; }

only() {	# FILE...
	[ "$(ls -A | sort | paste -s -d ' ')" = "$*" ] || echo "here are: $(ls -A | paste -s -d ' ')"
}

whole() {	# FILE
	[ "$(tail -n 1 "$1")" = "</html>" ] || echo "$1 is not whole: $(tail -c 60 "$1")"
}

analysis_of() { grep -o 'id="analysis">[^<]*' "$1" | sed 's/^id="analysis">//'; }

# A file may be short, and addresses few: there is no room on the disk, and little in memory.
html_with_little_room() {	# ARGUMENT...
	local whole=$annot
	annot=$work/little-room html "$@"
	annot=$whole
}

# How much room findings may take, a file's size tells: this one is as large as one of events.
findings_of_long_traces() {
	local small long='about [0-9.]* MB in memory or on the disk, and there was room for [0-9.]* MB; annot html --force-findings '
	html 0 -o page.html scene.dat
	small=$(analysis_of page.html)
	case $small in
	'{"session":{'*'"findings":['*) ;;
	*) echo "of a small trace: $small" ;;
	esac
	PYTHONPATH=$here/tests/browser /usr/bin/python3 -B -c "
import scene, sys
scene.save(sys.argv[1], 150000)" long.dat
	html 0 -o page.html long.dat
	silent err
	[ "$(analysis_of page.html)" = "$small" ] || echo "of a long trace: $(analysis_of page.html)"
	html 0 --no-findings -o page.html long.dat
	silent err
	[ -z "$(analysis_of page.html)" ] || echo "with --no-findings: $(analysis_of page.html)"
	html 2 --no-findings --force-findings long.dat
	one_line err "--no-findings and --force-findings do not go together"
	printf '#!/bin/sh\nulimit -v 300000\nulimit -f 40000\nexec %s "$@"\n' "$annot" >"$work/little-room"
	chmod +x "$work/little-room"
	html_with_little_room 0 -o page.html long.dat
	analysis_of page.html | grep -qx '{"left_out":{"events":[0-9]*,"most_events":[0-9]*}}' ||
		echo "with little room: $(analysis_of page.html)"
	one_line err "annot: warning: long.dat: the page has no findings"
	grep -q "$long" ../err || echo "said: $(cat ../err)"
	html_with_little_room 0 --force-findings -o page.html long.dat
	silent err
	[ "$(analysis_of page.html)" = "$small" ] || echo "with --force-findings: $(analysis_of page.html)"
}

# Once for the trace, and when a part is wanted, once more: in the end the line is as it was.
shows_progress() {
	local shown
	"$here/tests/unit/page/terminal.py" "$annot" html -o x.html scene.dat >../out
	shown=$(grep -ao 'read: [0-9]*%' ../out | paste -s -d ' ')
	[ "$shown" = "read: 0% read: 100%" ] || echo "shown: $shown"
	"$here/tests/unit/page/terminal.py" "$annot" html --from +0 -o x.html scene.dat >../out
	shown=$(grep -ao 'read: [0-9]*%' ../out | paste -s -d ' ')
	[ "$shown" = "read: 0% read: 50% read: 100%" ] || echo "shown of a part: $shown"
	tail -n 1 ../out | grep -aq $'100%\0338\0337\033\\[70G\033\\[K\0338x.html: ' || echo "it stays there"
	grep -q '<title>.*scene\.dat (a part)' x.html || echo "the title does not tell of a part"
	html 0 -o x.html scene.dat
	silent err
}

head_of() { grep -o 'id="annot-head">.*' "$1" | md5sum; }

# What analyses name is not among the strings of the page.
same_head_without_findings() {
	local trace
	for trace in "$here"/tests/data/scene-{sharing,contend}.dat; do
		"$annot" html -o page.html "$trace" >../out 2>../err
		"$annot" html --no-findings -o bare.html "$trace" >../out 2>../err
		[ "$(head_of page.html)" = "$(head_of bare.html)" ] || echo "the heads of $trace differ"
	done
}

default_name() {
	html 0 scene.dat
	one_line out "scene.html: "
	one_line out "24 events of scene.dat"
	silent err
	only scene.dat scene.html
	whole scene.html
	grep -q '<title>scene.dat</title>' scene.html || echo "the title is not the trace's name"
	[ "$(stat -c %a scene.html)" = "$(printf %o $((0666 & ~$(umask))))" ] || echo "mode: $(stat -c %a scene.html)"
}

named_and_titled() {
	html 0 scene.dat --output=x.html --title 'a <b> & c'
	whole x.html
	grep -q '<title>a &lt;b> &amp; c</title>' x.html || grep -o '<title>.*</title>' x.html
	only scene.dat x.html
}

standard_output() {
	html 0 scene.dat -o -
	whole ../out
	one_line err "standard output"
	only scene.dat
}

pipe_is_written_in_place() {
	mkfifo pipe
	cat pipe >from-pipe &
	html 0 scene.dat -o pipe
	wait
	whole from-pipe
	[ -p pipe ] || echo "the pipe is gone"
}

link_is_followed() {
	mkdir away
	echo old >away/page.html
	ln -s away/page.html link.html
	html 0 scene.dat -o link.html
	[ -L link.html ] || echo "the link is gone"
	whole away/page.html
	[ "$(ls -A away)" = page.html ] || ls -A away
}

# Whoever forgets the page's name gives that of a trace.
recording_is_refused() {
	cp scene.dat other.dat
	ln -s scene.dat link.dat
	for page in scene.dat other.dat link.dat; do
		html 1 scene.dat -o "$page"
		one_line err "$page: is a recording: it would be lost"
		silent out
	done
	"$annot" convert --csv -o other.dat scene.dat >../out 2>../err && echo "a table was written"
	one_line err "other.dat: is a recording"
	"$annot" diff --page link.dat scene.dat other.dat >../out 2>../err && echo "a page was written"
	one_line err "link.dat: is a recording"
	cmp scene.dat ../scene.dat
	cmp other.dat ../scene.dat
	only link.dat other.dat scene.dat
}

directory_is_refused() {
	mkdir page.html
	html 1 scene.dat -o page.html
	one_line err "page.html: is a directory"
	silent out
}

nowhere_is_refused() {
	html 1 scene.dat -o no/where.html
	one_line err "no/where.html"
	silent out
	only scene.dat
}

unwritable_is_refused() {
	echo old >page.html
	chmod 444 page.html
	# Root may write anywhere; nobody may not.
	chmod 777 .
	if [ "$(id -u)" -eq 0 ]; then
		cp "$annot" ../annot
		chmod 755 .. ../annot scene.dat
		chmod 644 scene.dat
		setpriv --reuid=65534 --clear-groups ../annot html scene.dat -o page.html >../out 2>../err
	else
		"$annot" html scene.dat -o page.html >../out 2>../err
	fi
	[ $? -eq 1 ] || echo "exit status $?, not 1"
	one_line err "page.html: cannot be written"
	[ "$(cat page.html)" = old ] || echo "the old page is gone"
	only page.html scene.dat
}

full_disk_leaves_the_old_page() {
	html 1 scene.dat -o /dev/full
	one_line err "/dev/full: cannot be written"
	silent out
}

bad_trace_leaves_the_old_page() {
	echo old >page.html
	head -c 100 scene.dat >cut.dat
	html 1 cut.dat -o page.html
	one_line err cut.dat
	silent out
	[ "$(cat page.html)" = old ] || echo "the old page is gone"
	only cut.dat page.html scene.dat
}

too_large_leaves_the_old_page() {
	echo old >page.html
	(ulimit -f 4; html 1 scene.dat -o page.html)
	one_line err "page.html: cannot be written: File too large"
	[ "$(cat page.html)" = old ] || echo "the old page is gone"
	only page.html scene.dat
}

# Interrupts it as soon as it has begun to write; it may be done before that, so more than once.
interrupted_leaves_nothing() {
	local attempt pid status
	PYTHONPATH=$here/tests/browser /usr/bin/python3 -B -c "
from tracefile import TraceFile
trace = TraceFile(1, {7: 'seven'})
for i in range(100000):
    trace.switch(0, 2000 * i, 0, 7)
    trace.switch(0, 2000 * i + 1000, 7, 0)
trace.save('large.dat')"
	for attempt in 1 2 3 4 5 6 7 8; do
		"$annot" html large.dat -o page.html >../out 2>../err &
		pid=$!
		until compgen -G '.page.html.*' >/dev/null || ! kill -0 $pid 2>/dev/null; do :; done
		kill -TERM $pid 2>/dev/null
		wait $pid
		status=$?
		[ $status -ne 143 ] || break
		rm -f page.html
	done
	[ $status -eq 143 ] || echo "exit status $status after $attempt attempts"
	only large.dat scene.dat
}

# Windows are packed by another thread where there is a second core: of 400,000 events there are four.
same_on_one_core() {
	local first
	first=$(taskset -pc $$ | sed 's/.*: \([0-9]*\).*/\1/')
	PYTHONPATH=$here/tests/browser /usr/bin/python3 -B -c "
from tracefile import TraceFile
trace = TraceFile(2, {7: 'seven', 8: 'eight'})
for i in range(200000):
    trace.switch(i % 2, 2000 * i, 0, 7 + i % 2)
    trace.switch(i % 2, 2000 * i + 1000 + i % 900, 7 + i % 2, 0)
trace.save('large.dat')"
	html 0 large.dat -o page.html
	[ "$(grep -o 'id="annot-block-[0-9]*"' page.html | wc -l)" -ge 4 ] || echo "not four windows"
	taskset -c "$first" "$annot" html large.dat -o one.html >../out 2>../err
	cmp page.html one.html
}

wrong_usage() {
	html 2
	one_line err "the trace is missing"
	html 2 scene.dat scene.dat
	one_line err "one trace at a time"
	html 2 --titel x scene.dat
	one_line err "did you mean '--title'"
	html 2 scene.dat -o
	one_line err "-o"
	only scene.dat
}

check_afresh "how far it is, on a terminal only" shows_progress
check_afresh "the page is the same without findings" same_head_without_findings
check_afresh "the default is the trace's name" default_name
check_afresh "-o and --title" named_and_titled
check_afresh "standard output" standard_output
check_afresh "a pipe is written in place" pipe_is_written_in_place
check_afresh "a link is followed" link_is_followed
check_afresh "a recording is never overwritten" recording_is_refused
check_afresh "a directory is refused" directory_is_refused
check_afresh "a place that is not there is refused" nowhere_is_refused
check_afresh "a page that may not be written is refused" unwritable_is_refused
check_afresh "a full disk is reported" full_disk_leaves_the_old_page
check_afresh "a bad trace leaves the old page" bad_trace_leaves_the_old_page
check_afresh "a page too large leaves the old one" too_large_leaves_the_old_page
check_afresh "an interrupt leaves nothing behind" interrupted_leaves_nothing
check_afresh "findings of long traces are left out" findings_of_long_traces
check_afresh "the page is the same on one core" same_on_one_core
check_afresh "wrong usage" wrong_usage
