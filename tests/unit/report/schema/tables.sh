#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# SLOW
# NEEDS: tables-mdoc
#
# The tables of analyses: what the man page says of their columns, their text and their JSON.
set -eu
cd "$(dirname "$0")/../../../.."
exec tests/unit/report/schema/tables.py "${ANNOT_BUILD:-build}/viewer/man/tables.mdoc" tests/data/*.dat
