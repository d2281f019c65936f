#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What reads samples and names them, under valgrind's memcheck: of a program whose files are there,
# are others by now, or are gone, and of damaged records. TAP.
# SLOW
# shellcheck disable=SC2154	# work is of memcheck.bash
set -uo pipefail

cd "$(dirname "$0")/../../../.." || exit
# shellcheck source=tests/lib/memcheck.bash
. tests/lib/memcheck.bash	# gives work, clean, and tap.sh
annot=${ANNOT:-build/annot}
CC=${CC:-cc}

if ! "$CC" -g -O0 -fPIC -shared -Wl,--build-id -o "$work/libplaces.so" tests/unit/symbols/symbols_library.c ||
	! "$CC" -g -O0 -Wl,--build-id -o "$work/program" tests/unit/symbols/symbols_program.c -L"$work" \
		-lplaces -Wl,-rpath,"$work" ||
	! "$work/program" >"$work/said"; then
	fail "a program is built"
	exit
fi
cat >"$work/kallsyms" <<'EOF'
ffffffff81000000 T _text
ffffffff81001000 t schedule	[module]
EOF
tests/unit/symbols/symbols_trace.py "$work/said" | tests/lib/script_trace.py -k "$work/kallsyms" "$work/samples.dat"
clean "report --json" 0 "$annot" report --json "$work/samples.dat"
clean "report" 0 "$annot" report "$work/samples.dat"
clean "report --by line" 0 "$annot" report --by line "$work/samples.dat"
clean "report --by address" 0 "$annot" report --by address --csv "$work/samples.dat"
clean "report --by task" 0 "$annot" report --by task --json "$work/samples.dat"
clean "convert --perfetto" 0 "$annot" convert --perfetto -o "$work/x.json" "$work/samples.dat"
clean "convert --csv" 0 "$annot" convert --csv -o "$work/x.csv" "$work/samples.dat"
clean "samples" 0 "$annot" samples --columns time,ip,symbol,line,data,task,source,regs "$work/samples.dat"
clean "samples: an unknown column" 2 "$annot" samples --columns nothing "$work/samples.dat"
hot=$(nm "$work/program" | awk '$3 == "hot" { print $1 }')
tests/unit/symbols/names_trace.py batch "$work/places.dat" <<EOF
begin task &$work/program+0x$hot
wait for @$work/program#0123456789abcdef+0x$hot
mark here @$work/nothing+0x1
EOF
clean "places in names: report" 0 "$annot" report "$work/places.dat"
clean "places in names: html" 0 "$annot" html --from +0s -o "$work/x.html" "$work/places.dat"
clean "places in names: diff" 0 "$annot" diff "$work/places.dat" "$work/places.dat"
"$CC" -g -O0 -Wl,--build-id -Dhot=warm -o "$work/program" tests/unit/symbols/symbols_program.c -L"$work" -lplaces
clean "report --by line: another file by now" 0 "$annot" report --by line "$work/samples.dat"
rm "$work/program"
clean "report --by symbol: a file that is gone" 0 "$annot" report --by symbol "$work/samples.dat"
tests/lib/script_trace.py "$work/damaged.dat" <<'EOF'
1000 0 0 sample event=16 period=1
1000 0 0 sample event=3 period=1 regs=1,2,3 has=8
1000 0 0 counts counts=1,2 nr=3
1000 0 0 counts counts=1,2
1000 0 0 counts counts=1,2,3
1000 0 0 state event=9 state=2
1000 0 0 config text='event=1 name=x mode=guess'
1000 0 0 config text='event=1 name=x mode=count'
1000 0 0 marker buf='annot|map|1|2|3'
1000 0 0 marker buf='annot|map|7|1000|1000|0||0|/nowhere'
1000 0 0 sample event=0 cut=16
2000 0 0 switch next_pid=7
3000 0 7 counts counts=4
4000 0 7 switch prev_state=1
EOF
clean "damaged records: report" 0 "$annot" report --json "$work/damaged.dat"
clean "damaged records: samples" 0 "$annot" samples --all --columns time,regs,symbol "$work/damaged.dat"
