/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a page while reading its trace.
 */
#ifndef ANNOT_PAGE_PAGE_STREAM_H
#define ANNOT_PAGE_PAGE_STREAM_H

#include "page/page.h"

/*
 * Reads the rest of @trace and writes its page to @out. Returns 0, or -1 after one line on stderr
 * if the trace is damaged, memory runs out, or most_bytes is too small. For write errors, check
 * ferror() at the end. Memory: about 3 bytes per event, and 50 to 100 MB; and what is kept.
 */
int page_stream_write(struct trace *trace, const struct page_options *options, FILE *out);

#endif /* ANNOT_PAGE_PAGE_STREAM_H */
