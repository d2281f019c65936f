#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: tests/lint-kmod.sh
#
# SLOW
#
# The module by the kernel's own measures: checkpatch --strict, sparse, and a build with W=1, for
# each kernel we build for; TAP.
set -euo pipefail

cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

# One source for several kernels must ask which one it is built for.
versions=LINUX_VERSION_CODE,CONSTANT_COMPARISON
# The arguments of TRACE_EVENT are sections, laid out as all of include/trace/events is.
sections=OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT

checkpatch() {	# OPTION|FILE...
	perl "$checkpatch" --no-tree --strict --terse --show-types --quiet --no-summary \
		--max-line-length=100 -f "$@"
}

if checkpatch=$(tests/checkpatch 2>"$work/why"); then
	for file in kmod/*.[ch] kmod/*/*.[ch] include/uapi/annot.h tests/vm/{nmi_pmu,faults}/*.c; do
		case $file in
		kmod/compat.h) check "checkpatch: $file" checkpatch --ignore "$versions" "$file" ;;
		*) check "checkpatch: $file" checkpatch "$file" ;;
		esac
	done
	file=include/trace/events/annot.h
	check "checkpatch: $file" checkpatch --ignore "$versions,$sections" "$file"
else
	skip checkpatch "$(tail -n 1 "$work/why")"
fi

# The same modules as guests load.
for series in 6.1 6.12; do
	if command -v sparse >/dev/null; then
		check "sparse and W=1 on $series" tests/vm/module "$series"
	else
		skip "sparse and W=1 on $series" "no sparse"
	fi
done
exit $failed
