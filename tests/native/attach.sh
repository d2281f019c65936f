#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot record --attach: what it does to a program, with stand-ins that write down who loads them. TAP.
# shellcheck disable=SC2154,SC2317	# record.bash assigns; checks are called by name
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash
CC=${CC:-cc}
unset LD_PRELOAD OMP_TOOL_LIBRARIES INTEL_LIBITTNOTIFY64 NVTX_INJECTION64_PATH KOKKOS_TOOLS_LIBS
export ANNOT_ATTACH_DIR=$work/fronts LOADED=$work/loaded

# A front that appends "FRONT PROGRAM" to the file LOADED.
make_front() {	# NAME
	cat >front.c <<-END
		#define _GNU_SOURCE
		#include <errno.h>
		#include <stdio.h>
		#include <stdlib.h>
		__attribute__((constructor)) static void tell(void)
		{
			FILE *file = fopen(getenv("LOADED"), "a");
			if (file) {
				fprintf(file, "%s %s\n", "$1", program_invocation_short_name);
				fclose(file);
			}
		}
	END
	$CC -shared -fPIC -o "fronts/$1.so" front.c
}

builds() {
	local front
	mkdir fronts
	for front in gomp pthread mpi-openmpi; do
		make_front $front || return
	done
	cat >program.c <<-'END'
		#include <signal.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <unistd.h>
		extern char **environ;
		int main(int argc, char **argv)
		{
			int threads = 0;
		#pragma omp parallel reduction(+ : threads)
			threads++;
			printf("%d thread%s\n", !!threads, argv[1]);
			for (int i = 0; i < argc; i++)
				printf("<%s>\n", argv[i]);
			fflush(stdout);
			write(2, "\0\xff", 2);
			for (char **entry = environ; *entry; entry++)
				puts(*entry);
			if (!strcmp(argv[1], "abort"))
				raise(SIGKILL);
			return atoi(argv[1]);
		}
	END
	$CC -fopenmp -w -o program program.c && $CC -fopenmp -w -static -o static-program program.c 2>/dev/null
}

# Runs program with and without --attach: all is the same but for LD_PRELOAD.
behaves_alike() {	# STATUS ARGUMENT...
	local wanted=$1 run status options=()
	shift
	rm -f loaded
	for run in alone attached; do
		"$annot" record -q -o trace.dat "${options[@]}" ./program "$@" >$run.out 2>$run.err
		status=$?
		[ $status -eq "$wanted" ] || echo "$run: exit status $status, not $wanted: $(cat $run.err)"
		options=(--attach)
	done
	cmp alone.err attached.err
	[ "$(wc -c <alone.err)" -eq 2 ] || cat alone.err
	# Of each recording, the instance is another.
	sed -i '/^ANNOT_TRACEFS=/d' alone.out attached.out
	diff alone.out attached.out | grep '^[<>]' >difference
	[ "$(cat difference)" = "> LD_PRELOAD=$work/fronts/gomp.so" ] || cat difference
	[ "$(cat loaded)" = "gomp program" ] || echo "loaded: $(cat loaded)"
}

same_program() {
	behaves_alike 0 0
	behaves_alike 3 3 "" "a  b" "x'y"
	behaves_alike 137 abort
}

# Its children have the environment, annot itself has not.
children() {
	rm -f loaded
	record 7 -q --attach sh -c 'exit 7' ./program
	grep -q . err && cat err
	[ ! -e loaded ] || grep -v '^gomp sh$' loaded
	rm -f loaded
	record 0 -q --attach=openmp,pthread sh -c './program 0 >/dev/null 2>&1; exit 0'
	[ "$(sort loaded)" = "$(printf '%s\n' "gomp program" "gomp sh" "pthread program" "pthread sh")" ] || sort loaded
}

before() {
	rm -f loaded
	LD_PRELOAD=$work/fronts/pthread.so record 0 -q --attach ./program 0
	grep -q "^LD_PRELOAD=$work/fronts/gomp.so:$work/fronts/pthread.so$" out || cat out
	[ "$(grep program loaded)" = "$(printf '%s\n' "pthread program" "gomp program")" ] || cat loaded
}

# What cannot be attached is recorded all the same, after one line.
cannot() {
	record 3 -q --attach ./static-program 3
	grep -qx "annot: warning: record: --attach: ./static-program is statically linked: nothing can be preloaded" err ||
		cat err
	grep -q LD_PRELOAD out && echo "LD_PRELOAD is set"
	report trace.dat | grep -q sched_switch || echo "trace.dat: not a trace"
	record 0 -q --attach=openmp ./static-program 0
	grep -q "record: --attach=openmp: ./static-program is statically linked" err || cat err
	record 0 -q --attach true
	one_line "record: --attach: /usr/bin/true uses nothing that is known"
	chmod o+w fronts
	record 3 -q --attach ./program 3
	grep -q "$work/fronts: others than root can change it: nothing is loaded from there" err || cat err
	chmod o-w fronts
	! grep -q LD_PRELOAD out || echo "loads what others can change"
	record 127 -q --attach no-such-command
	one_line "no-such-command"
}

combinations() {
	record 2 --attach
	one_line "--attach needs a command"
	record 2 --attach -p 1
	one_line "--attach needs a command"
	record 2 --attach=opnmp true
	one_line "did you mean 'openmp'?"
	record 2 --attach= true
	one_line "no such convention"
}

check "stand-ins, and a program" builds
check_afresh "a program that is attached behaves as before" same_program
check_afresh "children inherit what is loaded" children
check_afresh "what was preloaded before is preloaded still" before
check_afresh "what cannot be attached" cannot
check_afresh "wrong words" combinations
check "nothing is left" nothing_is_left
exit $failed
