// SPDX-License-Identifier: GPL-2.0
#include "report/loss_words.h"

#include <inttypes.h>

#include "util/text/text.h"
#include "util/xalloc.h"

void loss_words_print_events(const struct trace_losses *losses, FILE *out)
{
	if (losses->nr_events)
		fprintf(out, "at least %" PRIu64 ", ", losses->nr_events);
	fprintf(out, "in %" PRIu64 " gap%s", losses->nr_gaps, text_plural(losses->nr_gaps));
}

char *loss_words(const struct trace_losses *losses)
{
	char *text;
	size_t nr_bytes;
	FILE *out = xmemstream(&text, &nr_bytes);

	if (losses->nr_gaps) {
		fputs("events were lost: ", out);
		loss_words_print_events(losses, out);
	}
	if (losses->nr_annotations)
		fprintf(out, "%sannotations were lost: at least %" PRIu64,
			losses->nr_gaps ? "; " : "", losses->nr_annotations);
	fclose(out);
	return text;
}
