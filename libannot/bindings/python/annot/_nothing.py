# SPDX-License-Identifier: MIT
"""What the package consists of where the library is not found."""


class Span:
    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return None


_span = Span()


def span(name, value=None):
    return _span


def wait(name, value=None):
    return _span


def mark(name, value=None):
    return None


def counter(name, value):
    return None


def thread_name(name):
    return None


def enabled():
    return False


def flush():
    return None
