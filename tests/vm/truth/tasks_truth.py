#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: tasks_truth.py [--annot ANNOT] DIRECTORY

Holds what annot report says of misses and instructions by task, as count_tasks.sh recorded them,
against what the program pieces knows of itself. Prints TAP.
"""
import argparse
import subprocess
import sys

from reported import Reported
from tracetext import Tap

MISSES, INSTRUCTIONS = "l3_cache_miss", "instr_retired"
EXACT_SHARE = 0.02
MOST_OUTSIDE = 3    # of 27 intervals that hold in 95 of 100; some go by the same samples
KERNEL_INSTRUCTIONS = 4000  # of a piece: two annotations, a move now and then, the timer
tap = Tap()
point = tap.point


class Recording(Reported):
    def __init__(self, annot, directory, name):
        super().__init__(annot, directory, name)
        self.truth = self.truth["tasks"]
        self.tasks = {task["name"]: task for task in self.report["tasks"]}

    def events(self, event, counted):
        """Of each task: its name, the event's figures, and the truth."""
        for name, truth in self.truth.items():
            for row in self.tasks[name]["events"]:
                if row["name"].split(":")[0] == event and row["name"].endswith(":u") and \
                        (row["samples"] is None) == counted:
                    yield name, row, truth


def mpki(truth):
    return 1000 * truth["misses"] / truth["instructions"]


def near(name, what, told, truth, allowed):
    return [] if abs(told - truth) <= allowed else [f"{name}: {what} {told}, not {truth}"]


def check_complete(recording):
    trace, tasks = recording.report["trace"], recording.tasks
    complaints = [f"{trace['lost_events']} events lost"] if trace["lost_events"] else []
    return complaints + [f"{name}: {tasks[name]['instances']} pieces, not {truth['pieces']}"
                         for name, truth in recording.truth.items()
                         if tasks[name]["instances"] != truth["pieces"]]


def check_instructions(recording):
    complaints = []
    for name, row, truth in recording.events(INSTRUCTIONS, True):
        complaints += near(name, "instructions", row["count"], truth["instructions"],
                           EXACT_SHARE * truth["instructions"])
        complaints += [] if row["error"] == 0 else [f"{name}: an error of {row['error']}"]
    return complaints


def check_misses(recording):
    complaints = []
    for name, row, truth in recording.events(MISSES, True):
        complaints += near(name, "misses", row["count"], truth["misses"],
                           EXACT_SHARE * truth["misses"])
        complaints += [] if row["error"] == 0 else [f"{name}: an error of {row['error']}"]
        if row["mpki_error"] != 0:
            complaints.append(f"{name}: MPKI {row['mpki']}, an error of {row['mpki_error']}")
        complaints += near(name, "MPKI", row["mpki"], mpki(truth), EXACT_SHARE * mpki(truth))
    return complaints


def threads_count(recording, event):
    return sum(row["count"] for thread in recording.report["threads"] for row in thread["events"]
               if thread["comm"] == "pieces" and row["name"] == f"{event}:u")


def check_threads(recording, other):
    """A group is read at switches and ticks: threads have what they have in another recording."""
    complaints = []
    for event in (MISSES, INSTRUCTIONS):
        truth = threads_count(other, event)
        complaints += near("threads", event, threads_count(recording, event), truth, EXACT_SHARE * truth)
    return complaints


def check_bounds(recording):
    """What is counted in a tick may be of any of its tasks: that is in the error."""
    complaints = []
    for event, key in ((MISSES, "misses"), (INSTRUCTIONS, "instructions")):
        for name, row, truth in recording.events(event, True):
            complaints += near(name, event, row["count"], truth[key], row["error"] + EXACT_SHARE * truth[key])
            if name == "many_1000k" and row["error"] > 0.5 * truth[key]:
                complaints.append(f"{name}: {event}, an error of {row['error']}")
    return complaints


def check_kernel(recording):
    """What annotating takes in the kernel is counted, apart, and is not much."""
    complaints = []
    for name, truth in recording.truth.items():
        rows = [row for row in recording.tasks[name]["events"] if row["name"] == f"{INSTRUCTIONS}:k"]
        if len(rows) != 1 or rows[0]["error"] != 0 or \
                not 0 < rows[0]["count"] < KERNEL_INSTRUCTIONS * truth["pieces"] + 0.2 * truth["instructions"]:
            complaints.append(f"{name}: {rows}")
    return complaints


def outside(recording, with_mpki):
    """Intervals that the truth is not in; and how many there are."""
    found, nr = [], 0
    for name, row, truth in recording.events(MISSES, False):
        nr += 1
        if abs(row["count"] - truth["misses"]) > row["error"]:
            found.append(f"{name}: {row['count']} +- {row['error']}, not {truth['misses']}")
        if not with_mpki:
            continue
        nr += 1
        if abs(row["mpki"] - mpki(truth)) > row["mpki_error"]:
            found.append(f"{name}: MPKI {row['mpki']} +- {row['mpki_error']}, not {mpki(truth)}")
    return found, nr


def check_intervals(recordings, wanted):
    found, nr = [], 0
    for recording, with_mpki in recordings:
        more, of = outside(recording, with_mpki)
        found += more
        nr += of
    for complaint in found:
        print(f"# {complaint}")
    return [] if nr == wanted and len(found) <= MOST_OUTSIDE else \
        [f"{len(found)} of {nr} intervals do not hold"]


def check_all(recordings):
    for name in ("count", "count_both", "sample_count", "write"):
        recording = recordings(name)
        point(f"{name}: nothing is lost", check_complete(recording))
        point(f"{name}: instructions by task are exact, within 2 %", check_instructions(recording))
        point(f"{name}: misses by task and MPKI are exact, within 2 %", check_misses(recording))
    group = recordings("group")
    point("group: nothing is lost", check_complete(group))
    point("group: misses and instructions by thread are exact, within 2 %",
          check_threads(group, recordings("count")))
    point("group: misses and instructions by task are within their errors", check_bounds(group))
    point("count_both: the kernel's instructions stand apart", check_kernel(recordings("count_both")))
    point("sample: nothing is lost", check_complete(recordings("sample")))
    point("of what was sampled, the truth lies in 95 of 100 intervals",
          check_intervals([(recordings("sample"), False), (recordings("sample_count"), True)], 27))


def main():
    parser = argparse.ArgumentParser(description="hold counts by task against the program")
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    arguments = parser.parse_args()
    try:
        check_all(lambda name: Recording(arguments.annot, arguments.directory, name))
    except (OSError, ValueError, KeyError, TypeError, subprocess.CalledProcessError) as error:
        point("recordings and truth can be read", [repr(error)])
    return tap.failed


if __name__ == "__main__":
    sys.exit(main())
