#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: terminal.py COMMAND [ARGUMENT]...
#
# Runs COMMAND on a terminal of its own, of 80 columns, and prints what it writes there.
import fcntl
import os
import pty
import struct
import sys
import termios


def main():
    pid, terminal = pty.fork()
    if not pid:
        fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.execvpe(sys.argv[1], sys.argv[1:], {**os.environ, "TERM": "xterm"})
    while True:
        try:
            sys.stdout.buffer.write(os.read(terminal, 4096))
        except OSError:     # nobody has it open any more
            break
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


main()
