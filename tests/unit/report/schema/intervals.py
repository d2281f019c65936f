#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: intervals.py FILE.json...

Whether each interval in what annot printed holds its figure: low or least, the figure, high or most; also min, median, max,
and that nothing ends before it begins. Prints those that do not.
"""
import json
import sys

ENDS = (("low", "high"), ("least", "most"))
SLACK = 1e-9  # of what is written with fewer digits than it has


def replaced(key, part, other):
    """@key with the word @part replaced; with other None: without it. None: it has no such word."""
    words = key.split("_")
    if part not in words:
        return None
    at = words.index(part)
    return "_".join(words[:at] + ([other] if other else []) + words[at + 1:])


def chains(figures):
    """Keys of figures that are to grow, or be equal."""
    for key in figures:
        for low, high in ENDS:
            if (most := replaced(key, low, high)) is None:
                continue
            inner = [name for name in (replaced(key, low, None), replaced(key, low, "median")) if name in figures]
            yield from ([key, name, most] for name in inner or [None])
    yield ["min", "median", "max"]
    yield ["from_ns", "to_ns"]


def complaints_of(value, where):
    """Yields a complaint for each that is wrong, and None for each that was looked at."""
    if isinstance(value, dict):
        figures = {key: number for key, number in value.items()
                   if isinstance(number, (int, float)) and not isinstance(number, bool)}
        for chain in chains(figures):
            numbers = [(key, figures[key]) for key in chain if key in figures]
            for (below, low), (above, high) in zip(numbers, numbers[1:]):
                yield None
                if low > high + SLACK * abs(high):
                    yield f"{where}: {below} {low}, {above} {high}"
        for key, member in value.items():
            yield from complaints_of(member, f"{where}.{key}")
    elif isinstance(value, list):
        for member in value:
            yield from complaints_of(member, f"{where}[]")


def main():
    nr = 0
    wrong = []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for complaint in complaints_of(json.load(file), path):
                if complaint:
                    wrong.append(complaint)
                else:
                    nr += 1
    print("\n".join(wrong[:20]), end="\n" if wrong else "")
    if nr < 1000:
        print(f"only {nr} intervals in {len(sys.argv) - 1} files")
    sys.exit(1 if wrong or nr < 1000 else 0)


main()
