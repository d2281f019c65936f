#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# BROWSERS: chromium firefox
"""
Idle states and frequencies in the lane of their CPU, from rows and from the overview.

CPU 0 runs thread 11 from 0 to 400 us, at 3 GHz until 200 us, then at 1.5 GHz. It is idle from 400 to 1000 us: in state 1 at
410-600 us, in state 3 at 600-990 us. Of CPU 1, which is idle, there is nothing.
"""
from browser import equal, rgb, run_page_tests
from buckets import table
from tracefile import TraceFile

US = 1000
START = 5_000_000_000
IDLE_COLOURS = {1: "#9fc0e0", 3: "#5187bb"}


def save(path):
    trace = TraceFile(2, {11: "worker", 12: "other"})
    us = lambda time: START + time * US
    trace.frequency(0, us(0), 0, 3000000)
    trace.switch(0, us(0), 0, 11)
    trace.frequency(0, us(200), 11, 1500000)
    trace.switch(0, us(400), 11, 0)
    trace.idle(0, us(410), 1)
    trace.idle(0, us(600))
    trace.idle(0, us(600), 3)
    trace.idle(0, us(990))
    trace.switch(0, us(1000), 0, 11)
    trace.switch(1, us(0), 12, 0)
    trace.save(path)


def lane_of_cpu(browser, cpu):
    return next(own for own in browser.run("annot.lanes()") if own["id"] == f"cpu {cpu}")


def rows_are_there(browser, page):
    browser.open(page)
    equal([(own["state"], own["start"] // US, own["end"] // US) for own in browser.run("annot.idleOf(0)")],
          [(1, 410, 600), (3, 600, 990)], "idle states")
    equal([(own["khz"], own["start"] // US, own["end"] // US) for own in browser.run("annot.frequenciesOf(0)")],
          [(3000000, 0, 200), (1500000, 200, 1000)], "frequencies")
    equal(browser.run("annot.idleOf(1)"), [], "of CPU 1")
    heights = [lane_of_cpu(browser, cpu)["height"] for cpu in (0, 1)]
    assert heights[0] > heights[1], f"CPU 1 has no tracks: {heights}"


def facts(browser, page):
    browser.open(page)
    told = lambda item: browser.run("annot.describe(arguments[0])", item)
    idle = told(browser.run("annot.idleOf(0)")[1]["item"])
    equal(idle["title"], "idle state 3", "title")
    equal(idle["facts"]["duration"].replace("\xa0", " "), "390.0 µs", "duration")
    slow = told(browser.run("annot.frequenciesOf(0)")[1]["item"])
    equal(slow["title"], "1.50 GHz", "title")
    equal(slow["facts"]["of the highest in the trace"].replace("\xa0", " "), "50 %", "share")
    ran = told(browser.run("annot.slicesOf(0)")[0]["item"])
    equal(ran["facts"]["frequency"].replace("\xa0", " "), "2.25 GHz (1.50 GHz to 3.00 GHz)", "of the slice")


def painted_and_picked(browser, page):
    browser.open(page)
    browser.run("annot.setView(arguments[0], arguments[1])", 0, 1000 * US)
    lane = lane_of_cpu(browser, 0)
    x = lambda us: browser.run("annot.xOf(arguments[0])", us * US)
    at = lambda us, y: browser.run("annot.itemAt(arguments[0], arguments[1])", x(us), y)
    frequencies_foot = lane["top"] + lane["height"] - 4
    idle_y = next(y for y in range(lane["top"], lane["top"] + lane["height"])
                  if (at(500, y) or "").startswith("idle.")) + 2
    equal(browser.pixel(x(500), idle_y), rgb(IDLE_COLOURS[1]), "state 1")
    equal(browser.pixel(x(800), idle_y), rgb(IDLE_COLOURS[3]), "state 3")
    equal(at(800, idle_y), browser.run("annot.idleOf(0)")[1]["item"], "picked")
    equal(at(100, frequencies_foot), browser.run("annot.frequenciesOf(0)")[0]["item"], "picked")
    upper = next(y for y in range(lane["top"], lane["top"] + lane["height"])
                 if (at(100, y) or "").startswith("frequency.")) + 4
    assert browser.pixel(x(100), upper) != browser.pixel(x(700), upper), "the higher frequency is higher"
    equal(browser.pixel(x(100), frequencies_foot), browser.pixel(x(700), frequencies_foot), "at the foot")


def painted_from_the_overview(browser, page):
    """Two buckets of 500 us: in the first, 2.4 GHz, and state 1 for 90 us; in the second, 1.5 GHz, and state 3 mostly."""
    browser.open(page)
    browser.run("annot.setView(arguments[0], arguments[1])", 0, 1000 * US)
    lane = lane_of_cpu(browser, 0)
    x = [browser.run("annot.xOf(arguments[0])", us * US) for us in (250, 750)]
    rows = {kind: [y for y in range(lane["top"], lane["top"] + lane["height"])
                   if (browser.run("annot.itemAt(arguments[0], arguments[1])", x[1], y) or "").startswith(kind)]
            for kind in ("idle.", "frequency.")}
    tables = [table(34, 0, ["run", "state", "share"], [(1, 1, 46), (1, 3, 250)]),
              table(35, 0, ["run", "least", "most", "mean"], [(1, 1500000, 3000000, 2400000), (1, 1500000, 1500000, 1500000)])]
    browser.run("annot.overview(arguments[0], arguments[1], arguments[2])", tables, 2, 500 * US)
    idle = [browser.pixel(at, rows["idle."][2]) for at in x]
    frequencies = [[browser.pixel(at, y) for y in rows["frequency."]] for at in x]
    browser.run("annot.overview(null)")
    assert idle[0] != idle[1], "states"
    height = [len(own) - own.count(own[0]) for own in frequencies]
    assert height[0] > height[1] > 0, f"the higher frequency is higher: {height}"


if __name__ == "__main__":
    run_page_tests(save, (rows_are_there, facts, painted_and_picked, painted_from_the_overview))
