#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: misses_truth.py [--annot ANNOT] DIRECTORY count|switch|sample

Holds what annot report finds in recordings of misses against what the programs know of themselves.
Prints TAP.
"""
import argparse
import statistics
import subprocess
import sys

from reported import Reported
from tracetext import Tap

EXCESS_SHARE = 0.20
KNEE_SHARE = 0.10
MOST_CHANCE = 0.01
LINE_BYTES = 64
VICTIM_LINES = 256
NR_CONFLICTING = 16
WAYS, SPAN_BYTES = 8, 4096
SIZES_KIB = (16, 20, 48, 160, 320)
MODELLED_KIB = {"L1": 32, "L2": 256, "L3": 8192}
MEASURED = ("L1", "L2")
FEW_MISSES, MANY_MISSES = 0.1, 0.5
# Of chase: it stays on a line for 125 loads after 4096 of others, on average.
STAYING_SHARE = 125 / (125 + 4096)
tap = Tap()
point = tap.point


class Recording(Reported):
    def findings(self, kind):
        return [finding for finding in self.report["findings"] if finding["kind"] == kind]

    def bursts(self, task):
        """Of each event: what is told of the task's runs after other programs."""
        main = self.report["switch_misses"]
        for event in [main] + main["others"]:
            for row in event["tasks"]:
                if row["task"] == task:
                    yield from (excess | {"event": event["event"], "from": event["from"]}
                                for excess in row["excess"]
                                if excess["after"] == "other program")

    def counts(self, task):
        return [span["count"] for thread in self.truth["threads"] for span in thread["spans"]
                if span["name"] == task]

    def counts_by_turn(self, task):
        """
        Of each turn, what the program counted from its wait's begin to the next one's: what is told
        of a switch may also be of the code around the task, which finds lines missing as the task does.
        """
        for thread in self.truth["threads"]:
            starts = [place for place, span in enumerate(thread["spans"]) if span["kind"] == "wait"]
            for start, end in zip(starts, starts[1:]):
                if task in {span["name"] for span in thread["spans"][start:end]}:
                    yield thread["spans"][end]["start_count"] - thread["spans"][start]["start_count"]

    def counted(self, thread):
        """In all tasks of the thread."""
        tid = next(row["tid"] for row in self.truth["threads"] if row["name"] == thread)
        return sum(event["count"] for task in self.report["tasks"] for row in task["by_thread"]
                   if row["tid"] == tid for event in row["events"] if event["samples"] is None)

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


def check_switch_misses(recording):
    found = recording.findings("switch-misses")
    tids = {thread["name"]: thread["tid"] for thread in recording.truth["threads"]}
    wanted = [tids["victim"], tids["polluter"]]
    return [] if len(found) == 1 and found[0]["evidence"]["tids"] == wanted and \
        "After polluter ran" in found[0]["text"] else [f"{found}, not of {wanted}"]


def check_no_burst(recording, task):
    """
    Of the victim's lines a few are not there when its turn comes: the kernel has lines of its own in
    the same sets, which depends on where its pages are. That is told, and no more than that by ten
    lines; of a hundred turns, the interval's lower end by no more than a hundredth of the lines. A tenth
    of them would be somebody else's doing.
    """
    counted = statistics.mean(recording.counts_by_turn(task))
    most, most_low = counted + 10, counted + VICTIM_LINES / 100
    complaints = [f"{burst}, {counted} in truth" for burst in recording.bursts(task)
                  if burst["per_switch"] is not None and
                  (burst["per_switch"] > most or burst["low"] > most_low)]
    if counted > VICTIM_LINES / 10:
        complaints.append(f"{task}: {counted} misses a turn: somebody does evict its lines")
    return complaints


def check_count(recordings):
    polluted, alone = recordings("polluter"), recordings("alone")
    point("polluter: the excess of a switch is that of the program's own count, within 20 %",
          check_excess(polluted))
    point("polluter: it is a finding, with who and by whom", check_switch_misses(polluted))
    point("polluter: of turns without it no more is told than the program counted",
          check_no_burst(polluted, "alone"))
    point("alone: no more is told of a turn than the program counted",
          check_no_burst(alone, "alone") + check_no_burst(alone, "polluted"))
    point("alone: no switch misses are found", [str(row) for row in alone.findings("switch-misses")])


def sampled(recording, task):
    """Only the samples', and only if there are some."""
    return [burst for burst in recording.bursts(task) if burst["from"] == "samples"]


def check_sampled_excess(recording):
    """
    Each polluted turn misses all of the victim's lines, as the thread's count has it, too. Who took
    the CPU in the midst of a turn has made one more switch of it, but took few lines.
    """
    turns = len(recording.counts("polluted"))
    bursts = sampled(recording, "polluted")
    if len(bursts) != 1 or bursts[0]["switches"] < turns - 1:
        return [f"{bursts}, {turns} turns"]
    want = VICTIM_LINES * turns / bursts[0]["switches"]
    complaints = [f"{burst}, {want} in truth" for burst in bursts
                  if abs(burst["per_switch"] - want) > EXCESS_SHARE * want or
                  burst["p_value"] >= MOST_CHANCE or burst["low"] <= 0]
    counted = recording.counted("victim")
    if abs(counted - VICTIM_LINES * turns) > EXCESS_SHARE * VICTIM_LINES * turns:
        complaints.append(f"{counted} misses were counted of the victim")
    return complaints


def check_no_sampled_burst(recording, task):
    """A few samples may fall anywhere, and more by chance: no tenth of what the polluter evicts."""
    bursts = sampled(recording, task)
    return [] if len(bursts) == 1 and bursts[0]["per_switch"] < VICTIM_LINES / 10 and (
        bursts[0]["p_value"] >= MOST_CHANCE or bursts[0]["low"] < VICTIM_LINES / 20) else [f"{bursts}"]


def check_switch(recordings):
    polluted, alone = recordings("polluter"), recordings("alone")
    point("polluter: the excess of a switch is what it evicts, within 20 %, from samples",
          check_sampled_excess(polluted))
    point("polluter: turns without it have no excess", check_no_sampled_burst(polluted, "alone"))
    point("alone: no turn has an excess", check_no_sampled_burst(alone, "alone") +
          check_no_sampled_burst(alone, "polluted"))
    point("alone: no switch misses are found", [str(row) for row in alone.findings("switch-misses")])


def check_conflict(recording, wanted):
    """The walk's load has all of its lines in one set, or none that agree."""
    load = recording.truth["load"]
    rows = recording.report["set_conflicts"]["rows"]
    conflicts = [row for row in rows if row["is_conflict"]]
    if not wanted:
        return [f"{row}" for row in conflicts]
    if len(conflicts) != 1 or not load["start"] <= int(conflicts[0]["ip"], 16) < load["end"]:
        return [f"{conflicts}, load {load}"]
    facts = {"ways": WAYS, "span_bytes": SPAN_BYTES}
    complaints = [f"{key}: {conflicts[0][key]}, not {value}" for key, value in facts.items()
                  if conflicts[0][key] != value]
    # One line of the other task lies in the same set: it is missed, too, and may come to be sampled.
    for key in ("agreeing", "lines"):
        if not NR_CONFLICTING <= conflicts[0][key] <= NR_CONFLICTING + 1:
            complaints.append(f"{key}: {conflicts[0][key]}, not {NR_CONFLICTING}")
    return complaints


def check_knee(recording, task, nr_bytes):
    row = recording.working_set(task)
    if row["knee_bytes"] is None or abs(row["knee_bytes"] - nr_bytes) > KNEE_SHARE * nr_bytes:
        return [f"{task}: {row['knee_bytes']}, not {nr_bytes}"]
    # It takes as many accesses to see all of it, at least, and few more where each is of a new line.
    lines = nr_bytes / LINE_BYTES
    if not lines / 2 <= row["knee_accesses"] <= 4 * lines:
        return [f"{task}: a knee at {row['knee_accesses']} accesses, {lines} lines"]
    return []


def check_levels(recording):
    levels = {level["name"]: level["bytes"] for level in recording.report["working_set"]["levels"]}
    want = {name: kib * 1024 for name, kib in MODELLED_KIB.items()}
    return [] if levels == want else [f"{levels}, not {want}"]


def check_misses(recording, kib, level):
    """Each load of a walk in a circle that does not stay misses a level too small for it, or none does."""
    misses = next(row for row in recording.working_set(f"{kib}KiB")["misses"] if row["level"] == level)
    is_larger = kib > MODELLED_KIB[level]
    complaints = []
    want = 1 - STAYING_SHARE if is_larger else 0
    most = 1 if misses["expected_is_upper_bound"] else want + FEW_MISSES
    if not want - FEW_MISSES <= misses["expected_per_load"] <= most:
        complaints.append(f"{kib} KiB, {level}: {misses} expected")
    if level in MEASURED and (misses["measured_per_load"] < MANY_MISSES if is_larger
                              else misses["measured_per_load"] > FEW_MISSES):
        complaints.append(f"{kib} KiB, {level}: {misses} measured")
    return complaints


def check_counts(recording):
    """What annot counted of the first level, the program counted itself."""
    complaints = []
    for kib in SIZES_KIB:
        row = recording.working_set(f"{kib}KiB")
        measured = next(row for row in row["misses"] if row["level"] == "L1")["measured_per_load"]
        loads = next(span["value"] for thread in recording.truth["threads"] for span in thread["spans"]
                     if span["name"] == f"{kib}KiB")
        own = recording.counts(f"{kib}KiB")[0] / loads
        if abs(measured - own) > 0.02:
            complaints.append(f"{kib} KiB: {measured} misses a load, {own} by its own count")
    return complaints


def check_held(recording):
    """By where the misses of tasks jump, a level holds so much, and not as much as that."""
    complaints = []
    for level in recording.report["working_set"]["levels"]:
        if level["name"] not in MEASURED:
            continue
        want = (max(kib for kib in SIZES_KIB if kib <= MODELLED_KIB[level["name"]]),
                min(kib for kib in SIZES_KIB if kib > MODELLED_KIB[level["name"]]))
        for key, kib in zip(("holds_bytes", "holds_not_bytes"), want):
            if level[key] is None or abs(level[key] - kib * 1024) > KNEE_SHARE * kib * 1024:
                complaints.append(f"{level}, not {want} KiB")
    return complaints


def check_sample(recordings):
    point("conflict: the load is called a conflict, with its lines, ways and span",
          check_conflict(recordings("conflict"), True))
    point("conflict-padded: none is called so", check_conflict(recordings("conflict-padded"), False))
    chase = recordings("chase")
    point("chase: the caches are those that are modelled", check_levels(chase))
    for kib in SIZES_KIB:
        point(f"chase: the working set of {kib} KiB is that, within 10 %",
              check_knee(chase, f"{kib}KiB", kib * 1024))
        point(f"chase: {kib} KiB miss what is smaller, by the curve and as counted",
              [complaint for level in MODELLED_KIB for complaint in check_misses(chase, kib, level)])
    point("chase: misses of the first level are as many as the program counted", check_counts(chase))
    point("chase: what the levels hold is told by where misses jump", check_held(chase))


def main():
    parser = argparse.ArgumentParser(description="hold findings of misses against the programs")
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    parser.add_argument("what", choices=("count", "switch", "sample"))
    arguments = parser.parse_args()
    check = {"count": check_count, "switch": check_switch, "sample": check_sample}[arguments.what]
    try:
        check(lambda name: Recording(arguments.annot, arguments.directory, name))
    except (OSError, ValueError, KeyError, TypeError, StopIteration,
            subprocess.CalledProcessError) as error:
        point("recordings and truth can be read", [repr(error)])
    return tap.failed


if __name__ == "__main__":
    sys.exit(main())
