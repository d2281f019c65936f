# SPDX-License-Identifier: GPL-2.0
"""Makes idle CPUs of the threads of tests/workloads/idlers.c in a trace.dat of version 7 that is not compressed.

They kept CPUs from being idle where the kernel does not tell when these cease to be. Who is switched to and from, and who runs
at each event, becomes pid 0, as the kernel writes it of a CPU that is idle. Nothing else is changed.
"""
import re
import struct

OPTION_DONE, OPTION_BUFFER = 0, 3
SECTION_HEAD = struct.Struct("=HHIQ")
OPTION_HEAD = struct.Struct("=HI")
EXTENT = struct.Struct("=IQQ")
PAGE_HEAD_BYTES, COMMIT_MASK = 16, (1 << 20) - 1
PADDING, TIME_EXTEND, TIME_STAMP = 29, 30, 31
PID_PLACE, COMM_BYTES = 4, 16


def text_at(content, place):
    """The string that ends with a zero, and the place behind it."""
    end = content.index(0, place)
    return content[place:end].decode(), end + 1


def options(content):
    """The number of each, and the place of what it holds."""
    if content[:3] != b"\x17\x08\x44" or content[3:12] != b"tracing7\0":
        raise ValueError("no trace.dat of version 7")
    compression, place = text_at(content, 18)
    if compression != "none":
        raise ValueError(f"compressed by {compression}")
    _, place = text_at(content, place)
    place = struct.unpack_from("=Q", content, place)[0]
    while place:
        at = place + SECTION_HEAD.size
        while True:
            number, nr_bytes = OPTION_HEAD.unpack_from(content, at)
            at += OPTION_HEAD.size
            if number == OPTION_DONE:
                place = struct.unpack_from("=Q", content, at)[0]
                break
            yield number, at
            at += nr_bytes


def pages(content):
    """The place of each page of the ring buffers."""
    for number, place in options(content):
        if number != OPTION_BUFFER:
            continue
        _, place = text_at(content, place + 8)
        _, place = text_at(content, place)
        page_bytes, nr_cpus = struct.unpack_from("=II", content, place)
        for cpu in range(nr_cpus):
            _, start, nr_bytes = EXTENT.unpack_from(content, place + 8 + cpu * EXTENT.size)
            yield from range(start, start + nr_bytes, page_bytes)


def records(content, page):
    """The place of each event of a page."""
    at = page + PAGE_HEAD_BYTES
    end = at + (struct.unpack_from("=Q", content, page + 8)[0] & COMMIT_MASK)
    while at < end:
        kind = content[at] & 31
        first = struct.unpack_from("=I", content, at + 4)[0]
        if kind in (TIME_EXTEND, TIME_STAMP):
            at += 8
        elif kind == PADDING:
            at += 4 + first
        elif kind:
            yield at + 4
            at += 4 + 4 * kind
        else:
            yield at + 8
            at += 4 + first


def format_of(content, name):
    """The number of an event, and the place of each field in it."""
    text = re.search(rb"name: %s\nID: (\d+)\nformat:\n(.*?)\nprint fmt" % name, content, re.DOTALL)
    places = re.findall(rb"field:[^;]*?(\w+)(?:\[\d+\])?;\toffset:(\d+);", text[2])
    return int(text[1]), {field.decode(): int(place) for field, place in places}


def leave_cpu(content, record, fields, side, idlers):
    """Of a switch from (prev) or to (next) one of the threads. Returns whether it was."""
    cpu = idlers.get(struct.unpack_from("=i", content, record + fields[f"{side}_pid"])[0])
    if cpu is None:
        return False
    comm = record + fields[f"{side}_comm"]
    content[comm:comm + COMM_BYTES] = f"swapper/{cpu}".encode().ljust(COMM_BYTES, b"\0")
    struct.pack_into("=i", content, record + fields[f"{side}_pid"], 0)
    if side == "prev":
        struct.pack_into("=q", content, record + fields["prev_state"], 0)
    return True


def rewrite(path, idlers):
    """Of the file, whose threads are @idlers: {tid: CPU}. Returns how often one of them was switched to or from."""
    with open(path, "rb") as file:
        content = bytearray(file.read())
    switch, fields = format_of(content, b"sched_switch")
    nr_changed = 0
    for page in pages(content):
        for record in records(content, page):
            if struct.unpack_from("=i", content, record + PID_PLACE)[0] in idlers:
                struct.pack_into("=i", content, record + PID_PLACE, 0)
            if struct.unpack_from("=H", content, record)[0] == switch:
                nr_changed += sum(leave_cpu(content, record, fields, side, idlers) for side in ("prev", "next"))
    with open(path, "wb") as file:
        file.write(content)
    return nr_changed
