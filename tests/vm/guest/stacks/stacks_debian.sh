# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs -s 2 -T single -t 550 -m 2G
# SERIES: 6.1
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/record-misses tests/vm/guest/stacks/work.py
#
# Stacks of Debian's own programs: of samples in the NMI, and of threads that fall asleep. debian_stacks.py holds them against
# the programs' code.

. ./record-misses

# There is no cache of ldconfig's here, by which libraries are found elsewhere.
export LD_LIBRARY_PATH=/lib/x86_64-linux-gnu:/test PATH="/test:$PATH" PYTHONPATH=/test/python.zip
mkdir -p /usr/share/dpkg /tmp/apt
cp cputable tupletable /usr/share/dpkg/

# cc1 and apt are as they are called by others.
compile() { annot_record cc1 cc1 -quiet -fpreprocessed -O2 work.i -o work.s; }
list_packages() { annot_record apt apt-cache -o Dir=/tmp/apt -o Dir::State::status=/test/packages dump; }
interpret() { annot_record python python3 -S work.py; }
link() { annot_record gold ld.gold -r --threads -o linked.o --whole-archive libstdc++.a; }
# As long as its threads spin in waits depends on the kernel, so they do not.
share_work() { OMP_WAIT_POLICY=passive annot_record openmp imbalance-omp -r 40; }

annot_record() {	# NAME COMMAND...
	name=$1
	shift
	annot record -q -o "/out/$name.dat" -b 16384 --why -e instr_retired:u:precise=1 --call-stacks -c 99991 "$@" >"/out/$name.said"
}

for what in interpret compile link list_packages share_work; do
	check "$what: is recorded" "$what"
done
# shellcheck disable=SC2154	# set by record-misses
exit "$failed"
