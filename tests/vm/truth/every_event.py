#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Usage: tests/vm/truth/every_event.py TRACE

Compares what annot makes of a trace of any events with trace-cmd report: by type, as many events; each type is a row of the
page, is left out of it and told, or is one that annot decodes. Prints what differs.
"""
import collections
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile

ANNOT = "build/annot"
LINE = re.compile(r"^ *.{1,16}-\d+ +\[\d+\] +\d+\.\d{9}: (\S+):")
ANNOT_LINE = re.compile(r"^ *(\d+\.\d{9}) \[\d+\] .*?-\d+ +(\S+:\S+)")
# What annot shows as what it is, or takes from it what it tells of threads.
DECODED = """sched:sched_switch sched:sched_waking sched:sched_wakeup sched:sched_wakeup_new sched:sched_migrate_task
    sched:sched_process_fork sched:sched_process_exec sched:sched_process_exit task:task_newtask task:task_rename
    irq:irq_handler_* irq:softirq_entry irq:softirq_exit irq:tasklet_* irq_vectors:*_entry irq_vectors:*_exit ipi:ipi_entry ipi:ipi_exit
    raw_syscalls:* syscalls:* workqueue:workqueue_execute_* lock:contention_* exceptions:page_fault_*
    power:cpu_idle power:cpu_frequency sched:sched_pi_setprio cgroup:cgroup_attach_task cgroup:cgroup_transfer_tasks cpuhp:*
    ftrace:funcgraph_* ftrace:function ftrace:print ftrace:kernel_stack ftrace:user_stack ftrace:raw_data ftrace:bprint ftrace:bputs""".split()


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        print(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr[:400]}")
    return done.stdout


def ns(seconds):
    return int(seconds.replace(".", ""))


def by_trace_cmd(trace):
    counts = collections.Counter()
    for line in run("trace-cmd", "report", "-N", "-t", "-i", trace).splitlines():
        found = LINE.match(line)
        if found:
            counts[found[1]] += 1
    return counts


def by_annot(trace):
    """{system:event: (count, when the first was)}"""
    types = {}
    for line in run(ANNOT, "events", "--summary", trace).splitlines()[1:]:
        count, first, _, name = line.split()
        types[name] = int(count), ns(first)
    return types


def of_page(trace):
    """
    When the page begins; the types of events that are rows of it, or that it says to lack, with how many; and how many
    it says to come before.
    """
    with tempfile.TemporaryDirectory(prefix="annot-events-") as work:
        page = os.path.join(work, "page.html")
        run(ANNOT, "html", "--events", "all", "-o", page, trace)
        with open(page, encoding="utf-8") as file:
            head = json.loads(re.search(r'id="annot-head">(.*?)</script>', file.read())[1])
    counts = collections.Counter()
    for key in ("event_names", "left_out_events"):
        for name, nr in head.get(key, []):
            counts[head["strings"][name]] += nr
    return int(head["trace"]["start_ns"]), counts, head.get("early_events", 0)


def main():
    trace, = sys.argv[1:]
    wanted, types, (begin, shown, early) = by_trace_cmd(trace), by_annot(trace), of_page(trace)
    run(ANNOT, "report", "--show", "all", trace)
    run(ANNOT, "report", "--json", "--show", "all", trace)
    got = collections.Counter()
    for name, (count, _) in types.items():
        got[name.split(":")[1]] += count
    if not wanted:
        print("trace-cmd report prints no events")
    for name in sorted(wanted | got):
        if wanted[name] != got[name]:
            print(f"{name}: {got[name]}, not {wanted[name]}")
    lines = run(ANNOT, "events", trace).split("\n")[:-1]
    if len(lines) != sum(got.values()):
        print(f"{len(lines)} lines of {sum(got.values())} events")
    decoded = {name for name in types if any(fnmatch.fnmatch(name, pattern) for pattern in DECODED)}
    # As annot-html(1) says, the page begins with the first event that annot decodes.
    told = min((first for name, (_, first) in types.items() if name in decoded and name.startswith("sched:")), default=begin)
    if begin > told:
        print(f"the page begins at {begin}, behind an event that tells of a thread, at {told}")
    since, before = collections.Counter(), 0
    for found in filter(None, map(ANNOT_LINE.match, lines)):
        since[found[2]] += ns(found[1]) >= begin
        before += ns(found[1]) < begin and found[2] not in decoded
    if early != before:
        print(f"{early} events before the page begins, not {before}")
    for name in types:
        if name not in since:
            print(f"{name}: in no line")
        elif name not in decoded and shown[name] != since[name]:
            print(f"{name}: {shown[name]} in the page, not {since[name]}")


if __name__ == "__main__":
    main()
