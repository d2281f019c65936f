#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# NEEDS: synthetic workloads
# BROWSERS: chromium firefox
"""What is painted and told from an overview in buckets, held against the scene (scene.py)."""
import base64
import json
import os
import re
import subprocess
import tempfile

import buckets
import scene
from browser import ANNOT, Browser, Tap, equal, make, near, rgb

US = 1000
TOP = 3	# from a lane's top: above the text
BUSY_SLICES = 30000
MOST_FIRST_BYTES = 131072 * 4 // 3	# in base64
MOST_UNLIKE = 0.2
# To redraw, without a GPU; at best, since a busy machine stops for something else in between.
LIMIT_MS = 100


class Coarse:
    """The scene's page, painted from an overview of so many buckets."""

    def __init__(self, browser, path, nr_buckets):
        self.browser = browser
        browser.open(path)
        self.lanes = {lane["id"]: lane for lane in browser.run("annot.lanes()")}
        self.threads = {thread["tid"]: thread["index"] for thread in browser.run("annot.threads()")}
        self.colours = browser.run("annot.colours()")
        self.tables, self.bucket_ns = buckets.tables(browser, nr_buckets)
        self.nr_buckets = nr_buckets
        self.show()

    def show(self):
        self.browser.run("annot.overview(arguments[0], arguments[1], arguments[2])",
                         self.tables, self.nr_buckets, self.bucket_ns)

    def x(self, us):
        return self.browser.run("annot.xOf(arguments[0])", us * US)

    def pixel(self, lane_id, us, down):
        return self.browser.pixel(self.x(us), self.lanes[lane_id]["top"] + down)

    def thread(self, tid):
        return rgb(self.colours["threads"][self.threads[tid]])

    def theme(self, name):
        return rgb(self.colours["theme"][name])


def same_cpus(browser, path):
    for nr_buckets in (400, 800, 10000):
        page = Coarse(browser, path, nr_buckets)
        for cpu, start, end, tid in scene.SLICES:
            for us in (start + 30, (start + end) / 2, end - 60):
                equal(page.pixel(f"cpu {cpu}", us, TOP), page.thread(tid),
                      f"{nr_buckets} buckets, CPU {cpu} at {us} us")
        for cpu, us in scene.IDLE:
            equal(page.pixel(f"cpu {cpu}", us + 20, TOP), page.theme("paper"),
                  f"{nr_buckets} buckets, CPU {cpu} idle at {us} us")


def same_tasks_on_cpus(browser, path):
    page = Coarse(browser, path, 800)
    names = page.colours["names"]
    down = page.lanes["cpu 1"]["height"] - 6
    for us, name in ((1500, "outer loop"), (2250, "inner"), (3000, "outer loop")):
        equal(page.pixel("cpu 1", us, down), rgb(names[name]), f"the span at {us} us")
    equal(page.pixel("cpu 1", 800, down), page.thread(scene.B), "before any span")


def same_states(browser, path):
    page = Coarse(browser, path, 800)
    for tid, us, state in ((scene.A, 2000, "running"), (scene.A, 4200, "preempted"),
                           (scene.B, 3000, "running"), (scene.B, 5900, "runnable"), (scene.B, 8500, "running")):
        equal(page.pixel(f"thread {page.threads[tid]}", us, 13), page.theme(state), f"{state} at {us} us")
    sleeper = f"thread {page.threads[scene.A]}"
    equal(page.pixel(sleeper, 7050, 13), page.theme("paper"), "sleeping, below its line")
    equal(page.pixel(sleeper, 7050, 8), page.theme("sleeping"), "sleeping, its line")


def same_spans(browser, path):
    page = Coarse(browser, path, 800)
    boxes = {}
    for name, truth in scene.SPANS.items():
        spans = browser.run("annot.spansOf(arguments[0])", page.threads[truth["tid"]])
        item = next(span["item"] for span in spans if span["name"] == name)
        boxes[name] = browser.run("annot.boxes(arguments[0])[0]", item)
    for name in ("solve", "outer loop", "inner"):
        box = boxes[name]
        for part in (0.02, 0.9, 0.97):
            equal(browser.pixel(box["left"] + box["width"] * part, box["top"] + TOP),
                  rgb(page.colours["names"][name]), f"{part} of {name}")
        for outside in (box["left"] - 4, box["left"] + box["width"] + 4):
            equal(browser.pixel(outside, box["top"] + TOP), page.theme("paper"), f"beside {name}")
    box = boxes["barrier"]
    seen = {browser.pixel(box["left"] + box["width"] * 0.6 + i, box["top"] + 8) for i in range(12)}
    assert page.theme("wait") in seen and len(seen) > 2, f"barrier is drawn in {seen}"


def same_counter_and_mark(browser, path):
    page = Coarse(browser, path, 800)
    counter = next(lane for lane in page.lanes if lane.startswith("counter "))
    height = page.lanes[counter]["height"]
    # 4 from 5200 us on, 1 from 5700: the area is full, then a quarter
    equal(page.pixel(counter, 5100, height / 2), page.theme("paper"), "before the first value")
    for us, down in ((5450, height / 2), (8000, height - 7)):
        assert page.pixel(counter, us, down) != page.theme("paper"), f"no area at {us} us"
    equal(page.pixel(counter, 8050, height / 2), page.theme("paper"), "above the area")
    thread = f"thread {page.threads[scene.A]}"
    x = page.x(5000)
    top = page.lanes[thread]["top"] + 20
    assert any(browser.pixel(x + i, top) != page.theme("paper") for i in range(-2, 3)), "no mark"


def nothing_vanishes(browser, path):
    """One bucket of ten that share a pixel: fainter, but there."""
    page = Coarse(browser, path, 10000)
    for table in page.tables:
        if table["kind"] == 20:
            own = table["table"]
            own["busy"] = [255 if i == 5004 else 0 for i in range(10000)]
            own["thread"] = [1 if i == 5004 else 0 for i in range(10000)]
    page.show()
    x = int(page.x(5004))
    seen = [browser.pixel(x + i, page.lanes["cpu 0"]["top"] + TOP) for i in range(-1, 3)]
    assert any(pixel != page.theme("paper") for pixel in seen), f"the bucket vanished: {seen}"


def buckets_are_drawn_as_such(browser, path):
    """Zoomed in, a half busy bucket is a block of one colour."""
    page = Coarse(browser, path, 10)
    browser.run("annot.setView(arguments[0], arguments[1])", 2000 * US, 4000 * US)
    # CPU 1, 4 to 5 ms, is out of sight; CPU 0, 3 to 4 ms, is the stranger's, 2 to 3 ms the worker's
    for us, tid in ((2010, scene.A), (2990, scene.A), (3010, scene.STRANGER), (3990, scene.STRANGER)):
        equal(page.pixel("cpu 0", us, TOP), page.thread(tid), f"{us} us")
    browser.run("annot.setView(arguments[0], arguments[1])", 4000 * US, 5000 * US)
    seen = {page.pixel("cpu 1", us, TOP) for us in range(4010, 5000, 90)}
    equal(len(seen), 1, f"colours of a bucket that is 20 % busy: {seen}")
    assert seen != {page.theme("paper")} and seen != {page.thread(scene.B)}, f"{seen} is not faint"


def minimap_is_the_same(browser, path):
    browser.open(path)
    points = [(us, down) for us in (250, 2000, 3500, 4300, 5000, 8000, 9250, 9800) for down in (12, 34)]

    def look():
        return [browser.pixel(browser.run("annot.xOf(arguments[0])", us * US), 40 + down, "minimap")
                for us, down in points]
    rows = look()
    Coarse(browser, path, 800)
    equal(look(), rows, "pixels of the minimap")


def pointer_is_told(browser, path):
    page = Coarse(browser, path, 10)
    lane = page.lanes["cpu 1"]
    browser.move(page.x(4500), lane["top"] + 5)
    text = browser.text("#tooltip")
    for wanted in ("CPU 1", "ran longest", "worker-b 902", "busy", "20 %"):
        assert wanted in text, f"{wanted!r} is not told of CPU 1: {text}"
    browser.move(page.x(3500), page.lanes[f"thread {page.threads[scene.A]}"]["top"] + 8)
    text = browser.text("#tooltip")
    for wanted in ("worker-a 901", "preempted", "100 %", "solve"):
        assert wanted in text, f"{wanted!r} is not told of the thread: {text}"
    counter = next(lane for lane in page.lanes if lane.startswith("counter "))
    browser.move(page.x(5500), page.lanes[counter]["top"] + 8)
    text = browser.text("#tooltip")
    for wanted in ("depth", "most", "4", "last", "1"):
        assert wanted in text, f"{wanted!r} is not told of the counter: {text}"


def rows_again(browser, path):
    page = Coarse(browser, path, 10)
    browser.run("annot.overview(null)")
    equal(page.pixel("cpu 1", 4100, TOP), page.thread(scene.B), "the slice")
    equal(page.pixel("cpu 1", 4600, TOP), page.theme("paper"), "idle")


def redraws_fast(browser, path):
    browser.resize(1600, 900)
    browser.open(path)
    tables, bucket_ns = buckets.tables(browser, 2048)
    browser.run("annot.overview(arguments[0], arguments[1], arguments[2])", tables, 2048, bucket_ns)
    times = sorted(browser.run("Array.from({length: 21}, () => annot.redraw())"))
    print(f"# redraw from the overview: {times[0]:.1f} ms at best, {times[10]:.1f} ms median")
    assert times[0] <= LIMIT_MS, f"{times[0]} ms"
    near(browser.run("annot.view().end"), bucket_ns * 2048, bucket_ns, "the overview's end")
    browser.screenshot("overview")


def pixels(browser):
    """Of the lanes, right of their labels: (width, [(red, green, blue, alpha)...])."""
    width, data = browser.run("""(() => {
        const canvas = document.getElementById("lanes-canvas");
        const left = Math.ceil(annot.xOf(annot.view().start)) + 1;
        const { data, width } = canvas.getContext("2d").getImageData(left, 0, canvas.width - left, canvas.height);
        let text = "";
        for (let i = 0; i < data.length; i += 4096)
            text += String.fromCharCode(...data.subarray(i, i + 4096));
        return [width, btoa(text)];
    })()""")
    data = base64.b64decode(data)
    return width, [data[i:i + 3] for i in range(0, len(data), 4)]


def head_of(browser):
    return json.loads(browser.run("document.getElementById('annot-head').textContent"))


# What is decoded until the page's script says that it has drawn, and the frame in which that is seen.
WATCH = """
    window.decoded = { before: 0, after: 0 };
    const isDrawn = () => performance.getEntriesByName("annot-drawn").length > 0;
    const watch = (owner, name) => {
        const decode = owner[name];
        if (decode)
            owner[name] = (text) => {
                window.decoded[isDrawn() ? "after" : "before"] += text.length;
                return decode.call(owner, text);
            };
    };
    watch(window, "atob");
    watch(Uint8Array, "fromBase64");
    window.lanesPixels = () => {
        const { width, height } = document.getElementById("lanes-canvas");
        return document.getElementById("lanes-canvas").getContext("2d").getImageData(0, 0, width, height).data;
    };
    const look = () => requestAnimationFrame(() => isDrawn() ? window.firstPixels = window.lanesPixels() : look());
    look();
"""

# Of the first frame's pixels: the shares that are not the same now, and that were paper or are it now.
UNLIKE = """
    const paper = new Uint32Array(Uint8Array.from([...arguments[0], 255]).buffer)[0];
    const now = new Uint32Array(window.lanesPixels().buffer);
    const first = new Uint32Array(window.firstPixels.buffer);
    const share = (isUnlike) => now.filter((pixel, i) => isUnlike(pixel, first[i])).length / now.length;
    return first.length === now.length ?
        [share((a, b) => a !== b), share((a, b) => (a === paper) !== (b === paper))] : [1, 1];
"""


def length_of(page, block):
    """Of its base64."""
    with open(page, encoding="utf-8") as file:
        found = re.search(f'id="{block}">([^<]*)<', file.read())
    return len(found[1]) if found else 0


def draws_before_it_has_all_detail(work):
    """However long the trace is, little is decoded until the first drawing, which shows the same."""
    browser = Browser()
    try:
        browser.limit(whole=0, shown=0, kept=0)
        browser.driver.before_page(WATCH)
        for nr_slices in (30000, 300000):
            page = make(work, "busy", str(nr_slices), "24")
            browser.open(page)
            head, decoded = head_of(browser), browser.run("window.decoded")
            first, fine, rest = (length_of(page, block) for block in ("annot-overview", "annot-overview-fine", "annot-rest"))
            equal(decoded, {"before": first + rest, "after": fine}, f"decoded of {nr_slices} slices")
            assert first <= MOST_FIRST_BYTES < fine, f"overviews of {first} and {fine} bytes"
            drawn = browser.execute_async("const [done] = arguments; annot.ready.then((app) => done(app.pages.overview.buckets));")
            equal(drawn, head["fine_overview"]["buckets"], "buckets drawn in the end")
            changed, unlike = browser.execute(UNLIKE, rgb(browser.run("annot.colours().theme.paper")))
            print(f"# {changed:.1%} of the first frame's pixels change, {unlike:.1%} from or to paper")
            assert changed > 0, "the fine overview is not drawn"
            assert unlike < MOST_UNLIKE, f"{unlike:.1%} of the pixels differ"
    finally:
        browser.close()


def same_as_counted_by_the_converter(browser, other, work):
    """What annot html counts, and what is counted here from the rows, come to the same picture."""
    whole = os.path.join(work, "whole.html")
    os.rename(make(work, "busy", "4000", "1"), whole)
    parts = make(work, "busy", "4000", "24")
    other.limit(whole=0, shown=0, kept=0)
    other.open(parts)
    head = head_of(other)
    head = head["fine_overview"] or head["overview"]
    browser.resize(1280, 720)
    browser.open(whole)
    tables, _ = buckets.tables(browser, head["buckets"], head["bucket_ns"])
    browser.run("annot.overview(arguments[0], arguments[1], arguments[2])", tables, head["buckets"],
                head["bucket_ns"])
    end = browser.run("annot.view().end")
    paper = bytes(rgb(browser.run("annot.colours().theme.paper")))
    for start, length in ((0, end), (end * 0.3, end * 0.2), (end * 0.6, end * 0.01)):
        seen = []
        for one in (browser, other):
            one.run("annot.setView(arguments[0], arguments[1])", start, start + length)
            one.settle()
            seen.append(pixels(one))
        (width, here), (other_width, there) = seen
        equal(other_width, width, "width")
        # Names and processes have colours of their own in each page.
        unlike = sum((one == paper) != (another == paper) for one, another in zip(here, there))
        print(f"# {unlike} of {len(here)} pixels differ in {length / 1e6:.2f} ms")
        assert unlike <= len(here) / 200, f"{unlike} of {len(here)} pixels differ"


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="annot-page-") as work:
        trace = os.path.join(work, "scene.dat")
        path = os.path.join(work, "scene.html")
        scene.save(trace)
        subprocess.run([ANNOT, "html", trace, "-o", path], check=True, stdout=subprocess.DEVNULL)
        busy = make(work, "busy", str(BUSY_SLICES))
        browser, other = Browser(), Browser()
        try:
            for test in (same_cpus, same_tasks_on_cpus, same_states, same_spans, same_counter_and_mark,
                         nothing_vanishes, buckets_are_drawn_as_such, minimap_is_the_same,
                         pointer_is_told, rows_again):
                tap.point(test.__name__.replace("_", " "), test, browser, path)
            tap.point("same as counted by the converter", same_as_counted_by_the_converter, browser, other,
                      work)
            tap.point("draws before it has all detail", draws_before_it_has_all_detail, work)
            tap.point("redraws fast", redraws_fast, browser, busy)
            browser.finish(tap)
        finally:
            browser.close()
            other.close()
    tap.finish()


if __name__ == "__main__":
    main()
