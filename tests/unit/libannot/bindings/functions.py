# SPDX-License-Identifier: GPL-2.0
"""
Usage: functions.py [stub]

Calls functions in all ways, with a span for each. Prints what annotations should come of it, one a line.
"""
import sys
import threading

if sys.argv[1:] == ["stub"]:
    import monitoring_stub  # noqa: F401
import annot
from expected import begins, ends, expected

def leaf():
    begins("leaf")
    ends()


def fails():
    begins("fails")
    leaf()
    ends()
    raise ValueError


def counts(number):
    begins("counts")
    for i in range(number):
        leaf()
        ends()
        yield i + 1
        begins("counts")
    ends()


def catches():
    begins("catches")
    try:
        ends()
        yield 1
        raise AssertionError
    except KeyError:
        begins("catches")
        leaf()
        ends()
        yield 2
        begins("catches")
        ends()


class Suspended:
    def __await__(self):
        begins("Suspended.__await__")
        for _ in range(2):
            ends()
            ends()
            ends()
            yield "suspended"
            begins("outer")
            begins("inner")
            begins("Suspended.__await__")
        ends()


async def inner():
    begins("inner")
    await Suspended()
    ends()


async def outer():
    begins("outer")
    await inner()
    ends()


class Thing:
    def method(self):
        begins("Thing.method")

        def nested():
            begins("Thing.method.<locals>.nested")
            ends()
        nested()
        ends()


def deep(number):
    begins("deep")
    if number:
        deep(number - 1)
    ends()


def plain():
    begins("plain")
    ends()
    yield 1


def throw(generator, exception, does_not_catch=None):
    """The stub of sys.monitoring cannot see whether a generator goes on with a value or an exception."""
    begins("throw")
    if does_not_catch:
        begins(does_not_catch)
        ends()
    if "monitoring_stub" in sys.modules:
        monitoring_stub.throws_next = True
    try:
        return generator.throw(exception)
    finally:
        ends()


def calls_all():
    begins("calls_all")
    try:
        fails()
    except ValueError:
        pass
    assert sum(counts(2)) == 3
    generator = catches()
    assert next(generator) == 1
    assert throw(generator, KeyError) == 2
    assert not list(generator)
    generator = plain()
    assert next(generator) == 1
    try:
        throw(generator, IndexError, "plain")
    except IndexError:
        pass
    coroutine = outer()
    for _ in range(2):
        assert coroutine.send(None) == "suspended"
    try:
        coroutine.send(None)
    except StopIteration:
        pass
    Thing().method()
    deep(2)
    ends()


def starts():
    return annot.functions("__main__")


def stops(functions):
    begins("stops")
    ends()
    functions.stop()
    not_shown()


def not_shown():
    pass


def in_other_threads(frame, event, argument):
    """The profile of somebody else, for threads that are to come."""


def main():
    if "monitoring_stub" not in sys.modules:
        threading.setprofile(in_other_threads)
    # What was called before returns, and ends nothing.
    expected.append("B|open all the time")
    with annot.span("open all the time"):
        functions = starts()
        calls_all()
        thread = threading.Thread(target=calls_all)
        thread.start()
        thread.join()
        try:
            annot.functions()
        except RuntimeError:
            pass
        else:
            raise AssertionError
        stops(functions)
        functions.stop()
        not_shown()
        with annot.functions(only=["elsewhere", "__main"]):
            not_shown()
        with annot.functions(only=["elsewhere", "__main__"]):
            leaf()
        not_shown()
    ends()
    if "monitoring_stub" in sys.modules:
        assert monitoring_stub.nr_disabled > 0
    else:
        assert sys.getprofile() is None
        assert threading.getprofile() is in_other_threads


main()
print(*expected, sep="\n")
