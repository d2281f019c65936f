// SPDX-License-Identifier: GPL-2.0
#include "page/page.h"

#include <string.h>

#include "page/data.h"
#include "page/markers.h"
#include "page/shell.h"
#include "util/diag.h"
#include "util/text/html_text.h"

#define TITLE_MARKER "@title@"
#define DATA_MARKER "@data@"
#define ANALYSIS_MARKER "@analysis@"
#define WINDOWS_MARKER "@windows@"

/* The size of the page without its data; a byte of the title takes at most six. */
static uint64_t shell_bytes(const struct page_options *options)
{
	return strlen(page_shell) + 6 * strlen(options->title) +
	       (options->analysis.json ? strlen(options->analysis.json) : 0);
}

/* It is read when it is asked for, not before the first drawing. */
static void write_analysis(const char *analysis, FILE *out)
{
	if (!analysis)
		return;
	fputs("<script type=\"application/json\" id=\"analysis\">", out);
	fputs(analysis, out);
	fputs("</script>\n", out);
}

int page_write_data(struct page_data *data, const struct model *rest,
		    const struct page_options *options, FILE *out)
{
	const char *at = page_shell;

	if (options->most_bytes)
		page_data_limit(data, options->most_bytes > shell_bytes(options) ?
					      options->most_bytes - shell_bytes(options) :
					      1);
	at = page_write_up_to(at, TITLE_MARKER, out);
	html_text_write(options->title, out);
	at = page_write_up_to(at, DATA_MARKER, out);
	if (page_data_write_head(data, rest, options->title, out) < 0)
		return -1;
	at = page_write_up_to(at, ANALYSIS_MARKER, out);
	write_analysis(options->analysis.json, out);
	at = page_write_up_to(at, WINDOWS_MARKER, out);
	page_data_write_windows(data, out);
	fputs(at, out);
	return 0;
}
