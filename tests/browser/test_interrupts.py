#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# BROWSERS: chromium firefox
"""
Interrupts in the lane of their CPU, and the time that they take from threads.

Thread 11 runs on CPU 0 from 0 to 900 us, ksoftirqd/0 from there to 1000 us, then nobody. In 11, a handler at 100-150 us,
behind it a softirq at 150-350 us, in which that handler comes again, at 200-250 us; in its second half, from 500 us on,
a handler of 1 us in each 10 us. ksoftirqd/0 runs a softirq at 910-990 us, and is interrupted at 950-960 us, idle at
1100-1200 us. On CPU 1, thread 12 runs from 0 to 1000 us, and nothing interrupts it.
"""
from browser import equal, near, rgb, run_page_tests
from buckets import table
from tracefile import IN_SOFTIRQ, RUNNABLE, TraceFile

US = 1000
START = 5_000_000_000
NET_RX, TIMER = 3, 1
SOFTIRQ, HARDIRQ = 0, 2        # kinds
SHORT_US = range(500, 900, 10)
STOLEN_US = 50 + 200 + len(SHORT_US)


def save(path):
    trace = TraceFile(2, {11: "worker", 12: "calm", 13: "ksoftirqd/0"})
    us = lambda time: START + time * US
    trace.switch(0, us(0), 0, 11)
    trace.handler(0, us(100), 11, 36, "eth0")
    trace.handler(0, us(150), 11, 36)
    trace.softirq(0, us(150), 11, NET_RX)
    trace.handler(0, us(200), 11, 36, "eth0", IN_SOFTIRQ)
    trace.handler(0, us(250), 11, 36, None, IN_SOFTIRQ)
    trace.softirq(0, us(350), 11, NET_RX, False)
    for time in SHORT_US:
        trace.handler(0, us(time), 11, 37, "disk")
        trace.handler(0, us(time + 1), 11, 37)
    trace.switch(0, us(900), 11, 13, RUNNABLE)
    trace.softirq(0, us(910), 13, TIMER)
    trace.handler(0, us(950), 13, 36, "eth0", IN_SOFTIRQ)
    trace.handler(0, us(960), 13, 36, None, IN_SOFTIRQ)
    trace.softirq(0, us(990), 13, TIMER, False)
    trace.switch(0, us(1000), 13, 0)
    trace.handler(0, us(1100), 0, 36, "eth0")
    trace.handler(0, us(1200), 0, 36)
    trace.switch(0, us(1500), 0, 11)
    trace.switch(1, us(0), 0, 12)
    trace.switch(1, us(1000), 12, 0)
    trace.save(path)


def thread(browser, comm):
    return next(own for own in browser.run("annot.threads()") if own["comm"] == comm)["index"]


def item_of(browser, name, us):
    return next(own["item"] for own in browser.run("annot.interruptsOf(0)")
                if own["name"] == name and own["start"] == us * US)


def rows_are_there(browser, page):
    browser.open(page)
    equal(browser.run("annot.counts().interrupts"), 3 + len(SHORT_US) + 2 + 1, "interrupts")
    rows = browser.run("annot.interruptsOf(0)")
    equal([(own["name"], own["start"] // US, own["end"] // US) for own in rows[:3]],
          [("eth0", 100, 150), ("NET_RX", 150, 350), ("eth0", 200, 250)], "the first ones")
    equal(browser.run("annot.interruptsOf(1)"), [], "of CPU 1")


def facts(browser, page):
    browser.open(page)
    outer = browser.run("annot.describe(arguments[0])", item_of(browser, "NET_RX", 150))
    equal(outer["title"], "NET_RX", "title")
    equal(outer["subtitle"], "softirq on CPU 0", "subtitle")
    equal(outer["facts"]["duration"].replace("\xa0", " "), "200.0 µs", "duration")
    equal(outer["facts"]["interrupted"], "worker 11", "whom")
    inner = browser.run("annot.describe(arguments[0])", item_of(browser, "eth0", 200))
    equal(inner["facts"]["inside"], "NET_RX", "around it")
    idle = browser.run("annot.describe(arguments[0])", item_of(browser, "eth0", 1100))
    equal(idle["facts"]["interrupted"], "idle, or not known", "whom, on an idle CPU")
    own = browser.run("annot.describe(arguments[0])", item_of(browser, "TIMER", 910))
    assert "takes no time" in own["facts"], own
    slice_of = browser.run("annot.slicesOf(0)")[0]["item"]
    told = browser.run("annot.describe(arguments[0])", slice_of)["facts"]["in interrupts"].replace("\xa0", " ")
    equal(told.split(",")[0], f"{STOLEN_US}.0 µs", "of the slice")
    calm = browser.run("annot.describe(arguments[0])", browser.run("annot.slicesOf(1)")[0]["item"])
    assert "in interrupts" not in calm["facts"], calm


def stolen_of_threads(browser, page):
    browser.open(page)
    for comm, text in (("worker", f"{STOLEN_US}.0 µs"), ("ksoftirqd/0", "10.00 µs"), ("calm", "")):
        told = browser.run("annot.describe(arguments[0])", f"thread.{thread(browser, comm)}")["facts"]
        equal(told.get("of it, in interrupts", "").replace("\xa0", " "), text, comm)
    sums = browser.run("annot.range(arguments[0], arguments[1])", 120 * US, 300 * US)
    equal([own["stolen"] for own in sums["threads"] if own["tid"] == 11], [180 * US], "in a range")


def painted_and_picked(browser, page):
    """By kind, the inner one over the outer one; below the strip is the slice; many small ones are seen, too."""
    browser.open(page)
    browser.run("annot.setView(arguments[0], arguments[1])", 0, 400 * US)
    colours = browser.run("annot.colours()")
    theme = {name: rgb(colours["theme"][name]) for name in ("hardirq", "softirq")}
    lane = next(own for own in browser.run("annot.lanes()") if own["id"] == "cpu 0")
    strip, below = lane["top"] + 2, lane["top"] + lane["height"] - 6
    for us, name in ((125, "hardirq"), (170, "softirq"), (225, "hardirq"), (300, "softirq")):
        equal(browser.pixel(browser.run("annot.xOf(arguments[0])", us * US), strip), theme[name], f"at {us} us")
    worker = browser.pixel(browser.run("annot.xOf(arguments[0])", 50 * US), strip)
    assert worker not in theme.values(), "where nothing interrupts"
    equal(browser.pixel(browser.run("annot.xOf(arguments[0])", 300 * US), below), worker, "below the strip")
    picked = [browser.run("annot.itemAt(arguments[0], arguments[1])",
                          browser.run("annot.xOf(arguments[0])", us * US), y)
              for us, y in ((170, strip), (225, strip), (225, below), (50, strip))]
    equal(picked[:2], [item_of(browser, "NET_RX", 150), item_of(browser, "eth0", 200)], "picked in the strip")
    assert picked[2] == picked[3] and picked[2].startswith("slice."), f"picked elsewhere: {picked[2:]}"
    box, = [own for own in browser.run("annot.boxes(arguments[0])", picked[0]) if own["lane"] == "cpu 0"]
    near(box["width"], browser.run("annot.xOf(350000) - annot.xOf(150000)"), 1, "its box")
    browser.run("annot.setView(arguments[0], arguments[1])", 0, 200_000 * US)
    x = round(browser.run("annot.xOf(arguments[0])", 700 * US))
    narrow = {browser.pixel(x + dx, strip) for dx in (-1, 0, 1)}
    assert len(narrow) > 1, f"those that are narrower than a pixel are not seen: {narrow}"


def painted_from_the_overview(browser, page):
    """By the kind that took most of a bucket."""
    browser.open(page)
    browser.run("annot.setView(arguments[0], arguments[1])", 0, 400 * US)
    colours = browser.run("annot.colours()")
    strip = next(own for own in browser.run("annot.lanes()") if own["id"] == "cpu 0")["top"] + 2
    tables = [table(36, 0, ["run", "kind", "share"], [(1, HARDIRQ, 255), (1, SOFTIRQ, 255)])]
    browser.run("annot.overview(arguments[0], arguments[1], arguments[2])", tables, 2, 200 * US)
    painted = [browser.pixel(browser.run("annot.xOf(arguments[0])", us * US), strip) for us in (100, 300)]
    browser.run("annot.overview(null)")
    equal(painted, [rgb(colours["theme"][name]) for name in ("hardirq", "softirq")], "the strip")


def legend_only_where_there_are_some(browser, page):
    browser.open(page)
    assert "softirq" in browser.execute("return document.getElementById('print-legend').textContent")


def steps_by_name(browser, page):
    browser.open(page)
    browser.run("annot.select(arguments[0])", item_of(browser, "disk", 500))
    browser.keys("]")
    equal(browser.run("annot.selection()"), item_of(browser, "disk", 510), "the next of its name")
    browser.run("annot.select(arguments[0])", item_of(browser, "eth0", 100))
    browser.keys("]")
    equal(browser.run("annot.selection()"), item_of(browser, "eth0", 200), "the next of its name")


if __name__ == "__main__":
    run_page_tests(save, (rows_are_there, facts, stolen_of_threads, painted_and_picked, painted_from_the_overview,
                          legend_only_where_there_are_some, steps_by_name))
