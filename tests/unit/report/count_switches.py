#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: count_switches.py TRACE...
#
# Holds annot's report of each trace against the text of "trace-cmd report -t", counted here without
# any code of ours: for each thread how long it ran, to the nanosecond, how often it was switched
# out, and how often it was preempted; and how many events there are. TAP, a line a trace.
#
# Threads on a CPU at the edges of a trace are counted, too: from the CPU's first event on, which
# tells who runs there, and up to the trace's last event. So are those around lost events: who ran
# before them, up to the last event of the CPU before them, and who runs behind them, since the first
# one there. What is left out, each told in a line "# NAME: not compared: ...":
# - traces that annot or trace-cmd refuses, or that trace-cmd does not read to their end (it stops,
#   and says nothing, at an event whose kind the file does not describe)
# - traces of which annot, as it tells, leaves buffers out: they have another clock
# - traces that contradict themselves, though nothing was lost: the same thread on two CPUs, or an
#   event of another thread than the last switch let run
# - the times, not the switches, where one of several buffers has losses: whether another one tells
#   what was lost does not show in the text
import collections
import json
import os
import re
import subprocess
import sys

ANNOT = os.environ.get("ANNOT", "build/annot")
SECONDS = 60    # that trace-cmd may take: damaged files keep it forever
SWITCH = re.compile(r"sched_switch:\s+.*:(\d+) \[-?\d+\] (\S+) ==> .*:(\d+) \[-?\d+\]")
EVENT = re.compile(r"-(\d+)\s+\[(\d+)\]\s+(?:\S+\s+)?(\d+)\.(\d{9}): (\w+):")
DROPPED = re.compile(r"CPU:(\d+) \[.*EVENTS DROPPED\]|CPU:(\d+).*MISSED EVENTS")


class Count:
    def __init__(self):
        self.on_cpu_ns = collections.Counter()
        self.switches = collections.Counter()
        self.preemptions = collections.Counter()
        self.nr_events = 0
        self.lost = False
        self.lost_in_one = False    # of several buffers
        self.contradicts = False
        self.runs = {}      # cpu: (tid, since when)
        self.last = {}      # cpu: its last event
        self.last_switch = {}   # cpu: (from, to)

    def leave(self, cpu, now):
        tid, since = self.runs.pop(cpu)
        self.on_cpu_ns[tid] += max(0, now - since)

    def run(self, cpu, tid, now):
        # A thread is on one CPU at a time: that it left the other one was lost.
        for other in [other for other, (on, _) in self.runs.items() if tid and on == tid]:
            self.leave(other, self.last[other])
            self.contradicts = self.contradicts or not self.lost
        self.runs[cpu] = (tid, now)

    def feed(self, line):
        dropped = DROPPED.search(line)
        if dropped:
            cpu = int(dropped[1] or dropped[2])
            self.lost = True
            self.lost_in_one = self.lost_in_one or not line.startswith("CPU:")
            if cpu in self.runs:
                self.leave(cpu, self.last[cpu])
        event = EVENT.search(line)
        if not event:
            return
        self.nr_events += 1
        tid, cpu, now = int(event[1]), int(event[2]), int(event[3] + event[4])
        if cpu not in self.runs:
            self.run(cpu, tid, now)
        self.last[cpu] = now
        switch = SWITCH.search(line)
        # Who left cannot leave again: it stands in two buffers.
        if switch and self.last_switch.get(cpu) == (int(switch[1]), int(switch[3])):
            return
        self.contradicts = self.contradicts or (tid != self.runs[cpu][0] and not self.lost)
        if switch:
            self.switch(cpu, now, int(switch[1]), switch[2], int(switch[3]))

    def switch(self, cpu, now, prev, state, following):
        self.last_switch[cpu] = (prev, following)
        self.leave(cpu, now)
        self.switches[prev] += 1
        self.preemptions[prev] += state.startswith("R")
        self.run(cpu, following, now)

    def finish(self):
        for cpu in list(self.runs):
            self.leave(cpu, max(self.last.values()))


class NotCompared(Exception):
    pass


def run(*command):
    try:
        return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False,
                              timeout=SECONDS)
    except subprocess.TimeoutExpired as late:
        raise NotCompared(f"{command[0]} finds no end") from late


def count(trace):
    done = run("trace-cmd", "report", "-t", "-i", trace)
    if done.returncode:
        raise NotCompared("trace-cmd refuses it")
    counted = Count()
    for line in done.stdout.decode(errors="replace").split("\n"):
        counted.feed(line)
    if counted.contradicts:
        raise NotCompared("contradicts itself")
    counted.finish()
    return counted


def report(trace):
    done = run(ANNOT, "report", "--json", trace)
    if done.returncode:
        raise NotCompared(done.stderr.decode().strip())
    if "buffers are left out" in done.stderr.decode():
        raise NotCompared("a buffer with another clock")
    return json.loads(done.stdout)


def by_tid(threads, key):
    sums = collections.Counter()
    for thread in threads:
        sums[thread["tid"]] += thread[key]
    return sums


def differences(ours, theirs):
    """of an annot report and a Count"""
    keys = ["switches", "preemptions"] + ["on_cpu_ns"] * (not theirs.lost_in_one)
    for key in keys:
        our, their = by_tid(ours["threads"], key), getattr(theirs, key)
        for tid in sorted(set(our) | set(their)):
            if tid and our[tid] != their[tid]:
                yield f"tid {tid}: {key}: annot {our[tid]}, trace-cmd {their[tid]}"
    if ours["trace"]["lost_gaps"] and not theirs.lost:
        yield "only annot tells of lost events"


def compare(trace):
    ours = report(trace)
    theirs = count(trace)
    if theirs.nr_events < ours["trace"]["events"]:
        raise NotCompared("trace-cmd does not read it to its end")
    if theirs.nr_events > ours["trace"]["events"]:
        yield f"{ours['trace']['events']} events, to trace-cmd {theirs.nr_events}"
    if not theirs.switches:
        yield "trace-cmd shows no switches"
    yield from differences(ours, theirs)


def main():
    for trace in sys.argv[1:]:
        name = os.path.basename(trace).removesuffix(".dat")
        try:
            wrong = list(compare(trace))
        except NotCompared as why:
            print(f"# {name}: not compared: {why}")
            continue
        for line in wrong:
            print(f"# {line}")
        print(f"{'not ok' if wrong else 'ok'} - {name}: as trace-cmd counts")


main()
