#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: count_switches.py REPORT.json <TEXT
#
# Holds a report of annot against the text of "trace-cmd report -t" of the same trace, counted here
# without any code of ours: what each thread ran between the switches that name it, and how often it
# was switched out. TAP. Of a trace with losses only the switches are compared.
import collections
import json
import re
import sys

SWITCH = re.compile(
    r"\[(\d+)\]\s+(?:\S+\s+)?(\d+)\.(\d+): sched_switch:\s+"
    r".*:(\d+) \[-?\d+\] (\S+) ==> .*:(\d+) \[-?\d+\]")
EVENT = re.compile(r"-(\d+)\s+\[(\d+)\]\s+(?:\S+\s+)?(\d+)\.(\d+): (\w+):")


def count(lines):
    """(ns on CPU by tid, switch-outs by tid, preemptions by tid, has losses)"""
    on_cpu = collections.Counter()
    switches = collections.Counter()
    preemptions = collections.Counter()
    since = {}      # cpu: (tid, when it was switched in)
    last = 0
    lost = False
    for line in lines:
        lost = lost or "EVENTS DROPPED" in line or "MISSED EVENTS" in line
        event = EVENT.search(line)
        if not event:
            continue
        tid, cpu, now = event[1], event[2], int(event[3] + event[4])
        last = max(last, now)
        # The first event of a CPU tells who ran there; since when is not known.
        since.setdefault(cpu, (int(tid), now))
        switch = SWITCH.search(line)
        if not switch:
            continue
        prev, state, following = int(switch[4]), switch[5], int(switch[6])
        on_cpu[prev] += now - since[cpu][1]
        switches[prev] += 1
        preemptions[prev] += state.startswith("R")
        since[cpu] = (following, now)
    for tid, start in since.values():
        on_cpu[tid] += last - start
    return on_cpu, switches, preemptions, lost


def by_tid(report, key):
    figures = collections.Counter()
    for thread in report["threads"]:
        figures[thread["tid"]] += thread[key]
    return figures


def compare(name, ours, theirs):
    wrong = [tid for tid in set(ours) | set(theirs) if tid and ours[tid] != theirs[tid]]
    for tid in sorted(wrong):
        print(f"# tid {tid}: annot {ours[tid]}, trace-cmd {theirs[tid]}")
    print(f"{'not ok' if wrong else 'ok'} - {name}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    on_cpu, switches, preemptions, lost = count(sys.stdin)
    name = report["trace"]["file"].rsplit("/", 1)[-1]
    if not switches:
        print(f"not ok - {name}: trace-cmd shows switches")
    compare(f"{name}: switches", by_tid(report, "switches"), switches)
    compare(f"{name}: preemptions", by_tid(report, "preemptions"), preemptions)
    if lost != bool(report["trace"]["lost_gaps"]):
        print(f"not ok - {name}: both or neither tell of lost events")
    elif not lost:
        compare(f"{name}: time on CPUs", by_tid(report, "on_cpu_ns"), on_cpu)


main()
