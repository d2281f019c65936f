#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: energy_truth.py ANNOT DIRECTORY

Holds the readings of energy in DIRECTORY/energy.dat against what the emulator consumes: the package 5 W, and 50 nJ for each
instruction, which were counted, too; its memory 2 W. And what annot report makes of them against the readings. Prints TAP.
"""
import json
import re
import subprocess
import sys

from tracetext import Tap

PACKAGE_W, INSTRUCTION_J, MEMORY_W = 5, 50e-9, 2
# The kernel's instructions between a reading of the counter and the line that tells it are in neither.
MOST_ERROR = 0.02
LEAST_READINGS = 100
LEAST_INSTRUCTIONS = 20_000_000

LINE = re.compile(r"^\s*(.*)-\d+\s+\[\d+\]\s+(\d+\.\d+):\s+(\w+):\s*(.*)$")
EVENT = re.compile(r"annot\|uncore\|event\|(\d+)\|(\d+)\|([^|]*)\|([^|]*)\|(.*)$")
COUNTS = re.compile(r"annot\|uncore\|counts\|0\|(.*)$")
SLICE = re.compile(r"nr=2 invalid=0 .*counts=(\d+) (\d+)$")


def read_trace(path):
    """Counters by name: scale, unit, [(seconds, count, enabled_ns)]; and [(seconds, instructions)] of slices."""
    text = subprocess.run(["trace-cmd", "report", "-t", path], check=True, capture_output=True, text=True).stdout
    counters, slices = [], []
    for line in filter(None, map(LINE.match, text.splitlines())):
        seconds, event, words = float(line[2]), line[3], line[4]
        if event == "print" and (found := EVENT.search(words)):
            counters.append({"name": found[5], "cpu": int(found[2]), "scale": float(found[3]), "unit": found[4], "read": []})
        elif event == "print" and (found := COUNTS.search(words)):
            for counter, reading in zip(counters, found[1].split("|")):
                count, enabled, running = map(int, reading.split(","))
                assert enabled == running, "it has a counter of its own"
                counter["read"].append((seconds, count, enabled))
        elif event == "annot_slice_counts" and (found := SLICE.search(words)):
            slices.append((seconds, int(found[1]) + int(found[2])))
    return {counter["name"]: counter for counter in counters}, slices


def consumed(counter):
    """Joules and seconds."""
    (_, first, enabled), *_, (_, last, at) = counter["read"]
    return (last - first) * counter["scale"], (at - enabled) / 1e9


def judge_driver(counters):
    if set(counters) != {"power/energy-pkg/", "power/energy-ram/"}:
        yield f"counters: {sorted(counters)}"
    for counter in counters.values():
        if (counter["unit"], counter["scale"], counter["cpu"]) != ("Joules", 2 ** -32, 0):
            yield f"{counter['name']}: {counter['unit']}, {counter['scale']}, CPU {counter['cpu']}"
        if len(counter["read"]) < LEAST_READINGS:
            yield f"{counter['name']}: only {len(counter['read'])} readings"


def judge_memory(counter):
    joules, seconds = consumed(counter)
    print(f"# memory: {joules:.4f} J in {seconds:.3f} s")
    if abs(joules / seconds - MEMORY_W) > MOST_ERROR * MEMORY_W:
        yield f"{joules / seconds} W"


def judge_package(counter, slices):
    joules, seconds = consumed(counter)
    begin, end = counter["read"][0][0], counter["read"][-1][0]
    instructions = sum(nr for at, nr in slices if begin < at <= end)
    truth = PACKAGE_W * seconds + INSTRUCTION_J * instructions
    print(f"# package: {joules:.4f} J in {seconds:.3f} s; {instructions} instructions: {truth:.4f} J")
    if instructions < LEAST_INSTRUCTIONS:
        yield f"only {instructions} instructions"
    if abs(joules - truth) > MOST_ERROR * truth:
        yield f"{joules} J, not {truth} J"


def judge_report(annot, path, counters):
    report = json.loads(subprocess.run([annot, "report", "--json", path], check=True, capture_output=True, text=True).stdout)
    rows = {row["counter"]: row for row in report["uncore"]["counters"]}
    for name, counter in counters.items():
        joules, seconds = consumed(counter)
        row = rows[name]
        if abs(row["amount"] - joules) > 1e-6 * joules or abs(row["per_s"] - joules / seconds) > 1e-6 * joules:
            yield f"{row}: not {joules} J in {seconds} s"
        if (row["unit"], row["cpu"], row["measured_pct"]) != ("Joules", 0, 100):
            yield f"{row}"


def main():
    annot, directory = sys.argv[1:]
    tap = Tap()
    path = f"{directory}/energy.dat"
    counters, slices = read_trace(path)
    tap.point("the kernel's driver: names, unit, scale", list(judge_driver(counters)))
    tap.point("memory: 2 W", list(judge_memory(counters["power/energy-ram/"])))
    tap.point("package: 5 W and 50 nJ an instruction", list(judge_package(counters["power/energy-pkg/"], slices)))
    tap.point("annot report has the same", list(judge_report(annot, path, counters)))
    sys.exit(tap.failed)


if __name__ == "__main__":
    main()
