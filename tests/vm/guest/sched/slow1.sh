# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 300
# SERIES: 6.1
# DEBUG: no, it is about times
#
# Requests that are slow for reasons which the program draws and writes down, and the same without.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

record() {	# NAME WORDS...
	name=$1
	shift
	annot record -q -b 4096 -o "/out/$name.dat" -- serve 1000 "$@" >"/out/$name.told"
}

insmod annot.ko || exit 1
check "requests, some of them slow" record slow
check "the same, none slow" record quiet quiet
rmmod annot
exit $failed
