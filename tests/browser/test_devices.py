#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# BROWSERS: chromium firefox
"""
Lanes of block devices: requests in flight, from rows and from the overview.

Thread 11 runs on CPU 0 from 0 to 1000 us. Of 8:0 it issues three requests that read 4 KiB each, in flight at 100-400, 200-600
and 300-350 us, and a fourth at 900 us, whose completion is not in the trace. Of 254:3 it issues a write of 1 MiB at 500-700 us,
which fails.
"""
from browser import equal, run_page_tests
from buckets import table
from tracefile import TraceFile

US = 1000
START = 5_000_000_000
DISK, OTHER = (8, 0), (254, 3)
IN_FLIGHT = [(100, 1), (200, 2), (300, 3), (350, 2), (400, 1), (600, 0), (900, 1), (1000, 0)]


def save(path):
    trace = TraceFile(1, {11: "reader"})
    events = [(begin, DISK, sector, True) for sector, begin in enumerate((100, 200, 300, 900))]
    events += [(end, DISK, sector, False) for sector, end in enumerate((400, 600, 350))]
    trace.switch(0, START, 0, 11)
    for us, device, sector, begins in sorted(events):
        trace.request(0, START + us * US, 11, device, sector, 8, begins)
    trace.request(0, START + 500 * US, 11, OTHER, 77, 2048, op=b"WS")
    trace.request(0, START + 700 * US, 11, OTHER, 77, 2048, False, error=-5, op=b"WS")
    trace.switch(0, START + 1000 * US, 11, 0)
    trace.cpus[0].sort(key=lambda record: record[0])
    trace.save(path)


def lane_of(browser, label):
    return next(own for own in browser.run("annot.lanes()") if own["label"] == label)


def rows_are_there(browser, page):
    browser.open(page)
    equal([(own["device"], own["start"] // US, own["end"] // US) for own in browser.run("annot.requests()")],
          [("8:0", 100, 400), ("8:0", 200, 600), ("8:0", 300, 350), ("254:3", 500, 700), ("8:0", 900, 1000)], "requests")
    equal([(at // US, value) for at, value in browser.run("annot.inFlight(0)")], IN_FLIGHT, "in flight")
    equal([(at // US, value) for at, value in browser.run("annot.inFlight(1)")], [(500, 1), (700, 0)], "of the other")
    labels = [own["label"] for own in browser.run("annot.lanes()")]
    equal(labels[labels.index("Block devices"):][:3], ["Block devices", "8:0, in flight", "254:3, in flight"], "lanes")


def facts(browser, page):
    browser.open(page)
    requests = browser.run("annot.requests()")
    told = lambda row: browser.run("annot.describe(arguments[0])", requests[row]["item"])
    first = told(0)
    equal((first["title"], first["subtitle"]), ("read, 4,096 bytes", "request to 8:0"), "title")
    equal(first["facts"]["latency"].replace("\xa0", " "), "300.0 µs", "latency")
    equal(first["facts"]["issued by"], "reader 11", "by whom")
    failed = told(3)
    equal((failed["title"], failed["facts"]["result"]), ("write, 1,048,576 bytes", "it failed"), "failed")
    last = told(4)["facts"]
    equal((last.get("latency"), last["completed"]), (None, "not seen"), "no latency where the end is not known")


def painted_and_picked(browser, page):
    browser.open(page)
    browser.run("annot.setView(arguments[0], arguments[1])", 0, 1000 * US)
    lane = lane_of(browser, "8:0, in flight")
    requests = browser.run("annot.requests()")
    x = lambda us: browser.run("annot.xOf(arguments[0])", us * US)
    column = lambda us: [browser.pixel(x(us), y) for y in range(lane["top"] + 2, lane["top"] + lane["height"] - 3)]
    empty = column(50)
    height = lambda us: sum(pixel != ground for pixel, ground in zip(column(us), empty))
    one, two, three = height(150), height(250), height(325)
    assert two - one > 5 and abs(three - two - (two - one)) <= 1, f"each request is as high: {one} {two} {three}"
    equal(height(750), 0, "nothing in flight")
    middle = lane["top"] + lane["height"] // 2
    at = lambda us: browser.run("annot.itemAt(arguments[0], arguments[1])", x(us), middle)
    equal([at(us) for us in (150, 250, 325, 500, 750)],
          [requests[row]["item"] if row is not None else None for row in (0, 1, 2, 1, None)], "picked")


def painted_from_the_overview(browser, page):
    """Two buckets of 500 us, with 1.5 and 0.5 requests in flight."""
    browser.open(page)
    browser.run("annot.setView(arguments[0], arguments[1])", 0, 1000 * US)
    lane = lane_of(browser, "8:0, in flight")
    name = browser.run("annot.strings()").index("8:0")
    browser.run("annot.overview(arguments[0], arguments[1], arguments[2])",
                [table(44, name, ["run", "inFlight"], [(1, 1500), (1, 500)])], 2, 500 * US)
    rows = range(lane["top"] + 2, lane["top"] + lane["height"] - 3)
    columns = [[browser.pixel(browser.run("annot.xOf(arguments[0])", us * US), y) for y in rows] for us in (250, 750)]
    browser.run("annot.overview(null)")
    heights = [len(own) - own.count(own[0]) for own in columns]
    assert heights[0] > heights[1] > 0 and abs(heights[0] - 3 * heights[1]) <= 4, f"in proportion: {heights}"


if __name__ == "__main__":
    run_page_tests(save, (rows_are_there, facts, painted_and_picked, painted_from_the_overview))
