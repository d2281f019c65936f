# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs:512 -s 1 -T count -t 550
# SERIES: 6.1
# DEBUG: no, the emulator is slow enough without
#
# What a switch costs in misses, where they are counted to the letter: a victim whose cache somebody
# pollutes in between, and the same without. (Of a single CPU, whose time is its instructions: the
# same in each run.) misses_truth.py holds what annot report says against what the programs know.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

record() {	# NAME COMMAND...
	name=$1
	shift
	check "$name is recorded" annot record --count l2_cache_miss:u,l3_cache_miss:u -o "/out/$name.dat" "$@"
}

insmod annot.ko || exit 1
record polluter polluter -r 120 -n 12000 -w 600 -e r10d1 -o /out/polluter.json
record alone polluter -r 120 -n 12000 -w 1 -e r10d1 -o /out/alone.json
exit $failed
