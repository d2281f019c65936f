#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Files that are no traces, or damaged ones, given to what reads traces. TAP.
# SLOW
cd "$(dirname "$0")/../../.." && exec tests/unit/cmd/bad_input.py
