#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: ibs_lines_truth.py [--annot ANNOT] DIRECTORY

Holds what annot report finds of cache lines by samples of instructions (AMD's IBS), most of which hit, against what the programs
of tests/vm/guest/pmu/ibs_lines.sh know of themselves. Prints TAP.
"""
import argparse
import math
import os
import subprocess
import sys

import ibs_latency
import misses_truth
from lines_truth import check_apart, check_false, check_users, false_lines, lines_of, shared_lines
from misses_truth import Recording, point
from tracetext import Text

# Of all cases but one in a million, by Poisson's distribution of many samples.
DEVIATIONS = 4.9


def conflict_of(recording):
    return next(row for row in recording.report["set_conflicts"]["rows"] if row["is_conflict"])


def check_number(recording):
    """The misses of the walk's load, by ratio, are those that the program counted in its spans."""
    row, want = conflict_of(recording), sum(recording.counts("conflict"))
    error = DEVIATIONS * want / math.sqrt(row["samples"] * want / row["misses"])
    print(f"# {row['misses']:.0f} misses by {row['samples']} samples, {want} counted: off by {error:.0f} at most")
    return [] if abs(row["misses"] - want) < error < want / 2 else [str(row)]


def check_modified(recording):
    """Each line of the counters comes from the other CPU, who has written to it, each time: no sampled load hit."""
    rows = shared_lines(recording)
    return [str(rows.get(address)) for task in ("falsely", "truly") for address in lines_of(recording, task)
            if address not in rows or not rows[address]["samples"] == rows[address]["modified"] > 0]


def check_taken(recording, directory, name):
    """What a line costs that another CPU has written to is what is drawn of such loads; the finding goes by it."""
    samples, report = Text(os.path.join(directory, f"{name}.dat")).measured.samples, recording.report
    complaints = ibs_latency.check_costs(report, samples, "ibs_op:u", ("L1", "L2", "taken line"))
    cycles = next(row["cycles"] for row in report["load_latency"]["costs"] if row["miss"] == "taken line")
    if report["false_sharing"]["cost_cycles"] != cycles:
        complaints.append(f"the finding has {report['false_sharing']['cost_cycles']} cycles, not {cycles}")
    return complaints


def check_truly(recording):
    return [f"{address:#x}" for address in false_lines(recording) & lines_of(recording, "truly")]


def measured_of(recording):
    return [(event["name"], event["period"]) for event in recording.report["trace"]["pmu"]]


def check_pair(pair, alone, counter):
    complaints = []
    for recording, want in ((pair, [("l1_cache_miss:u", 997), ("ibs_op:u", 500000)]),
                            (alone, [("l1_cache_miss:u:precise=0", 997)]),
                            (counter, [("l1_cache_miss:u", 997), ("ibs_op:u:period=2000", 2000)])):
        if measured_of(recording) != want:
            complaints.append(f"{measured_of(recording)}, not {want}")
    return complaints


def check_list(directory):
    with open(os.path.join(directory, "list"), encoding="utf-8") as file:
        text = " ".join(file.read().split())
    return [] if "places by ibs_op" in text and "for counts and density" in text else [text]


def check(annot, directory):
    conflict, conflict_padded, sharing, sharing_padded = (
        Recording(annot, directory, name)
        for name in ("conflict", "conflict-padded", "sharing", "sharing-padded"))
    point("conflict: the walk's lines compete for one set", misses_truth.check_conflict(conflict, True))
    point("conflict: as many misses by ratio as the program counted", check_number(conflict))
    point("conflict-padded: none is found", misses_truth.check_conflict(conflict_padded, False))
    point("sharing: the lines of counters side by side are shared falsely, and no others",
          check_false(sharing, lines_of(sharing, "falsely")))
    point("sharing: by both threads, in turn", check_users(sharing, "falsely"))
    point("sharing: each CPU finds them modified by the other", check_modified(sharing))
    point("sharing: a line that is taken costs what is drawn", check_taken(sharing, directory, "sharing"))
    point("sharing: counters for all are shared truly", check_truly(sharing))
    point("sharing-padded: none is shared falsely", check_false(sharing_padded, set()))
    point("sharing-padded: no line of the counters is shared", check_apart(sharing_padded, "falsely"))


    pair, alone, counter = (Recording(annot, directory, name) for name in ("pair", "alone", "counter"))
    point("pair: the core's counter brings IBS along, with a period of its own", check_pair(pair, alone, counter))
    point("counter: as many misses, shared out by the counter of misses", check_number(counter))
    point("annot list names both, and which does what", check_list(directory))


def main():
    parser = argparse.ArgumentParser(description="hold what IBS tells of lines against the programs")
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    arguments = parser.parse_args()
    try:
        check(arguments.annot, arguments.directory)
    except (OSError, ValueError, KeyError, TypeError, IndexError, StopIteration,
            subprocess.CalledProcessError) as error:
        point("recordings and truth can be read", [repr(error)])
    return misses_truth.tap.failed


if __name__ == "__main__":
    sys.exit(main())
