#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The crate annot of Rust: names and values of all kinds; what does not compile; that an annotation calls nothing while
# nobody records. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
build=$PWD/${ANNOT_BUILD:-build}
export LD_LIBRARY_PATH=$build/libannot
here=tests/unit/libannot/bindings
# Debian's own, where there are others beside it.
rustc=(/usr/bin/rustc --edition 2021 -D warnings --extern "annot=$work/libannot.rlib")
mkdir "$work/counting"

builds_crate() {
	/usr/bin/rustc --edition 2021 -D warnings "$1" --crate-type rlib --crate-name annot \
		libannot/bindings/rust/src/lib.rs -o "$work/libannot.rlib"
}

builds() {	# NAME DIRECTORY OPTION
	"${rustc[@]}" "$3" -L "$2" "$here/$1.rs" -o "$work/$1"
}

long=$(printf 'é%.0s' {1..127})
expected="B|macro
B|macro|-9223372036854775808
B|macro|wait
B|macro|wait|1
E
E
E
E
B|function
B|function|9223372036854775807
B|function|wait
B|function|wait|-1
E
E
E
E
I|mark
I|mark|2
I|mark
I|mark|3
C|counter|0
C|counter|-1
I|@object_bytes|64
I|@object grid|4096
I|@object_bytes|1
I|@object ${long%????}|4096
I|@object_end|4096
I|$long
I|?
I|?
I|cut
I|cut
I|generic|0
I|generic|0
B|moved
E"

annotates() { diff <(echo "$expected") <($here/annotated "$1" "$work/names"); }	# BACKEND

builds_counting() {
	"${CC:-cc}" -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -shared -Iinclude "$here/counting.c" -Wl,-soname,libannot.so.0 \
		-o "$work/counting/libannot.so.0" && ln -s libannot.so.0 "$work/counting/libannot.so"
}

# 250 times a begin, an end, a mark and a counter.
calls_only_if_wanted() {
	diff <(printf '%s\n' 'off 0' 'rests 0' 'rests no longer 1000' 'on 1000') \
		<(LD_LIBRARY_PATH=$work/counting "$work/rest")
}

refuses() {	# ERROR STATEMENT
	printf 'fn main() { let name = String::from("x"); %s; drop(name); }\n' "$2" >"$work/wrong.rs"
	if "${rustc[@]}" -L "$build/libannot" "$work/wrong.rs" -o "$work/wrong" 2>"$work/errors"; then
		echo "it compiles"
		return 1
	fi
	grep -qF -- "$1" "$work/errors" || { cat "$work/errors"; return 1; }
}

for option in -Cdebuginfo=0 -O; do
	check "the crate is built, $option" builds_crate $option
	check "names and values are built, $option" builds names "$build/libannot" $option
	check "names and values, $option" annotates marker
	check "names and values in a ring, $option" annotates raw
done
check "a library that counts" builds_counting
check "a program that is to rest" builds rest "$work/counting" -O
check "while nobody records, the library is not called" calls_only_if_wanted
check "a span stays in its thread" refuses "cannot be sent between threads safely" \
	'let span = annot::span!("x"); std::thread::spawn(move || drop(span))'
check "a span is kept" refuses "unused" 'annot::span!("x")'
check "a macro takes a literal" refuses "no rules expected" 'let _span = annot::span!(&name)'
exit $failed
