#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: embed.sh NAME FILE >SOURCE
#
# A shell as a C string of that name.
set -eu

printf '#include "page/shell.h"\n\nconst char %s[] = {\n' "$1"
od -An -v -tu1 "$2" | sed 's/ *\([0-9][0-9]*\)/(char)\1,/g'
printf '0 };\n'
