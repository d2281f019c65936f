# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# To be sourced in a guest: trace-cmd copies the formats of all events and the kernel's symbols into
# a trace; from here on it finds few of them, and traces are small.

tracing=/sys/kernel/tracing
for name in sched/sched_switch sched/sched_waking sched/sched_wakeup sched/sched_wakeup_new \
	sched/sched_migrate_task sched/sched_process_fork sched/sched_process_exec \
	sched/sched_process_exit task/task_newtask task/task_rename ftrace/print annot; do
	mkdir -p /tmp/events/$name
	mount --bind $tracing/events/$name /tmp/events/$name
done
for name in header_page header_event enable sched/enable task/enable; do
	: >/tmp/events/$name
	mount --bind $tracing/events/$name /tmp/events/$name
done
mount --rbind /tmp/events $tracing/events
echo "0000000000000000 T _text" >/tmp/kallsyms
mount --bind /tmp/kallsyms /proc/kallsyms
