#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: trace_cmd_report.py FILE...
#
# Compares what annot events prints of a trace with what trace-cmd report prints: each event, its time, CPU and thread, its
# name and its text. Says in one line how much was the same; fails, and shows the first difference, if anything is not.
import collections
import json
import os
import re
import subprocess
import sys

ANNOT = os.environ.get("ANNOT", "build/annot")
LINE = re.compile(rb"^ *(?:(\S+): +)?(.{1,16})-(-?\d+) +\[(\d+)\] +(\d+)\.(\d{9}): (\S+):\s*(.*)$", re.DOTALL)
DROPPED = re.compile(rb"^(?:\S+: +)?CPU:(\d+) \[(?:(\d+) )?EVENTS DROPPED\]$")
# Printed by our own plugin in annot.
OURS = {"annot_batch", "annot_name", "raw_data"}

Event = collections.namedtuple("Event", "time_ns cpu tid event text")


def clean(text):
    """As annot does, so that each event is one line."""
    text = "".join(" " if ord(c) < 32 or ord(c) == 127 else c for c in text)
    return text.strip()


def of_trace_cmd(path):
    """The events, and of each CPU how many gaps there are."""
    done = subprocess.run(["trace-cmd", "report", "-N", "-t", "-i", path], capture_output=True, check=True)
    events, gaps = [], collections.Counter()
    for line in done.stdout.split(b"\n"):
        found = LINE.match(line)
        dropped = DROPPED.match(line)
        if found:
            _, _, tid, cpu, seconds, ns, name, text = found.groups()
            events.append([int(seconds) * 10 ** 9 + int(ns), int(cpu), int(tid), name.decode(), text])
        elif dropped:
            gaps[int(dropped.group(1))] += 1
        elif events:
            events[-1][4] += b"\n" + line
    return [Event(*rest, clean(text.decode(errors="replace"))) for *rest, text in events], gaps


def of_annot(path, *arguments):
    done = subprocess.run([ANNOT, "events", "--json", path, *arguments], capture_output=True, check=True)
    if done.stderr:
        raise ValueError(done.stderr.decode())
    events, gaps = [], collections.Counter()
    for line in done.stdout.splitlines():
        row = json.loads(line)
        if "lost" in row:
            gaps[row["cpu"]] += 1
        else:
            text = None if row["text"] is None else clean(row["text"])
            events.append(Event(row["time_ns"], row["cpu"], row["tid"], row["event"], text))
    return events, gaps


def differ(ours, theirs):
    if ours[:3] != theirs[:3] or ours.event.split(":")[1] != theirs.event:
        return True
    return theirs.event not in OURS and ours.text != theirs.text


def first_difference(ours, theirs):
    """Both in order of time; in which order events of one time are is told by the test of the merge."""
    ours, theirs = ours[0], theirs[0]
    if [event.time_ns for event in ours] != sorted(event.time_ns for event in ours):
        return "annot's are not in the order of their times"
    ours, theirs = (sorted(events, key=lambda event: event[:2]) for events in (ours, theirs))
    for our, their in zip(ours, theirs):
        if differ(our, their):
            return f"annot prints\n{our}\nand trace-cmd\n{their}"
    if len(ours) != len(theirs):
        return f"annot prints {len(ours)} events, trace-cmd {len(theirs)}"
    return None


def main(paths):
    for path in paths:
        ours, theirs = of_annot(path), of_trace_cmd(path)
        why = first_difference(ours, theirs)
        if not why and ours[1] != theirs[1]:
            why = f"gaps by CPU: {dict(ours[1])} in annot, {dict(theirs[1])} in trace-cmd"
        if why:
            sys.exit(f"{path}: {why}")
        types = {event.event for event in ours[0]}
        print(f"{path}: {len(ours[0])} events of {len(types)} types, {sum(ours[1].values())} gaps: the same")


if __name__ == "__main__":
    main(sys.argv[1:])
