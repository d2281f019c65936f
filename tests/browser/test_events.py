#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# NEEDS: synthetic
# BROWSERS: chromium firefox
"""Events of any kind: ticks on the lanes, search, and the list, held against the script of the trace."""
import os
import subprocess
import tempfile

from selenium.webdriver.common.keys import Keys

from browser import ANNOT, ROOT, Browser, Tap, equal, make, near, rgb

SCRIPT_TRACE = os.path.join(ROOT, "tests", "lib", "script_trace.py")
US = 1000
START = 1000	# ns
LENGTH_US = 4000
HOSTILE = b'<img src=x onerror="window.hostile=1"> \'q\' \x07\x1b[31m \xff\xc3( \xc3\xa4 </script>'
# What a terminal obeys is a blank; what is no character is U+FFFD.
HOSTILE_SHOWN = '<img src=x onerror="window.hostile=1"> \'q\'   [31m \ufffd\ufffd( \u00e4 </script>'
SYNTHETIC_SLICES, WINDOWS, MOST_SHOWN = 4000, 24, 9000
MANY_SLICES = 130000	# twice as many rows are more than fit into a scroller without a scale


class Truth:
    """Events, in the order of the trace: (us, cpu, thread, name, text)."""

    def __init__(self):
        self.events = []
        for us in range(1, LENGTH_US, 4):
            self.events.append((us, 0, "prog 100", "probe:probe_count", f"count={us}"))
            if us % 40 == 1:
                self.events.append((us, 1, "helper 200", "probe:probe_text", f"count={-us} name=text{us}"))
        self.events.append((LENGTH_US - 1, 1, "helper 200", "other:other_thing", "address=0xffffffff81234567"))

    def lines(self):
        yield "1000 0 0 switch next_pid=100 next_comm=prog"
        yield "1000 1 0 switch next_pid=200 next_comm=helper"
        for us, cpu, thread, name, text in self.events:
            yield f"{START + us * US} {cpu} {thread.split()[1]} {name} {text}"
        yield f"{START + LENGTH_US * US} 0 100 switch next_pid=0 next_comm=idle"
        yield f"{START + LENGTH_US * US} 1 200 switch next_pid=0 next_comm=idle"

    def rows(self, fits=lambda *event: True):
        return [event for event in self.events if fits(*event)]


def page_of(work, name, lines, *options):
    trace, page = (os.path.join(work, name + ending) for ending in (".dat", ".html"))
    script = b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines)
    subprocess.run([SCRIPT_TRACE, trace], check=True, input=script)
    subprocess.run([ANNOT, "html", *options, "-o", page, trace], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return page


def cells_of(event):
    us, cpu, thread, name, text = event
    return [us * US, str(cpu), thread, name, text]


def shown(browser):
    """What is in sight, times as numbers of ns."""
    rows = browser.run("annot.events()")
    for row in rows:
        digits = "".join(character for character in row["cells"][0] if character.isdigit())
        row["cells"][0] = int(digits)
    return rows


def expect_shown(browser, truth, what):
    rows = shown(browser)
    assert len(rows) > 3, f"{what}: {len(rows)} rows are in sight"
    for row in rows:
        equal(row["cells"], cells_of(truth[row["place"]]), f"{what}, row {row['place']}")
    equal([row["place"] for row in rows], list(range(rows[0]["place"], rows[0]["place"] + len(rows))), "places")
    return rows


def open_list(browser, page):
    browser.open(page)
    browser.run("annot.panel('events')")
    browser.settle()


def list_is_complete(browser, page, truth):
    open_list(browser, page)
    equal(browser.run("annot.counts().traceEvents"), len(truth.events), "events of the head")
    equal(browser.text(".event-status"), f"{len(truth.events):,} events", "what the list says")
    equal(expect_shown(browser, truth.events, "at the top")[0]["place"], 0, "first row")
    for share in (0.25, 0.5, 0.77):
        browser.run("annot.scrollEvents(arguments[0])", share)
        rows = expect_shown(browser, truth.events, f"at {share}")
        near(rows[0]["place"], share * len(truth.events), 12, f"first row at {share}")
    browser.run("annot.scrollEvents(1)")
    equal(expect_shown(browser, truth.events, "at the end")[-1]["place"], len(truth.events) - 1, "last row")
    in_page = browser.run("document.querySelectorAll('.event-rows .event-row').length")
    assert in_page < 60, f"{in_page} rows are elements"


FILTERS = [
    ("probe:probe_text", lambda us, cpu, thread, name, text: name == "probe:probe_text"),
    ("probe:*", lambda us, cpu, thread, name, text: name.startswith("probe:")),
    ("*:*_thing", lambda us, cpu, thread, name, text: name.endswith("_thing")),
    ("count < 100", lambda us, cpu, thread, name, text: count_of(text) is not None and count_of(text) < 100),
    ("count >= 3001", lambda us, cpu, thread, name, text: count_of(text) is not None and count_of(text) >= 3001),
    ("count==81", lambda us, cpu, thread, name, text: count_of(text) == 81),
    ("probe:* count<0 && count > -200",
     lambda us, cpu, thread, name, text: count_of(text) is not None and -200 < count_of(text) < 0),
    ("name = text121", lambda us, cpu, thread, name, text: text.endswith("name=text121")),
    ("name ~ TEXT12", lambda us, cpu, thread, name, text: "name=text12" in text),
    ("address > 0xffffffff00000000", lambda us, cpu, thread, name, text: "address" in text),
    ("helper", lambda us, cpu, thread, name, text: thread == "helper 200"),
    ("EXT28", lambda us, cpu, thread, name, text: "ext28" in text),
    ("helper count != -41", lambda us, cpu, thread, name, text:
     thread == "helper 200" and count_of(text) not in (None, -41)),
    ("no_such_thing", lambda *event: False),
    ("count < 7 prog", lambda us, cpu, thread, name, text: cpu == 0 and count_of(text) < 7),
]


def count_of(text):
    found = [word for word in text.split() if word.startswith("count=")]
    return int(found[0][6:]) if found else None


def filters(browser, page, truth):
    open_list(browser, page)
    for filter_text, fits in FILTERS:
        wanted = truth.rows(fits)
        equal(browser.run("annot.filterEvents(arguments[0])", filter_text), len(wanted), filter_text)
        if len(wanted) > 20:
            expect_shown(browser, wanted, filter_text)
        equal(browser.text(".event-status"), f"{len(wanted):,} of {len(truth.events):,}", "what the list says")
    browser.run("annot.filterEvents('')")
    # Typed, they come a little later.
    browser.run("document.querySelector('.event-filter').focus()")
    browser.keys(*"count<100")
    browser.wait(400)
    wanted = truth.rows(FILTERS[3][1])
    equal(browser.text(".event-status"), f"{len(wanted):,} of {len(truth.events):,}", "after typing")
    equal(browser.run("annot.selection()"), None, "keys in the filter are none of the lanes'")


def row_at(browser, place):
    box = browser.run("""(() => {
        const { left, top, height } = document.querySelector(`[data-place="${arguments[0]}"]`).getBoundingClientRect();
        return { x: left + 200, y: top + height / 2 };
    })()""", place)
    return box["x"], box["y"]


def row_selects(browser, page, truth):
    open_list(browser, page)
    browser.run("annot.setView(arguments[0], arguments[1])", 3000 * US, 3050 * US)
    browser.run("annot.scrollEvents(0.5)")
    place = shown(browser)[3]["place"]
    us, cpu, thread, name, text = truth.events[place]
    browser.click(*row_at(browser, place))
    browser.settle()
    equal(browser.run("annot.selection()"), f"event.{place}", "selection")
    view = browser.run("annot.view()")
    assert view["start"] <= us * US <= view["end"], f"{us} us is not in sight: {view}"
    equal([row["place"] for row in shown(browser) if row["selected"]], [place], "rows that are marked")
    equal(expect_shown(browser, truth.events, "after the click")[0]["place"] <= place, True, "it is still in sight")
    facts = browser.run("annot.describe(arguments[0]).facts", f"event.{place}")
    equal((facts["CPU"], facts["thread"], facts["text"]), (str(cpu), thread, text), "facts")
    told = browser.text(".event-beside")
    assert name in told and text in told, f"beside the list: {told}"
    lanes = {box["lane"] for box in browser.run("annot.boxes(arguments[0])", f"event.{place}")}
    equal(lanes, {f"cpu {cpu}", f"thread {0 if cpu == 0 else 1}"}, "lanes in which it is marked")


def keys_in_list(browser, page, truth):
    open_list(browser, page)
    browser.click(*row_at(browser, 2))
    browser.settle()
    browser.keys(Keys.ARROW_DOWN)
    browser.keys(Keys.ARROW_DOWN)
    equal(browser.run("annot.selection()"), "event.4", "two down")
    browser.keys(Keys.ARROW_UP)
    equal(browser.run("annot.selection()"), "event.3", "one up")
    browser.keys(Keys.END)
    equal(browser.run("annot.selection()"), f"event.{len(truth.events) - 1}", "end")
    equal(expect_shown(browser, truth.events, "end")[-1]["place"], len(truth.events) - 1, "last row in sight")
    browser.keys(Keys.HOME)
    equal(browser.run("annot.selection()"), "event.0", "home")
    equal(shown(browser)[0]["place"], 0, "first row in sight")


def list_follows(browser, page, truth):
    open_list(browser, page)
    start, end = 2000 * US, 2100 * US
    browser.run("annot.selectRange(arguments[0], arguments[1])", start, end)
    browser.settle()
    rows = expect_shown(browser, truth.events, "a range")
    first = next(place for place, event in enumerate(truth.events) if event[0] * US >= start)
    assert rows[0]["place"] <= first <= rows[-1]["place"], f"{first} is not in sight: {rows}"
    for row in rows:
        equal(row["inRange"], start <= row["cells"][0] <= end, f"row {row['place']} is in the range")
    browser.run("annot.select(arguments[0])", f"event.{len(truth.events) - 4}")
    browser.settle()
    equal([row["place"] for row in shown(browser) if row["selected"]], [len(truth.events) - 4], "an event")
    browser.run("annot.select('slice.1.0')")
    browser.settle()
    equal(shown(browser)[0]["place"], 0, "a slice that begins with the trace")
    # What of the filtered rows is nearest.
    browser.run("annot.filterEvents('helper')")
    browser.run("annot.selectRange(arguments[0], arguments[1])", start, end)
    browser.settle()
    wanted = truth.rows(lambda us, cpu, *others: cpu == 1)
    rows = expect_shown(browser, wanted, "of those that fit")
    first = next(place for place, event in enumerate(wanted) if event[0] * US >= start)
    assert rows[0]["place"] <= first <= rows[-1]["place"], f"{first} is not in sight"
    browser.run("annot.select(null)")
    browser.settle()
    equal(browser.run("document.querySelector('.event-beside').hidden"), True, "nothing is told beside the list")


def marks(browser, page, truth):
    """A tick for each event, on its CPU's lane and on its thread's, in the colour of its system."""
    open_list(browser, page)
    browser.run("annot.setView(arguments[0], arguments[1])", 0, 100 * US)
    browser.settle()
    colours = set()
    for place in (2, next(place for place, event in enumerate(truth.events) if event[1] == 1 and event[0] > 30)):
        us, cpu, *_ = truth.events[place]
        boxes = browser.run("annot.boxes(arguments[0])", f"event.{place}")
        equal(len(boxes), 2, "boxes")
        for box in boxes:
            x, y = browser.run("annot.xOf(arguments[0])", us * US), box["top"] + box["height"] - 1.5
            equal(browser.run("annot.itemAt(arguments[0], arguments[1])", x + 0.5, y), f"event.{place}",
                  f"what is at the tick on {box['lane']}")
            colours.add(browser.pixel(x + 0.5, y))
            assert browser.pixel(x + 6, y) != browser.pixel(x + 0.5, y), "there is no tick, but a bar"
    equal(len(colours), 1, f"colours of one system: {colours}")
    assert colours <= {rgb(colour) for colour in browser.run("annot.colours().names")} | colours, colours
    # All of them at once are taller than one: as many as share a pixel.
    browser.run("annot.setView(arguments[0], arguments[1])", 0, LENGTH_US * US)
    browser.settle()


def search(browser, page, truth):
    open_list(browser, page)
    for wanted, fits in (("probe_text", lambda *event: event[3] == "probe:probe_text"),
                         ("name=text12", lambda *event: "name=text12" in event[4]),
                         ("0xffffffff81234567", lambda *event: "81234567" in event[4])):
        rows = [place for place, event in enumerate(truth.events) if fits(*event)]
        browser.run("annot.select(null)")
        browser.run("annot.setView(0, arguments[0])", LENGTH_US * US)
        equal(browser.run("annot.search(arguments[0])", wanted)["spans"], len(rows), f"found of {wanted}")
        for place in rows[:4]:
            browser.run("annot.searchStep(1)")
            browser.settle()
            equal(browser.run("annot.selection()"), f"event.{place}", f"hit of {wanted}")
    browser.run("annot.search('')")


def link(browser, page, truth):
    open_list(browser, page)
    browser.run("annot.select('event.77')")
    browser.wait(500)
    fragment = browser.run("location.hash")
    browser.open(page, fragment)
    equal(browser.run("annot.selection()"), "event.77", "selection")
    equal([row["place"] for row in shown(browser) if row["selected"]], [77], "the row in the list")


def hostile(browser, work):
    lines = ["1000 0 0 switch next_pid=100 next_comm=prog",
             b"2000 0 100 probe:probe_text count=1 name=" + quoted(HOSTILE),
             "3000 0 100 probe:probe_text count=2 name=plain",
             "4000 0 100 switch next_pid=0 next_comm=idle"]
    open_list(browser, page_of(work, "hostile", lines))
    equal(browser.run("window.hostile"), None, "a text was run as script")
    equal([row["cells"][4] for row in shown(browser)],
          ["count=1 name=" + HOSTILE_SHOWN, "count=2 name=plain"], "texts")
    equal(browser.run("document.querySelectorAll('#details img').length"), 0, "elements made of a text")
    browser.run("annot.select('event.0')")
    browser.settle()
    equal(browser.run("annot.describe('event.0').facts.text"), "count=1 name=" + HOSTILE_SHOWN, "fact")
    for wanted in ("<img", "[", "(", "\\", "\"'", "*", "count=1)", "a:*(", "x ~ ["):
        browser.run("annot.filterEvents(arguments[0])", wanted)
    equal(browser.run("annot.filterEvents('onerror')"), 1, "filtered")
    equal(browser.run("annot.search('</script>').spans"), 1, "found")
    equal(browser.run("window.hostile"), None, "a text was run as script")


def quoted(data):
    return b"'" + data.replace(b"'", b"'\\''") + b"'"


def told_left_out(browser, work, truth):
    page = page_of(work, "left", truth.lines(), "--events", "150")
    open_list(browser, page)
    rows = truth.rows(lambda *event: event[3] != "probe:probe_count")
    equal(browser.text(".event-status"), f"{len(rows):,} events", "rows")
    expect_shown(browser, rows, "those with the fewest")
    left = len(truth.events) - len(rows)
    equal(browser.text(".event-left-out"), f"{left:,} events of probe:probe_count left out: annot html --events",
          "what is left out")
    open_list(browser, page_of(work, "none", truth.lines(), "--events", "none"))
    assert f"{len(truth.events):,} events of 3 types left out" in browser.text(".event-left-out"), "none"
    early = [f"{time} 0 100 probe:probe_count count=0" for time in (800, 900)]
    open_list(browser, page_of(work, "early", [*early, *truth.lines()], "--events", "all"))
    equal(browser.text(".event-status"), f"{len(truth.events):,} events", "rows behind the begin")
    equal(browser.text(".event-early"), "2 earlier events left out", "what comes before")
    browser.screenshot("events-early")
    lines = [line for line in truth.lines() if "probe" not in line and "other" not in line]
    browser.open(page_of(work, "without", lines))
    equal(browser.run("document.getElementById('tab-events')"), None, "a tab without events")


def many(browser, work):
    """More than can be scrolled pixel by pixel: each row can be reached all the same."""
    nr = 2 * MANY_SLICES
    open_list(browser, make(work, "events", str(MANY_SLICES)))
    equal(browser.run("annot.counts().traceEvents"), nr, "events")
    for share in (0, 0.3, 0.999, 1):
        browser.run("annot.scrollEvents(arguments[0])", share)
        rows = browser.run("annot.events()")
        near(rows[0]["place"], share * nr, 30, f"first row at {share}")
        for row in rows:
            equal(row["cells"][4], f"count={row['place']}", "text")
    equal(rows[-1]["place"], nr - 1, "last row")
    for place in (123456, 123457, nr - 1, 17):
        browser.run("annot.select(arguments[0])", f"event.{place}")
        browser.settle()
        equal([row["place"] for row in browser.run("annot.events()") if row["selected"]], [place], "selected row")


def in_windows(whole, parts, work):
    """A page that has windows lists what is loaded, and says so."""
    whole_page = make(work, "events", str(SYNTHETIC_SLICES), "1")
    with open(whole_page, "rb") as file:
        kept = file.read()
    parts_page = make(work, "events", str(SYNTHETIC_SLICES), str(WINDOWS))
    whole_page = parts_page.replace(".html", "-whole.html")
    with open(whole_page, "wb") as file:
        file.write(kept)
    open_list(whole, whole_page)
    open_list(parts, parts_page)
    end = int(whole.run("annot.view().end"))
    lanes = [[(lane["id"], lane["height"]) for lane in browser.run("annot.lanes()")] for browser in (whole, parts)]
    equal(lanes[1], lanes[0], "lanes")
    for share in (0.1, 0.55, 0.9):
        start = int(end * share)
        for browser in (whole, parts):
            browser.run("annot.setView(arguments[0], arguments[1])", start, start + end // 100)
            browser.settle()
            browser.run("annot.selectRange(arguments[0], arguments[1])", start, start + end // 100)
            browser.settle()
        seen = [[row["cells"] for row in browser.run("annot.events()") if row["inRange"]] for browser in (whole, parts)]
        assert len(seen[0]) > 2, f"{len(seen[0])} rows"
        equal(seen[1], seen[0], f"rows at {share}")
        assert f"that are loaded, of {2 * SYNTHETIC_SLICES:,}" in parts.text(".event-status"), parts.text(".event-status")
    number = 5 * SYNTHETIC_SLICES // 3
    found = [browser.run("annot.search(arguments[0])", "probe:thing")["spans"] for browser in (whole, parts)]
    equal(found[1], found[0], "events of a name")
    text = f"event@{end // (2 * SYNTHETIC_SLICES) * number}"
    equal(parts.run("annot.describeFar(arguments[0])", text)["facts"]["text"], f"count={number}", "one that is not loaded")


def run(browser, parts, tap, work):
    truth = Truth()
    page = page_of(work, "events", truth.lines())
    tap.point("the list has every event, in order, and few elements", list_is_complete, browser, page, truth)
    tap.point("filters by name, field and word", filters, browser, page, truth)
    tap.point("a click on a row selects it, and shows it on the lanes", row_selects, browser, page, truth)
    tap.point("keys go from row to row", keys_in_list, browser, page, truth)
    tap.point("the list follows what is selected", list_follows, browser, page, truth)
    tap.point("ticks on the lanes", marks, browser, page, truth)
    tap.point("search finds names and texts", search, browser, page, truth)
    tap.point("a link to an event", link, browser, page, truth)
    tap.point("hostile texts", hostile, browser, work)
    tap.point("what is left out is told", told_left_out, browser, work, truth)
    tap.point("hundreds of thousands of rows", many, browser, work)
    parts.limit(whole=0, shown=MOST_SHOWN, kept=2 * MOST_SHOWN)
    tap.point("in windows", in_windows, browser, parts, work)
    browser.finish(tap)


def main():
    tap = Tap()
    browser, parts = Browser(1400, 900), Browser(1400, 900)
    try:
        with tempfile.TemporaryDirectory() as work:
            run(browser, parts, tap, work)
    finally:
        browser.close()
        parts.close()
    tap.finish()


if __name__ == "__main__":
    main()
