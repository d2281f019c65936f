# SPDX-License-Identifier: MIT
"""
Annotates what a program does, in the kernel's ftrace buffer: annot(3) for Python.

    import annot

    with annot.span("row", 5):          # a span of work
        with annot.wait("barrier"):     # a span of waiting for other threads
            barrier.wait()

    @annot.task                         # a span for each call
    def solve(): ...

    @annot.task("read input")
    def read(): ...

    annot.mark("half of it")            # an instant
    annot.counter("rows done", 3)       # a quantity
    annot.object("grid", grid.ctypes.data, grid.nbytes)     # memory, until annot.object_end(grid.ctypes.data)

A name is any text, a value any integer, of which 64 bits are kept. A span of this package is not of a thread: it may be
made once and entered often. Where libannot.so.0 is not found, all of this does nothing, and status() says so.

functions() makes a span of each call of a Python function; so does "python3 -m annot SCRIPT".
"""
try:
    from ._annot import counter, enabled, flush, mark, span, status, thread_name, wait
except ImportError as error:
    from ._nothing import counter, enabled, flush, mark, span, thread_name, wait

    _why = f"off: {error}"

    def status():
        """One line that says where annotations go, and why."""
        return _why

from ._functions import functions
from ._object import object, object_end
from ._task import task

__all__ = ["counter", "enabled", "flush", "functions", "mark", "object", "object_end", "span", "status", "task", "thread_name", "wait"]
