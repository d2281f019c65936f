// SPDX-License-Identifier: GPL-2.0
#include "report/loss_words.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/diag.h"
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

void loss_words_warn(const char *path, const struct trace_losses *losses, const char *more)
{
	char *words;

	if (!trace_losses_are_any(losses))
		return;
	words = loss_words(losses);
	diag_warn("%s: %s%s", path, words, more);
	free(words);
}
