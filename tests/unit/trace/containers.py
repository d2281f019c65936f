#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: containers.py
#
# The story of make_trace.py in files of every form: compressed, in pages of other sizes, in several
# buffers, with other clocks, cut off, divided. What annot reports is held against its report of the
# plain file, which check_made.py holds against the story; and what it reads, event by event, against
# libtracecmd. TAP.
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import make_trace  # noqa: E402
from make_trace import Container, Instance

ANNOT = os.environ.get("ANNOT", "build/annot")
AGAINST_LIBTRACECMD = os.path.join(os.environ.get("ANNOT_BUILD", "build"), "tests/unit/trace/test_trace_libtracecmd")
MACHINES = [("little", 8), ("little", 4), ("big", 8), ("big", 4)]
SKEW_NS = 700   # of the time of an event in one buffer against that in another


class Wrong(Exception):
    pass


def expect(what, found, expected):
    if found != expected:
        raise Wrong(f"{what}: {found}, not {expected}")


def run(*command):
    return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)


class Report:
    def __init__(self, path):
        done = run(ANNOT, "report", "--json", path)
        self.status, self.errors = done.returncode, done.stderr.decode().splitlines()
        self.json = json.loads(done.stdout) if done.stdout else None

    def figures(self):
        """Whatever does not depend on how the events stand in the file."""
        if self.status or self.errors:
            raise Wrong(f"status {self.status}: {self.errors}")
        trace = {key: value for key, value in self.json["trace"].items()
                 if key not in ("file", "events", "clock")}
        # The other analyses tell points in time, which buffers may differ in.
        others = ("version", "threads", "tasks", "findings", "migrations", "wakeup_latency", "task_tree")
        return {"trace": trace, **{key: self.json[key] for key in others}}

    def expect_line(self, status, *texts):
        expect(f"status, with {self.errors}", self.status, status)
        expect("lines on stderr", len(self.errors), 1)
        for text in texts:
            if text not in self.errors[0]:
                raise Wrong(f"nothing of '{text}' in: {self.errors[0]}")


class Files:
    """Of one machine, in one version."""
    def __init__(self, directory, endian, long_bytes, version):
        self.path = os.path.join(directory, "made.dat")
        self.machine = make_trace.Machine(endian, long_bytes)
        self.version = version
        self.story = make_trace.story(self.machine, "marker", "none")
        self.plain_figures = Report(self.make()).figures()

    def make(self, cpus=None, machine=None, **container):
        writer = make_trace.WRITERS[self.version]
        self.write(writer(machine or self.machine, self.story if cpus is None else cpus,
                          Container(**container)))
        return self.path

    def write(self, content):
        with open(self.path, "wb") as file:
            file.write(content)

    def is_marker(self, record):
        return record[:2] == self.machine.number(make_trace.FORMATS["ftrace", "print"][0], 2)

    def some(self, markers):
        """Of the story, the annotations or the rest."""
        return [[(time, record) for time, record in events if self.is_marker(record) == markers]
                for events in self.story]

    def expect_figures(self, path):
        expect("figures", Report(path).figures(), self.plain_figures)

    def expect_same(self, path):
        self.expect_figures(path)
        against_libtracecmd(path)


def against_libtracecmd(path):
    done = run(AGAINST_LIBTRACECMD, path)
    if done.returncode:
        raise Wrong(done.stdout.decode() + done.stderr.decode())


def compressed(files):
    """Debian's libtracecmd does without zlib."""
    files.expect_figures(files.make(compression="zlib"))


def page_sizes(files):
    """libtracecmd maps pages, which works for those that are pages of this machine."""
    for page_bytes in (512, 1024):
        files.expect_figures(files.make(page_bytes=page_bytes))
    for page_bytes in (16384, 65536):
        files.expect_same(files.make(page_bytes=page_bytes))


def time_stamps(files):
    machine = make_trace.Machine("big" if files.machine.big_endian else "little",
                                 files.machine.long_bytes, absolute_times=True)
    files.expect_same(files.make(machine=machine))


def tsc(files):
    ticks = [[(time * 4, record) for time, record in events] for events in files.story]
    files.expect_same(files.make(ticks, clock="local [x86-tsc]", tsc=(1 << 30, 32)))
    for clock in ("x86-tsc", "ppc-tb", "s390-tod", "counter", "uptime"):
        Report(files.make(ticks, clock=f"local [{clock}]")).expect_line(1, files.path, clock)


def two_buffers(files):
    """The scheduler's events in one, the annotations in the other."""
    files.expect_same(files.make(files.some(False), instances=[Instance("tasks", files.some(True))]))
    files.expect_same(files.make([[], []], instances=[Instance("all", files.story)]))
    files.expect_same(files.make(files.some(True), instances=[
        Instance("a", [files.some(False)[0], []]), Instance("b", [[], files.some(False)[1]])]))


def repeated(files):
    """What two buffers have is told once; so is what is in each of them, as long as it differs."""
    later = [[(time + SKEW_NS, record) for time, record in events] for events in files.story]
    files.expect_same(files.make(instances=[Instance("again", later)]))
    both = Report(files.make(instances=[Instance("again", later)])).json["trace"]["events"]
    expect("events", both, 2 * sum(len(events) for events in files.story))
    files.expect_same(files.make(files.some(False), instances=[
        Instance("again", later), Instance("empty", [[], []])]))


def same_twice(files):
    """Two like it in a row, in each of two buffers, are two."""
    mark = files.machine.record("ftrace", "print", 100, buf=b"I|100|twice\n\0")
    time = files.story[0][3][0]
    for pairs in (((0, 10), (1, 11)), ((0, 1), (10, 11)), ((0, 0), (0, 0))):
        first, second = ([sorted(files.story[0] + [(time + at, mark) for at in pair],
                                 key=lambda event: event[0]), files.story[1]] for pair in pairs)
        merged = Report(files.make(first, instances=[Instance("more", second)])).figures()
        expect("figures", merged, Report(files.make(first)).figures())


def of_no_interest(files, event):
    """A record of the same task that nothing is known of but whose it is: common_pid, at byte 4."""
    return files.machine.number(999, 2) + bytes(2) + event[4:8] + bytes(4)


def losses(files):
    """Of a buffer that tells something, they leave gaps; of one that has nothing to tell, none."""
    pages = sum(-(-len(events) // 3) for events in files.some(True))
    for loses in (make_trace.UNCOUNTED, 7):
        path = files.make(files.some(False), instances=[
            Instance("tasks", files.some(True), loses=loses)])
        trace = Report(path).json["trace"]
        # The very first comes before it is known that the buffer tells anything.
        expect("gaps", trace["lost_gaps"], pages - 1)
        expect("lost events", trace["lost_events"], max(0, loses) * pages)
        against_libtracecmd(path)
    calls = [[(time - 1, of_no_interest(files, event)) for time, event in events]
             for events in files.story]
    files.expect_figures(files.make(instances=[
        Instance("functions", calls, loses=make_trace.UNCOUNTED)]))


def other_clock(files):
    path = files.make(instances=[Instance("other", files.story, "boot")])
    report = Report(path)
    report.expect_line(0, "warning", path, "1 of its buffers", "mono")
    report.errors = []
    expect("figures", report.figures(), files.plain_figures)
    # There is nothing in it: nobody misses it.
    files.expect_same(files.make(instances=[Instance("other", [[], []], "boot")]))


def own_page_size(files):
    files.expect_same(files.make(files.some(False), instances=[
        Instance("tasks", files.some(True), page_bytes=16384)]))


def cut_off(files):
    """All events of the pages that are whole are there, and it is told that others are not."""
    with open(files.make(), "rb") as file:
        content = file.read()
    pages = sum(-(-len(events) // 3) for events in files.story)
    sizes = [len(group) for events in files.story
             for group in (events[i:i + 3] for i in range(0, len(events), 3))]
    for missing in range(1, pages):
        for rest in (0, 1, 4095):
            files.write(content[:len(content) - make_trace.PAGE_BYTES * missing + rest])
            report = Report(files.path)
            report.expect_line(0, "warning", "truncated", files.path)
            expect("truncated", report.json["trace"]["truncated"], True)
            expect("events", report.json["trace"]["events"], sum(sizes[:pages - missing]))


def instance_cut_off(files):
    with open(files.make(instances=[Instance("last", files.story)]), "rb") as file:
        content = file.read()
    for end in (content.rindex(b"flyrecord"), len(content) - 1):
        files.write(content[:end])
        Report(files.path).expect_line(0, "warning", "truncated", files.path)


def shared(files):
    """As many CPUs as there can be, all of the same data."""
    instance = Instance("many", files.story[:1], page_bytes=65536, times_told=16000)
    Report(files.make([[], []], instances=[instance])).expect_line(1, files.path, "memory")
    instance.times_told = 100
    expect("CPUs", Report(files.make([[], []], instances=[instance])).json["trace"]["cpus"], 100)


def data_of(files, content):
    """Of a file of version 7: where the link to the last options stands, and where the data end."""
    def number(offset):
        order = "big" if files.machine.big_endian else "little"
        return int.from_bytes(content[offset:offset + 8], order)

    options = number(content.index(b"\0\0", 18) + 2)
    link = options + 8 + number(options + 8)
    return link, number(link)


def never_ended(content, link):
    """What is written last is not there: the link to the options, and the section's size."""
    content = bytearray(content)
    content[link:link + 8] = bytes(8)
    content[link + 16:link + 24] = bytes(8)
    return content


def expect_cut(files, content, nr_events):
    files.write(content)
    report = Report(files.path)
    report.expect_line(0, "warning", files.path, "truncated", "CPUs are numbered in the order of their data")
    expect("truncated", report.json["trace"]["truncated"], True)
    expect("events", report.json["trace"]["events"], nr_events)
    report.errors, report.json["trace"]["truncated"] = [], False
    return report


def without_end(files):
    """The options that tell where the data are stand behind them; what is whole is found."""
    nr_events = sum(map(len, files.story))
    for compression in ("none", "zlib"):
        with open(files.make(compression=compression), "rb") as file:
            content = bytearray(file.read())
        link, end = data_of(files, content)
        for whole in (content[:-1], content[:end], never_ended(content[:end], link)):
            expect("figures", expect_cut(files, whole, nr_events).figures(), files.plain_figures)
        # The last page and the last chunk have two events.
        expect_cut(files, content[:end - 1], nr_events - 2)
    # While a CPU's chunks are written, their number before them is 0.
    second = end // make_trace.PAGE_BYTES * make_trace.PAGE_BYTES
    content[second:second + 4] = bytes(4)
    expect_cut(files, never_ended(content[:end], link), len(files.story[0]))
    for left in (link - 100, link + 8, link + 100):
        files.write(content[:left])
        Report(files.path).expect_line(1, files.path, f"truncated at offset {left}",
                                       "trace-cmd restore")
    files.write(content.replace(b"zlib\0\0", b"zlib\0\0" + bytes(8))[:link])
    Report(files.path).expect_line(1, files.path, "the recording did not end", "trace-cmd restore")


def without_end_by_page(files):
    with open(files.make(), "rb") as file:
        content = file.read()
    sizes = [len(events[i:i + 3]) for events in files.story for i in range(0, len(events), 3)]
    end = data_of(files, content)[1]
    for missing in range(1, len(sizes)):
        for rest in (0, 1, 4095):
            expect_cut(files, content[:end - make_trace.PAGE_BYTES * missing + rest],
                       sum(sizes[:-missing]))


def without_end_cpus(files):
    """Of some there are no data; in pages, all of one may be later than all of the one before."""
    first, second = files.story
    nr_events = len(first) + len(second)
    with open(files.make([first, [], second], read_events=(10, 0, 14)), "rb") as file:
        content = file.read()
    expect_cut(files, content[:-1], nr_events)
    table = run(ANNOT, "convert", "--csv", "-o", "-", files.path).stdout.decode().splitlines()
    expect("CPUs", {line.split(",")[3] for line in table if line.startswith("slice")}, {"0", "2"})
    later = [(time + 10 ** 10, record) for time, record in second]
    with open(files.make([first, later]), "rb") as file:
        content = file.read()
    files.write(content[:-1])
    Report(files.path).expect_line(1, files.path, "which data belong to which CPU")
    with open(files.make([first, later], compression="zlib"), "rb") as file:
        content = file.read()
    expect_cut(files, content[:-1], nr_events)


def without_last_buffer(files):
    with open(files.make(instances=[Instance("last", files.story)]), "rb") as file:
        content = file.read()
    for end in (len(content) - 1, len(content) - make_trace.PAGE_BYTES):
        files.write(content[:end])
        report = Report(files.path)
        report.expect_line(0, "warning", files.path, "truncated")
        expect("events", report.json["trace"]["events"], sum(len(events) for events in files.story))


def left_by_trace_cmd(files):
    """It is killed: there are files of the CPUs, and none with the trace's name."""
    os.remove(files.make())
    part = f"{files.path}.cpu0"
    with open(part, "wb") as file:
        file.write(bytes(make_trace.PAGE_BYTES))
    for path in (files.path, part):
        Report(path).expect_line(1, path, "trace-cmd restore")
    os.remove(part)


def joined(files):
    """Another recording behind the first."""
    with open(files.make(), "rb") as file:
        content = file.read()
    files.write(content + content)
    report = Report(files.path)
    report.expect_line(0, "warning", files.path, "another recording", str(len(content)))
    report.errors = []
    expect("figures", report.figures(), files.plain_figures)


EACH_MACHINE = {
    "pages of other sizes": page_sizes,
    "absolute time stamps": time_stamps,
    "a TSC, and clocks that are no time": tsc,
    "several buffers": two_buffers,
    "events that several buffers have": repeated,
    "alike events in several buffers": same_twice,
    "losses in several buffers": losses,
    "two recordings, one behind the other": joined,
}
VERSION_6 = {"cut off": cut_off, "an instance cut off": instance_cut_off}
VERSION_7 = {
    "compressed with zlib": compressed,
    "a buffer with another clock": other_clock,
    "a buffer with pages of another size": own_page_size,
    "without its end": without_end,
    "without its end, cut after each page": without_end_by_page,
    "without its end, and CPUs without data": without_end_cpus,
    "without its last buffer": without_last_buffer,
    "not written yet": left_by_trace_cmd,
    "more CPUs than data": shared,
}


def check(name, test, *arguments):
    try:
        test(*arguments)
    except Wrong as wrong:
        for line in str(wrong).splitlines():
            print(f"# {line}")
        print(f"not ok - {name}")
    else:
        print(f"ok - {name}")


def total_events(path):
    return Report(path).json["trace"]["events"]


def divided(directory, path):
    """trace-cmd split: all parts can be read, and together they are the whole."""
    done = run("trace-cmd", "split", "-r", "-e", "100", "-i", path, "-o", f"{directory}/part")
    expect("status of trace-cmd split", done.returncode, 0)
    parts = sorted(file.path for file in os.scandir(directory) if file.name.startswith("part"))
    if len(parts) < 2:
        raise Wrong(f"{len(parts)} parts: {done.stderr.decode()}")
    for part in parts:
        against_libtracecmd(part)
    expect("events of all parts", sum(total_events(part) for part in parts), total_events(path))


def converted(directory, path):
    for number, form in enumerate((["--file-version", "6"], ["--compression", "none"],
                                   ["--compression", "any"])):
        other = f"{directory}/converted{number}.dat"
        done = run("trace-cmd", "convert", "-i", path, "-o", other, *form)
        expect(f"status of trace-cmd convert {form}", done.returncode, 0)
        expect(" ".join(form), Report(other).figures(), Report(path).figures())
        against_libtracecmd(other)


def joined_data(directory, path):
    """Of what trace-cmd writes, too, the end is found."""
    with open(path, "rb") as file:
        content = file.read()
    both = f"{directory}/both.dat"
    with open(both, "wb") as file:
        file.write(content * 2)
    report = Report(both)
    report.expect_line(0, "warning", "another recording", f"offset {len(content)}:")
    report.errors = []
    expect("figures", report.figures(), Report(path).figures())


def check_joined():
    for data in ("v6-6.1", "zstd-6.12", "plain-6.1"):
        with tempfile.TemporaryDirectory() as directory:
            check(f"two recordings, one behind the other: {data}", joined_data, directory,
                  f"tests/data/{data}.dat")


def several_buffers(directory):
    """A file with the scheduler's events, the annotations, and both, in a buffer each."""
    files = Files(directory, "little", 8, "7")
    return files.make(files.some(False), kallsyms=b"0000000000000000 T _text\n", instances=[
        Instance("tasks", files.some(True)), Instance("all", files.story)])


SEVERAL_BUFFERS = "several buffers"


def check_trace_cmd(name, test, *names):
    for data in names:
        if not shutil.which("trace-cmd"):
            print(f"ok - {name}: {data} # SKIP no trace-cmd")
            continue
        with tempfile.TemporaryDirectory() as directory:
            path = f"tests/data/{data}.dat"
            if data == SEVERAL_BUFFERS:
                path = several_buffers(directory)
            check(f"{name}: {data}", test, directory, path)


def main():
    with tempfile.TemporaryDirectory() as directory:
        for machine in MACHINES:
            for version, more in (("6", VERSION_6), ("7", VERSION_7)):
                files = Files(directory, *machine, version)
                for name, test in {**EACH_MACHINE, **more}.items():
                    check(f"{machine[0]}-endian, words of {machine[1]} bytes, version {version}: {name}",
                          test, files)
    check_joined()
    check_trace_cmd("trace-cmd split", divided, "v6-6.1", "zstd-6.12")
    check_trace_cmd("trace-cmd convert", converted, "v6-6.1", "zstd-6.12", SEVERAL_BUFFERS)


main()
