#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: dtlb_truth.py [--annot PATH] DIRECTORY

Holds what tests/vm/guest/misses/dtlb.sh recorded of loads that miss the TLB against what the program made
and counted of them. Prints TAP.
"""
import argparse
import json
import os
import subprocess
import sys

from tracetext import Tap, Text

# What the slices may count more or less than the program, that begins to count when it is awake
# already and ends before it sleeps; and a span with misses more than one without, but for them.
COUNT_ERROR = 5
PERIOD = 1000
SAMPLES_ERROR = 2
# Telling the time misses a few times in each span; of all spans together, less than once a period.
OTHER_SAMPLES = 1
PARTS = ("before", "walk", "after")


class Scene:
    def __init__(self, text, directory, name):
        self.text = text
        self.measured = text.scenes[name]
        with open(os.path.join(directory, f"{name}.json"), encoding="utf-8") as file:
            self.truth = json.load(file)
        self.thread = self.truth["threads"][0]
        self.spans = {span["name"]: span for span in self.thread["spans"]}

    def counted(self, part):
        """In the slices between the thread's sleeps before and after a span."""
        span, slept_ns = self.spans[part], self.text.slept_ns[self.thread["tid"]]
        since_ns = max(at_ns for at_ns in slept_ns if at_ns < span["start_ns"])
        until_ns = min(at_ns for at_ns in slept_ns if at_ns > span["end_ns"])
        return sum(counts.counts[0] for counts in self.measured.slice_counts
                   if counts.tid == self.thread["tid"] and since_ns < counts.time_ns <= until_ns)

    def counted_written(self, part):
        """Between the span's begin and end, which the thread writes to the device."""
        span = self.spans[part]
        own = [counts for counts in self.measured.slice_counts if counts.tid == self.thread["tid"]]
        begin = [counts for counts in own if counts.ended_by == "begin" and
                 counts.time_ns < span["start_ns"]][-1]
        end = next(counts for counts in own if counts.ended_by == "end" and
                   counts.time_ns > span["end_ns"])
        return sum(counts.counts[0] for counts in own if begin.at < counts.at <= end.at)

    def samples_in(self, part, on_load):
        """Of the walk's load instruction, or of others."""
        span, load = self.spans[part], self.truth["load"]
        return [sample for sample in self.measured.samples if sample.tid == self.thread["tid"] and
                span["start_ns"] <= sample.time_ns <= span["end_ns"] and
                on_load == ("user" in sample.has and load["start"] <= sample.ip < load["end"])]


def check_recording(text, report):
    lost = report["trace"]["lost_events"]
    complaints = [f"{lost} events lost"] if lost else []
    return complaints + text.unreadable + text.misplaced


def check_no_gap(scenes):
    return [f"CPU {state.cpu}: event {state.event}: {state.state} {state.value}"
            for scene in scenes for state in scene.measured.states
            if state.state not in ("started", "stopped")]


def check_own(own):
    """Each load of the walk misses, and that is all that it has more than its neighbour."""
    loads, counts = own.spans["walk"]["value"], own.truth["counts"]
    return [] if loads > 0 and abs(counts["walk"] - counts["after"] - loads) <= COUNT_ERROR else \
        [f"{loads} loads, the program counted {counts}"]


def check_counted(counted, own):
    return [f"{part}: {counted.counted(part)} in the slices, {count} by the program"
            for part, count in own.truth["counts"].items()
            if abs(counted.counted(part) - count) > COUNT_ERROR]


def check_written(counted):
    loads, counts = counted.spans["walk"]["value"], {
        part: counted.counted_written(part) for part in PARTS}
    return [] if abs(counts["walk"] - counts["after"] - loads) <= COUNT_ERROR else \
        [f"{loads} loads, counted {counts}"]


def check_sampled(sampled):
    due = sampled.spans["walk"]["value"] / PERIOD
    samples = sampled.samples_in("walk", True)
    return [] if abs(len(samples) - due) <= SAMPLES_ERROR else \
        [f"{len(samples)} samples, {due} are due"]


def check_neighbours(sampled):
    return [f"{part}: a sample at {sample.ip:#x}" for part in PARTS if part != "walk"
            for sample in sampled.samples_in(part, True)]


def check_load_instruction(sampled):
    others = [f"{part}: at {sample.ip:#x}" for part in PARTS
              for sample in sampled.samples_in(part, False)]
    return others if len(others) > OTHER_SAMPLES else []


def check_report(report, counted):
    """As many misses of a task as its span, which the other scenes do not count, has there."""
    got = {task["name"]: sum(event["count"] for event in task["events"]
                             if event["name"] == "misses" and event["samples"] is None)
           for task in report["tasks"]}
    want = {part: counted.counted_written(part) for part in PARTS}
    return [] if got == want else [f"{got}, not {want}"]


def main():
    parser = argparse.ArgumentParser(description="hold a recording of TLB misses against the program")
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    arguments = parser.parse_args()
    tap = Tap()
    path = os.path.join(arguments.directory, "dtlb.dat")
    try:
        text = Text(path)
        own, counted, sampled = (Scene(text, arguments.directory, name)
                                 for name in ("own", "counted", "sampled"))
        report = json.loads(subprocess.run([arguments.annot, "report", "--json", path],
                                           check=True, capture_output=True).stdout)
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        tap.point("trace, truth and report can be read", [repr(error)])
        return True
    tap.point("no event was lost, samples and counts stand in their threads' slices",
              check_recording(text, report))
    tap.point("nothing was throttled or failed", check_no_gap((counted, sampled)))
    tap.point("by the program's own count each load of the walk misses", check_own(own))
    tap.point("the slices of a span count what the program does, within 5",
              check_counted(counted, own))
    tap.point("between the begin and end of the walk's span are its misses alone",
              check_written(counted))
    tap.point("the walk's span has as many samples as misses make", check_sampled(sampled))
    tap.point("its neighbours, with as many loads, have none", check_neighbours(sampled))
    tap.point("all samples in the spans are of the load instruction",
              check_load_instruction(sampled))
    tap.point("annot report counts the same", check_report(report, counted))
    return tap.failed


if __name__ == "__main__":
    sys.exit(main())
