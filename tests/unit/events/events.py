#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# annot events: what it prints, beside what trace-cmd report prints and what made traces hold. What it is asked to leave out is
# held against a selection from all that trace-cmd prints, by regular expressions here. TAP.
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import make_trace  # noqa: E402
import trace_cmd_report  # noqa: E402
from make_trace import Container, Instance  # noqa: E402
from trace_cmd_report import ANNOT  # noqa: E402

PLAIN, LOST = "tests/data/plain-6.12.dat", "tests/data/lost-6.1.dat"
LOSS_NR = 7
failed = False


class Wrong(Exception):
    pass


def expect(what, found, wanted):
    if found != wanted:
        raise Wrong(f"{what}: {found}, not {wanted}")


def check(name, function, *arguments):
    global failed
    try:
        function(*arguments)
        print(f"ok - {name}")
    except (Wrong, subprocess.CalledProcessError, ValueError) as error:
        for line in str(error).splitlines():
            print(f"# {line}")
        print(f"not ok - {name}")
        failed = True


def run(*arguments):
    return subprocess.run([ANNOT, "events", *arguments], capture_output=True, check=False)


def lines(*arguments):
    done = run(*arguments)
    expect(f"status of {arguments}, {done.stderr}", done.returncode, 0)
    expect("stderr", done.stderr, b"")
    return done.stdout.decode().splitlines()


def as_trace_cmd(path):
    why = trace_cmd_report.first_difference(trace_cmd_report.of_annot(path), trace_cmd_report.of_trace_cmd(path))
    if why:
        raise Wrong(why)


def gaps_as_trace_cmd(path):
    ours, theirs = trace_cmd_report.of_annot(path)[1], trace_cmd_report.of_trace_cmd(path)[1]
    expect("gaps by CPU", ours, theirs)
    expect("gaps", sum(ours.values()), 1)


# Lines of text


def text_line(row):
    """From an object of JSON."""
    time = f"{row['time_ns'] // 10 ** 9:6}.{row['time_ns'] % 10 ** 9:09} [{row['cpu']:03}]"
    if "lost" in row:
        since = row["lost"]["since_ns"]
        nr = f"{row['lost']['events']} events" if row["lost"]["events"] else "events"
        return f"{time} {'-':23} {'LOST':24} {nr} since {since // 10 ** 9}.{since % 10 ** 9:09}"
    thread = f"{row['comm'].replace(' ', '_')}-{row['tid']}"
    return f"{time} {thread:23} {row['event']:24} {row['text'].strip()}"


def text_is_that_of_json():
    for path in PLAIN, LOST:
        wanted = [text_line(json.loads(line)) for line in lines("--json", path)]
        expect(f"lines of {path}", lines(path), wanted)


# What is left out


def selected(path, *arguments):
    return trace_cmd_report.of_annot(path, *arguments)[0]


def expect_selection(path, arguments, takes):
    """@takes: of an event of trace-cmd's."""
    theirs = [event for event in trace_cmd_report.of_trace_cmd(path)[0] if takes(event)]
    ours = selected(path, *arguments)
    if not theirs:
        raise Wrong(f"{arguments} takes nothing: this tests nothing")
    expect(f"events with {arguments}", [(event.time_ns, event.cpu, event.text) for event in ours],
           [(event.time_ns, event.cpu, event.text) for event in sorted(theirs, key=lambda event: event[:2])])


def number(event, field):
    found = re.search(rf"\b{field}=(\d+)", event.text)
    return int(found.group(1)) if found else None


def is_switch(event):
    return event.event == "sched_switch"


def by_name():
    for pattern, wanted in (("sched:sched_switch", r"sched_switch"), ("sched:*", r"sched_.*"), ("sched", r"sched_.*"),
                            ("sched_wak*", r"sched_wak.*"), ("*:*_rename", r"task_rename"), ("task", r"task_.*"),
                            ("s[bc]h?d:sched_wakeup", r"sched_wakeup")):
        expect_selection(PLAIN, [pattern], lambda event, wanted=wanted: re.fullmatch(wanted, event.event))
    expect_selection(PLAIN, ["task", "sched_switch"], lambda event: re.match("task_|sched_switch$", event.event))


def by_fields():
    for expression, takes in (
            ("prev_prio < 100", lambda event: number(event, "prev_prio") < 100),
            ("next_pid == 0 && prev_prio >= 120", lambda event: number(event, "next_pid") == 0 and
             number(event, "prev_prio") >= 120),
            ("next_comm == \"migrate\"", lambda event: "next_comm=migrate " in event.text),
            ("prev_comm =~ \"^kw.*r/\"", lambda event: "prev_comm=kworker" in event.text),
            ("!(next_pid == 0) && CPU == 1", lambda event: number(event, "next_pid") != 0 and event.cpu == 1),
            ("common_pid == 0", lambda event: event.tid == 0)):
        expect_selection(PLAIN, [f"sched:sched_switch: {expression}"], lambda event, takes=takes: is_switch(event) and takes(event))
        expect_selection(PLAIN, [f"sched_switch: {expression}"], lambda event, takes=takes: is_switch(event) and takes(event))


def several_filters():
    """An event is taken if any of them takes it."""
    expect_selection(PLAIN, ["sched:sched_switch: next_pid == 0", "sched_switch: prev_pid == 0", "task"],
                     lambda event: event.event.startswith("task_") or is_switch(event) and
                     0 in (number(event, "next_pid"), number(event, "prev_pid")))
    for both in ((f"sched_switch{rest}" for rest in order) for order in (("", ": next_pid == 0"), (": next_pid == 0", ""))):
        expect_selection(PLAIN, list(both), is_switch)


def fields_of_some_types():
    """A type that has no such field has no such event."""
    expect_selection(PLAIN, ["sched:*: next_pid > 0"], lambda event: is_switch(event) and number(event, "next_pid") > 0)
    expect_selection(PLAIN, ["sched*: pid > 100"], lambda event: event.event.startswith("sched") and
                     event.event not in ("sched_switch", "sched_process_fork") and (number(event, "pid") or 0) > 100)


def by_options():
    expect_selection(PLAIN, ["--cpu", "1,3"], lambda event: event.cpu in (1, 3))
    expect_selection(PLAIN, ["--thread", "0"], lambda event: event.tid == 0)
    expect_selection(PLAIN, ["-C", "2", "--thread", "0,209", "sched_switch"],
                     lambda event: event.cpu == 2 and event.tid in (0, 209) and is_switch(event))
    events = sorted(event.time_ns for event in trace_cmd_report.of_trace_cmd(PLAIN)[0])
    start, first, last = events[0], events[len(events) // 3], events[len(events) // 2]
    for begin, end in ((f"{first / 1e9:.9f}", f"{last / 1e9:.9f}"), (f"+{first - start}ns", f"+{last - start}ns")):
        expect_selection(PLAIN, ["--from", begin, "--to", end], lambda event: first <= event.time_ns <= last)
    expect_selection(PLAIN, ["--from", f"+{first - start}ns"], lambda event: first <= event.time_ns)
    expect_selection(PLAIN, ["--to", f"+{last - start}ns"], lambda event: event.time_ns <= last)


def threads_by_name():
    ours = [json.loads(line) for line in lines("--json", PLAIN)]
    wanted = [row for row in ours if row["comm"] == "migrate"]
    expect("events of migrate", [json.loads(line) for line in lines("--json", "--thread", "migrate", PLAIN)], wanted)
    switched_out = [row for row in ours if row["text"].startswith("prev_comm=migrate ")]
    if not switched_out or any(row["comm"] != "migrate" for row in switched_out):
        raise Wrong("a thread is not called what the switch calls it")


def summary():
    for path in PLAIN, LOST:
        events, gaps = trace_cmd_report.of_annot(path)
        counts = collections.Counter(event.event for event in events)
        found = [line.split(maxsplit=3) for line in lines("--summary", path)]
        expect("head", found[0], ["COUNT", "FIRST", "LAST", "EVENT"])
        expect("losses", [row[3] for row in found if row[1] == "-"], ["LOST, at least, in 1 gaps"] if gaps else [])
        found = [row for row in found[1:] if row[1] != "-"]
        expect("counts", {name: int(nr) for nr, _, _, name in found}, dict(counts))
        expect("order", [int(row[0]) for row in found], sorted(counts.values(), reverse=True))
        for _, first, last, name in found:
            times = [event.time_ns for event in events if event.event == name]
            expect(f"times of {name}", (first, last), tuple(f"{t // 10 ** 9}.{t % 10 ** 9:09}" for t in (times[0], times[-1])))
        as_json = [json.loads(line) for line in lines("--summary", "--json", path)]
        expect("JSON", {row["event"]: row["count"] for row in as_json if "event" in row}, dict(counts))
    rows = lines("--summary", PLAIN, "sched_switch: next_pid == 0")
    expect("rows of one type", len(rows), 2)
    expect("its count", int(rows[1].split()[0]), len(selected(PLAIN, "sched_switch: next_pid == 0")))


# Made traces


class Made:
    def __init__(self, directory):
        self.path = os.path.join(directory, "made.dat")

    def make(self, machine, version, cpus, **container):
        with open(self.path, "wb") as file:
            file.write(make_trace.WRITERS[version](machine, cpus, Container(**container)))
        return self.path


MACHINES = [(endian, word, version) for endian in ("little", "big") for word in (4, 8) for version in ("6", "7")]


def rows_of(path):
    return [json.loads(line) for line in lines("--json", path)]


def times_of(cpus):
    """What is printed, by CPU: at one time, the lower CPU is first."""
    return sorted((time, cpu) for cpu, events in enumerate(cpus) for time, _ in events)


def made_stories(made):
    for endian, word, version in MACHINES:
        machine = make_trace.Machine(endian, word)
        for form in ("marker", "batch"):
            cpus = make_trace.story(machine, form, "none")
            rows = rows_of(made.make(machine, version, cpus))
            expect("times and CPUs", [(row["time_ns"], row["cpu"]) for row in rows], times_of(cpus))
            threads = {int.from_bytes(record[4:8], endian) for events in cpus for _, record in events}
            expect("threads", {row["tid"] for row in rows}, threads)


def several_buffers(made):
    for endian, word, version in MACHINES:
        machine = make_trace.Machine(endian, word)
        cpus = make_trace.story(machine, "events", "none")
        path = made.make(machine, version, cpus, instances=[Instance("again", cpus)])
        rows = rows_of(path)
        for name in "", "again":
            of_it = [(row["time_ns"], row["cpu"]) for row in rows if row["buffer"] == name]
            expect(f"times and CPUs in buffer '{name}'", of_it, times_of(cpus))
        expect("buffers in the lines", collections.Counter(line.split()[2] for line in lines(path)),
               {"-": len(rows) // 2, "again": len(rows) // 2})
        expect("order", [row["time_ns"] for row in rows], sorted(row["time_ns"] for row in rows))


def losses(made):
    """A gap before each page, of three events at most, and in the buffer that has it."""
    for endian, word, version in MACHINES:
        machine = make_trace.Machine(endian, word)
        cpus = make_trace.story(machine, "marker", "none")
        for told, nr in ((LOSS_NR, LOSS_NR), (make_trace.UNCOUNTED, None)):
            path = made.make(machine, version, cpus, instances=[Instance("lossy", cpus, loses=told)])
            gaps = [row for row in rows_of(path) if "lost" in row]
            expect("gaps", len(gaps), sum(-(-len(events) // 3) for events in cpus))
            expect("their buffers", {row["buffer"] for row in gaps}, {"lossy"})
            expect("what is lost", {row["lost"]["events"] for row in gaps}, {nr})
            first = [events[i][0] for events in cpus for i in range(0, len(events), 3)]
            expect("their times", [row["time_ns"] for row in gaps], sorted(first))
            if not any(" LOST " in line for line in lines(path)):
                raise Wrong("no line tells of losses")


def annotations_are_readable(made):
    """Even where the events that tell the names are left out."""
    for endian, form, event in (("little", "batch", "annot_batch"), ("big", "batch", "annot_batch"), ("little", "raw", "raw_data"),
                                ("big", "raw", "raw_data")):
        machine = make_trace.Machine(endian, 8)
        path = made.make(machine, "7", make_trace.story(machine, form, "none"))
        for arguments in [], [event], [event, "--from", "+1ms"]:
            text = "\n".join(lines(path, *arguments))
            if "B loop48 -7 -607000000ns; E -7000000ns; W barrier -7000000ns" not in text or "name 2 of" in text:
                raise Wrong(f"{form} {endian} {arguments}: {text}")
        expect("events", {row["event"].split(":")[1] for row in map(json.loads, lines("--json", path, event))}, {event})


def unknown_types(made):
    machine = make_trace.Machine("little", 8)
    cpus = [[(10 ** 9, machine.number(999, 2) + bytes(2) + machine.number(77, 4) + bytes(4))], []]
    expect("events", [(row["event"], row["tid"], row["comm"]) for row in rows_of(made.make(machine, "7", cpus))],
           [("type:999", 77, "<...>")])


def names_upset_nothing(made):
    machine = make_trace.Machine("little", 8)
    switch = machine.record("sched", "sched_switch", 5, prev_comm=b"a b\x1b[31m\xff", prev_pid=5, next_comm=b"c", next_pid=6)
    path = made.make(machine, "7", [[(10 ** 9, switch)], []])
    expect("line", lines(path)[0].split()[2], "a_b?[31m?-5")


# Errors


def refuses(status, text, *arguments):
    done = run(*arguments)
    expect(f"status of {arguments}, {done.stderr}", done.returncode, status)
    expect("stdout", done.stdout, b"")
    expect(f"lines in {done.stderr}", done.stderr.count(b"\n"), 1)
    if text not in done.stderr.decode():
        raise Wrong(f"{arguments}: nothing of '{text}' in {done.stderr}")


def errors():
    refuses(1, "describes no event 'sched:sched_swich'; did you mean 'sched:sched_switch'?", PLAIN, "sched:sched_swich")
    refuses(1, "describes no event 'irq_*'", PLAIN, "irq_*")
    refuses(1, "describes no event 'nothing:sched_switch'", PLAIN, "nothing:sched_switch: prev_pid == 0")
    refuses(1, "sched_switch has no field 'prev_pri'", PLAIN, "sched:sched_switch: prev_pri < 100")
    refuses(1, "sched_switch has no field 'sh'", PLAIN, "sched:sched_switch: next_comm == sh")
    refuses(1, "'sched:sched_switch: prev_prio <'", PLAIN, "sched:sched_switch: prev_prio <")
    refuses(1, "'sched:sched_switch: (prev_prio < 1'", PLAIN, "sched:sched_switch: (prev_prio < 1")
    refuses(1, ": Syntax error before character 16", PLAIN, "sched:sched_switch: prev_prio + 1 > 120")
    refuses(1, "is written =~", PLAIN, "sched:sched_switch: next_comm ~ \"sh*\"")
    refuses(1, "has no CPU 77", PLAIN, "--cpu", "77")
    refuses(1, "no event of a thread 'nobody'", PLAIN, "--thread", "nobody")
    refuses(1, "the trace ends at 5.", PLAIN, "--from", "+100s")
    refuses(1, "the trace begins at 5.", PLAIN, "--to", "1")
    refuses(1, "missing.dat", "missing.dat")
    refuses(1, "is not before", PLAIN, "--from", "+100ms", "--to", "5.05")
    refuses(2, "the trace is missing")
    refuses(2, "filter ''", PLAIN, "")
    refuses(2, "--from '+2ms' is not before --to '+2000us'", PLAIN, "--from", "+2ms", "--to", "+2000us")


def damaged(made):
    """What comes before the damage is printed; then it is told."""
    shutil.copyfile(LOST, made.path)
    with open(made.path, "r+b") as file:
        file.truncate(os.path.getsize(LOST) // 2)
    done = run(made.path)
    if done.returncode not in (0, 1) or done.stderr.count(b"\n") != 1:
        raise Wrong(f"status {done.returncode}: {done.stderr}")
    whole = run(LOST).stdout.splitlines()
    if not set(done.stdout.splitlines()) <= set(whole):
        raise Wrong("lines that are not in the whole file's")


def closed_pipe():
    """Whoever reads the first line only, gets no complaint."""
    for option in [], ["--json"]:
        with subprocess.Popen([ANNOT, "events", LOST, *option], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.readline()
            process.stdout.close()
            expect("stderr", process.stderr.read(), b"")
            expect("status", process.wait(timeout=20), -13)


def main():
    for path in sorted(glob.glob("tests/data/*.dat")):
        check(f"the events of {os.path.basename(path)} as trace-cmd prints them", as_trace_cmd, path)
    for path in sorted(glob.glob("tests/data/lost-*.dat")):
        check(f"the gaps of {os.path.basename(path)} as trace-cmd prints them", gaps_as_trace_cmd, path)
    for function in (text_is_that_of_json, by_name, by_fields, several_filters, fields_of_some_types, by_options, threads_by_name,
                     summary, errors, closed_pipe):
        check(function.__name__.replace("_", " "), function)
    with tempfile.TemporaryDirectory() as directory:
        made = Made(directory)
        for function in (made_stories, several_buffers, losses, annotations_are_readable, unknown_types, names_upset_nothing, damaged):
            check(function.__name__.replace("_", " "), function, made)
    sys.exit(failed)


main()
