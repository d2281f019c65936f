#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The page's colours stay apart for readers who lack a kind of cones, and carry the text on them.

How they see: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, A Physiologically-based Model for
Simulation of Color Vision Deficiency, IEEE TVCG 15(6), 2009, severity 1.0, on linear sRGB. How far
apart two colours are: OKLab (B. Ottosson, 2020), in which 0.02 can just be told from each other. How
well text is read: the contrast of WCAG 2.1.
"""
import itertools
import math
import os
import re

from browser import ROOT, Tap, equal

PAGE = os.path.join(ROOT, "viewer", "page")
LEAST_OF_NAMES, LEAST_OF_STATES = 0.08, 0.1
LEAST_CONTRAST = 4.5
MOST_HEAT = 0.5	# opacity, see js/ui/heat.js
STATES = ("paper", "running", "preempted", "runnable", "sleeping", "uninterruptible", "stopped")

VISIONS = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
                   (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                     (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
                   (0.004733, 0.691367, 0.303900)),
}
TO_CONES = ((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005))
TO_OKLAB = ((0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660))


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def linear(colour):
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def seen(colour, vision):
    light = [min(max(part, 0), 1) for part in times(VISIONS[vision], linear(colour))]
    return times(TO_OKLAB, [cone ** (1 / 3) for cone in times(TO_CONES, light)])


def contrast(one, other):
    bright, dark = sorted((0.2126 * red + 0.7152 * green + 0.0722 * blue
                           for red, green, blue in (linear(one), linear(other))), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def read(*path):
    with open(os.path.join(PAGE, *path), encoding="utf-8") as file:
        return file.read()


def name_colours():
    listed = re.search(r"NAME_COLOURS = \[(.*?)\]", read("js", "draw", "palette.js"), re.S)[1]
    return re.findall(r"#[0-9a-f]{6}", listed)


def themes():
    """[{name: colour}]: light, dark."""
    light, dark = read("style.css").split("@media (prefers-color-scheme: dark)")[:2]
    return [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", text)) for text in (light, dark)]


def stay_apart(colours, least):
    for vision in VISIONS:
        for one, other in itertools.combinations(colours, 2):
            distance = math.dist(seen(one, vision), seen(other, vision))
            assert distance >= least, f"{one} and {other}, {vision}: {distance:.3f}"


def names_stay_apart():
    assert len(name_colours()) == 12, name_colours()
    stay_apart(name_colours(), LEAST_OF_NAMES)


def states_stay_apart():
    for theme in themes():
        stay_apart([theme[state] for state in STATES], LEAST_OF_STATES)


def slots_stay_apart():
    """Also from what is not known."""
    for theme in themes():
        colours = [colour for key, colour in theme.items() if key.startswith("slots-")]
        equal(len(colours), 7, "parts of issue slots")
        for ground in ("paper", "unknown"):
            stay_apart([*colours, theme[ground]], LEAST_OF_STATES)


def text_on_names():
    text = re.search(r'TEXT_ON_FILL = "(#[0-9a-f]{6})"', read("js", "draw", "style.js"))[1]
    for colour in name_colours():
        assert contrast(text, colour) >= LEAST_CONTRAST, f"{text} on {colour}: {contrast(text, colour):.2f}"


def text_on_the_page():
    for theme in themes():
        for ink, ground in (("ink", "paper"), ("ink", "panel"), ("ink-dim", "panel"), ("accent", "panel"),
                            ("alarm", "alarm-paper"), ("ink-faint", "panel")):
            got = contrast(theme[ink], theme[ground])
            assert got >= LEAST_CONTRAST, f"{ink} {theme[ink]} on {ground} {theme[ground]}: {got:.2f}"


def blend(over, under, share):
    """@over with an opacity of @share."""
    mixed = (round(int(over[at:at + 2], 16) * share + int(under[at:at + 2], 16) * (1 - share)) for at in (1, 3, 5))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def text_on_heat():
    """The darkest cell of a matrix, see js/ui/heat.js, and a finding that is shown."""
    for theme, (heat, shade) in zip(themes(), tints()):
        shown = blend(theme["accent"], theme["panel"], shade)
        for ink, ground in (("ink", blend(heat, theme["paper"], MOST_HEAT)), ("ink", shown), ("ink-dim", shown)):
            got = contrast(theme[ink], ground)
            assert got >= LEAST_CONTRAST, f"{ink} {theme[ink]} on {ground}: {got:.2f}"


def tints():
    """[(colour of the heat, opacity of the shade)]: light, dark."""
    heats = re.findall(r"--heat: (\d+), (\d+), (\d+);", read("style.css"))
    shades = re.findall(r"--shade: rgba\(.*, ([0-9.]+)\);", read("style.css"))
    assert len(heats) == len(shades) == 2, (heats, shades)
    return [("#" + "".join(f"{int(part):02x}" for part in heat), float(shade)) for heat, shade in zip(heats, shades)]


def main():
    tap = Tap()
    for test in (names_stay_apart, states_stay_apart, slots_stay_apart, text_on_names, text_on_the_page, text_on_heat):
        tap.point(test.__name__.replace("_", " "), test)
    tap.finish()


if __name__ == "__main__":
    main()
