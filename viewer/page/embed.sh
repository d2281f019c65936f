#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: embed.sh FILE >SOURCE
#
# The shell as a C string, page_shell.
set -eu

printf '#include "page/shell.h"\n\nconst char page_shell[] = {\n'
od -An -v -tu1 "$1" | sed 's/ *\([0-9][0-9]*\)/(char)\1,/g'
printf '0 };\n'
