#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# annot events: what it prints, beside what trace-cmd report prints and what made traces hold. TAP.
cd "$(dirname "$0")/../../.." && exec tests/unit/events/events.py
