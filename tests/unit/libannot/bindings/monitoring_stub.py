# SPDX-License-Identifier: GPL-2.0
"""
sys.monitoring as Python 3.12 documents it, made of sys.setprofile(): for Pythons before. What it has of it: numbers of
tools, callbacks, the events of functions, DISABLE, restart_events(). Callbacks see no events of what they call.
"""
import opcode
import sys
import threading
import types

# Whether the next generator that goes on does so with an exception: a test says so.
throws_next = False
nr_disabled = 0

PROFILER_ID = 2
DISABLE, MISSING = object(), object()
events = types.SimpleNamespace(PY_START=1, PY_RESUME=2, PY_RETURN=4, PY_YIELD=8, PY_UNWIND=4096, PY_THROW=8192)
_CANNOT_BE_DISABLED = (events.PY_UNWIND, events.PY_THROW)

_names, _callbacks, _wanted, _disabled, _suspended = {}, {}, {}, set(), set()


def use_tool_id(tool, name):
    if not 0 <= tool < 6 or tool in _names:
        raise ValueError(f"tool {tool} is already in use")
    _names[tool] = name


def get_tool(tool):
    return _names.get(tool)


def free_tool_id(tool):
    _names.pop(tool, None)
    _wanted.pop(tool, None)
    for key in [key for key in _callbacks if key[0] == tool]:
        del _callbacks[key]


def register_callback(tool, event, function):
    if event not in vars(events).values():
        raise ValueError("one event at a time")
    return _callbacks.pop((tool, event), None) if function is None else _callbacks.__setitem__((tool, event), function)


def set_events(tool, wanted):
    if tool not in _names:
        raise ValueError(f"tool {tool} is not in use")
    _wanted[tool] = wanted


def restart_events():
    _disabled.clear()


def _tell(event, code, offset, *rest):
    global nr_disabled
    for tool, wanted in list(_wanted.items()):
        callback = _callbacks.get((tool, event))
        place = (tool, event, id(code), offset)
        if not wanted & event or not callback or place in _disabled:
            continue
        if callback(code, offset, *rest) is DISABLE:
            if event in _CANNOT_BE_DISABLED:
                raise ValueError("cannot be disabled")
            nr_disabled += 1
            _disabled.add(place)


def _begins(frame):
    global throws_next
    if id(frame) not in _suspended:
        return (events.PY_START,)
    _suspended.remove(id(frame))
    throws, throws_next = throws_next, False
    return (events.PY_THROW, KeyError()) if throws else (events.PY_RESUME,)


def _ends(frame, value):
    opname = opcode.opname[frame.f_code.co_code[frame.f_lasti]]
    if opname == "RETURN_VALUE":
        return (events.PY_RETURN, value)
    # The value of what is unwound is None, too.
    if opname == "YIELD_VALUE" and value is not None:
        _suspended.add(id(frame))
        return (events.PY_YIELD, value)
    return (events.PY_UNWIND, KeyError())


def _profile(frame, event, value):
    if frame.f_globals["__name__"] == __name__ or event not in ("call", "return"):
        return
    event, *rest = _begins(frame) if event == "call" else _ends(frame, value)
    _tell(event, frame.f_code, frame.f_lasti, *rest)


sys.monitoring = types.SimpleNamespace(**{name: value for name, value in globals().items() if not name.startswith("_")})
threading.setprofile(_profile)
sys.setprofile(_profile)
