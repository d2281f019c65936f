#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: truth.py [--annot PATH] [--totals] [--form batch|each] DIRECTORY WORKLOAD...

Holds NAME.dat of each WORKLOAD against NAME.truth.json, which the workload wrote from its own
clocks. What our tools say of a trace comes from `annot report --json`; what stands in it, and in
which order, from `trace-cmd report`, so that our reader is not its own witness. Prints TAP.

--totals is for guests of several CPUs: the emulator lets one of them stand still at times, and
where that falls into a switch, one thread's time is booked on the other. Then times are held to
the sums over the threads.
"""
import argparse
import json
import os
import subprocess
import sys

from tracetext import Tap, Text

# What a thread's clock and the scheduler's may differ by: 2 %, or 200 us where that is more.
CPU_TIME_SHARE, CPU_TIME_NS = 0.02, 200_000
# Several emulated CPUs, one of which stands still now and then, are good for no better than this.
TOTALS_SHARE = 0.05
# Of /proc/PID/task/TID/schedstat: 1 %, or a tick (250 Hz) where that is more. On CPUs that do not
# promise a steady TSC, as emulated ones, the scheduler's clock stops where a tick comes late.
SCHEDSTAT_SHARE, SCHEDSTAT_NS = 0.01, 4_000_000
IMBALANCE_POINTS = 2.0


class Run:
    """One workload: its own word, our report, and trace-cmd's text."""

    def __init__(self, annot, directory, name):
        path = os.path.join(directory, name)
        with open(f"{path}.truth.json", encoding="utf-8") as file:
            self.truth = json.load(file)
        self.truth_threads = self.truth["threads"]
        self.report = json.loads(subprocess.run([annot, "report", "--json", f"{path}.dat"],
                                                check=True, capture_output=True).stdout)
        self.threads = {thread["tid"]: thread for thread in self.report["threads"]}
        self.text = Text(f"{path}.dat")

    def task(self, name):
        return next((task for task in self.report["tasks"] if task["name"] == name), None)

    def on_cpu_in_task(self, name, tid):
        task = self.task(name)
        rows = [row for row in task["by_thread"] if row["tid"] == tid] if task else []
        return rows[0]["on_cpu_ns"] if rows else 0


def task_cpu_ns(thread, name):
    return sum(span["cpu_ns"] for span in thread["spans"] if span["name"] == name)


def differs(got, want, share, at_least_ns=0):
    return abs(got - want) > max(share * want, at_least_ns)


def check_nothing_lost(run):
    lost = run.report["trace"]["lost_events"]
    return [f"{lost} events lost"] if lost else []


def check_sequences(run):
    complaints = []
    for thread in run.truth_threads:
        got = run.text.sequences.get(thread["tid"], [])
        want = thread["sequence"]
        if len(want) != sum(thread["annotations"].values()):
            complaints.append(f"{thread['name']}: the truth contradicts itself")
        if got != want:
            at = next((i for i, pair in enumerate(zip(got, want)) if pair[0] != pair[1]),
                      min(len(got), len(want)))
            complaints.append(f"{thread['name']}: {len(got)} of {len(want)} annotations, "
                              f"first difference at {at}: {got[at:at + 3]} for {want[at:at + 3]}")
    return complaints


def check_no_strangers(run):
    known = {thread["tid"] for thread in run.truth_threads}
    return [f"thread {tid} annotated nothing, but the trace has {sequence[:3]} of it"
            for tid, sequence in run.text.sequences.items() if tid not in known]


def check_form(run, form):
    forms = run.text.forms
    return [] if forms == {form} else [f"the annotations came as {sorted(forms)}"]


def check_readable(run):
    complaints = list(run.text.unreadable)
    if len(run.text.config) != 1:
        complaints.append(f"annot_config stands {len(run.text.config)} times in the trace")
    return complaints


def check_task_times(run, task):
    complaints = []
    for thread in run.truth_threads:
        want = task_cpu_ns(thread, task)
        got = run.on_cpu_in_task(task, thread["tid"])
        if differs(got, want, CPU_TIME_SHARE, CPU_TIME_NS):
            complaints.append(f"{thread['name']}: {got} ns on CPU, it measured {want} ns")
    return complaints


def check_task_time_total(run, task):
    want = sum(task_cpu_ns(thread, task) for thread in run.truth_threads)
    got = run.task(task)["on_cpu_ns"]
    return [f"{got} ns on CPU, the threads measured {want} ns"] \
        if differs(got, want, TOTALS_SHARE) else []


def check_schedstat(run):
    complaints = []
    for thread in run.truth_threads:
        if thread["tid"] == thread["tgid"]:
            continue  # it reads its schedstat, and then goes on to write the truth
        want = thread["schedstat_run_ns"]
        # It reads its schedstat at end_ns, and then still has to exit.
        got = run.threads.get(thread["tid"], {"on_cpu_ns": 0})["on_cpu_ns"] - \
            run.text.ran_after_ns(thread["tid"], thread["end_ns"])
        if not want or differs(got, want, SCHEDSTAT_SHARE, SCHEDSTAT_NS):
            complaints.append(f"{thread['name']}: {got} ns on CPU, schedstat says {want} ns")
    return complaints


def imbalance_pct(useful):
    most, mean, count = max(useful), sum(useful) / len(useful), len(useful)
    return (most - mean) / most * count / (count - 1) * 100


def check_imbalance(run, task):
    useful = [task_cpu_ns(thread, task) for thread in run.truth_threads]
    want = imbalance_pct([ns for ns in useful if ns])
    got = run.task(task)["imbalance_pct"]
    if want < 5:
        return [f"the workload is balanced ({want:.1f} %): nothing is tested"]
    return [] if abs(got - want) <= IMBALANCE_POINTS else [f"{got:.1f} %, the truth is {want:.1f} %"]


def check_migrations(run):
    complaints = []
    for thread in run.truth_threads:
        want = [(move["from"], move["to"]) for move in thread["moves"]]
        text = run.text.moves(thread["tid"])
        got = run.threads[thread["tid"]]["migrations"]
        if text != want:
            complaints.append(f"{thread['name']}: the trace has {text}, it was moved {want}")
        if got != len(want):
            complaints.append(f"{thread['name']}: {got} migrations reported, {len(want)} made")
    if not any(thread["moves"] for thread in run.truth_threads):
        complaints.append("nothing was moved: nothing is tested")
    return complaints


def check_preempted(run):
    """Time that a thread wanted to run and did not: not on CPU, so never useful."""
    complaints = []
    for thread in run.truth_threads:
        row = run.threads[thread["tid"]]
        useful = sum(span["cpu_ns"] for span in thread["spans"]
                     if span["kind"] == "work" and span["depth"] == 0)
        if differs(row["useful_ns"], useful, CPU_TIME_SHARE, CPU_TIME_NS):
            complaints.append(f"{thread['name']}: useful {row['useful_ns']} ns, "
                              f"it worked {useful} ns")
        for span_name in {span["name"] for span in thread["spans"] if span["kind"] == "work"}:
            complaints += off_cpu_complaints(run, thread, span_name)
    if not any(run.threads[thread["tid"]]["preempted_ns"] > 10_000_000
               for thread in run.truth_threads):
        complaints.append("no thread was preempted for 10 ms: nothing is tested")
    return complaints


def off_cpu_complaints(run, thread, name):
    """In a span that never blocks, wall time less CPU time is time spent runnable."""
    task = run.task(name)
    row = next((row for row in task["by_thread"] if row["tid"] == thread["tid"]), None)
    if not row:
        return [f"{thread['name']}: no row for {name}"]
    wall = sum(span["end_ns"] - span["start_ns"] for span in thread["spans"]
               if span["name"] == name)
    want = wall - task_cpu_ns(thread, name)
    got = row["wall_ns"] - row["on_cpu_ns"]
    booked = row["preempted_ns"] + row["wakeup_ns"]
    complaints = []
    if differs(got, want, CPU_TIME_SHARE, 5_000_000):
        complaints.append(f"{thread['name']}: off CPU in {name} {got} ns, truth {want} ns")
    if differs(booked, got, CPU_TIME_SHARE, 5_000_000):
        complaints.append(f"{thread['name']}: of {got} ns off CPU in {name}, "
                          f"{booked} ns are booked as runnable")
    return complaints


def check_preempted_totals(run):
    spans = [span for thread in run.truth_threads for span in thread["spans"]
             if span["kind"] == "work" and span["depth"] == 0]
    worked = sum(span["cpu_ns"] for span in spans)
    runnable = sum(span["end_ns"] - span["start_ns"] for span in spans) - worked
    useful = sum(run.threads[thread["tid"]]["useful_ns"] for thread in run.truth_threads)
    booked = sum(task["preempted_ns"] + task["wakeup_ns"] for task in run.report["tasks"]
                 if task["kind"] == "work")
    complaints = []
    if differs(useful, worked, TOTALS_SHARE):
        complaints.append(f"useful {useful} ns, they worked {worked} ns")
    if differs(booked, runnable, TOTALS_SHARE):
        complaints.append(f"runnable {booked} ns, the truth is {runnable} ns")
    if runnable < 10_000_000:
        complaints.append("no thread was preempted for 10 ms: nothing is tested")
    return complaints


def check_lanes(run, count):
    lanes = [thread for thread in run.truth_threads if thread["tid"] in run.threads]
    ran = [thread for thread in lanes if run.threads[thread["tid"]]["on_cpu_ns"] > 0]
    return [] if len(lanes) == len(ran) == count else [f"{len(lanes)} threads, {len(ran)} ran"]


def check_serial_half(run):
    """wide: in its first half one thread works while all others wait."""
    serial, loop = run.task("serial"), run.task("loop48")
    complaints = []
    if not serial or serial["threads"] != 1:
        complaints.append(f"`serial` ran in {serial and serial['threads']} threads, not in 1")
    if not loop or loop["threads"] != len(run.truth_threads):
        complaints.append(f"`loop48` ran in {loop and loop['threads']} threads, "
                          f"not in {len(run.truth_threads)}")
    return complaints


COMMON = [
    ("no event was lost", check_nothing_lost),
    ("every annotation stands in the trace, in its thread's order", check_sequences),
    ("nobody else's annotations do", check_no_strangers),
    ("each stands in its thread's slice", lambda run: run.text.misplaced),
    ("trace-cmd report prints all of it readably, annot_config once", check_readable),
]
ON_CPU = ("on-CPU time equals schedstat's within 1 % or a tick", check_schedstat)

SCENES = {
    "imbalance": [
        ON_CPU,
        ("on-CPU time in loop48 is what each thread measured",
         lambda run: check_task_times(run, "loop48")),
        ("imbalance percentage is the truth's within 2 points",
         lambda run: check_imbalance(run, "loop48")),
    ],
    "contend": [
        ON_CPU,
        ("time taken by the other program is preempted, not useful", check_preempted),
    ],
    "migrate": [("every migration is found, and no other", check_migrations)],
    "wide": [
        ON_CPU,
        ("32 lanes", lambda run: check_lanes(run, 32)),
        ("the serial half has one worker, loop48 has 32", check_serial_half),
        ("on-CPU time in loop48 is what each thread measured",
         lambda run: check_task_times(run, "loop48")),
    ],
}
SCENES["imbalance-omp"] = SCENES["imbalance"]
SCENES_IN_TOTAL = {
    "imbalance": [
        ("on-CPU time in loop48 is what the threads measured",
         lambda run: check_task_time_total(run, "loop48")),
        ("imbalance percentage is the truth's within 2 points",
         lambda run: check_imbalance(run, "loop48")),
    ],
    "contend": [
        ("time taken by the other program is preempted, not useful", check_preempted_totals),
    ],
    "migrate": SCENES["migrate"],
}


def main():
    parser = argparse.ArgumentParser(description="hold traces against what programs measured")
    parser.add_argument("--annot", default="annot")
    parser.add_argument("--totals", action="store_true")
    parser.add_argument("--form", choices=["batch", "each"], default="batch")
    parser.add_argument("directory")
    parser.add_argument("workload", nargs="+")
    arguments = parser.parse_args()
    scenes = SCENES_IN_TOTAL if arguments.totals else SCENES
    tap = Tap()
    for name in arguments.workload:
        try:
            run = Run(arguments.annot, arguments.directory, name)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            tap.point(f"{name}: trace, truth and report can be read", [str(error)])
            continue
        for what, check in COMMON + scenes[name]:
            tap.point(f"{name}: {what}", check(run))
        tap.point(f"{name}: annotations came as was asked for ({arguments.form})",
                  check_form(run, arguments.form))
    return tap.failed


if __name__ == "__main__":
    sys.exit(main())
