#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: heap_truth.py DIRECTORY

Holds what annot report --by object tells of blocks of memory against the addresses of the samples of the function
touch, and what the program (tests/workloads/blocks.c) says that it allocated. Samples of the allocator are of no call:
it writes into blocks before it returns them, and after they are freed. Of the nodes of a list, which are small, one in 16 is told: what
is estimated of all is held against the addresses of the samples of the function use_nodes. Prints TAP.
"""
import argparse
import collections
import csv
import json
import os
import sys

from tracetext import Tap

# Of each call that allocates.
LEAST_SAMPLES = 50
NODES = "heap~16 make_node blocks.c:"
# How many times as far the truth may be from an estimate as the bounds of 95 % are: of 3 million right runs, one is farther off.
MOST_BOUNDS = 2.6
tap = Tap()


def said(directory):
    """(tid, start, end, object) of what each thread touched, and the comments."""
    with open(os.path.join(directory, "heap.said"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    touched = [line.split(maxsplit=3) for line in lines if not line.startswith(("#", "node "))]
    return ([(tid, int(start, 16), int(end, 16), name) for tid, start, end, name in touched],
            [line[2:] for line in lines if line.startswith("#")])


def samples(directory):
    """Tid and address of each sample of the function touch that has an address."""
    with open(os.path.join(directory, "heap.samples"), encoding="utf-8") as file:
        for line in file.read().splitlines()[1:]:
            tid, address, symbol = line.split(maxsplit=2)
            if address != "-" and symbol.split("+")[0] == "touch":
                yield tid, int(address, 16)


def nodes(directory):
    """The addresses of all."""
    with open(os.path.join(directory, "heap.said"), encoding="utf-8") as file:
        ends = [(int(start, 16), int(end, 16)) for kind, start, end in
                (line.split() for line in file if line.startswith("node "))]
    return {address for start, end in ends for address in range(start, end)}


def node_samples(directory):
    """Of each event: samples of use_nodes in nodes, and all."""
    in_nodes, every = collections.Counter(), collections.Counter()
    addresses = nodes(directory)
    with open(os.path.join(directory, "nodes.samples"), encoding="utf-8") as file:
        for line in file.read().splitlines()[1:]:
            event, address, symbol = line.split(maxsplit=2)
            every[event] += 1
            in_nodes[event] += symbol.split("+")[0] == "use_nodes" and address != "-" and int(address, 16) in addresses
    return in_nodes, every


def check_nodes(directory):
    """All samples have one period."""
    in_nodes, every = node_samples(directory)
    with open(os.path.join(directory, "heap.json"), encoding="utf-8") as file:
        rows = {row["event"]: row for row in json.load(file)["data_objects"]["objects"] if row["object"].startswith(NODES)}
    problems = [] if rows.keys() == every.keys() and len(every) == 2 else [f"events {rows.keys()} of {every.keys()}"]
    for event, row in rows.items():
        truth, told = 100 * in_nodes[event] / every[event], [row[key] for key in ("all_low_pct", "all_pct", "all_high_pct")]
        what = f"{event}: {told} % from {row['samples']} samples in {row['sampled_lines']} lines, truly {truth} %"
        print(f"# {what}")
        if None in told or row["one_of"] != 16:
            problems.append(what)
        elif not MOST_BOUNDS * (told[0] - told[1]) <= truth - told[1] <= MOST_BOUNDS * (told[2] - told[1]):
            problems.append(what)
        elif in_nodes[event] < 10 * LEAST_SAMPLES:
            problems.append(f"{event}: {in_nodes[event]} samples in nodes")
    return problems


def check_cells(directory, name):
    """One field of 8 bytes in each element of 128: no other array of structures is in the heap."""
    with open(os.path.join(directory, "heap.json"), encoding="utf-8") as file:
        rows = [row for row in json.load(file)["data_objects"]["lines"] if row["array"].startswith("heap ")]
    told = [(row["array"], row["file"], row["element_bytes"], row["used_bytes"], row["fields"]) for row in rows]
    return [] if told == [(name, None, 128, 8, ".hits 100 %")] else [f"{told}, not {name}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    options = parser.parse_args()
    touched, comments = said(options.directory)
    names = {name for _, _, _, name in touched}
    wanted, found = collections.Counter(), collections.Counter()
    for tid, address in samples(options.directory):
        for toucher, start, end, name in touched:
            if tid == toucher and start <= address < end:
                wanted[name, tid] += 1
                break
    with open(os.path.join(options.directory, "heap.csv"), encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["object"] in names:
                found[row["object"], row["tid"]] += int(row["samples"])
    totals = collections.Counter()
    for (name, _), nr in wanted.items():
        totals[name] += nr
    tap.point("five calls allocate, and each has samples",
              [f"{name}: {totals[name]}" for name in sorted(names) if totals[name] < LEAST_SAMPLES] +
              ([] if len(names) == 5 else [f"{len(names)} calls"]))
    again, cells = comments
    tap.point("the memory of one call became that of another one", [] if again == "the same memory" else [again])
    tap.point("of an array of structures, the field that is used", check_cells(options.directory, cells))
    tap.point("nodes of which some were told: all of them, as estimated", check_nodes(options.directory))
    tap.point("each sample is of the call that allocated its memory",
              [f"{key}: {wanted[key]} samples, {found[key]} told" for key in sorted(wanted.keys() | found.keys())
               if wanted[key] != found[key]])
    print(f"# {sum(wanted.values())} samples of {len(names)} calls")
    sys.exit(tap.failed)


main()
