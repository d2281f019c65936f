#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: kernels
#
# The forms of the benchmark tests/bench/overhead that need no module, on this machine's own ftrace:
# that they do what they are said to, not what they cost. TAP.
# SLOW
set -uo pipefail

cd "$(dirname "$0")/../.." || exit
if [ "$(id -u)" -ne 0 ]; then
	echo "1..0 # SKIP only root may trace"
	exit
fi

runs=$(mktemp)
trap 'rm -f "$runs"' EXIT
PATH=$PWD/build:$PATH tests/native/with-tracefs sh tests/bench/overhead-round \
	build/tests/bench/kernels wave:3 match:2 motion:10 -- original disabled traced marker >"$runs" || exit
tests/bench/overhead_runs.py "$runs" wave,match,motion original,disabled,traced,marker
