# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 300
# SERIES: 6.12
# DEBUG: no, it is about times
#
# A thread that runs while a module keeps the CPU busy with tasklets, one after the other; and while there is one now and then.
# The module says how long they took.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

cat >load.sh <<'EOF'
name=$1
shift
(while :; do :; done) &
worker=$!
sleep 0.05
insmod softirqs.ko "$@"
kill $worker
for value in spent_ns nr; do
	echo "$value $(cat /sys/module/softirqs/parameters/$value)"
done >"/out/$name.said"
rmmod softirqs
EOF

record() {	# NAME PARAMETER...
	annot record -q --tracepoint irq -b 8192 -o "/out/$1.dat" -- sh load.sh "$@"
}

check "softirqs without a pause are recorded" record storm ms=200 busy_us=500
check "softirqs with long pauses are recorded" record quiet ms=200 busy_us=500 pause_us=5000
exit $failed
