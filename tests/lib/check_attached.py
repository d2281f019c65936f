#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: check_attached.py REPORT.json [SAID]
#
# The report of an attached program: the times of each thread add up to its life, to the nanosecond. With SAID, what
# skewed.c measured itself: figures agree within 2 %. Says what is wrong.
import json
import sys

PARTS = ("useful_ns", "spinning_ns", "waiting_off_cpu_ns", "work_off_cpu_ns", "outside_ns", "unknown_ns")
WITHIN = 0.02
SLACK_NS = 100_000      # of a run: what begins and ends around what the program measures
AROUND_NS = 20_000      # of a round, in an emulator: between the end of a wait and the reading of a clock
QUIET_SHARE = 0.05
UNKNOWN_SHARE = 0.02    # a busy machine loses switches: what is unknown may be missing in a figure


def adds_up(report):
    threads = [thread for thread in report["threads"] if thread["instances"]]
    if not threads:
        print("no thread tells anything")
    for thread in report["threads"]:
        total = sum(thread[part] for part in PARTS)
        if total != thread["wall_ns"]:
            print(f'{thread["comm"]} {thread["tid"]}: {total} ns, not {thread["wall_ns"]}')


def expect_near(what, told, truth, unknown_ns=0, slack_ns=SLACK_NS):
    slack = WITHIN * truth + slack_ns
    if not truth - slack - unknown_ns <= told <= truth + slack:
        print(f"{what}: {told / 1e6:.3f} ms told, {truth / 1e6:.3f} ms measured, {unknown_ns / 1e6:.3f} ms unknown")


def read_said(path):
    said = {"useful": {}, "waited": {}}
    with open(path, encoding="ascii") as file:
        for line in file:
            word, *numbers = line.split()
            if word in ("useful", "waited"):
                said[word][int(numbers[0])] = int(numbers[1])
            else:
                said[word] = int(numbers[0])
    return said


def one_task(report, kind, beginning):
    found = [task for task in report["tasks"] if task["kind"] == kind and task["name"].startswith(beginning)]
    if len(found) != 1:
        print(f'{len(found)} tasks are "{beginning}", of {[task["name"] for task in report["tasks"]]}')
    return found[0] if found else None


def off_cpu_outside(report, region, barrier, tid):
    """For how long the thread had no CPU outside of spans: it may have been behind a wait, before it read its clock."""
    lost = [sum(part[key] for key in ("preempted_ns", "wakeup_ns", "unknown_ns"))
            for table in (report["threads"], region["by_thread"], barrier["by_thread"])
            for part in table if part["tid"] == tid]
    return lost[0] - sum(lost[1:])


def knows_the_program(report, said):
    rounds, useful = said["rounds"], said["useful"]
    region = one_task(report, "work", "parallel skewed")
    barrier = one_task(report, "wait", "barrier")
    if not region or not barrier:
        return
    for name, task in (("regions", region), ("barriers", barrier)):
        if (task["instances"], task["threads"]) != (2 * rounds, 2):
            print(f'{name}: {task["instances"]} of {task["threads"]} threads, not {2 * rounds} of 2')
    unknown = {thread["tid"]: thread["unknown_ns"] for thread in report["threads"]}
    told = sorted(region["by_thread"], key=lambda thread: thread["useful_ns"])
    for thread, truth in zip(told, sorted(useful.values())):
        expect_near(f'useful of {thread["tid"]}', thread["useful_ns"], truth, unknown.get(thread["tid"], 0))
    master = report["serial_share"]["programs"][0]["tid"] if report["serial_share"]["programs"] else None
    for thread in barrier["by_thread"]:
        # Who comes last hardly waits, but for the master to wake up.
        if thread["tid"] != master:
            if thread["waiting_ns"] > said["waited"][1]:
                print(f'the last one waits {thread["waiting_ns"]} ns, at most {said["waited"][1]}')
        else:
            expect_near(f'waiting of {thread["tid"]}', thread["waiting_ns"], said["waited"][0],
                        off_cpu_outside(report, region, barrier, master))
            expect_near("spinning of the master", thread["spinning_ns"], said["spun"],
                        unknown.get(thread["tid"], 0), SLACK_NS + rounds * AROUND_NS)
    average = sum(useful.values()) / 2
    truth_pct = (max(useful.values()) - average) / max(useful.values()) * 2 * 100
    if sum(unknown.values()) < UNKNOWN_SHARE * sum(useful.values()) and \
            abs(region["imbalance_pct"] - truth_pct) > 2:
        print(f'imbalance {region["imbalance_pct"]} %, not {truth_pct:.1f} %')
    shares = report["serial_share"]["programs"]
    if len(shares) != 1 or shares[0]["nr_threads"] != 2:
        print(f"serial shares: {shares}")
        return
    # Before the first region and after the last one, the program does what it does not measure.
    if shares[0]["serial_ns"] < 0.98 * said["serial"] - SLACK_NS:
        print(f'serial: {shares[0]["serial_ns"]} ns, at least {said["serial"]}')
    # Who is preempted by other programs, or woken late, is last for that reason.
    kinds = {finding["kind"] for finding in report["findings"]}
    if region["preempted_ns"] < QUIET_SHARE * region["useful_ns"] and \
            not kinds & {"imbalance", "interference", "wakeup-latency"}:
        print(f'no imbalance is found: {[finding["kind"] for finding in report["findings"]]}')


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    adds_up(report)
    if len(sys.argv) > 2:
        knows_the_program(report, read_said(sys.argv[2]))


if __name__ == "__main__":
    main()
