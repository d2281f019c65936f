#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: nmi_truth.py [--annot PATH] DIRECTORY

Holds what tests/vm/guest/pmu/nmi.sh recorded against what its PMU (tests/vm/nmi_pmu) logged: each
sample has a number, an instruction and a thread there. Prints TAP.
"""
import argparse
import collections
import json
import os
import struct
import subprocess
import sys

from tracetext import Tap, Text, read_words

# struct log_entry of nmi_pmu.c
ENTRY = struct.Struct("<QQIBBH")
Entry = collections.namedtuple("Entry", "number ip tid user")

LOG_ENTRIES = 1 << 21

WITH_WEIGHT = 1 << 16
DATA_SRC = 0x02 | (0x20 | 0x02) << 5  # a load; level 2, hit: PERF_MEM_* of perf_event_open(2)


def read_logs(directory):
    """(CPU, key) -> what the PMU handed on, in order."""
    logs = collections.defaultdict(list)
    for cpu in range(64):
        path = os.path.join(directory, f"log{cpu}")
        if not os.path.exists(path):
            break
        with open(path, "rb") as file:
            for number, ip, tid, key, user, _ in ENTRY.iter_unpack(file.read()):
                logs[cpu, key].append(Entry(number, ip, tid, bool(user)))
    return logs


def check_logs(directory):
    """A log that is full knows of nothing that came later."""
    sizes = {name: os.path.getsize(os.path.join(directory, name))
             for name in os.listdir(directory) if name.startswith("log")}
    full = [f"{name} is full" for name, size in sizes.items() if size >= LOG_ENTRIES * ENTRY.size]
    return full if sizes else ["there is none"]


class Scene:
    def __init__(self, annot, directory, name, logs):
        path = os.path.join(directory, name)
        self.name = name
        self.text = Text(f"{path}.dat")
        self.measured = self.text.measured
        self.logs = logs
        self.report = json.loads(subprocess.run([annot, "report", "--json", f"{path}.dat"],
                                                check=True, capture_output=True).stdout)
        with open(f"{path}.totals", encoding="ascii") as file:
            self.totals = [[int(word) for word in line.split()] for line in file]
        with open(f"{path}.got", encoding="utf-8") as file:
            self.got = [line.rstrip() for line in file]

    def config(self, index):
        return int(self.measured.events[index]["config"], 16)

    def samples(self, index, cpu):
        return [sample for sample in self.measured.samples
                if sample.event == index and sample.cpu == cpu]

    def period(self, index):
        return int(self.measured.events[index]["period"])

    def entries(self, index, cpu):
        return self.logs[cpu, self.config(index) >> 8 & 7]

    def cpus(self):
        return range(len(self.totals))


def check_nothing_lost(scene):
    lost = scene.report["trace"]["lost_events"]
    complaints = [f"{lost} events lost"] if lost else []
    return complaints + scene.text.unreadable + [
        f"CPU {state.cpu}: event {state.event}: {state.state} {state.value}"
        for state in scene.measured.states
        if state.state not in ("started", "stopped", "lost samples")]


def expected_has(config, user):
    has = {"addr"}
    if config & WITH_WEIGHT:
        has |= {"weight", "data_src"}
    if user:
        has |= {"user"}
    return has


def sample_complaints(sample, entry, config):
    """One sample against what the PMU logged when it handed it on."""
    complaints = []
    if sample.tid != entry.tid:
        complaints.append(f"of thread {sample.tid}, it interrupted {entry.tid}")
    if sample.ip != entry.ip:
        complaints.append(f"at {sample.ip:#x}, it interrupted {entry.ip:#x}")
    if sample.has != expected_has(config, entry.user):
        complaints.append(f"it has {sorted(sample.has)}")
    weight, data_src = (3 * entry.number, DATA_SRC) if config & WITH_WEIGHT else (0, 0)
    if (sample.weight, sample.data_src) != (weight, data_src):
        complaints.append(f"weight {sample.weight}, data source {sample.data_src:#x}")
    return [f"CPU {sample.cpu}, sample {entry.number}: {complaint}" for complaint in complaints]


def runs(scene, index, cpu):
    """
    What was sampled from a start to the stop after it: the samples, those told as lost, and what
    the counter said; None of the last one, since trace-cmd ends its recording first.
    """
    found, samples, lost = [], scene.samples(index, cpu), 0
    for state in scene.measured.states:
        if (state.cpu, state.event) != (cpu, index):
            continue
        if state.state == "lost samples":
            lost += state.value
        elif state.state == "stopped":
            found.append(([sample for sample in samples if sample.at < state.at], lost, state.value))
            samples, lost = [sample for sample in samples if sample.at > state.at], 0
    return found + [(samples, lost, None)] if samples else found


def check_run(scene, index, cpu, run):
    """
    One after the other, as the PMU logged them; and as many as were counted, though NMIs come all
    the time, at the start and the stop too.
    """
    samples, lost, counted = run
    if not samples:
        return [] if not lost and counted < scene.period(index) else \
            [f"event {index}, CPU {cpu}: none of {counted}, {lost} lost"]
    entries = scene.entries(index, cpu)[samples[0].addr - 1:][:len(samples)]
    numbers, want = [sample.addr for sample in samples], [entry.number for entry in entries]
    if numbers != want:
        at = next((i for i, pair in enumerate(zip(numbers, want)) if pair[0] != pair[1]),
                  min(len(numbers), len(want)))
        return [f"event {index}, CPU {cpu}: {len(numbers)} samples of {len(want)}, first "
                f"difference at {at}: {numbers[at:at + 3]} for {want[at:at + 3]}"]
    complaints = []
    if counted is None:
        counted = len(samples) * scene.period(index)
    if len(samples) != counted // scene.period(index) or lost:
        complaints = [f"event {index}, CPU {cpu}: {len(samples)} samples, {counted} counted, "
                      f"{lost} lost"]
    config = scene.config(index)
    return complaints + [complaint for sample, entry in zip(samples, entries)
                         for complaint in sample_complaints(sample, entry, config)]


def check_samples(scene, at_least):
    """Every sample that the PMU handed on while it was sampled is there, and says what it was."""
    complaints, nr = [], 0
    for index, words in scene.measured.events.items():
        if words["mode"] != "sample":
            continue
        for cpu in scene.cpus():
            for run in runs(scene, index, cpu):
                nr += len(run[0])
                complaints += check_run(scene, index, cpu, run)
    if nr != len(scene.measured.samples) or nr < at_least:
        complaints.append(f"{nr} samples in runs, {len(scene.measured.samples)} in all")
    return complaints


def check_all_samples(scene):
    """Nothing happened but while it was sampled: the trace has all that the PMU logged."""
    complaints = []
    for index, words in scene.measured.events.items():
        for cpu in scene.cpus() if words["mode"] == "sample" else []:
            got, want = len(scene.samples(index, cpu)), len(scene.entries(index, cpu))
            if got != want:
                complaints.append(f"event {index}, CPU {cpu}: {got} samples of {want}")
    return complaints


def check_places(scene):
    """A CPU that went offline is not told to switch to idle; samples and counts are none the less."""
    return [line for line in scene.text.misplaced if scene.name != "hotplug" or "annot_" in line]


def check_periods(scene):
    wrong = {(sample.event, sample.period) for sample in scene.measured.samples
             if sample.period != int(scene.measured.events[sample.event]["period"])}
    return [f"event {event}: a period of {period}" for event, period in wrong]


def check_counts(scene, truth):
    """What the slices of a thread counted is what it did."""
    complaints = []
    pokes = scene.measured.counter("pokes")
    counted = collections.Counter()
    for counts in scene.measured.slice_counts:
        counted[counts.tid] += counts.counts[pokes]
        if counts.invalid:
            complaints.append(f"CPU {counts.cpu}: a slice with invalid counts")
    for worker in truth["workers"]:
        if counted.pop(worker["tid"], 0) != worker["pokes"]:
            complaints.append(f"thread {worker['tid']}: {counted} counted, "
                              f"it did {worker['pokes']}")
    return complaints + [f"thread {tid}: {nr} counted, it did nothing"
                         for tid, nr in counted.items() if nr]


def check_counts_per_cpu(scene):
    """The slices of a CPU, idle's too, count what happened on it."""
    complaints = []
    storms = scene.measured.counter("storms")
    for cpu in scene.cpus():
        happened = scene.totals[cpu][2] + scene.totals[cpu][3]
        counted = sum(counts.counts[storms] for counts in scene.measured.slice_counts
                      if counts.cpu == cpu)
        if counted != happened:
            complaints.append(f"CPU {cpu}: {counted} counted, there were {happened}")
    return complaints


def check_annotations(scene, truth):
    complaints = []
    want = [line for turn in range(truth["turns"]) for line in (f"B turn {turn}", "E")]
    for worker in truth["workers"]:
        if scene.text.sequences[worker["tid"]] != want:
            complaints.append(f"thread {worker['tid']}: {len(scene.text.sequences[worker['tid']])} "
                              f"annotations of {len(want)}, or others")
    # While slices are counted no ring is made: each is a call.
    if not truth["annot_status"].startswith("device: /dev/annot, while"):
        complaints.append(f"annotations went by {truth['annot_status']}")
    return complaints


def check_precise(scene):
    words = scene.measured.events[scene.measured.index("storm")]
    complaints = []
    if (words["asked"], words["precise"]) != ("3", "2"):
        complaints.append(f"asked {words['asked']}, precise {words['precise']}")
    if "storm 2 0" not in scene.got:
        complaints.append(f"the ioctl answered {scene.got}")
    return complaints + [f"a sample of precise level {sample.precise}"
                         for sample in scene.measured.samples
                         if sample.precise != int(scene.measured.events[sample.event]["precise"])]


def check_other_user(directory):
    complaints = []
    for words in read_words(os.path.join(directory, "shared.perf")):
        seen = words["last"] - words["first"] + 1
        if not words["count"] == words["samples"] == seen or words["lost"] or seen < 100:
            complaints.append(f"{words}, numbered {seen}")
    return complaints


def check_starts(scene, nr):
    """After that of trace-cmd, which ends before tracing is on, or is told of in part."""
    complaints = []
    for index in scene.measured.events:
        for cpu in scene.cpus():
            states = [state.state for state in scene.measured.states
                      if (state.cpu, state.event) == (cpu, index) and state.state != "lost samples"]
            if states[-2 * nr:] != ["started", "stopped"] * nr or len(states) > 2 * nr + 2:
                complaints.append(f"CPU {cpu}, event {index}: {len(states)} states: {states[:5]}")
    return complaints


def check_came_back(scene):
    """CPU 1 was away five times; each time it was back, 100 storms came at least."""
    found = runs(scene, 0, 1)
    complaints = [] if len(found) == 6 else [f"CPU 1 was sampled {len(found)} times"]
    return complaints + [f"{len(samples)} samples after a return" for samples, _, _ in found[1:]
                         if len(samples) < 100]


def everything(tap, scene, directory):
    with open(os.path.join(directory, "everything.json"), encoding="utf-8") as file:
        truth = json.load(file)
    tap.point("everything: all that the PMU logged is in the trace", check_all_samples(scene))
    tap.point("everything: what each thread did is what its slices counted",
              check_counts(scene, truth))
    tap.point("everything: the slices of a CPU count all that happened on it",
              check_counts_per_cpu(scene))
    tap.point("everything: every annotation is there", check_annotations(scene, truth))
    tap.point("everything: asked for precise level 3, got 2, and it is told", check_precise(scene))


# And how many samples each has at least.
SCENES = {"everything": 7000, "shared": 2000, "toggled": 2100, "hotplug": 500}


def main():
    parser = argparse.ArgumentParser(description="hold recordings against the log of the PMU")
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    arguments = parser.parse_args()
    tap = Tap()
    tap.point("the PMU's logs have room for all", check_logs(arguments.directory))
    logs = read_logs(arguments.directory)
    for name, at_least in SCENES.items():
        try:
            scene = Scene(arguments.annot, arguments.directory, name, logs)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            tap.point(f"{name}: trace, totals and report can be read", [str(error)])
            continue
        tap.point(f"{name}: no event was lost, nothing was throttled", check_nothing_lost(scene))
        tap.point(f"{name}: every sample is there, once, and says what the NMI interrupted",
                  check_samples(scene, at_least))
        tap.point(f"{name}: each sample and count stands in its thread's slice",
                  check_places(scene))
        tap.point(f"{name}: each sample stands for its period", check_periods(scene))
        if name == "everything":
            everything(tap, scene, arguments.directory)
        elif name == "shared":
            tap.point("shared: all that the PMU logged is in the trace", check_all_samples(scene))
            tap.point("shared: the other user has all of its samples, too",
                      check_other_user(arguments.directory))
        elif name == "toggled":
            tap.point("toggled: 200 starts, 200 stops", check_starts(scene, 200))
        elif name == "hotplug":
            tap.point("hotplug: sampling goes on when the CPU is back", check_came_back(scene))
    return tap.failed


if __name__ == "__main__":
    sys.exit(main())
