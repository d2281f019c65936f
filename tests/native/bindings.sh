#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# The library in other languages, as it is installed: the example of each is built, run while nobody records, and
# recorded; what is recorded is what it does (bindings/*.truth). TAP.
set -uo pipefail

cd "$(dirname "$0")/../.." || exit
if [ "$(id -u)" -ne 0 ]; then
	echo "1..0 # SKIP only root may trace"
	exit
fi
if [ -z "${ANNOT_TEST_TRACEFS-}" ]; then
	ANNOT_TEST_TRACEFS=1 exec tests/native/with-tracefs tests/native/bindings.sh
fi

unset ANNOT_BACKEND ANNOT_BATCHES ANNOT_TRACEFS ANNOT_DEBUG
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
root=$work/root here=$PWD

# Under auto a loaded module would be preferred; here it is to be without.
text=auto batches=auto
[ ! -e /dev/annot ] || text=marker batches=raw

installs() { make -s install-libannot install-bindings DESTDIR="$root" PREFIX=/usr; }
check "make install-libannot install-bindings" installs

export PKG_CONFIG_PATH=$root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
export LD_LIBRARY_PATH=$root/usr/lib PYTHONPATH=$root/usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1
read -ra cflags < <(pkg-config --cflags annot)
read -ra libs < <(pkg-config --libs annot)
# Whether pkg-config puts the root before a variable, too, depends on its version.
bindings=$root$(PKG_CONFIG_SYSROOT_DIR='' pkg-config --variable=bindings annot)
cd "$work" || exit

build_cxx() {
	"${CXX:-c++}" -std=c++17 -O2 -Wall -Wextra -Werror "${cflags[@]}" "$bindings/cxx/example.cc" "${libs[@]}" -pthread \
		-o example-cxx
}

build_fortran() {
	"${FC:-gfortran}" -O2 -Wall -Wextra -Werror -fopenmp "${cflags[@]}" "$bindings"/fortran/{annot.f90,annot_fortran.c,example.f90} \
		"${libs[@]}" -o example-fortran
}

# Debian's own, where there are others beside it.
rustc=/usr/bin/rustc cargo=/usr/bin/cargo

build_rust() {
	"$rustc" --edition 2021 -O -D warnings --crate-type rlib --crate-name annot "$bindings/rust/src/lib.rs" &&
		"$rustc" --edition 2021 -O -D warnings --extern annot=libannot.rlib "${libs[0]}" \
			"$bindings/rust/examples/example.rs" -o example-rust
}

build_by_cargo() {
	cp -r "$bindings/rust" crate
	CARGO_HOME=$work/cargo RUSTC=$rustc RUSTFLAGS=${libs[0]} "$cargo" build --quiet --offline --example example \
		--manifest-path crate/Cargo.toml && crate/target/debug/examples/example
}

build_python() { ln -s "$bindings/python/examples/example.py" example-python; }

runs_without_recording() {	# COMMAND...
	[ "$("$@")" = "not recorded" ]
}

records() {	# BACKEND NAME [OPTION...]: and the program says so
	ANNOT_BACKEND=$1 "$here/build/annot" record -q "${@:3}" -o "$2.dat" -- "${command[@]}" >out &&
		grep -qx recorded out
}

is_as_recorded() {	# NAME COMMAND...
	local name=$1
	command=("${@:2}")
	rm -f ./*.dat
	check "$name: it runs while nobody records" runs_without_recording "${command[@]}"
	check "$name: it is recorded by annot record --readable" records $text readable --readable
	check "$name: and by annot record" records $batches batches
	ANNOT=$here/build/annot "$here/tests/native/check-bindings" "$name" "$here/tests/native/bindings/$name.truth" \
		readable.dat batches.dat || fail "$name: could be checked"
}

for language in cxx fortran rust python; do
	check "$language: the example is built" build_$language
done
is_as_recorded cxx ./example-cxx
is_as_recorded fortran ./example-fortran
is_as_recorded rust ./example-rust
is_as_recorded python /usr/bin/python3 example-python
# Of Python, all functions of the script, too.
is_as_recorded functions /usr/bin/python3 -m annot --only __main__ example-python
check "rust: cargo builds it, offline" build_by_cargo
exit $failed
