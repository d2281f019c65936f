# SPDX-License-Identifier: GPL-2.0
"""What tests/lib/script_trace.py makes a trace of: tasks whose issue slots were counted, in turns with another event.

Every second millisecond, the events of top-down have the counters, in the others OTHER has. So each is an estimate, of "steady" and
"chase" a good one; "wild" changes too much, and "brief" has too few turns. On the other CPU, "lone" has no turn of OTHER.
"""
import random

MS = 10**6
OTHER = "walks"
SLOTS = 18 * 10**6	# in a millisecond
TASKS = ("steady", "chase", "wild", "brief")


def shares(task, chance):
    """Of all slots: retiring, bad speculation, front end, back end, and memory's part of that; of the other event: how often."""
    noise = chance.uniform(-0.02, 0.02)
    if task == "chase":
        return 0.15 + noise, 0.05, 0.05, 0.75 - noise, 0.6 - noise, 5000 + chance.randrange(500)
    if task == "wild":
        return (0.9, 0.02, 0.02, 0.06, 0.01, 10) if chance.random() < 0.5 else (0.1, 0.3, 0.3, 0.3, 0.1, 90000)
    return 0.6 + noise, 0.1, 0.1, 0.2 - noise, 0.1, 1000 + chance.randrange(100)


def counts_of(task, chance, has_memory):
    *slots, other = shares(task, chance)
    return [round(share * SLOTS) for share in (slots if has_memory else slots[:4])] + [other]


def story(has_memory):
    """Lines; without has_memory, what the back end waits for is not counted."""
    chance = random.Random(17)
    names = ["topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound"]
    names += (["topdown-mem-bound"] if has_memory else []) + [OTHER]
    of_topdown = (1 << len(names) - 1) - 1
    lines = [f"0 0 0 config text='event={i} name={name} mode=count user=1 shared=1'" for i, name in enumerate(names)]
    lines += ["0 0 0 switch next_pid=100 next_comm=many", "0 1 0 switch next_pid=101 next_comm=lone"]
    at = 0
    for task, length in zip(TASKS, (160, 160, 24, 6)):
        lines.append(f"{at * MS} 0 100 begin name={task} tgid=100")
        for _ in range(length):
            at += 1
            invalid = of_topdown if at % 2 else of_topdown + 1
            counts = ",".join(map(str, counts_of(task, chance, has_memory)))
            lines.append(f"{at * MS} 0 100 counts counts={counts} invalid={invalid}")
        lines.append(f"{at * MS} 0 100 end tgid=100")
    lines.append(f"{at * MS} 0 100 switch prev_state=1 prev_comm=many")
    others = ["0 1 101 begin name=lone tgid=100"]
    for ms in range(1, 21):
        counts = ",".join(map(str, counts_of("lone", chance, has_memory)))
        others.append(f"{ms * MS} 1 101 counts counts={counts} invalid={of_topdown + 1}")
    others += [f"{20 * MS} 1 101 end tgid=100", f"{20 * MS} 1 101 switch prev_state=1 prev_comm=lone"]
    return "\n".join(lines + others) + "\n"
