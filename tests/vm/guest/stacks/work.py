# SPDX-License-Identifier: GPL-2.0
"""What a Python program does: objects, text, callbacks out of C, the clock, threads that wait for each other."""
import collections
import json
import queue
import random
import re
import threading
import time


def objects():
    tree = {"children": []}
    for number in range(200):
        tree["children"].append({"name": f"n{number}", "values": list(range(number % 20))})
    for _ in range(6):
        tree = json.loads(json.dumps(tree, indent=1))
    return len(tree["children"])


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


class Row:
    def __init__(self, key):
        self.key = key

    def __lt__(self, other):
        return self.key < other.key


def callbacks():
    rows = [Row(random.random()) for _ in range(1500)]
    rows.sort()
    text = re.sub(r"\d+", lambda match: str(int(match[0]) + 1), "a1 b22 c333 " * 500)
    return len(rows) + len(collections.Counter(text.split()))


def clocks():
    return sum(time.monotonic_ns() > 0 for _ in range(20000))


def work(jobs, done):
    while (job := jobs.get()) is not None:
        done.put(job())
        time.sleep(0.002)


def main():
    jobs, done = queue.Queue(), queue.Queue()
    threads = [threading.Thread(target=work, args=(jobs, done)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(10):
        for job in objects, callbacks, clocks, lambda: fib(16):
            jobs.put(job)
    total = sum(done.get() for _ in range(40))
    for thread in threads:
        jobs.put(None)
    for thread in threads:
        thread.join()
    print(total)


main()
