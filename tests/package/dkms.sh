#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# DKMS, as Debian has it, with trees of its own: it builds what make install leaves for it, without
# a warning, for a kernel that kmod/dkms.conf names, and leaves others alone. tests/package/install.sh
# has it build for another one; that the module builds for each is for vm/modules to see.
set -euo pipefail

cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
PATH=$PATH:/sbin:/usr/sbin

with_trees() {	# ACTION ARGUMENT...
	dkms "$@" --dkmstree "$work/dkms" --sourcetree "$work/root/usr/src" --installtree "$work/installed"
}

# What dkms prints is its own; the log of make is what is asked for a warning.
builds() {	# SERIES
	local paths RELEASE KDIR made
	paths=$(tests/vm/kernel "$1")
	eval "$paths"
	with_trees build annot/"$version" -k "$RELEASE" --kernelsourcedir "$KDIR" &&
		made=$work/dkms/annot/$version/$RELEASE/x86_64 && ls "$made"/module/annot.ko* &&
		cat "$made/log/make.log" && ! grep -i warning "$made/log/make.log"
}

# As for a kernel with headers that DKMS would find fit, if its release were not another.
refuses() {	# RELEASE
	local paths KDIR
	paths=$(tests/vm/kernel 6.12)
	eval "$paths"
	! with_trees build annot/"$version" -k "$1" --kernelsourcedir "$KDIR" >"$work/refusal" 2>&1 &&
		grep -q 'BUILD_EXCLUSIVE directive which does not match' "$work/refusal" && return
	cat "$work/refusal"
	return 1
}

matches() {	# RELEASE...
	local BUILD_EXCLUSIVE_KERNEL release
	eval "$(grep ^BUILD_EXCLUSIVE_KERNEL= kmod/dkms.conf)"
	for release; do
		[[ $release =~ $BUILD_EXCLUSIVE_KERNEL ]] || { echo "not $release"; return 1; }
	done
}

matches_none() {	# RELEASE...
	local release
	for release; do
		! matches "$release" || { echo "$release"; return 1; }
	done
}

check "make install" make -s install-kmod-files DESTDIR="$work/root"
version=$(basename "$work"/root/usr/src/annot-*)
version=${version#annot-}
mkdir "$work/dkms" "$work/installed"
check "DKMS takes the source" with_trees add annot/"$version"
check "DKMS builds it for 6.12 without a warning" builds 6.12
for release in 6.10.11-amd64 6.2.0-39-generic 7.30.1+deb14-amd64; do
	check "DKMS does not build it for $release" refuses $release
done
check "the kernels that were tested are named" matches 6.1.0-56-cloud-amd64 6.1.0-56-rt-amd64 \
	6.12.117+deb12-cloud-amd64 6.12.107+deb13-riscv64 6.12.73-amd64 7.3.4+deb13-cloud-amd64
check "others are not" matches_none 5.10.0-30-amd64 6.0.12-1-amd64 6.11.10-amd64 6.13.1-amd64 \
	6.120.1 7.2.12+deb13-amd64 7.4.1-amd64 7.30.0 8.1.0 16.1.0-1 61.12.0
exit $failed
