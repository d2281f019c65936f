#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: objects_truth.py [--annot ANNOT] DIRECTORY

Holds what annot report --by object tells of samples against the addresses of them, and what the program
(tests/vm/guest/misses/objects.c) says is there. Prints TAP.
"""
import argparse
import collections
import csv
import json
import os
import subprocess
import sys

from tracetext import Tap

# Of each object that is walked, in each event.
LEAST_SAMPLES = 100
tap = Tap()


def said(directory):
    """The innermost first: (name, kind, start, end)."""
    with open(os.path.join(directory, "objects.said"), encoding="utf-8") as file:
        return [(name, kind, int(start, 16), int(end, 16))
                for name, kind, start, end in map(str.split, file)]


def owner_of(objects, address, task):
    for name, kind, start, end in objects:
        if start <= address < end:
            return ("[unknown]", "unknown") if task == "after" else (name, kind)
    return None


def samples(annot, directory):
    """Event, tid, task, address and data of each sample of the session that has an address."""
    text = subprocess.run([annot, "samples", "--columns", "event,tid,task,addr,data",
                           os.path.join(directory, "objects.dat")],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in text.splitlines()[1:]:
        event, tid, task, address, data = line.split(maxsplit=4)
        if address != "-":
            yield event, tid, task.replace("_", " "), int(address, 16), data


def rows(directory, kinds):
    """Without those of variables that have the name of an object, which some of them point to."""
    with open(os.path.join(directory, "objects.csv"), encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if kinds.get(row["object"], row["kind"]) == row["kind"]]


def judge_lines(directory, nr_stores):
    """The program uses 8 of an element's 128 bytes, so 8 of 64 in each line that it fetches."""
    with open(os.path.join(directory, "objects.json"), encoding="utf-8") as file:
        lines = json.load(file)["data_objects"]["lines"]
    told = [(row["array"], row["element_bytes"], row["used_bytes"], row["used_line_bytes"], row["fields"], row["accesses"],
             row["samples"]) for row in lines if row["array"] == "elements"]
    wanted = [("elements", 128, 8, 8, ".used 100 %", "stores", nr_stores)]
    return [] if told == wanted else [f"{told}, not {wanted}"]


def differences(wanted, found):
    return [f"{key}: {wanted[key]} samples, {found[key]} told" for key in sorted(wanted.keys() | found.keys())
            if wanted[key] != found[key]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    options = parser.parse_args()
    objects = said(options.directory)
    names = {name for name, _, _, _ in objects}
    wanted, found = collections.Counter(), collections.Counter()
    threads = collections.defaultdict(set)
    after, named = 0, []
    for event, tid, task, address, data in samples(options.annot, options.directory):
        owner = owner_of(objects, address, task)
        if owner and owner[1] != "unknown":
            wanted[(event, *owner, task, tid)] += 1
            threads[owner[0]].add(tid)
        if owner and owner[1] == "unknown":
            after += 1
            named += [data] if data != "-" else []
    table = rows(options.directory, {name: kind for name, kind, _, _ in objects})
    for row in table:
        if row["object"] in names:
            found[(row["event"], row["object"], row["kind"],
                   "-" if row["task"] == "(no task)" else row["task"], row["tid"])] += int(row["samples"])
    totals = collections.Counter()
    for (event, name, _, _, _), nr in wanted.items():
        totals[event, name] += nr
    events = {event for event, _ in totals}
    tap.point("each object has samples, of both events",
              [f"{event} {name}: {totals[event, name]}" for event in events for name in sorted(names)
               if totals[event, name] < LEAST_SAMPLES] + ([] if len(events) == 2 else [str(events)]))
    tap.point("each sample is of its object, task and thread", differences(wanted, found))
    unknown = sum(int(row["samples"]) for row in table if row["object"] == "[unknown]" and row["task"] == "after")
    # The thread's own memory may be hit there as well, which is not known either.
    tap.point("of memory whose name has ended, it is not known",
              named + ([] if 0 < after <= unknown else [f"{after} samples, {unknown} told"]))
    stack = sum(int(row["samples"]) for row in table if row["kind"] == "stack")
    tap.point("the first thread has a stack", [] if stack else ["no sample of it"])
    tap.point("who touched each object",
              [f"{row['object']}: {row['threads']}, not {len(threads[row['object']])}" for row in table
               if row["object"] in names and int(row["threads"]) != len(threads[row["object"]])])
    tap.point("how much of a line is used", judge_lines(options.directory, totals["memory_stores:u", "elements"]))
    print(f"# {sum(wanted.values())} samples of {len(names)} objects")
    sys.exit(tap.failed)


main()
