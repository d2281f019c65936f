#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The inline path on arm64, where a compiler for it and QEMU's user emulation are installed.
set -euo pipefail

cd "$(dirname "$0")/../.."
for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
	command -v $tool >/dev/null || {
		echo "ok - the inline path on arm64 # SKIP $tool is not installed"
		exit 0
	}
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for opt in -O0 -O2; do
	aarch64-linux-gnu-gcc -std=gnu11 $opt -static -Wall -Wextra -Werror -D_GNU_SOURCE -Iinclude \
		tests/unit/rseq_arm64.c -o "$work/program"
	qemu-aarch64 "$work/program" | sed "s/ok - /&$opt: /"
done
