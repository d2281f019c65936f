#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: check_measured.py REPORT.json REPORT.csv
#
# The report of the trace that measured.sh tells, against its story: each figure worked out by hand.
# Says what is wrong.
import csv
import json
import math
import sys

ERROR_SHARE = 0.01  # that the command's formula may be off the exact interval

# 10 M instructions in a slice of 10 ms, of which hot has 0.4 and cold, too: 6 M more at most.
SHARED = 6e6


def most_due(seen):
    """The mean of Poisson's distribution with which so few are seen one time in 40."""
    low, high = 0.0, 10.0 * (seen + 1)
    for _ in range(100):
        mean = (low + high) / 2
        chance = sum(math.exp(-mean) * mean ** n / math.factorial(n) for n in range(seen + 1))
        low, high = (mean, high) if chance > 0.025 else (low, mean)
    return low


def sampled(seen):
    return 1000 * (most_due(seen) - seen)


def off(misses, error, instructions, shared):
    """How far MPKI may be from what it is told to be."""
    told = 1000 * misses / instructions
    return max(1000 * (misses + error) / (instructions - shared) - told,
               told - 1000 * max(misses - error, 0) / (instructions + shared))


TASKS = {   # name: event: samples, count, error, per us, MPKI, its error
    "hot": {"l1_cache_miss": (12, 12000, sampled(12), 1.5, 12000 / 7e3,
                              off(12000, sampled(12), 7e6, SHARED)),
            "instr_retired": (None, 7e6, SHARED, 875, None, None)},
    "cold": {"l1_cache_miss": (2, 2000, sampled(2), 0.5, 0.5, None),
             "instr_retired": (None, 4e6, SHARED, 1000, None, None)},
    "idle": {"l1_cache_miss": (0, 0, sampled(0), None, None, None), "instr_retired": (None,) * 6},
}
THREADS = {     # tid: the same
    100: {"l1_cache_miss": (10, 10000, sampled(10), 1, 1, off(10000, sampled(10), 10e6, 0)),
          "instr_retired": (None, 10e6, 0, 1000, None, None)},
    101: {"l1_cache_miss": (4, 4000, sampled(4), 1, 4000 / 3e3, off(4000, sampled(4), 3e6, 0)),
          "instr_retired": (None, 3e6, 0, 750, None, None)},
}
HOT_BY_THREAD = {
    100: {"l1_cache_miss": (8, 8000, sampled(8), 2, 2, None),
          "instr_retired": (None, 4e6, SHARED, 1000, None, None)},
    101: THREADS[101],
}
TREE = {    # name: misses and instructions, MPKI
    "hot": (12000, 7e6, 12000 / 7e3), "cold": (2000, 4e6, 0.5), "idle": (0, None, None),
}
PMU = [
    {"name": "l1_cache_miss", "mode": "sample", "period": 1000, "user": True, "kernel": False,
     "precise_asked": 3, "precise": 2, "error": 0, "error_name": None, "samples": 15,
     "count": 15000, "count_error": sampled(15), "lost": 3, "total": 15432, "unmeasured_ns": 0, "enough_ns": None},
    {"name": "instr_retired", "mode": "count", "period": None, "user": True, "kernel": False,
     "precise_asked": None, "precise": None, "error": 0, "error_name": None, "samples": None,
     "count": 13e6, "count_error": 0, "lost": None, "total": None, "unmeasured_ns": 0},
    {"name": "dtlb_load_miss", "mode": "sample", "period": 1000, "user": True, "kernel": True,
     "precise_asked": 3, "precise": None, "error": 19, "error_name": "ENODEV", "samples": None,
     "count": None, "count_error": None, "lost": None, "total": None},
]


KEYS = ("samples", "count", "error", "per_us", "mpki", "mpki_error")


def near(what, found, expected):
    if found is None or expected is None or isinstance(expected, (str, bool)):
        return found is expected or found == expected
    share = ERROR_SHARE if "error" in what else 1e-9
    return abs(found - expected) <= share * max(1, abs(expected))


def differ(what, found, expected):
    if not near(what, found, expected):
        print(f"{what}: {found}, not {expected}")


def check_events(what, events, expected):
    found = {event["name"]: event for event in events}
    for name, figures in (expected | {"dtlb_load_miss": (None,) * len(KEYS)}).items():
        for key, figure in zip(KEYS, figures):
            differ(f"{what}: {name}: {key}", found[name][key], figure)


def check_json(report):
    for found, expected in zip(report["trace"]["pmu"], PMU, strict=True):
        for key, value in expected.items():
            differ(f"{expected['name']}: {key}", found[key], value)
    tasks = {task["name"]: task for task in report["tasks"]}
    for name, expected in TASKS.items():
        check_events(name, tasks[name]["events"], expected)
    for thread in report["threads"]:
        check_events(thread["tid"], thread["events"], THREADS[thread["tid"]])
    check_tree(report["task_tree"])
    for thread in tasks["hot"]["by_thread"]:
        check_events(f"hot, {thread['tid']}", thread["events"], HOT_BY_THREAD[thread["tid"]])


def check_tree(tree):
    differ("what MPKI is of", tree["mpki_of"], "l1_cache_miss")
    nodes = {node["name"]: node for node in tree["nodes"]}
    for name, (misses, instructions, mpki) in TREE.items():
        node = nodes[name]
        differ(f"tree: {name}: MPKI", node["mpki"], mpki)
        differ(f"tree: {name}: misses", node["misses"]["l1_cache_miss"], misses)
        differ(f"tree: {name}: instructions", node["misses"]["instr_retired"], instructions)
        if "dtlb_load_miss" in node["misses"]:
            print("tree: an event that was refused")


def check_csv(rows):
    hot = {int(row["tid"]): row for row in rows if row["task"] == "hot"}
    for tid, events in HOT_BY_THREAD.items():
        for event, figures in (events | {"dtlb_load_miss": (None,) * len(KEYS)}).items():
            for key, figure in zip(KEYS[1:], figures[1:]):
                found = hot[tid][f"{event}_{key}"]
                if figure is None:
                    differ(f"CSV: {tid}: {event}_{key}", found, "")
                elif abs(float(found) - figure) > (ERROR_SHARE if "error" in key else 1e-5) * max(1, figure):
                    print(f"CSV: {tid}: {event}_{key}: {found}, not {figure}")


with open(sys.argv[1], encoding="utf-8") as file:
    check_json(json.load(file))
with open(sys.argv[2], encoding="utf-8", newline="") as file:
    check_csv(list(csv.DictReader(file)))
