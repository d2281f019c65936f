#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: debian_stacks.py DIRECTORY PATH NAME=COMM...

Judges the stacks of the threads called COMM (an expression) in each DIRECTORY/NAME.dat by the code of the
binaries that they mapped, which are those here: at the same place, or else in a folder of PATH. A stack is right if it says
that it is complete, its last address is in a function that nobody calls (the program's or the dynamic
linker's entry, or one whose return address .eh_frame calls undefined, as readelf prints it), and
each return address stands behind a call. Prints TAP.
"""
import bisect
import collections
import os
import re
import struct
import subprocess
import sys

from tracetext import Tap

LINE = re.compile(r"^\s*(.*)-(\d+)\s+\[\d+\]\s+\d+\.\d+:\s+(\w+):\s+(.*)$")
STACK = re.compile(r"id=(\d+) tgid=(\d+) kind=user complete=(\d) ips=([\d ]*)$")
MAPPING = re.compile(r"annot\|map\|(\d+)\|([\da-f]+)\|([\da-f]+)\|([\da-f]+)\|[\da-f]*\|\d+@\d+\|(.*)$")
FRAME = re.compile(r"FDE .*pc=([\da-f]+)\.\.([\da-f]+)")

STACK_MAX = 128
LEAST_SHARE = 0.99
LEAST_STACKS = {"annot_sample": 500, "annot_blocked": 0}
LEAST_IN_VDSO = 20
IN_A_ROW = 20
ENTRY_BYTES = 48


class Binary:
    """A file of code: of which addresses a call stands before, and which functions nobody calls."""
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.data = file.read()
        entry, table = struct.unpack_from("<QQ", self.data, 24)
        size, nr = struct.unpack_from("<HH", self.data, 54)
        headers = [struct.unpack_from("<IIQQQQ", self.data, table + i * size) for i in range(nr)]
        self.segments = [(offset, offset + bytes_in_file, address - offset)
                         for kind, _, offset, address, _, bytes_in_file in headers if kind == 1]
        self.ends = sorted([(entry, entry + ENTRY_BYTES)] + self.undefined_callers())

    def undefined_callers(self):
        # It complains of a separate file of symbols that is not there.
        text = subprocess.run(["readelf", "--debug-dump=frames-interp", self.path], check=False,
                              capture_output=True, text=True, errors="replace").stdout
        found, function, columns = [], None, []
        for line in text.splitlines():
            frame = FRAME.search(line)
            words = line.split()
            if frame:
                function = (int(frame[1], 16), int(frame[2], 16))
            elif words[:2] == ["LOC", "CFA"]:
                columns = words
            elif function and len(words) >= len(columns) > 0 and words[-1] == "u" and \
                    columns[-1] == "ra" and function not in found[-1:]:
                found.append(function)
        return found

    def address(self, offset):
        return next((offset + distance for first, end, distance in self.segments
                     if first <= offset < end), None)

    def is_end(self, offset):
        address = self.address(offset)
        at = bisect.bisect_right(self.ends, (address, 1 << 64)) - 1
        return at >= 0 and self.ends[at][0] <= address < self.ends[at][1]

    def is_behind_call(self, offset):
        """By the forms of the instruction: e8 and a distance, or ff /2 with up to 6 bytes more."""
        before = self.data[max(offset - 8, 0):offset]
        return before[-5:-4] == b"\xe8" or any(
            before[-n:-n + 1] == b"\xff" and before[-n + 1] >> 3 & 7 == 2 for n in range(2, 8))


class Binaries:
    def __init__(self, folders):
        self.folders = folders
        self.known = {}

    def find(self, path):
        if path not in self.known:
            places = [path] + [os.path.join(folder, os.path.basename(path))
                               for folder in self.folders]
            here = [place for place in places if os.path.isfile(place)]
            self.known[path] = Binary(here[0]) if here else None
        return self.known[path]


class Process:
    """What a process maps as code, as the trace tells."""
    def __init__(self):
        self.mappings = {}

    def add(self, start, length, offset, path):
        self.mappings[start] = (start + length, offset, path)

    def find(self, ip):
        """(path, offset in the file), or (None, ip)."""
        for start, (end, offset, path) in self.mappings.items():
            if start <= ip < end:
                return path, ip - start + offset
        return None, ip


class Trace:
    """stacks: id -> (tgid, complete, ips); events: name -> ids of the stacks of COMM's threads"""
    def __init__(self, path, comm):
        self.processes = collections.defaultdict(Process)
        self.stacks = {}
        self.events = collections.defaultdict(list)
        text = subprocess.run(["trace-cmd", "report", "-i", path], check=True, capture_output=True,
                              text=True, errors="replace").stdout
        for line in text.splitlines():
            found = LINE.match(line)
            if found:
                self.add(re.fullmatch(comm, found[1].strip()), found[3], found[4])

    def add(self, is_of_comm, event, text):
        if event == "print" and (mapping := MAPPING.search(text)):
            tgid, *numbers = int(mapping[1]), *(int(word, 16) for word in mapping.groups()[1:4])
            self.processes[tgid].add(*numbers, mapping[5])
        elif event == "annot_stack" and (stack := STACK.search(text)):
            self.stacks[int(stack[1])] = (int(stack[2]), stack[3] == "1",
                                          [int(word) for word in stack[4].split()])
        elif is_of_comm and event in LEAST_STACKS:
            self.events[event].append(int(re.search(r"stack=(\d+)", text)[1]))

    def begins_in(self, number, path):
        if not path or number not in self.stacks:
            return not path
        tgid, _, ips = self.stacks[number]
        return self.processes[tgid].find(ips[0])[0] == path


def complaint(binaries, trace, number):
    """What is wrong with a stack; None if it is right."""
    if number not in trace.stacks:
        return "no stack" if not number else "a stack that is not told"
    tgid, is_complete, ips = trace.stacks[number]
    places = [trace.processes[tgid].find(ip) for ip in ips]
    path, offset = places[-1]
    last = f"{path}+{offset:#x}"
    if not is_complete:
        return f"more than {STACK_MAX} calls" if len(ips) == STACK_MAX else f"ends in {last}"
    binary = binaries.find(path) if path else None
    if not binary or not binary.is_end(offset - (len(ips) > 1)):
        return f"complete, but ends in {last}"
    for path, offset in places[1:]:
        binary = binaries.find(path) if path else None
        if path is None or binary and not binary.is_behind_call(offset):
            # The kernel has called a handler's caller, where it was.
            return f"{path}+{offset:#x} is behind no call"
    return None


def first_of_row(verdicts):
    """
    Where so many are right in a row for the first time. A program that has just begun has no ranges, and
    then not all.
    """
    right = 0
    for at, verdict in enumerate(verdicts):
        right = 0 if verdict else right + 1
        if right == min(IN_A_ROW, len(verdicts)):
            return at + 1 - right
    return len(verdicts)


def judge(binaries, trace, event, begin=""):
    """begin: only of the stacks that begin in that file"""
    numbers = [number for number in trace.events[event] if trace.begins_in(number, begin)]
    kinds = collections.Counter()
    verdicts = {number: complaint(binaries, trace, number) for number in set(numbers)}
    first = first_of_row([verdicts[number] for number in numbers])
    kinds.update(verdicts[number] for number in numbers[first:])
    depths = sorted(len(trace.stacks[number][2]) for number in numbers[first:]
                    if number in trace.stacks)
    total, good = sum(kinds.values()), kinds.pop(None, 0)
    middle = depths[len(depths) // 2] if depths else 0
    print(f"# {event} {begin}: {good} of {total} stacks complete and right, "
          f"{100 * good / max(total, 1):.2f} %, the middle one of {middle} calls, "
          f"99 % of at most {depths[len(depths) * 99 // 100] if depths else 0}, "
          f"the longest of {max(depths, default=0)}; {first} before the first")
    complaints = [f"{count} times: {what}" for what, count in kinds.most_common(12)]
    if total < (LEAST_IN_VDSO if begin else LEAST_STACKS[event]):
        return [f"only {total} stacks"] + complaints
    if good < LEAST_SHARE * total:
        return complaints
    for line in complaints:
        print(f"#     {line}")
    return []


def main():
    directory, folders, *names = sys.argv[1:]
    binaries, tap = Binaries(folders.split(":")), Tap()
    for name, comm in (word.split("=") for word in names):
        trace = Trace(f"{directory}/{name}.dat", comm)
        for event in LEAST_STACKS:
            tap.point(f"{name}: stacks of {event} are complete and right",
                      judge(binaries, trace, event))
        if name == "python":
            tap.point(f"{name}: and those that begin in the kernel's page for clocks",
                      judge(binaries, trace, "annot_sample", "[vdso]"))
    sys.exit(tap.failed)


if __name__ == "__main__":
    main()
