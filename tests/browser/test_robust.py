#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# NEEDS: synthetic workloads
# BROWSERS: chromium firefox
"""Pages that no recording gives on demand (synthetic.c): nothing, too much, too long, hostile."""
import os
import subprocess
import tempfile

from browser import ANNOT, ROOT, Browser, Tap, equal, make, near

MAKE_TRACE = os.path.join(ROOT, "tests", "lib", "make_trace.py")
HOUR = 3600 * 10**9
BUSY_SLICES = 1000000
# To redraw, without a GPU; at best, since a busy machine stops for something else in between.
LIMIT_MS = 100


def nothing(browser, work):
    browser.open(make(work, "empty"))
    counts = browser.run("annot.counts()")
    equal((counts["cpus"], counts["threads"], counts["slices"]), (2, 0, 0), "counts")
    equal([lane["kind"] for lane in browser.run("annot.lanes()")], ["group", "cpu", "cpu"], "lanes")
    browser.keys("w", "s", "d", "f", "n", "]", "?")
    assert browser.run("document.getElementById('help').open"), "the keys are dead"


def one_event(browser, work):
    browser.open(make(work, "one"))
    equal(browser.run("annot.counts().slices"), 1, "slices")
    browser.run("annot.select('slice.0.0')")
    equal(browser.run("annot.describe('slice.0.0').facts.duration"), "0 ns", "duration")
    browser.keys("f", "w", "0")


def hostile_names(browser, work):
    browser.open(make(work, "hostile"))
    equal(browser.run("window.hostile"), None, "a name was run as script")
    threads = browser.run("annot.threads()")
    equal(len(threads), 9, "threads")
    names = {thread["comm"] for thread in threads}
    for name in ("</script><script>window.hostile = 1</script>", "__proto__", "constructor",
                 "bytes \ufffd\ufffd\ufffd \ufffd( end"):
        assert name in names, f"{name!r} is not in {names}"
    for thread in threads:
        for span in browser.run("annot.spansOf(arguments[0])", thread["index"]):
            browser.run("annot.select(arguments[0])", span["item"])
            shown = browser.run("document.querySelector('#details h2').textContent")
            assert shown.startswith(span["name"]), f"{shown!r} for {span['name']!r}"
        browser.run("annot.search(arguments[0])", thread["comm"])
    equal(browser.run("annot.search('__proto__').spans"), 3, "spans, marks and counters named __proto__")
    equal(browser.run("annot.describe('span.0.0').facts.value"), "9223372036854775807", "INT64_MAX")
    equal(browser.run("annot.describe('span.1.0').facts.value"), "-9223372036854775808", "INT64_MIN")
    priorities = [browser.run(f"annot.describe('slice.0.{row}').facts.priority") for row in range(6)]
    equal(priorities, ["nice 0", "nice 19", "real-time, priority 1", "real-time, priority 99", "deadline",
                       "unknown"], "priorities")
    equal(browser.run("document.title"), "</title><script>window.hostile = 4</script>\ufffd", "title")
    equal(browser.run("document.scripts.length"), 2, "scripts in the page: the head and its own")


def open_made(browser, work, form, *damage):
    trace, page = (os.path.join(work, f"made.{suffix}") for suffix in ("dat", "html"))
    subprocess.run([MAKE_TRACE, "little", "8", "7", trace, form, *damage], check=True)
    subprocess.run([ANNOT, "html", "-o", page, trace], check=True, stdout=subprocess.DEVNULL)
    browser.open(page)
    thread = next(thread for thread in browser.run("annot.threads()") if thread["tid"] == 101)
    return [browser.run("annot.describe(arguments[0]).facts", f"{kind}.{thread['index']}.0")
            for kind in ("span", "mark")]


def drained_later(browser, work):
    warnings = "document.getElementById('warnings').textContent"
    for facts in open_made(browser, work, "events"):
        assert "drained" not in facts, f"not drained at all: {facts}"
    span, mark = open_made(browser, work, "batch")
    equal(span["drained"], "200.0 ms later, at 0.206\u2009000\u2009000 s", "the span")
    assert mark["drained"].startswith("2.000 ms later, at 0.411"), f"the mark: {mark}"
    equal(browser.run(warnings), "", "warnings")
    open_made(browser, work, "batch", "lost")
    told = browser.run(warnings)
    assert "annotations lost" in told and "annotations altered" in told, f"warnings: {told}"


def ten_hours(browser, work):
    browser.open(make(work, "hours"))
    equal(browser.run("annot.view().end"), 10 * HOUR, "end")
    browser.run("annot.select('span.0.0')")
    browser.keys("f")
    view = browser.run("annot.view()")
    assert view["start"] <= 5 * HOUR + 2 and view["end"] >= 5 * HOUR + 5, view
    assert view["end"] - view["start"] < 1000, view
    facts = browser.run("annot.describe('span.0.0').facts")
    equal(facts["duration"], "3 ns", "duration")
    equal(facts["start"], "18,000.000\u2009000\u2009002 s", "start")
    box = browser.run("annot.boxes('span.0.0')[0]")
    near(box["width"] / (browser.run("annot.xOf(1) - annot.xOf(0)")), 3, 0.01, "nanoseconds drawn")
    browser.screenshot("ten-hours")


def a_million_slices(browser, path):
    browser.resize(1600, 900)
    browser.open(path)
    equal(browser.run("annot.counts().slices"), BUSY_SLICES, "slices")
    end = browser.run("annot.view().end")
    slow = []
    for part in (1, 10, 100, 1000, 10000):
        browser.run("annot.setView(arguments[0], arguments[1])", end * 0.3, end * (0.3 + 0.7 / part))
        times = sorted(browser.run("Array.from({length: 11}, () => annot.redraw())"))
        print(f"# redraw of 1/{part}: {times[0]:.1f} ms at best, {times[5]:.1f} ms median")
        if times[0] > LIMIT_MS:
            slow.append((part, times[0]))
    equal(slow, [], f"redrawing takes more than {LIMIT_MS} ms")


def dense_lanes_are_painted(browser, path):
    browser.open(path)
    lane = next(lane for lane in browser.run("annot.lanes()") if lane["kind"] == "cpu")
    left, right = browser.run("[annot.xOf(0), annot.xOf(annot.view().end)]")
    paper = browser.pixel(60, lane["top"] + 3)
    colours = {browser.pixel(left + (right - left) * i / 50, lane["top"] + 3) for i in range(1, 50)}
    assert len(colours) > 10 and paper not in colours, f"a busy lane has the colours {colours}"
    browser.screenshot("busy")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="annot-page-") as work:
        busy = make(work, "busy", str(BUSY_SLICES))
        browser = Browser()
        try:
            for test in (nothing, one_event, hostile_names, drained_later, ten_hours):
                tap.point(test.__name__.replace("_", " "), test, browser, work)
            for test in (a_million_slices, dense_lanes_are_painted):
                tap.point(test.__name__.replace("_", " "), test, browser, busy)
            browser.finish(tap)
        finally:
            browser.close()
    tap.finish()


if __name__ == "__main__":
    main()
