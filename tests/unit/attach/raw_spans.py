#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: raw_spans.py RAW PROGRAM

Prints a line for each span in RAW, a plain file in the place of trace_marker_raw: what stands before the place in
its name, its thread, the line of the place if that is in PROGRAM (else "-"), how long it took in ns, and when it
ended. Says so if spans do not match, and exits with 1.
"""
import sys

from raw_places import PLACE, annotations, lines_in


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
    lines = lines_in(program, places)
    for (tid, name, begin_ns, end_ns), place in zip(spans, places):
        line = lines.get(int(place[4], 16), "-") if place else "-"
        print(place[1] if place else name, tid, line, end_ns - begin_ns, end_ns)
    for text in wrong:
        print(text)
    sys.exit(1 if wrong else 0)


main()
