#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: blocks_trace.py SAID PROGRAM

Adds to the script of a trace (symbols_trace.py) on standard input the blocks that PROGRAM SAID that it allocates, as the front `heap` tells
them, and a sample of each datum in them.
"""
import re
import sys

import symbols_trace

USER, HAS_ADDR = 0x10, 0x01


def bias_of(lines, program):
    """Of a file that may be loaded anywhere: where it is."""
    for line in lines:
        match = re.match(r"map ([0-9a-f]+)-\S+ \S+ 00000000 \S+ \S+ +(\S+)$", line)
        if match and match[2] == program:
            return int(match[1], 16)
    raise ValueError(f"{program} is not mapped")


def main():
    said, program = sys.argv[1:]
    with open(said, encoding="utf-8") as file:
        lines = file.read().splitlines()
    bias, build_id = bias_of(lines, program), symbols_trace.build_id(program)
    story = sys.stdin.read().splitlines()
    print("\n".join(story[:-1]))
    time = 1_000_000
    for line in lines:
        kind, *words = line.split()
        time += 10
        if kind == "block":
            call, size, address = (int(word, 0) for word in words)
            print(f"{time} 0 100 marker buf='I|100|@object_bytes|{size}'")
            print(f"{time + 1} 0 100 marker buf='I|100|@object heap &{program}#{build_id}+0x{call - bias:x}|{address}'")
        elif kind == "datum":
            print(f"{time} 0 100 sample period=1000 has={USER | HAS_ADDR} addr={words[-1]}")
    print(f"{time + 10} 0 100 switch prev_state=1")


main()
