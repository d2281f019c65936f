#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot diff --page: what is written, whatever names say, and what is refused. tests/browser/test_pair.py tests
# what the page does. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/refused.sh
. tests/lib/refused.sh
output_is_failure=true

tests/unit/report/diff/diff_trace.py 1 1000 500 | tests/lib/script_trace.py "$work/before.dat"
tests/unit/report/diff/diff_trace.py 2 700 250 |
	sed 's,|store/,|</script></template><script>alert(1)</script><!--\&"/,' | tests/lib/script_trace.py "$work/after.dat"
cp "$work/after.dat" "$work/<b>&after.dat"

whole() {	# FILE
	[ "$(tail -n 1 "$1")" = "</html>" ] || echo "$1 is not whole: $(tail -c 60 "$1")"
}

is_written() {
	local said
	said=$("$annot" diff --page "$work/page.html" "$work/before.dat" "$work/after.dat" 2>&1)
	[[ $said == "$work/page.html: "*" events of $work/before.dat and $work/after.dat" ]] || echo "$said"
	whole "$work/page.html"
	"$annot" diff --page - "$work/before.dat" "$work/after.dat" >"$work/stdout.html" 2>/dev/null
	cmp "$work/page.html" "$work/stdout.html"
}

# Each template holds what annot html writes of its trace, byte by byte.
has_both_pages() {
	local name letter
	for name in before after; do
		letter=${name:0:1}
		"$annot" html -o "$work/$name.html" "$work/$name.dat" >/dev/null
		python3 -c 'import sys
pair, page = (open(path, encoding="utf-8").read() for path in sys.argv[1:3])
part = pair.split("<template id=\"page-%s\">\n" % sys.argv[3])[1]
if not part.startswith(page):
    print(sys.argv[2], "is not in the template")
if not part[len(page):].startswith("\n</template>\n"):
    print("behind it stands", repr(part[len(page):][:40]))' "$work/page.html" "$work/$name.html" \
			"$(if [ "$letter" = b ]; then echo a; else echo b; fi)"
	done
}

# What a parser sees: two templates, three scripts that run, of the hashes that the policy allows, and nothing else.
structure() {	# PAGE
	python3 -c 'import base64, hashlib, html.parser, re, sys
class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.texts, self.policies, self.urls, self.kind, self.title = [], [], [], [], None, ""
    def handle_starttag(self, tag, attributes):
        own = dict(attributes)
        self.tags.append(tag)
        self.urls += [own[name] for name in ("src", "href") if name in own]
        if own.get("http-equiv") == "Content-Security-Policy":
            self.policies.append(own["content"])
        self.kind = tag if tag in ("style", "title") or (tag == "script" and "type" not in own) else None
        if self.kind in ("script", "style"):
            self.texts.append([tag, ""])
    def handle_endtag(self, tag):
        self.kind = None
    def handle_data(self, data):
        if self.kind in ("script", "style"):
            self.texts[-1][1] += data
        if self.kind == "title":
            self.title += data + "|"
page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
policy = page.policies[0]
for kind, text in page.texts:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    if not re.search("%s-src[^;]*\x27sha256-%s\x27" % (kind, re.escape(digest)), policy):
        print("a", kind, "that the policy does not allow:", text[:60])
kinds = [kind for kind, _ in page.texts]
if (page.tags.count("template"), kinds.count("script"), kinds.count("style")) != (2, 3, 3):
    print("templates, scripts, styles:", page.tags.count("template"), kinds)
if not policy.startswith("default-src \x27none\x27; img-src data:; base-uri \x27none\x27; form-action \x27none\x27; style-src ") \
        or "http" in policy or "unsafe" in policy or "*" in policy:
    print("policy:", policy)
if any(not url.startswith("data:") for url in page.urls):
    print("addresses:", page.urls)
if page.title != sys.argv[2]:
    print("titles:", page.title)' "$@"
}

nothing_runs() {
	structure "$work/page.html" "before.dat and after.dat|before.dat|after.dat|"
	"$annot" diff --page "$work/hostile.html" "$work/before.dat" "$work/<b>&after.dat" >/dev/null
	structure "$work/hostile.html" "before.dat and <b>&after.dat|before.dat|<b>&after.dat|"
}

is_refused() {
	local two=("$work/before.dat" "$work/after.dat")
	refused 2 "--page shows two traces, not 2 and 1" "$annot" diff --page "$work/no.html" "${two[@]}" -- "${two[0]}"
	refused 2 "two traces are needed" "$annot" diff --page "$work/no.html" "${two[0]}"
	refused 2 "not both" "$annot" diff --json --page "$work/no.html" "${two[@]}"
	refused 2 "not both" "$annot" diff --page "$work/no.html" --html "${two[@]}"
	refused 2 "either --page or --all, not both" "$annot" diff --page "$work/no.html" --all "${two[@]}"
	refused 2 "either --page or --fail-on, not both" "$annot" diff --page "$work/no.html" \
		--fail-on 'p95(solve) > +5 %' "${two[@]}"
	refused 2 "--page" "$annot" diff "${two[@]}" --page
	refused 1 "nowhere.dat" "$annot" diff --page "$work/no.html" "${two[0]}" "$work/nowhere.dat"
	refused 1 "no/where.html" "$annot" diff --page "$work/no/where.html" "${two[@]}"
	[ ! -e "$work/no.html" ] || echo "a page is there all the same"
}

# The second trace cannot be read: the old page stays.
is_kept() {
	echo old >"$work/old.html"
	head -c 6000 "$work/after.dat" >"$work/short.dat"
	refused 1 "short.dat" "$annot" diff --page "$work/old.html" "$work/before.dat" "$work/short.dat"
	[ "$(cat "$work/old.html")" = old ] || echo "the old page is gone"
	[ "$(find "$work" -name '.old.html*' | wc -l)" -eq 0 ] || ls -A "$work"
}

check "the page is written, and to standard output" is_written
check "it has the pages of both" has_both_pages
check "nothing but its own scripts runs, whatever names say" nothing_runs
check "what it cannot show is one line" is_refused
check "an old page stays if it fails" is_kept

exit $failed
