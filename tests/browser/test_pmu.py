#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# NEEDS: synthetic workloads
# BROWSERS: chromium firefox
"""Measured misses in the page: synthetic.c's make_misses() says what is true."""
import json
import os
import re
import subprocess
import tempfile

import slots_story
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


def make_of_story(work, name, story):
    """Returns the trace and its page."""
    trace, page = (os.path.join(work, f"{name}.{end}") for end in ("dat", "html"))
    subprocess.run([os.path.join(ROOT, "tests/lib/script_trace.py"), trace], check=True, input=story)
    subprocess.run([ANNOT, "html", "-o", page, trace], check=True, capture_output=True)
    return trace, page


def make_by_ratio(work):
    """A task of 100 samples, half of all, in 200 of which the program ran."""
    story = subprocess.run([os.path.join(ROOT, "tests/unit/report/pmu/by_ratio.py"), "story", "ibs_op"], check=True,
                           capture_output=True).stdout
    return make_of_story(work, "ratio", story)[1]


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


SLOTS = ("retiring", "bad_speculation", "frontend_bound", "memory_bound", "core_bound", "backend_bound")


def report_of(trace, *options):
    return json.loads(subprocess.run([ANNOT, "report", "--json", *options, trace], check=True, capture_output=True).stdout)


def table_rows(browser, caption):
    """Of a table: [{heading: {text, title, doubtful, colour, parts}}]; parts of a bar, as shares of it."""
    return browser.run("""(() => {
        const table = document.querySelector(`#details table[aria-label="${arguments[0]}"]`);
        const names = Array.from(table.tHead.rows[0].cells, (cell) => cell.innerText.trim());
        const partsOf = (bar) => bar && Array.from(bar.children, (part) => [part.dataset.part,
            part.getBoundingClientRect().width / bar.clientWidth]);
        return Array.from(table.tBodies[0].rows, (row) => Object.fromEntries(Array.from(row.cells, (cell, i) => [names[i], {
            text: cell.innerText.trim(), title: cell.title, doubtful: cell.classList.contains("doubtful"),
            colour: getComputedStyle(cell).color, parts: partsOf(cell.querySelector(".slots")),
        }])));
    })()""", caption)


def is_bar_of(got, wanted):
    """The widths are the report's figures; the title has each with its interval, and what is in doubt."""
    is_divided = wanted["memory_bound_pct"] is not None
    keys = [key for key in SLOTS if key not in (("backend_bound",) if is_divided else ("memory_bound", "core_bound"))]
    equal([key for key, _ in got["parts"]], keys, "parts of the bar")
    for key, width in got["parts"]:
        value, low, high = (wanted[f"{key}{end}_pct"] for end in ("", "_low", "_high"))
        near(width, value / 100, 0.004, f"width of {key}")
        said = re.search(key.replace("frontend", "front-end").replace("backend", "back-end").replace("_", " ") +
                         r" ([\d.]+) %(?: \(([\d.]+) to ([\d.]+)\)| \(interval not known\))?", got["title"])
        assert said, f"{key} is not in {got['title']}"
        near(float(said[1]), value, 0.06, f"{key} in the title")
        equal(said[2] is not None, low is not None and low < high, f"{key} has an interval: {said[0]}")
        if said[2]:
            near(float(said[2]), low, 0.06, f"begin of the interval of {key}")
            near(float(said[3]), high, 0.06, f"end of the interval of {key}")
    equal(got["title"].split("; ")[1:], [wanted["doubt"]] if wanted["doubt"] else [], "doubt in the title")


def slots_of_tasks(browser, page, trace):
    browser.open(page, "#p=topdown")
    truth = report_of(trace, "--show", "topdown")["topdown"]
    for caption, name, wanted in (("Issue slots of tasks, in percent", "task", truth["tasks"]),
                                  ("Issue slots of threads, in percent", "thread", truth["threads"])):
        got = table_rows(browser, caption)
        equal(len(got), len(wanted), f"rows of {caption}")
        for row, own in zip(got, wanted):
            assert (own["task"] if name == "task" else own["comm"]) in row[name]["text"], (row, own)
            is_bar_of(row["slots"], own)
            equal(row["slots"]["doubtful"], own["doubt"] is not None, f"{row[name]['text']}: in grey")
            equal(row["doubt"]["text"] if "doubt" in row else "", own["doubt"] or "", "the doubt, in words")
            is_exact = own["retiring_low_pct"] is not None and own["retiring_low_pct"] == own["retiring_high_pct"]
            equal("±" in row["retiring"]["text"], not is_exact, f"an error beside {row['retiring']['text']}")
    doubts = {row["task"]: row["doubt"] for row in truth["tasks"]}
    equal([task for task, doubt in doubts.items() if doubt], ["wild", "brief"], f"what is in doubt in the trace, {doubts}")


def grey_in_light_and_dark(browser, page):
    try:
        for scheme in ("light", "dark"):
            browser.prefer(scheme)
            browser.open(page, "#p=topdown")
            got = {row["task"]["text"]: row for row in table_rows(browser, "Issue slots of tasks, in percent")}
            sure, wild = got["steady"]["retiring"], got["wild"]["retiring"]
            assert sure["colour"] != wild["colour"], f"what is in doubt looks like the rest when it is {scheme}"
            browser.screenshot(f"slots-{scheme}")
    finally:
        browser.prefer("light")


def is_estimate(got, wanted, what):
    """A cell, or a fact, against an event of the report's."""
    if wanted["measured_share"] >= 1:
        equal((got["text"], got["doubtful"]), (f"{round(wanted['count']):,}", False), f"{what}: it is exact")
        return
    if wanted["count"] is None:
        equal(got["text"].split(",")[0], "unknown", what)
    else:
        said = re.match(r"≈ ([\d,]+) ± (\?|[\d.]+)(?: %)?", got["text"])
        assert said, f"{what}: {got['text']}"
        near(int(said[1].replace(",", "")), wanted["count"], 1, what)
        equal(said[2] == "?", wanted["error"] is None, f"{what}: error of {said[0]}")
        if wanted["error"] is not None:
            near(float(said[2]), 100 * wanted["error"] / wanted["count"], 0.6, f"{what}: error in percent")
    told = re.search(r"counted for ([\d.]+) % of the time: ", got["title"] or got["text"])
    assert told, f"{what}: nothing tells how it comes: {got}"
    near(float(told[1]), 100 * wanted["measured_share"], 0.6, f"{what}: share of the time")
    equal(got["doubtful"], wanted["reliability"] < 0.9, f"{what}: in grey, with a reliability of {wanted['reliability']}")


def estimates_of_turns(browser, page, trace):
    """In tables of the whole trace, the figures of the report; grey what is not reliable."""
    browser.open(page, "#p=figures")
    report = report_of(trace)
    browser.screenshot("turns")
    seen = []
    for caption, heading, key, wanted in (("Spans", "name", "name", report["tasks"]), ("Threads", "thread", "comm", report["threads"])):
        rows = {row[heading]["text"]: row for row in table_rows(browser, caption)}
        for own in wanted:
            row = next(row for text, row in rows.items() if own[key] in text)
            for event in own["events"]:
                is_estimate(row[event["name"]], event, f"{event['name']} of {own[key]}")
                seen.append((event["measured_share"] >= 1, event["count"] is None, event["error"] is None, event["reliability"] < 0.9))
    assert len(set(seen)) == 5, f"the trace does not have all kinds of estimates: {set(seen)}"
    cells = browser.run("""Array.from(document.querySelectorAll('#details table[aria-label="Events"] tbody tr'), (row) =>
        Array.from(row.cells, (cell) => ({ text: cell.innerText, title: "", doubtful: cell.classList.contains("doubtful") })))""")
    for (name, _, _, amount, *_), event in zip(cells, report["trace"]["pmu"]):
        is_estimate(amount, {**event, "error": event["count_error"]}, f"{name['text']} of all")


def tree_of_turns(browser, page, trace):
    browser.open(page, "#p=tasks")
    nodes = {node["name"]: node for node in report_of(trace)["task_tree"]["nodes"]}
    got = table_rows(browser, "Task tree")
    equal(len(got), len(slots_story.TASKS) + 1, "rows")
    for row in got:
        node = nodes[re.sub(r"\W", "", row["task"]["text"])]
        for event, count in node["misses"].items():
            error, share = node["misses_error"][event], node["misses_measured_share"][event]
            reliability = max(1 - error / count, 0) if count and error is not None else 0
            is_estimate(row[event], {"count": count, "error": error, "measured_share": share, "reliability": reliability},
                        f"{event} of {node['name']} in the tree")


def selected_turns(browser, page, trace):
    """In words, where it is selected: of a thread as the report tells; of a part of the trace, an error that nobody knows."""
    browser.open(page)
    many = next(own for own in report_of(trace)["threads"] if own["comm"] == "many")
    index = next(own["index"] for own in browser.run("annot.threads()") if own["comm"] == "many")
    browser.run("annot.select(arguments[0])", f"thread.{index}")
    browser.settle()
    facts = {fact["name"]: fact for fact in browser.run("""Array.from(document.querySelectorAll("#details .fact"), (fact) => ({
        name: fact.firstChild.innerText, text: fact.lastChild.innerText, title: "",
        doubtful: fact.lastChild.classList.contains("doubtful") }))""")}
    for event in many["events"]:
        is_estimate(facts[event["name"]], event, f"{event['name']} of the thread")
    browser.run("annot.range(0, 40e6)")
    browser.settle()
    row = next(row for row in table_rows(browser, "Spans") if row["name"]["text"] == "steady")
    cell = row["topdown-retiring"]
    assert re.fullmatch(r"≈ [\d,]+ ± \?", cell["text"]) and cell["doubtful"], f"a range: {cell}"
    equal(cell["title"], "counted for 50 % of the time: how far off this is, is not known", "its title")
    near(int(re.sub(r"\D", "", cell["text"])) / slots_story.SLOTS, 40 * 0.6, 0.3, "of 40 slices, 20 were counted")
    texts = [fact[slots_story.OTHER] for fact in (browser.run("annot.describe(arguments[0]).facts", f"slice.{cpu}.0") for cpu in (0, 1))]
    assert texts[0].startswith("≈ ") and "± ?" in texts[0], texts
    equal(texts[1], "unknown, counted for 0 % of the time: it had no counter here", "an event that had no turn")


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
            trace, page = make_of_story(work, "slots", slots_story.story(True).encode())
            tap.point("slots of tasks", slots_of_tasks, browser, page, trace)
            tap.point("grey in light and dark", grey_in_light_and_dark, browser, page)
            tap.point("estimates of turns", estimates_of_turns, browser, page, trace)
            tap.point("tree of turns", tree_of_turns, browser, page, trace)
            tap.point("selected turns", selected_turns, browser, page, trace)
            trace, page = make_of_story(work, "undivided", slots_story.story(False).encode())
            tap.point("slots of an undivided back end", slots_of_tasks, browser, page, trace)
            browser.finish(tap)
        finally:
            browser.close()
    tap.finish()


if __name__ == "__main__":
    main()
