# SPDX-License-Identifier: GPL-2.0
# BOOT: -E icelake:1024 -s 1 -T count -t 300
# DEBUG: no, the emulator is slow enough without
# FILES: build/tests/vm/topdown_group
#
# An Ice Lake, whose counter of slots and whose metrics Linux's own driver offers as events: a group of these counts what the
# program knows.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

events=/sys/bus/event_source/devices/cpu/events

offers() {	# EVENT WORDS
	[ "$(cat "$events/$1")" = "$2" ]
}
check "the driver offers slots" offers slots event=0x00,umask=0x4
check "... retiring" offers topdown-retiring event=0x00,umask=0x80
check "... bad speculation" offers topdown-bad-spec event=0x00,umask=0x81
check "... front-end bound" offers topdown-fe-bound event=0x00,umask=0x82
check "... back-end bound" offers topdown-be-bound event=0x00,umask=0x83

./topdown_group || failed=1
exit "$failed"
