#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: attach
# SLOW
# TIMED
#
# What programs of gcc with OpenMP tell, as they count it themselves; and the same programs of clang. TAP.
# shellcheck disable=SC2154	# record.bash assigns what is not assigned here
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash
unset ANNOT_BATCHES ANNOT_TRACEFS ANNOT_DEBUG
export ANNOT_BACKEND=marker
export OMP_CANCELLATION=true OMP_SCHEDULE=dynamic
programs=$here/tests/native/attach
gomp=$here/build/libannot/attach/gomp.so
ompt=$here/build/libannot/attach/ompt.so

builds() {
	local flags=(-O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE "-I$programs")
	gcc -std=gnu11 "${flags[@]}" -c "$programs/omp_truth.c" -o truth.o
	gcc -std=gnu11 "${flags[@]}" -fopenmp "$programs/omp_all.c" truth.o -o all
	clang -std=gnu11 "${flags[@]}" -fopenmp "$programs/omp_all.c" truth.o -o all_clang
	g++ -std=c++17 "${flags[@]}" -fopenmp "$programs/omp_cxx.cpp" -x none truth.o -o cxx
	gfortran -cpp -O2 -g -Wall -Wno-tabs -Werror -fopenmp "$programs/omp_fortran.f90" truth.o -o fortran
	gcc -std=gnu11 "${flags[@]}" "$programs/gomp_old.c" truth.o -lgomp -o old
	gcc -std=gnu11 "${flags[@]}" -fopenmp "$programs/gomp_ends.c" truth.o -o ends
	gcc -std=gnu11 "${flags[@]}" "$programs/gomp_late.c" truth.o -o late
	# Two copies of libgomp, as packages of Python bring.
	sed 's/libgomp\.so\.1/libgomq.so.1/g' "$(gcc -print-file-name=libgomp.so.1)" >libgomq.so.1
	gcc -std=gnu11 "${flags[@]}" -shared -fPIC -fopenmp "$programs/gomp_plugin.c" -o one.so
	gcc -std=gnu11 "${flags[@]}" -shared -fPIC -fopenmp -c "$programs/gomp_plugin.c" -o other.o
	gcc -shared other.o "$work/libgomq.so.1" -Wl,-rpath,"$work" -o other.so
}

# What it tells is what it counts; it does what it does alone, and exits with 3.
told() {	# COMMAND...
	local status=0
	record 3 -o told.dat -- env LD_PRELOAD="$gomp" "$@"
	grep -v '^did static' out >counted
	"$programs/check-omp" gomp counted told.dat
	"$@" >alone 2>&1 || status=$?
	[ $status -eq 3 ] || echo "alone: exit status $status: $(cat alone)"
	diff <(grep ^sum alone) <(grep ^sum out)
	[ "$(grep -c ^sum out)" -ge 1 ] || echo "it did not come to its end: $(tail -n 3 out)"
}

# libomp makes a call for static loops, but tells neither chunks nor the names of critical sections.
told_by_clang() {	# KERNEL THREADS
	record 3 -o told.dat -- env OMP_TOOL_LIBRARIES="$ompt" ./all_clang "$@"
	sed 's/^did static/did for/' out >counted
	"$programs/check-omp" ompt counted told.dat parallel for sections single task team wait:taskwait
}

# ... and has other tasks where a task is untied, or cannot be told because the place is in the runtime.
both_runtimes() {
	local kernel
	for kernel in loops static ordered sections singles nested criticals locks cancellation; do
		told_by_clang $kernel 4
	done
}

# The other front tells of libomp, also where gcc's code calls it, or what is preloaded comes with both.
one_tells() {
	record 3 -o told.dat -- env OMP_TOOL_LIBRARIES="$ompt" LD_PRELOAD="$gomp" ./all_clang locks 4
	! report told.dat | grep -E 'print: .*@team_gomp' || echo "told twice"
	record 3 -o told.dat -- env OMP_TOOL_LIBRARIES="$ompt" LD_PRELOAD="$gomp:/usr/lib/llvm-14/lib/libgomp.so" \
		./all regions 4
	! report told.dat | grep -E 'print: .*@team_gomp' || echo "told twice"
	report told.dat | grep -qE 'print: .*@team_ompt' || echo "not told: $(cat err)"
}

all_threads() {
	local threads policy
	for threads in 2 4 8; do
		for policy in active passive; do
			OMP_WAIT_POLICY=$policy told ./all all $threads 2>&1 | sed "s/^/$threads threads, $policy: /"
			report told.dat | grep -qE 'print: .*I\|[0-9]*\|@dispatch_ns\|[0-9]' || echo "no time for chunks"
		done
	done
}

two_copies() {
	told ./late stay ./one.so ./other.so ./one.so
	# Where the first one was, the other is loaded then.
	record 3 -o told.dat -- env LD_PRELOAD="$gomp" ./late close ./one.so ./other.so ./one.so
	[ "$(grep -c '^sum 260$' out)" -eq 3 ] || echo "not each plugin ran: $(cat out err)"
}

without_recording() {	# WANTED COMMAND...
	local wanted=$1 status=0
	shift
	LD_PRELOAD=$gomp timeout 60 "$@" >out 2>err || status=$?
	[ $status -eq "$wanted" ] || echo "$*: exit status $status: $(cat err)"
	[ ! -s err ] || echo "$*: said $(cat err)"
}

does_the_same() {
	without_recording 3 ./all all 4
	without_recording 3 ./cxx 4
	without_recording 3 ./late close ./one.so ./other.so ./one.so
	without_recording 4 ./ends exit
	without_recording 3 ./ends fork
	without_recording 3 ./ends exec
}

ends() {
	record 4 -o told.dat -- env LD_PRELOAD="$gomp" ./ends exit
	record 3 -o told.dat -- env LD_PRELOAD="$gomp" ./ends fork
	[ "$(report told.dat | grep -c 'print: .*I|[0-9]*|@team_gomp')" -eq 4 ] || echo "not 4 regions after forks"
	record 3 -o told.dat -- env LD_PRELOAD="$gomp" ./ends exec
}

# A recording that begins and ends while regions run. Of what began just before, at most the ends of 4 threads' 3
# spans are told: a begin may be dropped because nothing records yet.
meanwhile() {
	local pid status=0
	env LD_PRELOAD="$gomp" ./ends loop 5 >loop 2>&1 &
	pid=$!
	sleep 0.5
	record 0 -o told.dat --duration 0.5
	wait $pid || status=$?
	[ $status -eq 3 ] || echo "exit status $status: $(cat loop)"
	report told.dat | awk '
		/print: .*B\|[0-9]*\|barrier @team_gomp/ { team[$1] = 1; next }
		/print: .*B\|/ { depth[$1]++; begins++; team[$1] = 0 }
		/print: .*E\|/ { if (--depth[$1] < 0) { depth[$1] = 0; wrong++ } }
		END {
			if (begins < 1000) print begins + 0 " spans"
			if (wrong > 12) print wrong " ends of nothing"
		}'
}

graphicsmagick() {
	local operations=(-blur 0x3 -resize 50% -rotate 10)
	gm convert -size 600x400 plasma:red-blue in.ppm || return
	gm convert in.ppm "${operations[@]}" alone.ppm || return
	record 0 -o told.dat -- env LD_PRELOAD="$gomp" OMP_NUM_THREADS=4 gm convert in.ppm "${operations[@]}" told.ppm
	cmp alone.ppm told.ppm
	[ "$(report told.dat | grep -cE 'print: .*I\|[0-9]*\|@team_gomp')" -ge 5 ] || echo "fewer than 5 regions"
}

check "programs of gcc, g++, gfortran and clang" builds
check_afresh "all of OpenMP in C, with 2 to 8 threads, active and passive" all_threads
check_afresh "C++: copies of tasks' data, exceptions" told ./cxx 4
check_afresh "Fortran" told ./fortran
check_afresh "code of gcc before 4.9" told ./old
check_afresh "two copies of libgomp that are loaded late" two_copies
check_afresh "the same source by clang tells the same" both_runtimes
check_afresh "what libomp does is told once" one_tells
check_afresh "without a recording, nothing but the program" does_the_same
check_afresh "exit() in a region, fork(), exec()" ends
check_afresh "a recording that begins and ends meanwhile" meanwhile
check_afresh "GraphicsMagick" graphicsmagick
exit $failed
