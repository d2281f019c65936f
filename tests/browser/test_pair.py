#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# NEEDS: synthetic
# BROWSERS: chromium firefox
"""The page of two traces (annot diff --page): what is done in one of them happens in the other, too.

Both traces are made: B has a longer third step, other numbers of threads, in another order, and a thread
and a task of its own.
"""
import os
import re
import subprocess
import sys
import tempfile

from browser import ANNOT, NAME, ROOT, Browser, Tap, equal, handle, make, near

US = 1000
START = 100_000_000
STEP_US, BREAK_US, SLOW_US = 400, 300, 1000
SLOW = 2	# the third step of B
HOSTILE = "</script></template><img src=x onerror=\"window.hostile=1\"><!--"
# name, span of each step
A_THREADS = (("prog", "step"), ("red", "paint"), ("blue", "solve"), ("extra", "spare"))
B_THREADS = (("prog", "step"), ("blue", "solve"), ("red", "paint"), ("fresh", HOSTILE))
A_STEPS, B_STEPS = 5, 6
PAGES_OF_PDF = re.compile(rb"/Type\s*/Page\b")
SLICES, WINDOWS, MOST_SHOWN = (4000, 3000), 24, 4000	# of made-up pages that load windows on demand


def length_of(steps, slow):
    return steps * (STEP_US + BREAK_US) + (SLOW_US - STEP_US if slow is not None else 0)


def story(tid, threads, steps, slow):
    """Each thread has a CPU of its own, on which it runs all the time."""
    lines = []
    for cpu, (name, span) in enumerate(threads):
        own = tid + cpu
        lines.append((START, f"{cpu} 0 switch next_pid={own} next_comm={name}"))
        now = START
        for step in range(steps):
            end = now + (SLOW_US if step == slow and not cpu else STEP_US) * US
            lines.append((now + 1, f"{cpu} {own} marker buf='B|{tid}|{span}'"))
            lines.append((end, f"{cpu} {own} marker buf='E|{tid}'"))
            now = end + BREAK_US * US
        lines.append((now, f"{cpu} {own} switch prev_state=1 next_pid=0 prev_comm={name}"))
    return "".join(f"{ns} {rest}\n" for ns, rest in sorted(lines))


def make_page(work):
    traces = [os.path.join(work, name) for name in ("before.dat", "after.dat")]
    for path, lines in zip(traces, (story(100, A_THREADS, A_STEPS, None), story(500, B_THREADS, B_STEPS, SLOW))):
        subprocess.run([sys.executable, os.path.join(ROOT, "tests", "lib", "script_trace.py"), path],
                       input=lines, encoding="utf-8", check=True)
    page = os.path.join(work, "pair.html")
    subprocess.run([ANNOT, "diff", "--page", page, *traces], check=True, stdout=subprocess.DEVNULL)
    return page


def join_pages(page, pages, work):
    """The page of two traces with other pages in place of both."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    at, past = text.index('<template id="page-a">'), text.rindex("</template>")
    inner = []
    for path in pages:
        with open(path, encoding="utf-8") as file:
            inner.append(file.read())
    joined = os.path.join(work, "joined.html")
    with open(joined, "w", encoding="utf-8") as file:
        file.write(text[:at] + '</template><template id="page-b">'.join(
            ['<template id="page-a">' + inner[0], inner[1]]) + text[past:])
    return joined


class Pair:
    """The page, opened anew; side 0 is A."""

    def __init__(self, browser, page, fragment=""):
        self.browser = browser
        browser.driver.get("about:blank")
        browser.driver.get("file://" + page + fragment)
        browser.execute("window.sides = [];")
        for side in range(2):
            self.call("annot.pair.then((pair) => { annot.ready = Promise.resolve(pair.apps[arguments[0]]); })", side)
            browser.execute(handle())
            self.call("annot.ready.then(() => { sides[arguments[0]] = { ...annot }; })", side)
        self.settle()

    def call(self, promise, *arguments):
        said = self.browser.execute_async(
            f"const done = arguments[arguments.length - 1]; ({promise}).then(() => done(''), (e) => done(String(e)));",
            *arguments)
        assert not said, said

    def settle(self):
        self.call("Promise.all(sides.map((side) => side.settled()))")

    def run(self, side, what, *arguments):
        return self.browser.run(f"sides[{side}].{what}", *arguments)

    def do(self, side, what, *arguments):
        self.browser.execute(f"sides[{side}].{what}", *arguments)
        self.settle()

    def view(self, side):
        view = self.run(side, "view()")
        return view["start"], view["end"]

    def threads(self, side):
        return {thread["comm"]: thread["index"] for thread in self.run(side, "threads()")}

    def spans(self, side, comm):
        return self.run(side, f"spansOf({self.threads(side)[comm]})")

    def lanes(self, side):
        return [lane for lane in self.run(side, "lanes()") if lane["kind"] == "thread"]

    def at(self, side, x, y):
        """A point of a frame, in the window."""
        box = self.browser.run("(({ x, y }) => ({ x, y }))"
                               "(document.querySelectorAll('iframe')[arguments[0]].getBoundingClientRect())", side)
        return box["x"] + x, box["y"] + y

    def x_of(self, side, ns):
        return self.run(side, "xOf(arguments[0])", ns)

    def click(self, side, x, y):
        self.browser.click(*self.at(side, x, y))
        self.settle()

    def wheel(self, side, ns, down):
        lane = self.lanes(side)[0]
        self.browser.wheel(*self.at(side, self.x_of(side, ns), lane["top"] + 4), down, "control")
        self.settle()

    def align(self, task, number=1):
        self.browser.execute("""
            const task = document.getElementById("task");
            task.selectedIndex = [...task.options].findIndex(({ text }) => text === arguments[0]);
            task.dispatchEvent(new Event("change"));
            const number = document.getElementById("number");
            number.value = arguments[1];
            number.dispatchEvent(new Event("change"));""", task, number)
        self.settle()

    def press(self, identity):
        self.browser.execute("document.getElementById(arguments[0]).click();", identity)
        self.settle()

    def scroll(self, side, top):
        self.call("annot.pair.then(({ apps }) => { apps[arguments[0]].scroller.scrollTop = arguments[1]; })", side, top)
        self.browser.wait(200)
        self.settle()

    def scrolled(self):
        return self.browser.execute_async("annot.pair.then(({ apps }) => arguments[0](apps.map((app) =>"
                                          "app.scroller.scrollTop)));")

    def fragment(self):
        """Once it is written."""
        self.browser.wait(400)
        return self.browser.run("location.hash")

    def told(self):
        return self.browser.text("#told")

    def selected(self, side):
        return self.run(side, "selection()")

    def follows(self, offset):
        """B's view is A's, so much later."""
        (start, end), other = self.view(0), self.view(1)
        near(other[0], start + offset, 1e-3, "B's begin")
        near(other[1], end + offset, 1e-3, "B's end")
        return start, end


def headline(browser, page):
    Pair(browser, page)
    text = browser.text("#lengths").replace("\n", " ")
    a, b = length_of(A_STEPS, None) / 1000, length_of(B_STEPS, SLOW) / 1000
    for part in ("before.dat", "after.dat", f"{a:.3f} ms", f"{b:.3f} ms", f"+{b - a:.3f} ms, +{100 * (b - a) / a:.0f} %"):
        assert part in text, f"{part!r} is not in {text!r}"


def begins_with_all(browser, page):
    pair = Pair(browser, page)
    start, end = pair.follows(0)
    equal((start, end), (0, length_of(B_STEPS, SLOW) * US), "what is in sight")
    # Where A has ended, there is none of it: the view is the longer one's all the same.
    near(pair.x_of(0, 1e6), pair.x_of(1, 1e6), 0.01, "the same time")


def zoom_follows(browser, page):
    pair = Pair(browser, page)
    for side, down in ((0, -600), (1, -300), (0, 200)):
        before = pair.view(0)
        pair.wheel(side, 1_200_000, down)
        now = pair.follows(0)
        assert now != before, "the wheel does nothing"
    pair.wheel(0, 1_200_000, 20000)
    equal(pair.follows(0), (0, length_of(B_STEPS, SLOW) * US), "far out")


def drag_follows(browser, page):
    pair = Pair(browser, page)
    pair.do(0, "setView(1000000, 2000000)")
    y = pair.lanes(1)[0]["top"] + 4
    from_x, to_x = pair.x_of(1, 1_500_000), pair.x_of(1, 1_300_000)
    browser.drag(*pair.at(1, from_x, y), *pair.at(1, to_x, y))
    pair.settle()
    near(pair.follows(0)[0], 1_200_000, 5000, "A, after B was dragged")


def aligned_by_instance(browser, page):
    pair = Pair(browser, page)
    pair.align("step", 4)
    begins = [pair.spans(side, "prog")[3]["start"] for side in range(2)]
    offset = (SLOW_US - STEP_US) * US
    equal(begins[1] - begins[0], offset, "the fourth begins later in B")
    near(pair.x_of(1, begins[1]), pair.x_of(0, begins[0]), 1, "x of both begins")
    pair.follows(offset)
    for side, down in ((0, -500), (1, -500), (0, 300)):
        pair.wheel(side, begins[side], down)
        pair.follows(offset)
        near(pair.x_of(1, begins[1]), pair.x_of(0, begins[0]), 1, "x of both begins, zoomed")
    equal(browser.text("#count"), f"of {A_STEPS}", "instances that both have")
    pair.press("last-instance")
    near(pair.follows(0)[0], pair.view(1)[0], 1e-3, "the third begins at the same time")
    assert pair.told().startswith("step 3: 400.0 µs in A, 1.000 ms in B: +600.0 µs, +150 %"), pair.told()
    pair.align("step", 99)
    equal(browser.run("document.getElementById('number').value"), str(A_STEPS), "no further than both have")
    assert browser.run("document.getElementById('next-instance').disabled"), "there is no next one"


def clamping_keeps_the_offset(browser, page):
    pair = Pair(browser, page)
    pair.align("step", 4)
    offset = (SLOW_US - STEP_US) * US
    for side, view in ((0, (-1e9, -1e9 + 500_000)), (1, (1e9, 1e9 + 500_000)), (1, (-1e9, 1e9)), (0, (0, 1))):
        pair.do(side, "setView(arguments[0], arguments[1])", *view)
        pair.follows(offset)
    pair.do(1, "setView(-1e9, -1e9 + 500000)")
    equal(pair.view(1)[0], 0, "B's begin comes before A's here")
    near(pair.view(0)[0], -offset, 1e-3, "A, before its begin")


def thread_follows(browser, page):
    pair = Pair(browser, page)
    red = next(lane for lane in pair.lanes(0) if lane["label"] == "red")
    pair.click(0, 40, red["top"] + 6)
    equal(pair.selected(0), f"thread.{pair.threads(0)['red']}", "A")
    equal(pair.selected(1), f"thread.{pair.threads(1)['red']}", "B")
    assert pair.threads(0)["red"] != pair.threads(1)["red"], "the numbers are the same: nothing is tested"
    pair.do(1, "select(arguments[0])", f"thread.{pair.threads(1)['fresh']}")
    equal((pair.selected(0), pair.told()), (None, "fresh is only in B"), "a thread of one side")
    # What a CPU did is the thread's that ran there; what nobody did has no counterpart.
    pair.do(0, "select(arguments[0])", pair.run(0, "slicesOf(2)")[0]["item"])
    equal(pair.selected(1), f"thread.{pair.threads(1)['blue']}", "by a slice of a CPU")
    pair.do(0, "select(null)")
    equal((pair.selected(1), pair.told()), (None, ""), "nothing")


def instance_follows(browser, page):
    pair = Pair(browser, page)
    pair.do(1, "select(arguments[0])", pair.spans(1, "blue")[1]["item"])
    equal(pair.selected(0), pair.spans(0, "blue")[1]["item"], "the second solve")
    assert pair.told().startswith("solve 2: 400.0 µs in A, 400.0 µs in B: no difference"), pair.told()
    pair.press("align-selected")
    equal(browser.run("document.getElementById('task').selectedOptions[0].text"), "solve", "the task by it")
    equal(browser.run("document.getElementById('number').value"), "2", "its number")
    pair.do(1, "select(arguments[0])", pair.spans(1, "prog")[5]["item"])
    equal((pair.selected(0), pair.told()), (None, f"step 6: A has {A_STEPS} instances"), "one that A does not have")
    pair.do(0, "select(arguments[0])", pair.spans(0, "extra")[0]["item"])
    equal((pair.selected(1), pair.told()), (None, "spare is only in A"), "a task that B does not have")
    assert browser.run("document.getElementById('align-selected').disabled"), "there is nothing to align by"


def lanes_by_name(browser, page):
    pair = Pair(browser, page)
    equal([[lane["label"] for lane in pair.lanes(side)] for side in range(2)],
          [["prog", "red", "blue", "extra"], ["prog", "red", "blue", "fresh"]], "the lanes")
    equal(browser.run("[...document.querySelectorAll('#lonely details')].map((one) => one.textContent)"),
          ["Only in A: 1 threadextra 103", "Only in B: 1 threadfresh 503"], "who is alone")
    notes = browser.execute_async("annot.pair.then((pair) => arguments[0](pair.apps.map(({ lanes }) =>"
                                  "lanes.lanes.filter((lane) => lane.thread).map(({ note }) => note))));")
    equal(notes, [["100", "101", "102", "only in A"], ["500", "502", "501", "only in B"]], "what the labels say")
    browser.execute("document.querySelector('#lonely [data-side=B] button').click();")
    pair.settle()
    equal(pair.selected(1), f"thread.{pair.threads(1)['fresh']}", "chosen in the list")


def colours_are_the_same(browser, page):
    pair = Pair(browser, page)
    a, b = (pair.run(side, "colours()") for side in range(2))
    for name in ("step", "paint", "solve"):
        equal(b["names"][name], a["names"][name], name)
    for comm in ("prog", "red", "blue"):
        equal(*(colours["threads"][pair.threads(side)[comm]] for side, colours in ((1, b), (0, a))), comm)


def lanes_follow(browser, page):
    pair = Pair(browser, page)
    heights = [lane["height"] for lane in pair.lanes(1)]
    browser.execute("document.querySelector('iframe').contentDocument.getElementById('compact').click();")
    pair.settle()
    compact = [lane["height"] for lane in pair.lanes(1)]
    assert all(now < before for now, before in zip(compact, heights)), (heights, compact)
    browser.execute("""
        const filter = document.querySelector("iframe").contentDocument.getElementById("filter");
        filter.value = "red";
        filter.dispatchEvent(new Event("input"));""")
    pair.settle()
    equal([lane["label"] for lane in pair.lanes(1)], ["red"], "the filter")


def crosshair_and_range_follow(browser, page):
    pair = Pair(browser, page)
    pair.align("step", 4)
    offset = (SLOW_US - STEP_US) * US
    browser.move(*pair.at(0, pair.x_of(0, 2_200_000), pair.lanes(0)[0]["top"] + 4))
    state = "annot.pair.then(({ apps }) => arguments[0](apps.map(({ crosshair, range }) => ({ crosshair, range }))));"
    a, b = browser.execute_async(state)
    near(b["crosshair"] - a["crosshair"], offset, 1e-3, "the crosshair")
    pair.do(0, "selectRange(2100000, 2300000)")
    equal(browser.execute_async(state)[1]["range"], {"start": 2_100_000 + offset, "end": 2_300_000 + offset}, "the range")


def scrolling_follows(browser, page):
    browser.resize(1280, 420)
    pair = Pair(browser, page)
    for side, top in ((0, 60), (1, 30), (0, 30), (0, 45), (1, 60), (1, 0)):
        pair.scroll(side, top)
        equal(pair.scrolled(), [top, top], f"after {'AB'[side]} was scrolled to {top}")
        red = [next(lane["top"] for lane in pair.lanes(own) if lane["label"] == "red") for own in range(2)]
        equal(red[0], red[1], "where the lanes of one thread are")
    # What only one has stands last, and is as high: far down is far down in both.
    pair.scroll(0, 10000)
    equal(*pair.scrolled(), "far down")
    browser.resize(1280, 720)


def address_keeps_all(browser, page):
    pair = Pair(browser, page)
    equal(pair.fragment(), "", "the address at first")
    pair.align("step", 4)
    pair.do(1, "setView(2000000, 3500000)")
    pair.do(0, "select(arguments[0])", pair.spans(0, "red")[1]["item"])
    offset = (SLOW_US - STEP_US) * US
    views = [pair.view(side) for side in range(2)]
    again = Pair(browser, page, pair.fragment())
    again.follows(offset)
    for side in range(2):
        near(again.view(side)[0], views[side][0], 1, "begin of the view")
        near(again.view(side)[1], views[side][1], 1, "end of the view")
        equal(again.selected(side), again.spans(side, "red")[1]["item"], "what is selected")
    equal(browser.run("['task', 'number'].map((id) => document.getElementById(id).value)"), ["0\0step", "4"], "aligned by")
    browser.execute("location.hash = '';")
    browser.wait(100)
    again.settle()
    equal(again.follows(0), (0, length_of(B_STEPS, SLOW) * US), "after the address was emptied")
    equal((again.selected(0), again.selected(1)), (None, None), "selected")
    before_a = Pair(browser, page, "#t=-500000-1000000&a=0%00step&n=4")
    equal(before_a.follows(offset)[0], -500000, "A, before its begin")
    unknown = Pair(browser, page, "#a=0%00nothing&n=4")
    equal(unknown.follows(0), (0, length_of(B_STEPS, SLOW) * US), "a task that is in neither")


def hostile_name(browser, page):
    pair = Pair(browser, page)
    equal(pair.spans(1, "fresh")[0]["name"], HOSTILE, "a span's name")
    pair.do(1, "select(arguments[0])", pair.spans(1, "fresh")[0]["item"])
    equal(pair.told(), f"{HOSTILE} is only in B", "what is told of it")
    equal(browser.run("[window, window[0], window[1]].map((frame) => frame.hostile ?? null)"), [None] * 3, "what ran")
    equal(browser.run("document.querySelectorAll('img, template').length"), 0, "elements")


def controls_are_named(browser, page):
    Pair(browser, page)
    nameless = browser.run("""[...document.querySelectorAll("button, select, input, iframe")].filter((one) =>
        !one.textContent.trim() && !one.getAttribute("aria-label") && !one.title && !one.labels?.length)
        .map((one) => one.outerHTML)""")
    equal(nameless, [], "controls without a name")


def fits(browser, page):
    """Half each, and lanes to be seen in both, at all sizes."""
    for width in (800, 1600):
        browser.resize(width, 900)
        for scheme in ("light", "dark"):
            browser.prefer(scheme)
            pair = Pair(browser, page)
            pair.align("step", 3)
            heights = browser.run("[...document.querySelectorAll('iframe')].map((one) => one.clientHeight)")
            near(heights[0], heights[1], 2, "their heights")
            rooms = browser.execute_async("annot.pair.then(({ apps }) => arguments[0](apps.map((app) =>"
                                          "[app.height, app.laneWidth()])));")
            assert min(height for height, _ in rooms) > 150, rooms
            equal(rooms[0][1], rooms[1][1], "width of the lanes")
            equal(browser.run("[window, window[0], window[1]].filter(({ document }) =>"
                              "document.documentElement.scrollWidth > document.documentElement.clientWidth).length"),
                  0, "wider than the window")
            browser.screenshot(f"pair-{width}-{scheme}")
    browser.resize(1280, 720)
    browser.prefer("light")


def on_paper(browser, page):
    """A trace a page, with all of its details, and nothing to press."""
    browser.resize(1047, 718)	# A4 without its margins
    pair = Pair(browser, page)
    pair.align("step", 3)
    browser.prefer("light", "print")
    try:
        cut = browser.run("""[window[0], window[1]].map(({ document: { body, documentElement: root } }) =>
            [body.scrollHeight > root.clientHeight, document.querySelector("iframe").clientHeight > 718])""")
        equal(cut, [[False, False]] * 2, "what is cut off")
        shown = browser.run("[...document.querySelectorAll('button')].filter((one) => one.getClientRects().length).length")
        equal(shown, 0, "buttons")
    finally:
        browser.prefer("light")
    equal(len(PAGES_OF_PDF.findall(browser.print_pdf())), 2, "pages")
    browser.resize(1280, 720)


def windows_on_demand(browser, page):
    """Instances are found and shown wherever they are, also beyond what is loaded."""
    pair = Pair(browser, page)
    read, wanted = browser.execute_async("""annot.pair.then(({ tasks, apps }) => arguments[0]([
        tasks.map((own) => [...own.values()].reduce((sum, { instances }) => sum + instances.length, 0)),
        apps.map(({ store }) => store.counts().spans)]));""")
    equal(read, wanted, "instances, also those that cross cuts")
    for number in (3, 400, 40):
        browser.execute("document.getElementById('task').selectedIndex = 1;")
        name = browser.run("document.getElementById('task').selectedOptions[0].text")
        pair.align(name, number)
        pair.settle()
        begins = []
        for side in range(2):
            loaded = pair.run(side, "loaded()")
            assert loaded["past"] - loaded["first"] < WINDOWS, f"all is loaded: {loaded}"
            told = pair.browser.execute_async(
                f"sides[{side}].describeFar(arguments[0]).then(arguments[1]);", pair.selected(side))
            # Behind the name there may be a value.
            equal(told["title"].split()[0], name, "what is selected")
            begins.append(int(pair.selected(side).split("@")[1].split(".")[0]))
        near(pair.x_of(1, begins[1]), pair.x_of(0, begins[0]), 1, "x of both begins")
        pair.follows(begins[1] - begins[0])
        pair.do(1, "setView(arguments[0] - 10000, arguments[0] + 10000)", begins[1])
        pair.follows(begins[1] - begins[0])
        for side in range(2):
            assert pair.run(side, "loaded().isThere"), f"what is in sight of {side} is not loaded"
            equal([box["lane"].split()[0] for box in pair.run(side, "boxes(arguments[0])", pair.selected(side))],
                  ["thread"], "where it is drawn")
    browser.execute("document.getElementById('task').selectedIndex = 0;"
                    "document.getElementById('task').dispatchEvent(new Event('change'));")
    pair.settle()
    pair.follows(0)


TESTS = [headline, begins_with_all, zoom_follows, drag_follows, aligned_by_instance, clamping_keeps_the_offset,
         thread_follows, instance_follows, lanes_by_name, colours_are_the_same, lanes_follow, crosshair_and_range_follow, scrolling_follows,
         address_keeps_all, hostile_name,
         controls_are_named, fits, on_paper]


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="annot-pair-") as work:
        page = make_page(work)
        browser = Browser()
        try:
            for test in TESTS:
                if NAME == "firefox" and test is on_paper:
                    continue	# it has no media to choose
                tap.point(test.__name__.replace("_", " "), test, browser, page)
            pages = []
            for slices in SLICES:
                pages.append(os.path.join(work, f"{slices}.html"))
                os.rename(make(work, "busy", str(slices), str(WINDOWS)), pages[-1])
            browser.limit(whole=0, shown=MOST_SHOWN, kept=2 * MOST_SHOWN)
            tap.point("windows on demand", windows_on_demand, browser, join_pages(page, pages, work))
            browser.finish(tap)
        finally:
            browser.close()
    tap.finish()


if __name__ == "__main__":
    main()
