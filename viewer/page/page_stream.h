/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A page while its trace is read.
 */
#ifndef ANNOT_PAGE_PAGE_STREAM_H
#define ANNOT_PAGE_PAGE_STREAM_H

#include "page/page.h"

/*
 * Writes the page of what @trace has yet to read to @out. Returns 0; or -1 after one line on stderr
 * when the trace is damaged, memory runs out, or most_bytes are too few. Write errors are the FILE's: ask ferror() at the
 * end. Memory: about 3 bytes an event, and 50 to 100 MB.
 */
int page_stream_write(struct trace *trace, const struct page_options *options, FILE *out);

#endif /* ANNOT_PAGE_PAGE_STREAM_H */
