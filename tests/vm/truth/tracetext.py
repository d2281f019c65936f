# SPDX-License-Identifier: GPL-2.0
"""
A trace as `trace-cmd report` prints it, so that our own reader is not its own witness; and TAP.
"""
import collections
import re
import subprocess

LINE = re.compile(r"^\s*(?P<comm>.*)-(?P<tid>\d+)\s+\[(?P<cpu>\d+)\]\s+(?P<time>\d+\.\d+):\s+"
                  r"(?P<event>\w+):\s*(?P<text>.*)$")
SWITCH = re.compile(r"^(?P<prev>.*):(?P<prev_tid>\d+) \[\d+\] (?P<state>\S+) ==> "
                    r"(?P<next>.*):(?P<next_tid>\d+) \[\d+\]")
BEGIN = re.compile(r"^kind=(work|wait) name=(.*) value=(-?\d+)( \(none\))? ago_ns=\d+$")
MARK = re.compile(r"^name=(.*) value=(-?\d+)( \(none\))? ago_ns=\d+$")
NAME = re.compile(r"^id=(\d+) table=(\d+) tgid=\d+ name=(.*)$")
BATCH = re.compile(r"^tgid=\d+ table=(\d+) nr=(\d+) records=([\d ]*) "
                   r"nr_counts=(\d+) invalid=([\da-f]+) counts=([\d ]*)$")

# What an operation of a batch is in the text protocol, see include/uapi/annot.h.
OPERATIONS = {0: "B", 1: "W", 2: "E", 3: "I", 4: "C"}
RECORD_HAS_VALUE = 1


SCENE = re.compile(r"scene (\w+)$")
PAIR = re.compile(r"(\w+)=(\S*)")

# `at` is the number of the line: the order in the trace.
Sample = collections.namedtuple(
    "Sample", "at time_ns cpu tid event ip addr weight data_src period precise has")
SliceCounts = collections.namedtuple("SliceCounts", "at time_ns cpu tid invalid ended_by counts")
PmuState = collections.namedtuple("PmuState", "at time_ns cpu event state value")
PMU_EVENTS = ("annot_sample", "annot_slice_counts", "annot_pmu_state")


def nanoseconds(text):
    seconds, fraction = text.split(".")
    return int(seconds) * 1_000_000_000 + int(fraction.ljust(9, "0"))


def read_words(path):
    """Of each line `key=number key=number ...`, as perf_user prints them, a dict."""
    with open(path, encoding="ascii") as file:
        return [{key: int(value) for key, value in (word.split("=") for word in line.split())}
                for line in file]


class Tap:
    failed = False

    def point(self, name, complaints):
        for complaint in complaints[:10]:
            print(f"# {complaint}")
        if len(complaints) > 10:
            print(f"# and {len(complaints) - 10} more")
        print(f"{'not ok' if complaints else 'ok'} - {name}", flush=True)
        self.failed |= bool(complaints)


class Measured:
    """What one set of events measured."""

    def __init__(self):
        self.events = {}  # index -> what annot_config says of the event
        self.samples, self.slice_counts, self.states = [], [], []

    def index(self, name):
        """Of the event with this name in the set."""
        return next(index for index, words in self.events.items() if words["name"] == name)

    def counter(self, name):
        """The place of a counted event in the counts of a slice."""
        counted = sorted(index for index, words in self.events.items()
                         if words["mode"] == "count")
        return counted.index(self.index(name))


class Text:
    """
    A trace as trace-cmd prints it: annotations and switches, walked once.

    What is measured goes into `measured`; or, from a line "scene NAME" in trace_marker on, into
    `scenes[NAME]`.
    """

    def __init__(self, path):
        output = subprocess.run(["trace-cmd", "report", "-t", "-i", path], check=True,
                                capture_output=True, text=True, errors="replace").stdout
        self.sequences = collections.defaultdict(list)  # tid -> what it annotated, in order
        self.misplaced = []   # annotations outside of their thread's slices
        self.unreadable = []  # lines that trace-cmd or we cannot make sense of
        self.slices = collections.defaultdict(list)     # tid -> CPUs of its slices
        self.ran = collections.defaultdict(list)        # tid -> (from, to) of its slices
        self.slept_ns = collections.defaultdict(list)   # tid -> when it left a CPU of its own will
        self.since_ns = {}    # CPU -> its last switch
        self.config = []
        self.measured = Measured()
        self.scenes = {"": self.measured}
        self.before = {}      # CPU -> who ran until the last switch
        self.names = {}       # (table, id) -> name, as annot_name told so far
        self.forms = set()    # "batch", "each"
        on_cpu = {}
        for at, line in enumerate(output.splitlines()):
            match = LINE.match(line)
            if not match:
                if "EVENTS DROPPED" in line or "FAILED TO PARSE" in line:
                    self.unreadable.append(line)
                continue
            cpu, tid = int(match["cpu"]), int(match["tid"])
            if match["event"] == "sched_switch":
                self.add_switch(line, match["text"], match["time"], cpu, tid, on_cpu)
            elif match["event"] == "print" and SCENE.search(match["text"]):
                self.measured = Measured()
                self.scenes[SCENE.search(match["text"])[1]] = self.measured
            elif match["event"] in PMU_EVENTS:
                self.add_measured(line, match["event"], match["text"],
                                  (at, nanoseconds(match["time"]), cpu), tid)
                self.check_place(line, match["event"], cpu, tid, on_cpu)
            elif match["event"].startswith("annot_"):
                self.add_annotation(line, match["event"], match["text"],
                                    (at, nanoseconds(match["time"]), cpu), tid)
                self.check_place(line, match["event"], cpu, tid, on_cpu)

    def check_place(self, line, event, cpu, tid, on_cpu):
        """Who speaks must be running; an NMI may yet find the thread that is on its way out."""
        allowed = {on_cpu.get(cpu, tid)}
        if event == "annot_sample":
            allowed.add(self.before.get(cpu, tid))
        if event not in ("annot_config", "annot_name", "annot_pmu_state") and tid not in allowed:
            self.misplaced.append(f"{line.strip()} (running: {on_cpu[cpu]})")

    def add_switch(self, line, text, time, cpu, tid, on_cpu):
        switch = SWITCH.match(text)
        if not switch:
            self.unreadable.append(line)
            return
        if int(switch["prev_tid"]) != on_cpu.get(cpu, tid):
            self.misplaced.append(f"{line.strip()} (running: {on_cpu[cpu]})")
        if cpu not in on_cpu:
            self.slices[int(switch["prev_tid"])].append(cpu)  # it ran when the trace began
        self.before[cpu] = int(switch["prev_tid"])
        on_cpu[cpu] = int(switch["next_tid"])
        time_ns = nanoseconds(time)
        if cpu in self.since_ns and int(switch["prev_tid"]) == tid:
            self.ran[tid].append((self.since_ns[cpu], time_ns))
        if switch["state"] != "R":
            self.slept_ns[int(switch["prev_tid"])].append(time_ns)
        self.since_ns[cpu] = time_ns
        self.slices[on_cpu[cpu]].append(cpu)

    def add_annotation(self, line, event, text, where, tid):
        self.forms |= {"annot_batch": {"batch"}, "annot_begin": {"each"}}.get(event, set())
        if event == "annot_config" and "event=" in text:
            words = dict(PAIR.findall(text))
            self.measured.events[int(words["event"])] = words
        elif event == "annot_config":
            self.config.append(text)
        elif event == "annot_name" and NAME.match(text):
            number, table, name = NAME.match(text).groups()
            self.names[int(table), int(number)] = name
        elif event == "annot_batch" and BATCH.match(text):
            table, nr, records, nr_counts, invalid, counts = BATCH.match(text).groups()
            self.add_batch_counts(line, where, tid, int(nr), int(nr_counts), invalid, counts.split())
            self.add_batch(line, table, nr, records, tid)
        elif event == "annot_end":
            self.sequences[tid].append("E")
        elif event == "annot_begin" and BEGIN.match(text):
            kind, name, value, none = BEGIN.match(text).groups()
            self.sequences[tid].append(
                ("B" if kind == "work" else "W") + f" {name}" + ("" if none else f" {value}"))
        elif event in ("annot_mark", "annot_counter") and MARK.match(text):
            name, value, none = MARK.match(text).groups()
            self.sequences[tid].append(
                ("I" if event == "annot_mark" else "C") + f" {name}" + ("" if none else f" {value}"))
        else:
            self.unreadable.append(line)

    def add_measured(self, line, event, text, where, tid):
        words = dict(PAIR.findall(text))
        try:
            if event == "annot_sample":
                self.measured.samples.append(Sample(
                    *where, tid, int(words["event"]), int(words["ip"], 16),
                    int(words["addr"], 16), int(words["weight"]), int(words["data_src"], 16),
                    int(words["period"]), int(words["precise"]),
                    frozenset(words["has"].split("|"))))
            elif event == "annot_slice_counts":
                self.add_counts(line, where, tid, words["nr"], words["invalid"], words["ended_by"],
                                text.split("counts=")[1])
            else:
                state = text.split("state=")[1].split(" value=")[0]
                self.measured.states.append(
                    PmuState(*where, int(words["event"]), state, int(words["value"])))
        except (KeyError, IndexError, ValueError):
            self.unreadable.append(line)

    def add_counts(self, line, where, tid, nr, invalid, ended_by, words):
        counts = tuple(int(word) for word in words.split())
        if len(counts) != int(nr):
            self.unreadable.append(line)
        self.measured.slice_counts.append(
            SliceCounts(*where, tid, int(invalid, 16), ended_by, counts))

    def add_batch_counts(self, line, where, tid, nr, nr_counts, invalid, words):
        if len(words) != nr * nr_counts:
            self.unreadable.append(line)
        for i in range(nr if nr_counts else 0):
            self.add_counts(line, where, tid, nr_counts, invalid, "end",
                            " ".join(words[i * nr_counts:(i + 1) * nr_counts]))

    def add_batch(self, line, table, nr, words, tid):
        words = [int(word) for word in words.split()]
        if len(words) != 3 * int(nr):
            self.unreadable.append(line)
            return
        for value, what in zip(words[1::3], words[2::3]):
            operation = OPERATIONS[what >> 8 & 0xff]
            item = operation
            if operation != "E":
                item += f" {self.names.get((int(table), what >> 32), 'no name')}"
            if what & RECORD_HAS_VALUE:
                item += f" {value - (value >> 63 << 64)}"
            self.sequences[tid].append(item)

    def ran_after_ns(self, tid, time_ns):
        return sum(end - max(start, time_ns) for start, end in self.ran[tid] if end > time_ns)

    def moves(self, tid):
        cpus = self.slices[tid]
        return [(a, b) for a, b in zip(cpus, cpus[1:]) if a != b]
