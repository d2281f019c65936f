#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# NEEDS: synthetic workloads
# BROWSERS: chromium firefox
"""A page that loads windows of its trace on demand tells the same as one that has it as a whole.

The same made-up model is written in one window and in many. Of the latter, a browser that may load
no more than a few at a time must come to the same rows, descriptions, statistics and hits.
"""
import os
import re
import tempfile

from selenium.webdriver.common.keys import Keys

from browser import Browser, Tap, equal, make, near

SLICES = 4000
WINDOWS = 24
MOST_SHOWN = 4000	# rows; the model has some thirty thousand
THREADS_LOOKED_AT = 9

ROWS = """({
        slices: annot.lanes().filter((lane) => lane.kind === "cpu")
            .map((lane) => annot.slicesOf(Number(lane.id.slice(4)))),
        states: annot.threads().map((thread) => annot.statesOf(thread.index)),
        spans: annot.threads().map((thread) => annot.spansOf(thread.index)),
        marks: annot.threads().map((thread) => annot.marksOf(thread.index)),
    })
"""


class Both:
    """A page of one window, and of many."""

    def __init__(self, whole, parts, work, *what):
        self.whole = whole
        self.parts = parts
        self.paths = [make(work, *what, "1"), None]
        with open(self.paths[0], "rb") as file:
            kept = file.read()
        self.paths[1] = make(work, *what, str(WINDOWS))
        self.paths[0] = self.paths[1].replace(".html", "-whole.html")
        with open(self.paths[0], "wb") as file:
            file.write(kept)
        self.fresh()
        self.rows = whole.run(ROWS)
        self.end = int(whole.run("annot.view().end"))

    def at(self, share):
        return int(self.end * share)

    def fresh(self, fragment=""):
        self.whole.open(self.paths[0])
        self.parts.open(self.paths[1], fragment)
        return self.parts

    def show(self, start, end):
        self.parts.run("annot.setView(arguments[0], arguments[1])", start, end)
        self.parts.settle()

    def describe(self, text):
        return (self.whole.run("annot.describe(arguments[0])", text),
                self.parts.run("annot.describeFar(arguments[0])", text))


def within(rows, start, end):
    """What is to be seen of rows, without what depends on how many are loaded."""
    return [[{key: value for key, value in row.items() if key != "item"} for row in owner
             if row["start"] <= end and row.get("end", row["start"]) >= start] for owner in rows]


def nothing_at_first(both):
    parts = both.fresh()
    loaded = parts.run("annot.loaded()")
    equal(loaded["past"] - loaded["first"], 0, "windows loaded when all is in sight")
    equal(len(parts.run("annot.windows().start")), WINDOWS, "windows")
    counts = [browser.run("annot.counts()") for browser in (both.whole, parts)]
    equal(counts[1], counts[0], "counts")
    lanes = [[{key: lane[key] for key in ("id", "label", "top", "height")} for lane in browser.run("annot.lanes()")]
             for browser in (both.whole, parts)]
    equal(lanes[1], lanes[0], "lanes")


def same_rows(both):
    both.fresh()
    for start, share in ((0.5, 1e-4), (0.31, 0.01), (0.62, 0.05), (0, 0.04), (0.97, 0.03), (0.2, 0.1)):
        start, end = both.at(start), both.at(start + share)
        both.show(start, end)
        loaded = both.parts.run("annot.loaded()")
        assert loaded["isThere"], f"{start} to {end} is not loaded: {loaded}"
        assert loaded["past"] - loaded["first"] < WINDOWS, f"all is loaded: {loaded}"
        got = both.parts.run(ROWS)
        for what, rows in both.rows.items():
            for owner, (mine, wanted) in enumerate(zip(within(got[what], start, end), within(rows, start, end))):
                equal(mine, wanted, f"{what} of {owner} from {start} to {end}")


def cuts(both):
    """Rows that cross a cut, or begin at one."""
    both.fresh()
    for cut in both.parts.run("annot.windows().start")[1::5]:
        both.show(cut - 20000, cut + 20000)
        got = both.parts.run(ROWS)
        for what, rows in both.rows.items():
            equal(within(got[what], cut - 20000, cut + 20000), within(rows, cut - 20000, cut + 20000),
                  f"{what} around {cut}")


def texts_of(both):
    """Items, by time, from everywhere in the trace."""
    for cpu, slices in enumerate(both.rows["slices"]):
        for row in slices[::len(slices) // 5 or 1]:
            yield f"slice.{cpu}@{row['start']:.0f}"
    for thread in range(0, len(both.rows["states"]), len(both.rows["states"]) // THREADS_LOOKED_AT or 1):
        states, spans, marks = (both.rows[what][thread] for what in ("states", "spans", "marks"))
        yield f"thread.{thread}"
        for row in states[:2] + states[2::len(states) // 4 or 1]:
            yield f"state.{thread}@{row['start']:.0f}"
        for row in sorted(spans, key=lambda span: span["start"] - span["end"])[:3] + spans[::len(spans) // 4 or 1]:
            yield f"span.{thread}@{row['start']:.0f}.{row['depth']}"
        for row in marks[::len(marks) // 2 or 1]:
            yield f"mark.{thread}@{row['start']:.0f}"


def same_descriptions(both):
    both.fresh()
    seen = 0
    for text in texts_of(both):
        whole, parts = both.describe(text)
        equal(parts, whole, text)
        seen += 1
    assert seen > 50, f"{seen} items"


def same_statistics(both):
    both.fresh()
    starts = both.parts.run("annot.windows().start")
    for start, end in ((0, both.end), (both.at(0.1), both.at(0.73)), (starts[3], starts[9]),
                       (both.at(0.5), both.at(0.5) + 1000), (starts[5] - 1, starts[5] + 1)):
        whole = both.whole.run("annot.range(arguments[0], arguments[1])", start, end)
        parts = both.parts.run("annot.rangeFar(arguments[0], arguments[1])", start, end)
        for task in whole["tasks"] + parts["tasks"]:
            task.pop("longest")	# its text is by row in one and by time in the other
        for what, rows in whole.items():
            equal(sorted(map(str, parts[what])), sorted(map(str, rows)), f"{what} from {start} to {end}")


def head_is_true(both):
    """What the head tells of threads and names is what there is of them."""
    told = both.whole.run("annot.range(0, arguments[0])", both.end)
    threads = {thread["tid"]: thread for thread in told["threads"]}
    for index, thread in enumerate(both.parts.run("annot.threads()")):
        if thread["tid"] not in threads:
            continue
        wanted = threads[thread["tid"]]
        got = both.parts.run("annot.describeFar(arguments[0])", f"thread.{index}")
        equal(got["ns"], wanted["ns"], f"times of {thread['tid']}")
        equal(got["facts"]["migrations"], f"{wanted['migrations']:,}", f"migrations of {thread['tid']}")
        assert got["facts"]["switched out"].startswith(f"{wanted['switches']:,} ×"), got["facts"]
        equal(got["facts"]["spans"], f"{len(both.rows['spans'][index]):,}", f"spans of {thread['tid']}")
    both.parts.run("annot.select(null)")
    shown = both.parts.text("#details")
    for task in told["tasks"]:
        assert f"{task['name']}\t{task['count']:,}" in shown, f"{task['name']} is not in the panel: {shown}"


def panel_shows_them(both):
    parts = both.fresh()
    both.whole.run("annot.range(arguments[0], arguments[1])", 0, both.end)
    parts.run("annot.selectRange(arguments[0], arguments[1])", 0, both.end)
    parts.settle()
    equal(parts.text("#details"), both.whole.text("#details"), "the panel of the whole range")
    text = max(texts_of(both), key=lambda text: text.startswith("span"))
    for browser in (both.whole, parts):
        browser.run("annot.select(arguments[0])", text)
        browser.settle()
    shown = parts.text("#details .facts")
    equal(shown, both.whole.text("#details .facts"), f"the panel of {text}")


def search_goes_round(both):
    both.fresh()
    wanted = "exchange"
    found = [browser.run("annot.search(arguments[0])", wanted) for browser in (both.whole, both.parts)]
    equal(found[1], found[0], "found")
    hits = sorted((span["start"], thread) for thread, spans in enumerate(both.rows["spans"])
                  for span in spans if span["name"] == wanted)
    equal(len(hits), found[0]["spans"], "spans of that name")
    for step, order in ((1, hits), (-1, hits[::-1])):
        both.parts.run("annot.select(null)")
        both.show(0, both.end)
        seen = []
        for _ in range(12):
            both.parts.run("annot.searchStep(arguments[0])", step)
            both.parts.settle()
            seen.append(both.parts.run("annot.selection()"))
        places = [tuple(int(part) for part in text.replace("span.", "").split(".")[0].split("@")) for text in seen]
        equal([(ns, thread) for thread, ns in places], [(int(ns), thread) for ns, thread in order[:12]],
              f"hits, step {step}")
        assert both.parts.run("annot.describe(annot.selection()).title").startswith(wanted), "the hit is not loaded"
    both.parts.run("annot.searchStep(1)")	# back
    last = hits[-1]
    both.parts.run("annot.select(arguments[0])", f"span.{last[1]}@{last[0]:.0f}."
                   + str(next(span["depth"] for span in both.rows["spans"][last[1]] if span["start"] == last[0])))
    both.parts.settle()
    both.parts.run("annot.searchStep(1)")
    both.parts.settle()
    assert f"@{hits[0][0]:.0f}." in both.parts.run("annot.selection()"), "the last hit's next is not the first"


def walk(both, text, key, times):
    """The items that a key leads to, by their starts."""
    starts = []
    for browser in (both.whole, both.parts):
        browser.run("annot.select(arguments[0])", text)
        browser.settle()
        seen = []
        for _ in range(times):
            browser.keys(key)
            told = browser.run("annot.describeFar(annot.selection())")
            seen.append((told["title"], told["facts"].get("start") or told["facts"].get("time")))
        starts.append(seen)
    equal(starts[1], starts[0], f"{key!r} from {text}")


def neighbours(both):
    both.fresh()
    cpu = both.rows["slices"][0]
    rare = min((thread for thread in both.rows["states"] if len(thread) > 8), key=len)
    thread = both.rows["states"].index(rare)
    spans = both.rows["spans"][0]
    for key in (Keys.ARROW_RIGHT, Keys.ARROW_LEFT, "]", "["):
        walk(both, f"slice.0@{cpu[len(cpu) // 2]['start']:.0f}", key, 8)
        walk(both, f"state.{thread}@{rare[len(rare) // 2]['start']:.0f}", key, 4)
        walk(both, f"span.0@{spans[len(spans) // 2]['start']:.0f}.{spans[len(spans) // 2]['depth']}", key, 6)
    walk(both, f"slice.0@{cpu[0]['start']:.0f}", Keys.ARROW_LEFT, 2)
    walk(both, f"slice.0@{cpu[-1]['start']:.0f}", Keys.ARROW_RIGHT, 2)


def selection_survives(both):
    parts = both.fresh()
    cpu = both.rows["slices"][1]
    text = f"slice.1@{cpu[len(cpu) // 3]['start']:.0f}"
    parts.run("annot.select(arguments[0])", text)
    parts.settle()
    shown = parts.text("#details .facts")
    both.show(both.at(0.8), both.at(0.81))
    equal(parts.run("annot.selection()"), text, "selection after a look elsewhere")
    equal(parts.text("#details .facts"), shown, "its description")
    parts.keys("f")
    parts.settle()
    box = parts.run("annot.boxes(arguments[0])[0]", text)
    assert box["width"] > 50, f"zoomed to {text}: {box}"


def links(both):
    parts = both.fresh()
    cpu = both.rows["slices"][2]
    text = f"slice.2@{cpu[-len(cpu) // 4]['start']:.0f}"
    start, end = both.at(0.4), both.at(0.42)
    parts.run("annot.select(arguments[0])", text)
    parts.settle()
    both.show(start, end)
    parts.wait(500)
    fragment = parts.run("location.hash")
    shown = parts.text("#details .facts")
    parts.open(both.paths[1], fragment)
    equal(parts.run("annot.selection()"), text, f"selection of {fragment}")
    near(parts.run("annot.view().start"), start, 1, "view")
    equal(parts.text("#details .facts"), shown, f"details of {fragment}")
    assert parts.run("annot.loaded().isThere"), "what is in sight is not loaded"
    whole = both.whole.run("annot.range(arguments[0], arguments[1])", 0, both.end)
    parts.open(both.paths[1], f"#r=0-{both.end:.0f}&q=exchange")
    assert whole["tasks"][0]["name"] in parts.text("#details"), "the range of a link is not told"
    assert "found" in parts.text("#search-status"), parts.text("#search-status")
    for bad in ("#s=slice.0@1", "#s=span.0.5", "#s=slice.99@5", "#s=thread.999", "#t=5-1&s=mark.0@7"):
        parts.open(both.paths[1], bad)
        equal(parts.run("annot.selection()"), None, f"selection of {bad}")


def memory_is_bounded(both):
    parts = both.fresh()
    rows = parts.run("annot.windows().rows")
    for place in range(0, 100, 7):
        both.show(both.at(place / 100), both.at((place + 1) / 100))
        kept = sum(rows[window] for window in parts.run("annot.loaded().kept"))
        assert kept <= 2 * MOST_SHOWN, f"{kept} rows are kept"


def measured(both):
    both.fresh()
    for owners, index in (("threads", 0), ("cpus", 0)):
        for text in ("thread.0", f"span.0@{2e6:.0f}.0", f"span.0@{6e6:.0f}.0", "slice.0@0", "sample@2005000"):
            whole, parts = both.describe(text)
            equal(parts, whole, text)
        both.show(7e6, 8e6)
        got = [browser.run("annot.pmu(...arguments)", owners, index, 7.1e6, 7.9e6)
               for browser in (both.whole, both.parts)]
        equal(got[1], got[0], f"amounts of {owners} {index}")


def left_out(both, work):
    """A page that may take no more than half of what its windows take has some of them, and says which."""
    parts = both.parts
    with open(both.paths[1], encoding="utf-8") as file:
        page = file.read()
    most = len(page.encode()) - sum(map(len, re.findall(r'id="annot-block-[^<]*', page))) // 2
    small = make(work, "busy", str(SLICES), str(WINDOWS), str(most))
    near(os.path.getsize(small), most, 0.05 * most, "bytes of the page")
    equal(os.path.getsize(small) <= most, True, "no more than the most")
    parts.open(small)
    start, missing = parts.run("annot.windows().start"), parts.run("annot.windows().leftOut")
    equal(WINDOWS // 4 < len(missing) < WINDOWS * 3 // 4, True, f"windows left out: {missing}")
    warning = parts.run("document.getElementById('warnings').textContent")
    equal(f"Detail left out in {len(missing)} of {WINDOWS} windows" in warning, True, warning)
    for window in (missing[0], next(one for one in range(WINDOWS) if one not in missing)):
        middle = int((start[window] + (start + [both.end])[window + 1]) / 2)
        parts.run("annot.setView(arguments[0], arguments[1])", middle, middle + 500000)
        parts.settle()
        equal(parts.run("annot.loaded().isThere"), window not in missing, f"detail of window {window}")
        parts.run("annot.selectRange(arguments[0], arguments[1])", middle, middle + 500000)
        parts.settle()
        details = parts.run("document.getElementById('details').textContent")
        equal("has only an overview" in details, window in missing, details)
        if window not in missing:
            got, wanted = [within(browser.run(ROWS)["slices"], middle, middle + 500000)
                           for browser in (parts, both.whole)]
            equal(got, wanted, "slices")


def main():
    tap = Tap()
    whole, parts = Browser(), Browser()
    parts.limit(whole=0, shown=MOST_SHOWN, kept=2 * MOST_SHOWN)
    try:
        with tempfile.TemporaryDirectory(prefix="annot-page-") as work:
            both = Both(whole, parts, work, "busy", str(SLICES))
            for test in (nothing_at_first, same_rows, cuts, same_descriptions, same_statistics, head_is_true,
                         panel_shows_them, search_goes_round, neighbours, selection_survives, links, memory_is_bounded):
                tap.point(test.__name__.replace("_", " "), test, both)
            parts.screenshot("windows")
            tap.point("left out", left_out, both, work)
            tap.point("measured", measured, Both(whole, parts, work, "misses", "0"))
        for browser in (whole, parts):
            browser.finish(tap)
    finally:
        whole.close()
        parts.close()
    tap.finish()


if __name__ == "__main__":
    main()
