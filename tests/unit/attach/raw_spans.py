#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: raw_spans.py RAW PROGRAM

Prints a line for each span in RAW, a plain file in the place of trace_marker_raw: what stands before the place in
its name, its thread, the line of the place if that is in PROGRAM (else "-"), how long it took in ns, and when it
ended. Says so if spans do not match, and exits with 1.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
from raw_format import Reader  # noqa: E402

PLACE = re.compile(r"(.*) [@&$]([^#]*)(#[0-9a-f]{16})?\+0x([0-9a-f]+)$")


def annotations(path):
    with open(path, "rb") as file:
        content = file.read()
    reader, at = Reader(), 0
    while at < len(content):
        found, at = reader.event(content, at)
        yield from found


def lines_of(program, addresses):
    """The line of each: of the innermost function, inlined or not, that is no header's of the system."""
    if not addresses:
        return {}
    output = subprocess.run(["addr2line", "-a", "-i", "-e", program, *addresses], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    lines = {}
    for text in output.splitlines():
        if text.startswith("0x"):
            address = int(text, 16)
        elif not text.startswith("/usr/"):
            lines.setdefault(address, re.sub(r".*:([0-9?]+).*", r"\1", text))
    return lines


def spans_of(path):
    """(tid, name, begin_ns, end_ns) of each; what is wrong, as text."""
    opened, spans, wrong = {}, [], []
    for annotation in annotations(path):
        stack = opened.setdefault(annotation.tid, [])
        if annotation.op in "BW":
            stack.append((annotation.name, annotation.time_ns))
        elif annotation.op == "E":
            if stack:
                spans.append((annotation.tid, *stack.pop(), annotation.time_ns))
            else:
                wrong.append(f"thread {annotation.tid}: an end without a begin")
    wrong += [f"thread {tid}: {name} does not end" for tid, stack in opened.items() for name, _ in stack]
    return spans, wrong


def main():
    path, program = sys.argv[1:]
    spans, wrong = spans_of(path)
    places = [PLACE.match(span[1]) for span in spans]
    lines = lines_of(program, sorted({"0x" + place[4] for place in places
                                      if place and place[2] == os.path.realpath(program)}))
    for (tid, name, begin_ns, end_ns), place in zip(spans, places):
        line = lines.get(int(place[4], 16), "-") if place else "-"
        print(place[1] if place else name, tid, line, end_ns - begin_ns, end_ns)
    for text in wrong:
        print(text)
    sys.exit(1 if wrong else 0)


main()
