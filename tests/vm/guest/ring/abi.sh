# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# SERIES: 6.1
# FILES: build/tests/vm/abi
#
# A program of today, with the module of today, with one of two versions later, and with one that
# understands it no more (abi.pre builds them).

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

try() {	# MODULE HOW
	insmod "$1" || exit 1
	./abi "$2" || failed=1
	check "$1 unloads" rmmod annot
}

now=$(./abi version)
echo 16384 >/sys/kernel/tracing/buffer_size_kb
try annot.ko used
try annot-abi-$((now + 2)).ko used
try annot-abi-$((now + 3)).ko refused
exit $failed
