# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154	# the caller assigns annot
#
# Names the lines of annot report --all that are too long.

fits() {	# COLUMNS TRACE
	"$annot" report --all "$2" 2>/dev/null | awk -v most="$1" 'length($0) > most { print "too long: " $0 }'
}
