#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: read_raw.py FILE

Prints what libannot wrote to FILE, a plain file in the place of trace_marker_raw: a line for each
annotation, "tid tgid op name value".
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
from raw_format import Reader  # noqa: E402


def main():
    with open(sys.argv[1], "rb") as file:
        content = file.read()
    reader, at = Reader(), 0
    while at < len(content):
        annotations, at = reader.event(content, at)
        for annotation in annotations:
            print(annotation.tid, annotation.tgid, *annotation.words())


main()
