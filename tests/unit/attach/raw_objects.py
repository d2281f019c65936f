#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: raw_objects.py RAW PROGRAM

Prints a line for each block of memory in RAW, a plain file in the place of trace_marker_raw, that a line of PROGRAM
allocated, and for its end, in the order in which its thread told them:

    heap LINE ADDRESS BYTES
    end ADDRESS
"""
import sys

from raw_places import PLACE, annotations, lines_in

OBJECT = "@object "


def main():
    path, program = sys.argv[1:]
    notes = [note for note in annotations(path) if note.name.startswith("@object")]
    places = {note.name: PLACE.match(note.name[len(OBJECT):]) for note in notes if note.name.startswith(OBJECT)}
    lines = lines_in(program, places.values())
    told_bytes, live = {}, set()
    for note in notes:
        address = hex(note.value & (1 << 64) - 1)
        if note.name == "@object_bytes":
            told_bytes[note.tid] = note.value
        elif note.name == "@object_end":
            if address in live:
                live.remove(address)
                print("end", address)
        elif (place := places[note.name]) and int(place[4], 16) in lines:
            live.add(address)
            print(place[1], lines[int(place[4], 16)], address, told_bytes[note.tid])
        else:
            live.discard(address)


main()
