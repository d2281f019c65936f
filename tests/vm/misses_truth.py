#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: misses_truth.py [--annot ANNOT] DIRECTORY count|sample

Holds what annot report finds in recordings of misses against what the programs know of themselves.
Prints TAP.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

EXCESS_SHARE = 0.20
KNEE_SHARE = 0.10
MOST_CHANCE = 0.01
LINE_BYTES = 64
VICTIM_LINES = 256
NR_CONFLICTING = 16
WAYS, SPAN_BYTES = 8, 4096
SIZES_KIB = (16, 64, 192, 512, 1024)
failed = False


def point(name, complaints):
    global failed
    for complaint in complaints[:10]:
        print(f"# {complaint}")
    print(f"{'not ok' if complaints else 'ok'} - {name}", flush=True)
    failed |= bool(complaints)


class Recording:
    def __init__(self, annot, directory, name):
        path = os.path.join(directory, name)
        report = subprocess.run([annot, "report", "--json", f"{path}.dat"], check=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.report = json.loads(report.stdout)
        with open(f"{path}.json") as file:
            self.truth = json.load(file)

    def findings(self, kind):
        return [finding for finding in self.report["findings"] if finding["kind"] == kind]

    def bursts(self, task):
        """Of each event: what is told of the task's runs after other programs."""
        main = self.report["switch_misses"]
        for event in [main] + main["others"]:
            for row in event["tasks"]:
                if row["task"] == task:
                    yield from (excess | {"event": event["event"]} for excess in row["excess"]
                                if excess["after"] == "other program")

    def counts(self, task):
        return [span["count"] for thread in self.truth["threads"] for span in thread["spans"]
                if span["name"] == task]

    def working_set(self, task):
        return next(row for row in self.report["working_set"]["tasks"] if row["name"] == task)


def check_excess(recording):
    """Each polluted turn misses all of the victim's lines, by its own count."""
    want = statistics.mean(recording.counts("polluted"))
    bursts = list(recording.bursts("polluted"))
    complaints = [f"{burst}, {want} in truth" for burst in bursts
                  if abs(burst["per_switch"] - want) > EXCESS_SHARE * want or
                  burst["p_value"] >= MOST_CHANCE or burst["low"] <= 0]
    return complaints if len(bursts) == 2 else [f"events: {bursts}"]


def check_cold_cache(recording):
    found = recording.findings("cold-cache")
    tids = {thread["name"]: thread["tid"] for thread in recording.truth["threads"]}
    wanted = [tids["victim"], tids["polluter"]]
    return [] if len(found) == 1 and found[0]["evidence"]["tids"] == wanted and \
        "polluter ran there" in found[0]["text"] else [f"{found}, not of {wanted}"]


def check_no_burst(recording, tasks):
    """
    A tenth of the victim's lines would be 26 misses. Who but hands the turn back has a line or two of
    its own in the cache, which is told and is no chance: no more of them than a hundredth of the lines.
    """
    return [f"{burst}" for task in tasks for burst in recording.bursts(task)
            if burst["per_switch"] is not None and
            (burst["p_value"] < MOST_CHANCE and burst["low"] > VICTIM_LINES / 100 or
             burst["per_switch"] > 10)]


def check_count(recordings):
    polluted, alone = recordings("polluter"), recordings("alone")
    point("polluter: the excess of a switch is that of the program's own count, within 20 %",
          check_excess(polluted))
    point("polluter: it is a finding, with who and by whom", check_cold_cache(polluted))
    point("polluter: turns without it have no excess", check_no_burst(polluted, ["alone"]))
    point("alone: no turn has an excess", check_no_burst(alone, ["alone", "polluted"]))
    point("alone: no cold cache is found", [str(row) for row in alone.findings("cold-cache")])


def check_conflict(recording, wanted):
    """The walk's load has all of its lines in one set, or none that agree."""
    load = recording.truth["load"]
    rows = recording.report["set_conflicts"]["rows"]
    conflicts = [row for row in rows if row["is_conflict"]]
    if not wanted:
        return [f"{row}" for row in conflicts]
    if len(conflicts) != 1 or not load["start"] <= conflicts[0]["ip"] < load["end"]:
        return [f"{conflicts}, load {load}"]
    facts = {"lines": NR_CONFLICTING, "agreeing": NR_CONFLICTING, "ways": WAYS,
             "span_bytes": SPAN_BYTES}
    return [f"{key}: {conflicts[0][key]}, not {value}" for key, value in facts.items()
            if conflicts[0][key] != value]


def check_knee(recording, task, nr_bytes):
    row = recording.working_set(task)
    if row["knee_bytes"] is None or abs(row["knee_bytes"] - nr_bytes) > KNEE_SHARE * nr_bytes:
        return [f"{task}: {row['knee_bytes']}, not {nr_bytes}"]
    # It takes as many accesses to see all of it, at least, and few more where each is of a new line.
    lines = nr_bytes / LINE_BYTES
    if not lines / 2 <= row["knee_accesses"] <= 4 * lines:
        return [f"{task}: a knee at {row['knee_accesses']} accesses, {lines} lines"]
    return []


def check_first_level(recording):
    levels = {level["name"]: level["bytes"] for level in recording.report["working_set"]["levels"]}
    return [] if levels.get("L1") == WAYS * SPAN_BYTES else [str(levels)]


def check_sample(recordings):
    point("conflict: the load is called a conflict, with its lines, ways and span",
          check_conflict(recordings("conflict"), True))
    point("conflict-padded: none is called so", check_conflict(recordings("conflict-padded"), False))
    for kib in SIZES_KIB:
        recording = recordings(f"chase-{kib}")
        point(f"chase: the working set of {kib} KiB is that, within 10 %",
              check_knee(recording, "cold", kib * 1024) + check_first_level(recording))


def main():
    parser = argparse.ArgumentParser(description="hold findings of misses against the programs")
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    parser.add_argument("what", choices=("count", "sample"))
    arguments = parser.parse_args()
    check = {"count": check_count, "sample": check_sample}[arguments.what]
    try:
        check(lambda name: Recording(arguments.annot, arguments.directory, name))
    except (OSError, ValueError, KeyError, TypeError, StopIteration,
            subprocess.CalledProcessError) as error:
        point("recordings and truth can be read", [repr(error)])
    return failed


if __name__ == "__main__":
    sys.exit(main())
