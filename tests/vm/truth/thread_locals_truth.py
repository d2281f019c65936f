#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: thread_locals_truth.py DIRECTORY NAME

Holds what annot report --by object and annot samples tell of thread-local variables, in NAME.csv and NAME.samples, against the
addresses of the samples, and what the program (tests/workloads/thread_locals.c) says is there, in NAME.said. Prints TAP.
"""
import collections
import csv
import os
import sys

from tracetext import Tap

# Of each variable of each thread.
LEAST_SAMPLES = 50
tap = Tap()


def said(path):
    """(tid, name, start, end, step) of each thread's."""
    with open(path, encoding="utf-8") as file:
        return [(tid, name, int(start, 16), int(end, 16), int(step, 16))
                for tid, name, start, end, step in map(str.split, file)]


def samples(path):
    """Tid, address and what the data is called, of each sample that has an address."""
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines()[1:]:
            tid, address, data = line.split()
            if address != "-":
                yield tid, int(address, 16), data


def field_of(name, offset, step):
    """As debug information has it."""
    if name == "plain":
        return f"plain[{offset}]"
    return f"table[{offset // step}]" + (".used" if offset % step == 8 else f"+{offset % step}")


def main():
    directory, name = sys.argv[1:]
    path = os.path.join(directory, name)
    variables = said(path + ".said")
    wanted, found = collections.Counter(), collections.Counter()
    wrong, unknown = [], 0
    for tid, address, data in samples(path + ".samples"):
        owners = [row for row in variables if row[2] <= address < row[3]]
        unknown += data == "-"
        if not owners:
            continue
        owner, variable, start, _, step = owners[0]
        suffix = "" if owner == tid else f" (thread-local of tid {owner})"
        wanted[variable + suffix, tid] += 1
        field = field_of(variable, address - start, step) + suffix.replace(" ", "_")
        if data != field:
            wrong.append(f"{address:#x} of {tid}: {data}, not {field}")
    with open(path + ".csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["kind"] == "thread-local" and row["object"].split(" ")[0] in ("table", "plain"):
                found[row["object"], row["tid"]] += int(row["samples"])
                if row["file"] != "thread_locals":
                    wrong.append(f"{row['object']} is of {row['file']}")
    tap.point("three threads, and the last walks through another one's",
              ([] if len(wanted) == 7 else [str(wanted)]) +
              [f"{key}: {nr}" for key, nr in wanted.items() if nr < LEAST_SAMPLES])
    tap.point("each sample is of its variable, and of its thread",
              [f"{key}: {wanted[key]} samples, {found[key]} told" for key in sorted(wanted.keys() | found.keys())
               if wanted[key] != found[key]])
    tap.point("each sample has its field", wrong[:20])
    print(f"# {sum(wanted.values())} samples of {len(wanted)} variables, {unknown} of unknown data")
    sys.exit(tap.failed)


main()
