# SPDX-License-Identifier: GPL-2.0
"""Usage: python3 tests/browser/gallery.py [DIR]

Takes the README's pictures of pages anew: of those of DIR's traces (tests/data) that are there.
"""
import os
import subprocess
import sys
import tempfile

from browser import ANNOT, ROOT, Browser

PICTURES = os.path.join(ROOT, "viewer", "page", "pictures")
WIDTH = 1280
SHOW = ".finding:has(.kind[data-kind='%s']) .does button"	# the first of them is "show"

# (picture and trace, what is clicked, height)
GALLERY = (
    ("scene-imbalance", SHOW % "imbalance", 720),
    ("scene-contend", SHOW % "interference", 800),
    ("scene-polluter", SHOW % "switch-misses", 720),
)


def take(browser, work, traces, picture):
    name, clicked, height = picture
    trace = os.path.join(traces, f"{name}.dat")
    if not os.path.exists(trace):
        print(f"no {trace}")
        return
    page = os.path.join(work, f"{name}.html")
    subprocess.run([ANNOT, "html", trace, "-o", page], check=True, stdout=subprocess.DEVNULL)
    browser.resize(WIDTH, height)
    browser.open(page)
    browser.run("document.querySelector(arguments[0]).click()", clicked)
    browser.settle()
    browser.driver.screenshot(os.path.join(PICTURES, f"{name}.png"))
    print(f"viewer/page/pictures/{name}.png")


def main():
    traces = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "tests", "data")
    with tempfile.TemporaryDirectory(prefix="annot-gallery-") as work:
        browser = Browser()
        try:
            for picture in GALLERY:
                take(browser, work, traces, picture)
        finally:
            browser.close()


if __name__ == "__main__":
    main()
