# SPDX-License-Identifier: MIT
"""A span of each call of a Python function, by sys.monitoring (Python 3.12) or sys.setprofile()."""
import sys
import threading

try:
    from . import _annot
except ImportError:
    _annot = None

# What runs functions rather than being the program's: it would be around or between all others.
_LEFT_OUT = ("annot", "importlib._bootstrap", "importlib._bootstrap_external", "runpy")


def _is_in(module, packages):
    return any(module == package or module.startswith(package + ".") for package in packages)


def _make_namer(only):
    def name(code):
        """MODULE.QUALNAME of a function that is being called; None: it has no span."""
        frame = sys._getframe(1)
        while frame and frame.f_code is not code:
            frame = frame.f_back
        module = str(frame.f_globals.get("__name__")) if frame else "?"
        if _is_in(module, _LEFT_OUT) or (only and not _is_in(module, only)):
            return None
        return f"{module}.{getattr(code, 'co_qualname', code.co_name)}"
    return name


class _Profile:
    """The calling thread, and those that threading starts from now on."""
    def __init__(self, namer):
        self.before, self.before_in_threads = sys.getprofile(), threading.getprofile()
        _annot._start(namer, None)
        threading.setprofile(_annot._profile)
        sys.setprofile(_annot._profile)

    def stop(self):
        sys.setprofile(self.before)
        threading.setprofile(self.before_in_threads)
        _annot._stop()


class _Monitoring:
    """All threads."""
    def __init__(self, namer, tool):
        monitoring, self.tool = sys.monitoring, tool
        events = monitoring.events
        monitoring.use_tool_id(tool, "annot")
        _annot._start(namer, monitoring.DISABLE)
        callbacks = {
            events.PY_START: _annot._begins, events.PY_RESUME: _annot._begins, events.PY_THROW: _annot._is_thrown,
            events.PY_RETURN: _annot._ends, events.PY_YIELD: _annot._ends, events.PY_UNWIND: _annot._unwinds,
        }
        for event, callback in callbacks.items():
            monitoring.register_callback(tool, event, callback)
        monitoring.restart_events()
        monitoring.set_events(tool, sum(callbacks))

    def stop(self):
        sys.monitoring.set_events(self.tool, 0)
        sys.monitoring.free_tool_id(self.tool)
        _annot._stop()


def _free_tool():
    """A number that no other tool uses, if sys.monitoring is there."""
    monitoring = getattr(sys, "monitoring", None)
    if not monitoring:
        return None
    tools = (monitoring.PROFILER_ID, 3, 4)
    return next((tool for tool in tools if monitoring.get_tool(tool) is None), None)


class Functions:
    """What functions() returns: stop(), or the end of a with statement, ends it."""
    running = None

    def __init__(self, only):
        if Functions.running:
            raise RuntimeError("annot.functions() is in use already")
        Functions.running = self
        namer, tool = _make_namer(only), _free_tool()
        self.way = _Profile(namer) if tool is None else _Monitoring(namer, tool)

    def stop(self):
        if Functions.running is self:
            self.way.stop()
            Functions.running = None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.stop()


class _Nothing:
    def stop(self):
        return None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return None


def functions(only=None):
    """
    From now on, each call of a Python function is a span, named MODULE.QUALNAME, until stop() of what this returns.

    only: a module or package, or several; functions of others have no span.
    With Python before 3.12, other threads that run already are left out.
    """
    if isinstance(only, str):
        only = (only,)
    return Functions(tuple(only or ())) if _annot else _Nothing()
