#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: topdown_truth.py [--annot PATH] DIRECTORY

Looks at what annot record --topdown recorded on an emulated Zen 4, whose cycles and retired ops count and whose other events do
not: retiring of each task is as the counts by task say, and all figures are in doubt, as they do not add up. Prints TAP.
"""
import argparse
import json
import os
import subprocess

from tracetext import Tap

CYCLES, RETIRED = "zen4::ls_not_halted_cyc", "ex_ret_ops"
SLOTS = 6
WITHIN = 0.02
LEAST_MEASURED = 90


def complaints_of_task(row, own):
    truth = 100 * own[RETIRED]["count"] / (SLOTS * own[CYCLES]["count"])
    print(f"# {row['task']}: retiring {row['retiring_pct']:.2f} %, {truth:.2f} % by its counts")
    if not truth > 1 or abs(row["retiring_pct"] - truth) > WITHIN * truth:
        yield f"{row['task']}: retiring {row['retiring_pct']}, not {truth}"
    if row["frontend_bound_pct"] != 0 or row["sides"] != "user" or row["measured_pct"] < LEAST_MEASURED:
        yield f"{row}"
    if row["doubt"] != "the shares do not add up to 100":
        yield f"{row['task']}: in doubt for {row['doubt']}"


def compare_tasks(report):
    events = [event["name"] for event in report["trace"]["pmu"]]
    counts = {task["name"]: dict(zip(events, task["events"])) for task in report["tasks"]}
    rows = report["topdown"]["tasks"]
    if not rows:
        return ["there are no tasks"]
    return [complaint for row in rows for complaint in complaints_of_task(row, counts[row["task"]])]


def check_findings(report):
    kinds = {finding["kind"] for finding in report["findings"]}
    return sorted(kinds & {"memory-bound", "core-bound", "front-end-bound", "bad-speculation"})


def check_told(report):
    """The core has six counters."""
    errors = {event["name"]: event["error"] for event in report["trace"]["pmu"]}
    return [f"{name}: {error}" for name, error in errors.items()
            if bool(error) != (name == "ex_no_retire.not_complete" or name == "ex_no_retire.load_not_complete")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    arguments = parser.parse_args()
    path = os.path.join(arguments.directory, "topdown")
    report = json.loads(subprocess.run([arguments.annot, "report", "--json", f"{path}.dat"], check=True,
                                       capture_output=True).stdout)
    tap = Tap()
    tap.point("retiring of tasks is as counted, and in doubt", compare_tasks(report))
    tap.point("nothing in doubt is a finding", check_findings(report))
    tap.point("events beyond the counters have none", check_told(report))
    raise SystemExit(tap.failed)


main()
