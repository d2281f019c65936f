#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# BROWSERS: chromium firefox
"""What threads do in the kernel: where it is painted, what is told of it, and how it is found."""
import os
import subprocess
import sys
import tempfile

from browser import ANNOT, ROOT, Browser, Tap, equal, rgb

US = 1000
# A thread in a span reads, and is asleep from 30 to 60 us; an open() fails; a page fault; another thread.
SCRIPT = """
100000000 0 0 switch next_pid=100 next_comm=prog
100005000 0 100 marker buf='B|100|work'
100010000 0 100 enter id=0 args=3,0x7ffc00001000,4096
100030000 0 100 switch prev_state=1 next_pid=200 next_comm=other prev_comm=prog
100040000 0 200 marker buf='I|100|here'
100060000 0 200 wakeup pid=100 comm=prog target_cpu=0
100062000 0 200 switch next_pid=100 next_comm=prog prev_comm=other
100070000 0 100 leave id=0 ret=17
100080000 0 100 enter id=2 args=0x7ffc00002000,0
100090000 0 100 leave id=2 ret=-2
100095000 0 100 fault address=0x7f0012345000 ip=0x401000 error_code=6
100097000 0 100 marker buf='E|100'
100100000 0 100 switch prev_state=1 next_pid=0 prev_comm=prog
"""
SYSCALL_COLOURS = [(0xa9, 0xba, 0xc9), (0xbc, 0xca, 0xd6)]
ALL = {"prog": 100, "other": 200}


def threads_of(browser):
    return {thread["tid"]: thread["index"] for thread in browser.run("annot.threads()")}


def lane_of(browser, tid):
    wanted = f"thread {threads_of(browser)[tid]}"
    return next(lane for lane in browser.run("annot.lanes()") if lane["id"] == wanted)


def item(browser, row):
    return f"kernel.{threads_of(browser)[ALL['prog']]}.{row}"


def is_painted(browser, page):
    browser.open(page)
    box, = browser.run("annot.boxes(arguments[0])", item(browser, 0))
    lane = lane_of(browser, ALL["prog"])
    assert lane["top"] < box["top"] < box["top"] + box["height"] <= lane["top"] + lane["height"], (box, lane)
    for us in (12, 45, 68):
        found = browser.pixel(browser.run("annot.xOf(arguments[0])", us * US), box["top"] + 1.5)
        assert tuple(found) in SYSCALL_COLOURS, f"at {us} us: {found}"
    between = browser.pixel(browser.run("annot.xOf(arguments[0])", 75 * US), box["top"] + 1.5)
    equal(between, rgb(browser.run("annot.colours()")["theme"]["paper"]), "between two calls")
    equal(browser.run("annot.itemAt(arguments[0], arguments[1])", browser.run("annot.xOf(arguments[0])", 45 * US),
                      box["top"] + 2), item(browser, 0), "what is there")


def is_below_spans(browser, page):
    browser.open(page)
    span, = browser.run("annot.boxes(arguments[0])", f"span.{threads_of(browser)[ALL['prog']]}.0")
    box, = browser.run("annot.boxes(arguments[0])", item(browser, 0))
    assert box["top"] >= span["top"] + span["height"], (box, span)


def lanes_without_have_no_room(browser, page):
    browser.open(page)
    box, = browser.run("annot.boxes(arguments[0])", item(browser, 0))
    with_calls, without = lane_of(browser, ALL["prog"]), lane_of(browser, ALL["other"])
    # A mark has a row in one, a span and a row of the kernel in the other.
    assert without["height"] + box["height"] < with_calls["height"], (with_calls, without)


def facts(browser, page):
    browser.open(page)
    told = browser.run("annot.describe(arguments[0])", item(browser, 0))
    equal(told["title"], "read", "its name")
    expected = {"arguments": "3, 0x7ffc00001000, 4096", "result": "17", "on CPU": "28.00 µs",
                "blocked": "30.00 µs", "waiting for a CPU": "2.000 µs", "duration": "60.00 µs", "inside": "work"}
    equal({label: told["facts"].get(label) for label in expected}, expected, "of a call that sleeps")
    told = browser.run("annot.describe(arguments[0])", item(browser, 1))
    equal(told["facts"]["result"], "ENOENT (-2)", "of one that failed")
    told = browser.run("annot.describe(arguments[0])", item(browser, 2))
    equal((told["title"], told["facts"]["address"], told["facts"]["access"]),
          ("page fault", "0x7f0012345000", "write, error code 0x6"), "of a page fault")


def is_found_by_name(browser, page):
    browser.open(page)
    equal(browser.run("annot.search('open')"), {"spans": 1, "threads": 0}, "found")
    browser.run("annot.searchStep(1)")
    browser.settle()
    equal(browser.run("annot.selection()"), item(browser, 1), "the hit")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as work:
        trace, page = os.path.join(work, "calls.dat"), os.path.join(work, "calls.html")
        subprocess.run([sys.executable, os.path.join(ROOT, "tests", "lib", "script_trace.py"), "-u",
                        "Linux x 6.1 x86_64", trace], input=SCRIPT.encode(), check=True)
        subprocess.run([ANNOT, "html", trace, "-o", page], check=True, stdout=subprocess.DEVNULL)
        browser = Browser()
        try:
            for test in (is_painted, is_below_spans, lanes_without_have_no_room, facts, is_found_by_name):
                tap.point(test.__name__.replace("_", " "), test, browser, page)
            browser.finish(tap)
        finally:
            browser.close()
    tap.finish()


if __name__ == "__main__":
    main()
