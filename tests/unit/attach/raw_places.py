# SPDX-License-Identifier: GPL-2.0
"""Annotations in a plain file in the place of trace_marker_raw, and the lines of the places in their names."""
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


def lines_in(program, places):
    """The lines of those PLACE matches that are in the program."""
    return lines_of(program, sorted({"0x" + place[4] for place in places
                                     if place and place[2] == os.path.realpath(program)}))
