#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# What annot attach finds in programs that are built here, and the environment it makes of that. Stand-ins take
# the place of the fronts. TAP.
# shellcheck disable=SC2016,SC2317	# $ORIGIN is for the loader; checks are called by name
set -u	# no pipefail: grep -q ends before who writes to it does

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT-$PWD/build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
chmod 755 "$work"
cd "$work" || exit
unset LD_PRELOAD LD_LIBRARY_PATH OMP_TOOL OMP_TOOL_LIBRARIES INTEL_LIBITTNOTIFY64 NVTX_INJECTION64_PATH \
	KOKKOS_TOOLS_LIBS KOKKOS_PROFILE_LIBRARY
export ANNOT_ATTACH_DIR=$work/fronts
CC=${CC:-cc}

fronts="ompt gomp itt nvtx kokkos mpi-openmpi mpi-mpich pthread likwid scorep heap"

make_fronts() {	# DIRECTORY
	local front
	mkdir "$1"
	echo 'int stand_in;' >stand_in.c
	for front in $fronts; do
		$CC -shared -fPIC -o "$1/$front.so" stand_in.c || return
	done
}

# A library NAME, with FLAGs; it defines a function of each WORD.
make_library() {	# NAME "WORD..." FLAG...
	local name=$1 words=$2 word
	shift 2
	for word in $words; do
		echo "void $word(void); void $word(void) { }"
	done >library.c
	$CC -shared -fPIC -Wl,-soname,"${name##*/}" -o "$name" library.c -Wl,--no-as-needed "$@"
}

# A program NAME, with FLAGs, that calls each WORD.
make_program() {	# NAME "WORD..." FLAG...
	local name=$1 words=$2 word
	shift 2
	{
		for word in $words; do
			echo "void $word(void);"
		done
		echo 'int main(int argc, char **argv) { (void)argv; if (argc > 99) {'
		for word in $words; do
			echo "$word();"
		done
		echo '} return 0; }'
	} >program.c
	$CC -o "$name" program.c -Wl,--no-as-needed "$@"
}

make_openmp() {	# NAME COMPILER FLAG...
	local name=$1
	shift
	printf 'int main(void)\n{\n#pragma omp parallel\n\t{ }\n\treturn 3;\n}\n' >openmp.c
	"$@" -o "$name" openmp.c
}

# "FRONT=WORD" for each front that is not "no", in a line.
attached() {	# COMMAND...
	"$annot" attach --list "$@" | awk 'NR > 1 && $3 != "no" { printf "%s%s=%s", sep, $2, $3; sep = " " }'
}

is_attached() {	# "FRONT=WORD..." COMMAND...
	local wanted=$1 found
	shift
	found=$(attached "$@")
	[ "$found" = "$wanted" ] || echo "$*: '$found', not '$wanted'"
}

# Why FRONT is as it is has TEXT in it.
says() {	# FRONT TEXT COMMAND...
	local front=$1 text=$2
	shift 2
	"$annot" attach --list "$@" | awk -v front="$front" '$2 == front' >line
	grep -qF -- "$text" line || echo "$*: $front: no '$text': $(cat line)"
}

# Nothing can be loaded, for a reason with TEXT in it: --list says so, --env in one line.
refuses() {	# TEXT COMMAND...
	local text=$1 status=0
	shift
	is_attached "" "$@"
	says gomp "$text" "$@"
	"$annot" attach --env "$@" >out 2>err || status=$?
	[ $status -eq 1 ] || echo "--env $*: exit status $status"
	[ ! -s out ] || echo "--env $*: $(cat out)"
	[ "$(wc -l <err)" -eq 1 ] || echo "--env $*: not one line: $(cat err)"
	grep -qF -- "$text" err || echo "--env $*: no '$text': $(cat err)"
}

builds() {
	make_fronts fronts &&
	make_openmp gcc-openmp "$CC" -fopenmp &&
	make_openmp static-openmp "$CC" -fopenmp -static 2>/dev/null && # it warns of dlopen()
	make_openmp static-pie "$CC" -static-pie &&
	make_program plain ""
}

openmp() {
	is_attached "gomp=yes" ./gcc-openmp
	says gomp "gcc-openmp needs libgomp.so.1" ./gcc-openmp
	says ompt "no sign of it" ./gcc-openmp
	is_attached "" ./plain
}

openmp_of_clang() {
	make_openmp clang-openmp clang -fopenmp || return
	is_attached "ompt=yes" ./clang-openmp
	says ompt "needs libomp.so.5" ./clang-openmp
	says itt "no sign of it" ./clang-openmp
	# libomp answers what gcc's code calls: it comes first.
	LD_PRELOAD=$(ldd clang-openmp | awk '/libomp/ { print $3 }') is_attached "ompt=yes" ./gcc-openmp
	OMP_TOOL=disabled says ompt "OMP_TOOL=disabled" ./clang-openmp
	OMP_TOOL=disabled is_attached "" ./clang-openmp
}

static_programs() {
	refuses "./static-openmp is statically linked" ./static-openmp
	refuses "./static-pie is statically linked" ./static-pie
}

# The program's user is another than who runs it.
privileged() {
	local program=$work/setuid
	cp gcc-openmp setuid
	cp gcc-openmp setgid
	if [ "$(id -u)" -eq 0 ]; then
		chown 65534 setuid && chmod u+s setuid
		chgrp 65534 setgid && chmod g+s setgid
		refuses "gains privileges" ./setgid
	else
		program=$(command -v su)
	fi
	refuses "gains privileges" "$program"
	cp gcc-openmp own
	chmod u+s,g+s own
	is_attached "gomp=yes" ./own
}

unusual_files() {
	local status=0
	cp gcc-openmp no-x
	chmod a-x no-x
	"$annot" attach --list ./no-x >out 2>err || status=$?
	[ $status -eq 1 ] || echo "no-x: exit status $status"
	[ ! -s out ] || cat out
	[ "$(cat err)" = "annot: attach: ./no-x: Permission denied" ] || cat err
	status=0
	"$annot" attach --list ./nothing >out 2>err || status=$?
	[ $status -eq 1 ] || echo "nothing: exit status $status"
	[ "$(cat err)" = "annot: attach: ./nothing: command not found" ] || cat err
	printf '\0\0%s' "$(printf '%0300d' 0)" >zeros
	chmod +x zeros
	refuses "./zeros is neither an ELF file nor a script" ./zeros
	mkfifo fifo
	chmod +x fifo
	status=0
	timeout 10 "$annot" attach --list ./fifo >out 2>err || status=$?
	[ $status -eq 1 ] || echo "fifo: exit status $status"
}

script() {	# NAME LINE...
	printf '%s\n' "${@:2}" >"$1"
	chmod +x "$1"
}

scripts() {
	local later="ompt=maybe itt=maybe nvtx=maybe kokkos=maybe"
	script by-program "#!$work/gcc-openmp"
	is_attached "gomp=yes" ./by-program
	script by-script "#!$work/by-program -x"
	is_attached "gomp=yes" ./by-script
	script by-env "#!/usr/bin/env -S A=1 gcc-openmp -x"
	PATH=$work:$PATH is_attached "gomp=yes" ./by-env
	script by-sh "#!/bin/sh" "exit 0"
	is_attached "$later" ./by-sh
	script by-nobody "exit 0"
	is_attached "$later" ./by-nobody
	says gomp "only on demand" ./by-sh
	script by-static "#!$work/static-openmp"
	refuses "$work/static-openmp is statically linked" ./by-static
	script by-nothing "#!$work/nothing"
	refuses "$work/nothing cannot be read: No such file" ./by-nothing
	script by-itself "#!$work/by-itself"
	refuses "neither an ELF file nor a script" ./by-itself
	# What is asked for is loaded, with a word where there is no sign of it.
	"$annot" attach --env=openmp ./by-sh >out 2>err
	grep -q "^export LD_PRELOAD='$work/fronts/gomp.so'$" out || cat out
	[ ! -s err ] || cat err
	"$annot" attach --env=openmp ./plain 2>err >out
	grep -q "openmp: no sign of it in ./plain: it is attached all the same" err || cat err
	[ "$(wc -l <out)" -eq 2 ] || cat out
}

launchers() {
	is_attached "ompt=maybe gomp=yes itt=maybe nvtx=maybe kokkos=maybe" env A=1 ./gcc-openmp 3
	is_attached "ompt=maybe itt=maybe nvtx=maybe kokkos=maybe" env ./nothing
}

# Byte OFFSET becomes VALUE, in octal.
patched() {	# NAME OFFSET VALUE
	cp gcc-openmp "$1"
	# shellcheck disable=SC2059	# it is an escape sequence
	printf "\\$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

other_machines() {
	patched narrow 4 1
	refuses "./narrow is a program of 32 bits" ./narrow
	patched big-endian 5 2
	refuses "./big-endian is for another architecture" ./big-endian
	patched core 16 4
	refuses "./core is no program" ./core
	echo 'int main(void) { return 0; }' >empty.c
	aarch64-linux-gnu-gcc -o aarch64 empty.c || return
	if [ "$(uname -m)" = aarch64 ]; then
		is_attached "" ./aarch64
	else
		refuses "./aarch64 is for another architecture" ./aarch64
	fi
	$CC -Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1 -o musl empty.c
	refuses "another C library, by its loader /lib/ld-musl-x86_64.so.1" ./musl
}

damaged() {
	local length
	for length in 64 65 800 1000 2000; do
		head -c "$length" gcc-openmp >"$work/cut"
		chmod +x "$work/cut"
		refuses "./cut is a damaged ELF file" ./cut
	done
}

# Name and path of each library, as annot finds them, and as the loader does.
by_annot() {
	"$annot" attach --list --json "$@" | python3 -c '
import json, os, sys
for program in json.load(sys.stdin)["programs"]:
    for library in program["libraries"]:
        path = library["path"]
        print(library["name"], os.path.realpath(path) if path else "not found")' | sort
}

by_loader() {
	LD_TRACE_LOADED_OBJECTS=1 "$1" | sed -nE 's/^\t(.* => )?(.*) \(0x.*/\1\2/p; s/^\t(.*) => not found/\1 not found/p' |
		while read -r name arrow path; do
			case $name in linux-vdso* | linux-gate*) continue ;; esac
			[ "$arrow" = "=>" ] || { [ "$arrow" = not ] && echo "$name not found" && continue; path=$name; }
			echo "$(basename "$name") $(realpath "$path")"
		done | sort
}

same_as_loader() {	# PROGRAM
	diff <(by_annot "$1") <(by_loader "$1") | sed "s|^|$1: |"
}

# Programs that need libmid.so, which needs libmpi.so.40 and libdeep.so.
makes_libraries() {
	mkdir -p lib/deep other
	make_library lib/deep/libmpi.so.40 MPI_Init &&
	make_library lib/deep/libdeep.so deep &&
	make_library other/libmpi.so.40 MPI_Init &&
	make_library other/libdeep.so deep &&
	make_library lib/libmid.so mid lib/deep/lib*.so* -Wl,-rpath,'$ORIGIN/deep',--enable-new-dtags &&
	make_program by-runpath mid lib/libmid.so -Wl,-rpath,'${ORIGIN}/lib:$ORIGIN/other',--enable-new-dtags &&
	make_program by-rpath mid lib/libmid.so -Wl,-rpath,'$ORIGIN/lib:$ORIGIN/other',--disable-new-dtags &&
	make_program by-path mid lib/libmid.so -Wl,--allow-shlib-undefined
}

# Annot and the loader find LIBRARY of PROGRAM at PATH.
finds() {	# PROGRAM LIBRARY PATH
	same_as_loader "$1"
	by_annot "$1" | grep -qx "$2 $3" || echo "$1: $2 is not $3: $(by_annot "$1")"
}

loader_paths() {
	local libraries program
	makes_libraries || return
	is_attached "mpi-openmpi=yes" ./by-runpath
	says mpi-openmpi "libmid.so needs libmpi.so.40" ./by-runpath
	for libraries in "" "$work/other" "$work/lib:$work/other" "$work/nothing:$work/lib:$work/lib/deep"; do
		for program in by-runpath by-rpath by-path; do
			LD_LIBRARY_PATH=$libraries same_as_loader ./$program
		done
	done
	finds ./by-runpath libdeep.so "$work/lib/deep/libdeep.so"
	LD_LIBRARY_PATH=$work/other finds ./by-runpath libdeep.so "$work/other/libdeep.so"
	finds ./by-path libmid.so "not found"
	# $ORIGIN is where a link is, not what it links to.
	mkdir linked
	mv lib/libmid.so linked/
	ln -s ../linked/libmid.so lib/libmid.so
	mkdir linked/deep
	cp other/libdeep.so linked/deep/
	finds ./by-runpath libdeep.so "$work/lib/deep/libdeep.so"
	rm lib/libmid.so
	# Without a RUNPATH of its own, the library has the program's RPATH, and not its RUNPATH.
	make_library lib/libmid.so mid lib/deep/lib*.so*
	finds ./by-rpath libdeep.so "$work/other/libdeep.so"
	LD_LIBRARY_PATH=$work/lib/deep finds ./by-rpath libdeep.so "$work/other/libdeep.so"
	finds ./by-runpath libdeep.so "not found"
	says mpi-openmpi "libmid.so needs libmpi.so.40" ./by-runpath
	same_as_loader ./gcc-openmp
	same_as_loader "$annot"
}

missing_library() {
	make_library libuser.so SCOREP_User_RegionBegin
	make_program user "SCOREP_User_RegionBegin" libuser.so
	rm libuser.so
	same_as_loader ./user
	is_attached "scorep=yes" ./user
	says scorep "user calls SCOREP_User_RegionBegin" ./user
}

mpi() {
	make_library libmpich.so.12 MPI_Init && make_program mpich MPI_Init libmpich.so.12 -Wl,-rpath,"$work" || return
	is_attached "mpi-mpich=yes" ./mpich
	make_library libmpi.so.12 MPI_Init && make_program intel MPI_Init libmpi.so.12 -Wl,-rpath,"$work" || return
	is_attached "mpi-mpich=yes" ./intel
	make_library libmpi.so.20 MPI_Init && make_program old MPI_Init libmpi.so.20 -Wl,-rpath,"$work" || return
	is_attached "" ./old
	"$annot" attach --env=mpi >out 2>err
	grep -q "which MPI it uses is not known" err || cat err
	[ ! -s out ] || cat out
}

texts() {
	local text
	for text in INTEL_LIBITTNOTIFY64:itt NVTX_INJECTION64_PATH:nvtx KOKKOS_TOOLS_LIBS:kokkos \
		KOKKOS_PROFILE_LIBRARY:kokkos-old; do
		echo "const char *text(void); const char *text(void) { return \"${text%:*}\"; } int main(void) { return 0; }" >text.c
		$CC -o text text.c
		is_attached "${text#*:}=yes" ./text
		says "${text#*:}" "text looks for ${text%:*}" ./text
	done
	echo 'const char *texts[] = { "KOKKOS_TOOLS_LIBS", "KOKKOS_PROFILE_LIBRARY" }; int main(void) { return 0; }' >text.c
	$CC -o text text.c
	is_attached "kokkos=yes" ./text
	make_library liblikwid.so.5 likwid_markerStartRegion && make_program likwid "" liblikwid.so.5 -Wl,-rpath,"$work"
	is_attached "likwid=yes" ./likwid
}

# Nearly every program allocates: it is not asked for by that.
allocations() {
	make_program allocates "malloc free" -fno-builtin
	is_attached "" ./allocates
	says heap "only on demand" ./allocates
	"$annot" attach --env=heap ./allocates | grep -qx "export LD_PRELOAD='$work/fronts/heap.so'" || echo "not on demand"
}

threads() {
	make_program pthread "pthread_create pthread_join" -fno-builtin -pthread
	is_attached "pthread=yes" ./pthread
	make_program both "pthread_create" -fno-builtin -fopenmp
	is_attached "gomp=yes" ./both
	says pthread "only on demand" ./both
	"$annot" attach --env=pthread ./both | grep -qx "export LD_PRELOAD='$work/fronts/pthread.so'" || echo "not on demand"
	echo '#include <thread>
int main() { std::thread([]{}).join(); }' >cpp.cc
	${CXX:-c++} -o cpp cpp.cc && is_attached "pthread=yes" ./cpp
	echo '#include <iostream>
int main() { std::cout << "no thread\n"; }' >cpp.cc
	${CXX:-c++} -o cpp cpp.cc && is_attached "" ./cpp
	# A library that comes with the program is looked into, one of the system is not.
	printf 'int pthread_barrier_wait(void *); int wait_all(void); int wait_all(void) { return pthread_barrier_wait(0); }' >wait.c
	$CC -w -shared -fPIC -o libwait.so wait.c
	make_program waits "" ./libwait.so
	is_attached "pthread=yes" ./waits
}

sanitizer() {
	make_openmp sanitized "$CC" -fopenmp -fsanitize=address || return
	is_attached "" ./sanitized
	says gomp "libasan.so" ./sanitized
	"$annot" attach --env ./sanitized 2>err
	grep -q "must be loaded first: nothing can be preloaded" err || cat err
}

# Prints what the variables hold that --env sets, after those that are given.
evaluated() {	# "NAME=VALUE..." ARGUMENT...
	local before=$1 commands
	shift
	# shellcheck disable=SC2086	# a list
	commands=$(env $before "$annot" attach "$@")
	# shellcheck disable=SC2086
	env -i $before sh -c "$commands
$commands
env" | grep -v '^\(PWD\|_\|SHLVL\)=' | sort
}

# Where the library is beside the fronts' directory, it is loaded before them.
library_first() {
	mkdir tree && cp -r fronts tree/fronts && cp tree/fronts/itt.so tree/libannot.so.0
	local library=$work/tree/libannot.so.0 dir=$work/tree/fronts
	export ANNOT_ATTACH_DIR=$dir
	"$annot" attach --env=pthread ./both | grep -qx "export LD_PRELOAD='$library:$dir/pthread.so'" || echo "not before it"
	"$annot" attach --env ./clang-openmp >out
	grep -qx "export LD_PRELOAD='$library'" out || echo "not beside a tool of OpenMP"
	"$annot" attach --env ./sanitized 2>/dev/null | grep LD_PRELOAD
	"$annot" attach --env python3 2>/dev/null | grep LD_PRELOAD
	chmod o+w tree/libannot.so.0
	"$annot" attach --env ./clang-openmp | grep LD_PRELOAD
	export ANNOT_ATTACH_DIR=$work/fronts
}

merges() {
	local dir=$work/fronts
	diff <(evaluated "" --env=openmp) <(printf '%s\n' "LD_PRELOAD=$dir/gomp.so" "OMP_TOOL_LIBRARIES=$dir/ompt.so")
	diff <(evaluated "LD_PRELOAD=/no/a.so:/no/b.so OMP_TOOL_LIBRARIES=/t.so:/u.so" --env=openmp,pthread 2>&1 |
		grep -v '^ERROR: ld.so') - <<-END
		ANNOT_ATTACH_NEXT_OMPT=/t.so:/u.so
		LD_PRELOAD=$dir/gomp.so:$dir/pthread.so:/no/a.so:/no/b.so
		OMP_TOOL_LIBRARIES=$dir/ompt.so:/t.so:/u.so
	END
	diff <(evaluated "INTEL_LIBITTNOTIFY64=/i.so NVTX_INJECTION64_PATH=/n.so" --env=itt,nvtx) - <<-END
		ANNOT_ATTACH_NEXT_ITT=/i.so
		ANNOT_ATTACH_NEXT_NVTX=/n.so
		INTEL_LIBITTNOTIFY64=$dir/itt.so
		NVTX_INJECTION64_PATH=$dir/nvtx.so
	END
	diff <(evaluated "KOKKOS_PROFILE_LIBRARY=/k.so;/l.so" --env=kokkos) - <<-END
		ANNOT_ATTACH_NEXT_KOKKOS=/k.so;/l.so
		KOKKOS_PROFILE_LIBRARY=$dir/kokkos.so;/k.so;/l.so
		KOKKOS_TOOLS_LIBS=$dir/kokkos.so;/k.so;/l.so
	END
}

# What has been evaluated already changes nothing, and chains no front to itself.
merges_again() {
	(
		export LD_PRELOAD=$work/fronts/gomp.so OMP_TOOL_LIBRARIES=$work/fronts/ompt.so:/t.so \
			INTEL_LIBITTNOTIFY64=$work/fronts/itt.so ANNOT_ATTACH_NEXT_ITT=/i.so
		"$annot" attach --env=openmp,itt
	) | diff - <(cat <<-END
		export LD_PRELOAD='$work/fronts/gomp.so'
		export ANNOT_ATTACH_NEXT_OMPT='/t.so'
		export OMP_TOOL_LIBRARIES='$work/fronts/ompt.so:/t.so'
		export INTEL_LIBITTNOTIFY64='$work/fronts/itt.so'
	END
	)
}

quotes() {
	local dir="$work/it's \$HOME;\`x\`"
	dir=${dir// /}
	dir=${dir//;/}
	make_fronts "$dir"
	export ANNOT_ATTACH_DIR=$dir
	(
		eval "$("$annot" attach --env=itt)"
		[ "$INTEL_LIBITTNOTIFY64" = "$dir/itt.so" ] || echo "'$INTEL_LIBITTNOTIFY64', not '$dir/itt.so'"
	)
	mkdir "$work/a blank"
	export ANNOT_ATTACH_DIR="$work/a blank"
	refuses "a path with a blank" ./gcc-openmp
	export ANNOT_ATTACH_DIR=$work/fronts
}

incomplete() {
	rm fronts/gomp.so
	refuses "$work/fronts/gomp.so is not installed" ./gcc-openmp
	make_library libhere.so "" && $CC -shared -fPIC -o fronts/gomp.so stand_in.c -Wl,--no-as-needed libhere.so
	rm libhere.so
	refuses "$work/fronts/gomp.so needs libhere.so, which is not found" ./gcc-openmp
	"$annot" attach --list | grep -q '^openmp *gomp *LD_PRELOAD .* needs libhere.so' || "$annot" attach --list
	head -c 100 fronts/itt.so >fronts/gomp.so
	refuses "$work/fronts/gomp.so cannot be loaded" ./gcc-openmp
	cp fronts/itt.so fronts/gomp.so
	ANNOT_ATTACH_DIR=$work/nothing refuses "ANNOT_ATTACH_DIR: $work/nothing is no directory" ./gcc-openmp
}

# By root.
trusts_root_only() {
	is_attached "gomp=yes" ./gcc-openmp
	chmod o+w fronts
	refuses "$work/fronts: others than root can change it" ./gcc-openmp
	chmod o-w fronts
	chown 65534 fronts
	refuses "$work/fronts: others than root can change it" ./gcc-openmp
	chown 0 fronts
	chmod o+w fronts/gomp.so
	refuses "$work/fronts/gomp.so: others than root can change it" ./gcc-openmp
	chmod o-w fronts/gomp.so
	chmod o+w .
	refuses "others than root can change it" ./gcc-openmp
	chmod o-w .
	# Of a group, others are members.
	chgrp 65534 fronts
	is_attached "gomp=yes" ./gcc-openmp
	chmod g+w fronts
	refuses "$work/fronts: others than root can change it" ./gcc-openmp
	chgrp 0 fronts
	is_attached "gomp=yes" ./gcc-openmp
	chmod g-w fronts
	# What belongs to who owns annot is no more dangerous than annot is.
	cp "$annot" annot-of-nobody
	chown 65534 annot-of-nobody fronts
	annot=$work/annot-of-nobody is_attached "gomp=yes" ./gcc-openmp
	chown 0 fronts
}

obeys_nobody() {
	cp "$annot" setuid-annot
	chown 65534 setuid-annot
	chmod u+s setuid-annot
	./setuid-annot attach --list --json ./gcc-openmp >out
	grep -q '"directory"' out || echo "setuid-annot: $(cat out)"
	grep "$ANNOT_ATTACH_DIR" out || true
}

installed() {
	diff <("$annot" attach --list | awk 'NR > 1 { print $2, $4 }') <(
		for front in $fronts; do
			echo "$front yes"
			[ "$front" != kokkos ] || echo "kokkos-old yes"
		done)
	"$annot" attach --list --json | python3 -c '
import json, sys
fronts = json.load(sys.stdin)["fronts"]
assert len(fronts) == 12 and not any(front["obstacle"] for front in fronts), fronts'
}

usage() {
	local status words
	while read -r words; do
		status=0
		# shellcheck disable=SC2086	# words
		"$annot" attach $words >out 2>err || status=$?
		[ $status -eq 2 ] || echo "$words: exit status $status"
		[ ! -s out ] || cat out
		[ "$(wc -l <err)" -eq 1 ] || cat err
	done <<-END

		--list --env ./plain
		--json --env ./plain
		--env
		--env=
		--env=openmp,,mpi ./plain
		--env=opnmp ./plain
	END
}

check "stand-ins, and programs" builds
check "what the program links decides which OpenMP it has" openmp
check "libomp takes tools, and answers for libgomp if it is first" openmp_of_clang
check "statically linked programs" static_programs
check "programs that gain privileges" privileged
check "files that do not run" unusual_files
check "scripts are what runs them" scripts
check "programs among the arguments" launchers
check "programs for other machines" other_machines
check "damaged ELF files" damaged
check "libraries are found where the loader finds them" loader_paths
check "a library that is missing" missing_library
check "which MPI it is" mpi
check "strings of those that are linked statically" texts
check "threads without a runtime" threads
check "allocations only on demand" allocations
check "AddressSanitizer comes first" sanitizer
check "the library comes before the fronts" library_first
check "what was loaded before is loaded still" merges
check "what is evaluated twice" merges_again
check "sh gets quotes" quotes
check "an incomplete installation" incomplete
if [ "$(id -u)" -eq 0 ]; then
	check "root loads what root alone can change" trusts_root_only
	check "with privileges gained, no environment is obeyed" obeys_nobody
else
	skip "root loads what root alone can change" "not root"
	skip "with privileges gained, no environment is obeyed" "not root"
fi
check "what is installed" installed
check "wrong words" usage
exit $failed
