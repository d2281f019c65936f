// SPDX-License-Identifier: GPL-2.0
#include "page/pair.h"

#include "page/markers.h"
#include "page/shell.h"
#include "util/text/html_text.h"

/*
 * A template holds a page as it is: the browser parses it there, but runs nothing of it. In it, what
 * begins and ends a document is passed over.
 */
int pair_write(const char *title, pair_side_writer *write, void *context, FILE *out)
{
	static const char *const markers[] = { "@page-a@", "@page-b@" };
	const char *at = page_write_up_to(pair_shell, "@title@", out);

	html_text_write(title, out);
	for (int side = 0; side < 2; side++) {
		at = page_write_up_to(at, markers[side], out);
		if (write(context, side, out) < 0)
			return -1;
	}
	fputs(at, out);
	return 0;
}
