#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: journal_truth.py [--annot ANNOT] DIRECTORY

Holds what annot report says of journal.dat against what the program measured (tests/workloads/journal.c). Prints TAP.
"""
import argparse
import collections
import json
import os
import subprocess
import sys

from tracetext import Tap

WITHIN = 0.05
SLACK_NS = 1_000_000	# of a figure: the clocks are not read at the event itself


class Recording:
    def __init__(self, annot, directory):
        path = os.path.join(directory, "journal")
        report = subprocess.run([annot, "report", "--json", "--show", "lock_contention,wait_chains,blocked_on", f"{path}.dat"],
                                check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.report = json.loads(report.stdout)
        self.truth = collections.defaultdict(dict)
        with open(f"{path}.said", encoding="utf-8") as file:
            for line in file:
                key, *who, ns = line.split()
                self.truth[key][tuple(map(int, who))] = int(ns)

    def total(self, key):
        return sum(self.truth[key].values())

    def workers(self):
        return {tid for tid, in self.truth["waited"]}

    def late_ns(self, *tids):
        """For how long they had what they waited for, and no CPU yet; it is a part of what they measured."""
        return sum(thread["wakeup_ns"] for thread in self.report["threads"] if thread["tid"] in tids)

    def lock(self):
        """The one that is waited for most: the journal's."""
        return self.report["lock_contention"]["locks"][0]


def differs(what, told_ns, true_ns, late_ns, early_ns=0):
    slack_ns = max(WITHIN * true_ns, SLACK_NS)
    if true_ns - late_ns - slack_ns <= told_ns <= true_ns + early_ns + slack_ns:
        return []
    return [f"{what}: {told_ns / 1e6:.3f} ms told, {true_ns / 1e6:.3f} ms measured"]


def check_waited(recording):
    lock = recording.lock()
    return differs(f"waited for {lock['lock']}", lock["wait_ns"], recording.total("waited"), recording.late_ns(*recording.workers()))


def check_pairs(recording):
    told = collections.Counter()
    for pair in recording.report["lock_contention"]["pairs"]:
        if pair["lock"] == recording.lock()["lock"]:
            told[pair["tid"], pair["holder_tid"]] += pair["ns"]
    complaints = []
    for (waiter, holder), ns in recording.truth["for"].items():
        # Who is woken has the lock from then on, but does not know before it has a CPU.
        complaints += differs(f"{waiter} for {holder}", told[waiter, holder], ns, recording.late_ns(waiter),
                              recording.late_ns(holder))
    return complaints


def check_chains(recording):
    told = sum(chain["ns"] for chain in recording.report["wait_chains"]["chains"]
               if chain["tid"] in recording.workers() and chain["chain"].startswith("futex")
               and "pipe read" in chain["chain"])
    return differs("behind the device", told, recording.total("behind"), recording.late_ns(*recording.workers()))


def check_holding(recording):
    """The holder waits for the device, or for a CPU when that is done."""
    told = sum(row["ns"] for row in recording.report["lock_contention"]["holding"]
               if row["lock"] == recording.lock()["lock"] and row["holder_blocked_on"] == "pipe read")
    return differs("behind a holder that waits for the device", told, recording.total("behind"),
                   recording.late_ns(*recording.workers()))


def check_flushed(recording):
    told = sum(row["ns"] for row in recording.report["blocked_on"]["threads"]
               if row["tid"] in recording.workers() and row["cause"] == "pipe read")
    return differs("blocked on the device", told, recording.total("flushed"), recording.late_ns(*recording.workers()))


def check_found(recording):
    found = [finding for finding in recording.report["findings"] if finding["kind"] in ("lock-convoy", "lock-contention")]
    if len(found) == 1 and set(found[0]["evidence"]["tids"]) <= recording.workers():
        return []
    return [f"findings: {found}"]


def check_told(recording):
    """Flushes to the device take most of the time of holding."""
    texts = [finding["text"] for finding in recording.report["findings"] if finding["kind"] in ("lock-convoy", "lock-contention")]
    return [] if any("its holder is blocked itself" in text and ", on pipe read" in text for text in texts) else texts


CHECKS = [
    ("the lock's waits are as long as the program measured", check_waited),
    ("each waited for whom the program says", check_pairs),
    ("chains lead from the lock to the device behind it", check_chains),
    ("what its holder did is told: it waited for the device", check_holding),
    ("the lock's holders waited for the device", check_flushed),
    ("the lock is found", check_found),
    ("with what its holder waited for", check_told),
]


def main():
    parser = argparse.ArgumentParser(description="hold waits for a lock against what the program measured")
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    arguments = parser.parse_args()
    tap = Tap()
    recording = Recording(arguments.annot, arguments.directory)
    for what, check in CHECKS:
        tap.point(what, check(recording))
    return tap.failed


if __name__ == "__main__":
    sys.exit(main())
