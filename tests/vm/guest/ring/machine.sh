# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 400
# SERIES: arm64 riscv64
# DEBUG: no, it is for other machines
# FILES: build/tests/vm/device build/tests/vm/ring build/tests/vm/ring_identity build/tests/vm/ring_exec build/tests/vm/ring_hostile build/tests/vm/full_rings
#
# What guests of x86-64 are asked one by one, of another machine: in one guest, as riscv64's kernel
# takes half a minute to unload a module.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
for program in "device check" "ring check" ring_identity full_rings "ring_hostile 20000" ring_exec; do
	echo "# ./$program"
	echo 16384 >/sys/kernel/tracing/buffer_size_kb
	# shellcheck disable=SC2086	# words; a system call is slower there, and so may be a time
	SLOWDOWN=2 ./$program || failed=1
done
check "annot.ko unloads" rmmod annot
exit $failed
