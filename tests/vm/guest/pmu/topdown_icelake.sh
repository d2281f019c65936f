# SPDX-License-Identifier: GPL-2.0
# BOOT: -E icelake:1024 -s 2 -T multi -t 280
# SERIES: 6.12
# TIMED
# DEBUG: no, the emulator is slow enough without
#
# annot record --topdown without the module, on an Ice Lake: slots and the kernel's four metrics are one group. Its general counters
# know the same; topdown_group_truth.py holds slots, threads and tasks against these, their counts, and what the program knows.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

metrics='cpu/slots/uk,cpu/topdown-retiring/uk,cpu/topdown-bad-spec/uk,cpu/topdown-fe-bound/uk,cpu/topdown-be-bound/uk'

counters='cpu/event=0xa4,umask=1/uk,cpu/event=0xc2,umask=2/uk,cpu/event=0x9c,umask=1/uk,cpu/event=0xa4,umask=2/uk'

record_topdown() {
	annot record --topdown -o /out/topdown.dat pieces -o /out/topdown.json 2>/out/topdown.said || { cat /out/topdown.said; return 1; }
	cat /out/topdown.said
	grep -qF 'counts for top-down, at the same time: slots, topdown-retiring, topdown-bad-spec, topdown-fe-bound, topdown-be-bound' /out/topdown.said
}
record_group() {
	annot record --count "{$metrics,$counters}" -o /out/group.dat pieces -o /out/group.json
}
check 'top-down is recorded without the module' record_topdown
too_large() {
	annot record --count "{$metrics,$counters,cpu/event=0x2e,umask=0x41/uk}" -o /tmp/none.dat true 2>/tmp/err && return 1
	cat /tmp/err
	grep -qF 'a group is too large: with 9 events before it' /tmp/err
}
check 'a group that does not fit is refused' too_large
check 'a group is recorded without the module' record_group

# Four general counters: two parts of level 2 fit beside the metrics, and the one of five events nowhere.
divides_slots() {
	annot record --topdown=level2 -o /tmp/none.dat true 2>/tmp/err || { cat /tmp/err; return 1; }
	cat /tmp/err
	grep -qF 'topdown-be-bound, icl::IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV:CORE, INT_MISC:UOP_DROPPING, BR_MISP_RETIRED:ALL_BRANCHES, MACHINE_CLEARS:COUNT' /tmp/err &&
		grep -q 'no counter is free for .*UOPS_DECODED:DEC0:CYCLES' /tmp/err
}
check 'level 2 is counted beside the metrics, where it fits' divides_slots
exit "$failed"
