# SPDX-License-Identifier: GPL-2.0
"""The format of include/trace/annot_raw.h, read independently of the command."""
import struct

ID, VERSION, BATCH, NAMES, PADDING = 0x746f6e61, 1, 0, 1, 2
MAX_BYTES = 3072
OPS = ["B", "W", "E", "I", "C", "N"]
HEAD = struct.Struct("=IBBHQ")
BATCH_REST = struct.Struct("=iiII4Q")
RECORD = struct.Struct("=QqIBBH")
NAME = struct.Struct("=IB")


class Annotation:
    def __init__(self, tid, tgid, time_ns, op, name, value):
        self.tid, self.tgid, self.time_ns = tid, tgid, time_ns
        self.op, self.name, self.value = op, name, value

    def words(self):
        return [self.op] + ([self.name] if self.op != "E" else []) + \
            ([str(self.value)] if self.value is not None else [])


class Reader:
    """What is to be remembered from one event to the next: the names."""
    def __init__(self):
        self.names = {}
        self.lost = 0

    def event(self, content, start):
        """The annotations in the event at that offset, and where it ends. ValueError: it is not ours."""
        at = start + HEAD.size
        identity, version, kind, number, process = HEAD.unpack_from(content, start)
        if (identity, version) != (ID, VERSION):
            raise ValueError(f"no event at offset {start}")
        if kind == PADDING:
            return [], start + MAX_BYTES
        if kind == NAMES:
            for _ in range(number):
                name, length = NAME.unpack_from(content, at)
                at += NAME.size + length
                self.names[process, name] = content[at - length:at].decode()
            return [], at
        tgid, tid, lost, _, since_ticks, since_ns, until_ticks, until_ns = \
            BATCH_REST.unpack_from(content, at)
        self.lost += lost
        at += BATCH_REST.size
        annotations = []
        for _ in range(number):
            ticks, value, name, op, flags, _ = RECORD.unpack_from(content, at)
            at += RECORD.size
            time_ns = since_ns + (ticks - since_ticks) * (until_ns - since_ns) // (until_ticks - since_ticks)
            annotations.append(Annotation(
                tid, tgid, time_ns, OPS[op], self.names[process, name] if OPS[op] != "E" else None,
                value if flags & 1 else None))
        return annotations, at
