#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: smt_sharing.py story HOW, or check HOW REPORT. A program that does jobs, and another program that runs during
# every second one, as lines for script_trace.py; and what annot report tells of it, against that. CPUs 0 and 1 share a core,
# 2 and 3 another one. HOW: `beside`, the other program runs on the sibling of the program's CPU, which makes jobs SLOWER;
# `bare`, the same, and nothing is counted; `apart`, it runs on the other core; `flat`, the topology tells of no siblings.
import json
import random
import sys

NR, JOB_NS, INSTRUCTIONS, CYCLES = 200, 1000000, 4000000, 3000000
SLOWER = 0.4
TID, OTHER = 100, 200
WITHIN = 0.01


def jobs(how):
    """The time of each, and how much of it is lost."""
    chance = random.Random(7)
    for number in range(NR):
        alone_ns = JOB_NS * chance.gauss(1, 0.02)
        lost_ns = alone_ns * SLOWER / (1 - SLOWER) if number % 2 and how != "apart" else 0
        yield alone_ns + lost_ns, lost_ns


def story(how):
    now = 0
    chance = random.Random(8)

    def tell(words, tid=TID, cpu=0):
        print(round(now), cpu, tid, words)

    def counts(nr, ended_by):
        if how != "bare":
            cycles = nr * CYCLES / JOB_NS
            tell(f"counts counts={round(chance.gauss(1, 0.002) * INSTRUCTIONS * (nr > 0))},{round(cycles)} "
                 f"ended_by={ended_by}")

    if how != "bare":
        for index, name in enumerate(("instructions", "cycles")):
            tell(f"config text='event={index} name={name} mode=count user=1 kernel=1 asked=0 precise=0 error=0'", tid=0)
    for cpu in range(4):
        tell(f"marker buf='annot|cpu|{cpu}|{cpu if how == 'flat' else cpu // 2 * 2}|0|0|'", tid=0, cpu=cpu)
    tell(f"switch next_pid={TID} next_comm=worker", tid=0)
    other_cpu = 2 if how == "apart" else 1
    for number, (ns, _) in enumerate(jobs(how)):
        counts(0, 2)
        tell(f"begin name=job tgid={TID}")
        counts(0, 1)
        if number % 2:
            tell(f"switch next_pid={OTHER} next_comm=polluter", tid=0, cpu=other_cpu)
        now += ns
        counts(ns, 2)
        tell(f"end tgid={TID}")
        if number % 2:
            tell("switch prev_state=1", tid=OTHER, cpu=other_cpu)
        now += 1000
    counts(0, 0)
    tell("switch prev_state=64")


def expect_near(what, told, true):
    if told is None or abs(told - true) > WITHIN * true:
        print(f"{what}: {told}, not {true}")


def check(how, report):
    lost_ns = sum(lost for _, lost in jobs(how))
    shared_ns = sum(ns for ns, lost in jobs(how) if lost)
    found = [row for row in report["findings"] if row["kind"] == "smt-sharing"]
    told = report["smt_sharing"]
    if how in ("apart", "flat"):
        if found:
            print("found:", found)
        if how == "apart" and told["threads"]:
            print("threads:", told["threads"])
        return
    if len(found) != 1 or len(told["threads"]) != 1:
        print(len(found), "findings,", len(told["threads"]), "threads")
        return
    row = told["threads"][0]
    expect_near("shared", row["shared_ns"], shared_ns)
    expect_near("with others", row["others_ns"], shared_ns)
    expect_near("while a core is idle", row["idle_core_ns"], shared_ns)
    expect_near("found, at most", found[0]["time_lost_at_most_ns"], lost_ns if how == "beside" else shared_ns)
    if row["program"] != "polluter":
        print("program:", row["program"])
    if how == "bare":
        if row["lost_ns"] is not None or told["all"][0]["measure"] is not None:
            print("known:", row)
        return
    expect_near("lost", row["lost_ns"], lost_ns)
    expect_near("slower by", row["slower_pct"], 100 * SLOWER)
    expect_near("alone", row["alone_rate"], INSTRUCTIONS / CYCLES)
    if not row["lost_low_ns"] <= lost_ns <= row["lost_high_ns"]:
        print("bounds:", row["lost_low_ns"], row["lost_high_ns"], "of", lost_ns)


if sys.argv[1] == "story":
    story(sys.argv[2])
else:
    with open(sys.argv[3], encoding="utf-8") as file:
        check(sys.argv[2], json.load(file))
