#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# SLOW
# NEEDS: build/tests/unit/trace/test_trace_libtracecmd
#
# The same events in files of every form: the report must be the same. TAP.
cd "$(dirname "$0")/../../.." && exec tests/unit/trace/containers.py
