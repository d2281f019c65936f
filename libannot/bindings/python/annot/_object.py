# SPDX-License-Identifier: MIT
"""Memory that has a name: annot_object() of annot(3)."""
try:
    from ._annot import enabled, mark
except ImportError:
    from ._nothing import enabled, mark


def object(name, address, nr_bytes):
    """Names memory: annot report --by object tells which samples fell into it. Nothing is read there."""
    if address and nr_bytes and enabled():
        mark("@object_bytes", nr_bytes)
        mark("@object " + name, address)


def object_end(address):
    """Ends the object that begins at the address, before its memory is freed."""
    if address:
        mark("@object_end", address)
