# SPDX-License-Identifier: GPL-2.0
# BOOT: -E zen4 -s 2 -T single -t 550
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/record-misses
#
# annot record --topdown on a Zen 4, of whose events the emulator counts cycles and what retires: topdown_truth.py holds the one
# figure that is of these against the counts by task, and sees that the others are not believed; and the same of level 2, in groups
# that take turns.

. ./record-misses

record topdown --topdown --user pieces -o /out/topdown.json

refuses_memory() {
	annot record --topdown=memory -o /tmp/none.dat true 2>/tmp/err && return 1
	grep -qF 'this CPU does not count levels of memory' /tmp/err
}
check 'levels of memory are refused' refuses_memory

# Six counters: what divides the slots of level 1 takes turns with them.
divides_slots() {
	annot record --topdown=level2 --user -o /out/level2.dat pieces -o /out/level2.json 2>/tmp/err || { cat /tmp/err; return 1; }
	cat /tmp/err
	grep -qF 'zen4::de_no_dispatch_per_slot.no_ops_from_frontend.all_slots' /tmp/err &&
		grep -qF 'ex_ret_brn_misp, resyncs_or_nc_redirects, ex_ret_ucode_ops' /tmp/err &&
		grep -qF 'take turns' /tmp/err && ! grep -qF 'no counter is free' /tmp/err
}
check 'level 2 takes turns with level 1' divides_slots
# shellcheck disable=SC2154	# set by record-misses
exit "$failed"
