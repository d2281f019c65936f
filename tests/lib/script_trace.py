#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: script_trace.py [-k KALLSYMS] [-u UNAME] [-m little|big,4|8,6|7] FILE <SCRIPT
#
# Writes the trace.dat that a script tells, so that tests can say what they measured without having
# a machine that measures. A line is an event:
#
#	TIME CPU TID KIND [FIELD=VALUE]...
#
# TIME in nanoseconds (of the first CPU, they may not run back; nor of another); KIND is one of
# KINDS below, or that and its system's name as FORMATS of make_trace.py has it; fields are those of
# its format, and 0 where nothing is told. A value is a number, a list of them "1,2,3" for an array,
# or text in shell quotes. "cut=N" leaves only the first N bytes of the record, and "common_flags=N" says
# how the kernel was when it wrote it.
#
#	1000 0 0 switch next_pid=100 next_comm=prog
#	1500 0 100 sample period=100 ip=0x401136 has=0x10
#	1600 0 100 marker buf='B|100|loop48'
#
# Blank lines and those that begin with '#' are passed over.
import argparse
import functools
import re
import shlex
import sys

import make_trace

QUOTING = re.compile(r"""["'\\]""")
KINDS = {
    "switch": ("sched", "sched_switch"), "wakeup": ("sched", "sched_wakeup"),
    "fork": ("task", "task_newtask"), "exec": ("sched", "sched_process_exec"),
    "rename": ("task", "task_rename"), "exit": ("sched", "sched_process_exit"),
    "begin": ("annot", "annot_begin"), "end": ("annot", "annot_end"),
    "config": ("annot", "annot_config"), "sample": ("annot", "annot_sample"),
    "counts": ("annot", "annot_slice_counts"), "state": ("annot", "annot_pmu_state"),
    "enter": ("raw_syscalls", "sys_enter"), "leave": ("raw_syscalls", "sys_exit"),
    "fault": ("exceptions", "page_fault_user"), "stack": ("annot", "annot_stack"),
    "kernel_stack": ("ftrace", "kernel_stack"), "user_stack": ("ftrace", "user_stack"),
    "blocked": ("annot", "annot_blocked"), "marker": ("ftrace", "print"), "irq": ("irq", "irq_handler_entry"),
}


def value_of(machine, declaration, text):
    """As make_trace's record() takes it."""
    if "u64[]" in declaration:
        return b"".join(machine.number(int(word, 0), 8) for word in text.split(",") if word)
    if "[6]" in declaration or "[8]" in declaration:
        return b"".join(machine.number(int(word, 0), machine.long_bytes) for word in text.split(",") if word)
    if "char" in declaration and "[" in declaration:
        return text.encode(errors="surrogateescape") + b"\0"
    return int(text, 0)


@functools.cache
def declarations_of(key):
    return {name: declaration for name, declaration, _, _ in make_trace.FORMATS[key][1]}


def record_of(machine, kind, tid, words):
    key = KINDS.get(kind) or tuple(kind.split(":"))
    declarations = declarations_of(key)
    values = {name: b"" for name, declaration in declarations.items()
              if declaration.startswith("__data_loc")}
    cut = None
    for word in words:
        name, text = word.split("=", 1)
        if name == "cut":
            cut = int(text)
        elif name == "common_flags":
            values[name] = int(text, 0)
        else:
            values[name] = value_of(machine, declarations[name], text)
    if key == ("sched", "sched_switch"):
        values.setdefault("prev_pid", tid)
    if key == ("annot", "annot_slice_counts"):
        values.setdefault("nr", len(values["counts"]) // 8)
        values.setdefault("ended_by", 0)
    return machine.record(*key, tid, **values)[:cut]


def story(machine, lines):
    """The events of each CPU: (time, record)."""
    cpus = []
    for line in lines:
        # What the shell's rules are not needed for is most of a long script, and they are slow.
        words = shlex.split(line, comments=False) if QUOTING.search(line) else line.split()
        if not words or words[0].startswith("#"):
            continue
        cpu = int(words[1])
        while len(cpus) <= cpu:
            cpus.append([])
        cpus[cpu].append((int(words[0]), record_of(machine, words[3], int(words[2]), words[4:])))
    return cpus


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-k", "--kallsyms")
    parser.add_argument("-u", "--uname", default="")
    parser.add_argument("-m", "--machine", default="little,8,7")
    parser.add_argument("file")
    options = parser.parse_args()
    endian, long_bytes, version = options.machine.split(",")
    machine = make_trace.Machine(endian, int(long_bytes))
    cpus = story(machine, sys.stdin)
    kallsyms = b""
    if options.kallsyms:
        with open(options.kallsyms, "rb") as file:
            kallsyms = file.read()
    container = make_trace.Container(kallsyms, options.uname.encode())
    with open(options.file, "wb") as file:
        file.write(make_trace.WRITERS[version](machine, cpus, container))


if __name__ == "__main__":
    main()
