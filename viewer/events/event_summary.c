// SPDX-License-Identifier: GPL-2.0
#include "events/event_summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "events/event_lines.h"
#include "util/text/json.h"
#include "util/xalloc.h"

#define NS_PER_S 1000000000u
#define NR_TYPES 65536
#define TIME_COLUMNS 16

struct type_total {
	uint16_t type;
	uint64_t nr;
	uint64_t first_ns;
	uint64_t last_ns;
};

struct event_summary {
	const struct trace *trace;
	uint64_t nr_lost; /* where the kernel counted them */
	uint64_t nr_gaps;
	struct type_total types[NR_TYPES];
};

struct event_summary *event_summary_new(const struct trace *trace)
{
	struct event_summary *summary = xcalloc(1, sizeof(*summary));

	summary->trace = trace;
	for (int type = 0; type < NR_TYPES; type++)
		summary->types[type].type = (uint16_t)type;
	return summary;
}

void event_summary_free(struct event_summary *summary)
{
	free(summary);
}

bool event_summary_add(void *context, const struct event_list_row *row)
{
	struct event_summary *summary = context;
	struct type_total *type = &summary->types[row->type];

	if (row->is_loss) {
		summary->nr_lost += row->nr_lost;
		summary->nr_gaps++;
		return true;
	}
	if (!type->nr++)
		type->first_ns = row->time_ns;
	type->last_ns = row->time_ns;
	return true;
}

static int compare_types(const void *a, const void *b)
{
	const struct type_total *left = a, *right = b;

	if (left->nr != right->nr)
		return left->nr < right->nr ? 1 : -1;
	return left->type - right->type;
}

/* Those of which there are any, in order; free() them. */
static struct type_total *sorted_types(const struct event_summary *summary, size_t *nr)
{
	struct type_total *types = xcalloc(NR_TYPES, sizeof(*types));

	*nr = 0;
	for (int type = 0; type < NR_TYPES; type++) {
		if (summary->types[type].nr)
			types[(*nr)++] = summary->types[type];
	}
	qsort(types, *nr, sizeof(*types), compare_types);
	return types;
}

static void print_time(FILE *out, uint64_t time_ns)
{
	fprintf(out, "%6" PRIu64 ".%09" PRIu64 " ", time_ns / NS_PER_S, time_ns % NS_PER_S);
}

void event_summary_print(const struct event_summary *summary, FILE *out)
{
	size_t nr;
	struct type_total *types = sorted_types(summary, &nr);

	fprintf(out, "%10s %*s %*s EVENT\n", "COUNT", TIME_COLUMNS, "FIRST", TIME_COLUMNS, "LAST");
	for (size_t i = 0; i < nr; i++) {
		fprintf(out, "%10" PRIu64 " ", types[i].nr);
		print_time(out, types[i].first_ns);
		print_time(out, types[i].last_ns);
		fprintf(out, "%s\n", event_lines_name(summary->trace, types[i].type));
	}
	if (summary->nr_gaps)
		fprintf(out, "%10" PRIu64 " %*s %*s LOST, at least, in %" PRIu64 " gaps\n",
			summary->nr_lost, TIME_COLUMNS, "-", TIME_COLUMNS, "-", summary->nr_gaps);
	free(types);
}

static void put_type(struct json *json, const struct event_summary *summary,
		     const struct type_total *type)
{
	json_begin_object(json);
	json_key_string(json, "event", event_lines_name(summary->trace, type->type));
	json_key_u64(json, "count", type->nr);
	json_key_u64(json, "first_ns", type->first_ns);
	json_key_u64(json, "last_ns", type->last_ns);
	json_end_object(json);
}

void event_summary_print_json(const struct event_summary *summary, FILE *out)
{
	size_t nr;
	struct type_total *types = sorted_types(summary, &nr);
	struct json json;

	for (size_t i = 0; i < nr; i++) {
		json_init(&json, out, JSON_COMPACT);
		put_type(&json, summary, &types[i]);
		putc('\n', out);
	}
	if (summary->nr_gaps) {
		json_init(&json, out, JSON_COMPACT);
		json_begin_object(&json);
		json_key_u64(&json, "lost_gaps", summary->nr_gaps);
		json_key_u64(&json, "lost_at_least", summary->nr_lost);
		json_end_object(&json);
		putc('\n', out);
	}
	free(types);
}
