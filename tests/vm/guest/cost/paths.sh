# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T single -t 300
# SERIES: 6.12
# DEBUG: no, it is about costs
# FILES: build/tests/vm/paths
#
# What an annotation costs by each way into the trace. The times of an emulated machine mean little;
# that one way is dearer than another by so much means something.

insmod annot.ko || exit 1
./paths 31 >/out/paths.json
