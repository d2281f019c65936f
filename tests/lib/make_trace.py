#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: make_trace.py little|big 4|8 6|7 FILE [FORM [DAMAGE]]
#
# Writes a trace.dat as a machine of that byte order and word size would, in that version: two
# threads, a fork, a few spans, one of them with a name that is awkward everywhere. Times are such
# that 27 bits do not hold every step. Follows trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5).
#
# FORM is how the annotations stand in it:
#   marker   as text from trace_marker (the default)
#   events   as events of the module, each at its time
#   drained  the same, but they come when their thread is switched out
#   batch    likewise, and those of one slice are one event
#   raw      likewise, from trace_marker_raw, as programs without the module write it
#
# DAMAGE, in batches: "names" leaves out what the names are, "hostile" puts numbers in that cannot
# be, "lost" tells of losses.
import sys
import zlib

PAGE_BYTES = 4096
LOST, LOST_COUNTED = 1 << 31, 1 << 30
UNCOUNTED = -1
TASK_STATE_BLOCKED = 1
PROCESS = 100
TABLE = 3
RAW_ID, RAW_VERSION, RAW_BATCH, RAW_NAMES = 0x746f6e61, 1, 0, 1
RAW_PROCESS = 0x123456789abcdef
TICKS_PER_NS = 3
OPS = ["begin", "wait", "end", "mark", "counter"]
END, NEXT = 2, 5
AWKWARD_NAME = b'a,"b"\\<script>\xff\x1b[31m\xc3\xa4'

# name, C declaration with %s for the name, bytes (0: to the end; "long": a word; "place": where its
# bytes are, behind the struct), signed
COMMON = [("common_type", "unsigned short %s", 2, 0), ("common_flags", "unsigned char %s", 1, 0),
          ("common_preempt_count", "unsigned char %s", 1, 0), ("common_pid", "int %s", 4, 1)]
AGO = ("ago_ns", "u64 %s", 8, 0)
VALUE = ("value", "s64 %s", 8, 1)
NAME = ("name", "__data_loc char[] %s", "place", 0)
FORMATS = {
    ("ftrace", "print"): (5, [("ip", "unsigned long %s", "long", 0), ("buf", "char %s[]", 0, 0)]),
    ("ftrace", "raw_data"): (19, [("id", "unsigned int %s", 4, 0), ("buf", "char %s[]", 0, 0)]),
    ("sched", "sched_switch"): (300, [
        ("prev_comm", "char %s[16]", 16, 0), ("prev_pid", "pid_t %s", 4, 1),
        ("prev_prio", "int %s", 4, 1), ("prev_state", "long %s", "long", 1),
        ("next_comm", "char %s[16]", 16, 0), ("next_pid", "pid_t %s", 4, 1),
        ("next_prio", "int %s", 4, 1)]),
    ("sched", "sched_wakeup"): (301, [
        ("comm", "char %s[16]", 16, 0), ("pid", "pid_t %s", 4, 1), ("prio", "int %s", 4, 1),
        ("target_cpu", "int %s", 4, 1)]),
    ("sched", "sched_wakeup_new"): (306, [
        ("comm", "char %s[16]", 16, 0), ("pid", "pid_t %s", 4, 1), ("prio", "int %s", 4, 1),
        ("target_cpu", "int %s", 4, 1)]),
    ("sched", "sched_migrate_task"): (307, [
        ("comm", "char %s[16]", 16, 0), ("pid", "pid_t %s", 4, 1), ("prio", "int %s", 4, 1),
        ("orig_cpu", "int %s", 4, 1), ("dest_cpu", "int %s", 4, 1)]),
    ("sched", "sched_process_fork"): (308, [
        ("parent_comm", "char %s[16]", 16, 0), ("parent_pid", "pid_t %s", 4, 1),
        ("child_comm", "char %s[16]", 16, 0), ("child_pid", "pid_t %s", 4, 1)]),
    ("irq", "irq_handler_entry"): (309, [("irq", "int %s", 4, 1)]),
    ("irq", "softirq_entry"): (333, [("vec", "unsigned int %s", 4, 0)]),
    ("irq", "softirq_exit"): (334, [("vec", "unsigned int %s", 4, 0)]),
    ("raw_syscalls", "sys_enter"): (330, [
        ("id", "long %s", "long", 1), ("args", "unsigned long %s[6]", "six longs", 0)]),
    ("raw_syscalls", "sys_exit"): (331, [("id", "long %s", "long", 1), ("ret", "long %s", "long", 1)]),
    ("exceptions", "page_fault_user"): (332, [
        ("address", "unsigned long %s", "long", 0), ("ip", "unsigned long %s", "long", 0),
        ("error_code", "unsigned long %s", "long", 0)]),
    # Of no kernel, so that nothing decodes them.
    ("probe", "probe_text"): (340, [("count", "int %s", 4, 1), ("name", "char %s[128]", 128, 0)]),
    ("probe", "probe_count"): (341, [("count", "int %s", 4, 1)]),
    ("other", "other_thing"): (342, [("address", "u64 %s", 8, 0)]),
    ("annot", "annot_begin"): (310, [
        AGO, VALUE, ("tgid", "s32 %s", 4, 1), NAME, ("kind", "u8 %s", 1, 0),
        ("has_value", "u8 %s", 1, 0)]),
    ("annot", "annot_end"): (311, [AGO, ("tgid", "s32 %s", 4, 1)]),
    ("annot", "annot_mark"): (312, [
        AGO, VALUE, ("tgid", "s32 %s", 4, 1), NAME, ("has_value", "u8 %s", 1, 0)]),
    ("annot", "annot_counter"): (313, [AGO, VALUE, ("tgid", "s32 %s", 4, 1), NAME]),
    ("annot", "annot_batch"): (314, [
        ("tgid", "s32 %s", 4, 1), ("table", "u32 %s", 4, 0), ("nr", "u32 %s", 4, 0),
        ("records", "__data_loc u64[] %s", "place", 0)]),
    ("annot", "annot_name"): (315, [
        ("id", "u32 %s", 4, 0), ("table", "u32 %s", 4, 0), ("tgid", "s32 %s", 4, 1), NAME]),
    ("annot", "annot_lost"): (316, [
        ("nr", "u32 %s", 4, 0), ("reason", "u32 %s", 4, 0), ("tgid", "s32 %s", 4, 1)]),
    ("annot", "annot_sample"): (317, [
        ("ip", "u64 %s", 8, 0), ("addr", "u64 %s", 8, 0), ("weight", "u64 %s", 8, 0),
        ("data_src", "u64 %s", 8, 0), ("period", "u64 %s", 8, 0),
        ("regs", "__data_loc u64[] %s", "place", 0), ("event", "u8 %s", 1, 0),
        ("precise", "u8 %s", 1, 0), ("has", "u8 %s", 1, 0), ("stack", "u32 %s", 4, 0)]),
    ("annot", "annot_stack"): (321, [
        ("id", "u32 %s", 4, 0), ("tgid", "s32 %s", 4, 1), ("kind", "u8 %s", 1, 0),
        ("complete", "u8 %s", 1, 0), ("ips", "__data_loc u64[] %s", "place", 0)]),
    ("annot", "annot_waking"): (344, [("pid", "s32 %s", 4, 1), ("stack", "u32 %s", 4, 0)]),
    ("ftrace", "kernel_stack"): (4, [
        ("size", "int %s", 4, 1), ("caller", "unsigned long %s[8]", "eight longs", 0)]),
    ("ftrace", "user_stack"): (12, [
        ("tgid", "unsigned int %s", 4, 0), ("caller", "unsigned long %s[8]", "eight longs", 0)]),
    ("annot", "annot_slice_counts"): (318, [
        ("nr", "u32 %s", 4, 0), ("invalid", "u32 %s", 4, 0), ("ended_by", "u8 %s", 1, 0),
        ("counts", "__data_loc u64[] %s", "place", 0)]),
    ("annot", "annot_pmu_state"): (319, [
        ("value", "u64 %s", 8, 0), ("event", "u8 %s", 1, 0), ("state", "u8 %s", 1, 0)]),
    ("annot", "annot_blocked"): (335, [
        ("nr", "s32 %s", 4, 1), ("arg0", "u64 %s", 8, 0), ("arg1", "u64 %s", 8, 0), ("what", "u8 %s", 1, 0),
        ("object", "u64 %s", 8, 0), ("detail", "u32 %s", 4, 0), ("holder", "s32 %s", 4, 1), ("flags", "u8 %s", 1, 0),
        NAME]),
    ("annot", "annot_config"): (320, [("text", "__data_loc char[] %s", "place", 0)]),
    ("sched", "sched_process_exec"): (303, [
        ("filename", "__data_loc char[] %s", "place", 0), ("pid", "pid_t %s", 4, 1),
        ("old_pid", "pid_t %s", 4, 1)]),
    ("sched", "sched_process_exit"): (304, [("comm", "char %s[16]", 16, 0),
                                            ("pid", "pid_t %s", 4, 1)]),
    ("task", "task_rename"): (305, [
        ("pid", "pid_t %s", 4, 1), ("oldcomm", "char %s[16]", 16, 0),
        ("newcomm", "char %s[16]", 16, 0)]),
    ("task", "task_newtask"): (302, [
        ("pid", "pid_t %s", 4, 1), ("comm", "char %s[16]", 16, 0),
        ("clone_flags", "unsigned long %s", "long", 0), ("oom_score_adj", "short %s", 2, 1)]),
}

# Where it matters to other readers, as the module's kernel writes it.
EMPTY = '""'
PRINT = {
    "probe_text": '"count=%d name=%s", REC->count, REC->name',
    "probe_count": '"count=%d", REC->count',
    "other_thing": '"address=0x%llx", REC->address',
    "annot_batch":
        '"tgid=%d table=%u nr=%u records=%s", REC->tgid, REC->table, REC->nr, '
        "__print_array(__get_dynamic_array(records), REC->nr * 3, 8)",
    "annot_name":
        '"id=%u table=%u tgid=%d name=%s", REC->id, REC->table, REC->tgid, __get_str(name)',
}


class Machine:
    def __init__(self, endian, long_bytes, absolute_times=False):
        self.big_endian = endian == "big"
        self.long_bytes = long_bytes
        self.absolute_times = absolute_times    # a time stamp before each event, not how much later
        self.layouts = {}    # of records; a trace has many of each kind

    def number(self, value, size):
        return (value & (1 << 8 * size) - 1).to_bytes(size, "big" if self.big_endian else "little")

    def layout(self, fields):
        """(name, declaration, offset, size, signed), aligned as a compiler would."""
        offset = 0
        for name, declaration, size, signed in COMMON + fields:
            size = {"long": self.long_bytes, "place": 4, "six longs": 6 * self.long_bytes,
                    "eight longs": 8 * self.long_bytes}.get(size, size)
            if "[" not in declaration or declaration.startswith("__data_loc"):
                offset += -offset % size
            yield name, declaration % name, offset, size, signed
            offset += size

    def format_text(self, name, number, fields):
        lines = [f"name: {name}", f"ID: {number}", "format:"]
        for field, declaration, offset, size, signed in self.layout(fields):
            lines += [""] if field == fields[0][0] else []
            lines.append(f"\tfield:{declaration};\toffset:{offset};\tsize:{size};\tsigned:{signed};")
        return ("\n".join(lines) + f"\n\nprint fmt: {PRINT.get(name, EMPTY)}\n").encode()

    def layout_of_record(self, key):
        """(name, whether its place is told, offset, size) of each field."""
        if key not in self.layouts:
            self.layouts[key] = [(field, declaration.startswith("__data_loc"), offset, size)
                                 for field, declaration, offset, size, _ in self.layout(FORMATS[key][1])]
        return self.layouts[key]

    def record(self, system, name, current, /, **values):
        values |= {"common_type": FORMATS[system, name][0], "common_pid": current}
        data, placed = bytearray(), []
        for field, has_place, offset, size in self.layout_of_record((system, name)):
            if offset > len(data):
                data += bytes(offset - len(data))
            value = values.get(field, 0)
            if has_place:
                placed.append((offset, value))
                data += bytes(size)
            elif isinstance(value, bytes):
                data += value + bytes(max(0, size - len(value)))
            elif size:
                data += self.number(value, size)
        for offset, value in placed:
            data[offset:offset + 4] = self.number(len(value) << 16 | len(data), 4)
            data += value
        return bytes(data) + bytes(-len(data) % 4)

    def entry_head(self, kind, delta):
        return self.number(kind << 27 | delta if self.big_endian else delta << 5 | kind, 4)

    def entry(self, time, before, data):
        delta, head = time - before, b""
        if self.absolute_times:
            head = self.entry_head(31, time & (1 << 27) - 1) + self.number(time >> 27, 4)
            delta = 0
        elif delta >= 1 << 27:
            head = self.entry_head(30, delta & (1 << 27) - 1) + self.number(delta >> 27, 4)
            delta = 0
        if len(data) <= 28 * 4:
            return head + self.entry_head(len(data) // 4, delta) + data
        return head + self.entry_head(0, delta) + self.number(len(data) + 4, 4) + data

    def pages(self, events, page_bytes=PAGE_BYTES, loses=0):
        """
        Pages with as few events each as to make more than one of them; before each, so many are lost
        (UNCOUNTED: the page tells that some are).
        """
        for first in range(0, len(events), 3):
            group = events[first:first + 3]
            before, contents = group[0][0], b""
            for time, data in group:
                contents += self.entry(time, before, data)
                before = time
            commit = len(contents) | (LOST if loses else 0)
            if loses > 0:
                commit |= LOST_COUNTED
                contents += self.number(loses, self.long_bytes)
            page = self.number(group[0][0], 8) + self.number(commit, self.long_bytes) + contents
            yield page + bytes(page_bytes - len(page))

    def header_page(self, page_bytes=PAGE_BYTES):
        word = self.long_bytes
        return (f"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                f"\tfield: local_t commit;\toffset:8;\tsize:{word};\tsigned:1;\n"
                f"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                f"\tfield: char data;\toffset:{8 + word};\tsize:{page_bytes - 8 - word};\tsigned:0;\n"
                ).encode()


class Annotation:
    def __init__(self, tid, op, name=b"", value=None):
        self.tid, self.op, self.name, self.value = tid, op, name, value

    def text(self):
        parts = ["BBEIC"[OPS.index(self.op)].encode(), b"%d" % PROCESS]
        parts += [self.name] if self.name else []
        parts += [b"wait"] if self.op == "wait" else []
        parts += [b"%d" % self.value] if self.value is not None else []
        return b"|".join(parts)

    def event(self, machine, ago):
        kind = {"wait": "begin"}.get(self.op, self.op)
        return machine.record("annot", f"annot_{kind}", self.tid, tgid=PROCESS, ago_ns=ago,
                              name=self.name + b"\0", kind=int(self.op == "wait"),
                              value=self.value or 0, has_value=self.value is not None)


class Forms:
    """Turns the annotations among a CPU's events into events, in one form and with one damage."""
    def __init__(self, machine, form, damage):
        self.machine, self.form, self.damage = machine, form, damage
        self.names = {}     # name: id
        self.told = set()

    def of(self, events):
        """Those of one CPU: it tells all of its names, for none knows which CPU is first."""
        waiting = []
        self.told.clear()
        for time, event in events:
            if not isinstance(event, Annotation):
                yield from self.drain(time, waiting)
                waiting = []
                yield time, event
            elif self.form == "marker":
                yield time, self.machine.record("ftrace", "print", event.tid,
                                                buf=event.text() + b"\n\0")
            elif self.form == "events":
                yield time, event.event(self.machine, 0)
            else:
                waiting.append((time, event))

    def drain(self, now, waiting):
        if self.form == "drained":
            for time, event in waiting:
                yield now, event.event(self.machine, now - time)
        elif waiting:
            yield from self.batch(now, waiting)

    def batch(self, now, waiting):
        tid, words = waiting[0][1].tid, []
        for i, (time, event) in enumerate(waiting):
            if event.name and event.name not in self.told:
                self.names.setdefault(event.name, len(self.names) + 1)
                self.told.add(event.name)
                if self.damage != "names":
                    yield now, self.name(tid, self.names[event.name], event.name)
            op = OPS.index(event.op)
            what = self.names.get(event.name, 0) << 32 | op << 8 | (event.value is not None)
            if event.op == "begin" and i and waiting[i - 1][0] == time and words[-1] >> 8 & 255 == END:
                del words[-3:]
                what += (NEXT - op) << 8
            words += [now - time, event.value or 0, what]
        if self.form == "raw":
            yield from self.raw_batch(now, tid, words)
            return
        nr = len(words) // 3
        if self.damage == "hostile":
            nr, words = 0xffffffff, self.hostile(words)
        if self.damage == "lost":
            for reason in range(8):
                yield now, self.machine.record("annot", "annot_lost", tid, nr=10 ** reason,
                                               reason=reason, tgid=PROCESS)
        yield now, self.machine.record(
            "annot", "annot_batch", tid, tgid=PROCESS, table=TABLE, nr=nr,
            records=b"".join(self.machine.number(word, 8) for word in words))

    def name(self, tid, number, name):
        if self.form == "raw":
            return self.raw(RAW_NAMES, 1, tid, RAW_PROCESS, self.numbers((number, 4), (len(name), 1)) + name)
        return self.machine.record("annot", "annot_name", tid, id=number, table=TABLE, tgid=PROCESS,
                                   name=name + b"\0")

    def numbers(self, *pairs):
        return b"".join(self.machine.number(value, size) for value, size in pairs)

    def raw(self, kind, nr, tid, process, content):
        head = self.numbers((RAW_VERSION, 1), (kind, 1), (nr, 2), (process, 8))
        return self.machine.record("ftrace", "raw_data", tid, id=RAW_ID, buf=head + content)

    def raw_batch(self, now, tid, words):
        """The same in the format of include/trace/annot_raw.h."""
        length = max(words[::3]) + 1000
        records = b""
        for ago, value, what in zip(words[::3], words[1::3], words[2::3]):
            records += self.numbers(((length - ago) * TICKS_PER_NS, 8), (value, 8), (what >> 32, 4),
                                    (what >> 8 & 255, 1), (what & 255, 1), (0, 2))
        nr_lost = 5 if self.damage == "lost" else 0
        writers, nr = {tid: RAW_PROCESS}, len(records) // 24
        if self.damage == "hostile":    # a stranger in the thread's name; and more than there are
            writers, nr = {tid: RAW_PROCESS, 77: RAW_PROCESS + 1}, 0xffff
        moments = ((0, 8), (now - length, 8), (length * TICKS_PER_NS, 8), (now, 8))
        content = self.numbers((PROCESS, 4), (tid, 4), (nr_lost, 4), (0, 4), *moments) + records
        for writer, process in writers.items():
            yield now, self.raw(RAW_BATCH, nr, writer, process, content)

    @staticmethod
    def hostile(words):
        ones = 2 ** 64 - 1
        return [ones, ones, ones] + [2 ** 63, 0, 1 << 32 | 0xfe] + words + \
            [0, 0, 77 << 32 | NEXT << 8, 5, 5]


def story(machine, form, damage):
    """The events of each CPU: (time, record)."""
    forms = Forms(machine, form, damage)

    def switch(prev, prev_pid, state, following, next_pid):
        return machine.record("sched", "sched_switch", prev_pid, prev_comm=prev, prev_pid=prev_pid,
                              prev_state=state, next_comm=following, next_pid=next_pid)

    ms = 1_000_000
    start = 5_000_000_000_000
    first = [
        (start, switch(b"swapper/0", 0, 0, b"pe0", 100)),
        (start + 1 * ms, machine.record("task", "task_newtask", 100, pid=101, comm=b"pe1",
                                        clone_flags=0x3d0f00)),
        (start + 2 * ms, machine.record("sched", "sched_wakeup_new", 100, comm=b"pe1", pid=101,
                                        target_cpu=1)),
        (start + 3 * ms, Annotation(100, "begin", b"loop48", -7)),
        (start + 603 * ms, Annotation(100, "end")),
        (start + 603 * ms, Annotation(100, "wait", b"barrier")),
        (start + 610 * ms, switch(b"pe0", 100, TASK_STATE_BLOCKED, b"swapper/0", 0)),
        (start + 800 * ms, switch(b"swapper/0", 0, 0, b"pe0", 100)),
        (start + 801 * ms, Annotation(100, "end")),
        (start + 900 * ms, switch(b"pe0", 100, 0x10, b"swapper/0", 0)),
    ]
    second = [
        (start + 5 * ms, switch(b"swapper/1", 0, 0, b"pe1", 101)),
        (start + 6 * ms, Annotation(101, "begin", b"loop48", 8)),
        (start + 206 * ms, switch(b"pe1", 101, 0, b"other", 77)),
        (start + 306 * ms, switch(b"other", 77, TASK_STATE_BLOCKED, b"pe1", 101)),
        (start + 406 * ms, Annotation(101, "end")),
        (start + 407 * ms, Annotation(101, "begin", AWKWARD_NAME)),
        (start + 408 * ms, Annotation(101, "begin", b"long" * 60)),
        (start + 409 * ms, Annotation(101, "end")),
        (start + 409 * ms, Annotation(101, "begin", b"next")),
        (start + 409 * ms, Annotation(101, "counter", b"done", 1)),
        (start + 410 * ms, Annotation(101, "mark", b"here")),
        (start + 410 * ms, Annotation(101, "end")),
        (start + 410 * ms, Annotation(101, "end")),
        (start + 411 * ms, switch(b"pe1", 101, 0x10, b"swapper/1", 0)),
    ]
    return [list(forms.of(first)), list(forms.of(second))]


class Instance:
    """A tracing instance; the top one has no name."""
    def __init__(self, name, cpus, clock="mono", page_bytes=PAGE_BYTES, loses=0,
                 times_told=1):
        self.name, self.cpus = name, cpus   # the events of each CPU: (time, record)
        self.clock, self.page_bytes = clock, page_bytes
        self.loses = loses
        self.times_told = times_told    # in version 7: as the data of so many CPUs


class Container:
    """What there is around the events; by default, as little as there can be."""
    def __init__(self, kallsyms=b"", uname=b"", clock="local [mono] boot", tsc=None,
                 compression="none", instances=(), page_bytes=PAGE_BYTES, formats=frozenset(FORMATS),
                 read_events=()):
        self.kallsyms, self.uname = kallsyms, uname
        self.clock = clock
        self.tsc = tsc              # multiplier and shift
        self.compression = compression
        self.instances = instances  # besides the top one
        self.page_bytes = page_bytes
        self.formats = formats      # (system, name) of each
        self.read_events = read_events  # in version 7: how many of each CPU the options tell


class File:
    def __init__(self, machine, version, container):
        self.machine, self.container = machine, container
        self.compresses = container.compression != "none"
        self.content = bytearray(b"\x17\x08\x44tracing%d\0" % version)
        self.content += bytes([machine.big_endian, machine.long_bytes])
        self.put(container.page_bytes, 4)

    def put(self, value, size):
        self.content += self.machine.number(value, size)

    def patch(self, offset, value, size):
        self.content[offset:offset + size] = self.machine.number(value, size)

    def put_blob(self, blob, size_bytes):
        self.put(len(blob), size_bytes)
        self.content += blob

    def put_compressed(self, blob):
        packed = zlib.compress(blob)
        self.put(len(packed), 4)
        self.put(len(blob), 4)
        self.content += packed

    def put_header_page(self):
        self.content += b"header_page\0"
        self.put_blob(self.machine.header_page(self.container.page_bytes), 8)
        self.content += b"header_event\0"
        self.put_blob(b"# compressed entry header\n", 8)

    def put_formats(self, system):
        formats = [(name, *rest) for (of, name), rest in FORMATS.items()
                   if of == system and (of, name) in self.container.formats]
        self.put(len(formats), 4)
        for name, number, fields in formats:
            self.put_blob(self.machine.format_text(name, number, fields), 8)

    def put_event_formats(self):
        systems = sorted({system for system, _ in self.container.formats} - {"ftrace"})
        self.put(len(systems), 4)
        for system in systems:
            self.content += system.encode() + b"\0"
            self.put_formats(system)

    def put_pages(self, instance, events):
        """One CPU's. Returns the size that the file tells, which leaves out the number of chunks."""
        pages = list(self.machine.pages(events, instance.page_bytes, instance.loses))
        if not self.compresses:
            self.content += b"".join(pages)
            return len(pages) * instance.page_bytes
        self.put(-(-len(pages) // 2), 4)
        start = len(self.content)
        for first in range(0, len(pages), 2):
            self.put_compressed(b"".join(pages[first:first + 2]))
        return len(self.content) - start

    def put_cpu_data(self, instance):
        """Yields of each CPU where its pages are: (offset, size)."""
        for events in instance.cpus:
            self.content += bytes(-len(self.content) % instance.page_bytes)
            start = len(self.content)
            yield start, self.put_pages(instance, events)


class File6(File):
    def put_option(self, number, content):
        self.put(number, 2)
        self.put_blob(content, 4)

    def put_options(self):
        """Returns where the offset of each instance is to stand."""
        places = []
        self.content += b"options  \0"
        self.put_option(4, self.container.clock.encode() + b"\0")
        if self.container.uname:
            self.put_option(5, self.container.uname + b"\0")
        if self.container.tsc:
            self.put_option(14, tsc_option(self.machine, self.container.tsc))
        for instance in self.container.instances:
            places.append(len(self.content) + 6)
            self.put_option(3, bytes(8) + instance.name.encode() + b"\0")
        self.put(0, 2)
        return places

    def put_buffer(self, instance, clock=""):
        self.content += b"flyrecord\0"
        table = len(self.content)
        self.content += bytes(len(instance.cpus) * 16)
        if clock:
            self.put_blob(f"[{clock}]".encode() + b"\0", 8)
        for cpu, (offset, size) in enumerate(self.put_cpu_data(instance)):
            self.patch(table + cpu * 16, offset, 8)
            self.patch(table + cpu * 16 + 8, size, 8)


def tsc_option(machine, tsc):
    return machine.number(tsc[0], 4) + machine.number(tsc[1], 4) + machine.number(0, 8)


def version_6(machine, cpus, container=Container()):
    file = File6(machine, 6, container)
    file.put_header_page()
    file.put_formats("ftrace")
    file.put_event_formats()
    file.put_blob(container.kallsyms, 4)
    file.put_blob(b"", 4)       # printk formats
    file.put_blob(b"", 8)       # command names
    file.put(len(cpus), 4)
    places = file.put_options()
    clock = container.clock.split("[")[-1].split("]")[0]
    file.put_buffer(Instance("", cpus, page_bytes=container.page_bytes), clock)
    for place, instance in zip(places, container.instances):
        file.patch(place, len(file.content), 8)
        file.put_buffer(instance)
    return file.content


class File7(File):
    def __init__(self, machine, container):
        super().__init__(machine, 7, container)
        self.content += container.compression.encode() + b"\0\0"
        self.link_at = len(self.content)    # where the offset of the next options is to stand
        self.put(0, 8)
        self.options = []

    def section(self, number, write):
        """Returns where it stands."""
        start = len(self.content)
        compresses = self.compresses and number != 0
        self.put(number, 2)
        self.put(compresses, 2)
        self.put(0, 4)
        self.put(0, 8)
        write()
        if compresses and number != 3:      # there, each CPU's pages are by themselves
            blob = bytes(self.content[start + 16:])
            del self.content[start + 16:]
            self.put_compressed(blob)
        self.patch(start + 8, len(self.content) - start - 16, 8)
        return start

    def option(self, number, content):
        head = self.machine.number(number, 2) + self.machine.number(len(content), 4)
        self.options.append(head + content)

    def place_option(self, number, write):
        self.option(number, self.machine.number(self.section(number, write), 8))

    def put_buffer(self, instance):
        places, number = [], self.machine.number
        start = self.section(3, lambda: places.extend(self.put_cpu_data(instance)))
        places *= instance.times_told
        self.option(3, number(start, 8) + instance.name.encode() + b"\0" +
                    instance.clock.encode() + b"\0" + number(instance.page_bytes, 4) +
                    number(len(places), 4) + b"".join(
                        number(cpu, 4) + number(offset, 8) + number(size, 8)
                        for cpu, (offset, size) in enumerate(places)))

    def put_options(self):
        """Those that came since the last time; that section leads to this one."""
        def write():
            self.option(0, bytes(8))
            self.content += b"".join(self.options)
        self.patch(self.link_at, self.section(0, write), 8)
        self.link_at = len(self.content) - 8
        self.options = []


def version_7(machine, cpus, container=Container()):
    file = File7(machine, container)
    file.place_option(16, file.put_header_page)
    file.place_option(17, lambda: file.put_formats("ftrace"))
    file.place_option(18, file.put_event_formats)
    file.option(4, container.clock.encode() + b"\0")
    if container.uname:
        file.option(5, container.uname + b"\0")
    if container.tsc:
        file.option(14, tsc_option(machine, container.tsc))
    if container.kallsyms:
        file.place_option(19, lambda: file.put_blob(container.kallsyms, 4))
    file.place_option(20, lambda: file.put_blob(b"", 4))    # printk formats
    file.place_option(21, lambda: file.put_blob(b"", 8))    # command names
    file.option(8, machine.number(len(cpus), 4))            # CPUCOUNT
    for cpu, nr in enumerate(container.read_events):        # CPUSTAT
        file.option(2, b"CPU: %d\nentries: 0\nread events: %d\n\0" % (cpu, nr))
    file.put_options()
    clock = container.clock.split("[")[-1].split("]")[0]
    for instance in (Instance("", cpus, clock, container.page_bytes), *container.instances):
        file.put_buffer(instance)
        file.put_options()
    return file.content


WRITERS = {"6": version_6, "7": version_7}


def main():
    endian, long_bytes, version, path, form, damage = (sys.argv[1:] + ["marker", "none"][
        len(sys.argv) - 5:])
    machine = Machine(endian, int(long_bytes))
    content = WRITERS[version](machine, story(machine, form, damage))
    with open(path, "wb") as file:
        file.write(content)


if __name__ == "__main__":
    main()
