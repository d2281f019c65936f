#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# NEEDS: synthetic workloads
# BROWSERS: chromium firefox
"""The page of a trace whose truth is known (scene.py): what is drawn, and what mouse and keys do."""
import os
import subprocess
import tempfile

from selenium.webdriver.common.keys import Keys

import scene
from browser import ANNOT, CONTROL, SHIFT, Browser, Tap, equal, near, rgb

US = 1000
TEXT_Y = 3	# from a box's top: above the text in it


class Page:
    """The scene's page in a browser, and where things are in it."""

    def __init__(self, browser, path):
        self.browser = browser
        self.path = path

    def fresh(self):
        self.browser.open(self.path)
        return self.browser

    def lane(self, lane_id):
        found = [lane for lane in self.browser.run("annot.lanes()") if lane["id"] == lane_id]
        assert found, f"no lane {lane_id}"
        return found[0]

    def x(self, us):
        return self.browser.run("annot.xOf(arguments[0])", us * US)

    def index(self, tid):
        return next(thread["index"] for thread in self.browser.run("annot.threads()")
                    if thread["tid"] == tid)

    def thread_colour(self, tid):
        return rgb(self.browser.run("annot.colours().threads[arguments[0]]", self.index(tid)))

    def theme(self, name):
        return rgb(self.browser.run("annot.colours().theme[arguments[0]]", name))

    def span(self, name):
        tid = scene.SPANS[name]["tid"]
        spans = self.browser.run("annot.spansOf(arguments[0])", self.index(tid))
        return next(span for span in spans if span["name"] == name)

    def middle(self, item):
        box = self.browser.run("annot.boxes(arguments[0])[0]", item)
        return box["left"] + box["width"] / 2, box["top"] + box["height"] / 2

    def view(self):
        view = self.browser.run("annot.view()")
        return view["start"], view["end"]


def lanes(page):
    browser = page.fresh()
    got = [lane["id"] for lane in browser.run("annot.lanes()")]
    threads = {tid: page.index(tid) for tid in (scene.A, scene.B)}
    counter = [lane for lane in got if lane.startswith(f"counter {threads[scene.A]} ")]
    equal(len(counter), 1, "lanes of the counter")
    equal(got, ["cpus", "cpu 0", "cpu 1", "process 900", f"thread {threads[scene.A]}", counter[0],
                f"thread {threads[scene.B]}", "others"], "lanes")


def who_ran(page):
    browser = page.fresh()
    for cpu, start, end, tid in scene.SLICES:
        lane = page.lane(f"cpu {cpu}")
        # from edge to edge; not on the arrows, whose ends are in the middle of the lane
        for x in (page.x(start) + 2, page.x((start + end) / 2), page.x(end) - 3):
            got = browser.pixel(x, lane["top"] + TEXT_Y)
            equal(got, page.thread_colour(tid), f"CPU {cpu}, {start} to {end} us, at {x}")


def time_is_linear(page):
    browser = page.fresh()
    left, right = browser.run("""(() => {
        const box = document.getElementById("lanes-canvas").getBoundingClientRect();
        return [box.left, box.right];
    })()""")
    near(page.x(10000), right, 0.5, "the end")
    near(page.x(0), left + 216, 0.5, "the start, beside the labels")
    for us in (1000, 2500, 9000):
        near(page.x(us), left + 216 + (right - left - 216) * us / 10000, 0.5, f"{us} us")


def tasks_are_drawn_on_cpus(page):
    browser = page.fresh()
    colours = browser.run("annot.colours().names")
    lane = page.lane("cpu 1")
    y = lane["top"] + lane["height"] - 6
    for us, name in ((1500, "outer loop"), (2250, "inner"), (3000, "outer loop")):
        equal(browser.pixel(page.x(us), y), rgb(colours[name]), f"the span at {us} us")
    equal(browser.pixel(page.x(800), y), page.thread_colour(scene.B), "before any span")


def idle_is_empty(page):
    browser = page.fresh()
    for cpu, us in scene.IDLE:
        lane = page.lane(f"cpu {cpu}")
        equal(browser.pixel(page.x(us) + 2, lane["top"] + TEXT_Y), page.theme("paper"),
              f"CPU {cpu} at {us} us")


def states_are_drawn(page):
    browser = page.fresh()
    worker_a = page.lane(f"thread {page.index(scene.A)}")
    worker_b = page.lane(f"thread {page.index(scene.B)}")
    for lane, us, state in ((worker_a, 2000, "running"), (worker_a, 4200, "preempted"),
                            (worker_b, 3000, "running"), (worker_b, 5900, "runnable"),
                            (worker_b, 8500, "running")):
        equal(browser.pixel(page.x(us), lane["top"] + 13), page.theme(state), f"{state} at {us} us")
    equal(browser.pixel(page.x(7000), worker_a["top"] + 13), page.theme("paper"), "sleeping, below its line")
    equal(browser.pixel(page.x(7000), worker_a["top"] + 8), page.theme("sleeping"), "sleeping, its line")


def spans_are_drawn(page):
    browser = page.fresh()
    colours = browser.run("annot.colours().names")
    for name in ("solve", "outer loop", "inner"):
        box = browser.run("annot.boxes(arguments[0])[0]", page.span(name)["item"])
        truth = scene.SPANS[name]
        near(box["left"], page.x(truth["from"]), 0.5, f"left edge of {name}")
        near(box["left"] + box["width"], page.x(truth["to"]), 0.5, f"right edge of {name}")
        got = browser.pixel(box["left"] + box["width"] * 0.9, box["top"] + TEXT_Y)
        equal(got, rgb(colours[name]), name)
    inner = browser.run("annot.boxes(arguments[0])[0]", page.span("inner")["item"])
    outer = browser.run("annot.boxes(arguments[0])[0]", page.span("outer loop")["item"])
    assert inner["top"] >= outer["top"] + outer["height"], "inner is not below outer"


def waits_are_hatched(page):
    browser = page.fresh()
    box = browser.run("annot.boxes(arguments[0])[0]", page.span("barrier")["item"])
    seen = {browser.pixel(box["left"] + box["width"] * 0.6 + i, box["top"] + 8) for i in range(12)}
    assert page.theme("wait") in seen and len(seen) > 2, f"barrier is drawn in {seen}"


def gap_is_drawn(page):
    browser = page.fresh()
    cpu, start, end, lost = scene.GAP
    lane = page.lane(f"cpu {cpu}")
    right = page.x(end)
    seen = {browser.pixel(right - 30 + i, lane["top"] + 12) for i in range(12)}
    paper, line = page.theme("alarm-paper"), page.theme("alarm")
    assert len(seen) > 2, f"the gap is not hatched: {seen}"
    assert any(sum(abs(a - b) for a, b in zip(pixel, line)) < 150 for pixel in seen), \
        f"no pixel of the gap is near {line}: {seen}"
    assert any(sum(abs(a - b) for a, b in zip(pixel, paper)) < 60 for pixel in seen), \
        f"no pixel of the gap is near {paper}: {seen}"
    assert f"{lost} events lost in 1 gap" in browser.text("#warnings"), browser.text("#warnings")
    browser.click((page.x(start) + right) / 2 + 20, lane["top"] + 12)
    details = browser.text("#details")
    assert f"{lost} events lost" in details and "2.900 ms" in details, details


def migration_is_drawn(page):
    browser = page.fresh()
    # The other one is the stranger's: told, but not drawn.
    equal(browser.run("annot.counts().migrations"), 2, "migrations")
    facts = browser.run('annot.describe("migration.0")')
    equal(facts["title"], "CPU 1 → CPU 0", "title")
    equal(facts["facts"]["off CPU before"], "1.800 ms", "off CPU before")
    # The arrow ends in the middle of CPU 0's lane, where worker-b comes on.
    lane = page.lane("cpu 0")
    got = browser.pixel(page.x(6000), lane["top"] + lane["height"] / 2 + 3)
    assert sum(got) < 250, f"no arrow head at {got}"
    browser.click(page.x(6000), lane["top"] + lane["height"] / 2 + 2)
    equal(browser.run("annot.selection()"), "migration.0", "what a click on the arrow selects")


def click_tells_the_truth(page):
    browser = page.fresh()
    for name, truth in scene.SPANS.items():
        browser.click(*page.middle(page.span(name)["item"]))
        equal(browser.run("annot.selection()"), page.span(name)["item"], f"selection at {name}")
        described = browser.run("annot.describe(annot.selection())")
        for what, got in zip(("unknown", "on_cpu", "preempted", "runnable", "sleeping"), described["ns"]):
            equal(got, truth.get(what, 0) * US, f"{what} of {name}")
        facts = described["facts"]
        equal(facts["migrations"], str(truth["migrations"]), f"migrations of {name}")
        preempted = f", {truth['preemptions']} × preempted" if truth["preemptions"] else ""
        equal(facts["switched out"], f"{truth['switches']} ×{preempted}", f"switches of {name}")
        equal(facts.get("value"), truth["value"], f"value of {name}")
        equal(facts.get("spinning"), "2.200 ms of 4.000 ms" if name == "barrier" else None, f"spinning in {name}")
        shown = browser.text("#details")
        for text in (name, f"{truth['kind']} span", facts["duration"], facts["on CPU"]):
            assert text in shown, f"{text!r} is not in the panel: {shown}"


def click_on_a_slice(page):
    browser = page.fresh()
    lane = page.lane("cpu 0")
    browser.click(page.x(5000), lane["top"] + 12)
    facts = browser.run("annot.describe(annot.selection()).facts")
    equal(facts["duration"], "1.500 ms", "duration")
    equal(facts["priority"], "nice 0", "priority")
    equal(facts["preempted before"], "1.500 ms", "preempted before")
    equal(facts["before on this CPU"], "stranger 50", "before")
    equal(facts["after on this CPU"], "worker-b 902", "after")
    browser.click(page.x(7000), lane["top"] + 5)
    facts = browser.run("annot.describe(annot.selection()).facts")
    equal(facts["woken by"], "worker-a 901", "waker")
    equal(facts["runnable before"], "200.0 µs", "wakeup latency")
    equal(facts["migrated"], "from CPU 1", "migrated")


def tooltip(page):
    browser = page.fresh()
    browser.move(*page.middle(page.span("solve")["item"]))
    text = browser.text("#tooltip")
    for wanted in ("solve 7", "worker-a 901", "4.500 ms", "3.000 ms"):
        assert wanted in text, f"{wanted!r} is not in the tooltip: {text}"
    browser.move(page.x(200), page.lane("cpu 1")["top"] + 12)
    assert browser.run("document.getElementById('tooltip').hidden"), "the tooltip stays"


def hovered_slice_lights_its_thread(page):
    """On CPUs only, and also where the pointer comes from the same slice in its thread's lane."""
    browser = page.fresh()
    lane, thread = page.lane("cpu 0"), page.lane(f"thread {page.index(scene.A)}")
    other = page.x(3700), lane["top"] + 4
    for start, wanted in (((page.x(1500), thread["top"] + 5), True), ((page.x(1500), lane["top"] + 4), False)):
        browser.move(*start)
        equal(browser.pixel(*other) == page.thread_colour(scene.STRANGER), wanted,
              f"stranger's slice has its colour, the pointer being at {start}")


def wheel_zooms(page):
    browser = page.fresh()
    x = page.x(3000)
    y = page.lane("cpu 1")["top"]
    browser.wheel(x, y, -400, CONTROL)
    start, end = page.view()
    assert end - start < 6000 * US, f"the view is {start} to {end} after zooming in"
    near(page.x(3000), x, 1, "what was under the pointer")
    browser.wheel(x, y, 1000, CONTROL)
    equal(page.view(), (0, 10000 * US), "the view after zooming out")


def keys_zoom_and_pan(page):
    browser = page.fresh()
    browser.keys("w")
    start, end = page.view()
    near(end - start, 7000 * US, 1, "after W")
    near((start + end) / 2, 5000 * US, 1, "the middle after W")
    browser.keys("d")
    assert page.view()[0] > start, "D does not move right"
    browser.keys("a")
    near(page.view()[0], start, 1, "A does not undo D")
    browser.keys("s")
    equal(page.view(), (0, 10000 * US), "the view after S")
    browser.keys("w", "w", "0")
    equal(page.view(), (0, 10000 * US), "the view after 0")


def drag_pans(page):
    browser = page.fresh()
    browser.run("annot.setView(arguments[0], arguments[1])", 2000 * US, 6000 * US)
    x, y = page.x(4000), page.lane("cpu 1")["top"] + 12
    browser.drag(x, y, x - 200, y)
    near(page.x(4000), x - 200, 1, "what was dragged")
    equal(browser.run("annot.selection()"), None, "selection after a drag")


def shift_drag_selects(page):
    browser = page.fresh()
    y = page.lane("cpu 1")["top"] + 12
    browser.drag(page.x(2000), y, page.x(5000), y, SHIFT)
    shown = browser.text("#details")
    assert "Selected range" in shown and "solve" in shown and "worker-a 901" in shown, shown
    got = browser.run("annot.range(arguments[0], arguments[1])", 2000 * US, 5000 * US)
    tasks = {task["name"]: task for task in got["tasks"]}
    # solve from 2000 to 5000, preempted from 3000 to 4500; barrier from 4000, on CPU until 4200
    equal([tasks["solve"]["wall"], tasks["solve"]["ns"][1], tasks["solve"]["ns"][2]],
          [3000 * US, 1500 * US, 1500 * US], "solve in the range")
    equal([tasks["barrier"]["wall"], tasks["barrier"]["ns"][1], tasks["barrier"]["ns"][4]],
          [1000 * US, 200 * US, 800 * US], "barrier in the range")
    threads = {thread["tid"]: thread for thread in got["threads"]}
    equal(threads[scene.B]["ns"][1], 2200 * US, "worker-b on CPU in the range")
    browser.keys(Keys.ESCAPE)
    assert "Whole trace" in browser.text("#details"), "Escape does not end the range"


def search_finds(page):
    browser = page.fresh()
    browser.run("annot.setView(0, arguments[0])", 500 * US)
    browser.keys("/")
    browser.keys("INNER")
    equal(browser.text("#search-status"), "1 found", "status")
    browser.keys(Keys.ENTER)
    span = page.span("inner")
    equal(browser.run("annot.selection()"), span["item"], "selection")
    start, end = page.view()
    assert start <= span["start"] and span["end"] <= end, f"{span} is not in {start} to {end}"
    equal(browser.text("#search-status"), "1 of 1", "status")
    browser.run("annot.setView(0, arguments[0])", 10000 * US)
    solve = browser.run("annot.boxes(arguments[0])[0]", page.span("solve")["item"])
    full = rgb(browser.run("annot.colours().names['solve']"))
    assert browser.pixel(solve["left"] + solve["width"] * 0.9, solve["top"] + TEXT_Y) != full, \
        "what was not searched for does not fade"
    browser.keys(Keys.ESCAPE)
    equal(browser.text("#search-status"), "", "status after Escape")
    equal(browser.run("annot.search('worker-b')"), {"spans": 0, "threads": 1}, "threads found")
    equal(browser.run("annot.search('nowhere')"), {"spans": 0, "threads": 0}, "nothing found")
    equal(browser.text("#search-status"), "nothing found", "status")


def next_of_the_same_name(page):
    browser = page.fresh()
    browser.run("annot.select(arguments[0])", page.span("solve")["item"])
    browser.keys("]")
    equal(browser.run("annot.selection()"), page.span("solve")["item"], "the only one is the next")
    browser.run('annot.select(annot.slicesOf(0)[0].item)')
    browser.keys("]")
    got = browser.run("annot.describe(annot.selection())")
    equal(got["facts"]["start"], "0.004\u2009500\u2009000 s", "the thread's next slice")


def arrow_keys(page):
    browser = page.fresh()
    browser.run("annot.select(annot.slicesOf(0)[0].item)")
    browser.keys(Keys.ARROW_RIGHT)
    equal(browser.run("annot.describe(annot.selection()).title"), "stranger 50", "to the right")
    browser.keys(Keys.ARROW_LEFT, Keys.ARROW_DOWN)
    equal(browser.run("annot.describe(annot.selection()).title"), "worker-b 902", "and down")


def groups_open_and_close(page):
    browser = page.fresh()
    others = page.lane("others")
    equal(len(browser.run("annot.lanes()")), 8, "lanes")
    browser.click(60, others["top"] + 10)
    lanes_now = browser.run("annot.lanes()")
    equal(len(lanes_now), 9, "lanes with the others")
    equal(lanes_now[-1]["label"], "stranger", "the other thread")
    browser.click(60, page.lane("cpus")["top"] + 10)
    equal(len(browser.run("annot.lanes()")), 7, "lanes without the CPUs")


def help_overlay(page):
    browser = page.fresh()
    browser.keys("?")
    assert browser.run("document.getElementById('help').open"), "? does not open the help"
    assert "zoom in / out" in browser.text("#help"), browser.text("#help")
    browser.screenshot("help")
    browser.keys(Keys.ESCAPE)
    assert not browser.run("document.getElementById('help').open"), "Escape does not close the help"


def address_keeps_the_view(page):
    browser = page.fresh()
    item = page.span("inner")["item"]
    browser.run("annot.select(arguments[0])", item)
    browser.run("annot.setView(arguments[0], arguments[1])", 1000 * US, 4000 * US)
    browser.wait(500)
    fragment = browser.run("location.hash")
    browser.open(page.path, fragment)
    equal(page.view(), (1000 * US, 4000 * US), f"view of {fragment}")
    equal(browser.run("annot.selection()"), item, f"selection of {fragment}")
    # As annot mcp links to evidence: what is in sight, and the part of it that is marked.
    browser.open(page.path, "#t=1000000-4000000&r=1500000-2500000")
    equal(page.view(), (1000 * US, 4000 * US), "view of a link to evidence")
    browser.run("annot.setView(arguments[0], arguments[1])", 500 * US, 4500 * US)
    browser.wait(500)
    fragment = browser.run("location.hash")
    assert "r=1500000-2500000" in fragment, f"the evidence is not marked: {fragment}"
    for bad in ("#s=span.99.0", "#s=span.0.-1&t=5", "#s=constructor.1", "#t=9-1&r=x"):
        browser.open(page.path, bad)


def resize(page):
    browser = page.fresh()
    try:
        for width, height, ratio in ((900, 500, 1), (1600, 900, 2), (1280, 720, 1)):
            browser.resize(width, height, ratio)
            browser.wait(200)
            canvas = browser.run("""(() => {
                const canvas = document.getElementById("lanes-canvas");
                return [canvas.width, canvas.getBoundingClientRect().width];
            })()""")
            near(canvas[0], canvas[1] * ratio, 1, "pixels of the canvas")
            near(page.x(10000), canvas[1], 1, "the end of the trace")
    finally:
        browser.resize(1280, 720)


def themes(page):
    browser = page.fresh()
    papers = set()
    for scheme in ("dark", "light"):
        browser.prefer(scheme)
        # The page is told in its own time, and draws itself anew without being asked.
        browser.wait(500)
        papers.add(browser.pixel(page.x(9300) + 2, page.lane("cpu 0")["top"] + TEXT_Y))
        browser.screenshot(f"scene-{scheme}")
    equal(len(papers), 2, "colours of the paper")


def file_is_alone(page):
    with open(page.path, encoding="utf-8") as file:
        text = file.read()
    assert "default-src 'none'" in text, "no policy"
    assert text.index("Content-Security-Policy") < text.index("<script"), "the policy comes late"


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="annot-page-") as work:
        trace = os.path.join(work, "scene.dat")
        path = os.path.join(work, "scene.html")
        scene.save(trace)
        subprocess.run([ANNOT, "html", trace, "-o", path], check=True, stdout=subprocess.DEVNULL)
        browser = Browser()
        page = Page(browser, path)
        try:
            for test in (lanes, who_ran, time_is_linear, tasks_are_drawn_on_cpus, idle_is_empty, states_are_drawn, spans_are_drawn,
                         waits_are_hatched, gap_is_drawn, migration_is_drawn,
                         click_tells_the_truth, click_on_a_slice, tooltip, hovered_slice_lights_its_thread, wheel_zooms,
                         keys_zoom_and_pan, drag_pans, shift_drag_selects, search_finds,
                         next_of_the_same_name, arrow_keys, groups_open_and_close, help_overlay,
                         address_keeps_the_view, resize, themes, file_is_alone):
                tap.point(test.__name__.replace("_", " "), test, page)
            browser.finish(tap)
        finally:
            browser.close()
    tap.finish()


if __name__ == "__main__":
    main()
