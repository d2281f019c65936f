#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: topdown_group_truth.py [--annot PATH] DIRECTORY

Looks at what annot record counted in groups, without the module, on the emulated Ice Lake (tests/vm/pebs-qemu/README.md has its
model): the four metrics of the group against general counters that know the same; slots of threads against what the program knows
of its instructions and misses; and top-down of threads against their counts, of tasks against their code. Prints TAP.
"""
import argparse

from reported import Reported
from tracetext import Tap

SLOTS = "cpu/slots/uk"
# Each metric, and the counter that knows it; bad speculation has none.
COUNTERS = {SLOTS: "cpu/event=0xa4,umask=1/uk", "cpu/topdown-retiring/uk": "cpu/event=0xc2,umask=2/uk",
            "cpu/topdown-fe-bound/uk": "cpu/event=0x9c,umask=1/uk", "cpu/topdown-be-bound/uk": "cpu/event=0xa4,umask=2/uk"}
FIGURES = {"retiring_pct": "cpu/topdown-retiring/uk", "bad_speculation_pct": "cpu/topdown-bad-spec/uk",
           "frontend_bound_pct": "cpu/topdown-fe-bound/uk", "backend_bound_pct": "cpu/topdown-be-bound/uk"}
NR_WORKERS = 2
SLOTS_OF_INSTRUCTION, RETIRING_PCT = 5, 55
SLOTS_OF_MISS, SLOTS_OF_WALK = 226 * 5, 30 * 5
WITHIN_COUNTER = 0.01       # of the slots: each reading of the metrics has 8 bits
MOST_KERNEL = 0.35          # slots more than the program's own: annotations, and the kernel's ticks, whose reading takes long in the emulator
WITHIN_POINTS = 0.1         # of the same counts
INSTRUCTIONS_PER_MISS = {"many": 30, "some": 200, "few": 1000}
LEAST_OF_MODEL = 0.8        # threads change CPUs in the midst of a piece, and then miss in caches that are cold
MOST_RETIRING_PCT = {"many": 8, "some": 31, "few": 54}  # with the kernel's, whose code retires 55 %


def workers(recording):
    """The threads that the program starts: all but its first."""
    return [thread for thread in recording.report["threads"]
            if thread["comm"] == "pieces" and thread["tid"] != thread["tgid"]]


def plain(name):
    """As annot record --topdown names the event."""
    return name.split("/")[1]


def counts(thread):
    return {event["name"]: event["count"] for event in thread["events"] if event["count"] is not None}


def check_whole(recording):
    trace = recording.report["trace"]
    complaints = [f"{trace['lost_events']} events lost"] if trace["lost_events"] else []
    complaints += [f"{len(workers(recording))} threads"] if len(workers(recording)) != NR_WORKERS else []
    return complaints + [f"{thread['tid']}: {event['name']}: not measured for {event['unmeasured_ns']} ns, error {event['error']}"
                         for thread in workers(recording) for event in thread["events"]
                         if event["count"] is not None and (event["unmeasured_ns"] or event["error"])]


def check_counters(recording):
    complaints = []
    for own in map(counts, workers(recording)):
        complaints += [f"{metric}: {own[metric]}, but {counter}: {own[counter]}" for metric, counter in COUNTERS.items()
                       if abs(own[metric] - own[counter]) > WITHIN_COUNTER * own[SLOTS]]
        parts = sum(own[name] for name in FIGURES.values())
        complaints += [f"{parts} of {own[SLOTS]} slots"] if abs(parts - own[SLOTS]) > WITHIN_COUNTER * own[SLOTS] else []
    return complaints


def check_slots(recording, name):
    truth = recording.truth["tasks"].values()
    least = sum(SLOTS_OF_INSTRUCTION * task["instructions"] + SLOTS_OF_MISS * task["misses"] for task in truth)
    most = (1 + MOST_KERNEL) * (least + sum(SLOTS_OF_WALK * task["misses"] for task in truth))
    slots = sum(counts(thread)[name] for thread in workers(recording))
    print(f"# slots {slots}, the program's own {least}")
    return [] if least <= slots <= most else [f"{slots} slots, not {least} to {most}"]


def check_threads(topdown):
    """Against their own counts: of another run, the kernel's part may be another one."""
    complaints = []
    truth = {thread["tid"]: counts(thread) for thread in workers(topdown)}
    rows = [row for row in topdown.report["topdown"]["threads"] if row["tid"] in truth]
    complaints += [f"{len(rows)} threads"] if len(rows) != NR_WORKERS else []
    for row in rows:
        own = truth[row["tid"]]
        shares = {figure: 100 * own[plain(name)] / own[plain(SLOTS)] for figure, name in FIGURES.items()}
        complaints += [f"{row['tid']}: {figure} {row[figure]}, not {share}"
                       for figure, share in shares.items() if abs(row[figure] - share) > WITHIN_POINTS]
        complaints += [f"{row['tid']}: measured for {row['measured_pct']} %"] if row["measured_pct"] < 99.9 else []
    return complaints


def check_tasks(topdown):
    """Of tasks of many ticks: what the counters are read at lies within one of them."""
    complaints = []
    rows = {row["task"]: row for row in topdown.report["topdown"]["tasks"]}
    for name, instructions in INSTRUCTIONS_PER_MISS.items():
        row = rows[f"{name}_1000k"]
        least = RETIRING_PCT * 5 * instructions / (5 * instructions + SLOTS_OF_MISS + SLOTS_OF_WALK)
        print(f"# {row['task']}: retiring {row['retiring_pct']:.2f} %, of its own code {least:.2f} %, measured {row['measured_pct']:.0f} %")
        if not LEAST_OF_MODEL * least <= row["retiring_pct"] <= MOST_RETIRING_PCT[name]:
            complaints.append(f"{row['task']}: retiring {row['retiring_pct']}, not about {least} to {MOST_RETIRING_PCT[name]}")
        if row["memory_bound_pct"] is not None:
            complaints.append(f"{row['task']}: memory bound, but its counters were left out: {row['memory_bound_pct']}")
    return complaints


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    arguments = parser.parse_args()
    group = Reported(arguments.annot, arguments.directory, "group")
    topdown = Reported(arguments.annot, arguments.directory, "topdown")
    tap = Tap()
    tap.point("a group is counted all the time", check_whole(group) + check_whole(topdown))
    tap.point("metrics are what general counters count, within 1 % of the slots", check_counters(group))
    tap.point("slots are those of the program, and the kernel's", check_slots(group, SLOTS) + check_slots(topdown, plain(SLOTS)))
    tap.point("top-down of threads is as counted, within 0.1 points", check_threads(topdown))
    tap.point("top-down of long tasks is that of their code", check_tasks(topdown))
    raise SystemExit(tap.failed)


main()
