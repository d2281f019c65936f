// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "analysis/waits/wait_chains.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

#define ARROW " -> "

struct chain_row {
	struct wait_chain chain;
	enum wait_link_kind end;
	char *text;
};

/* What chains end with: their last thread or cause, and how. */
struct end_row {
	enum wait_link_kind end;
	char *text;
	uint64_t chains;
	uint64_t ns;
	struct wait_chain longest; /* of these, the one with most time */
};

struct chain_report {
	size_t nr_chains;
	struct chain_row *chains;
	size_t nr_ends;
	struct end_row *ends;
};

/* Lets go of @text. */
static char *append(char *text, const char *word)
{
	char *longer = xasprintf("%s%s", text, word);

	free(text);
	return longer;
}

static const char *ending_words(enum wait_link_kind kind)
{
	switch (kind) {
	case LINK_RUNNABLE:
		return "waited for a CPU";
	case LINK_UNKNOWN_ENDER:
	case LINK_UNKNOWN_STATE:
		return "unknown";
	case LINK_TOO_LONG:
	case LINK_NOT_FOLLOWED:
		return "...";
	default:
		return wait_link_kind_name(kind);
	}
}

static char *link_text(const struct trace *trace, const struct wait_link *link)
{
	const char *word = trace_string(trace, link->word);

	switch (link->kind) {
	case LINK_CAUSE:
		return xasprintf("%s", link->word == TRACE_NO_STRING ? "unknown" : word);
	case LINK_THREAD:
		if (link->task == TRACE_NO_STRING)
			return xasprintf("%s", word);
		return xasprintf("%s in %s", word, trace_string(trace, link->task));
	case LINK_INTERRUPT:
		if (link->word != TRACE_NO_STRING)
			return xasprintf("interrupt %s", word);
		return xasprintf("%s", ending_words(link->kind));
	default:
		return xasprintf("%s", ending_words(link->kind));
	}
}

/* Of link @at and those before it, @most at most. */
static char *chain_text(const struct trace *trace, const struct wait_chains *chains, uint32_t at,
			int most)
{
	const struct wait_link *link = &chains->links[at];
	char *own = link_text(trace, link), *text;

	if (link->before == NO_LINK || most == 1)
		return own;
	text = append(chain_text(trace, chains, link->before, most - 1), ARROW);
	text = append(text, own);
	free(own);
	return text;
}

static int compare_end_texts(const void *a, const void *b)
{
	const struct end_row *first = a, *second = b;

	return strcmp(first->text, second->text);
}

static int compare_ends(const void *a, const void *b)
{
	const struct end_row *first = a, *second = b;

	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	return strcmp(first->text, second->text);
}

/* Into @to, which has the same text; frees that of @from. */
static void add_end(struct end_row *to, const struct end_row *from)
{
	if (from->longest.ns > to->longest.ns)
		to->longest = from->longest;
	to->chains += from->chains;
	to->ns += from->ns;
	free(from->text);
}

/* Those of one text become one. */
static void merge_ends(struct chain_report *report)
{
	size_t nr = 0;

	if (!report->nr_ends)
		return;
	qsort(report->ends, report->nr_ends, sizeof(*report->ends), compare_end_texts);
	for (size_t i = 1; i < report->nr_ends; i++) {
		if (!strcmp(report->ends[nr].text, report->ends[i].text))
			add_end(&report->ends[nr], &report->ends[i]);
		else
			report->ends[++nr] = report->ends[i];
	}
	report->nr_ends = nr + 1;
	qsort(report->ends, report->nr_ends, sizeof(*report->ends), compare_ends);
}

static void add_rows(const struct trace *trace, const struct wait_chains *chains,
		     struct chain_report *report)
{
	report->chains = xcalloc(chains->nr, sizeof(*report->chains));
	report->ends = xcalloc(chains->nr, sizeof(*report->ends));
	for (size_t i = 0; i < chains->nr; i++) {
		const struct wait_chain *chain = &chains->chains[i];
		enum wait_link_kind end = chains->links[chain->last].kind;

		report->chains[report->nr_chains++] = (struct chain_row){
			.chain = *chain,
			.end = end,
			.text = chain_text(trace, chains, chain->last, -1),
		};
		report->ends[report->nr_ends++] = (struct end_row){
			.end = end,
			.text = chain_text(trace, chains, chain->last, 2),
			.chains = 1,
			.ns = chain->ns,
			.longest = *chain,
		};
	}
	merge_ends(report);
}

static void *wait_chains_report_compute(const struct analyses *analyses)
{
	struct wait_chains chains =
		wait_chains_compute(analyses->model, analyses->stats,
				    analyses_result(analyses, &lock_contention_analysis));
	struct chain_report *report = xcalloc(1, sizeof(*report));

	add_rows(analyses->model->trace, &chains, report);
	wait_chains_free(&chains);
	return report;
}

static void wait_chains_report_free(void *result)
{
	struct chain_report *report = result;

	for (size_t i = 0; i < report->nr_chains; i++)
		free(report->chains[i].text);
	for (size_t i = 0; i < report->nr_ends; i++)
		free(report->ends[i].text);
	free(report->chains);
	free(report->ends);
	free(report);
}

static const void *chain_rows(const void *result, size_t *nr)
{
	const struct chain_report *report = result;

	*nr = report->nr_chains;
	return report->chains;
}

static const void *end_rows(const void *result, size_t *nr)
{
	const struct chain_report *report = result;

	*nr = report->nr_ends;
	return report->ends;
}

static struct table_cell threads_of(const struct wait_chain *chain)
{
	struct table_cell cell = { .list.nr = chain->nr_threads };

	_Static_assert(WAIT_CHAINS_MOST_CAUSES <= TABLE_LIST_MOST, "the cell has room");
	for (size_t i = 0; i < chain->nr_threads; i++)
		cell.list.numbers[i] = chain->threads[i];
	return cell;
}

static struct table_cell chain_threads_cell(const struct table_source *source, const void *row)
{
	const struct chain_row *own = row;

	(void)source;
	return threads_of(&own->chain);
}

static struct table_cell chain_text_cell(const struct table_source *source, const void *row)
{
	const struct chain_row *own = row;

	(void)source;
	return (struct table_cell){ .text = own->text };
}

static struct table_cell chain_end_cell(const struct table_source *source, const void *row)
{
	const struct chain_row *own = row;

	(void)source;
	return (struct table_cell){ .text = wait_link_kind_name(own->end) };
}

static struct table_cell end_text_cell(const struct table_source *source, const void *row)
{
	const struct end_row *own = row;

	(void)source;
	return (struct table_cell){ .text = own->text };
}

static struct table_cell end_kind_cell(const struct table_source *source, const void *row)
{
	const struct end_row *own = row;

	(void)source;
	return (struct table_cell){ .text = wait_link_kind_name(own->end) };
}

#define CHAIN_FIELD(field) TABLE_FIELD(chain_row, field)
#define END_FIELD(field) TABLE_FIELD(end_row, field)

static const struct table_column chain_columns[] = {
	{ COLUMN_TIME, "ns", "time", "For how long, in all waits together.",
	  CHAIN_FIELD(chain.ns) },
	{ COLUMN_COUNT, "nr", "waits", "How many waits have this chain.", CHAIN_FIELD(chain.nr) },
	{ COLUMN_TIME, "longest_ns", "longest", "The longest part of one wait.",
	  CHAIN_FIELD(chain.longest_ns) },
	{ COLUMN_THREAD, NULL, "waits longest", "The thread of that wait.",
	  CHAIN_FIELD(chain.threads[0]) },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When that wait began.",
	  CHAIN_FIELD(chain.longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", CHAIN_FIELD(chain.longest_to_ns) },
	{ COLUMN_THREADS, NULL, NULL,
	  "The threads of that chain: who waited, who ended that, who ended what that one waited for, ...",
	  .cell = chain_threads_cell },
	{ COLUMN_TEXT, "end", NULL,
	  "How the chain ends: ran, preempted, runnable, interrupt, wakeup on its way, unknown waker, "
	  "unknown state, too long or not followed.",
	  .cell = chain_end_cell },
	{ COLUMN_TEXT, "chain", "waits for" ARROW "which waits for",
	  "What was waited for, who ended that, and what that one did meanwhile or waited for itself, ... "
	  "Of a wait for a lock whose holders are known, each part goes to who held it then.",
	  .cell = chain_text_cell },
	{ 0 },
};

static const struct table_column end_columns[] = {
	{ COLUMN_TIME, "ns", "time", "For how long, in all chains that end so.", END_FIELD(ns) },
	{ COLUMN_COUNT, "chains", "chains", "How many chains do.", END_FIELD(chains) },
	{ COLUMN_THREAD, NULL, "waits longest", "The thread with the longest wait of these.",
	  END_FIELD(longest.threads[0]) },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When that wait began.",
	  END_FIELD(longest.longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", END_FIELD(longest.longest_to_ns) },
	{ COLUMN_TEXT, "end", NULL, "How they end, as in chains.", .cell = end_kind_cell },
	{ COLUMN_TEXT, "what", "what was waited for in the end",
	  "The last thread of the chains and what it did, or the last cause and what ended it.",
	  .cell = end_text_cell },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "chains", "Who waits for whom, who waits for what", "chain", chain_columns,
	  sizeof(struct chain_row), chain_rows },
	{ "ends", "What that comes down to", "end", end_columns, sizeof(struct end_row), end_rows },
	{ 0 },
};

const struct analysis_desc wait_chains_analysis = {
	.name = "wait_chains",
	.help = "who threads waited for, and what that one waited for itself",
	.title = "Wait chains",
	.tables = tables,
	.compute = wait_chains_report_compute,
	.needs = &lock_contention_analysis,
	.free = wait_chains_report_free,
};
