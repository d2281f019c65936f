#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# NEEDS: synthetic workloads
# BROWSERS: chromium firefox
"""Measured misses in the page: synthetic.c's make_misses() says what is true."""
import os
import subprocess
import tempfile

from browser import ANNOT, ROOT, Browser, Tap, equal, make, near, rgb

MS = 10**6


def amounts(browser, owners, index, start, end):
    return {own["name"]: own for own in
            browser.run("annot.pmu(...arguments)", owners, index, start, end)}


def figures(browser):
    hot = amounts(browser, "threads", 0, 2 * MS, 4 * MS)
    equal(hot["l1_cache_miss"]["amount"], 200000, "misses of hot")
    near(hot["l1_cache_miss"]["error"], 29723, 1, "their error")
    near(hot["instr_retired"]["amount"], 2000000, 1, "instructions of hot, by its share of the slice")
    cold = amounts(browser, "threads", 0, 6 * MS, 16 * MS)
    equal(cold["l1_cache_miss"]["samples"], 20, "samples in cold")
    near(cold["instr_retired"]["amount"], 7000000, 1, "instructions of cold, of two slices")
    equal(amounts(browser, "cpus", 0, 0, 20 * MS)["l1_cache_miss"]["amount"], 220000, "of CPU 0")
    equal(amounts(browser, "cpus", 1, 0, 20 * MS)["l1_cache_miss"]["amount"], 0, "of CPU 1")
    edge = amounts(browser, "threads", 0, 2 * MS + 5000, 2 * MS + 15000)
    equal(edge["l1_cache_miss"]["samples"], 1, "a sample at the beginning counts, one at the end not")


def described(browser):
    hot = browser.run("annot.describe('span.0.0').facts")
    equal(hot["l1_cache_miss"], "≈ 200,000 ± 29,723 (200 samples), 100/µs, 100 ± ? per 1,000 instructions",
          "facts of hot")
    equal(hot["instr_retired"], "≈ 2,000,000 ± 8,000,000, 1,000/µs", "its instructions")
    slice_facts = browser.run("annot.describe('slice.0.0').facts")
    assert slice_facts["instr_retired"].startswith("10,000,000,"), f"a slice: {slice_facts}"
    first = browser.run("annot.describe('sample.0').facts")
    equal((first["instruction"], first["address"], first["inside"]),
          ("0x401000 (user)", "0x7fff00000000", "hot 0"), "the first sample")
    last = browser.run("annot.describe('sample.219')")
    equal((last["facts"]["instruction"], last["facts"]["address"]),
          ("0xffffffff81000000 (kernel)", "not told"), "the last sample: 64 bits, and what is absent")
    equal(last["subtitle"], "sample, precise (level 2)", "how precise")


def tables(browser):
    browser.run("annot.select(null)")
    text = browser.run("document.getElementById('details').innerText")
    for expected in ("refused: this machine has no such event, or no PMU", "a sample every 1,000",
                     "2 of 3", "≈ 220,000 ± 31,073 (220 samples)"):
        assert expected in text, f"{expected!r} is not in the panel:\n{text}"
    tasks = {task["name"]: task for task in browser.run("annot.range(0, 20e6).tasks")}
    equal(tasks["hot"]["amounts"][0], 200000, "misses of hot in the range's table")
    browser.run("annot.select(null)")


def colour_at(browser, lane, ns, below_strip):
    """What is drawn at a time, so far below the top of a lane's strip."""
    x = browser.run("annot.xOf(arguments[0])", ns)
    return browser.pixel(x, lane["stripTop"] + below_strip)


def lane_of(browser, wanted):
    return next(lane for lane in browser.run("annot.lanes()") if lane["id"] == wanted)


def strips(browser):
    browser.run("annot.setView(0, 20e6)")
    miss = rgb(browser.run("annot.colours().theme['miss-a']"))
    for lane in (lane_of(browser, "cpu 0"), lane_of(browser, "thread 0")):
        # How wide a window is depends on the browser's fonts, and one may have a sample fewer than the fullest.
        equal(colour_at(browser, lane, 3 * MS, 3), miss, "hot fills the strip")
        assert colour_at(browser, lane, 5 * MS, 11) != miss, "misses where there were none"
        assert colour_at(browser, lane, 8 * MS, 2) != miss, "cold is as dense as hot"
    idle = lane_of(browser, "cpu 1")
    empty = colour_at(browser, idle, 5 * MS, 5)
    assert any(colour_at(browser, idle, 1 * MS + i * 10**5, 5) != empty for i in range(1, 10)), \
        "what was not measured looks like nothing"
    browser.screenshot("misses")


def one_by_one(browser):
    browser.run("annot.setView(2e6, 2.2e6)")
    lane = lane_of(browser, "cpu 0")
    miss = rgb(browser.run("annot.colours().theme['miss-a']"))
    equal(colour_at(browser, lane, 2 * MS + 5000, 6), miss, "the first sample")
    assert colour_at(browser, lane, 2 * MS + 10000, 6) != miss, "between two samples"
    boxes = browser.run("annot.boxes('sample.3')")
    equal([box["lane"] for box in boxes], ["cpu 0", "thread 0"], "where a sample is shown")
    for box in boxes:
        item = browser.run("annot.itemAt(...arguments)", box["left"] + 1,
                           box["top"] + box["height"] / 2)
        equal(item, "sample.3", "what is under the pointer")
    browser.screenshot("samples")


def make_by_ratio(work):
    """A task of 100 samples, half of all, in 200 of which the program ran."""
    trace, page = os.path.join(work, "ratio.dat"), os.path.join(work, "ratio.html")
    story = subprocess.run([os.path.join(ROOT, "tests/unit/report/by_ratio.py"), "story", "ibs_op"], check=True,
                           capture_output=True).stdout
    subprocess.run([os.path.join(ROOT, "tests/lib/script_trace.py"), trace], check=True, input=story)
    subprocess.run([ANNOT, "html", "-o", page, trace], check=True, capture_output=True)
    return page


def no_counts_of_samples(browser):
    """Of IBS: how many instructions a sample stands for is not known."""
    equal(browser.run("annot.describe('span.0.0').facts['sampled:u']"), "100 samples", "facts of the task")
    browser.run("annot.select(null)")
    # There is a finding, which is shown first.
    browser.run("[...document.querySelectorAll('[role=tab]')].find((tab) => tab.textContent.startsWith('Figures')).click()")
    browser.settle()
    tasks = browser.text("#details")
    assert "sampled:u samples" in tasks and "200,000" not in tasks, f"the tables: {tasks}"
    browser.run("[...document.querySelectorAll('[role=tab]')].find((tab) => "
                "tab.textContent.startsWith('Loads by level')).click()")
    browser.settle()
    rows = browser.run("[...document.querySelectorAll('tbody tr')].map((row) => "
                       "[...row.cells].map((cell) => cell.innerText)).filter(([event]) => event === 'sampled:u')")
    equal([row[1:8] for row in rows],
          [["", "200", "100", "40", "20", "24", "16"], ["walk", "100", "50", "20", "10", "12", "8"]], "levels")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="annot-page-") as work:
        browser = Browser()
        try:
            browser.open(make(work, "misses"))
            for test in (figures, described, tables, strips, one_by_one):
                tap.point(test.__name__.replace("_", " "), test, browser)
            browser.open(make_by_ratio(work))
            tap.point("no counts of samples", no_counts_of_samples, browser)
            browser.finish(tap)
        finally:
            browser.close()
    tap.finish()


if __name__ == "__main__":
    main()
