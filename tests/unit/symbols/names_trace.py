#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: names_trace.py FORM FILE <NAMES
#
# Writes a trace.dat whose annotations have these names, one a line, of any bytes: "OP NAME", where OP
# is begin, wait, mark or counter. A span ends at once; a sample is in it. FORM is how they stand in the
# trace: see make_trace.py.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import make_trace  # noqa: E402

START, STEP, THREAD = 1_000_000, 1000, make_trace.PROCESS


def story(machine, lines):
    time = START
    yield time, machine.record("annot", "annot_config", 0,
                               text=b"event=0 name=miss mode=sample period=10 user=1\0")
    yield time, machine.record("sched", "sched_switch", 0, prev_comm=b"swapper/0", next_comm=b"prog",
                               next_pid=THREAD)
    for line in lines:
        op, name = line.rstrip(b"\n").split(b" ", 1)
        time += STEP
        yield time, make_trace.Annotation(THREAD, op.decode(), name, 7)
        if op in (b"begin", b"wait"):
            yield time + STEP // 2, machine.record("annot", "annot_sample", THREAD, regs=b"", ip=16,
                                                   period=10, has=0x10)
            time += STEP
            yield time, make_trace.Annotation(THREAD, "end")
    yield time + STEP, machine.record("sched", "sched_switch", THREAD, prev_comm=b"prog", prev_pid=THREAD,
                                      prev_state=make_trace.TASK_STATE_BLOCKED, next_comm=b"swapper/0")


def main():
    form, path = sys.argv[1:]
    machine = make_trace.Machine("little", 8)
    events = list(make_trace.Forms(machine, form, "").of(story(machine, sys.stdin.buffer)))
    with open(path, "wb") as file:
        file.write(make_trace.version_7(machine, [events]))


main()
