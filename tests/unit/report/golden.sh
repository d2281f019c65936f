#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What is found in the traces of tests/data, to the letter.
set -eu
cd "$(dirname "$0")/../../.."
exec tests/unit/report/golden.py build/annot tests/data/*.findings.json
