# SPDX-License-Identifier: MIT
"""The decorator task."""
import functools
import inspect
import types

try:
    from ._annot import span
except ImportError:
    from ._nothing import span


def _resumed(inner, of_call):
    """Runs a generator or coroutine, with a span from each time that it is resumed until it gives up the thread."""
    step, sent = inner.send, None
    while True:
        try:
            with of_call:
                item = step(sent)
        except StopIteration as end:
            return end.value
        try:
            sent = yield item
            step = inner.send
        except GeneratorExit:
            with of_call:
                inner.close()
            raise
        except BaseException as error:  # pylint: disable=broad-except
            step, sent = inner.throw, error


_awaited = types.coroutine(_resumed)


def _wrapper(function, of_call):
    if inspect.isasyncgenfunction(function):
        raise TypeError("annot.task: an asynchronous generator is no task")
    if inspect.iscoroutinefunction(function):
        async def wrapper(*args, **kwargs):
            return await _awaited(function(*args, **kwargs), of_call)
    elif inspect.isgeneratorfunction(function):
        def wrapper(*args, **kwargs):
            return (yield from _resumed(function(*args, **kwargs), of_call))
    else:
        def wrapper(*args, **kwargs):
            with of_call:
                return function(*args, **kwargs)
    return functools.wraps(function)(wrapper)


def task(function_or_name):
    """
    @task or @task("name"): a span of work for each call of the function. Its name is MODULE.QUALNAME unless one is given.

    A generator or coroutine has a span each time that it runs, until it yields or awaits: while it is suspended, its
    thread does something else.
    """
    if isinstance(function_or_name, str):
        return lambda function: _wrapper(function, span(function_or_name))
    function = function_or_name
    return _wrapper(function, span(f"{function.__module__}.{function.__qualname__}"))
