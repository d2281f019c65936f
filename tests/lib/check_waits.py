#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: check_waits.py REPORT.json SAID
#
# What annot says that threads waited for, against what waits.c says that they did. Says what is wrong.
import json
import sys

RIGHT_SHARE = 0.99
KNOWN_SHARE = 0.98
CHAIN_SHARE = 0.8       # the rest: until the waker is on a CPU again, and its calls
WITHIN = 0.02
SLACK_NS = 100_000      # of a wait: the calls themselves, an interrupt


class Checker:
    def __init__(self, report):
        self.nr_waits = self.nr_right = 0
        self.threads = {thread["tid"]: thread for thread in report["threads"]}
        self.rows = report["blocked_on"]["threads"]

    def check_kind(self, name, tid, times, elapsed_ns, ended_by, cause):
        rows = [row for row in self.rows if row["tid"] == tid]
        right = [row for row in rows if row["cause"] == cause]
        self.nr_waits += times
        self.nr_right += min(times, sum(row["nr"] for row in right))
        if not right:
            print(f'{name}: never "{cause}", but {[(row["cause"], row["nr"]) for row in rows]}')
            return
        thread = self.threads[tid]
        told_ns = right[0]["ns"]
        # What follows the wakeup is in the call, too, but no longer blocked.
        late_ns = sum(thread[key] for key in ("wakeup_ns", "preempted_ns", "on_cpu_ns", "unknown_ns"))
        if not elapsed_ns * (1 - WITHIN) - times * SLACK_NS - late_ns <= told_ns:
            print(f'{name}: {told_ns / 1e6:.3f} ms told, {elapsed_ns / 1e6:.3f} ms measured, {late_ns / 1e6:.3f} ms late')
        # A thread that waits for a lock to begin with, as the mutex of the condition, waits for a futex more often.
        if cause != "futex" and told_ns > elapsed_ns * (1 + WITHIN) + times * SLACK_NS:
            print(f'{name}: {told_ns / 1e6:.3f} ms told, {elapsed_ns / 1e6:.3f} ms measured')
        self.check_end(name, right[0], ended_by)

    def check_end(self, name, row, ended_by):
        if ended_by == "interrupt":
            if row["ended_by_tid"] is not None:
                print(f'{name}: ended by {row["ended_by"]}, not by an interrupt')
        elif ended_by == "waker" and row["ended_by"] != "waker":
            print(f'{name}: ended by {row["ended_by"]}, not by waker')
        elif ended_by == "child" and row["ended_by_tid"] in (None, row["tid"]):
            print(f'{name}: ended by {row["ended_by"]}, not by its child')


def check_chains(report):
    """They divide the time that threads were blocked. The waker sleeps between two wakeups, and a child before it exits."""
    chains = report["wait_chains"]["chains"]
    for row in report["blocked_on"]["causes"]:
        divided = sum(chain["ns"] for chain in chains if chain["chain"].split(" -> ")[0] == row["cause"])
        if divided != row["ns"]:
            print(f'chains of "{row["cause"]}": {divided} ns, not {row["ns"]}')
    for cause, ender in (("pipe read", "waker"), ("eventfd", "waker"), ("file lock", "waker"), ("child process", "child")):
        wanted = f"{cause} -> {ender} -> sleep -> interrupt"
        told = sum(chain["ns"] for chain in chains if chain["chain"].startswith(wanted))
        all_ns = sum(chain["ns"] for chain in chains if chain["chain"].startswith(f"{cause} ->"))
        if told < CHAIN_SHARE * all_ns:
            print(f"{told / 1e6:.3f} of {all_ns / 1e6:.3f} ms are of {wanted}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    checker = Checker(report)
    with open(sys.argv[2], encoding="ascii") as file:
        for line in file:
            name, tid, times, elapsed_ns, ended_by, cause = line.rstrip("\n").split(" ", 5)
            checker.check_kind(name, int(tid), int(times), int(elapsed_ns), ended_by, cause)
    check_chains(report)
    if checker.nr_waits < 25:
        print(f"{checker.nr_waits} waits only")
    if checker.nr_right < RIGHT_SHARE * checker.nr_waits:
        print(f"{checker.nr_right} of {checker.nr_waits} waits have their cause")
    blocked = sum(row["ns"] for row in report["blocked_on"]["causes"])
    unknown = sum(row["ns"] for row in report["blocked_on"]["causes"] if row["cause"] == "unknown")
    if unknown > (1 - KNOWN_SHARE) * blocked:
        print(f"{unknown / 1e6:.1f} of {blocked / 1e6:.1f} ms are unknown")


if __name__ == "__main__":
    main()
