#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: check_waits.py REPORT.json SAID [module]
#
# module: it was recorded with the module, which tells system call, object and holder as well.
#
# What annot says that threads waited for, against what waits.c says that they did. Says what is wrong.
import json
import sys

RIGHT_SHARE = 0.99
KNOWN_SHARE = 0.98
CHAIN_SHARE = 0.8       # of the sleep of whom is waited for: it may begin before the wait does
WAIT_MS, OTHERS_MS = 4, 25      # of waits.c: how long a waker sleeps in each wait, and a child
WITHIN = 0.02
SLACK_NS = 100_000      # of a wait: the calls themselves, an interrupt


class Checker:
    def __init__(self, report, by_module):
        self.by_module = by_module
        self.nr_waits = self.nr_right = 0
        self.times = {}         # by cause
        self.threads = {thread["tid"]: thread for thread in report["threads"]}
        self.rows = report["blocked_on"]["threads"]
        self.locks = report["lock_contention"]

    def check_kind(self, name, tid, times, elapsed_ns, ended_by, calls, thing, holder, cause):
        rows = [row for row in self.rows if row["tid"] == tid]
        right = [row for row in rows if row["cause"] == cause]
        self.nr_waits += times
        self.times[cause] = self.times.get(cause, 0) + times
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
        if self.by_module:
            self.check_call(name, right[0], calls)
            self.check_object(name, right[0], cause, thing)
            self.check_holder(name, right[0], holder, elapsed_ns, late_ns, times)
            if cause == "futex" and thing != "-":
                self.check_lock(name, tid, thing, holder, elapsed_ns - late_ns, times)

    def check_call(self, name, row, calls):
        if row["system_call"] not in calls.split("|"):
            print(f'{name}: in {row["system_call"]}, not in {calls}')

    # The waiter may wait for its turn by a futex of its own, too, but not for long.
    def check_object(self, name, row, cause, thing):
        told = row["object"]
        if thing == "-":
            return
        if cause == "futex":
            start, end = (int(part, 16) for part in thing.split("-"))
            right = told and told.startswith("futex ") and start <= int(told.split()[1], 16) < end
        else:
            right = told == thing.replace("_", " ") and row["object_ns"] == row["ns"]
        if not right:
            print(f'{name}: waits for {told} ({row["object_ns"]} of {row["ns"]} ns), not for {thing}')

    # All of the wait for the lock has to have the holder.
    def check_holder(self, name, row, holder, elapsed_ns, late_ns, times):
        if (row["held_by_tid"] or 0) != holder:
            print(f'{name}: held by {row["held_by_tid"]}, not by {holder}')
        if holder and row["held_by_ns"] < elapsed_ns * (1 - WITHIN) - times * SLACK_NS - late_ns:
            print(f'{name}: held by {holder} for {row["held_by_ns"]} of {elapsed_ns} ns')

    # A futex that somebody holds is a lock, with as many waits, for as long; another one is none.
    def check_lock(self, name, tid, thing, holder, blocked_ns, times):
        start, end = (int(part, 16) for part in thing.split("-"))
        found = [lock for lock in self.locks["locks"]
                 if lock["lock"].startswith("futex ") and start <= int(lock["lock"].split()[1], 16) < end]
        if not holder:
            if found:
                print(f'{name}: is no lock, but {found[0]["lock"]} is')
            return
        if sum(lock["waits"] for lock in found) < times:
            print(f'{name}: {sum(lock["waits"] for lock in found)} waits for the lock, not {times}')
        names = [lock["lock"] for lock in found]
        held_ns = sum(pair["ns"] for pair in self.locks["pairs"]
                      if pair["lock"] in names and pair["tid"] == tid and pair["holder_tid"] == holder)
        if held_ns < blocked_ns * (1 - WITHIN) - times * SLACK_NS:
            print(f"{name}: the lock was held by {holder} for {held_ns} of {blocked_ns} ns")

    def check_end(self, name, row, ended_by):
        if ended_by == "interrupt":
            if row["ended_by_tid"] is not None:
                print(f'{name}: ended by {row["ended_by"]}, not by an interrupt')
        elif ended_by == "waker" and row["ended_by"] != "waker":
            print(f'{name}: ended by {row["ended_by"]}, not by waker')
        elif ended_by == "child" and row["ended_by_tid"] in (None, row["tid"]):
            print(f'{name}: ended by {row["ended_by"]}, not by its child')


def check_chains(report, times):
    """They divide the time that threads were blocked. In each wait, the waker sleeps, and a child before it exits."""
    chains = report["wait_chains"]["chains"]
    for row in report["blocked_on"]["causes"]:
        divided = sum(chain["ns"] for chain in chains if chain["chain"].split(" -> ")[0] == row["cause"])
        if divided != row["ns"]:
            print(f'chains of "{row["cause"]}": {divided} ns, not {row["ns"]}')
    for cause, ender, slept_ms in (("pipe read", "waker", WAIT_MS), ("eventfd", "waker", WAIT_MS), ("file lock", "waker", WAIT_MS),
                                   ("child process", "child", OTHERS_MS)):
        wanted = f"{cause} -> {ender} -> sleep -> interrupt"
        told_ms = sum(chain["ns"] for chain in chains if chain["chain"].startswith(wanted)) / 1e6
        if told_ms < CHAIN_SHARE * slept_ms * times[cause]:
            print(f"{told_ms:.3f} ms are of {wanted}, in {times[cause]} waits with {slept_ms} ms each")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    if not text:
        print("no report")
        return
    report = json.loads(text)
    checker = Checker(report, sys.argv[3:] == ["module"])
    with open(sys.argv[2], encoding="ascii") as file:
        for line in file:
            name, tid, times, elapsed_ns, ended_by, calls, thing, holder, cause = line.rstrip("\n").split(" ", 8)
            checker.check_kind(name, int(tid), int(times), int(elapsed_ns), ended_by, calls, thing, int(holder), cause)
    check_chains(report, checker.times)
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
