#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: join.sh SHELL STYLE SCRIPT [INNER_STYLE INNER_SCRIPT] >PAGE
#
# Puts the style and the script into the shell, where a line holds @csp@, @style@ or @script@. The
# policy allows exactly this script and this style, by their hashes: whatever a trace may hold,
# nothing else can run. Frames in a page have its policy, too: it then allows those of a page inside of it.
set -eu

shell=$1
style=$2
script=$3
inner_style=${4-}
inner_script=${5-}

csp_hashes()	# [FILE]...
{
	for file; do
		[ -z "$file" ] || printf " 'sha256-%s'" \
			"$(sha256sum "$file" | cut -c1-64 | tr a-f A-F | basenc -d --base16 | base64)"
	done
}

while IFS= read -r line; do
	case $line in
	@csp@)
		printf '<meta http-equiv="Content-Security-Policy" content="'
		printf "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
		printf 'style-src%s; ' "$(csp_hashes "$style" "$inner_style")"
		printf 'script-src%s">\n' "$(csp_hashes "$script" "$inner_script")"
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
