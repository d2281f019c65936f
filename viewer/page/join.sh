#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: join.sh SHELL STYLE SCRIPT >PAGE
#
# Puts the style and the script into the shell, where a line holds @csp@, @style@ or @script@. The
# policy allows exactly this script and this style, by their hashes: whatever a trace may hold,
# nothing else can run.
set -eu

shell=$1
style=$2
script=$3

csp_hash()
{
	sha256sum "$1" | cut -c1-64 | tr a-f A-F | basenc -d --base16 | base64
}

while IFS= read -r line; do
	case $line in
	@csp@)
		printf '<meta http-equiv="Content-Security-Policy" content="'
		printf "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
		printf "style-src 'sha256-%s'; " "$(csp_hash "$style")"
		printf "script-src 'sha256-%s'\">\n" "$(csp_hash "$script")"
		;;
	@style@)
		printf '<style>'
		cat "$style"
		printf '</style>\n'
		;;
	@script@)
		printf '<script>'
		cat "$script"
		printf '</script>\n'
		;;
	*)
		printf '%s\n' "$line"
		;;
	esac
done <"$shell"
