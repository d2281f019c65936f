#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: stacks_trace.py SAID
#
# The script of a trace (see script_trace.py) with the call stack that stacks_program.c said, as the module and as
# ftrace tell it: 2 samples, one of them before its stack is told, and a third whose stack is lost; 5000 ns on the
# CPU until a wait for a futex of 4000 ns with a stack of the kernel; 500 ns until one of 1000 ns whose cause is not
# known; 250 ns until the end.
import re
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        said = [line.rstrip("\n").split(" ", 1) for line in file]
    maps = [rest for kind, rest in said if kind == "map"]
    stack = next(rest.split()[1:] for kind, rest in said if kind == "stack")
    # An address of the innermost frame is that of an instruction, not one to return to.
    first = f"{int(stack[0], 16) - 1:#x}"
    stack = ",".join([first, *stack[1:]])
    print("1000 0 0 config text='event=0 name=miss mode=sample period=1000 user=1 kernel=1'")
    print("1000 0 0 switch next_pid=100 next_comm=prog")
    print("1000 0 100 marker buf='annot|session'")
    for line in maps:
        start, end, offset, path = re.match(r"([0-9a-f]+)-([0-9a-f]+) .... ([0-9a-f]+) \S+ \S+ *(.*)", line).groups()
        if path:
            print(f"1001 0 100 marker buf='annot|map|100|{start}|{int(end, 16) - int(start, 16):x}|{offset}||0|{path}'")
    print(f"2000 0 100 sample period=1000 has=0x10 ip={first} stack=7")
    print(f"2500 0 100 stack id=7 tgid=100 kind=0 complete=1 ips={stack}")
    print(f"3000 0 100 sample period=1000 has=0x10 ip={first} stack=7")
    print(f"4000 0 100 sample period=1000 has=0x10 ip={first} stack=8")
    print("4500 0 100 sample period=1000 has=0x10 ip=0x1")
    print("6000 0 100 switch prev_state=1")
    print(f"6001 0 100 user_stack tgid=100 caller={stack} common_flags=1")
    print("6002 0 100 kernel_stack size=4 common_flags=1 "
          "caller=0xffffffff81000010,0xffffffff81001010,0xffffffff81002010,0xffffffff81004010")
    print("10000 0 0 switch next_pid=100 next_comm=prog")
    print("10500 0 100 switch prev_state=1")
    print(f"10501 0 100 user_stack tgid=100 caller={stack} common_flags=1")
    print("11500 0 0 switch next_pid=100 next_comm=prog")
    print("11750 0 100 switch prev_state=0")


main()
