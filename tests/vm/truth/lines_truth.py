#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: lines_truth.py [--annot ANNOT] DIRECTORY sharing|registers

Holds what annot report finds of cache lines against what the programs know of themselves: lines that
CPUs share, and conflicts that registers tell. Prints TAP.
"""
import argparse
import os
import subprocess
import sys

import misses_truth
from misses_truth import LINE_BYTES, Recording, point

LEAST_SAMPLES = 64
LEAST_TURNS = 0.25 * 0.5


def lines_of(recording, task):
    """Of the counters of each thing: the addresses of their lines."""
    return {line * LINE_BYTES for buffer in recording.truth["buffers"] if buffer["name"] == task
            for line in range(buffer["start"] // LINE_BYTES, (buffer["end"] - 1) // LINE_BYTES + 1)}


def shared_lines(recording):
    return {int(row["address"], 16): row for row in recording.report["false_sharing"]["rows"]}


def false_lines(recording):
    return {address for address, row in shared_lines(recording).items() if row["is_false_sharing"]}


def check_users(recording, task):
    """Both threads, on their CPUs, are told for each line; they took turns."""
    tids = {thread["tid"] for thread in recording.truth["threads"]}
    cpus = set(recording.truth["cpus"])
    rows = shared_lines(recording)
    return [f"{address:#x}: {rows.get(address)}" for address in lines_of(recording, task)
            if address not in rows or set(rows[address]["tids"]) != tids or
            set(rows[address]["cpus"]) != cpus or rows[address]["samples"] < LEAST_SAMPLES or
            rows[address]["turns"] < LEAST_TURNS * rows[address]["samples"]]


def check_false(recording, wanted):
    found = false_lines(recording)
    return [f"{address:#x}: {'not found' if address in wanted else 'found'}"
            for address in found ^ wanted]


def check_apart(recording, task):
    """Counters in lines of their own are nobody else's."""
    return [str(row) for address, row in shared_lines(recording).items()
            if address in lines_of(recording, task)]


def misses_of(recording, task):
    return sum(event["count"] for own in recording.report["tasks"] if own["name"] == task
               for event in own["events"] if event["name"].startswith("l1_cache_miss"))


def check_misses(shared, padded):
    """Each update misses, or none does."""
    nr_updates = sum(4 * span["value"] for thread in shared.truth["threads"]
                     for span in thread["spans"] if span["name"] == "falsely")
    shares = [misses_of(recording, "falsely") / nr_updates for recording in (shared, padded)]
    return [] if abs(shares[0] - 1) < 0.1 and shares[1] < 0.01 else [f"misses an update: {shares}"]


def check_diff(annot, directory):
    verdict = subprocess.run([annot, "diff", os.path.join(directory, "sharing.dat"),
                              os.path.join(directory, "sharing-padded.dat")], check=True,
                             capture_output=True, text=True).stdout.splitlines()[0]
    return [] if "l1_cache_miss:u in falsely: 100 % less" in verdict else [verdict]


def check_sharing(annot, directory):
    shared = Recording(annot, directory, "sharing")
    padded = Recording(annot, directory, "sharing-padded")
    point("sharing: each update of a shared line misses, with padding none", check_misses(shared, padded))
    point("sharing: the lines of counters side by side are shared falsely, and no others",
          check_false(shared, lines_of(shared, "falsely")))
    point("sharing: by both threads, in turn", check_users(shared, "falsely"))
    point("sharing: so are those of counters for all, but truly",
          check_users(shared, "truly") + check_users(padded, "truly"))
    point("sharing-padded: none is shared falsely", check_false(padded, set()))
    point("sharing-padded: no line of the counters is shared", check_apart(padded, "falsely"))
    point("diff of sharing and its padded twin says so in one line", check_diff(annot, directory))


def check_register(recording):
    """That which holds the address, whose values are the lines."""
    rows = [row for row in recording.report["set_conflicts"]["rows"] if row["is_conflict"]]
    return [str(row) for row in rows if row["from"] != "register" or row["register"] is None]


def check_registers(annot, directory):
    conflict = Recording(annot, directory, "conflict")
    padded = Recording(annot, directory, "conflict-padded")
    point("conflict: without addresses a register tells it, with its lines, ways and span",
          misses_truth.check_conflict(conflict, True) + check_register(conflict))
    point("conflict-padded: no register tells of one", misses_truth.check_conflict(padded, False))


def main():
    parser = argparse.ArgumentParser(description="hold what is found of lines against the programs")
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    parser.add_argument("what", choices=("sharing", "registers"))
    arguments = parser.parse_args()
    check = {"sharing": check_sharing, "registers": check_registers}[arguments.what]
    try:
        check(arguments.annot, arguments.directory)
    except (OSError, ValueError, KeyError, TypeError, IndexError,
            subprocess.CalledProcessError) as error:
        point("recordings and truth can be read", [repr(error)])
    return misses_truth.tap.failed


if __name__ == "__main__":
    sys.exit(main())
