#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: attach
# SLOW
# TIMED
#
# What programs tell by calling MPI, as they know it themselves: with Open MPI and with MPICH, in C and in Fortran. TAP.
# shellcheck disable=SC2154	# record.bash and attach.bash assign what is not assigned here
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash
# shellcheck source=tests/native/attach/attach.bash
. "$here/tests/native/attach/attach.bash"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1

builds() {	# MPI
	# MPICH's MPI_STATUSES_IGNORE looks like an array without elements.
	"mpicc.$1" "${cflags[@]}" -Wno-stringop-overflow "$programs/mpi_program.c" -o "c_$1"
	"mpif90.$1" -O1 -Wall -Wno-tabs "$programs/mpi_fortran.f90" -o "fortran_$1"
	"mpif90.$1" -O1 -Wall -Wno-tabs "$programs/mpi_fortran08.f90" -o "fortran08_$1"
}

preload() { echo "LD_PRELOAD=$fronts/mpi-$1.so"; }	# MPI

# Calls take as long as the program says, within 2 % or 50 us.
told_as_called() {	# MPI RANKS
	rm -f truth
	record 0 -o told.dat -- env TRUTH="$work/truth" "$(preload "$1")" "mpirun.$1" -n "$2" "./c_$1"
	"$programs/check-told" truth told.dat 50000 2>figures
	sort out | diff - <(for ((rank = 0; rank < $2; rank++)); do echo "rank $rank of $2: 0 wrong"; done)
}

# The lines of what a rank of a program in Fortran tells, without times and process IDs.
told_by_rank() {	# RANK
	report told.dat | sed -nE 's/^ *[^ ].*-([0-9]+) +\[.*print: .*mark_write: ([BEI])\|[0-9]+(\|(.*))?$/\1 \2 \4/p' |
		awk -v rank="$1" '
			{ tid = $1; sub(/^[0-9]+ /, ""); lines[tid] = lines[tid] $0 "\n" }
			$0 == "I @rank|" rank { wanted = tid }
			END { printf "%s", lines[wanted] }'
}

mark() {	# NAME PARTNER TAG BYTES
	echo "I @$1|$((($2 << 44) | ($3 << 24) | $4))"
}

# Of two ranks: 0 sends 4 numbers of 8 bytes to 1, and so on (mpi_fortran.f90).
fortran() {	# PROGRAM MPI
	local rank
	record 0 -o told.dat -- env "$(preload "$2")" "mpirun.$2" -n 2 "./$1_$2"
	[ "$(sort out | tr -s ' ')" = " 0 done
 1 done" ] || echo "it printed: $(cat out)"
	for rank in 0 1; do
		told_by_rank $rank >have
		{
			echo "B MPI_Init"
			echo "I @rank|$rank"
			echo "E "
			if [ $rank -eq 0 ]; then
				echo "B MPI_Send"
				mark send 1 5 32
				echo "E "
			else
				echo "B MPI_Recv|wait"
				mark recv 0 5 32
				echo "E "
			fi
			echo "B MPI_Irecv"
			echo "E "
			echo "B MPI_Isend"
			mark send $((1 - rank)) 6 16
			echo "E "
			echo "B MPI_Waitall|wait"
			mark recv $((1 - rank)) 6 16
			echo "E "
			echo "B MPI_Allreduce|wait"
			echo "I @collective|0"
			echo "E "
			echo "B MPI_Barrier|wait"
			echo "I @collective|1"
			echo "E "
			echo "B MPI_Finalize"
			echo "E "
		} >want
		diff want have || echo "of rank $rank"
	done
}

says_what_it_says_alone() {	# MPI
	"mpirun.$1" -n 2 "./c_$1" 2>&1 | sort >alone
	silent_while_off 0 env "$(preload "$1")" "mpirun.$1" -n 2 "./c_$1"
	sort out | diff alone -
}

exit_status() {	# MPI
	local status=0
	env "$(preload "$1")" EXIT_STATUS=7 "mpirun.$1" -n 2 "./c_$1" >out 2>err || status=$?
	[ $status -eq 7 ] || echo "exit status $status, not 7: $(cat err)"
}

# The other library's front hands all calls on, and tells nothing.
wrong_front() {	# MPI OTHER
	record 0 -o told.dat -- env "$(preload "$2")" "mpirun.$1" -n 2 "./c_$1"
	sort out | diff - <(for rank in 0 1; do echo "rank $rank of 2: 0 wrong"; done)
	told_times 0 MPI
	rm -f truth
	record 0 -o told.dat -- env LD_PRELOAD="$fronts/mpi-$2.so:$fronts/mpi-$1.so" TRUTH="$work/truth" \
		"mpirun.$1" -n 3 "./c_$1"
	"$programs/check-told" truth told.dat
}

# As many parameters as mpi.h says: a call would lose those that are missing.
parameters() {	# MPI
	echo '#include <mpi.h>' >header.c
	"mpicc.$1" -E -P header.c | tr '\n' ' ' | tr ';' '\n' |
		sed -nE 's/.*int +(MPI_[A-Za-z_]+) *\(/\1(/p' >prototypes
	[ "$(grep -c . prototypes)" -gt 300 ] || echo "only $(grep -c . prototypes) prototypes in mpi.h"
	sed -nE 's/^\tF\([A-Z]+, [A-Z_]+, ([A-Za-z_]+), ([0-9]+), .*/\1 \2/p' \
		"$here/libannot/attach/mpi/mpi_functions.h" >ours
	awk 'NR == FNR { name = $0; sub(/\(.*/, "", name); rest = $0; sub(/^[^(]*\(/, "", rest)
			sub(/\)[^)]*$/, "", rest); gsub(/\[[^]]*\]/, "", rest)
			while (rest ~ /\([^()]*\)/) sub(/\([^()]*\)/, "", rest)
			nr[name] = rest ~ /^ *(void)? *$/ ? 0 : gsub(/,/, "", rest) + 1; next }
		!("MPI_" $1 in nr) { print "MPI_" $1 ": not in mpi.h"; next }
		nr["MPI_" $1] != $2 { print "MPI_" $1 ": " nr["MPI_" $1] " parameters, not " $2 }
		END { if (FNR < 170) print "only " FNR " functions" }' prototypes ours
}

# A program that is not ours, with 13000 messages: each that is sent is received.
real_program() {
	# The examples are for more ranks, and for longer.
	sed '6s/.*/200/; 8s/.*/32/; 11s/.*/1 Ps/; 12s/.*/2 Qs/' /usr/share/doc/hpcc/examples/_hpccinf.txt >hpccinf.txt
	rm -f hpccoutf.txt
	record 0 -o told.dat -- env "$(preload openmpi)" mpirun.openmpi -n 2 hpcc
	grep -q '^Success=1$' hpccoutf.txt || tail -n 5 hpccoutf.txt
	adds_up
	"$programs/check-messages" told.dat 2 2>figures
	[ "$(sed -n 's/^# \([0-9]*\) messages.*/\1/p' figures)" -gt 10000 ] || cat figures
}

for mpi in openmpi mpich; do
	other=mpich
	[ $mpi = openmpi ] || other=openmpi
	check_afresh "$mpi: programs" builds $mpi
	check_afresh "$mpi: functions have the parameters of mpi.h" parameters $mpi
	check_afresh "$mpi: each call, message and collective operation of 3 ranks" told_as_called $mpi 3
	check_afresh "$mpi: ... of 4 ranks" told_as_called $mpi 4
	check_afresh "$mpi: Fortran" fortran fortran $mpi
	check_afresh "$mpi: Fortran 2008" fortran fortran08 $mpi
	check_afresh "$mpi: the front for $other tells nothing" wrong_front $mpi $other
	check_afresh "$mpi: without a recording, nothing but the program" says_what_it_says_alone $mpi
	check_afresh "$mpi: the exit status" exit_status $mpi
done
if command -v hpcc >/dev/null; then
	check_afresh "hpcc" real_program
else
	skip "hpcc" "not installed"
fi
exit $failed
