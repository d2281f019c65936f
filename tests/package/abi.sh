#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What programs that were built for the last release depend on is as it was then: see abi-dump. New
# symbols, constants and fields of events may be added. CONTRIBUTING.md tells how the ABI may change.
set -euo pipefail

cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
released=tests/data/abi

same_library() { abidiff --no-added-syms "$released/libannot.abi" "$work/libannot.abi"; }

# Prints what is no longer so.
nothing_changed() {	# NAME
	! comm -23 <(sort "$released/$1") <(sort "$work/$1") | grep .
}

if ! command -v abidw >/dev/null; then
	echo "1..0 # SKIP no abidw: it is in the package abigail-tools"
	exit
fi
check "the ABI can be dumped" tests/package/abi-dump "$work"
check "symbols and types of libannot.so are those of the last release" same_library
check "include/uapi/annot.h has the constants and structures of the last release" nothing_changed uapi.txt
check "include/trace/annot_raw.h has those of the last release" nothing_changed raw.txt
check "the events have the fields of the last release" nothing_changed events.txt
exit $failed
