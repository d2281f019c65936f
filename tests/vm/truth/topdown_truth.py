#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: topdown_truth.py [--annot PATH] DIRECTORY

Looks at what annot record --topdown recorded on an emulated Zen 4, whose cycles and retired ops count and whose other events do
not: retiring of each task is what the emulator makes it, one instruction a cycle, and so say its counts, within their errors, as
eight events take turns on six counters. All figures are in doubt, as they do not add up. Of level 2, in groups that take turns:
what retires is light, as no microcode is counted, and nothing divides bad speculation. Prints TAP.
"""
import argparse
import json
import math
import os
import subprocess

from tracetext import Tap

CYCLES, RETIRED = "zen4::ls_not_halted_cyc", "ex_ret_ops"
SLOTS = 6
WITHIN = 0.02
# An error is of 95 cases in 100, by Student's distribution: with the 14 degrees of freedom of 60 ms, in which there are 15 turns, four times
# that is of all but one in a million. With fewer turns the error itself is known less well than that.
ERRORS = 4
LEAST_NS = 60_000_000
LEAST_MEASURED = 0.05
LEAST_SHARE, MOST_SHARE = 0.5, 0.751


def complaints_of_task(row, own):
    retired, cycles = own[RETIRED], own[CYCLES]
    truth, counted = 100 / SLOTS, 100 * retired["count"] / (SLOTS * cycles["count"])
    is_known = retired["error"] is not None and cycles["error"] is not None and row["on_cpu_ns"] >= LEAST_NS
    error = counted * (retired["error"] / retired["count"] + cycles["error"] / cycles["count"]) if is_known else math.inf
    print(f"# {row['task']}: retiring {row['retiring_pct']:.2f} %, {counted:.2f} +- {error:.2f} % by its counts, of"
          f" {row['measured_pct']:.0f} % of the time")
    if abs(row["retiring_pct"] - truth) > WITHIN * truth:
        yield f"{row['task']}: retiring {row['retiring_pct']}, not {truth}"
    if abs(counted - truth) > ERRORS * error:
        yield f"{row['task']}: {counted} +- {error} by its counts, not {truth}"
    if row["frontend_bound_pct"] != 0 or row["sides"] != "user":
        yield f"{row}"
    if row["doubt"] != "the shares do not add up to 100":
        yield f"{row['task']}: in doubt for {row['doubt']}"


def compare_tasks(report):
    events = [event["name"] for event in report["trace"]["pmu"]]
    counts = {task["name"]: dict(zip(events, task["events"])) for task in report["tasks"]}
    rows = report["topdown"]["tasks"]
    # A short task may find the events out of turn, nearly all of its time or all of it.
    measured_ns = sum(row["measured_pct"] / 100 * row["on_cpu_ns"] for row in rows)
    if not measured_ns > LEAST_MEASURED * sum(row["on_cpu_ns"] for row in rows):
        return [f"measured for {measured_ns} ns: {rows}"]
    return [complaint for row in rows if row["measured_pct"]
            for complaint in complaints_of_task(row, counts[row["task"]])]


def check_findings(report):
    kinds = {finding["kind"] for finding in report["findings"]}
    return sorted(kinds & {"memory-bound", "core-bound", "front-end-bound", "bad-speculation"})


def check_told(report):
    """The core has six counters: eight events have three quarters of the time on average, less what turns take, and none all."""
    shares = {event["name"]: event["measured_share"] for event in report["trace"]["pmu"]}
    complaints = [f"{event['name']}: error {event['error']}, {event['measured_share']} of the time"
                  for event in report["trace"]["pmu"] if event["error"] or not LEAST_SHARE < event["measured_share"] < 1]
    mean = sum(shares.values()) / len(shares)
    return complaints if LEAST_SHARE < mean < MOST_SHARE else complaints + [f"{mean} of the time: {shares}"]


def complaints_of_level2(row):
    truth = 100 / SLOTS
    if abs(row["light_operations_pct"] - truth) > WITHIN * truth:
        yield f"{row['task']}: light operations {row['light_operations_pct']}, not {truth}"
    if row["heavy_operations_pct"] or row["fetch_latency_pct"] or row["fetch_bandwidth_pct"]:
        yield f"{row}"
    if row["branch_mispredicts_pct"] is not None or row["machine_clears_pct"] is not None:
        yield f"{row['task']}: bad speculation is divided, without a restart: {row}"


def compare_level2(report):
    """Of tasks that saw the groups of both figures in their turns: in short ones, that is by chance."""
    rows = [row for row in report["topdown"]["level2_tasks"]
            if None not in (row["light_operations_pct"], row["fetch_latency_pct"])]
    for row in rows:
        print(f"# {row['task']}: light operations {row['light_operations_pct']} %, of {row['measured_pct']:.0f} % of the time")
    return [complaint for row in rows for complaint in complaints_of_level2(row)] if rows else ["no task saw the groups"]


def report_of(annot, path):
    return json.loads(subprocess.run([annot, "report", "--json", path], check=True, capture_output=True).stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    arguments = parser.parse_args()
    report, level2 = (report_of(arguments.annot, os.path.join(arguments.directory, f"{name}.dat")) for name in ("topdown", "level2"))
    tap = Tap()
    tap.point("retiring of tasks is as counted, and in doubt", compare_tasks(report))
    tap.point("nothing in doubt is a finding", check_findings(report))
    tap.point("eight events take turns on six counters", check_told(report))
    tap.point("level 2, in groups that take turns", compare_level2(level2))
    raise SystemExit(tap.failed)


main()
