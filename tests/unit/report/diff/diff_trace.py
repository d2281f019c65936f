#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: diff_trace.py SEED SOLVE_US MISSES_PER_SOLVE

Prints, for script_trace.py, a run of 40 rounds: a solve of SOLVE_US, give or take 20 %, with about so
many misses in it (samples of 10), and a store of 100 us, give or take 20 %. The last is alone in
having a "tidy".
"""
import random
import sys


def main():
    seed, solve_us, misses = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    chance = random.Random(seed)
    now = 1_000_000
    print(f"{now} 0 0 switch next_pid=100 next_comm=prog")
    print(f"{now} 0 100 marker buf='annot|session'")
    print(f"{now} 0 100 config text='event=0 name=l1_cache_miss mode=sample type=4 config=0x8d1 "
          f"config1=0 config2=0 period=10 user=1 kernel=0 precise_asked=2 precise=2 error=0'")

    def span(name, length_us, samples=0):
        nonlocal now
        length = round(length_us * 1000 * chance.uniform(0.8, 1.2))
        print(f"{now} 0 100 marker buf='B|100|{name}'")
        for at in sorted(chance.randrange(1, length) for _ in range(samples)):
            print(f"{now + at} 0 100 sample period=10 ip=0x401136 has=0x10")
        now += length
        print(f"{now} 0 100 marker buf='E|100'")
        now += 1000

    for _ in range(40):
        span("solve", solve_us, max(0, round(misses / 10 * chance.uniform(0.8, 1.2))))
        span("store", 100)
    span("tidy", 50)
    print(f"{now} 0 100 switch prev_state=16 next_pid=0")


main()
