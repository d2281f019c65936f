# SPDX-License-Identifier: GPL-2.0
"""Writes trace.dat files (version 6) of events that a test makes up, so that it knows the truth.

Only what the kernel would have written: sched_switch, sched_wakeup, interrupts, cpu_idle, cpu_frequency, requests to
block devices, and writes to trace_marker.
"""
import struct

PAGE_BYTES = 4096
COMMIT_MISSED = 1 << 31
COMMIT_MISSED_KEPT = 1 << 30
RUNNABLE, SLEEPS = 0, 1

SWITCH_ID, WAKEUP_ID, PRINT_ID = 372, 374, 5
HANDLER_ID, HANDLER_EXIT_ID, SOFTIRQ_ID, SOFTIRQ_EXIT_ID = 225, 224, 223, 222
IDLE_ID, FREQUENCY_ID = 401, 402
BLOCK_ISSUE_ID, BLOCK_COMPLETE_ID = 501, 502
IN_HANDLER, IN_SOFTIRQ = 0x08, 0x10	# of common_flags

COMMON_FIELDS = """\
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

"""

HEADER_PAGE = """\
\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;
\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;
\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;
"""

HEADER_EVENT = """\
# compressed entry header
\ttype_len    :    5 bits
\ttime_delta  :   27 bits
\tarray       :   32 bits

\tpadding     : type == 29
\ttime_extend : type == 30
\ttime_stamp : type == 31
\tdata max type_len  == 28
"""


def event_format(name, number, fields, print_format):
    lines = [f"name: {name}\nID: {number}\nformat:\n{COMMON_FIELDS}"]
    for declaration, offset, size, signed in fields:
        lines.append(f"\tfield:{declaration};\toffset:{offset};\tsize:{size};\tsigned:{signed};\n")
    lines.append(f"\nprint fmt: {print_format}\n")
    return "".join(lines).encode()


REQUEST_FIELDS = [("dev_t dev", 8, 4, 0), ("sector_t sector", 16, 8, 0), ("unsigned int nr_sector", 24, 4, 0),
                  ("int error", 28, 4, 1), ("char rwbs[10]", 32, 10, 0)]
FORMATS = {
    "print": event_format("print", PRINT_ID, [
        ("unsigned long ip", 8, 8, 0), ("char buf[]", 16, 0, 0)], '"%ps: %s", (void *)REC->ip, REC->buf'),
    "sched_switch": event_format("sched_switch", SWITCH_ID, [
        ("char prev_comm[16]", 8, 16, 0), ("pid_t prev_pid", 24, 4, 1), ("int prev_prio", 28, 4, 1),
        ("long prev_state", 32, 8, 1), ("char next_comm[16]", 40, 16, 0),
        ("pid_t next_pid", 56, 4, 1), ("int next_prio", 60, 4, 1)],
        '"%s:%d [%d] %ld ==> %s:%d [%d]", REC->prev_comm, REC->prev_pid, REC->prev_prio, '
        'REC->prev_state, REC->next_comm, REC->next_pid, REC->next_prio'),
    "sched_wakeup": event_format("sched_wakeup", WAKEUP_ID, [
        ("char comm[16]", 8, 16, 0), ("pid_t pid", 24, 4, 1), ("int prio", 28, 4, 1),
        ("int target_cpu", 32, 4, 1)],
        '"%s:%d [%d] CPU:%03d", REC->comm, REC->pid, REC->prio, REC->target_cpu'),
    "irq_handler_entry": event_format("irq_handler_entry", HANDLER_ID, [
        ("int irq", 8, 4, 1), ("__data_loc char[] name", 12, 4, 0)], '"irq=%d name=%s", REC->irq, __get_str(name)'),
    "irq_handler_exit": event_format("irq_handler_exit", HANDLER_EXIT_ID, [
        ("int irq", 8, 4, 1), ("int ret", 12, 4, 1)], '"irq=%d ret=%d", REC->irq, REC->ret'),
    "softirq_entry": event_format("softirq_entry", SOFTIRQ_ID, [("unsigned int vec", 8, 4, 0)], '"vec=%u", REC->vec'),
    "softirq_exit": event_format("softirq_exit", SOFTIRQ_EXIT_ID, [("unsigned int vec", 8, 4, 0)],
                                 '"vec=%u", REC->vec'),
    "cpu_idle": event_format("cpu_idle", IDLE_ID, [("u32 state", 8, 4, 0), ("u32 cpu_id", 12, 4, 0)],
                             '"state=%lu cpu_id=%lu", REC->state, REC->cpu_id'),
    "cpu_frequency": event_format("cpu_frequency", FREQUENCY_ID, [("u32 state", 8, 4, 0), ("u32 cpu_id", 12, 4, 0)],
                                  '"state=%lu cpu_id=%lu", REC->state, REC->cpu_id'),
    "block_rq_issue": event_format("block_rq_issue", BLOCK_ISSUE_ID, REQUEST_FIELDS, '"%s", REC->rwbs'),
    "block_rq_complete": event_format("block_rq_complete", BLOCK_COMPLETE_ID, REQUEST_FIELDS, '"%s", REC->rwbs'),
}
SYSTEMS = {
    "sched": ["sched_switch", "sched_wakeup"],
    "irq": ["irq_handler_entry", "irq_handler_exit", "softirq_entry", "softirq_exit"],
    "power": ["cpu_idle", "cpu_frequency"],
    "block": ["block_rq_issue", "block_rq_complete"],
}


class TraceFile:
    """Events in, per CPU in time order; save() writes the file. Times are nanoseconds."""

    def __init__(self, nr_cpus, comms):
        self.comms = {0: "swapper", **comms}
        self.cpus = [[] for _ in range(nr_cpus)]

    def _comm(self, tid):
        return self.comms[tid].encode()[:15].ljust(16, b"\0")

    def _add(self, cpu, ns, number, tid, payload, flags=0):
        self.cpus[cpu].append((ns, struct.pack("<HBBi", number, flags, 0, tid) + payload))

    def switch(self, cpu, ns, tid, to, state=SLEEPS):
        self._add(cpu, ns, SWITCH_ID, tid, self._comm(tid) + struct.pack("<iiq", tid, 120, state if tid else 0) +
                  self._comm(to) + struct.pack("<ii", to, 120))

    def wakeup(self, cpu, ns, tid, wakee, target):
        self._add(cpu, ns, WAKEUP_ID, tid, self._comm(wakee) + struct.pack("<iii", wakee, 120, target))

    def handler(self, cpu, ns, tid, irq, name=None, flags=0):
        """The begin of one, or, without a name, its end."""
        if name is None:
            self._add(cpu, ns, HANDLER_EXIT_ID, tid, struct.pack("<ii", irq, 1), flags | IN_HANDLER)
            return
        text = name.encode() + b"\0"
        self._add(cpu, ns, HANDLER_ID, tid, struct.pack("<iI", irq, len(text) << 16 | 16) + text, flags | IN_HANDLER)

    def softirq(self, cpu, ns, tid, vec, begins=True):
        self._add(cpu, ns, SOFTIRQ_ID if begins else SOFTIRQ_EXIT_ID, tid, struct.pack("<I", vec), IN_SOFTIRQ)

    def idle(self, cpu, ns, state=None):
        """The begin of a state, or, without one, its end."""
        self._add(cpu, ns, IDLE_ID, 0, struct.pack("<II", 0xffffffff if state is None else state, cpu))

    def frequency(self, cpu, ns, tid, khz, of_cpu=None):
        self._add(cpu, ns, FREQUENCY_ID, tid, struct.pack("<II", khz, cpu if of_cpu is None else of_cpu))

    def request(self, cpu, ns, tid, device, sector, sectors, begins=True, error=0, op=b"R"):
        """@device: (major, minor)."""
        major, minor = device
        self._add(cpu, ns, BLOCK_ISSUE_ID if begins else BLOCK_COMPLETE_ID, tid,
                  struct.pack("<IIQIi10s6x", major << 20 | minor, 0, sector, sectors, error, op))

    def write(self, cpu, ns, tid, text):
        data = text if isinstance(text, bytes) else text.encode()
        self._add(cpu, ns, PRINT_ID, tid, struct.pack("<Q", 0) + data + b"\n\0")

    def lost(self, cpu, nr_events):
        """What follows on this CPU comes after an overflow."""
        self.cpus[cpu].append((None, nr_events))

    @staticmethod
    def _pages(events):
        pages, missed = [], 0
        while events:
            start = next((ns for ns, _ in events if ns is not None), None)
            if start is None:
                break
            data, last = b"", start
            while events:
                ns, payload = events[0]
                if ns is None:
                    if data:
                        break
                    missed = payload
                    events.pop(0)
                    continue
                entry = b""
                delta = ns - last
                if delta >= 1 << 27:
                    entry = struct.pack("<II", 30 | (delta & ((1 << 27) - 1)) << 5, delta >> 27)
                    delta = 0
                words = (len(payload) + 3) // 4
                if words <= 28:
                    entry += struct.pack("<I", words | delta << 5)
                else:
                    entry += struct.pack("<II", delta << 5, words * 4 + 4)
                entry += payload.ljust(words * 4, b"\0")
                if len(data) + len(entry) > PAGE_BYTES - 16 - 8:
                    break
                data += entry
                last = ns
                events.pop(0)
            commit = len(data)
            if missed:
                commit |= COMMIT_MISSED | COMMIT_MISSED_KEPT
                data += struct.pack("<Q", missed)
                missed = 0
            pages.append((struct.pack("<QQ", start, commit) + data).ljust(PAGE_BYTES, b"\0"))
        return b"".join(pages)

    def save(self, path, nr_empty_pages=0):
        """The pages are the last CPU's; they make a file look like one with many events."""
        def sized(data, size="<Q"):
            return struct.pack(size, len(data)) + data

        clock = b"[mono] local global\0"
        head = b"\x17\x08\x44tracing6\0\0\x08" + struct.pack("<I", PAGE_BYTES)
        head += b"header_page\0" + sized(HEADER_PAGE.encode())
        head += b"header_event\0" + sized(HEADER_EVENT.encode())
        head += struct.pack("<I", 1) + sized(FORMATS["print"])
        head += struct.pack("<I", len(SYSTEMS))
        for system, names in SYSTEMS.items():
            head += system.encode() + b"\0" + struct.pack("<I", len(names))
            head += b"".join(sized(FORMATS[name]) for name in names)
        head += struct.pack("<II", 0, 0)
        head += sized("".join(f"{tid} {comm}\n" for tid, comm in self.comms.items() if tid).encode())
        head += struct.pack("<I", len(self.cpus))
        head += b"options  \0" + struct.pack("<H", 4) + sized(clock, "<I") + struct.pack("<H", 0)
        head += b"flyrecord\0"
        datas = [self._pages(list(events)) for events in self.cpus]
        datas[-1] += bytes(nr_empty_pages * PAGE_BYTES)
        offset = -(-(len(head) + 16 * len(datas)) // PAGE_BYTES) * PAGE_BYTES
        places = b""
        for data in datas:
            places += struct.pack("<QQ", offset, len(data))
            offset += len(data)
        with open(path, "wb") as file:
            file.write((head + places).ljust(-(-(len(head) + len(places)) // PAGE_BYTES) * PAGE_BYTES, b"\0"))
            file.write(b"".join(datas))
