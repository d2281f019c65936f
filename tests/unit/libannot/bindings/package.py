# SPDX-License-Identifier: GPL-2.0
"""What the package annot does with its arguments; what it annotates is compared by whoever runs this."""
import asyncio
import sys

import annot


def raises(exception, function, *arguments):
    try:
        function(*arguments)
    except exception:
        return
    raise AssertionError(f"no {exception.__name__} from {function.__name__}{arguments}")


class Index:
    def __index__(self):
        return 12


def arguments():
    annot.mark("no value", None)
    annot.mark("ünïcode")
    annot.mark("surrogate \udc80")
    annot.mark("", 0)
    annot.mark("largest", 2**63 - 1)
    annot.mark("least", -2**63)
    annot.mark("minus one", -1)
    annot.mark("beyond", 2**64 + 5)
    annot.mark("index", Index())
    annot.counter("true", True)
    annot.object("grid", 4096, 64)
    annot.object("nothing", 0, 64)
    annot.object("nothing", 4096, 0)
    annot.object_end(4096)
    for function in (annot.span, annot.wait, annot.mark, annot.counter):
        raises(TypeError, function, 5, 5)
        raises(TypeError, function, [], 5)
        raises(TypeError, function, "name", "value")
        raises(TypeError, function, "name", 1.5)
        raises(TypeError, function, "name", 1, 2)
        raises(TypeError, function)
    raises(TypeError, annot.counter, "name")
    raises(TypeError, annot.counter, "name", None)
    raises(TypeError, annot.thread_name, 5)
    raises(TypeError, type(annot.span("name")))


def spans():
    """One may be entered often, also within itself."""
    span, wait = annot.span("kept", 1), annot.wait("kept")
    with span, wait, span as entered:
        assert entered is span
    assert annot.span("kept") is annot.span("kept")
    raises(KeyError, leaves)


def leaves():
    with annot.span("left"):
        raise KeyError


def many_names():
    """More than are kept: those are right, too, and their memory is given back."""
    for number in range(5000):
        name = f"name {number}"
        annot.mark(name, number)
    references = sys.getrefcount(name)
    with annot.span(name, 1), annot.wait(name):
        pass
    annot.counter(name, 2)
    # The waits, of which there are few, keep it: as the key, and in the span.
    assert sys.getrefcount(name) == references + 2


@annot.task
def plain(number, *, other):
    """Its text."""
    return number + other


@annot.task("named")
def fails():
    raise KeyError


@annot.task
def generates():
    got = []
    try:
        got.append((yield 1))
        got.append((yield 2))
    except KeyError:
        annot.mark("caught")
    yield 3
    return got


class Suspended:
    def __await__(self):
        yield "suspended"


@annot.task("awaits")
async def awaits():
    await Suspended()
    return 5


async def asynchronous():
    yield 1


def delegates(into):
    into.append((yield from generates()))


def tasks():
    assert plain(1, other=2) == 3
    assert (plain.__name__, plain.__doc__) == ("plain", "Its text.")
    raises(KeyError, fails)
    got = []
    generator = delegates(got)
    assert [next(generator), generator.send("a"), generator.throw(KeyError)] == [1, 2, 3]
    raises(StopIteration, next, generator)
    assert got == [["a"]]
    generator = generates()
    next(generator)
    generator.close()
    coroutine = awaits()
    assert coroutine.send(None) == "suspended"
    try:
        coroutine.send(None)
    except StopIteration as end:
        assert end.value == 5
    raises(TypeError, annot.task, asynchronous)
    assert asyncio.run(asyncio.wait_for(sleeps(), 5)) == "slept"


@annot.task
async def sleeps():
    return await asyncio.sleep(0, "slept")


for test in sys.argv[1:]:
    globals()[test]()
