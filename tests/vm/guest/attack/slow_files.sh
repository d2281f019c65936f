# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# SERIES: 6.1
# FILES: build/tests/vm/slow_files
#
# A program that maps code from a filesystem whose server does not answer is recorded all the same, by root, who
# would look into the file.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko && insmod fuse.ko || exit 1
mkdir -p /mnt
# There is no cache of ldconfig's here, by which libraries are found elsewhere.
export LD_LIBRARY_PATH=/lib/x86_64-linux-gnu

begin_server() {
	rm -f /tmp/deaf
	./slow_files serve /mnt /tmp/deaf &
	server=$!
	for _ in $(seq 100); do
		! grep -q ' /mnt fuse ' /proc/mounts || return 0
		sleep 0.1
	done
	return 1
}

end_server() {
	kill $server
	wait $server
	umount /mnt
} 2>/dev/null

# One that waits for the server cannot be killed, but ends once there is no server.
ends_in_time() {	# COMMAND...
	"$@" &
	pid=$!
	for _ in $(seq 300); do
		[ -e /proc/$pid ] || break
		! grep -q '^State:.Z' /proc/$pid/status || break
		sleep 0.1
	done 2>/dev/null
	if [ -e /proc/$pid ] && ! grep -q '^State:.Z' /proc/$pid/status 2>/dev/null; then
		echo "it waits in $(cat /proc/$pid/wchan)"
		end_server
		wait $pid
		return 1
	fi
	wait $pid
}

has_stacks() {	# FILE
	[ "$(trace-cmd report "$1" 2>/dev/null | grep -c 'slow_files-.*annot_sample:.*stack=[1-9]')" -ge 100 ]
}

record_command() {
	ends_in_time annot record -q -o /out/command.dat -e page_faults -c 10 --call-stacks ./slow_files use /mnt/code /tmp/deaf &&
		has_stacks /out/command.dat
}

# Of all samples, by an instance of the trace that is there to watch.
watched=/sys/kernel/tracing/instances/watch

# However long the recording takes to begin: the program goes on until enough of it is recorded.
end_when_recorded() {	# PID
	mkdir $watched && echo 1 >$watched/events/annot/annot_sample/enable
	for _ in $(seq 600); do
		[ "$(grep -c 'slow_files-.*stack=[1-9]' $watched/trace)" -lt 200 ] || break
		sleep 0.1
	done
	kill "$1"
	rmdir $watched
}

record_process() {
	./slow_files use /mnt/code /tmp/deaf 120 &
	used=$!
	sleep 1
	end_when_recorded $used &
	ends_in_time annot record -q -o /out/process.dat -e page_faults -c 10 --call-stacks -p $used &&
		has_stacks /out/process.dat
}

for record in record_command record_process; do
	check "the server serves" begin_server
	check "$record does not wait for a file" $record
	end_server
done
check "annot.ko unloads" rmmod annot
exit $failed
