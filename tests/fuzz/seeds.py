#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: seeds.py DIRECTORY
#
# Writes traces to begin with, one for each form that the reader knows: small ones, for a change in a
# small file is more likely to hit something that counts.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

# pylint: disable=wrong-import-position
import make_trace
import script_trace

PAGE_BYTES = 512
MACHINES = [("little", 8), ("big", 4)]
FORMS = ["marker", "events", "drained", "batch", "raw"]
MEASURED = """
1000 0 0 config text='event=0 name=l1_cache_miss mode=sample period=100 user=1 asked=3 precise=2'
1000 0 0 config text='event=1 name=cycles mode=count user=1 kernel=1'
1000 0 0 config text='event=2 name=stores mode=sample period=7 user=1 error=19'
1000 0 0 switch next_pid=100 next_comm=prog
1001 0 100 marker buf='annot|session|100|100'
1001 0 100 marker buf='annot|cpu|1|0|0|0|1d:32768:64:8:64:0,2u:1048576:64:16:1024:0'
1002 0 100 marker buf='annot|map|100|401000|1000|0|0a1b|5|/bin/prog'
1002 0 100 marker buf='annot|map|100|403000|1000|0|0a1b|5@1001|/lib/later.so'
1002 0 0 state event=0 state=0
1003 0 100 fork pid=101 comm=prog clone_flags=0x3d0f00
1003 0 100 sched:sched_process_fork parent_pid=100 child_pid=101 child_comm=prog
1003 0 100 sched:sched_wakeup_new pid=101 comm=prog target_cpu=1
1004 1 0 switch next_pid=101 next_comm=prog
1005 1 101 exec filename=/bin/other pid=101 old_pid=101
1006 1 101 rename pid=101 newcomm=new
2000 0 100 marker buf='B|100|outer'
3000 0 100 sample period=100 precise=2 ip=0x401136 has=0x1f addr=0x7ffe10 weight=230 regs=1,2,3
5000 0 100 state event=0 state=2
6000 0 100 state event=0 state=0
6500 1 101 exit pid=101 comm=new
6501 1 101 switch prev_state=16
7000 0 100 marker buf='E|100'
8000 0 100 counts counts=17
9000 0 100 state event=0 state=5 value=3
9500 0 100 switch prev_state=0 prev_comm=prog
9600 1 0 sched:sched_migrate_task pid=100 comm=prog orig_cpu=0 dest_cpu=1
9700 1 0 switch next_pid=100 next_comm=prog
9750 1 100 marker buf='annot|group|event|0|event=0 name=faults mode=count user=1 kernel=1'
9760 1 100 marker buf='annot|group|event|1|event=0 name=cycles mode=count user=1 kernel=1 shared=1'
9770 1 100 marker buf='annot|group|counts|0|0|1000|500,0,3|t2000,100,5|6000,100,7|t100,100'
9780 1 100 marker buf='annot|group|counts|1|0|9600|50,0,9'
9790 1 100 marker buf='annot|group|gap|0|1|2000|3000'
"""


def containers():
    """(version, compression, instances) of the file."""
    yield from (("6", "none", False), ("7", "none", False), ("7", "zlib", False),
                ("6", "none", True), ("7", "none", True))


def stories(machine):
    for form in FORMS:
        yield form, make_trace.story(machine, form, "none")
    yield "lost", make_trace.story(machine, "batch", "lost")
    yield "measured", script_trace.story(machine, MEASURED.splitlines())


def formats_of(machine, cpus):
    """Those of the events that there are: the rest would only make the file larger."""
    numbers = {record[:2] for events in cpus for _, record in events}
    return {key for key, (number, _) in make_trace.FORMATS.items()
            if machine.number(number, 2) in numbers}


def container(machine, compression, has_instances, cpus):
    made = make_trace.Container(compression=compression, page_bytes=PAGE_BYTES,
                                kallsyms=b"ffffffff81000000 T _text\n", uname=b"Linux x 6.1 x86_64",
                                formats=formats_of(machine, cpus))
    if has_instances:
        made.instances = [make_trace.Instance("more", cpus, page_bytes=PAGE_BYTES)]
        made.tsc, made.clock = (1 << 30, 30), "[x86-tsc]"
        made.instances[0].clock = "x86-tsc"
        machine.absolute_times = True
    return made


def main():
    for endian, long_bytes in MACHINES:
        for version, compression, has_instances in containers():
            machine = make_trace.Machine(endian, long_bytes)
            for name, cpus in stories(machine):
                around = container(machine, compression, has_instances, cpus)
                file_name = f"{endian}{long_bytes}-{version}-{compression}-{has_instances:d}-{name}"
                with open(os.path.join(sys.argv[1], file_name), "wb") as file:
                    file.write(make_trace.WRITERS[version](machine, cpus, around))


main()
