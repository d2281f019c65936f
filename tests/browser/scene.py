# SPDX-License-Identifier: GPL-2.0
"""A trace whose truth is known to the microsecond, for the page to be held against."""
from tracefile import RUNNABLE, TraceFile

US = 1000
START = 5_000_000_000_000	# on the trace's clock, of the first event

A, B, STRANGER = 901, 902, 50

# (cpu, from_us, to_us, tid): who ran
SLICES = [
    (0, 0, 3000, A), (0, 3000, 4500, STRANGER), (0, 4500, 6000, A), (0, 6000, 9000, B),
    (1, 500, 4200, B), (1, 6500, 6600, STRANGER), (1, 9500, 10000, STRANGER),
]
IDLE = [(0, 9300), (1, 250), (1, 5000), (1, 6550 - 100)]	# (cpu, at_us)
GAP = (1, 6600, 9500, 37)	# cpu, from_us, to_us, events lost

# name -> facts of its one instance, times in microseconds
SPANS = {
    "solve": {"tid": A, "value": "7", "from": 1000, "to": 5500, "on_cpu": 3000, "preempted": 1500,
              "runnable": 0, "sleeping": 0, "switches": 1, "preemptions": 1, "migrations": 0, "kind": "work"},
    "outer loop": {"tid": B, "value": None, "from": 1200, "to": 3800, "on_cpu": 2600, "preempted": 0,
                   "runnable": 0, "sleeping": 0, "switches": 0, "preemptions": 0, "migrations": 0, "kind": "work"},
    "inner": {"tid": B, "value": "-3", "from": 2000, "to": 2500, "on_cpu": 500, "preempted": 0,
              "runnable": 0, "sleeping": 0, "switches": 0, "preemptions": 0, "migrations": 0, "kind": "work"},
    "barrier": {"tid": B, "value": None, "from": 4000, "to": 8000, "on_cpu": 2200, "preempted": 0,
                "runnable": 200, "sleeping": 1600, "switches": 1, "preemptions": 0, "migrations": 1, "kind": "wait"},
}


def save(path, nr_empty_pages=0):
    trace = TraceFile(2, {A: "worker-a", B: "worker-b", STRANGER: "stranger"})

    def at(us):
        return START + us * US

    trace.switch(0, at(0), 0, A)
    trace.write(0, at(1000), A, "B|900|solve|7")
    trace.switch(0, at(3000), A, STRANGER, RUNNABLE)
    trace.switch(0, at(4500), STRANGER, A)
    trace.write(0, at(5000), A, "I|900|milestone|3")
    trace.write(0, at(5200), A, "C|900|depth|4")
    trace.write(0, at(5500), A, "E|900")
    trace.write(0, at(5700), A, "C|900|depth|1")
    trace.wakeup(0, at(5800), A, B, 0)
    trace.switch(0, at(6000), A, B)
    trace.write(0, at(8000), B, "E|900")
    trace.switch(0, at(9000), B, 0)

    trace.switch(1, at(500), 0, B)
    trace.write(1, at(1200), B, "B|900|outer loop")
    trace.write(1, at(2000), B, "B|900|inner|-3")
    trace.write(1, at(2500), B, "E|900")
    trace.write(1, at(3800), B, "E|900")
    trace.write(1, at(4000), B, "B|900|barrier|wait")
    trace.switch(1, at(4200), B, 0)
    trace.wakeup(1, at(6500), 0, STRANGER, 1)
    trace.switch(1, at(6500), 0, STRANGER)
    trace.switch(1, at(6600), STRANGER, 0)
    trace.lost(1, 37)
    trace.switch(1, at(9500), 0, STRANGER)
    trace.switch(1, at(10000), STRANGER, 0)
    trace.save(path, nr_empty_pages)
