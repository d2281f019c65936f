#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: raw_thread_locals.py RAW

Prints where threads have their thread-local variables, as it is told in RAW, a plain file in the place of
trace_marker_raw, thread by thread in the order in which it was told:

    TID begin BYTES ADDRESS PATH
    TID end ADDRESS
"""
import re
import subprocess
import sys

from raw_places import annotations

NAME = re.compile(r"@thread_local ([0-9a-f]+) ([0-9a-f]{16}|-) (/.*)$")


def build_id(path):
    notes = subprocess.run(["readelf", "-n", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.search(r"Build ID: ([0-9a-f]{16})", notes)
    return found.group(1) if found else "-"


def main():
    for note in annotations(sys.argv[1]):
        address = hex(note.value & (1 << 64) - 1) if note.value is not None else None
        if note.name == "@thread_local_end":
            print(note.tid, "end", address)
        elif note.name and note.name.startswith("@thread_local"):
            size, told_id, path = NAME.match(note.name).groups()
            print(note.tid, "begin", size, address, path)
            if told_id != build_id(path):
                print(path, "has another build-id than", told_id)


main()
