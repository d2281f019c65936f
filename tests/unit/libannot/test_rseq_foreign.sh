#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The inline path on arm64 and riscv64, where a compiler for each and QEMU's user emulation are installed.
set -euo pipefail

cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

runs_on() {	# NAME MACHINE
	local tool opt
	for tool in "$2-linux-gnu-gcc" "qemu-$2"; do
		command -v "$tool" >/dev/null || {
			skip "the inline path on $1" "$tool is not installed"
			return
		}
	done
	for opt in -O0 -O2; do
		"$2-linux-gnu-gcc" -std=gnu11 $opt -static -Wall -Wextra -Werror -D_GNU_SOURCE -Iinclude \
			tests/unit/libannot/rseq_foreign.c -o "$work/program"
		"qemu-$2" "$work/program" | sed "s/ok - /&$1 $opt: /"
	done
}

runs_on arm64 aarch64
runs_on riscv64 riscv64
