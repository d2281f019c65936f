#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: interference.py [--annot PATH] [--equal] DIRECTORY WORKLOAD...

Holds what annot report finds in contend.dat or migrate.dat of DIRECTORY against what the workloads
measured themselves, and the migrations against what trace-cmd prints. Prints TAP.

--equal is for a guest in which equal work takes equal time: its time is the instructions executed,
or its CPUs take turns. Where they are emulated in parallel, each stands still at times, threads with
the same work do not take the same time, and what looks like imbalance is.
"""
import argparse
import subprocess
import sys

from tracetext import Tap
from truth import Run, task_cpu_ns


def findings(run, kind):
    return [finding for finding in run.report["findings"] if finding["kind"] == kind]


PROGRAMS = {"contend-a": "smvp", "contend-b": "match"}


def lost_by_others(run, victim):
    """What a program lost to each other: {name: ns}."""
    return {row["by_program"]: row["lost_ns"] for row in run.report["interference"]["programs"]
            if row["victim_program"] == victim and row["by_program"] not in (victim, None)}


def check_names_the_other(run):
    """
    The other program is the cause that is found first, and the greatest of each of the two. That
    the recorder took some of the CPU, too, may be true, and is not for the workload to tell.
    """
    found = findings(run, "interference")
    complaints = [] if found else ["no interference found"]
    for finding in found[:1]:
        if any(name not in finding["text"] for name in PROGRAMS):
            complaints.append(f"not the two programs: {finding['text']}")
        threads = {thread["tid"] for thread in run.truth_threads}
        if not threads & set(finding["evidence"]["tids"]):
            complaints.append(f"no thread of theirs: {finding['evidence']}")
    for victim in PROGRAMS:
        lost = lost_by_others(run, victim)
        worst = max(lost, key=lost.get, default=None)
        if worst not in PROGRAMS:
            complaints.append(f"{victim} lost most to {worst}: {lost}")
    return complaints


def check_no_imbalance(run):
    """All threads of a program have the same work to do."""
    return [finding["text"] for finding in findings(run, "imbalance")]


def check_pairs(run):
    """What was taken from each thread while it worked is part of all that was booked on it."""
    complaints = []
    for thread in run.truth_threads:
        wanted = sum(span["end_ns"] - span["start_ns"] - span["cpu_ns"]
                     for span in thread["spans"] if span["name"] in PROGRAMS.values())
        row = run.threads[thread["tid"]]
        got = row["preempted_ns"] + row["wakeup_ns"]
        if got < wanted * 0.9 - 5_000_000:
            complaints.append(f"{thread['name']}: {got} ns, it missed {wanted} ns")
    booked = sum(row["preempted_ns"] + row["queued_ns"]
                 for row in run.report["interference"]["programs"])
    waited = sum(row["preempted_ns"] + row["wakeup_ns"]
                 for row in run.report["threads"] if row["in_session"])
    if booked != waited:
        complaints.append(f"{booked} ns are booked, threads waited {waited} ns")
    return complaints


def check_lost_is_possible(run):
    """A program cannot have lost more than it took beyond the work of its busiest thread."""
    complaints = []
    for name, task in PROGRAMS.items():
        threads = [thread for thread in run.truth_threads if thread["spans"]
                   and thread["spans"][0]["name"] == task]
        begin = min(span["start_ns"] for thread in threads for span in thread["spans"])
        end = max(span["end_ns"] for thread in threads for span in thread["spans"])
        most = end - begin - max(task_cpu_ns(thread, task) for thread in threads)
        lost = max(lost_by_others(run, name).values(), default=0)
        if lost > most + 10_000_000:
            complaints.append(f"{name}: {lost} ns, no more than {most} ns can be")
        if not lost:
            complaints.append(f"{name} lost nothing")
    return complaints


def check_matrix(run):
    """Those moved themselves, as they say; of the others of the session, trace-cmd tells."""
    report = run.report["migrations"]
    size = len(report["matrix"])
    wanted = [[0] * size for _ in range(size)]
    known = {thread["tid"] for thread in run.truth_threads}
    for thread in run.truth_threads:
        for move in thread["moves"]:
            wanted[move["from"]][move["to"]] += 1
    for row in run.report["threads"]:
        if row["in_session"] and row["tid"] not in known:
            for source, target in run.text.moves(row["tid"]):
                wanted[source][target] += 1
    complaints = []
    if report["matrix"] != wanted:
        complaints.append(f"{report['matrix']}, wanted {wanted}")
    if report["total"] != sum(map(sum, wanted)) or not report["total"]:
        complaints.append(f"{report['total']} in all")
    return complaints


def check_distances(run):
    """The CPUs of the guest are cores of one package and node each, with an L3 in common."""
    places = {row["cpu"]: row for row in run.report["topology"]}
    distance = run.report["migrations"]["distance"]
    complaints = []
    for source, row in enumerate(distance):
        for target, got in enumerate(row):
            groups = [max((cache["level"], cache["group"]) for cache in places[cpu]["caches"])
                      for cpu in (source, target)]
            wanted = 0 if source == target else 3 if groups[0] == groups[1] else 4
            if got != wanted:
                complaints.append(f"{source} to {target}: {got}, wanted {wanted}")
    return complaints


CHECKS = {
    "contend": [("the other program is the cause", check_names_the_other),
                ("all waiting for CPUs is booked", check_pairs),
                ("no more is lost than can be", check_lost_is_possible)],
    "migrate": [("the matrix is that of the moves made", check_matrix),
                ("distances are those of the machine", check_distances)],
}
EQUAL_CHECKS = {"contend": [("it is no imbalance", check_no_imbalance)]}


def main():
    parser = argparse.ArgumentParser(description="hold findings against what programs measured")
    parser.add_argument("--annot", default="annot")
    parser.add_argument("--equal", action="store_true")
    parser.add_argument("directory")
    parser.add_argument("workload", nargs="+")
    arguments = parser.parse_args()
    tap = Tap()
    for name in arguments.workload:
        try:
            run = Run(arguments.annot, arguments.directory, name)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            tap.point(f"{name}: trace, truth and report can be read", [str(error)])
            continue
        for what, check in CHECKS[name] + (EQUAL_CHECKS.get(name, []) if arguments.equal else []):
            tap.point(f"{name}: {what}", check(run))
    return tap.failed


sys.exit(main())
