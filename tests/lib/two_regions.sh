# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154	# scripts set $work
#
# To be sourced: $work/made.dat, in which two threads go through a region twice, with samples, and one of them is blocked on a futex.

# A region of two threads from START us on: the last of them sleeps until a device wakes it, and is interrupted later.
region() {	# START
	local at=$(($1 * 1000))
	cat <<-EOF
	$at 0 100 begin name=solve tgid=100
	$at 1 101 begin name=solve tgid=100
	$((at + 1000)) 0 100 switch prev_state=1
	$((at + 1001)) 0 100 kernel_stack size=2 common_flags=1 caller=0xffffffff81000010,0xffffffff81001010
	$((at + 2000000)) 1 101 end tgid=100
	$((at + 6000000)) 0 0 wakeup pid=100 comm=main target_cpu=0
	$((at + 6001000)) 0 0 switch next_pid=100 next_comm=main
	$((at + 6500000)) 0 100 sample event=0 period=100 ip=0x401000 has=0x10
	$((at + 6500000)) 0 100 sample event=1 period=100 ip=0x401000 has=0x10
	$((at + 7000000)) 0 100 irq:softirq_entry vec=3
	$((at + 7100000)) 0 100 irq:softirq_exit vec=3
	$((at + 9000000)) 0 100 end tgid=100
	EOF
}

two_regions() {
	cat <<-'EOF'
	0 0 0 config text='event=0 name=l1_cache_miss mode=sample period=100 user=1 kernel=1 precise=2'
	0 0 0 config text='event=1 name=llc_load_miss mode=sample period=100 user=1 kernel=1 precise=2'
	0 0 0 state event=0 state=0
	0 0 0 state event=1 state=0
	0 0 0 switch next_pid=100 next_comm=main
	0 1 0 state event=0 state=0
	0 1 0 state event=1 state=0
	0 1 0 switch next_pid=101 next_comm=other
	EOF
	region 1000
	region 11000
	echo 21000000 0 100 switch prev_state=16
	echo 21000000 1 101 switch prev_state=16
}

make_two_regions() {
	printf '%s\n' 'ffffffff81000000 T schedule' 'ffffffff81001000 T futex_wait_queue' >"$work/kallsyms"
	two_regions | tests/lib/script_trace.py -k "$work/kallsyms" "$work/made.dat" || echo "no trace"
}
