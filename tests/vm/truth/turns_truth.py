#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: turns_truth.py [--annot PATH] DIRECTORY

Holds what tests/vm/guest/pmu/turns.sh recorded, twelve events that took turns on four counters, against what the program
counted itself. Each of its threads has rates of its own that change in time. Prints TAP, and how often the truth was within
the error that is told.
"""
import argparse
import json
import os
import subprocess

from tracetext import Tap

NR_EVENTS, NR_COUNTERS = 12, 4
# Turns of one thread: 8 ms of counting in 24. What a millisecond had that a turn began or ended in is not used.
SHARE = (0.2, NR_COUNTERS / NR_EVENTS + 0.01)
# The errors are of 95 cases in 100, of the short task rather of 92. Events whose turns overlap are right or wrong together: of
# 96 threads, the share has a standard deviation of 0.011, and falls below this by a chance of one in a million. The unit test
# holds 2000 independent cases to 93 to 97.
LEAST_SHARE = 0.87


class Recording:
    def __init__(self, annot, directory, name):
        path = os.path.join(directory, name)
        with open(f"{path}.json", encoding="utf-8") as file:
            self.truth = {thread["tid"]: thread for thread in json.load(file)}
        self.report = json.loads(subprocess.run([annot, "report", "--json", f"{path}.dat"], check=True,
                                                capture_output=True).stdout)
        self.text = subprocess.run([annot, "report", f"{path}.dat"], check=True, capture_output=True, text=True).stdout
        self.threads = [thread for thread in self.report["threads"] if thread["tid"] in self.truth]

    def cases(self):
        """(truth, event's figures, how the rate changed) of all threads and events."""
        for thread in self.threads:
            truth = self.truth[thread["tid"]]
            for event in thread["events"]:
                yield truth["pokes"], event, truth["kind"]

    def task_cases(self):
        """The same of the task, thread by thread."""
        task = next(task for task in self.report["tasks"] if task["name"] == "work")
        for thread in task["by_thread"]:
            truth = self.truth[thread["tid"]]
            for event in thread["events"]:
                yield truth["pokes_in_span"], event, truth["kind"]


def coverage(cases):
    """Share of cases within their error, and complaints about those of which no error is known."""
    cases = list(cases)
    unknown = [f"no error is told of {event['name']}: {event}" for _, event, _ in cases if event["error"] is None]
    within = [abs(event["count"] - truth) <= event["error"] for truth, event, _ in cases if event["error"] is not None]
    return sum(within) / max(len(within), 1), len(cases), unknown


def check_coverage(tap, name, cases):
    cases = list(cases)
    share, nr, complaints = coverage(cases)
    if share < LEAST_SHARE:
        complaints.append(f"only {share:.3f} of {nr} cases are within their error")
    error = sum(event["error"] / truth for truth, event, _ in cases if event["error"] is not None) / nr
    miss = sum(abs(event["count"] - truth) / truth for truth, event, _ in cases) / nr
    print(f"# {name}: {share:.3f} of {nr} cases; error told {error:.3f}, made {miss:.3f}, of the count")
    for kind in sorted({kind for _, _, kind in cases}):
        own, nr_own, _ = coverage(case for case in cases if case[2] == kind)
        print(f"#   {kind}: {own:.3f} of {nr_own}")
    tap.point(name, complaints)


def check_shares(tap, recording):
    complaints = [f"{event['name']} was counted for {event['measured_share']} of the time"
                  for _, event, _ in recording.cases() if not SHARE[0] <= event["measured_share"] <= SHARE[1]]
    complaints += [f"{event['name']}: reliability {event['reliability']}"
                   for _, event, _ in recording.cases()
                   if abs(event["reliability"] - max(0, 1 - event["error"] / event["count"])) > 1e-6]
    tap.point("each event says for which part of the time it was counted, and how sure it is", complaints)


def check_sums(tap, recording):
    """All threads together: a count has a smaller error than those of its parts."""
    truth = sum(thread["pokes"] for thread in recording.truth.values())
    complaints = [f"{event['name']}: {event['count']} +- {event['count_error']}, not {truth}"
                  for event in recording.report["trace"]["pmu"]
                  if abs(event["count"] - truth) > 2 * event["count_error"] or event["count_error"] > 0.1 * truth]
    tap.point("all threads together are right within twice the error, which is below 10 %", complaints)


def check_alone(tap, recording):
    complaints = [f"{event['name']}: {event['count']} +- {event['error']}, not {truth}"
                  for truth, event, _ in recording.cases() if event["count"] != truth or event["error"] != 0 or
                  event["measured_share"] is not None]
    tap.point("four events on four counters are exact", complaints)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--annot", default="build/annot")
    parser.add_argument("directory")
    options = parser.parse_args()
    tap = Tap()
    turns = Recording(options.annot, options.directory, "turns")
    tap.point("there are twelve events of each thread",
              [] if all(len(thread["events"]) == NR_EVENTS for thread in turns.threads) and
              len(turns.threads) == len(turns.truth) else [f"{len(turns.threads)} threads"])
    check_shares(tap, turns)
    check_coverage(tap, "counts of threads are within their error as often as it says", turns.cases())
    check_coverage(tap, "and of the task, in each thread", turns.task_cases())
    check_sums(tap, turns)
    tap.point("the report says it", [] if "12 events took turns" in turns.text else [turns.text[:500]])
    check_alone(tap, Recording(options.annot, options.directory, "alone"))
    raise SystemExit(tap.failed)


main()
