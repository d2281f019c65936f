#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: tables.py TABLES.mdoc TRACE...

Holds the man page against TABLES.mdoc, which is made from the tables of analyses, and the text and the
JSON of each trace against the man page. Prints TAP.
"""
import json
import os
import re
import subprocess
import sys

ANNOT = os.environ.get("ANNOT", "build/annot")
MAN_PAGE = "viewer/man/annot-report.1"
MOST_TEXT_ROWS = 20


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def generated(page):
    """What make man-tables writes into the page."""
    return re.search(r'^\.\\" Begin of man-tables.*?\n(.*)^\.\\" End of man-tables', page, re.M | re.S)[1]


def tables(mdoc):
    """{(analysis, key of its rows): [(keys, heading or None)]}."""
    found = {}
    for section in mdoc.split(".Ss Rows of ")[1:]:
        name = section.split("\n", 1)[0]
        for key, columns in re.findall(r"^An element of\n\.Cm (\w+)\n(.*?)^\.El", section, re.M | re.S):
            found[name, key] = [(keys.split(" , "), heading or None) for keys, heading in
                                re.findall(r"^\.It Cm ([a-z0-9_ ,]+?)(?: Pq (.+))?$", columns, re.M)]
    return found


def annot(*arguments):
    return subprocess.run([ANNOT, "report", *arguments], check=True, capture_output=True, text=True).stdout


def wrong_page(mdoc):
    if generated(read(MAN_PAGE)) != mdoc:
        yield f"{MAN_PAGE} has other columns of analyses: make man-tables"


def wrong_rows(name, rows, columns):
    wanted = [key for keys, _ in columns for key in keys]
    for row in rows:
        if list(row) != wanted:
            yield f"{name}: {list(row)}, the man page has {wanted}"


def wrong_text(name, text, rows, columns):
    """@text ends in the table."""
    if not rows:
        return
    known = [(keys, heading) for keys, heading in columns
             if heading and any(row[key] is not None for row in rows[:MOST_TEXT_ROWS] for key in keys)]
    lines = text.rstrip().split("\n")
    more = re.fullmatch(r"and (\d+) more \w+", lines[-1])
    if (int(more[1]) if more else 0) != max(len(rows) - MOST_TEXT_ROWS, 0):
        yield f"{name}: {lines[-1]}, of {len(rows)}"
    lines = lines[:-1] if more else lines
    shown = rows[:MOST_TEXT_ROWS]
    head, lines = lines[-len(shown) - 1], lines[-len(shown):]
    if re.split(r"  +", head.strip()) != [heading for _, heading in known]:
        yield f"{name}: headings {head}, the man page has {known}"
    for line, row in zip(lines, shown):
        cells = re.split(r"  +", line.strip())
        # A cell of what is not known is blank: behind it, none is in its place.
        if any(row[key] is None for keys, _ in known for key in keys):
            continue
        for cell, (keys, _) in zip(cells, known):
            value = row[keys[0]]
            # Others have a unit, or are rounded.
            if len(keys) == 1 and isinstance(value, int) and not isinstance(value, bool) and \
                    not keys[0].endswith("ns") and value < 1000000 and float(cell) != value:
                yield f"{name}: {keys[0]} is {cell}, not {value}"


def part_of(text, name, key, found):
    """The text up to the end of that table: of several of one analysis, all but the last have others behind."""
    keys = [other for analysis, other in found if analysis == name]
    behind = len(keys) - 1 - keys.index(key)
    return "\n\n".join(text.rstrip().split("\n\n")[:-behind or None])


def wrong_trace(path, found):
    report = json.loads(annot("--json", path))
    texts = {name: annot("--show", name, path) for name in {analysis for analysis, _ in found}}
    for (name, key), columns in found.items():
        rows = (report[name] or {}).get(key, [])
        yield from wrong_rows(name, rows, columns)
        if why := (report[name] or {}).get("not_computed"):
            if not texts[name].rstrip().endswith(f"\nNot computed: {why}."):
                yield f"{name}: nothing says that it is not computed: {why}"
            continue
        yield from wrong_text(name, part_of(texts[name], name, key, found), rows, columns)


def point(what, wrong):
    wrong = list(wrong)
    for line in wrong[:10]:
        print(f"# {line}")
    print(f"{'not ok' if wrong else 'ok'} - {what}", flush=True)
    return bool(wrong)


def main():
    mdoc = read(sys.argv[1])
    found = tables(mdoc)
    failed = point("the man page has the columns of all analyses", wrong_page(mdoc))
    failed |= point("there are tables", [] if found else ["none"])
    for path in sys.argv[2:]:
        failed |= point(f"tables of {os.path.basename(path)}", wrong_trace(path, found))
    sys.exit(failed)


if __name__ == "__main__":
    main()
