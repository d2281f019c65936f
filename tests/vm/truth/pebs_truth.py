#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: pebs_truth.py [--annot PATH] DIRECTORY SCENE...

Holds what tests/vm/guest/pmu/pebs*.sh recorded of misses, in pebs.dat, against what the programs know of theirs: by
their own counters, and by how they are made. Prints TAP.
"""
import argparse
import collections
import json
import math
import os
import subprocess
import sys

from tracetext import Sample, Tap, Text, read_words

LINE_BYTES, PAGE_BYTES = 64, 4096
# Samples times period against a plain count.
SAMPLED_SHARE = 0.02
# All slices against another user's count of the CPU.
CPU_SHARE = 0.001
EBUSY = 16

# What the emulator's loads take (tests/vm/pebs-qemu/README.md), in cycles: of each level, in the
# third more where another CPU has the line too, and what the TLB's second level or a walk add.
LEVEL_WEIGHTS = {"L2": (14,), "L3": (44, 60, 75), "RAM": (230,)}
TLB_WEIGHTS = (0, 9, 30)
# mem_lvl_num of perf_mem_data_src, see perf_event_open(2).
LEVEL_SHIFT, LEVEL_NAMES = 33, {1: "L1", 2: "L2", 3: "L3", 13: "RAM"}


class Scene:
    def __init__(self, text, directory, name):
        self.path = os.path.join(directory, name)
        self.measured = text.scenes[name]
        with open(f"{self.path}.json", encoding="utf-8") as file:
            self.truth = json.load(file)
        with open(f"{self.path}.got", encoding="utf-8") as file:
            self.got = [line.rstrip() for line in file]

    def samples_of(self, name, thread=None):
        index = self.measured.index(name)
        return [sample for sample in self.measured.samples if sample.event == index and
                (thread is None or sample.tid == thread["tid"])]

    def user_samples_in(self, name, thread, span):
        return [sample for sample in self.samples_of(name, thread) if "user" in sample.has and
                span["start_ns"] <= sample.time_ns <= span["end_ns"]]

    def counted(self, name, wanted=lambda counts: True):
        place = self.measured.counter(name)
        return sum(counts.counts[place] for counts in self.measured.slice_counts if wanted(counts))

    def buffer(self, name):
        return next(buffer for buffer in self.truth["buffers"] if buffer["name"] == name)

    def spans(self):
        """Each thread and each span of its, with the buffer that it walked through."""
        for thread in self.truth["threads"]:
            for span in thread["spans"]:
                if span["kind"] == "work":
                    yield thread, span, self.buffer(span["name"])


def inside(address, place):
    return place["start"] <= address < place["end"]


def read_report(annot, path):
    return json.loads(subprocess.run([annot, "report", "--json", path], check=True,
                                     capture_output=True).stdout)


def check_recording(text, report):
    lost = report["trace"]["lost_events"]
    complaints = [f"{lost} events lost"] if lost else []
    return complaints + text.unreadable + text.misplaced


def check_no_gap(scene):
    return [f"CPU {state.cpu}: event {state.event}: {state.state} {state.value}"
            for state in scene.measured.states if state.state not in ("started", "stopped")]


def check_throttled(scene):
    """What it is told to be without samples, it is; then it goes on."""
    complaints, nr = [], 0
    for cpu in {state.cpu for state in scene.measured.states}:
        since = None
        for state in scene.measured.states:
            if state.cpu == cpu and state.state == "throttled":
                since = state
            elif state.cpu == cpu and state.state == "unthrottled" and since:
                nr += 1
                complaints += [f"CPU {cpu}: a sample while throttled" for sample in
                               scene.measured.samples if sample.cpu == cpu and
                               since.at < sample.at < state.at]
                since = None
    return complaints if nr > 5 else complaints + [f"throttled {nr} times"]


def check_precise(scene):
    words = scene.measured.events[scene.measured.index("sampled")]
    asked, got = words["asked"], words["precise"]
    wrong = {sample.precise for sample in scene.samples_of("sampled")} - {int(got)}
    complaints = [f"a sample of precise level {level}" for level in wrong]
    if asked != "3" or got not in ("2", "3") or f"sampled {got} 0" not in scene.got:
        complaints.append(f"asked {asked}, got {got}; the ioctl answered {scene.got}")
    return complaints


def check_sampled_is_counted(scene):
    sampled = sum(sample.period for sample in scene.samples_of("sampled"))
    counted = scene.counted("counted")
    return [f"{sampled} by samples, {counted} counted"] \
        if abs(sampled - counted) > SAMPLED_SHARE * counted or counted < 300_000 else []


def check_counted_on_cpus(scene):
    """Slices between two times, against somebody else's count of the CPU between them."""
    complaints = []
    for words in read_words(f"{scene.path}.perf"):
        counted = scene.counted("counted", lambda counts, words=words: counts.cpu == words["cpu"]
                                and words["start_ns"] < counts.time_ns <= words["end_ns"])
        if abs(counted - words["between"]) > CPU_SHARE * words["between"] or words["between"] < 50_000:
            complaints.append(f"CPU {words['cpu']}: {counted} in its slices, {words['between']} on it")
    return complaints


def nr_other_misses(scene):
    """Misses inside of spans that are not of the walk; where it is hot, it misses each line once, at least."""
    return sum(max(span["count"] - ((buffer["end"] - buffer["start"]) // LINE_BYTES if span["name"] == "hot" else
                                    span["value"]), 0) for _, span, buffer in scene.spans())


def most_of(mean):
    """More come about, by Poisson's distribution, in less than one case of a million."""
    most, chance = 0, math.exp(-mean)
    left = 1 - chance
    while left > 1e-6:
        most += 1
        chance *= mean / most
        left -= chance
    return most


def check_load_instruction(scene, period):
    """
    All samples of user mode in the spans are of the one load, and of its buffer; but for those of
    the few other misses there (the thread's own clocks), of which one in a period is sampled.
    """
    complaints, others, nr = [], [], 0
    for thread, span, buffer in scene.spans():
        for sample in scene.user_samples_in("sampled", thread, span):
            nr += 1
            on_load = inside(sample.ip, scene.truth["load"])
            if on_load != inside(sample.addr, buffer):
                complaints.append(f"{span['name']}: at {sample.ip:#x}, address {sample.addr:#x}")
            elif not on_load:
                others.append(f"{span['name']}: at {sample.ip:#x}")
    if nr < 250:
        complaints.append(f"only {nr} samples")
    return complaints + (others if len(others) > most_of(nr_other_misses(scene) / period) else [])


def check_sampled_in_spans(scene, period):
    """As many samples as the program's own count of the span makes periods."""
    complaints = []
    for thread, span, _ in scene.spans():
        got = len(scene.user_samples_in("sampled", thread, span))
        want = span["count"] / period
        if abs(got - want) > SAMPLED_SHARE * want + 3:
            complaints.append(f"{thread['name']}, {span['name']}: {got} samples, "
                              f"{span['count']} misses")
    return complaints


def running_difference(scene, cpu):
    """At the end of each slice on @cpu while it sampled: what samples so far make, less counts."""
    index, place = scene.measured.index("sampled"), scene.measured.counter("counted")
    told = {state.state: state.at for state in scene.measured.states
            if (state.cpu, state.event) == (cpu, index)}
    seen = [sample for sample in scene.samples_of("sampled") + scene.measured.slice_counts
            if sample.cpu == cpu and told["started"] < sample.at < told["stopped"]]
    sampled = counted = 0
    for one in sorted(seen, key=lambda one: one.at):
        if isinstance(one, Sample):
            sampled += one.period
        else:
            counted += one.counts[place]
            # What an annotation ended comes later than what was sampled meanwhile, but before this.
            if one.ended_by == "switch":
                yield sampled - counted


def check_sampled_in_slices(scene, period):
    """
    Between any two switches of a CPU there are as many samples as counted misses make periods,
    rounded up or down: the difference between the two moves by a period, and no further. (A
    thread's own sums say less: each of its slices is rounded, and they may go the same way.) Some
    misses more are those of telling a slice's count after it has been read.
    """
    complaints = []
    for cpu in {sample.cpu for sample in scene.measured.samples}:
        differences = list(running_difference(scene, cpu))
        if max(differences) - min(differences) > 1.1 * period or len(differences) < 50:
            complaints.append(f"CPU {cpu}: samples less counts are {min(differences)} to "
                              f"{max(differences)} at the ends of {len(differences)} slices")
    return complaints


def check_own_in_threads(scene):
    """Its slices have what a thread counted itself, which is without the kernel's misses."""
    complaints = []
    for thread in scene.truth["threads"]:
        counted = thread_count(scene, "counted", thread)
        if counted < thread["count"]:
            complaints.append(f"{thread['name']}: {counted} in its slices, {thread['count']} of its own")
    return complaints


def check_absent(scene, name):
    """The driver knows neither weight nor source of these: none is there, rather than zero."""
    samples = scene.samples_of(name)
    wrong = {sample.has for sample in samples
             if {"weight", "data_src"} & sample.has or sample.weight or sample.data_src}
    complaints = [f"a sample has {sorted(has)}" for has in wrong]
    without = sum("addr" not in sample.has for sample in samples)
    if not samples or without:
        complaints.append(f"{without} of {len(samples)} samples are without an address")
    return complaints


def level_of(sample):
    return LEVEL_NAMES.get(sample.data_src >> LEVEL_SHIFT & 0xf)


def check_latency(scene):
    """Each load-latency sample has a weight and a source, and they go together."""
    complaints, levels = [], collections.Counter()
    for sample in scene.samples_of("latency"):
        if not {"addr", "weight", "data_src"} <= sample.has:
            complaints.append(f"a sample has {sorted(sample.has)}")
            continue
        level = level_of(sample)
        levels[level] += 1
        allowed = [weight + tlb for weight in LEVEL_WEIGHTS.get(level, ()) for tlb in TLB_WEIGHTS]
        if level != "L1" and sample.weight not in allowed:
            complaints.append(f"{level}: {sample.weight} cycles")
    return complaints if levels["RAM"] > 100 else complaints + [f"levels: {dict(levels)}"]


def check_reported_latency(scene, report):
    """Percentiles of all samples, and the cost of a miss of the last level, against what the samples say."""
    latency = report["load_latency"]
    weights = sorted(sample.weight for sample in scene.samples_of("latency"))
    memory = [sample.weight for sample in scene.samples_of("latency") if level_of(sample) == "RAM"]
    every = next(row for row in latency["tasks"] if row["event"] == "latency" and row["task"] is None)
    costs = {row["miss"]: row for row in latency["costs"]}
    got = [every["samples"], every["p50_cycles"], every["p90_cycles"], every["threshold_cycles"], every["level"],
           round(costs["L3"]["cycles"], 3), costs["L3"]["samples"], costs["L1"]["from"]]
    # Of loads from L2, which take less, none or few are sampled: what they cost is not known.
    want = [len(weights), weights[-(-len(weights) // 2) - 1], weights[-(-9 * len(weights) // 10) - 1], 30, "memory",
            round(sum(memory) / len(memory), 3), len(memory), "assumed"]
    return [] if got == want else [f"{got}, not {want}"]


def check_cold_latency(scene):
    """4 MiB do not fit into a last level of 1 MiB: the walk's loads come from memory."""
    for thread, span, buffer in scene.spans():
        if span["name"] == "cold":
            samples = [sample for sample in scene.user_samples_in("latency", thread, span)
                       if inside(sample.addr, buffer)]
            memory = sum(level_of(sample) == "RAM" for sample in samples)
            if len(samples) < 300 or memory < 0.6 * len(samples):
                return [f"{memory} of {len(samples)} samples are of memory"]
            return [f"at {sample.ip:#x}" for sample in samples
                    if not inside(sample.ip, scene.truth["load"])]
    return ["no span"]


def check_conflict(scene):
    """Conflicting addresses are equal modulo the size of a way; with padding nothing misses."""
    complaints = []
    for thread, span, buffer in scene.spans():
        samples = [sample for sample in scene.user_samples_in("sampled", thread, span)
                   if inside(sample.addr, buffer)]
        places = {sample.addr // LINE_BYTES % (PAGE_BYTES // LINE_BYTES) for sample in samples}
        if span["name"] == "padded" and len(samples) > span["count"] // 100 + 1:
            complaints.append(f"padded: {len(samples)} samples, {span['count']} misses")
        if span["name"] == "conflict" and (len(samples) < 450 or len(places) != 1):
            complaints.append(f"conflict: {len(samples)} samples in {len(places)} sets")
    return complaints


def check_registers(scene):
    without = [sample for sample in scene.samples_of("sampled") if "regs" not in sample.has]
    return [f"{len(without)} samples without registers"] if without else []


def check_too_many(scene):
    """Four counters: four events count, and the fifth is told to be without."""
    want = dict.fromkeys("abcd", 0) | {"e": EBUSY}
    told = {words["name"]: int(words["error"]) for words in scene.measured.events.values()}
    complaints = [] if told == want and \
        scene.got == [f"{name} 0 {error}" for name, error in want.items()] \
        else [f"the trace says {told}, the ioctl {scene.got}"]
    counts = {name: scene.counted(name) for name in "abcd"}
    if not min(counts.values()) > 10_000 or max(counts.values()) > 1.01 * min(counts.values()):
        complaints.append(f"they counted {counts}")
    return complaints


def thread_count(scene, name, thread):
    return scene.counted(name, lambda counts: counts.tid == thread["tid"])


def check_counted_in_threads(scene):
    """The slices of a thread have what it counted itself, and little more: its begin and end."""
    complaints = []
    for thread in scene.truth["threads"]:
        counted, own = thread_count(scene, "misses", thread), thread["count"]
        if not own <= counted <= 1.01 * own + 1000:
            complaints.append(f"{thread['name']}: {counted} in its slices, {own} by its own count")
    return complaints


def check_ratio(scene, large):
    small_count = thread_count(scene, "misses", scene.truth["threads"][0])
    large_count = thread_count(large, "misses", large.truth["threads"][0])
    return [] if large_count >= 100 * small_count > 0 else \
        [f"{small_count} in a small working set, {large_count} in a large one"]


def misses_by_turn(scene, thread):
    """
    Of each turn, the misses of the slices that end between its begin and the next one's. A slice
    without any is not in the trace.
    """
    place = scene.measured.counter("misses")
    turns = [span for span in thread["spans"] if span["kind"] == "work"]
    ends = [turn["start_ns"] for turn in turns[1:]] + [sys.maxsize]
    for turn, end_ns in zip(turns, ends):
        yield turn["name"], sum(counts.counts[place] for counts in scene.measured.slice_counts
                                if counts.tid == thread["tid"] and
                                turn["start_ns"] <= counts.time_ns < end_ns)


def check_polluted(scene):
    """Each polluted turn of the victim brings all of its lines anew, few others any."""
    victim = next(thread for thread in scene.truth["threads"] if thread["name"] == "victim")
    lines = (lambda buffer: (buffer["end"] - buffer["start"]) // LINE_BYTES)(scene.buffer("victim"))
    turns = collections.defaultdict(list)
    for name, count in misses_by_turn(scene, victim):
        turns[name].append(count)
    # The slice of the last turn goes on to write the truth.
    complaints = [f"{count} misses in a polluted turn, {lines} lines"
                  for count in turns["polluted"][:-1] if not lines <= count <= lines + 50]
    few = sorted(turns["alone"])[len(turns["alone"]) // 2]
    if few > 20 or len(turns["polluted"]) < 10:
        complaints.append(f"turns: {dict(turns)}")
    return complaints


NO_GAP = ("nothing was throttled or failed", check_no_gap)
SCENES = {
    "chase": [
        NO_GAP,
        ("asked for precise level 3, it is told which one was got", check_precise),
        ("samples times period are within 2 % of a plain count", check_sampled_is_counted),
        ("all slices together are what another user counts on the CPUs, within 0.1 %",
         check_counted_on_cpus),
        ("each sample is of the load instruction, and of its buffer",
         lambda scene: check_load_instruction(scene, 1000)),
        ("between any two switches there are as many samples as slices have misses",
         lambda scene: check_sampled_in_slices(scene, 1000)),
        ("each thread's slices have what it counts itself", check_own_in_threads),
        ("MEM_LOAD_RETIRED has addresses, but neither weight nor source",
         lambda scene: check_absent(scene, "sampled")),
    ],
    "latency": [
        NO_GAP,
        ("load latency has weight and source, which agree", check_latency),
        ("what misses all caches comes from memory", check_cold_latency),
        ("MEM_LOAD_RETIRED beside it has neither", lambda scene: check_absent(scene, "misses")),
    ],
    "conflict": [
        NO_GAP,
        ("conflicting lines miss, at addresses of one set; padded ones do not", check_conflict),
        ("each sample has the registers", check_registers),
        ("each span has as many samples as misses make",
         lambda scene: check_sampled_in_spans(scene, 100)),
    ],
    "small": [
        NO_GAP,
        ("all slices together are what another user counts on the CPU, within 0.1 %",
         check_counted_on_cpus),
        ("the slices of a thread are what it counts itself", check_counted_in_threads),
    ],
    "polluter": [
        NO_GAP,
        ("each slice after the polluter's has all lines missing", check_polluted),
    ],
    "throttled": [("while samples are throttled there are none, and it is told",
                   check_throttled)],
    "too_many": [("the event for which there is no counter is told, the others count",
                  check_too_many)],
}


SCENES["large"] = SCENES["small"]


def main():
    parser = argparse.ArgumentParser(description="hold recordings of misses against the programs")
    parser.add_argument("--annot", default="annot")
    parser.add_argument("directory")
    parser.add_argument("scene", nargs="+", choices=SCENES)
    arguments = parser.parse_args()
    tap = Tap()
    path = os.path.join(arguments.directory, "pebs.dat")
    try:
        text = Text(path)
        report = read_report(arguments.annot, path)
        tap.point("no event was lost, samples and counts stand in their threads' slices",
                  check_recording(text, report))
        scenes = {name: Scene(text, arguments.directory, name) for name in arguments.scene}
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        tap.point("trace, truth and report can be read", [repr(error)])
        return True
    if {"small", "large"} <= set(scenes):
        tap.point("64 MiB have 100 times the misses of 16 KiB, and more",
                  check_ratio(scenes["small"], scenes["large"]))
    if "latency" in scenes:
        tap.point("latency: annot report tells what the samples do, by percentiles and as the cost of a miss",
                  check_reported_latency(scenes["latency"], report))
    for name, scene in scenes.items():
        for what, check in SCENES[name]:
            tap.point(f"{name}: {what}", check(scene))
    return tap.failed


if __name__ == "__main__":
    sys.exit(main())
