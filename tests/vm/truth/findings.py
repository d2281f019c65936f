#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: findings.py [--annot PATH] DIRECTORY NAME...

Holds what the analyses find in NAME.dat, as `annot report --json` tells it, against what the
workload measured itself, NAME.truth.json. Digits at the end of a NAME number its recordings, "-quiet"
is without what is to be found.
Prints TAP.
"""
import argparse
import json
import os
import subprocess
import sys

from tracetext import Tap

SAVED_SHARE = 0.05
TIME_SHARE = 0.05
PING_PONG_NS = 10_000_000


class Run:
    def __init__(self, annot, directory, name):
        path = os.path.join(directory, name)
        with open(f"{path}.truth.json", encoding="utf-8") as file:
            self.truth = json.load(file)
        self.threads = self.truth["threads"]
        self.report = json.loads(subprocess.run([annot, "report", "--json", f"{path}.dat"],
                                                check=True, capture_output=True).stdout)
        self.findings = self.report["findings"]
        self.regions = self.report["regions"]
        self.path = self.report["critical_path"]

    def thread(self, name):
        return next(thread for thread in self.threads if thread["name"] == name)

    def row(self, part, name):
        """Of a part's threads."""
        tid = self.tid(name)
        return next((row for row in self.report[part]["threads"] if row["tid"] == tid), None)

    def tid(self, name):
        return next(thread["tid"] for thread in self.threads if thread["name"] == name)

    def group(self, name):
        return next((group for group in self.regions["groups"] if group["name"] == name), None)

    def of_kind(self, kind):
        return [finding for finding in self.findings if finding["kind"] == kind]


def rounds_of(threads, task):
    """Of each round: (span, when the barrier before let all go) of each thread."""
    spans = [[span for span in thread["spans"] if span["name"] == task] for thread in threads]
    waits = [[span for span in thread["spans"] if span["kind"] == "wait"] for thread in threads]
    for number, row in enumerate(zip(*spans)):
        released = max(wait[number - 1]["start_ns"] for wait in waits) if number else \
            min(span["start_ns"] for span in row)
        yield row, released


def saved_ns(threads, task):
    """With the same work for all: each begins and is held up as it was, and then does the average."""
    saved = 0
    for spans, released in rounds_of(threads, task):
        average = sum(span["cpu_ns"] for span in spans) / len(spans)
        held_up = max(span["end_ns"] - released - span["cpu_ns"] for span in spans)
        elapsed = max(span["end_ns"] for span in spans) - released
        saved += max(0, elapsed - held_up - average)
    return saved


def check_straggler(run, name, task):
    complaints = []
    found = [finding for finding in run.of_kind("imbalance") if task in finding["text"]]
    if len(found) != 1:
        return [f"{len(found)} findings of imbalance: {run.findings}"]
    if found[0]["evidence"]["tids"][0] != run.tid(name):
        complaints.append(f"the evidence begins with thread {found[0]['evidence']['tids'][0]}, "
                          f"not {run.tid(name)}")
    if f"{name} has more work" not in found[0]["text"]:
        complaints.append(f"not told of {name}: {found[0]['text']}")
    return complaints


def check_others(run, kinds):
    return [finding["text"] for finding in run.findings if finding["kind"] not in kinds]


def check_quiet(run):
    """That some instances computed for longer is told of the emulator: what else this machine does holds its CPUs up,
    and whatever computes then takes longer. On counted instructions (slow1) nothing is passed over."""
    return [finding["text"] for finding in run.findings
            if finding["kind"] != "slow-instances" or '"longer on a CPU"' not in finding["text"]]


def check_saved(run, task):
    want, group = saved_ns(run.threads, task), run.group(task)
    got = group["saved_ns"] if group else None
    if want < 10_000_000:
        return [f"there is nothing to save ({want} ns): nothing is tested"]
    if got is None or abs(got - want) > SAVED_SHARE * want:
        return [f"{got} ns, the truth is {want:.0f} ns"]
    return []


def check_last(run, name, task):
    """In each instance."""
    index = [group["name"] for group in run.regions["groups"]].index(task)
    return [instance["last"]["text"] for instance in run.regions["instances"]
            if instance["group"] == index and (instance["last"]["tid"] != run.tid(name) or
                                               instance["last"]["why"] != "more work")]


def check_on_path(run, name, task):
    """The critical path goes through what the straggler does of the task, and nobody else's."""
    spans = next(thread["spans"] for thread in run.threads if thread["name"] == name)
    want = sum(span["cpu_ns"] for span in spans if span["name"] == task)
    on_path = [segment for segment in run.path["segments"]
               if segment["task"] == task and segment["kind"] == "running"]
    got = sum(segment["to_ns"] - segment["from_ns"] for segment in on_path
              if segment["tid"] == run.tid(name))
    complaints = []
    if abs(got - want) > 0.02 * want:
        complaints.append(f"{got} ns of {name} are on the path, it worked {want} ns")
    if any(segment["tid"] != run.tid(name) for segment in on_path):
        complaints.append(f"others' {task} is on the path: {on_path}")
    return complaints


def check_serial_half(run):
    serial, loop = run.group("serial"), run.group("loop48")
    kinds = {name: group and group["kind"] for name, group in (("serial", serial), ("loop48", loop))}
    if kinds != {"serial": "serial", "loop48": "parallel"}:
        return [str(kinds)]
    spans = run.threads[0]["spans"]
    want = next(span["end_ns"] - span["start_ns"] for span in spans if span["name"] == "serial")
    complaints = []
    if abs(serial["elapsed_ns"] - want) > 0.05 * want:
        complaints.append(f"serial for {serial['elapsed_ns']} ns, pe0 took {want} ns")
    if loop["serial_ns"] or not loop["imbalance_pct"] > 10:
        complaints.append(f"loop48: {loop}")
    return complaints


def check_serialisation(run):
    found = run.of_kind("serialisation")
    if len(found) != 1 or not found[0]["text"].startswith("serial runs on one thread: pe0 works alone"):
        return [str(run.findings)]
    return []


def about(what, got, want):
    if abs(got - want) > TIME_SHARE * want:
        return [f"{what}: {got} ns, the truth is {want} ns"]
    return []


def check_finding_of(run, kind, name, text):
    found = run.of_kind(kind)
    if len(found) != 1:
        return [f"{len(found)} findings: {run.findings}"]
    complaints = []
    if text not in found[0]["text"]:
        complaints.append(f"not told that {text}: {found[0]['text']}")
    if found[0]["evidence"]["tids"][0] != run.tid(name):
        complaints.append(f"it begins with another than {name}: {found[0]['evidence']}")
    return complaints


def check_holder(run):
    """The two threads are woken when they are created, too: that may be late as well."""
    rounds = len(run.truth["latencies_ns"])
    complaints = check_finding_of(run, "wakeup-latency", "sleeper",
                               "times when threads of wakeup were woken")
    texts = [finding["text"] for finding in run.of_kind("wakeup-latency")]
    wanted = [f"holder held the CPU {rounds + created} times" for created in range(3)]
    if not any(text.startswith(tuple(wanted)) for text in texts):
        complaints.append(f"not told that {wanted[0]}: {texts}")
    return complaints


def check_latencies(run):
    latencies = sorted(run.truth["latencies_ns"])
    row = run.row("wakeup_latency", "sleeper")
    complaints = []
    # It is woken when it is created, too.
    if row["wakeups"] not in (len(latencies), len(latencies) + 1):
        complaints.append(f"woken {row['wakeups']} times, not {len(latencies)}")
    return complaints + \
        about("median", row["median_ns"], latencies[(len(latencies) - 1) // 2]) + \
        about("longest", row["max_ns"], latencies[-1])


def check_late(run):
    """No less is lost than what waker's own sleep before each round does not take up."""
    latencies = sum(run.truth["latencies_ns"])
    answers = [span for span in run.thread("waker")["spans"] if span["name"] == "answer"]
    slept = sum(span["start_ns"] - before["end_ns"] for before, span in zip(answers, answers[1:]))
    lost = sum(finding["time_lost_ns"] for finding in run.of_kind("wakeup-latency"))
    if not (latencies - slept) * (1 - TIME_SHARE) < lost < latencies * (1 + TIME_SHARE):
        return [f"{lost} ns lost of {latencies} ns, less {slept} ns at most"]
    return []


def check_moves(run):
    moves = run.thread("hopper")["moves"]
    return check_finding_of(run, "migrations", "hopper",
                         f"hopper migrated {len(moves)} times and waited")


def check_ping_pongs(run):
    """It comes back at once. A CPU that stands still may lengthen a stay by what its clock cannot tell:
    it began when resident had ended, and when hopper ran."""
    moves = run.thread("hopper")["moves"]
    ends = [span["end_ns"] for span in run.thread("resident")["spans"]]
    away, home = moves[::2], moves[1::2]
    least = sum(back["after_ns"] - end <= PING_PONG_NS for end, back in zip(ends, home))
    most = sum(back["before_ns"] - move["after_ns"] <= PING_PONG_NS for move, back in zip(away, home))
    row = run.row("migrations", "hopper")
    complaints = [] if least else ["none is to be found: nothing is tested"]
    if row["migrations"] != len(moves):
        complaints.append(f"{row['migrations']} moves of {len(moves)}")
    if not least <= row["ping_pongs"] <= most:
        complaints.append(f"{row['ping_pongs']} of them back, {least} to {most} were")
    return complaints


def check_moving_cost(run):
    """What each move away took is waiting for resident, while the CPU that was left is idle."""
    moves = run.thread("hopper")["moves"]
    away = [move for move in moves if move["to"] == moves[0]["to"]]
    return about("all moves away", run.row("migrations", "hopper")["cost_ns"],
                 sum(move["after_ns"] - move["before_ns"] for move in away))


def check_crowd(run):
    complaints = []
    for thread in run.threads:
        want = sum(span["end_ns"] - span["start_ns"] - span["cpu_ns"]
                   for span in thread["spans"] if span["name"] == "crowd")
        complaints += about(thread["name"], run.row("idle_waits", thread["name"])["ns"], want)
    return complaints


def check_queue(run):
    rows = [run.row("idle_waits", thread["name"]) for thread in run.threads]
    worst = max(rows, key=lambda row: row["ns"])
    name = next(thread["name"] for thread in run.threads if thread["tid"] == worst["tid"])
    complaints = check_finding_of(run, "idle-waits", name, f"{name} waited for busy CPUs")
    # All others are idle but for the recorder, and the threads have been on each.
    for finding in run.of_kind("idle-waits"):
        cpus = finding["evidence"]["cpus"]
        if cpus[0] != 0 or len(set(cpus)) != 2:
            complaints.append(f"CPU 0 was crowded and another one idle, not {cpus}")
    return complaints


NOTHING = [("nothing is found", lambda run: check_others(run, []))]

SCENES = {
    "imbalance": [
        ("pe0 is found to have more work", lambda run: check_straggler(run, "pe0", "loop48")),
        ("so it is in each instance", lambda run: check_last(run, "pe0", "loop48")),
        ("what balance would save is the truth's within 5 %",
         lambda run: check_saved(run, "loop48")),
        ("it is on the critical path, and nobody else",
         lambda run: check_on_path(run, "pe0", "loop48")),
        ("no other cause is found", lambda run: check_others(run, ["imbalance"])),
    ],
    "wide": [
        ("the serial half is told from the unbalanced half", check_serial_half),
        ("the serial half is found", check_serialisation),
    ],
    "quiet": [("nothing is found", check_quiet)],
    "wakeup": [
        ("who held the CPU is found", check_holder),
        ("how late sleeper ran is the truth's within 5 %", check_latencies),
        ("so is what was lost", check_late),
        ("no other cause is found", lambda run: check_others(run, ["wakeup-latency"])),
    ],
    "wakeup-quiet": NOTHING,
    "hop": [
        ("who moves to and fro is found", check_moves),
        ("its moves are counted", check_ping_pongs),
        ("what they cost is the truth's within 5 %", check_moving_cost),
        # It stands in line beside an idle CPU, for it went there.
        ("no other cause is found", lambda run: check_others(run, ["migrations", "idle-waits"])),
    ],
    "hop-quiet": NOTHING,
    "queue": [
        ("the queue is found", check_queue),
        ("what they stood in it is the truth's within 5 %", check_crowd),
        ("no other cause is found", lambda run: check_others(run, ["idle-waits"])),
    ],
    "queue-quiet": NOTHING,
}


def main():
    parser = argparse.ArgumentParser(description="hold findings against what programs measured")
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    parser.add_argument("name", nargs="+")
    arguments = parser.parse_args()
    tap = Tap()
    for name in arguments.name:
        try:
            run = Run(arguments.annot, arguments.directory, name)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            tap.point(f"{name}: trace, truth and report can be read", [str(error)])
            continue
        for what, check in SCENES[name.rstrip("0123456789")]:
            tap.point(f"{name}: {what}", check(run))
    return tap.failed


if __name__ == "__main__":
    sys.exit(main())
