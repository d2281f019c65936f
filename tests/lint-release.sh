#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: tests/lint-release.sh
#
# What a release states in several places is the same in all of them; TAP.
set -euo pipefail

cd "$(dirname "$0")/.."
version=$(sed -n 's/^VERSION := //p' Makefile)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

# The first line of FILE that matches PATTERN contains TEXT.
states() {	# FILE PATTERN TEXT
	local line
	line=$(grep -m 1 -- "$2" "$1") && [[ "$line" = *"$3"* ]] || {
		echo "$1: not $3, but: ${line-}"
		return 1
	}
}

versions() {
	states kmod/version.h ANNOT_MODULE_VERSION "\"$version\"" &&
		states README.md 'dkms install' "annot/$version " &&
		states libannot/annot.3 '^\.TH' "\"annot $version\"" &&
		states libannot/bindings/rust/Cargo.toml '^version' "\"$version\"" &&
		states CHANGELOG.md '^## \[[0-9]' "## [$version] - " &&
		states debian/changelog '^annot (' "annot ($version) "
}

# The compilers and make come with Debian's build-essential.
build_packages() {
	local build=
	eval "$(sed -n '/^build="/,/"$/p' tests/setup)"
	tr -s ' \t' '\n' <<<"$build" | grep -vx 'make\|gcc\|g++\|libc6-dev'
}

build_depends() {
	local package status=0
	for package in $(build_packages); do
		sed -n '/^Build-Depends:/,/^[^ ]/p' debian/control | grep -qx " $package," ||
			{ echo "$package is not in Build-Depends"; status=1; }
	done
	return $status
}

check "the version is the same everywhere" versions
check "debian/control has the packages that tests/setup build installs" build_depends
exit $failed
