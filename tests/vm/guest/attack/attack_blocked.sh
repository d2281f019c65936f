# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T multi -t 280
# SERIES: 6.1
# FILES: build/tests/vm/attack_blocked
#
# Threads that fall asleep such that looking at them is dangerous: the kernel warns of nothing, and the trace stays readable.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh
output_is_failure=true

tracing=/sys/kernel/tracing

insmod annot.ko || exit 1
echo 8192 >$tracing/buffer_size_kb
echo 1 >$tracing/events/annot/annot_blocked/enable

attack() {
	./attack_blocked 6 >/out/attacks || cat /out/attacks
}

# Each is one line; the numbers that only ptrace() makes are there, and no address beyond the user's was read.
lines_are_whole() {
	grep -v '^#' $tracing/trace >/out/lines
	[ "$(wc -l </out/lines)" -gt 1000 ] || echo "$(wc -l </out/lines) lines"
	grep -v ' annot_blocked: nr=-*[0-9]* args=[0-9a-f]*,[0-9a-f]*,[0-9a-f]* what=[a-z_ ]* object=[0-9a-f]* detail=[0-9a-f]* holder=[0-9]* flags=[a-z|]* stack=[0-9]* name=' \
		/out/lines | head
	grep -q 'nr=100000 ' /out/lines || echo "no call of ptrace()"
	grep -q 'object=ffffffff81000000 .*holder=0 ' /out/lines || echo "no futex of the kernel"
	grep 'object=ffffffff81000000 ' /out/lines | grep -v 'holder=0 ' | head -n 3
	grep -q 'name=with?line?\[31m$' /out/lines || echo "no name with control characters"
	grep -q "name=a name that is longer than what fits into the e" /out/lines || echo "no long name"
}

check "they fall asleep" attack
check "the trace is readable" lines_are_whole
check "annot.ko unloads" rmmod annot
exit $failed
