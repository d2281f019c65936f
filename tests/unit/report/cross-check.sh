#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: build/tests/unit/trace/test_trace_libtracecmd
#
# The time of each thread on CPUs, and its switches, as annot reports them and as a few lines count
# them in the text of trace-cmd: of the recorded traces, and of every trace that the tests below make
# for annot to read. TAP.
# SLOW
set -u

cd "$(dirname "$0")/../../.." || exit
makers="report/report report/pmu/measured report/pmu/samples symbols/symbols convert/test_convert trace/containers"
# Of those made; the others are damaged, cut off, or of forms that trace-cmd cannot read.
least_compared=270
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
ANNOT=$(realpath "${ANNOT:-build/annot}")
export ANNOT

if ! command -v trace-cmd >/dev/null; then
	echo "1..0 # SKIP no trace-cmd"
	exit
fi

# In the place of annot: keeps what it reads.
mkdir "$work/made"
cat >"$work/annot" <<EOF
#!/bin/bash
file=\${!#}
if [[ \$file = *.dat && -f \$file ]]; then
	sum=\$(sha1sum <"\$file")
	cp -n -- "\$file" "$work/made/\${sum%% *}.dat" 2>/dev/null
fi
exec "$ANNOT" "\$@"
EOF
chmod +x "$work/annot"

for trace in tests/data/*.dat; do
	tests/unit/report/count_switches.py "$trace" >"$work/told"
	cat "$work/told"
	grep -q '^\(not \)\?ok' "$work/told" || fail "$trace: is not compared"
done

for maker in $makers; do
	ANNOT=$work/annot "tests/unit/$maker.sh" >/dev/null 2>&1
done
tests/unit/report/count_switches.py "$work/made"/*.dat >"$work/told"
grep -v '^ok' "$work/told"
nr_compared=$(grep -c '^\(not \)\?ok' "$work/told")
nr_made=$(find "$work/made" -name '*.dat' | wc -l)
check "of $nr_made made traces $nr_compared are compared, $least_compared at least" test "$nr_compared" -ge $least_compared
