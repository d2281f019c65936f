# SPDX-License-Identifier: MIT
"""Runs a program of Python with a span for each call of a Python function."""
import argparse
import os
import runpy
import sys

from . import functions


def main():
    parser = argparse.ArgumentParser(prog="python3 -m annot", description=__doc__)
    parser.add_argument("--only", action="append", metavar="MODULE",
                        help="only functions of this module or package (the script is __main__); may be repeated")
    parser.add_argument("-m", dest="is_module", action="store_true", help="the program is a module, as of python3 -m")
    parser.add_argument("program", metavar="SCRIPT")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT")
    options = parser.parse_args()

    sys.argv = [options.program, *options.arguments]
    if not options.is_module:
        sys.path[0] = os.path.dirname(os.path.realpath(options.program))
    with functions(options.only):
        if options.is_module:
            runpy.run_module(options.program, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(options.program, run_name="__main__")


main()
