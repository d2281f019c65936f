# SPDX-License-Identifier: GPL-2.0
"""
A recording that a guest has left, as annot report tells it, and what its program knows of itself.
"""
import json
import os
import subprocess


class Reported:
    """NAME.dat, and NAME.json, which the program wrote."""

    def __init__(self, annot, directory, name):
        path = os.path.join(directory, name)
        report = subprocess.run([annot, "report", "--json", f"{path}.dat"], check=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.report = json.loads(report.stdout)
        with open(f"{path}.json", encoding="utf-8") as file:
            self.truth = json.load(file)
