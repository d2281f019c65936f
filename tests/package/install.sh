#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
# NEEDS: deb
# shellcheck disable=SC2016	# $(...) of apt, and hooks: to be left alone
#
# The Debian packages: lintian finds no error and no warning in them. They are installed in a minimal
# root of Debian 12, used there, and purged: see in-root. The root is deleted afterwards.
set -euo pipefail

cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

# Where apt on this machine gets Debian 12.
sources() {
	apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
		awk '$1 ~ /^bookworm(-updates|-security)?$/ && $2 == "main" {
			print "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] " $3 " " $1 " main"
		}' | sort -u
}

# What apt on this machine is told of proxies and the like.
settings() {
	apt-config dump | grep '^Acquire::[a-z]' || true
}

check "lintian finds no error and no warning" \
	lintian --allow-root --fail-on error,warning build/deb/annot_*.changes

sources >"$work/debian.list"
settings >"$work/settings"
if [ ! -s "$work/debian.list" ]; then
	skip "packages in a clean root" "apt on this machine does not know Debian 12"
	exit $failed
fi
if [ "$(id -u)" -ne 0 ]; then
	skip "packages in a clean root" "only root may make one"
	exit $failed
fi
mkdir "$work/debs"
cp build/deb/{annot,annot-dkms,libannot0,libannot-dev,python3-annot}_*.deb "$work/debs"
cp tests/data/scene-imbalance.dat tests/package/in-root tests/lib/tap.sh "$work/debs"
# Its mounts stand in a namespace that ends with it, however it ends. What is written need not survive a
# power failure.
# in-root's points go to a file: a hook's output is mmdebstrap's own, and an exit status of 1 would end it.
TMPDIR=$work unshare --mount --pid --fork --kill-child --mount-proc \
	mmdebstrap --quiet --variant=minbase --format=null --dpkgopt=force-unsafe-io \
	--aptopt="$work/settings" --aptopt='Acquire::Languages "none"' \
	--include=gcc,libc6-dev,linux-headers-cloud-amd64,man-db,pkg-config \
	--customize-hook="copy-in $work/debs /" \
	--customize-hook='chroot "$1" /debs/in-root >"'"$work"'/points" 2>&1 || echo failed >"'"$work"'/failed"' \
	bookworm - "$work/debian.list" >"$tap_log" 2>&1 && [ -s "$work/points" ] ||
	fail "the root is made"
[ ! -e "$work/points" ] || cat "$work/points"
[ ! -e "$work/failed" ] || failed=1
exit $failed
