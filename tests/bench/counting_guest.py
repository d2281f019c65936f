# SPDX-License-Identifier: GPL-2.0
"""A guest of one CPU whose time is the number of instructions executed, for benchmarks."""
import os
import subprocess
import sys

# -icount shift=2, as tests/vm/boot -T count has it
NS_PER_INSTRUCTION = 4


def boot(name, kernel, seconds, files, options=()):
    """Runs the first file, beside the others. Returns the directory of what it left in /out."""
    out = f"build/tests/bench/{name}"
    log = f"{out}.log"
    os.makedirs(out, exist_ok=True)
    commands = [["tests/vm/module", kernel],
                ["tests/vm/boot", "-k", kernel, "-s", "1", "-T", "count", "-t", str(seconds),
                 *options, "-o", out, *files]]
    with open(log, "w", encoding="utf-8") as file:
        for command in commands:
            if subprocess.run(command, stdout=file, stderr=file, check=False).returncode:
                sys.exit(f"{name}: {command[0]} fails: see {log}")
    return out
