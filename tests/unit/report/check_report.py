#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: check_report.py NAME REPORT.json REPORT.csv TRUTH.json
#
# The report of one recorded trace: its keys, its sums, its CSV, and what the recorded program said
# of itself (if TRUTH.json is there). TAP.
import collections
import csv
import json
import os
import re
import subprocess
import sys

ANNOT = os.environ.get("ANNOT", "build/annot")
MAN_PAGE = "viewer/man/annot-report.1"
COUNTS = ["switches", "preemptions", "migrations"]
DIVISION = ["on_cpu_ns", "preempted_ns", "wakeup_ns", "blocked_ns", "unknown_ns"]
FIGURES = ["wall_ns", "on_cpu_ns", "useful_ns", "waiting_ns", "preempted_ns", "wakeup_ns",
           "blocked_ns", "unknown_ns", "spinning_ns", "waiting_off_cpu_ns",
           "work_off_cpu_ns", "stolen_ns"] + COUNTS
USE = ["useful_ns", "spinning_ns", "waiting_off_cpu_ns", "work_off_cpu_ns", "outside_ns", "unknown_ns", "stolen_ns"]
DISTRIBUTIONS = [f"{metric}_distribution_ns"
                 for metric in ("on_cpu", "waiting", "spinning", "preempted", "wakeup", "blocked")]
KEYS = {
    "": ["version", "trace", "topology", "threads", "tasks", "session", "findings", "catalogue"],
    "topology": ["cpu", "core", "package", "node", "caches"],
    "caches": ["level", "kind", "size_bytes", "line_bytes", "ways", "sets", "group"],
    "trace": ["file", "clock", "virtual", "hypervisor", "cpus", "start_ns", "duration_ns", "events", "switches",
              "lost_events", "lost_gaps", "missing_switches", "missing_switches_by_cpu",
              "lost_annotations", "altered_annotations",
              "reordered_annotations", "nameless_annotations", "lost_annotations_by_reason",
              "truncated", "config", "damaged", "odd_slice_counts", "pmu"],
    "damaged": ["samples", "slice_counts", "pmu_states", "pmu_events", "mappings", "cpu_places",
                "uncore_lines", "other_events"],
    "pmu": ["name", "mode", "period", "user", "kernel", "precise_asked", "precise", "error",
            "error_name", "samples", "count", "count_error", "measured_share", "reliability", "lost", "total", "unmeasured_ns",
            "enough_ns", "config", "caveats"],
    "threads": ["tid", "tgid", "comm", "in_session", "instances", "unmatched_ends",
                "events", "outside_ns"] + FIGURES,
    "events": ["name", "count", "error", "samples", "per_us", "mpki", "mpki_error",
               "measured_ns", "unmeasured_ns", "incomplete_slices", "measured_share", "reliability"],
    "tasks": ["name", "kind", "instances", "open_ends", "threads", "load_balance",
              "imbalance_pct", "imbalance_time_ns", "by_thread", "events"] + FIGURES +
    DISTRIBUTIONS,
    "by_thread": ["tid", "comm", "instances", "events"] + FIGURES,
    "session": ["from_ns", "to_ns"],
    "findings": ["kind", "time_lost_ns", "time_lost_at_most_ns", "cpu_time_lost_ns", "gain_ns", "gain_least_ns", "gain_most_ns", "what_if", "text", "confidence", "evidence", "caveats"],
    "evidence": ["from_ns", "to_ns", "tids", "threads", "cpus"],
    "distribution": ["sum", "min", "median", "max"],
}


class Checks:
    def __init__(self, name):
        self.name = name

    def point(self, what, wrong):
        for line in wrong[:10]:
            print(f"# {line}")
        print(f"{'not ok' if wrong else 'ok'} - {self.name}: {what}")


def analyses():
    """The names of all there are, as the command's help lists them."""
    text = subprocess.run([ANNOT, "report", "--help"], check=True, capture_output=True,
                          text=True).stdout
    return re.findall(r"^  (\w+)", text.split("Analyses to show:")[1], re.MULTILINE)


def objects(report):
    """(kind, object) of all there are."""
    yield "", {key: report[key] for key in report if key not in analyses()}
    yield "session", report["session"]
    for finding in report["findings"]:
        yield "findings", finding
        yield "evidence", finding["evidence"]
    yield "trace", report["trace"]
    yield "damaged", report["trace"]["damaged"]
    for event in report["trace"]["pmu"]:
        yield "pmu", event
    for place in report["topology"]:
        yield "topology", place
        for cache in place["caches"]:
            yield "caches", cache
    for one in report["threads"] + report["tasks"]:
        for part in [one] + one.get("by_thread", []):
            for event in part["events"]:
                yield "events", event
    for thread in report["threads"]:
        yield "threads", thread
    for task in report["tasks"]:
        yield "tasks", task
        for thread in task["by_thread"]:
            yield "by_thread", thread
        for key in ["wall_ns"] + DISTRIBUTIONS:
            yield "distribution", task[key]


def wrong_keys(report):
    for kind, found in objects(report):
        if sorted(found) != sorted(KEYS[kind]):
            yield f"{kind}: {sorted(set(found) ^ set(KEYS[kind]))}"
    with open(MAN_PAGE, encoding="utf-8") as file:
        documented = set(re.findall(r"[a-z_]+", " ".join(
            line for line in file if line.startswith((".It Cm", ".Cm")))))
    keys = {key for keys in KEYS.values() for key in keys} | set(analyses())
    for key in sorted(keys - documented):
        yield f"{key} is not in the man page"


def wrong_sums(report):
    for thread in report["threads"]:
        if sum(thread[key] for key in DIVISION) != thread["wall_ns"]:
            yield f"thread {thread['tid']}: its wall time is not what it is divided into"
        if sum(thread[key] or 0 for key in USE) != thread["wall_ns"]:
            yield f"thread {thread['tid']}: its wall time is not what it was for"
        if thread["wall_ns"] > report["trace"]["duration_ns"]:
            yield f"thread {thread['tid']}: lives longer than the trace"
        if thread["useful_ns"] > thread["on_cpu_ns"]:
            yield f"thread {thread['tid']}: more useful than on CPUs"
    for task in report["tasks"]:
        name = task["name"]
        for thread in task["by_thread"]:
            if sum(thread[key] for key in DIVISION) != thread["wall_ns"]:
                yield f"{name}, {thread['tid']}: wall time is not what it is divided into"
        for key in ["instances"] + FIGURES:
            if task[key] is None:
                continue
            total = sum(thread[key] for thread in task["by_thread"])
            if (task[key]["sum"] if key == "wall_ns" else task[key]) != total and \
                    key != "useful_ns":
                yield f"{name}: {key} is not the sum of the threads'"
        for key in DISTRIBUTIONS:
            if task[key]["sum"] != task[key.replace("_distribution", "")]:
                yield f"{name}: {key} has another sum"
            if not task[key]["min"] <= task[key]["median"] <= task[key]["max"]:
                yield f"{name}: {key} is not in order"
        if task["threads"] != len(task["by_thread"]):
            yield f"{name}: threads"


def wrong_balance(report):
    for task in report["tasks"]:
        useful = [thread["useful_ns"] for thread in task["by_thread"]]
        number, most, average = len(useful), max(useful), sum(useful) / len(useful)
        expected = [None, None, None]
        if task["kind"] == "work" and most:
            expected = [average / most, None, most - average]
            if number > 1:
                expected[1] = (most - average) / most * number / (number - 1) * 100
        found = [task["load_balance"], task["imbalance_pct"], task["imbalance_time_ns"]]
        for want, got, slack in zip(expected, found, (1e-9, 1e-6, 0.6)):
            if (want is None) != (got is None) or (want is not None and abs(want - got) > slack):
                yield f"{task['name']}: {found}, not {expected}"


def wrong_csv(report, path):
    with open(path, newline="", encoding="utf-8") as file:
        text = file.read()
    if "\n" in text.replace("\r\n", ""):
        yield "a line does not end in CR LF"
    rows = list(csv.DictReader(text.splitlines()))
    expected = [(task, thread) for task in report["tasks"] for thread in task["by_thread"]]
    if len(rows) != len(expected):
        yield f"{len(rows)} rows, not {len(expected)}"
    for row, (task, thread) in zip(rows, expected):
        if (row["task"], row["kind"], row["comm"]) != (task["name"], task["kind"], thread["comm"]):
            yield f"{row}"
        for key in ["tid", "instances"] + FIGURES:
            if row[key] != ("" if thread[key] is None else str(thread[key])):
                yield f"{task['name']}, {thread['tid']}: {key}"


def wrong_truth(report, truth):
    """The spans each thread says it made are those of the report, by name and kind."""
    said, found = collections.Counter(), collections.Counter()
    for thread in truth["threads"]:
        for span in thread["spans"]:
            said[thread["tid"], span["name"], span["kind"]] += 1
    for task in report["tasks"]:
        for thread in task["by_thread"]:
            found[thread["tid"], task["name"], task["kind"]] += thread["instances"]
    for key in sorted(set(said) | set(found)):
        if said[key] != found[key]:
            yield f"{key}: {found[key]}, the program says {said[key]}"
    tids = {thread["tid"]: thread for thread in report["threads"]}
    for thread in truth["threads"]:
        ours = tids.get(thread["tid"])
        if not ours:
            yield f"thread {thread['tid']} is not in the report"
        elif (ours["tgid"], ours["comm"], ours["in_session"]) != \
                (thread["tgid"], thread["name"], True):
            yield f"thread {thread['tid']}: {ours['tgid']}, {ours['comm']}, {ours['in_session']}"
        if ours and ours["unmatched_ends"]:
            yield f"thread {thread['tid']}: ends without a begin"
    if any(task["open_ends"] for task in report["tasks"]):
        yield "spans without an end"


def main():
    name, report_path, csv_path, truth_path = sys.argv[1:]
    checks = Checks(name)
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    checks.point("keys", list(wrong_keys(report)))
    checks.point("sums", list(wrong_sums(report)))
    checks.point("balance", list(wrong_balance(report)))
    checks.point("CSV", list(wrong_csv(report, csv_path)))
    if os.path.exists(truth_path):
        with open(truth_path, encoding="utf-8") as file:
            checks.point("the program's own account", list(wrong_truth(report, json.load(file))))


main()
