// SPDX-License-Identifier: GPL-2.0
#include "report/block_estimates.h"

#include <stdlib.h>
#include <string.h>

#include "util/text/figure.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define FIGURES_COLUMNS 30 /* in front of the labels */
#define LABELS 4

/* Of those of a row. Such rows are all of one kind, and of no file. */
static const char *const labels[LABELS] = { "object", "task", "thread", "tid" };

/* Rows of sampled blocks. */
struct estimates {
	const struct model *model;
	size_t nr;
	const struct ranking_row **rows;
	int places[LABELS]; /* of the labels, in a row */
	int widths[LABELS];
};

/* What has no interval comes last. */
static int compare_rows(const void *a, const void *b)
{
	const struct ranking_row *first = *(const struct ranking_row *const *)a;
	const struct ranking_row *second = *(const struct ranking_row *const *)b;

	if (first->like_it.is_known != second->like_it.is_known)
		return first->like_it.is_known ? -1 : 1;
	if (first->like_it.share != second->like_it.share)
		return first->like_it.share > second->like_it.share ? -1 : 1;
	return first < second ? -1 : first > second;
}

static void gather_rows(struct estimates *estimates, const struct ranking *ranking)
{
	estimates->rows = xcalloc(ranking->nr + 1, sizeof(const struct ranking_row *));
	for (size_t i = 0; i < ranking->nr; i++) {
		if (ranking->rows[i].like_it.one_of)
			estimates->rows[estimates->nr++] = &ranking->rows[i];
	}
	if (estimates->nr)
		qsort(estimates->rows, estimates->nr, sizeof(const struct ranking_row *),
		      compare_rows);
}

static const char *label_of(const struct estimates *estimates, size_t row, int label)
{
	return trace_string(estimates->model->trace,
			    estimates->rows[row]->labels[estimates->places[label]]);
}

/* The object takes what the others leave. */
static void find_labels(struct estimates *estimates, const struct ranking *ranking)
{
	const char *const *names = ranking_labels(ranking->key);
	int left = LINE_COLUMNS - FIGURES_COLUMNS;

	for (int label = LABELS - 1; label >= 0; label--) {
		int limit = label ? left / (label + 1) : left;

		while (strcmp(names[estimates->places[label]], labels[label]) != 0)
			estimates->places[label]++;
		estimates->widths[label] = (int)strlen(labels[label]);
		for (size_t row = 0; row < estimates->nr; row++)
			estimates->widths[label] = text_widest(estimates->widths[label],
							       label_of(estimates, row, label),
							       limit);
		left -= estimates->widths[label] + 1;
	}
}

static void print_figures(const struct block_estimate *estimate, FILE *out)
{
	if (estimate->is_known)
		fprintf(out, "%5.1f%% %5.1f%% %5.1f%%", estimate->share * 100, estimate->low * 100,
			estimate->high * 100);
	else
		fprintf(out, "%6s %6s %6s", "-", "-", "-");
	fprintf(out, " %7s ", figure_count(estimate->nr_lines).text);
}

static void print_rows(const struct estimates *estimates, FILE *out)
{
	fprintf(out, "%6s %6s %6s %7s ", "all", "from", "to", "lines");
	for (int label = 0; label < LABELS; label++)
		fprintf(out, " %-*s", label + 1 < LABELS ? estimates->widths[label] : 0,
			label ? labels[label] : "OBJECT");
	fputc('\n', out);
	for (size_t row = 0; row < estimates->nr; row++) {
		print_figures(&estimates->rows[row]->like_it, out);
		for (int label = 0; label < LABELS; label++) {
			fputc(' ', out);
			text_print_name(out, label_of(estimates, row, label),
					estimates->widths[label],
					label + 1 < LABELS ? estimates->widths[label] : 0);
		}
		fputc('\n', out);
	}
}

void block_estimates_text(const struct model *model, const struct ranking *ranking, FILE *out)
{
	struct estimates estimates = { .model = model };

	gather_rows(&estimates, ranking);
	if (estimates.nr) {
		find_labels(&estimates, ranking);
		fputs("\nShare of all small blocks of a call, of which one in N was told (heap~N), with its interval of 95 %.\n"
		      "It is part of the rows above, in which the others have no name, as [heap]. -: too few lines.\n",
		      out);
		print_rows(&estimates, out);
	}
	free(estimates.rows);
}
