#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
# NEEDS: dist
#
# The tarball of make dist: it is the same when it is made elsewhere, where no git is, by somebody with
# another umask and with newer files; and it builds there.
set -euo pipefail

cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
version=$(sed -n 's/^VERSION := //p' Makefile)
tarball=$PWD/build/dist/annot-$version.tar.xz
elsewhere=$work/elsewhere/annot-$version

unpacks() { mkdir "$work/elsewhere" && tar -xf "$tarball" --touch -C "$work/elsewhere"; }

makes_the_same() (
	umask 077
	chmod -R go= "$elsewhere"
	make -s -C "$elsewhere" dist && cmp "$tarball" "$elsewhere/build/dist/annot-$version.tar.xz"
)

# Quick to compile is enough here; make deb builds it as it is released.
builds() { make -s -j"$(nproc)" -C "$elsewhere" CFLAGS=-O0 VIEWER_LTO=; }

says_version() { "$elsewhere/build/annot" --version | grep -Fx "annot $version"; }

check "the tarball unpacks" unpacks
check "the same tarball is made elsewhere" makes_the_same
check "it builds where no git is" builds
check "annot --version says $version" says_version
exit $failed
