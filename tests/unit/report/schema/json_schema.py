#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: json_schema.py SCHEMA DOCUMENT...

Holds the documents against the JSON Schema, and the schema against them: what it describes occurs. Then breaks
documents, in each object that is described, and holds them against it. Prints TAP.
"""
import json
import sys

from jsonschema import Draft202012Validator

from tables import MAN_PAGE, generated, point, read, tables

# The session's path is of no region. What is not computed of false sharing is null as a whole. No trace here has so many samples
# of data.
NEVER_SEEN = {"$.critical_path.group", "$.false_sharing.not_computed"} | {
    f"$.working_set.{path}" for path in ("levels[].holds_bytes", "levels[].holds_not_bytes", "tasks[].misses[]")
} | {f"$.working_set.tasks[].misses[].{key}" for key in (
    "level", "expected_per_load", "expected_is_upper_bound", "measured_per_load", "event")}

# How much runs differ is not known of one a side.
NEVER_SEEN_OF_TWO = {f"$.rules[].{key}" for key in ("low", "high", "adjusted_p_value")}

# Runs are compared by the ratio of their means, or, of findings and where that is none, by the difference.
SELDOM_SEEN = {f"$.{value}.{key}" for value in ("session", "tasks[].wall", "tasks[].on_cpu")
               for key in ("difference_low_ns", "difference_high_ns")} | {
    f"$.findings[].lost.{key}" for key in ("change", "change_low", "change_high")} | {
    f"$.tasks[].events[].{key}" for key in ("difference_low", "difference_high")}

# What an answer of what-if has, which comes as a whole.
ANSWER = {"predicted_ns", "predicted_least_ns", "predicted_most_ns", "trials", "tasks"}


def read_json(path):
    return json.loads(read(path))


def wrong_documents(validator, documents):
    for path, document in documents.items():
        for error in validator.iter_errors(document):
            yield f"{path}: {error.json_path}: {error.message[:200]}"


def schema_by_name(schema):
    """Of the values of an object whose keys are names."""
    inner = schema.get("additionalProperties")
    return inner if isinstance(inner, dict) else None


def walk(schema, value, path, place):
    """(Path in the schema, the keys that lead there, value) of all that is described and not null."""
    if value is None:
        return
    yield path, place, value
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key in schema.get("properties", {}):
            yield from walk(schema["properties"][key], inner, f"{path}.{key}", place + (key,))
        elif schema_by_name(schema):
            yield from walk(schema_by_name(schema), inner, f"{path}.*", place + (key,))
    for i, inner in enumerate(value) if isinstance(value, list) else ():
        yield from walk(schema["items"], inner, f"{path}[]", place + (i,))


def described(schema, path):
    yield path
    for key, inner in schema.get("properties", {}).items():
        yield from described(inner, f"{path}.{key}")
    if schema_by_name(schema):
        yield from described(schema_by_name(schema), f"{path}.*")
    if "items" in schema:
        yield from described(schema["items"], f"{path}[]")


def first_of_each(schema, documents):
    """{path in the schema: (document, keys)}: where it occurs first."""
    found = {}
    for name, document in documents.items():
        for path, place, _ in walk(schema, document, "$", ()):
            found.setdefault(path, (name, place))
    return found


def written_by_hand(schema):
    """The schema of rows of tables is made from what writes them."""
    rows = tuple(f"$.{analysis}.{key}[]" for analysis, key in tables(generated(read(MAN_PAGE))))
    return [path for path in described(schema, "$") if not path.startswith(rows)]


def not_seen(schema, found):
    never_seen = NEVER_SEEN | (NEVER_SEEN_OF_TWO if "of two traces" in schema["title"] else set())
    for path in written_by_hand(schema):
        if path not in SELDOM_SEEN and (path in found) == (path in never_seen):
            yield f"{path} is {'seen' if path in found else 'described, and never seen'}"


def part_of(document, place):
    for key in place:
        document = document[key]
    return document


def breaks(value):
    yield "another type", "text" if isinstance(value, (bool, int, float, list, dict)) else {"a": 1}
    if isinstance(value, dict):
        yield "an unknown key", {**value, "no such key": {}}
    if isinstance(value, bool):
        yield "a number", 1


def schema_of(schema, place):
    for step in place:
        schema = schema.get("properties", {}).get(step) or schema.get("items") or schema_by_name(schema)
    return schema


def without(value, key):
    return {other: kept for other, kept in value.items() if other != key}


def broken(schema, value):
    """(How it is broken, value)."""
    yield from breaks(value)
    if isinstance(value, int) and "integer" in schema["type"]:
        yield "a fraction", 0.5
    for key in schema.get("required", ()):
        yield f"without {key}", without(value, key)


def not_refused(schema, documents, found):
    """The schema has no references: a part fits or not by its own."""
    for path, (name, place) in found.items():
        inner = schema_of(schema, place)
        validator = Draft202012Validator(inner)
        for how, value in broken(inner, part_of(documents[name], place)):
            if validator.is_valid(value):
                yield f"{path}: {how}"


def half_answers(schema, documents):
    """Of what-if: there is all of an answer, or the reason why there is none."""
    for name, document in documents.items() if "no_answer" in schema["properties"] else ():
        for key in ANSWER & document.keys():
            yield f"{name}: without {key}", without(document, key)
            yield f"{name}: no answer, and {key}", {**document, "no_answer": "none"}
        if "no_answer" in document:
            yield f"{name}: nothing", without(document, "no_answer")


def main():
    schema = read_json(sys.argv[1])
    documents = {path: read_json(path) for path in sys.argv[2:]}
    validator = Draft202012Validator(schema)
    failed = False
    try:
        Draft202012Validator.check_schema(schema)
        print("ok - the schema is one")
    except Exception as error:  # pylint: disable=broad-except
        failed = point("the schema is one", [str(error)])
    failed |= point(f"documents fit: {len(documents)}", wrong_documents(validator, documents))
    found = first_of_each(schema, documents)
    failed |= point("all that is described but rows of tables is seen", not_seen(schema, found))
    failed |= point("broken documents do not fit", not_refused(schema, documents, found))
    failed |= point("half of an answer does not fit",
                    (how for how, value in half_answers(schema, documents) if validator.is_valid(value)))
    sys.exit(failed)


if __name__ == "__main__":
    main()
