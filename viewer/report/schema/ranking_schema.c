// SPDX-License-Identifier: GPL-2.0
#include "report/schema/ranking_schema.h"

#include "report/report_json.h"
#include "report/schema/common_members.h"
#include "report/schema/document_schema.h"

static const struct schema_member sums[] = {
	{ "samples", SCHEMA_COUNT, 0, .meaning = "Its samples." },
	{ "count", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "How many events they stand for; null if not known, as of IBS." },
	{ "error", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The standard error of that." },
	{ "missed", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning = "Those of its samples that missed the first-level cache; null if they are of "
		     "one event, not of instructions." },
	MEMBERS_END,
};

/* The last of a row. */
static const struct schema_member share[] = {
	MEMBERS(sums),
	{ "share", SCHEMA_NUMBER, 0, .meaning = "The part of all events: 1 is all of them." },
	MEMBERS_END,
};

/* Of a row by object. */
static const struct schema_member sharing[] = {
	{ "latency_cycles", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning =
		  "How long an access took, mean of the samples that tell it; null: none does." },
	{ "threads", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning =
		  "Threads that touched the object, in samples of any event; null: not an object." },
	{ "huge_share", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning =
		  "The part of the memory that the samples hit that was in huge pages when it was first read after them; "
		  "null: not known." },
	{ "page_kib", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning = "The size of the pages that hold most of that; null: not known." },
	{ "one_of", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning =
		  "Of a small block of which a random sample was told: of so many, one was; null: it is none." },
	{ "sampled_lines", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning =
		  "In how many lines of 64 bytes those begin that were told and have samples; null likewise." },
	{ "all_share", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning =
		  "Estimated of that: the part of all events that is of all blocks like it, told or not. Those not told are in rows "
		  "without a name of the program's, as [heap], so the rows do not add up; null: they are in too few lines, or it is no "
		  "sample." },
	{ "all_low", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "Begin of its interval, 95 %, whatever lines are told; null likewise." },
	{ "all_high", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "Its end; null likewise." },
	MEMBERS_END,
};

/* @row: what a row has. */
static void write_schema(enum ranking_key key, const struct schema_member *row, FILE *out)
{
	const char *const by[] = { ranking_keys()[key], NULL };
	const struct schema_member event[] = {
		{ "name", SCHEMA_TEXT, 0, .meaning = "The event that was sampled." },
		MEMBERS(sums),
		{ "left_out_samples", SCHEMA_COUNT, 0,
		  .meaning = "Samples of threads outside the session." },
		{ "rows", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The most events first.", row },
		MEMBERS_END,
	};
	const struct schema_member document[] = {
		MEMBERS(schema_version),
		{ "file", SCHEMA_TEXT, 0, .meaning = "The path, as given." },
		{ "by", SCHEMA_TEXT, 0, .meaning = "What samples are ranked by.", .words = by },
		{ "events", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "Each with its samples.",
		  event },
		MEMBERS_END,
	};
	char title[80];

	snprintf(title, sizeof(title), "annot report --by %s --json, version %d", by[0],
		 REPORT_JSON_VERSION);
	document_schema(title, document, out);
}

void ranking_schema(enum ranking_key key, FILE *out)
{
	const char *const *labels = ranking_labels(key);
	struct schema_member row[RANKING_MAX_LABELS + 3];
	size_t nr = 0;

	for (; labels[nr]; nr++)
		row[nr] = (struct schema_member){ labels[nr], SCHEMA_TEXT,
						  .meaning = "Where samples fell: names one row." };
	row[nr++] = (struct schema_member)MEMBERS(share);
	if (ranking_has_sharing(key))
		row[nr++] = (struct schema_member)MEMBERS(sharing);
	row[nr] = (struct schema_member)MEMBERS_END;
	write_schema(key, row, out);
}
