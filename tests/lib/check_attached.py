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
SLACK_NS = 250_000      # of a run: what begins and ends around what the program measures, 20 us a region
SWITCH_NS = 5_000       # of a switch, between its event and when the kernel reads the thread's CPU clock
QUIET_SHARE = 0.05
UNKNOWN_SHARE = 0.02    # of the useful time: with more of it, the imbalance is not known well enough


def adds_up(report):
    threads = [thread for thread in report["threads"] if thread["instances"]]
    if not threads:
        print("no thread tells anything")
    for thread in report["threads"]:
        total = sum(thread[part] for part in PARTS)
        if total != thread["wall_ns"]:
            print(f'{thread["comm"]} {thread["tid"]}: {total} ns, not {thread["wall_ns"]}')


def expect_within(what, told, bounds, switches=0):
    least, most = bounds
    slack_ns = SLACK_NS + switches * SWITCH_NS
    if not least * (1 - WITHIN) - slack_ns <= told <= most * (1 + WITHIN) + slack_ns:
        print(f"{what}: {told / 1e6:.3f} ms told, {least / 1e6:.3f} to {most / 1e6:.3f} ms measured")


def read_said(path):
    said = {"useful": {}}
    with open(path, encoding="ascii") as file:
        for line in file:
            word, *numbers = line.split()
            numbers = [int(number) for number in numbers]
            if word == "useful":
                said[word][numbers[0]] = numbers[1:]
            else:
                said[word] = numbers if len(numbers) > 1 else numbers[0]
    return said


def one_task(report, kind, beginning):
    found = [task for task in report["tasks"] if task["kind"] == kind and task["name"].startswith(beginning)]
    if len(found) != 1:
        print(f'{len(found)} tasks are "{beginning}", of {[task["name"] for task in report["tasks"]]}')
    return found[0] if found else None


def imbalance_pct(useful):
    """The imbalance percentage of two threads: (max - mean) / max * n / (n - 1)."""
    return (max(useful) - sum(useful) / 2) / max(useful) * 2 * 100


def check_regions(report, master, said):
    """From the begin of a team to its end, without what its threads do between teams."""
    instances = report["regions"]["instances"]
    if len(instances) != said["regions"]:
        print(f'{len(instances)} instances of regions, not {said["regions"]}')
    useful = [0, 0]
    for instance in instances:
        for thread in instance["threads"]:
            useful[0 if thread["tid"] == master else 1] += thread["useful_ns"]
    for who, told in enumerate(useful):
        least, most = said["useful"][who]
        unknown_ns = sum(thread["unknown_ns"] for instance in instances for thread in instance["threads"])
        expect_within(f"useful of {who} in regions", told, (least - unknown_ns, most))


def knows_the_program(report, said):
    nr_regions, useful = said["regions"], said["useful"]
    region = one_task(report, "work", "parallel skewed")
    barrier = one_task(report, "wait", "barrier")
    if not region or not barrier:
        return
    for name, task in (("regions", region), ("barriers", barrier)):
        if (task["instances"], task["threads"]) != (2 * nr_regions, 2):
            print(f'{name}: {task["instances"]} of {task["threads"]} threads, not {2 * nr_regions} of 2')
    shares = report["serial_share"]["programs"]
    if len(shares) != 1 or shares[0]["nr_threads"] != 2:
        print(f"serial shares: {shares}")
        return
    master = shares[0]["tid"]
    check_regions(report, master, said)
    # A busy machine loses switches: what is unknown may be missing in a figure.
    unknown = {thread["tid"]: thread["unknown_ns"] for thread in report["threads"]}
    preempted = {thread["tid"]: thread["preempted_ns"] for thread in region["by_thread"]}
    for thread in region["by_thread"]:
        least, most = useful[0 if thread["tid"] == master else 1]
        expect_within(f'useful of {thread["tid"]}', thread["useful_ns"], (least - unknown[thread["tid"]], most),
                      thread["switches"])
    for thread in barrier["by_thread"]:
        if thread["tid"] == master:
            # Preempted between its last reading of the clock and the barrier, it was not waiting yet.
            least, most = said["waited"]
            expect_within("waiting of the master", thread["waiting_ns"], (least - preempted[master], most))
            least, most = said["spun"]
            expect_within("spinning of the master", thread["spinning_ns"], (least - unknown[master], most),
                          thread["switches"])
    (least0, most0), (least1, most1) = useful[0], useful[1]
    least, most = imbalance_pct((most0, least1)), imbalance_pct((least0, most1))
    if sum(unknown.values()) < UNKNOWN_SHARE * (least0 + least1) and \
            not least - 2 <= region["imbalance_pct"] <= most + 2:
        print(f'imbalance {region["imbalance_pct"]} %, not {least:.1f} to {most:.1f} %')
    # Before the first region and after the last one, the program does what it does not measure.
    if shares[0]["serial_ns"] < 0.98 * said["serial"] - SLACK_NS:
        print(f'serial: {shares[0]["serial_ns"]} ns, at least {said["serial"]}')
    # Who is preempted by other programs, or woken late, is last for that reason; of whom switches are lost, for none that
    # is known.
    kinds = {finding["kind"] for finding in report["findings"]}
    if region["preempted_ns"] + region["unknown_ns"] < QUIET_SHARE * region["useful_ns"] and \
            not kinds & {"imbalance", "interference", "wakeup-latency"}:
        why = [instance["last"]["text"] for instance in report["regions"]["instances"]]
        print(f"no imbalance is found, but {sorted(kinds)}; who was last: {why}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    adds_up(report)
    if len(sys.argv) > 2:
        knows_the_program(report, read_said(sys.argv[2]))


if __name__ == "__main__":
    main()
