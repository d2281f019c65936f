#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot samples on a trace that a script tells: to the letter. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

make_trace() {	# OPTION...
	cat >"$work/kallsyms" <<-'EOF'
	ffffffff81000000 T _text
	ffffffff81001000 t schedule
	EOF
	tests/lib/script_trace.py -k "$work/kallsyms" "$@" "$work/trace.dat" <<-'EOF'
	1000 0 0 config text='event=0 name=l1_cache_miss mode=sample period=100 user=1 kernel=1 asked=3 precise=2'
	1000 0 0 config text='event=1 name=loads mode=sample period=7 user=1 kernel=1'
	1000 0 0 config text='event=2 name=cycles mode=count user=1 kernel=1'
	1000 0 0 config text='event=3 name=stores mode=sample period=7 user=1 error=19'
	1000 0 0 switch next_pid=100 next_comm='my prog'
	1000 1 0 switch next_pid=77 next_comm=other
	1001 0 100 marker buf='annot|session'
	2000 0 100 marker buf='B|100|outer'
	3000 0 100 sample period=100 precise=2 ip=0x401136 has=0x1f addr=0x7ffe10 weight=230 data_src=0x28200842 regs=1,2,3
	4000 0 100 marker buf='B|100|hot loop'
	5000 0 100 sample event=1 period=7 ip=0xffffffff81001008 has=0
	5500 1 77 sample event=1 period=7 ip=0x500000 has=0x10
	6000 0 100 marker buf='E|100'
	2000000000 0 100 sample period=100 precise=2 ip=0 has=0x20
	2000000900 0 100 marker buf='E|100'
	2000001000 0 100 sample event=1 period=7 ip=0x401000 has=0x13 addr=0 weight=0
	2000001500 0 100 switch prev_state=1 prev_comm='my prog'
	2000002000 0 0 sample event=1 period=7 ip=0xffffffff81001020 has=0
	EOF
}

samples() { "$annot" samples "$@" "$work/trace.dat" 2>"$work/err"; }

expect() {	# ARGUMENT... (the table on stdin)
	samples "$@" >"$work/out" || echo "exit status $?: $(cat "$work/err")"
	diff "$work/out" -
}

default_columns() {
	expect <<-'EOF'
	       time cpu tid comm    event                       ip symbol       object               addr weight source                           task
	0.000002000   0 100 my_prog l1_cache_miss 0000000000401136 -            -        00000000007ffe10    230 load,L3,hit,snoop-hit,TLB-L1-hit outer
	0.000004000   0 100 my_prog loads         ffffffff81001008 schedule+0x8 [kernel]                -      - -                                hot_loop
	1.999999000   0 100 my_prog l1_cache_miss                - -            [kernel]                -      - -                                outer
	2.000000000   0 100 my_prog loads         0000000000401000 -            -        0000000000000000      0 -                                -
	EOF
	[ "$(cat "$work/err")" = "annot: warning: 2 samples of threads outside the session are left out: --all shows them" ] ||
		cat "$work/err"
}

all_columns() {
	expect --all --columns pid,tid,mode,period,precise,line,data,regs <<-'EOF'
	pid tid mode   period precise line data              %ax              %bx              %cx
	100 100 user      100       2 -    -    0000000000000001 0000000000000002 0000000000000003
	100 100 kernel      7       0 -    -                   -                -                -
	  -  77 user        7       0 -    -                   -                -                -
	100 100 kernel    100       2 -    -                   -                -                -
	100 100 user        7       0 -    -                   -                -                -
	  -   0 kernel      7       0 -    -                   -                -                -
	EOF
	[ ! -s "$work/err" ] || cat "$work/err"
}

one_register() {
	expect --columns %cx,comm --event l1_cache_miss <<-'EOF'
	             %cx comm
	0000000000000003 my_prog
	               - my_prog
	EOF
}

# Of a machine whose registers have no names here.
nameless_registers() {
	make_trace -u 'Linux host 6.1 vax'
	expect --columns regs --to 0.000003 <<-'EOF'
	             %r0              %r1              %r2
	0000000000000001 0000000000000002 0000000000000003
	EOF
	make_trace -u 'Linux host 6.1 x86_64' -m big,8,6
	expect --columns %ax --to 0.000003 <<-'EOF'
	             %ax
	0000000000000001
	EOF
	make_trace -u 'Linux host 6.1 x86_64'
}

times() {	# ARGUMENT...
	samples --columns time "$@" | tail -n +2 | paste -s -d ' '
}

filters() {
	local wanted=$1
	shift
	[ "$(times "$@")" = "$wanted" ] || echo "$*: $(times "$@"), not $wanted"
}

# Aligned for the eye, but a table for awk: in each line as many fields as in the first.
fields() {
	samples --all | awk 'NR == 1 { n = NF } NF != n { print NR ": " NF " fields, not " n ": " $0 }'
	samples --all | grep -n ' $'
	[ "$(samples --all | wc -l)" -eq 7 ] || echo "$(samples --all | wc -l) lines, not 7"
}

refuses() {	# STATUS TEXT ARGUMENT...
	local wanted=$1 text=$2 status=0
	shift 2
	samples "$@" >"$work/out" || status=$?
	[ $status -eq "$wanted" ] || echo "exit status $status, not $wanted"
	[ ! -s "$work/out" ] || echo "something on stdout: $(cat "$work/out")"
	[ "$(wc -l <"$work/err")" -eq 1 ] && grep -qF -- "$text" "$work/err" ||
		echo "not one line with \"$text\": $(cat "$work/err")"
}

no_samples() {
	tests/lib/script_trace.py "$work/empty.dat" <<-'EOF'
	1000 0 0 config text='event=0 name=miss mode=sample period=100 user=1'
	1000 0 0 switch next_pid=100 next_comm=prog
	2000 0 100 switch
	EOF
	diff <("$annot" samples --columns time,regs,task "$work/empty.dat" 2>&1) <(echo time task)
}

awkward_names() {
	tests/lib/script_trace.py "$work/names.dat" <<-'EOF'
	1000 0 0 config text='event=0 name=miss mode=sample period=100 user=1'
	1000 0 0 switch next_pid=100 next_comm=''
	2000 0 100 marker buf='B|100|a b	cd ée'
	3000 0 100 sample period=100 has=0x10
	4000 0 100 switch
	EOF
	diff <("$annot" samples --columns comm,task "$work/names.dat" 2>&1) - <<-'EOF'
	comm task
	-    a_b?cd_é?e
	EOF
}

make_trace -u 'Linux host 6.1 x86_64'
check "the columns that the samples have" default_columns
check "all other columns, all threads" all_columns
check "one register" one_register
check "registers without names, another byte order" nameless_registers
check "--event" filters "0.000004000 2.000000000" --event loads
check "--thread, by its name" filters "0.000002000 0.000004000 1.999999000 2.000000000" --thread "my prog"
check "--thread, by its tid" filters "0.000004500" --all --thread 77
check "--thread 0" filters "2.000001000" --all --thread 0
check "--task, the innermost" filters "0.000004000" --task "hot loop"
check "--task, around another one" filters "0.000002000 0.000004000 1.999999000" --task outer
check "--from" filters "1.999999000 2.000000000" --from 0.5
check "--from is within" filters "2.000000000" --from 2
check "--to is not within" filters "0.000002000 0.000004000 1.999999000" --to 2
check "all together" filters "0.000004000" --task outer --event loads --from 0.000003 --to 1 --thread 100
check "every line has the same fields" fields
check "an unknown column" refuses 2 "'weigth'; did you mean 'weight'" --columns time,weigth
check "an empty column" refuses 2 "no such column: ''" --columns time,
check "a register that is not there" refuses 1 "'%r15'" --columns %r15
check "too many columns" refuses 2 "more than 64" --columns "$(yes time | head -n 65 | paste -s -d ,)"
check "an unknown event" refuses 1 "'load'; did you mean 'loads'" --event load
check "an event that was refused" refuses 1 "'stores' was not measured: the kernel refused it: No such device" --event stores
check "an event that was counted" refuses 1 "'cycles' was counted, not sampled" --event cycles
check "an unknown thread" refuses 1 "no thread '78'" --thread 78
check "an unknown task" refuses 1 "no task 'inner'" --task inner
check "times that are none" refuses 2 "--from '1s'" --from 1s
check "negative times" refuses 2 "--to '-1'" --to -1
check "no samples" no_samples
check "names that are awkward" awkward_names
