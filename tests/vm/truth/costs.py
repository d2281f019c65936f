#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: costs.py DIRECTORY

Judges what costs.sh and paths.sh left of a guest: TAP. Writes the figures, as make bench-guests
collects them, into figures.json beside it.

What is asserted are instructions, which are the same in each run, or what holds by a wide margin.
"""
import json
import os
import sys

# In instructions. What a switch may cost more than without the module, ftrace being the same:
OFF_MAX = 5             # the module is loaded
# It records, but not this task, or nothing of it; a tracepoint that gets its second listener pays
# for that as well.
WITHOUT_RING_MAX = {"some": 100, "switch": 50}
EMPTY_RING_MAX = {"some": 150, "switch": 100}
# What each record that is in the ring at the switch may cost.
RECORD_BATCHED_MAX = 200
# What a switch may cost more while so many events are counted, by a PMU that costs nothing: where nothing is told of
# them, and where it is.
COUNTED_MAX = {"counted_1": 200, "counted_4": 360, "told_1": 900, "told_4": 1080}
# What an annotation that cuts a counted slice may cost beyond one that goes into a ring.
CALL_COUNTED_MAX = 1200
REPEATS_SHARE = 0.01
# The first way into the trace is cheaper than the second by this factor at least; times in a guest
# are good for no more than the last one.
PATHS_IN_INSTRUCTIONS = [("ring_batched", "write_each", 8), ("ring_batched", "write_batched", 8),
                         ("call_counted", "write_batched", 2)]
PATHS_IN_TIME = [("ring_batched", "write_each", 2)]
NS_PER_INSTRUCTION = 4  # of -icount shift=2

failed = False


def point(name, complaints):
    global failed
    for complaint in complaints:
        print(f"# {complaint}")
    print(f"{'not ok' if complaints else 'ok'} - {name}")
    failed |= bool(complaints)


class Switches:
    """Instructions by (state, what else ftrace records, records in the ring; -1: no ring)."""

    def __init__(self, lines):
        self.measured = {}
        for line in map(json.loads, lines):
            key = line["state"], line["events"], line["records"]
            self.measured.setdefault(key, []).append(line["instructions"])

    def of(self, state, events, records=-1):
        return self.measured[state, events, records][0]

    def beyond(self, state, events, records, more_than):
        return self.of(state, events, records) - self.of(*more_than)

    def not_repeated(self):
        return [f"{key}: {values}" for key, values in self.measured.items()
                if max(values) - min(values) > REPEATS_SHARE * min(values)]

    def figures(self):
        figures = {}
        for (state, events, records), values in self.measured.items():
            name = state if records < 0 else f"{state}_{records}"
            figures.setdefault(name, {})[events] = values[0]
        return figures


def at_most(name, value, limit):
    return [] if value <= limit else [f"{name}: {value:.1f} instructions, not {limit}"]


def judge_base(switches):
    off, without, empty = [], [], []
    for events in "none", "some", "switch":
        absent = "absent", events
        off += at_most(f"off, {events}", switches.beyond("off", events, -1, absent), OFF_MAX)
        off += at_most(f"off with a ring, {events}",
                       switches.beyond("off_with_ring", events, 100, absent), OFF_MAX)
        if events == "none":
            continue
        without += at_most(f"on, {events}",
                           switches.beyond("on_without_ring", events, -1, absent),
                           WITHOUT_RING_MAX[events])
        empty += at_most(events, switches.beyond("batched", events, 0, absent),
                         EMPTY_RING_MAX[events])
    point(f"loaded and off: no more than {OFF_MAX} instructions in a switch", off)
    point("recording: {some}, or {switch}, more at most for a task without a ring"
          .format(**WITHOUT_RING_MAX), without)
    point("recording: {some}, or {switch}, more at most for a task whose ring is empty"
          .format(**EMPTY_RING_MAX), empty)


def judge_records(switches, limit):
    complaints = []
    for events in "some", "switch":
        empty = "batched", events, 0
        of = {nr: switches.beyond("batched", events, nr, empty) for nr in (1, 50, 100)}
        complaints += at_most(f"{events}: each of 99 more records", (of[100] - of[1]) / 99, limit)
        # Twice as many are twice as dear, but for the event that holds them.
        if not 1.5 * of[50] < of[100] < 2.2 * of[50]:
            complaints.append(f"{events}: 50 records {of[50]:.0f} instructions, 100 {of[100]:.0f}")
    point(f"records at a switch: linear, no more than {limit} instructions", complaints)


def judge_counted(switches):
    complaints = []
    for state, limit in COUNTED_MAX.items():
        complaints += at_most(state, switches.beyond(state, "switch", -1, ("off", "switch")), limit)
    point("a switch while slices are counted: {counted_1} more at most for 1 event, {counted_4} for 4; {told_1} and "
          "{told_4} where that is told".format(**COUNTED_MAX), complaints)


def judge_switches(directory):
    with open(os.path.join(directory, "switches"), encoding="utf-8") as file:
        switches = Switches(file)
    point("each figure is the same in two runs", switches.not_repeated())
    judge_base(switches)
    judge_records(switches, RECORD_BATCHED_MAX)
    judge_counted(switches)
    return switches.figures()


def judge_paths(directory, bounds):
    with open(os.path.join(directory, "paths.json"), encoding="utf-8") as file:
        paths = json.load(file)
    cost = {name: figure["median"] for name, figure in paths.items()}
    point("a ring is cheaper than write(), most of all in batches",
          [f"{cheap} {cost[cheap]}, {dear} {cost[dear]}" for cheap, dear, times in bounds
           if cost[cheap] * times > cost[dear]])
    return paths


def judge_calls(instructions):
    beyond = instructions["call_counted"]["median"] - instructions["ring_batched"]["median"]
    point(f"an annotation that is counted: {CALL_COUNTED_MAX} instructions beyond a ring's at most",
          at_most("a call", beyond, CALL_COUNTED_MAX))


def in_instructions(paths):
    return {name: {key: ns / NS_PER_INSTRUCTION for key, ns in figure.items()}
            for name, figure in paths.items()}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().splitlines()[0])
    directory = sys.argv[1]
    figures = {}
    try:
        if os.path.exists(os.path.join(directory, "switches")):
            figures["switch_instructions"] = judge_switches(directory)
            figures["path_instructions"] = in_instructions(
                judge_paths(directory, PATHS_IN_INSTRUCTIONS))
            judge_calls(figures["path_instructions"])
        else:
            figures["path_ns"] = judge_paths(directory, PATHS_IN_TIME)
    except (OSError, ValueError, KeyError) as error:
        point("the guest left its figures", [repr(error)])
        return 1
    with open(os.path.join(directory, "figures.json"), "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=1)
    return failed


if __name__ == "__main__":
    sys.exit(main())
