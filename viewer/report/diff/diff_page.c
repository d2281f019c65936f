// SPDX-License-Identifier: GPL-2.0
#include "report/diff/diff_page.h"

#include "util/text/html_text.h"

static const char style_sheet[] =
	"<style>\n"
	":root { color-scheme: light dark; --paper: #fff; --ink: #1b1e25; --dim: #59606d;\n"
	"  --line: #e6e8ec; --before: #a9b0bc; --after: #2f6fce; --better: #00664f; --worse: #b3261e; }\n"
	"@media (prefers-color-scheme: dark) { :root { --paper: #16181d; --ink: #e7e9ee;\n"
	"  --dim: #a3aab8; --line: #282c35; --before: #6b7382; --after: #6ea6f5; --better: #4fc79f;\n"
	"  --worse: #ff8a80; } }\n"
	"body { margin: 0 auto; max-width: 74rem; padding: 1rem; background: var(--paper);\n"
	"  color: var(--ink); font: 14px/1.5 system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif; }\n"
	"h1 { font-size: 1.35rem; margin: .4rem 0; } h2 { font-size: 1.05rem; margin: 1.6rem 0 .3rem; }\n"
	"p { margin: .2rem 0; color: var(--dim); } .scroll { overflow-x: auto; }\n"
	"table { border-collapse: collapse; } caption { text-align: left; color: var(--dim); }\n"
	"th, td { padding: .25rem .8rem .25rem 0; text-align: right; border-bottom: 1px solid var(--line);\n"
	"  font-variant-numeric: tabular-nums; white-space: nowrap; }\n"
	"th { color: var(--dim); font-weight: 400; } .left { text-align: left; }\n"
	"td.text { white-space: normal; text-align: left; min-width: 18rem; }\n"
	".better { color: var(--better); font-weight: 600; } .worse { color: var(--worse); font-weight: 600; }\n"
	".before { fill: var(--before); } .after { fill: var(--after); } .median { fill: var(--ink); }\n"
	"svg { display: block; }\n"
	"</style>\n";

void diff_page_begin(FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<title>annot diff</title>\n",
	      out);
	fputs(style_sheet, out);
	fputs("</head>\n<body>\n", out);
}

void diff_page_end(FILE *out)
{
	fputs("</body>\n</html>\n", out);
}

void diff_page_cell(const char *text, FILE *out)
{
	fputs("<td>", out);
	html_text_write(text, out);
	fputs("</td>", out);
}

const char *diff_page_class(bool stands_out, bool less)
{
	if (!stands_out)
		return "";
	return less ? " class=\"better\"" : " class=\"worse\"";
}
