# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# SERIES: 6.1
# FILES: build/tests/vm/recorders
#
# Several who record at once, and who record some processes only.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
tracing=/sys/kernel/tracing
mkdir $tracing/instances/other || exit 1
echo 16384 >$tracing/buffer_size_kb
echo 16384 >$tracing/instances/other/buffer_size_kb
./recorders || failed=1
rmdir $tracing/instances/other
check "annot.ko unloads" rmmod annot
exit $failed
