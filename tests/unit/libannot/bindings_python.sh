#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The package annot of Python: what it makes of its arguments, of tasks and of functions, on Debian's Python and on newer
# ones if there are any; without the library; and what its extension takes for Python's stable ABI. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
build=$PWD/${ANNOT_BUILD:-build}
output_is_failure=true
here=$PWD/tests/unit/libannot/bindings
source=libannot/bindings/python/annot_python.c

mkdir "$work/annot"
cp libannot/bindings/python/annot/*.py "$build"/libannot/bindings/annot/_annot.abi3.so "$work/annot"
export LD_LIBRARY_PATH=$build/libannot PYTHONPATH=$work PYTHONDONTWRITEBYTECODE=1
backend=marker
python=/usr/bin/python3

annotated() { "$here/annotated" $backend "$@"; }	# COMMAND...

annotates() {	# EXPECTED COMMAND...
	diff <(echo "$1") <(annotated "${@:2}")
}

same_functions() {	# PYTHON [stub]
	annotated "$1" "$here/functions.py" "${@:2}" >"$work/printed"
	# First what it says, then what it did.
	[ "$(wc -l <"$work/printed")" -gt 200 ] || cat "$work/printed"
	diff <(head -n $(($(wc -l <"$work/printed") / 2)) "$work/printed") \
		<(tail -n $(($(wc -l <"$work/printed") / 2)) "$work/printed")
}

# In no order: a batch has but 2048 names, and all others are written one by one.
many_names() {
	diff <({ for ((i = 0; i < 5000; i++)); do echo "I|name $i|$i"; done
		printf '%s\n' 'B|name 4999|1' 'B|name 4999|wait' E E 'C|name 4999|2'; } | sort) \
		<(annotated "$python" "$here/package.py" many_names | sort) | head
}

without_library() {
	LD_LIBRARY_PATH='' "$python" -c 'import annot
assert annot.status() == "off: libannot.so.0: cannot open shared object file: No such file or directory", annot.status()
assert not annot.enabled()
annot.mark("mark", 1)
annot.counter("counter", 1)
annot.object("grid", 4096, 64)
annot.object_end(4096)
annot.thread_name("name")
annot.flush()
assert annot.task(lambda: 5)() == 5
with annot.functions(only="annot"), annot.span("span", 1) as span, annot.wait("wait"):
	pass
annot.functions().stop()'
}

without_extension() {
	mkdir -p "$work/bare"
	cp -r "$work/annot" "$work/bare"
	rm "$work/bare/annot/_annot.abi3.so"
	PYTHONPATH=$work/bare "$python" -c 'import annot; assert annot.status() == "off: No module named '"'annot._annot'"'"'
}

module_runs() {
	mkdir -p "$work/package"
	printf '%s\n' 'import sys' 'def f(): return sys.argv[1:]' 'assert f() == ["-m", "x"]' 'sys.exit(7)' >"$work/package/program.py"
	touch "$work/package/__init__.py"
	annotates "$1" "$python" -m annot --only package.program --only __main__ "${@:2}" -m x
}

# It finds what is beside it, not what is beside the link.
link_runs() {
	mkdir -p "$work/bin"
	echo 'import beside' >"$work/package/linked.py"
	echo 'print("found")' >"$work/package/beside.py"
	ln -s ../package/linked.py "$work/bin/link"
	diff <(echo found) <("$python" -m annot "$work/bin/link")
}

compiles() {	# FLAG...
	"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -Iinclude "$@" -fsyntax-only "$source"
}

# With Python's own header, and with what stands in for it.
read -ra own < <("$python" -c 'import sysconfig; print("-DPy_LIMITED_API=0x030a0000 -I" + sysconfig.get_paths()["include"])')
stand_in=(-Ilibannot/bindings/python/stable_abi)

numbers() {	# FLAG...
	{
		echo '#include <Python.h>'
		echo '#include <stddef.h>'
		echo '#include <stdio.h>'
		echo 'int main(void) {'
		while read -r type fields; do
			echo "printf(\"$type %zu\\n\", sizeof($type));"
			for field in $fields; do
				echo "printf(\"$type.$field %zu %zu\\n\", offsetof($type, $field), sizeof((($type *)0)->$field));"
			done
		done <<-END
			PyObject ob_refcnt ob_type
			PyMethodDef ml_name ml_meth ml_flags ml_doc
			PyModuleDef m_base m_name m_doc m_size m_methods m_slots m_traverse m_clear m_free
			PyModuleDef_Base ob_base m_init m_index m_copy
			PyType_Slot slot pfunc
			PyType_Spec name basicsize itemsize flags slots
		END
		for constant in PYTHON_API_VERSION METH_NOARGS METH_O METH_FASTCALL Py_TPFLAGS_DEFAULT \
			Py_TPFLAGS_DISALLOW_INSTANTIATION Py_tp_dealloc Py_tp_doc Py_tp_methods; do
			echo "printf(\"$constant %ld\\n\", (long)($constant));"
		done
		echo '}'
	} >"$work/numbers.c"
	"${CC:-cc}" -std=gnu11 "$@" "$work/numbers.c" -o "$work/numbers" && "$work/numbers"
}

same_numbers() {
	numbers "${own[@]}" >"$work/own" && numbers "${stand_in[@]}" >"$work/stand-in" || return
	[ "$(wc -l <"$work/own")" -eq 41 ] || cat "$work/own"
	diff "$work/own" "$work/stand-in"
}

for backend in raw marker; do
	check "arguments, $backend" annotates 'I|no value
I|ünïcode
I|?
I|?|0
I|largest|9223372036854775807
I|least|-9223372036854775808
I|minus one|-1
I|beyond|5
I|index|12
C|true|1
I|@object_bytes|64
I|@object grid|4096
I|@object_end|4096' "$python" "$here/package.py" arguments
	check "spans, $backend" annotates 'B|kept|1
B|kept|wait
B|kept|1
E
E
E
B|left
E' "$python" "$here/package.py" spans
	check "many names, $backend" many_names
	# Each time that a generator or coroutine goes on is a span; the last, when it is closed.
	check "tasks, $backend" annotates 'B|__main__.plain
E
B|named
E
B|__main__.generates
E
B|__main__.generates
E
B|__main__.generates
I|caught
E
B|__main__.generates
E
B|__main__.generates
E
B|__main__.generates
E
B|awaits
E
B|awaits
E
B|__main__.sleeps
E
B|__main__.sleeps
E' "$python" "$here/package.py" tasks
done
check "functions, by sys.setprofile()" same_functions "$python"
check "functions, by a stub of sys.monitoring" same_functions "$python" stub
for newer in python3.12 python3.13 python3.14; do
	if command -v $newer >/dev/null && $newer -c '' 2>/dev/null; then
		check "functions, by sys.monitoring of $newer" same_functions $newer
	fi
done
check "python3 -m annot SCRIPT" module_runs $'exit status 7\nB|__main__.<module>\nB|__main__.f\nE\nE' \
	"$work/package/program.py"
check "python3 -m annot -m MODULE" module_runs $'exit status 7\nB|__main__.<module>\nB|__main__.f\nE\nE' \
	-m package.program
check "python3 -m annot SCRIPT, of a symbolic link" link_runs
check "without the library, nothing happens" without_library
check "without the extension, neither" without_extension
check "the extension compiles with Python's own header" compiles "${own[@]}"
check "and with what stands in for it" compiles "${stand_in[@]}"
check "numbers and structures are those of Python's own header" same_numbers
exit $failed
