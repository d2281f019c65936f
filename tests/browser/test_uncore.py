#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# BROWSERS: chromium firefox
"""
Lanes of energy and other counters that CPUs share, from rows and from the overview.

Thread 11 runs on CPU 0 from 0 to 50 ms. Two counters are read every 10 ms from 0 to 50 ms, by annot record. The first has
10, 30, 10, nothing that is known (it had no turn), and 20 W. The second counts 1000 transfers of 64 bytes each 10 ms.
"""
from browser import equal, run_page_tests
from buckets import table
from tracefile import TraceFile

MS = 1_000_000
START = 5_000_000_000
READER = 12
JOULE = 2 ** 20		# counts
WATTS = [10, 30, 10, None, 20]


def save(path):
    trace = TraceFile(1, {11: "worker", READER: "annot-uncore"})
    tell = lambda ms, text: trace.write(0, START + ms * MS, READER, text)
    trace.switch(0, START, 0, 11)
    tell(0, f"annot|uncore|event|0|0|{1 / JOULE:.17g}|Joules|power/energy-pkg/")
    tell(0, "annot|uncore|event|1|0|6.103515625e-05|MiB|uncore_imc_0/cas_count_read/")
    joules, ran = 0, 0
    tell(0, "annot|uncore|counts|0|0,0,0|0,0,0")
    for nr, watts in enumerate(WATTS):
        joules += (watts or 0) / 100
        ran += 10 * MS if watts else 0
        enabled = (nr + 1) * 10 * MS
        tell(10 * (nr + 1), f"annot|uncore|counts|0|{round(joules * JOULE)},{enabled},{ran}|{(nr + 1) * 1000},{enabled},{enabled}")
    trace.switch(0, START + 50 * MS, 11, 0)
    trace.cpus[0].sort(key=lambda record: record[0])
    trace.save(path)


def lane_of(browser, label):
    return next(own for own in browser.run("annot.lanes()") if own["label"] == label)


def rows_are_there(browser, page):
    browser.open(page)
    readings = [own for own in browser.run("annot.readings()") if own["counter"] == 0]
    equal([(own["start"] // MS, own["end"] // MS) for own in readings], [(ms, ms + 10) for ms in range(0, 50, 10)], "times")
    equal([own["perS"] if own["perS"] is None else round(own["perS"], 3) for own in readings], WATTS, "watts")
    labels = [own["label"] for own in browser.run("annot.lanes()")]
    equal(labels[labels.index("Energy and sockets"):][:3],
          ["Energy and sockets", "power/energy-pkg/", "uncore_imc_0/cas_count_read/"], "lanes")


def facts(browser, page):
    browser.open(page)
    readings = browser.run("annot.readings()")
    of = lambda counter, nr: browser.run("annot.describe(arguments[0])",
                                         [own for own in readings if own["counter"] == counter][nr]["item"])
    equal((of(0, 1)["title"], of(0, 1)["subtitle"]), ("30.0 W", "power/energy-pkg/, counted by CPU 0"), "power")
    equal((of(0, 3)["title"], of(0, 3)["facts"]["counted"]), ("not known", "not at all"), "no turn")
    equal("counted" in of(0, 1)["facts"], False, "all of the time")
    equal(of(1, 0)["title"], "6.10 MiB/s", "another unit")


def painted_and_picked(browser, page):
    browser.open(page)
    browser.run("annot.setView(arguments[0], arguments[1])", 0, 50 * MS)
    lane = lane_of(browser, "power/energy-pkg/")
    x = lambda ms: browser.run("annot.xOf(arguments[0])", ms * MS)
    column = lambda ms: [browser.pixel(x(ms), y) for y in range(lane["top"] + 2, lane["top"] + lane["height"] - 3)]
    empty = column(35)
    height = lambda ms: sum(pixel != ground for pixel, ground in zip(column(ms), empty))
    heights = [height(ms) for ms in (5, 15, 25, 45)]
    equal(heights[0], heights[2], "10 W are as high as 10 W")
    assert abs(heights[1] - 3 * heights[0]) <= 3 and abs(heights[3] - 2 * heights[0]) <= 2, f"in proportion: {heights}"
    equal(len(set(empty)), 1, "nothing is drawn where it is not known")
    middle = lane["top"] + lane["height"] // 2
    item = browser.run("annot.itemAt(arguments[0], arguments[1])", x(15), middle)
    equal(browser.run("annot.describe(arguments[0])", item)["title"], "30.0 W", "picked")


def painted_from_the_overview(browser, page):
    """Two buckets of 25 ms, with 30 and 10 W."""
    browser.open(page)
    browser.run("annot.setView(arguments[0], arguments[1])", 0, 50 * MS)
    lane = lane_of(browser, "power/energy-pkg/")
    rows = range(lane["top"] + 2, lane["top"] + lane["height"] - 3)
    empty = [browser.pixel(browser.run("annot.xOf(arguments[0])", 35 * MS), y) for y in rows]
    browser.run("annot.overview(arguments[0], arguments[1], arguments[2])",
                [table(46, 0, ["run", "perS", "known"], [(1, 30 * JOULE, 255), (1, 10 * JOULE, 255)])], 2, 25 * MS)
    columns = [[browser.pixel(browser.run("annot.xOf(arguments[0])", ms * MS), y) for y in rows] for ms in (12, 37)]
    browser.run("annot.overview(null)")
    heights = [sum(pixel != ground for pixel, ground in zip(own, empty)) for own in columns]
    assert heights[1] > 0 and abs(heights[0] - 3 * heights[1]) <= 4, f"in proportion: {heights}"


if __name__ == "__main__":
    run_page_tests(save, (rows_are_there, facts, painted_and_picked, painted_from_the_overview))
