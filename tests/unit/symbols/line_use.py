#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: line_use.py SAID REPORT.json ACCESSES

Holds the table lines of data_objects against what line_use_program.c SAID of its accesses: all of each line's bytes that a loop through all
elements uses are counted here, one by one. ACCESSES: of which the samples were.
"""
import collections
import json
import sys

LINE_BYTES = 64
LEAST_SAMPLES = 100
NR = 400


class Array:
    def __init__(self, element_bytes):
        self.element_bytes = element_bytes
        self.addresses = []
        self.fields = {}

    def add(self, address, field_bytes, base):
        self.addresses.append(address)
        self.fields[(address - base) % self.element_bytes] = field_bytes

    def used_bytes(self):
        return len({start + i for start, size in self.fields.items() for i in range(size)})

    def mean_in_lines(self, base):
        """Of the lines that have any, without those at the array's ends."""
        lines = collections.Counter()
        for element in range(NR):
            for start, size in self.fields.items():
                for i in range(size):
                    lines[(base + element * self.element_bytes + start + i) // LINE_BYTES] += 1
        inner = sorted(lines)[4:-4]
        return sum(lines[line] for line in inner) / len(inner)


def read(path):
    arrays, bases = {}, {}
    with open(path, encoding="ascii") as file:
        for line in file:
            if not line.startswith("array "):
                continue
            _, name, element_bytes, field_bytes, address = line.split()
            array = arrays.setdefault(name, Array(int(element_bytes)))
            # All begin with a line, but for odds, whose first element is not accessed, and what grid has before its cells.
            if name not in bases:
                bases[name] = int(address, 16) - (array.element_bytes if name == "odds" else 0)
            array.add(int(address, 16), int(field_bytes), bases[name])
    return arrays, bases


FIELDS = {"wides": ".x 100 %", "fours": ".a 80 %, .c 20 %", "odds": ".x 100 %", "longs": ".head 50 %, .tail 50 %",
          "points": ".x 50 %, .y 50 %", "grid.cells": ".marks[] 100 %"}


def main():
    said, report, accesses = sys.argv[1:]
    arrays, bases = read(said)
    with open(report, encoding="utf-8") as file:
        rows = {row["array"]: row for row in json.load(file)["data_objects"]["lines"]}
    wanted = {name for name, array in arrays.items() if len(array.addresses) >= LEAST_SAMPLES} if accesses != "none" else set()
    if set(rows) != wanted:
        print(f"rows of {sorted(rows)}, not {sorted(wanted)}")
    for name in set(rows) & wanted:
        row, array = rows[name], arrays[name]
        nr = len(array.addresses)
        mean = array.mean_in_lines(bases[name])
        told = (row["element_bytes"], row["used_bytes"], row["samples"], row["fields"], row["accesses"], row["line_bytes"])
        if told != (array.element_bytes, array.used_bytes(), nr, FIELDS[name], accesses, LINE_BYTES):
            print(f"{name}: {told}")
        if abs(row["used_line_bytes"] - mean) > 0.02 * mean:
            print(f"{name}: {row['used_line_bytes']} bytes of a line, not {mean}")
        if abs(row["unseen_pct"] - 300 / nr) > 1e-6:
            print(f"{name}: {row['unseen_pct']} %")


main()
