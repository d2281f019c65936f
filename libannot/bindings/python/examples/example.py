#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""
All that Python has of libannot, in a small program. To record it:

    annot record -- ./example.py
"""
import threading

import annot

NR_WORKERS, NR_ROWS = 2, 3


def work(done, number):
    annot.thread_name(f"worker{number}")
    for i in range(NR_ROWS):
        with annot.span("row", 10 * number + i):
            annot.counter("rows done", i + 1)
    with annot.wait("barrier"):
        done.wait()


@annot.task
def risk():
    """A span ends with its block, also when that is left by an exception."""
    with annot.span("risky", -1):
        raise RuntimeError("out of luck")


@annot.task("numbers")
def numbers():
    """A generator has a span each time that it runs."""
    yield 1
    yield 2


def main():
    annot.thread_name("example")
    annot.mark("start")
    with annot.span("setup", 7):
        with annot.span("read"):
            pass
    done = threading.Barrier(NR_WORKERS)
    workers = [threading.Thread(target=work, args=(done, number)) for number in range(NR_WORKERS)]
    for worker in workers:
        worker.start()
    with annot.wait("join", NR_WORKERS):
        for worker in workers:
            worker.join()
    try:
        risk()
    except RuntimeError:
        annot.mark("caught", 1)
    for number in numbers():
        annot.counter("number", number)
    annot.flush()
    print("recorded" if annot.enabled() else "not recorded")


main()
