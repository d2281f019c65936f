#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# NEEDS: synthetic
# BROWSERS: chromium firefox
"""Messages between ranks: arrows, what they tell, and the way to their other end."""
import os
import subprocess
import tempfile

import scene
from browser import ANNOT, Browser, Tap, equal, make, near, rgb
from tracefile import TraceFile

US = 1000
START = scene.START
RANKS = (901, 902, 903)		# their threads; each is alone on the CPU of its number
NR_MANY, NR_CROWD = 400, 60			# from rank 1 to rank 2, one each 5 us
MANY_FROM_US = 6000

# From, to, tag, bytes; from when to when the calls are, and when each tells the message: us.
EARLY = {"from": 0, "to": 1, "tag": 7, "bytes": 1000, "send": (1000, 1100), "sent": 1010,
         "receive": (1500, 1600), "received": 1590}
LATE = {"from": 0, "to": 1, "tag": 7, "bytes": 1, "send": (3000, 3200), "sent": 3010,
        "receive": (2000, 3600), "received": 3550}
LARGE = {"from": 2, "to": 0, "tag": 3, "bytes": 2000000, "send": (500, 700), "sent": 520,
         "receive": (3900, 4100), "received": 4090}
# Bytes differ: they do not belong together.
DOUBTFUL = {"from": 2, "to": 1, "tag": 9, "bytes": 100, "told": 200, "send": (4300, 4400), "sent": 4310,
            "receive": (4500, 4600), "received": 4590}
FEW = (LARGE, EARLY, LATE, DOUBTFUL)	# as they are sent


def value(partner, tag, nr_bytes):
    """What a mark tells (libannot/attach/mpi/mpi_message.h)."""
    shift = 0
    while nr_bytes >> shift >> 19:
        shift += 1
    return partner << 44 | tag << 24 | shift << 19 | nr_bytes >> shift


def lines_of(message, is_send):
    """(us, what is written) of a call."""
    begin, end = message["send" if is_send else "receive"]
    told = message["sent" if is_send else "received"]
    partner = message["to" if is_send else "from"]
    nr_bytes = message["bytes"] if is_send else message.get("told", message["bytes"])
    return [(begin, f"B|{{pid}}|{'MPI_Send' if is_send else 'MPI_Recv|wait'}"),
            (told, f"I|{{pid}}|@{'send' if is_send else 'recv'}|{value(partner, message['tag'], nr_bytes)}"),
            (end, "E|{pid}")]


def many(nr):
    for i in range(nr):
        us = MANY_FROM_US + 5 * i
        yield {"from": 1, "to": 2, "tag": 1, "bytes": 8, "send": (us, us + 2), "sent": us + 1,
               "receive": (us + 2, us + 4), "received": us + 3}


def save(path, messages):
    trace = TraceFile(len(RANKS), {tid: f"rank-{rank}" for rank, tid in enumerate(RANKS)})
    for rank, tid in enumerate(RANKS):
        lines = [(100, "B|{pid}|MPI_Init"), (110, f"I|{{pid}}|@rank|{rank}"), (120, "E|{pid}")]
        for message in messages:
            lines += lines_of(message, True) if message["from"] == rank else []
            lines += lines_of(message, False) if message["to"] == rank else []
        trace.switch(rank, START, 0, tid)
        for us, text in sorted(lines, key=lambda line: line[0]):
            trace.write(rank, START + us * US, tid, text.format(pid=tid))
        trace.switch(rank, START + 10000 * US, tid, 0)
    trace.save(path)


def make_page(work, name, messages, *options):
    trace, path = (os.path.join(work, name + end) for end in (".dat", ".html"))
    save(trace, messages)
    subprocess.run([ANNOT, "html", trace, "-o", path, *options], check=True, stdout=subprocess.DEVNULL)
    return path


def select(browser, text):
    browser.run("annot.select(arguments[0])", text)
    browser.settle()


def look_at(browser, from_us, to_us):
    browser.run("annot.setView(...arguments)", from_us * US, to_us * US)
    browser.settle()


def threads_of_ranks(browser):
    """By rank, the number that the page has for its thread."""
    index = {thread["tid"]: thread["index"] for thread in browser.run("annot.threads()")}
    return [index[tid] for tid in RANKS]


def item_of(message):
    return f"message.{FEW.index(message)}"


def call_of(browser, message, is_send):
    """The span's text."""
    thread = threads_of_ranks(browser)[message["from" if is_send else "to"]]
    start = message["send" if is_send else "receive"][0] * US
    return next(span["item"] for span in browser.run("annot.spansOf(arguments[0])", thread) if span["start"] == start)


def middle(browser, text, lane):
    box = next(box for box in browser.run("annot.boxes(arguments[0])", text) if box["lane"] == lane)
    return box["top"] + box["height"] / 2


def arrow_of(browser, message):
    drawn = browser.run("annot.arrows().drawn")
    return next(arrow for arrow in drawn if arrow["item"] == item_of(message))


def on_arrow(arrow, share):
    return [arrow[f"{axis}0"] + (arrow[f"{axis}1"] - arrow[f"{axis}0"]) * share for axis in "xy"]


def all_are_there(browser, pages):
    browser.open(pages["few"])
    ranks = threads_of_ranks(browser)
    wanted = [{"item": item_of(message), "sender": ranks[message["from"]], "receiver": ranks[message["to"]],
               "sent": message["sent"] * US, "received": message["received"] * US} for message in FEW]
    equal(browser.run("annot.messages()"), wanted, "messages")


def arrows_from_call_to_call(browser, pages):
    """Each end in the middle of its call, at the time that was told."""
    browser.open(pages["few"])
    ranks = threads_of_ranks(browser)
    equal(len(browser.run("annot.arrows().drawn")), len(FEW), "arrows")
    for message in FEW:
        arrow = arrow_of(browser, message)
        for end, is_send, us in ((0, True, message["sent"]), (1, False, message["received"])):
            lane = f"thread {ranks[message['from' if is_send else 'to']]}"
            near(arrow[f"x{end}"], browser.run("annot.xOf(arguments[0])", us * US), 0.01, f"x{end} of {message}")
            near(arrow[f"y{end}"], middle(browser, call_of(browser, message, is_send), lane), 0.01,
                 f"y{end} of {message}")
    browser.screenshot("messages")


def reddish(colour):
    return colour[0] > colour[1] + 60 and colour[0] > colour[2] + 60


def late_ones_are_red(browser, pages):
    browser.open(pages["few"])
    for message, is_red in ((LATE, True), (EARLY, False), (LARGE, False)):
        arrow = arrow_of(browser, message)
        seen = [browser.pixel(*on_arrow(arrow, share / 40)) for share in range(10, 31)]
        red = sum(reddish(colour) for colour in seen)
        assert red > 12 if is_red else red == 0, f"{red} of {len(seen)} points are red of {message}: {seen}"
        ink = rgb(browser.run("annot.colours().theme.ink"))
        dark = sum(max(abs(a - b) for a, b in zip(colour, ink)) < 110 for colour in seen)
        assert is_red or dark > 12, f"{dark} of {len(seen)} points are dark of {message}: {seen}"


def facts(browser, pages):
    browser.open(pages["few"])
    told = browser.run("annot.describe(arguments[0])", item_of(LATE))
    equal([told["title"], told["subtitle"]], ["rank 0 → rank 1", "message of 1 byte"], "heading")
    equal(told["facts"], {
        "bytes": "1", "tag": "7", "from": "rank-0 901", "to": "rank-1 902", "sent": "0.003\u2009010\u2009000 s, in MPI_Send",
        "received": "0.003\u2009550\u2009000 s, in MPI_Recv", "latency": "540.0 µs", "in the receiving call": "1.550 ms",
        "late sender": "the receiver waited 1.000 ms for it to begin"}, "facts of the late one")
    told = browser.run("annot.describe(arguments[0])", item_of(EARLY))["facts"]
    equal([told["latency"], told["late sender"], told["bytes"]], ["580.0 µs", "no", "1,000"], "of the early one")
    equal(browser.run("annot.describe(arguments[0])", item_of(LARGE))["facts"]["bytes"], "2,000,000", "bytes")
    told = browser.run("annot.describe(arguments[0])", item_of(DOUBTFUL))["facts"]
    equal(told["late sender"], "unknown", "of one that contradicts itself")
    assert "contradict" in told["doubtful"], told


def facts_of_calls(browser, pages):
    browser.open(pages["few"])
    told = browser.run("annot.describe(arguments[0])", call_of(browser, LATE, True))["facts"]
    equal(told["sent"], "to rank 1: 1 byte, tag 7, late", "of the call that sends")
    assert "received" not in told, told
    told = browser.run("annot.describe(arguments[0])", call_of(browser, LARGE, False))["facts"]
    equal(told["received"], "from rank 2: 2,000,000 bytes, tag 3", "of the call that receives")


def hover_and_click(browser, pages):
    browser.open(pages["few"])
    x, y = on_arrow(arrow_of(browser, LATE), 0.5)
    browser.move(x, y)
    shown = browser.text("#tooltip")
    assert "rank 0 → rank 1" in shown and "1.000 ms" in shown, f"the tooltip is {shown!r}"
    browser.click(x, y)
    equal(browser.run("annot.selection()"), item_of(LATE), "what was clicked")
    browser.screenshot("message-selected")
    # Beside it there is what is below.
    equal(browser.run("annot.itemAt(...arguments)", x + 40, y + 0.5) == item_of(LATE), False, "beside the arrow")


def to_the_other_end(browser, pages):
    browser.open(pages["few"])
    send, receive = call_of(browser, LATE, True), call_of(browser, LATE, False)
    select(browser, send)
    browser.keys("e")
    equal(browser.run("annot.selection()"), receive, "E from the call that sends")
    browser.keys("e")
    equal(browser.run("annot.selection()"), send, "E from the call that receives")
    select(browser, item_of(LATE))
    browser.keys("e")
    equal(browser.run("annot.selection()"), receive, "E from the message")
    select(browser, item_of(LATE))
    for label, wanted in (("in MPI_Send", send), ("in MPI_Recv", receive), ("rank 0: 1 byte", item_of(LATE))):
        browser.execute("Array.from(document.querySelectorAll('#details button.link'))"
                        ".find((link) => link.textContent.includes(arguments[0])).click()", label)
        browser.settle()
        equal(browser.run("annot.selection()"), wanted, f"the link {label!r}")
        if wanted == send:
            select(browser, item_of(LATE))
    # Of a thread without messages in a call: E does nothing.
    ranks = threads_of_ranks(browser)
    start = browser.run("annot.spansOf(arguments[0])", ranks[0])[0]["item"]
    select(browser, start)
    browser.keys("e")
    equal(browser.run("annot.selection()"), start, "E from MPI_Init")


def along_two_ranks(browser, pages):
    browser.open(pages["few"])
    select(browser, item_of(EARLY))
    browser.keys("]")
    equal(browser.run("annot.selection()"), item_of(LATE), "the next from rank 0 to rank 1")
    browser.keys("[")
    equal(browser.run("annot.selection()"), item_of(EARLY), "the last one")


def too_many_are_told(browser, pages):
    browser.open(pages["many"])
    ranks = threads_of_ranks(browser)
    arrows = browser.run("annot.arrows()")
    equal(arrows["drawn"], [], "arrows of too many")
    assert arrows["told"].startswith(f"{len(FEW) + NR_MANY} messages"), arrows["told"]
    browser.screenshot("messages-many")
    # A call among them: its own.
    send = browser.run("annot.spansOf(arguments[0])", ranks[1])
    call = next(span["item"] for span in send if span["start"] == (MANY_FROM_US + 5 * 200) * US)
    select(browser, call)
    look_at(browser, 0, 10000)
    arrows = browser.run("annot.arrows()")
    equal([len(arrows["drawn"]), arrows["told"]], [1, ""], "of a call")
    # A thread: its own, and no more than can be told apart.
    select(browser, f"thread.{ranks[0]}")
    mine = sum(0 in (message["from"], message["to"]) for message in FEW)
    equal(len(browser.run("annot.arrows().drawn")), mine, "of rank 0")
    select(browser, f"thread.{ranks[1]}")
    equal(browser.run("annot.arrows().drawn"), [], "of rank 1, too many")
    browser.keys("\ue00c")
    # Few enough in sight; what lies upon another does not count twice.
    first, nr = MANY_FROM_US + 5 * 100, 20
    look_at(browser, first - 0.5, first + 5 * nr - 0.5)
    arrows = browser.run("annot.arrows()")
    equal([len(arrows["drawn"]), arrows["told"]], [nr, ""], "in sight")
    browser.screenshot("messages-near")


def too_many_with_room(browser, pages):
    """So wide a window has room for each of them."""
    try:
        browser.resize(2800, 720)
        browser.open(pages["many"])
        arrows = browser.run("annot.arrows()")
        equal(arrows["drawn"], [], "arrows of too many")
        assert arrows["told"].startswith(f"{len(FEW) + NR_MANY} messages"), arrows["told"]
    finally:
        browser.resize(1280, 720)


def a_crowd_is_told(browser, pages):
    """Fewer than the most, but side by side in a few pixels."""
    browser.open(pages["crowd"])
    arrows = browser.run("annot.arrows()")
    equal(arrows["told"], "", "told of them among others that are far apart")
    assert len(FEW) < len(arrows["drawn"]) < len(FEW) + NR_CROWD, "none or all of those that lie upon each other are drawn"
    look_at(browser, MANY_FROM_US - 100, MANY_FROM_US + 3900)
    arrows = browser.run("annot.arrows()")
    equal(arrows["drawn"], [], "arrows of a crowd")
    assert arrows["told"].startswith(f"{NR_CROWD} messages"), arrows["told"]
    look_at(browser, MANY_FROM_US - 10, MANY_FROM_US + 5 * NR_CROWD)
    equal(len(browser.run("annot.arrows().drawn")), NR_CROWD, "arrows with room")


def what_spans_the_view(browser, pages):
    """Sent before it and received after it."""
    browser.open(pages["few"])
    look_at(browser, 3300, 3302)
    drawn = {arrow["item"]: arrow for arrow in browser.run("annot.arrows().drawn")}
    equal(sorted(drawn), sorted([item_of(LARGE), item_of(LATE)]), "arrows that cross it")
    left, right = (browser.run("annot.xOf(arguments[0])", us * US) for us in (3300, 3302))
    for message in (LARGE, LATE):
        arrow = drawn[item_of(message)]
        assert arrow["x0"] > left - 1000 and arrow["x1"] < right + 1000, f"not cut: {arrow}"
        ends = [middle(browser, call_of(browser, message, is_send),
                       f"thread {threads_of_ranks(browser)[message['from' if is_send else 'to']]}")
                for is_send in (True, False)]
        share = (3301 - message["sent"]) / (message["received"] - message["sent"])
        near(on_arrow(arrow, 0.5)[1], ends[0] + (ends[1] - ends[0]) * share, 1, f"height of {message} at 3301 us")


def piece_by_piece(browser, pages):
    """Windows of 1 ms, of which a few are loaded: what crosses cuts is there, and the far end is reached."""
    latency = 503000
    try:
        browser.limit(whole=0, shown=1200, kept=1500)
        browser.open(pages["messages"])
        equal(browser.run("annot.arrows()"), {"drawn": [], "told": ""}, "over the overview")
        look_at(browser, 2900, 3200)
        assert browser.run("annot.loaded().isThere"), "not loaded"
        sent = 2990500
        crossing = next(message for message in browser.run("annot.messages()") if message["sent"] == sent)
        equal(crossing["received"], sent + latency, "what crosses a cut")
        item = crossing["item"]
        equal(item, f"message@{sent}", "its name")
        assert item in [arrow["item"] for arrow in browser.run("annot.arrows().drawn")], "it is not drawn"
        look_at(browser, 7200, 7300)
        select(browser, item)
        equal(browser.run("annot.selection()"), item, "selected from afar")
        look_at(browser, 7200, 7300)
        browser.keys("e")
        equal(browser.run("annot.selection()"), f"span.1@{sent + latency - 500}.0", "the call at its other end")
        browser.keys("e")
        equal(browser.run("annot.selection()"), f"span.0@{sent - 500}.0", "and back")
    finally:
        browser.limit()


def of_a_part(browser, pages):
    """Times count from its start; threads have other numbers; what was sent before it is not known."""
    browser.open(pages["part"])
    index = {thread["tid"]: thread["index"] for thread in browser.run("annot.threads()")}
    equal(sorted(index), [902, 903], "threads")
    equal(browser.run("annot.messages()"), [{
        "item": "message.0", "sender": index[903], "receiver": index[902],
        "sent": (DOUBTFUL["sent"] - 4000) * US, "received": (DOUBTFUL["received"] - 4000) * US}], "messages")


def no_messages(browser, pages):
    browser.open(pages["none"])
    equal([browser.run("annot.messages()"), browser.run("annot.arrows()")], [[], {"drawn": [], "told": ""}], "messages")
    equal(browser.run("annot.counts().spans"), 3, "spans of three MPI_Init")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="annot-page-") as work:
        pages = {
            "few": make_page(work, "few", FEW), "many": make_page(work, "many", [*FEW, *many(NR_MANY)]),
            "crowd": make_page(work, "crowd", [*FEW, *many(NR_CROWD)]),
            "part": make_page(work, "part", FEW, "--from", "+4ms", "--thread", "902,903"),
            "none": make_page(work, "none", []), "messages": make(work, "messages", "0", "10"),
        }
        browser = Browser()
        try:
            for test in (all_are_there, arrows_from_call_to_call, late_ones_are_red, facts, facts_of_calls,
                         hover_and_click, to_the_other_end, along_two_ranks, too_many_are_told, too_many_with_room, a_crowd_is_told,
                         what_spans_the_view, piece_by_piece, of_a_part, no_messages):
                tap.point(test.__name__.replace("_", " "), test, browser, pages)
            browser.finish(tap)
        finally:
            browser.close()
    tap.finish()


if __name__ == "__main__":
    main()
