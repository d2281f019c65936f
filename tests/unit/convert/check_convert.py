#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: check_convert.py NAME CONVERTED.json CONVERTED.csv REPORT.json TRUTH.json [TEXT]
#
# What annot convert made of one recorded trace, against the text of "trace-cmd report -t -l" of it
# (if TEXT is there), counted here without any code of ours; against what the recorded program said
# of itself (if TRUTH.json is there); against annot report; and against the format. TAP.
import collections
import csv
import json
import os
import re
import sys
from decimal import Decimal

CPUS_PID = 20000000
STRAYS_PID = 30000000
STATES_FROM_TID = 10000000
FIELDS = {
    "X": {"dur"}, "M": {"args"}, "s": {"id"}, "f": {"id", "bp"}, "i": {"s"}, "C": {"args"},
    "b": {"id"}, "e": {"id"},
}
OPTIONAL = {"args"}
EVENT = re.compile(r"-(\d+)\s+(\d+)([dDbBX.]\S{3,})\s+(\d+)\.(\d+): (\w+):\s+(.*)")
SWITCH = re.compile(r".*:(\d+) \[-?\d+\] (\S+) ==> .*:(\d+) \[-?\d+\]")
WAKEUP = re.compile(r".*:(\d+) \[-?\d+\]")
WAKING = re.compile(r"comm=.* pid=(\d+) prio=")


def ns(microseconds):
    """Of a number that was read as Decimal: exactly."""
    found = Decimal(microseconds) * 1000
    assert found == int(found), f"{microseconds} has more than three decimals"
    return int(found)


def point(name, what, wrong):
    wrong = list(wrong)
    for line in wrong[:10]:
        print(f"# {line}")
    print(f"{'not ok' if wrong else 'ok'} - {name}: {what}")


def differences(ours, theirs):
    for key in sorted(set(ours) | set(theirs), key=str):
        if ours.get(key) != theirs.get(key):
            yield f"{key}: {ours.get(key)}, not {theirs.get(key)}"


class Converted:
    """The JSON, by what its events are; times in nanoseconds."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.whole = json.load(file, parse_float=Decimal)
        self.events = self.whole["traceEvents"]
        self.other = self.whole["otherData"]
        for event in self.events:
            event["start"] = ns(event["ts"])
            event["end"] = event["start"] + ns(event.get("dur", 0))

    def of(self, phase, *categories):
        return [event for event in self.events
                if event["ph"] == phase and (not categories or event["cat"] in categories)]

    def slices(self):
        return self.of("X", "cpu")

    def spans(self):
        return self.of("X", "work", "wait")


def wrong_fields(converted):
    for event in converted.events:
        wanted = {"ph", "cat", "name", "pid", "tid", "ts", "start", "end"} | FIELDS[event["ph"]]
        if set(event) - OPTIONAL != wanted - OPTIONAL or wanted - set(event):
            yield f"fields of {event}"
        for key in ("pid", "tid"):
            if not isinstance(event[key], int) or not 0 <= event[key] < 1 << 32:
                yield f"{key} of {event}"
        for key in ("ts", "dur"):
            if key in event and not isinstance(event[key], Decimal):
                yield f"{key} of {event} is not a decimal fraction"
        if event["ph"] == "C" and not all(isinstance(value, (int, Decimal)) for value in
                                          event["args"].values()):
            yield f"not a number: {event}"
    if converted.whole["displayTimeUnit"] != "ns":
        yield "displayTimeUnit"


def wrong_nesting(converted):
    """In each lane, slices lie inside each other or apart; in those of CPUs and states, apart. What
    stands first of those that begin at one time is the outer one."""
    lanes = collections.defaultdict(list)
    for event in converted.of("X"):
        lanes[event["pid"], event["tid"]].append(event)
    for events in lanes.values():
        stack = []
        for event in sorted(events, key=lambda event: event["start"]):
            while stack and stack[-1]["end"] <= event["start"]:
                stack.pop()
            if stack and (event["cat"] not in ("work", "wait") or event["end"] > stack[-1]["end"]):
                yield f"{event} overlaps {stack[-1]}"
            stack.append(event)


def wrong_names(converted):
    """Each lane and process is named."""
    named = {(event["name"], event["pid"], event["tid"]) for event in converted.of("M")}
    processes = {pid for name, pid, _ in named if name == "process_name"}
    for event in converted.events:
        if ("thread_name", event["pid"], event["tid"]) not in named:
            yield f"its lane has no name: {event}"
        if event["pid"] not in processes:
            yield f"its process has no name: {event}"


def flow_ends(converted):
    """{id: (start, finish)}; what is wrong with them"""
    ends = collections.defaultdict(lambda: ([], []))
    for phase, place in (("s", 0), ("f", 1)):
        for event in converted.of(phase):
            ends[event["id"]][place].append(event)
    wrong = [f"flow {key}: {len(starts)} starts, {len(finishes)} finishes"
             for key, (starts, finishes) in ends.items() if len(starts) != 1 or len(finishes) != 1]
    return {key: (starts[0], finishes[0]) for key, (starts, finishes) in ends.items()
            if starts and finishes}, wrong


def bound_slices(converted):
    """{id(end of a flow): its slice}, as a reader binds them: in time order, and in the file's order
    of what is at one time, the last one that began in the lane."""
    bound, last = {}, {}
    for event in sorted(converted.events, key=lambda event: event["start"]):
        lane = event["pid"], event["tid"]
        if event["ph"] == "X":
            last[lane] = event
        elif event["ph"] in "sf":
            bound[id(event)] = last.get(lane)
    return bound


def wrong_flows(converted):
    flows, wrong = flow_ends(converted)
    yield from wrong
    bound = bound_slices(converted)
    for key, (start, finish) in flows.items():
        for end in (start, finish):
            inside = bound[id(end)]
            if not inside or inside["cat"] != "cpu" or not inside["start"] <= end["start"] <= inside["end"]:
                yield f"flow {key}: {end} is not inside {inside}"
        if finish["bp"] != "e" or finish["start"] != bound[id(finish)]["start"]:
            yield f"flow {key} does not end where its slice begins"
        if finish["start"] < start["start"]:
            yield f"flow {key} ends before it begins"


def waker_of(tid, flags):
    """0: idle, or an interrupt"""
    return 0 if re.search("[hHszZ]", flags[1:]) else tid


class Text:
    """What the text of trace-cmd tells, times since its first event."""

    def __init__(self, path):
        self.count = collections.Counter()      # slices by tid
        self.on_cpu = collections.Counter()
        self.flows = collections.Counter()      # (wakeup, waker, wakee, switched in)
        self.lost = 0
        self.running = {}                       # cpu: (tid, since)
        self.states = collections.defaultdict(lambda: "unknown")
        self.waking = {}                        # tid: who is about to wake it; 0: nobody to be told
        self.woken = {}                         # tid: (when, by whom)
        self.first = None
        with open(path, encoding="utf-8", errors="replace") as file:
            last = self.read(file)
        for tid, since in self.running.values():
            # Nor does one begin with the last event.
            if since is not None and since < last:
                self.end_slice(tid, since, last)
        self.flows = collections.Counter({flow: number for flow, number in self.flows.items()
                                          if flow[3] < last})

    def end_slice(self, tid, since, now):
        self.count[tid] += 1
        self.on_cpu[tid] += now - since

    def read(self, lines):
        now = 0
        for line in lines:
            self.lost += "EVENTS DROPPED" in line or "MISSED EVENTS" in line
            event = EVENT.search(line)
            if not event:
                continue
            tid, cpu, flags, kind, rest = int(event[1]), event[2], event[3], event[6], event[7]
            time = int(event[4] + event[5])
            self.first = time if self.first is None else self.first
            now = time - self.first
            if cpu not in self.running:
                # Who ran there; since when is not known, so that a switch at once ends no slice.
                self.running[cpu] = (tid, None if kind == "sched_switch" else now)
                self.states[tid] = "running"
            if kind == "sched_switch":
                self.switch(cpu, now, SWITCH.match(rest))
            elif kind == "sched_waking":
                self.waking[int(WAKING.match(rest)[1])] = waker_of(tid, flags)
            elif kind in ("sched_wakeup", "sched_wakeup_new"):
                self.wake(now, waker_of(tid, flags), int(WAKEUP.match(rest)[1]))
        return now

    def wake(self, now, waker, wakee):
        waker = self.waking.pop(wakee, waker)
        if self.states[wakee] in ("running", "preempted", "runnable", "dead"):
            return
        self.states[wakee] = "runnable"
        # Who has left its CPU meanwhile has no slice for an arrow to begin in.
        if waker and self.states[waker] == "running":
            self.woken[wakee] = (now, waker)

    def switch(self, cpu, now, switch):
        prev, state, following = int(switch[1]), switch[2], int(switch[3])
        if self.running[cpu][1] is not None:
            self.end_slice(prev, self.running[cpu][1], now)
        self.states[prev] = "preempted" if state[0] == "R" else "dead" if state[0] in "XZ" else "asleep"
        self.woken.pop(prev, None)
        if following in self.woken:
            when, waker = self.woken.pop(following)
            self.flows[when, waker, following, now] += 1
        self.states[following] = "running"
        self.running[cpu] = (following, now)


def sums_of(events, key):
    """(number, total) of each"""
    number, total = collections.Counter(), collections.Counter()
    for event in events:
        number[key(event)] += 1
        total[key(event)] += event["end"] - event["start"]
    return number, total


def wrong_slices(converted, text):
    number, total = sums_of(converted.slices(), lambda event: event["args"]["tid"])
    for what, ours, theirs in (("slices", number, text.count), ("ns", total, text.on_cpu)):
        theirs = {tid: figure for tid, figure in theirs.items() if tid}
        yield from (f"{what} of tid {line}" for line in differences(ours, theirs))


def found_flows(converted):
    bound = bound_slices(converted)
    return collections.Counter(
        (start["start"], bound[id(start)]["args"]["tid"], bound[id(finish)]["args"]["tid"],
         finish["start"]) for start, finish in flow_ends(converted)[0].values())


def wrong_spans(converted, report):
    """Their number and length, by thread, name and kind, are those of the report."""
    number, total = sums_of(converted.spans(),
                            lambda event: (event["tid"], event["name"], event["cat"]))
    theirs, lengths = {}, {}
    for task in report["tasks"]:
        for thread in task["by_thread"]:
            key = thread["tid"], task["name"], task["kind"]
            theirs[key] = thread["instances"]
            lengths[key] = thread["wall_ns"]
    yield from differences(number, theirs)
    yield from differences(total, lengths)


def wrong_states(converted, report):
    found = collections.Counter()
    for event in converted.of("X", "state"):
        found[event["tid"] - STATES_FROM_TID, event["name"]] += event["end"] - event["start"]
    theirs = collections.Counter()
    for thread in report["threads"]:
        tid = thread["tid"]
        theirs[tid, "running"] += thread["on_cpu_ns"]
        theirs[tid, "preempted"] += thread["preempted_ns"]
        theirs[tid, "runnable"] += thread["wakeup_ns"]
        theirs[tid, "blocked"] += thread["blocked_ns"]
    for tid in {tid for tid, _ in found}:
        for state in ("sleeping", "uninterruptible", "stopped"):
            found[tid, "blocked"] += found.pop((tid, state), 0)
        found.pop((tid, "unknown"), None)
    yield from differences(+found, +theirs)


def wrong_truth(converted, truth):
    """Each thread's spans in order, as the program says that it made them; nobody else has any."""
    found = collections.defaultdict(list)
    for event in sorted(converted.spans(), key=lambda event: event["start"]):
        found[event["tid"]].append((event["name"], event["cat"], event["args"].get("value")))
    said = {}
    for thread in truth["threads"]:
        spans = sorted(thread["spans"], key=lambda span: (span["start_ns"], span["depth"]))
        if spans:
            said[thread["tid"]] = [(span["name"], span["kind"], span["value"]) for span in spans]
    yield from differences(found, said)


def wrong_times(converted, truth):
    """The program reads its clock after it begins a span, and before it ends it: what it measured is
    inside the span, and all spans are inside the program's time."""
    first = int(converted.other["start_ns"])
    found = collections.defaultdict(list)
    for event in sorted(converted.spans(), key=lambda event: event["start"]):
        found[event["tid"]].append((first + event["start"], first + event["end"]))
    for thread in truth["threads"]:
        said = sorted(thread["spans"], key=lambda span: (span["start_ns"], span["depth"]))
        for span, (start, end) in zip(said, found[thread["tid"]]):
            if not truth["start_ns"] <= start <= span["start_ns"] <= span["end_ns"] <= end <= truth["end_ns"]:
                yield f"{start} to {end}: {span}"


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    for row in rows:
        row["start"], row["end"] = int(row["start_ns"]), int(row["end_ns"] or row["start_ns"])
    return rows


def wrong_csv(converted, rows, report):
    """The same items as in the JSON, to the nanosecond."""
    def items(kind, *fields):
        return collections.Counter((row["start"], row["end"], *(row[field] for field in fields))
                                   for row in rows if row["kind"] == kind)

    def events(phase, categories, fields):
        return collections.Counter((event["start"], event["end"], *map(str, fields(event)))
                                   for event in converted.of(phase, *categories))

    yield from differences(items("slice", "cpu", "tid", "state"), events("X", ["cpu"], lambda event: (
        event["tid"] - CPUS_PID - 1, event["args"]["tid"], event["args"]["then"])))
    states = items("state", "cpu", "tid", "state")
    yield from differences(
        {key: number for key, number in states.items() if key[-1] != "dead"},
        events("X", ["state"], lambda event: (
            event.get("args", {}).get("cpu", ""), event["tid"] - STATES_FROM_TID, event["name"])))
    yield from differences(items("span", "tid", "name", "value", "state"), events(
        "X", ["work", "wait"], lambda event: (
            event["tid"], event["name"], event["args"].get("value", ""),
            event["cat"] + (", no end" if "open_end" in event["args"] else ""))))
    yield from differences(items("mark", "tid", "name", "value"), events("i", ["mark"], lambda event: (
        event["tid"], event["name"], event.get("args", {}).get("value", ""))))
    yield from differences(items("counter", "tid", "value"), events("C", ["counter"], lambda event: (
        event["tid"], event["args"]["value"])))
    yield from differences(items("lost", "cpu", "value"), events("X", ["lost"], lambda event: (
        event["tid"] - CPUS_PID - 1, event["args"]["events"] or "")))
    running = collections.defaultdict(list)
    for row in rows:
        if row["kind"] == "slice":
            running[row["tid"]].append((row["start"], row["end"]))
    # Arrows begin in a slice: not where the waker has left its CPU by then.
    flows = collections.Counter(
        (row["start"], int(row["other_tid"]), int(row["tid"]), row["end"]) for row in rows
        if row["kind"] == "wakeup" and row["other_tid"] and row["end_ns"] and
        any(start <= row["start"] <= end for start, end in running[row["other_tid"]]))
    yield from differences(flows, found_flows(converted))
    migrations = sum(row["kind"] == "migration" for row in rows)
    if migrations != sum(thread["migrations"] for thread in report["threads"]):
        yield f"{migrations} migrations"


def wrong_whole(converted, rows, report):
    trace = report["trace"]
    for key in ("file", "clock", "lost_events", "lost_gaps", "lost_annotations", "truncated"):
        if converted.other[key] != trace[key]:
            yield f"{key}: {converted.other[key]}"
    for key in ("start_ns", "duration_ns"):
        if converted.other[key] != str(trace[key]):
            yield f"{key}: {converted.other[key]}"
    if len(converted.of("X", "lost")) != trace["lost_gaps"]:
        yield "not all gaps are told"
    whole = [row for row in rows if row["kind"] == "trace"]
    if [(row["start"], row["end"], row["name"], row["value"], row["state"]) for row in whole] != \
            [(0, trace["duration_ns"], trace["file"], str(trace["start_ns"]), trace["clock"])]:
        yield f"the table has {whole}"


def main():
    name, json_path, csv_path, report_path, truth_path = sys.argv[1:6]
    converted = Converted(json_path)
    rows = read_csv(csv_path)
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    point(name, "fields of each event", wrong_fields(converted))
    point(name, "nesting", wrong_nesting(converted))
    point(name, "names", wrong_names(converted))
    point(name, "flows", wrong_flows(converted))
    point(name, "the whole, and what is lost", wrong_whole(converted, rows, report))
    point(name, "spans as in the report", wrong_spans(converted, report))
    point(name, "states as in the report", wrong_states(converted, report))
    point(name, "the table has the same items", wrong_csv(converted, rows, report))
    if len(sys.argv) > 6:
        text = Text(sys.argv[6])
        if bool(text.lost) != bool(report["trace"]["lost_gaps"]):
            print(f"not ok - {name}: both or neither tell of lost events")
        elif not text.lost:
            point(name, "slices as trace-cmd has them", wrong_slices(converted, text))
            point(name, "wakeups as trace-cmd has them",
                  differences(found_flows(converted), text.flows))
    if os.path.exists(truth_path):
        with open(truth_path, encoding="utf-8") as file:
            truth = json.load(file)
        point(name, "the program's own account", wrong_truth(converted, truth))
        point(name, "its times", wrong_times(converted, truth))


main()
